"""Describe jurisdictions: one folder of data each, in ``lexls/citations/jurisdictions``.

The README there says what the fields mean. The environment variable ``LEXLS_JURISDICTIONS`` names further
folders with jurisdictions in them, as ``PATH`` does with programs; theirs win over lexls's own of a code.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from lexls.citations.form import FormError
from lexls.citations.tables import fill
from lexls.text.kept import read_toml


class JurisdictionError(FormError):
    """A jurisdiction that cannot be used; the message names its folder and the field at fault."""


@dataclass(frozen=True, slots=True)
class Customs:
    """How the drafts of a place write citations, where a draft has not shown habits of its own.

    ``paragraph``, ``page``, ``section`` and ``clause`` (of a contract) are what stands between citation and
    pinpoint, as in `InsertStyle`; ``parallel`` joins parallel citations, ``dash`` the ends of a range.
    ``court_and_year``: a case ends in them, in brackets. ``citation_sentences``: citations are sentences of
    their own.
    ``parenthetical_quotations``: what an authority says stands in brackets behind it, the full stop inside
    the quotation. ``reports_by_paragraph``: paragraphs are cited even of a report with pages. ``decision`` is
    what the text of a case is called; ``month_first``: dates are written "March 9, 2014". ``table`` is the
    style guide in whose form a table of authorities is written; ``provisions``: it lists codes, rules and
    constitutions place by place.
    """

    name_comma: bool = True
    versus: str = "v"
    paragraph: str = " at [{}]"
    page: str = ", {}"
    section: str = ", s {}"
    clause: str = ", cl {}"
    section_first: bool = False
    parallel: str = "; "
    dash: str = "–"
    court_and_year: bool = False
    citation_sentences: bool = False
    parenthetical_quotations: bool = False
    reports_by_paragraph: bool = False
    decision: str = "judgment"
    month_first: bool = False
    table: str = ""
    provisions: bool = False


@dataclass(frozen=True, slots=True)
class Courts:
    """The courts of a place.

    ``names`` is a regular expression of what their names hold; that of the lowest ``rank`` is asked first.
    ``neutral`` are the full names of those that neutral citations name, by the citation without year and
    number ("EWHC (Admin)"); ``abbreviations`` are how citations name some of them, by their full names in
    lower case; ``written`` is a regular expression of those that a style puts in brackets behind a report,
    ``reported`` of all that may stand there, and ``regions`` of the places that may stand before them
    ("Ont. C.A.").
    """

    rank: int = 100
    names: str = r"(?!)"
    neutral: Mapping[str, str] = field(default_factory=dict)
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    written: str = ""
    reported: str = ""
    regions: str = ""


@dataclass(frozen=True, slots=True)
class Statutes:
    """Words of a place's statutes.

    ``states`` stand in brackets behind an Act ("Cth"); ``places`` may own one ("Victoria's Charter") and
    ``adjectives`` stand before one that is not named ("the Indian Act"); ``nouns`` end titles, besides those
    that do everywhere. ``enacting`` is a regular expression of who enacts them.
    """

    states: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    adjectives: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    enacting: str = r"(?!)"


@dataclass(frozen=True, eq=False)
class Jurisdiction:
    """What lexls knows of one place; each field is described in the folder's README."""

    code: str
    folder: Path
    title: str = ""
    rank: int = 100
    names: tuple[str, ...] = ()
    constitution: str = ""
    constitution_articles: tuple[str, ...] = ()
    databases: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    numbers_paragraphs: bool = True
    letter_paper: bool = False
    date_figures: str = "day"
    needs_court: tuple[str, ...] = ()
    by_year: tuple[str, ...] = ()
    customs: Customs = Customs()
    places: Mapping[str, str] = field(default_factory=dict)
    codified: Mapping[str, str] = field(default_factory=dict)
    codified_sections: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    provisions: Mapping[str, str] = field(default_factory=dict)
    courts: Courts = Courts()
    statutes: Statutes = Statutes()
    styles: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    concordances: Mapping[str, list[str]] = field(default_factory=dict)
    marks: Mapping[str, int] = field(default_factory=dict)

    def read(self, name: str) -> dict[str, Any]:
        """The data of a TOML file in the jurisdiction's folder; empty if there is no such file."""
        file = self.folder / name
        return _load(file) if file.is_file() else {}

    @cached_property
    def keys_of_provisions(self) -> Mapping[str, str]:
        """The key of what each provision that needs no Act beside it is of, by its number."""
        return {number: key for key, numbers in self.provisions.items() for number in numbers.split()}

    @cached_property
    def court_pattern(self) -> re.Pattern[str]:
        """Return what the names of its courts hold."""
        return re.compile(self.courts.names, re.IGNORECASE)

    @cached_property
    def enacting_pattern(self) -> re.Pattern[str]:
        """Who enacts its statutes, as their heads say."""
        return re.compile(self.statutes.enacting, re.IGNORECASE)

    @cached_property
    def mark_patterns(self) -> tuple[tuple[re.Pattern[str], int], ...]:
        """Return what tells that a text is of this place, with how much each different finding counts."""
        return tuple((re.compile(pattern), weight) for pattern, weight in self.marks.items())


