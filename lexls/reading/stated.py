"""Read the court, date and docket that a mention of a case states, and compare them with those of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from lexls.citations.cores import find_court_and_year
from lexls.citations.jurisdiction import find_court_of_citation, find_jurisdiction
from lexls.citations.model import Citation
from lexls.citations.same_court import (
    compare_bracketed_rank,
    compare_courts,
    compare_report,
    identify_court,
    names_some_district,
    write_court,
)
from lexls.citations.same_docket import Serial, find_docket, list_serials
from lexls.index.records import Authority
from lexls.reading.draft import Draft
from lexls.text.dates import find_date

_BRACKET = 24
"""Code points before a year in brackets that are searched for the rest of the date."""
FULL_DATE = 10
"""Length of a date with year, month and day, in characters."""


@dataclass(frozen=True, slots=True)
class Stated:
    """The details of a decision that a mention states besides its name; "" or None for details that it does
    not state.
    """

    citations: tuple[Citation, ...]
    jurisdiction: str
    year: int | None
    court: str
    date: str
    docket: frozenset[Serial]


def read_stated(draft: Draft, citation: Citation, mention: Sequence[Citation]) -> Stated:
    """Return the court, date and docket that a mention states around its citations."""
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
    date = date if len(date) == FULL_DATE else ""
    return Stated(tuple(mention), citation.jurisdiction, next(iter(years), None), court, date, docket)


def compare_stated(stated: Stated, authority: Authority) -> Literal["same", "other", "open"]:
    """Compare the docket, date and court that a mention states with a file's. Return "other" if one of them
    differs, "same" if none differs and the court is the file's, otherwise "open".
    """
    known = list_serials(authority.docket)
    if stated.docket and known and stated.docket.isdisjoint(known):
        return "other"
    if len(authority.date) == FULL_DATE and stated.date not in ("", authority.date):
        return "other"
    return compare_court([each.key for each in stated.citations if each.key], stated, authority)


def compare_court(
    keys: Iterable[str], stated: Stated, authority: Authority
) -> Literal["same", "other", "open"]:
    """Compare the court that a mention names, in brackets or by its report or number, with a file's. Return
    "same", "other", or "open" if this is uncertain.
    """
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
            # The draft names a court that is not a known one: "C.A.A.F.", not a circuit.
            decided_by = identify_court(write_court(authority.court))
            among = ("state", "district") if names_some_district(stated.court) else ("state",)
            if decided_by is not None and decided_by.system not in among:
                return "other"
    return "other" if "other" in compared else "same" if "same" in compared else "open"


def _list_courts(keys: Iterable[str], jurisdiction: str) -> set[str]:
    """Return the courts whose neutral citations are among ``keys``."""
    return {find_court_of_citation(each, jurisdiction) for each in keys} - {""}


def is_dated_by_decision(jurisdiction: str) -> bool:
    """Return whether a jurisdiction cites cases by the year of decision, not by the year of the report."""
    return find_jurisdiction(jurisdiction).customs.court_and_year
