"""Find the library file of a cited case if the file does not state the citation.

Files of slip opinions and orders state the parties, court, date and docket, but no report. A draft cites such
a case by a shortened name, a report or docket, a court and a year. A wrong match is worse than a missing one.
If the court, year or docket is different, or if a second file fits equally well, the citation remains
unmatched.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from lexls.citations.case_names.alike import is_alike, list_captions
from lexls.citations.case_names.compare import is_matter, is_plainly_same_name, same_name
from lexls.citations.case_names.exact import compare_name
from lexls.citations.case_names.exact_party import Outcome
from lexls.citations.model import Citation, fold
from lexls.citations.same_docket import list_serials
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.reading.amended import is_amended
from lexls.reading.draft import Draft
from lexls.reading.stated import (
    FULL_DATE,
    Stated,
    compare_court,
    compare_stated,
    is_dated_by_decision,
    read_stated,
)

Ground = Literal["docket", "decision", "name", ""]
"""The evidence that a file is the cited case, if the file does not state the citation: the docket; the name,
court and year; or only the name, with no year or court that contradicts it. "" if there is none.
"""
_GROUNDS: Sequence[Ground] = ("docket", "decision", "name")
_PLAINLY: tuple[Outcome, ...] = ("same",)
_SAME: tuple[Outcome, ...] = ("same", "misspelt")
_PERSON = re.compile(
    r"\b(?:debtors?|bankrupt|mentally ill|decedent|in the (?:interest|matter|estate) of)\b", re.IGNORECASE
)
_OPENING = 4000
"""Length of a decision's opening that is searched for words about a debtor, a patient or an estate, in code
points.
"""
_TERM_UNTIL = 1900
"""Last year in which American decisions are cited by the year of a court's term, which may end in the next
year.
"""


@dataclass(frozen=True, slots=True)
class Binding:
    """The files of a cited case, and the evidence for the match. ``authorities`` are copies of one decision.
    ``rivals`` are files of different decisions that fit equally well; if there are any, ``authorities`` is
    empty.
    """

    authorities: tuple[int, ...] = ()
    by: Ground = ""
    rivals: tuple[int, ...] = ()


def bind(library: Library, draft: Draft, citation: Citation, mention: Sequence[Citation]) -> Binding:
    """Return the match of a citation with a file by its own name or, if that fails, by the names of its
    parallel citations.
    """
    for each in (citation, *mention):
        if each.name and each.key:
            bound = _bind_name(library, draft, each, (citation, *mention))
            if bound.authorities or bound.rivals:
                return bound
    return Binding()


def _bind_name(library: Library, draft: Draft, citation: Citation, mention: Sequence[Citation]) -> Binding:
    if citation.kind != "case":
        found = (library.catalogue.get(each) for each in library.catalogue.find_name(citation.name))
        same = [each.id for each in found if each is not None and is_of_year(citation.year, each)]
        return Binding(tuple(same), "name") if same else Binding()
    stated = read_stated(draft, citation, mention)
    by_report = not is_dated_by_decision(stated.jurisdiction)
    candidates = list(_list_candidates(library, citation.name, stated))
    fitting = [
        (ground, authority)
        for authority in candidates
        # The year first: it is cheap to compare and rules out most files.
        if is_of_year(stated.year, authority, report=by_report)
        and not _has_other_number(stated, library.catalogue.keys_of(authority.id))
        and (ground := _find_ground(citation.name, stated, authority))
    ]
    if not fitting:
        return _bind_alike(library, citation.name, stated, candidates)
    best: Ground = min((ground for ground, _ in fitting), key=_GROUNDS.index, default="")
    # A file with an unknown court or year may also be the case, unless the docket decides.
    rest = [each for ground, each in fitting if best != "docket" or ground == best]
    numbers = tuple(each.id for each in rest)
    if any(not _are_one(rest[0], each) for each in rest[1:]):
        return Binding(rivals=numbers)
    return Binding(numbers, best)


def _bind_alike(library: Library, name: str, stated: Stated, candidates: Iterable[Authority]) -> Binding:
    """Match a citation to the only file of its court and year with a similar title. An amended opinion may be
    from the year before. If another file of these years has a similar title, nothing is matched.
    """
    near = [
        (court, each)
        for each in candidates
        if is_of_year(stated.year, each, report=True)
        and not _has_other_number(stated, library.catalogue.keys_of(each.id))
        and (court := compare_stated(stated, each)) != "other"
    ]
    bound = [
        each
        for court, each in near
        if court == "same"
        and _is_alike(name, each)
        and _has_year(library, name, stated.year, each)
        and (is_matter(name) == is_matter(each.title) or _is_about_person(library, each))
    ]
    # Most names end here, so few need comparing with files that could only prevent a match.
    if not bound or any(not _are_one(bound[0], each) and _is_alike(name, each) for _, each in near):
        return Binding()
    return Binding(tuple(each.id for each in bound), "name")


def _is_alike(name: str, authority: Authority) -> bool:
    return any(is_alike(name, title) for title in _list_titles(authority)) or is_called(name, authority)


def _is_about_person(library: Library, authority: Authority) -> bool:
    """Return whether a case begins like one about a person, so that it may also be cited by that person's
    name.
    """
    text = library.contents.text(authority.id)
    return "In re" in authority.title or _PERSON.search(text, 0, _OPENING) is not None


def _has_year(library: Library, name: str, year: int | None, authority: Authority) -> bool:
    """Return whether a file is of the cited year, or was amended in that year and has the cited name."""
    if year is None or authority.year is None:
        return False
    return year == authority.year or (is_called(name, authority) and is_amended(library, authority, year))


def may_be(draft: Draft, mention: Sequence[Citation], authority: Authority) -> bool:
    """Return whether a file may be the case that a mention cites, judging by everything but the
    file's title.
    """
    first = mention[0]
    called, stated = replace(authority, title=first.name, kind="case"), read_stated(draft, first, mention)
    return not _has_other_number(stated, authority.citations) and bool(
        _find_ground(first.name, stated, called)
    )


def _list_candidates(library: Library, name: str, stated: Stated) -> Iterator[Authority]:
    """Yield the authorities that share a distinctive word with a name, or with a name of its caption, or that
    have the stated docket.
    """
    catalogue = library.catalogue
    found = {*catalogue.find_docket(stated.docket)}
    for each in (name, *list_captions(name)):
        found.update(catalogue.find_sharing_word(each))
    for number in sorted(found):
        authority = catalogue.get(number)
        if authority is not None:
            yield authority


def _has_other_number(stated: Stated, known: Iterable[str]) -> bool:
    """Return whether a mention has a citation in the same report series or court as one of the ``known``
    citations. The numbers are then different, since the citation was not matched.
    """
    series = {_strip_numbers(each.key) for each in stated.citations if each.key}
    return any(_strip_numbers(each) in series for each in known)


def _find_ground(name: str, stated: Stated, authority: Authority) -> Ground:
    """Return the evidence that a file is the case of this name; "" if anything contradicts it."""
    exact = fold(name) in {fold(authority.title), fold(authority.short_title)}
    if authority.kind != "case" and not (exact and authority.kind == "other"):
        return ""
    if not is_of_year(stated.year, authority, report=not is_dated_by_decision(stated.jurisdiction)):
        return ""
    court = compare_stated(stated, authority)
    if court == "other":
        return ""
    of_year = bool(stated.docket) and all(year for _, year in stated.docket)
    own_court = court == "same" or (of_year and court == "open")
    numbered = own_court and not stated.docket.isdisjoint(list_serials(authority.docket))
    # The number and date identify one decision. With another date, the name must also agree.
    if numbered and (
        stated.date == authority.date != "" or any(same_name(name, each) for each in _list_titles(authority))
    ):
        return "docket"
    keys = [each.key for each in stated.citations if each.key]
    if stated.year is None and not (exact and court == "same" and any("___" in each for each in keys)):
        return ""
    if not (exact or _has_name(name, authority, _PLAINLY)):
        return ""
    return "decision" if court == "same" and None not in (stated.year, authority.year) else "name"


def is_called(name: str, authority: Authority) -> bool:
    """Return whether a name has all parties of the authority's title, in order, each in full or usually
    abbreviated. One letter may be wrong.
    """
    return _has_name(name, authority, _SAME)


def _has_name(name: str, authority: Authority, outcomes: Collection[Outcome]) -> bool:
    return any(
        found.outcome in outcomes
        and not found.arrangement
        and ((written, found.outcome) == (name, "same") or is_plainly_same_name(name, title))
        for title in _list_titles(authority)
        for written, other in ((name, title), (title, name))
        for found in (compare_name(written, other),)
    )


def is_of_other_court(draft: Draft, citation: Citation, authority: Authority) -> bool:
    """Return whether a citation names a court other than the authority's, by its report or in brackets."""
    stated = read_stated(draft, citation, (citation,))
    return compare_court([citation.key] if citation.key else [], stated, authority) == "other"


def is_of_year(year: int | None, authority: Authority, *, report: bool = False) -> bool:
    """Return whether a decision may be cited with ``year``. If ``report`` is true, the year may be one off,
    since reports appear later.
    """
    if year is None or authority.year is None or year == authority.year:
        return True
    return abs(year - authority.year) == 1 and (report or year <= _TERM_UNTIL)


def _strip_numbers(key: str) -> str:
    """Return a citation without its numbers, which leaves the report series or court."""
    return "".join(char for char in fold(key) if not char.isdigit() and char != "-")


def _list_titles(authority: Authority) -> list[str]:
    return [title for title in (authority.title, authority.short_title) if title]


def _are_one(one: Authority, other: Authority) -> bool:
    """Return whether two files that fit a citation contain the same decision: it has the same date, and no
    different docket.
    """
    dockets = [list_serials(each.docket) for each in (one, other)]
    if all(dockets) and dockets[0].isdisjoint(dockets[1]):
        return False
    return one.date == other.date and (len(one.date) == FULL_DATE or fold(one.title) == fold(other.title))
