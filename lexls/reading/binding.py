"""Find the file of a case that a citation names, if the file does not give that citation.

Files of slip opinions and orders state their parties, court, date and docket, but no report. A draft cites
them by a shortened name, a report or docket, a court and a year. A wrong binding is worse than a missing one:
another court, another year, another docket or a second file that fits as well leaves the citation unbound.
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
from lexls.citations.cores import find_court_and_year
from lexls.citations.jurisdiction import find_court_of_citation, find_jurisdiction
from lexls.citations.keys import fold
from lexls.citations.model import Citation
from lexls.citations.same_court import compare_bracketed_rank, compare_courts, compare_report, identify_court, names_some_district, write_court
from lexls.citations.same_docket import Serial, find_docket, read_serials
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.reading.amended import is_amended
from lexls.reading.draft import Draft
from lexls.text.dates import find_date

Ground = Literal["docket", "decision", "name", ""]
"""What ties a case to a file that does not give its citation: the docket; its name, court and year; only its
name, with no year or court that speaks against it."""
_GROUNDS: Sequence[Ground] = ("docket", "decision", "name")
_SAME: Collection[Outcome] = ("same", "misspelt")
_BRACKET = 24
"""Number of code points before the year in brackets that may hold the rest of the date."""
_DEBTOR = re.compile(r"\b(?:[Dd]ebtor|[Bb]ankrupt|In re)")
_OPENING = 4000
"""Number of code points of a decision in which it says that it is about a debtor."""
_TERM_UNTIL = 1900
"""Last year in which American decisions are cited by the year of a term, which may end in the next."""
_FULL_DATE = 10


@dataclass(frozen=True, slots=True)
class Binding:
    """The files with a case, and what ties them to it.

    ``authorities`` are copies of one decision. ``rivals`` are files of different decisions that all fit: then
    there are no ``authorities``.
    """

    authorities: tuple[int, ...] = ()
    by: Ground = ""
    rivals: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Stated:
    """The elements of a decision that a mention states besides its name; "" or None if it does not."""

    citations: tuple[Citation, ...]
    jurisdiction: str
    year: int | None
    court: str
    date: str
    docket: frozenset[Serial]


def bind(library: Library, draft: Draft, citation: Citation, mention: Sequence[Citation]) -> Binding:
    """Bind a citation to a file by its own name, otherwise by those of its parallel citations."""
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
    stated = _read_stated(draft, citation, mention)
    by_report = not _is_dated_by_decision(stated.jurisdiction)
    candidates = list(_list_candidates(library, citation.name, stated))
    fitting = [
        (ground, authority)
        for authority in candidates
        # The year first: it is compared soonest, and few have it.
        if is_of_year(stated.year, authority, report=by_report)
        and not _has_other_number(stated, library.catalogue.keys_of(authority.id))
        and (ground := _find_ground(citation.name, stated, authority))
    ]
    if not fitting:
        return _bind_alike(library, citation.name, stated, candidates)
    best: Ground = min((ground for ground, _ in fitting), key=_GROUNDS.index, default="")
    # A file whose court or year is unknown may be the case as well, but not once the docket decides.
    rest = [each for ground, each in fitting if best != "docket" or ground == best]
    numbers = tuple(each.id for each in rest)
    if any(not _are_one(rest[0], each) for each in rest[1:]):
        return Binding(rivals=numbers)
    return Binding(numbers, best)


def _bind_alike(
    library: Library, name: str, stated: _Stated, candidates: Iterable[Authority]
) -> Binding:
    """Bind a citation to the one file of its court and year whose title is like its name.

    An amended opinion may be of the year before. Any other file of these years with such a title speaks
    against it.
    """
    near = [
        (court, each)
        for each in candidates
        if is_of_year(stated.year, each, report=True)
        and not _has_other_number(stated, library.catalogue.keys_of(each.id))
        and (court := _compare_stated(stated, each)) != "other"
    ]
    bound = [
        each
        for court, each in near
        if court == "same"
        and _is_alike(name, each)
        and _has_year(library, name, stated.year, each)
        and (is_matter(name) == is_matter(each.title) or _is_of_debtor(library, each))
    ]
    # Most names end here, so that few are compared with files that only speak against others.
    if not bound or any(not _are_one(bound[0], each) and _is_alike(name, each) for _, each in near):
        return Binding()
    return Binding(tuple(each.id for each in bound), "name")


def _is_alike(name: str, authority: Authority) -> bool:
    return any(is_alike(name, title) for title in _list_titles(authority)) or is_called(name, authority)


def _is_of_debtor(library: Library, authority: Authority) -> bool:
    """Return whether a case begins as one of a debtor does, after whom it is called too."""
    text = library.contents.text(authority.id)
    return _DEBTOR.search(authority.title) is not None or _DEBTOR.search(text, 0, _OPENING) is not None


def _has_year(library: Library, name: str, year: int | None, authority: Authority) -> bool:
    """Return whether a file is of the year cited, or says that it was amended in it and has the name cited."""
    if year is None or authority.year is None:
        return False
    return year == authority.year or (is_called(name, authority) and is_amended(library, authority, year))


def may_be(draft: Draft, mention: Sequence[Citation], authority: Authority) -> bool:
    """Return whether nothing but its name speaks against a file being the case that a mention cites."""
    first = mention[0]
    called, stated = replace(authority, title=first.name, kind="case"), _read_stated(draft, first, mention)
    return not _has_other_number(stated, authority.citations) and bool(
        _find_ground(first.name, stated, called)
    )


def _list_candidates(library: Library, name: str, stated: _Stated) -> Iterator[Authority]:
    """Yield the authorities with a telling word of a name or of its caption, or with the docket stated."""
    catalogue = library.catalogue
    found = {*catalogue.find_docket(stated.docket)}
    for each in (name, *list_captions(name)):
        found.update(catalogue.find_sharing_word(each))
    for number in sorted(found):
        authority = catalogue.get(number)
        if authority is not None:
            yield authority


def _read_stated(draft: Draft, citation: Citation, mention: Sequence[Citation]) -> _Stated:
    """Read what a mention says of court, date and docket behind its citations."""
    full = [each for each in mention if each.form == "full"] or [citation]
    court = date = ""
    docket: frozenset[Serial] = frozenset()
    years: list[int] = []
    for each in (citation, *full):
        filed = find_docket(draft.masked, each.core.start, each.core.end)
        if each.year is not None and (filed is None or not filed.of_year):
            years.append(each.year)  # that of a docket is the year in which the case began
    for each in full:
        around = (each.core.end, each.span.end), (each.span.start, each.core.start)
        brackets = next(filter(None, (find_court_and_year(draft.masked, *part) for part in around)), None)
        if brackets is not None and not court:
            court = brackets.court.of(draft.masked)
            date = find_date(draft.masked[max(0, brackets.year.start - _BRACKET) : brackets.year.end])
            years.append(int(brackets.year.of(draft.masked)))
        found = find_docket(draft.masked, each.span.start, each.span.end)
        if found is not None and not docket:
            docket = found.serials
    date = date if len(date) == _FULL_DATE else ""
    return _Stated(tuple(mention), citation.jurisdiction, next(iter(years), None), court, date, docket)


def _has_other_number(stated: _Stated, known: Iterable[str]) -> bool:
    """Return whether a mention gives a report or court of the ``known`` citations, with other numbers."""
    series = {_strip_numbers(each.key) for each in stated.citations if each.key}
    return any(_strip_numbers(each) in series for each in known)


def _find_ground(name: str, stated: _Stated, authority: Authority) -> Ground:
    """Return what ties a file to a case of this name; "" if something speaks against it."""
    exact = fold(name) in {fold(authority.title), fold(authority.short_title)}
    if authority.kind != "case" and not (exact and authority.kind == "other"):
        return ""
    if not is_of_year(stated.year, authority, report=not _is_dated_by_decision(stated.jurisdiction)):
        return ""
    court = _compare_stated(stated, authority)
    if court == "other":
        return ""
    of_year = bool(stated.docket) and all(year for _, year in stated.docket)
    shared = not stated.docket.isdisjoint(_list_serials(authority))
    if shared and (court == "same" or (of_year and court == "open")):
        # One decision of a day has the number. Of another day only the name tells that it is the same case.
        if stated.date == authority.date != "" or any(same_name(name, each) for each in _list_titles(authority)):
            return "docket"
    keys = [each.key for each in stated.citations if each.key]
    if stated.year is None and not (exact and court == "same" and any("___" in each for each in keys)):
        return ""
    if not (exact or _has_name(name, authority, ("same",))):
        return ""
    return "decision" if court == "same" and None not in (stated.year, authority.year) else "name"


def is_called(name: str, authority: Authority) -> bool:
    """Return whether a name has all parties of the title in order, either of them as practice shortens it.

    A letter may be wrong: nothing else of that court and year is called so.
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


