"""Define the input of a style: the known details of a citation, and the details that its keys show."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from lexls.citations.jurisdiction import load_jurisdictions
from lexls.citations.model import CitationKind, PinpointKind, join_spaces
from lexls.text.spans import Span

_BRACKETED = re.compile(
    r"\[(?P<year>\d{4})\]\s(?P<court>[A-Za-z]{2,12}(?:\s(?:Civ|Crim|\([A-Za-z]{1,9}\)))?)\s\d{1,5}(?:\s\([A-Za-z]{1,12}\))?"
)
_PLAIN = re.compile(
    r"(?P<year>\d{4})[ :](?P<court>[A-Z][A-Za-z-]{1,11}(?:\s(?:App|Civ))?)[ :]\d{1,6}(?:-[A-Z]{2})?U?"
)
_ECLI = re.compile(r"ECLI:")
_DOCKET = re.compile(r"\bNos?\. ")
_DATABASE = re.compile(r"\d{4} (?:WL|(?:[A-Z][A-Za-z. ]{0,20} )?LEXIS) \d+")
_YEAR = re.compile(r"[\[(](\d{4})\]?\)?|^(\d{4})(?=\s)|^[A-Z][A-Za-z. ]{1,8} (\d{4}) ")
_LAST_NUMBER = re.compile(r"^(?P<stem>.*\S)\s{1,40}(?P<page>\d+[A-Z]?)$")

_ACT = re.compile(r"(?P<title>.{0,200}?\S),?\s(?P<year>1[2-9]\d\d|20\d\d)(?:\s\((?P<state>[A-Za-z]{2,5})\))?")
_CODE = re.compile(
    r"\d{1,3}\s(?:U\.S\.C\.|C\.F\.R\.|Fed\. Reg\.)|[A-Z][A-Za-z. ]{0,80}(?:Code|Stat\.|Laws|R\.)[A-Za-z. ]*"
)
_CHAPTER = re.compile(r"(?:[A-Z]{2,6}|CQLR) (?:\d{4}, )?c [\w.-]+.*")
ROUND = re.compile(r"\((?P<year>\d{4})\)\s(?P<rest>.*)")


@dataclass(frozen=True, slots=True)
class Report:
    """One citation of a case.

    ``page`` is its last number, if it has one, and ``stem`` is the text before that number.
    """

    key: str
    neutral: bool
    year: int | None
    stem: str
    page: str


def read_report(key: str) -> Report:
    """Return the details of a normalised key (whether neutral, year, stem, page), judging only by its
    text.
    """
    found = _BRACKETED.fullmatch(key) or _PLAIN.fullmatch(key)
    neutral = _ECLI.match(key) is not None
    if found is not None:
        # Series that are cited by year and page alone look like neutral citations.
        court = found["court"].casefold()
        neutral = not is_database(key) and not any(
            court in place.by_year for place in load_jurisdictions().values()
        )
    dated = _YEAR.search(key)
    year = int(next(each for each in dated.groups() if each)) if dated is not None else None
    last = _LAST_NUMBER.match(key)
    return Report(key, neutral, year, last["stem"] if last else key, last["page"] if last else "")


def is_database(key: str) -> bool:
    """Return whether a normalised key is a number in a publisher's database ("2016 WL 1234567")."""
    return _DATABASE.fullmatch(key) is not None


def find_shape(reference: Reference, chosen: Sequence[Report]) -> str:
    """Return the shape of an authority's citation, which selects the template: "undated", "round", "act", …

    ``chosen`` are the citations that will be written, in order.
    """
    if reference.kind in ("case", "journal"):
        return next(shape for shape, has in _REPORTED if has(reference, chosen))
    if reference.kind in ("statute", "regulation", "rule"):
        first = reference.citations[0] if reference.citations else ""
        return next(shape for shape, has in _ENACTED if has(reference, first))
    return ""


def _is_parted(reference: Reference, chosen: Sequence[Report]) -> bool:
    """Return whether other citations follow the one with the pinpoint, or more than one citation has a
    pinpoint.
    """
    paged = reference.labels and reference.pinpoint == "page"
    return bool(reference.more_pinned) or bool(paged and find_pinned(reference, chosen) < len(chosen) - 1)


def _is_undated(chosen: Sequence[Report]) -> bool:
    return all(each.year is None and not each.neutral for each in chosen)


