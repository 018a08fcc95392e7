"""Work out the first and last possible page of a case in its reports, if no copy in the library marks the
pages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.citations.model import fold
from lexls.index.records import Authority
from lexls.reading.resolve import Resolution
from lexls.reading.snapshot import Snapshot

_ON_A_PAGE = 700
"""Minimum number of code points on a page of a report, allowing for nearly empty pages."""
_ON_PAGES = 1200
_SHORT = 35_000
"""Length of a text, in code points, from which a page is assumed to have at least `_ON_PAGES` code points
instead of `_ON_A_PAGE`, since not all pages can be nearly empty.
"""
_SLACK = 30
"""Pages that a case may have in addition to its text: syllabus, arguments, tables."""
_LEAST = 1500
"""Minimum length of a text that can be a whole decision, in code points."""
_REGISTER = 10
"""Multiple of a case's last page beyond which a number is assumed to come from a register or a record."""
_WHOLE = 3
_CLOSED = 2
"""Minimum number of digits for a page number to count as complete if a year in brackets follows; otherwise
`_WHOLE`.
"""
_YEAR = 4
"""Digits of a year."""
_YEAR_BEHIND = re.compile(r"\s?\([^()]{0,40}\d{4}\)|,\s\d{1,4}\s[A-Z][\w. ]{0,16}\sat\s\d")
_LAST_NUMBER = re.compile(r"\d+$")


@dataclass(frozen=True, slots=True)
class PagesInReport:
    """A case in one report: its citation, its first page (0 for a judgment cited by its own number), and its
    last possible page (None if unknown).
    """

    citation: str
    first: int
    last: int | None


@dataclass(frozen=True, slots=True)
class PageBounds:
    """The pages that a case can have in its reports. ``copied`` is the last page of the library's copy if its
    pages count from 1, else 0. ``short`` is true if the pinpoint belongs to a short form, which may refer
    to something else. ``closed`` is true if a year in brackets, or a page in another report, follows, so
    that the number belongs to this report.
    """

    reports: tuple[PagesInReport, ...]
    copied: int
    short: bool
    closed: bool = False

    def tell_outside(self, page: int, *, starred: bool = False) -> str:
        """Return why the case cannot have this page in any report, or "" if it may have it or nothing is
        known.
        """
        if starred or not self.reports:
            last = self.copied
            return f"its pages are *1–*{last}; there is no *{page}" if starred and 0 < last < page else ""
        if any(each.first <= page and (each.last is None or page <= each.last) for each in self.reports):
            return ""
        numbered = [each for each in self.reports if each.first]
        if not numbered:
            return ""
        near = min(numbered, key=lambda each: abs(each.first - page))
        if page < near.first:
            # "1172, 85" is short for 1185, "680, 64. S.Ct. 278" a report misread, "Opinion at 10" a record.
            if len(str(page)) < len(str(near.first)) and not self._is_short_for_none(page, near):
                return ""
            return f"{near.citation} begins on page {near.first}; page {page} is before it"
        if self.short and page > _REGISTER * (near.last or 0):  # "id. at 37236"
            return ""
        return f"{near.citation} begins on page {near.first} and ends before page {page}"

    def _is_short_for_none(self, page: int, near: PagesInReport) -> bool:
        """Return whether a number with fewer digits than the first page is certainly not a page of the case
        written in short ("1172, 85" for 1185).
        """
        digits = len(str(page))
        whole = int(f"{str(near.first)[:-digits]}{page}")
        sure = digits >= (_CLOSED if self.closed else _WHOLE)
        return sure and near.last is not None and not near.first <= whole <= near.last


def read_page_bounds(
    snapshot: Snapshot, resolution: Resolution, authority: Authority | None, labels: Sequence[str], page: int
) -> PageBounds:
    """Return the possible pages of a citation's case, worked out as far as checking ``page`` needs.
    ``labels`` are the pages of the library's copy.
    """
    citation = resolution.citation
    full = snapshot.draft.antecedent_of(citation) or citation
    parallel = snapshot.draft.group_of(full)
    keys = [each.key for each in parallel if each.key]
    keys += authority.citations if authority is not None else ()
    pinpoint = citation.pinpoint
    if pinpoint is not None and any(
        each.core.start > pinpoint.span.end for each in parallel if full is citation
    ):
        keys = [citation.key]  # a page between two reports belongs to the first
    numbers = [int(each) for each in labels if each.isdigit()]
    copied = max(numbers) if numbers and min(numbers) <= 2 else 0
    starts = {key: _read_first(snapshot, key, full.jurisdiction) for key in dict.fromkeys(keys)}
    # The text is read only if its length may decide.
    first = min(starts.values(), default=page)
    dear = page > first + _SLACK or (page < first and len(str(page)) < len(str(first)))
    length = _measure(snapshot, authority) if dear else None
    reports = []
    for key, first in starts.items():
        ends = [first + length if length is not None else None, _find_next(snapshot, key) if first else None]
        reports.append(PagesInReport(key, first, min((end for end in ends if end is not None), default=None)))
    masked = snapshot.draft.masked
    closed = pinpoint is not None and _YEAR_BEHIND.match(masked, pinpoint.span.end) is not None
    return PageBounds(tuple(reports), copied, full is not citation, closed)


def _measure(snapshot: Snapshot, authority: Authority | None) -> int | None:
    """Return the maximum number of pages that an authority's text can fill, or None if unknown."""
    text = snapshot.library.contents.text(authority.id) if authority is not None else ""
    if len(text) < _LEAST:
        return None
    begun, more = text[:_SHORT], text[_SHORT:]
    return len(begun) // _ON_A_PAGE + len(more) // _ON_PAGES + _SLACK


def _read_first(snapshot: Snapshot, key: str, jurisdiction: str) -> int:
    """Return the page on which a case begins in the report that a key names, or 0 if there is none."""
    grammar = snapshot.searcher.grammar
    match = grammar.core_of(key, jurisdiction) if grammar is not None else None
    page = match.values.get("page", "") if match is not None else ""
    # "2011 Ark. 49" is the court's own number of a judgment, whose pages count from 1.
    if match is None or not page.isdigit() or len(match.values.get("volume", "")) >= _YEAR:
        return 0
    return int(page)


def _find_next(snapshot: Snapshot, key: str) -> int | None:
    """Return the first page of the next case in the volume, among the cases in the library; None if there is
    none.
    """
    catalogue = snapshot.library.catalogue
    own = fold(key)
    found = _LAST_NUMBER.search(own)
    pages = []
    for other, document in catalogue.find_but_for_a_number(key) if found is not None else ():
        authority = catalogue.get(document)
        following = _LAST_NUMBER.search(other)
        if authority is None or found is None or following is None:
            continue
        if other[: following.start()] != own[: found.start()] or int(following[0]) <= int(found[0]):
            continue
        if other in map(fold, authority.citations):
            pages.append(int(following[0]))
    return min(pages, default=None)