def _compare_stated(stated: _Stated, authority: Authority) -> Literal["same", "other", "open"]:
    """Compare the docket, the day and the court that a mention states with a file's.

    "other" if one of them differs, "same" if none does and the court is the file's.
    """
    known = _list_serials(authority)
    if stated.docket and known and stated.docket.isdisjoint(known):
        return "other"
    if len(authority.date) == _FULL_DATE and stated.date not in ("", authority.date):
        return "other"
    return _compare_court([each.key for each in stated.citations if each.key], stated, authority)


def is_of_other_court(draft: Draft, citation: Citation, authority: Authority) -> bool:
    """Return whether a citation names another court than the authority's, by its report or in brackets."""
    stated = _read_stated(draft, citation, (citation,))
    return _compare_court([citation.key] if citation.key else [], stated, authority) == "other"


def _compare_court(
    keys: Iterable[str], stated: _Stated, authority: Authority
) -> Literal["same", "other", "open"]:
    """Compare the court that a mention names, in brackets or by its report or number, with a file's."""
    courts = _list_courts(keys, stated.jurisdiction)
    decided = _list_courts(authority.citations, authority.jurisdiction)
    if courts and decided and courts.isdisjoint(decided):
        return "other"  # an appeal, or the decision appealed
    if courts & (decided or {authority.court}):
        return "same"
    if not authority.court:
        return "open"
    keys = list(keys)
    if any(compare_bracketed_rank(each, stated.court, authority.court) == "same" for each in keys):
        return "same"
    compared = {compare_report(each, authority.court) for each in keys}
    if stated.court:
        compared.add(compare_courts(stated.court, authority.court))
        if "same" not in compared and identify_court(stated.court) is None:
            # The draft says which court it is, and it is none that is known: "C.A.A.F.", no circuit.
            decided_by = identify_court(write_court(authority.court))
            among = ("state", "district") if names_some_district(stated.court) else ("state",)
            if decided_by is not None and decided_by.system not in among:
                return "other"
    return "other" if "other" in compared else "same" if "same" in compared else "open"