_OWN = Path(__file__).with_name("jurisdictions")
_NOWHERE = Jurisdiction("", _OWN)


def load_jurisdictions() -> Mapping[str, Jurisdiction]:
    """All jurisdictions by their codes, in order of their ranks.

    Raises JurisdictionError naming a wrong field.
    """
    return _load_all(os.environ.get("LEXLS_JURISDICTIONS", ""))


def find_jurisdiction(code: str) -> Jurisdiction:
    """The jurisdiction of a code; for "" and codes that nothing is known of, one with the usual customs."""
    return load_jurisdictions().get(code, _NOWHERE)


def find_jurisdiction_by_name(name: str) -> str:
    """The code of the jurisdiction of a name ("India", "us"), in any case; "" if none is called so."""
    folded = name.casefold()
    return next((place.code for place in load_jurisdictions().values() if folded in place.names), "")


def find_jurisdiction_of_state(state: str) -> str:
    """The code of the jurisdiction that has a state ("Cth", "NI"), in any case; "" if none has."""
    places = load_jurisdictions().values() if state else ()
    folded = state.casefold()
    return next((each.code for each in places if folded in map(str.casefold, each.statutes.states)), "")


def find_jurisdiction_of_court(court: str) -> str:
    """The code of the jurisdiction that a court's name tells, "" if it tells none."""
    places = sorted(load_jurisdictions().values(), key=lambda place: place.courts.rank)
    return next((place.code for place in places if place.court_pattern.search(court)), "")


_YEAR_OR_NUMBER = re.compile(r"[\[(]?\b\d{4}\b[\])]?|\b[A-Z]?\d+\b")


def find_court_of_citation(key: str, jurisdiction: str) -> str:
    """The court that a neutral citation names ("[2014] EWHC 12 (Ch)"), by its key; "" if it names none."""
    names = find_jurisdiction(jurisdiction).courts.neutral
    code = " ".join(_YEAR_OR_NUMBER.sub(" ", key).split())
    return names.get(code) or names.get(code.partition(" (")[0], "")


def find_jurisdiction_of_enactment(opening: str) -> str:
    """The code of the jurisdiction whose legislature the opening of a statute names, "" if it names none."""
    places = load_jurisdictions().values()
    return next((place.code for place in places if place.enacting_pattern.search(opening)), "")


@lru_cache(maxsize=4)
def _load_all(further: str) -> Mapping[str, Jurisdiction]:
    folders = [_OWN, *(Path(folder) for folder in further.split(os.pathsep) if folder)]
    found: dict[str, Jurisdiction] = {}
    for folder in folders:
        for each in folder.iterdir():
            if (each / "jurisdiction.toml").is_file():
                table = _load(each / "jurisdiction.toml")
                found[each.name] = fill(
                    Jurisdiction, table, each.name, JurisdictionError, code=each.name, folder=each
                )
    return {place.code: place for place in sorted(found.values(), key=lambda place: (place.rank, place.code))}


def _load(file: Path) -> dict[str, Any]:
    try:
        return read_toml(file)
    except (OSError, ValueError) as error:
        raise JurisdictionError(f"{file}: {error}") from error