# The first of these shapes that applies to an authority is used.
_REPORTED: Sequence[tuple[str, Callable[[Reference, Sequence[Report]], bool]]] = (
    ("uncited", lambda _, chosen: not chosen),
    ("database", lambda _, chosen: all(is_database(each.key) for each in chosen)),
    ("docket", lambda _, chosen: any(_DOCKET.search(each.key) for each in chosen)),
    ("dateless", lambda reference, chosen: reference.dateless and _is_undated(chosen)),
    ("undated", lambda _, chosen: _is_undated(chosen)),
    ("round", lambda _, chosen: ROUND.fullmatch(chosen[0].key) is not None),
    ("parted", _is_parted),
    ("plain", lambda _, chosen: all(each.neutral and each.key[0].isdigit() for each in chosen)),
    ("", lambda *_: True),
)
_ENACTED: Sequence[tuple[str, Callable[[Reference, str], bool]]] = (
    ("chapter", lambda _, first: _CHAPTER.fullmatch(first) is not None),
    ("act", lambda reference, _: match_act(reference) is not None),
    ("code", lambda _, first: _CODE.fullmatch(first) is not None),
    ("instrument", lambda _, first: bool(first)),
    ("uncited", lambda *_: True),
)


def find_pinned(reference: Reference, chosen: Sequence[Report]) -> int:
    """Return the index of the citation to which the pinpoint belongs: a page belongs to a report, a paragraph
    to the first citation.
    """
    for place, each in enumerate(chosen):
        if each.key == reference.pinned:
            return place
    if reference.labels and reference.pinpoint == "page":
        return next((place for place, each in enumerate(chosen) if not each.neutral), 0)
    return 0


def match_act(reference: Reference) -> re.Match[str] | None:
    """Match the title, year and state of an Act cited by its title, or return None."""
    if reference.kind not in ("statute", "regulation", "rule") or not reference.citations:
        return None
    first = reference.citations[0]
    found = _ACT.fullmatch(first)
    return (
        found
        if found is not None and re.search(r"[A-Za-z]{3}", found["title"]) and not _CHAPTER.fullmatch(first)
        else None
    )


def read_series(key: str) -> str:
    """Return the series of a report: its citation without numbers and brackets."""
    return join_spaces(re.sub(r"[\[(]\d{4}[\])]|(?<![A-Za-z.])\d+[A-Z]?(?![A-Za-z])", " ", key))


WrittenAs = Literal["full", "short", "ibid"]
"""The form of a reference. ``full`` is complete by itself, ``short`` refers back by name (and footnote),
``ibid`` refers to the citation immediately before.
"""


@dataclass(frozen=True, slots=True)
class PinnedPlace:
    """A pinpoint in one of several parallel reports. The fields have the meaning that they have in
    `Reference`.

    ``report`` is the key of that report, or "" if it is unknown.
    """

    report: str
    pinpoint: PinpointKind
    labels: tuple[str, ...]
    written: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """All known details of one citation; unknown ones are empty.

    ``name`` is a case's name or an Act's title without its year. ``citations`` are normalised keys, parallel
    ones in any order. ``court`` is the court as abbreviated in citations ("6th Cir.", "HL"), ``year`` the
    year of decision or enactment, and ``date`` the month and day if the citation has them ("July 17").
    ``dateless`` is true if another citation gives court and year for this one. ``edition`` is what a code is
    cited by besides its year ("2006", "West 2010"); ``docket`` is the court's case number, as written.

    ``labels`` are the labels of the pinpoint, as in `Pinpoint`, and ``pinpoint`` is their unit. ``written``
    is the draft's list of places ("745 n. 1", "6(1) and (3)"), or "" if the labels are complete. ``pinned``
    is the key of the citation with the pinpoint, if known; ``more_pinned`` are pinpoints in parallel reports.

    ``short_name`` is the draft's name for the authority; ``note`` is the number of the footnote that cites it
    in full. ``author`` and ``source`` (a journal, a publisher) are for writings.
    """

    kind: CitationKind
    name: str = ""
    citations: tuple[str, ...] = ()
    jurisdiction: str = ""
    court: str = ""
    year: int | None = None
    pinpoint: PinpointKind = "paragraph"
    labels: tuple[str, ...] = ()
    pinned: str = ""
    more_pinned: tuple[PinnedPlace, ...] = ()
    written: str = ""
    date: str = ""
    edition: str = ""
    docket: str = ""
    dateless: bool = False
    short_name: str = ""
    note: int | None = None
    author: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class TableForm:
    """A table of authorities: its title, its groups in order with their titles, and whether names are italic.

    ``passim`` is the number of places from which the word "passim" replaces them (0: never). Kinds without a
    group of their own ("constitution", "regulations", "rules") are listed under "statutes".
    """

    title: str = "Table of Authorities"
    groups: tuple[tuple[str, str], ...] = (
        ("cases", "Cases"),
        ("statutes", "Statutes and regulations"),
        ("other", "Other authorities"),
    )
    italic: bool = True
    passim: int = 0


@dataclass(frozen=True, slots=True)
class Rendered:
    """A citation ready to insert; ``pinpoint`` is the span of the pinpoint's labels in ``text``."""

    text: str
    pinpoint: Span | None