def _list_courts(keys: Iterable[str], jurisdiction: str) -> set[str]:
    """Return the courts that neutral citations among ``keys`` name."""
    return {find_court_of_citation(each, jurisdiction) for each in keys} - {""}


def _is_dated_by_decision(jurisdiction: str) -> bool:
    """Return whether cases are cited there with the year of the decision, not with that of the report."""
    return find_jurisdiction(jurisdiction).customs.court_and_year


def is_of_year(year: int | None, authority: Authority, *, report: bool = False) -> bool:
    """Return whether a decision can be cited with ``year``; a ``report`` may appear the year after it."""
    if year is None or authority.year is None or year == authority.year:
        return True
    return abs(year - authority.year) == 1 and (report or year <= _TERM_UNTIL)


def _strip_numbers(key: str) -> str:
    """Return a citation without its numbers: the report series or court."""
    return "".join(char for char in fold(key) if not char.isdigit() and char != "-")


def _list_titles(authority: Authority) -> list[str]:
    return [title for title in (authority.title, authority.short_title) if title]


def _list_serials(authority: Authority) -> frozenset[Serial]:
    """Return the numbers of an authority's dockets."""
    return frozenset().union(*map(read_serials, authority.docket))


def _are_one(one: Authority, other: Authority) -> bool:
    """Return whether two files that fit a citation hold one decision: of one day, and not of two dockets."""
    dockets = [_list_serials(each) for each in (one, other)]
    if all(dockets) and dockets[0].isdisjoint(dockets[1]):
        return False
    return one.date == other.date and (len(one.date) == _FULL_DATE or fold(one.title) == fold(other.title))
