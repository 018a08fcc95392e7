"""Describe jurisdictions, each by a folder of data in ``lexls/citations/jurisdictions``. The README there
explains the fields.

The environment variable ``LEXLS_JURISDICTIONS`` lists more folders with jurisdictions, in the syntax of
``PATH``. A jurisdiction there overrides lexls's own with the same code.
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
    """An unusable jurisdiction; the message names its folder and the faulty field."""


@dataclass(frozen=True, slots=True)
class Customs:
    """How drafts in a jurisdiction write citations, used if a draft shows no habits of its own.

    ``paragraph``, ``page``, ``section`` and ``clause`` (of a contract) are the text between citation and
    pinpoint, as in `InsertStyle`. ``parallel`` joins parallel citations, ``dash`` the ends of a range.
    ``court_and_year``: a case citation ends in court and year, in brackets. ``citation_sentences``: citations
    are separate sentences. ``parenthetical_quotations``: a quotation from an authority follows in brackets,
    with the full stop inside the quotation. ``reports_by_paragraph``: pinpoints are paragraphs even if the
    report has pages. ``decision`` is the word for the text of a case. ``month_first``: dates are written
    "March 9, 2014". ``table`` is the style guide for tables of authorities. ``provisions``: such tables list
    codes, rules and constitutions provision by provision.
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
    """The courts of a jurisdiction.

    ``names`` is a regular expression found in the names of its courts; jurisdictions are tried in the order
    of ``rank``, the lowest first. ``neutral`` maps neutral citations without year and number ("EWHC (Admin)")
    to full court names. ``abbreviations`` maps some full names, in lower case, to their abbreviations in
    citations. ``written`` is a regular expression of the courts that a style puts in brackets after a report,
    ``reported`` of all courts that may be there, and ``regions`` of the places that may precede them ("Ont.
    C.A.").
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
    """Words used for a jurisdiction's statutes.

    ``states`` may follow an Act in brackets ("Cth"), as may the ``country``, which does not tell the state of
    a federation ("Austl"). ``places`` may precede an Act as its owner ("Victoria's
    Charter"), and ``adjectives`` may precede an Act without a title ("the Indian Act"). ``nouns`` end titles
    here, in addition to the usual ones. ``enacting`` is a regular expression of the enacting legislatures.
    """

    states: tuple[str, ...] = ()
    country: str = ""
    places: tuple[str, ...] = ()
    adjectives: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    enacting: str = r"(?!)"


@dataclass(frozen=True, eq=False)
class Jurisdiction:
    """A jurisdiction's data; the README of the jurisdictions folder describes each field."""

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
        """Return the data of a TOML file in the jurisdiction's folder; empty if there is no such file."""
        file = self.folder / name
        return _load(file) if file.is_file() else {}

    @cached_property
    def keys_of_provisions(self) -> Mapping[str, str]:
        """Map the number of each provision that is cited without its Act to the Act's key."""
        return {number: key for key, numbers in self.provisions.items() for number in numbers.split()}

    @cached_property
    def court_pattern(self) -> re.Pattern[str]:
        """Pattern found in the names of the jurisdiction's courts."""
        return re.compile(self.courts.names, re.IGNORECASE)

    @cached_property
    def enacting_pattern(self) -> re.Pattern[str]:
        """Pattern of the words that name the enacting legislature at the beginning of the jurisdiction's
        statutes.
        """
        return re.compile(self.statutes.enacting, re.IGNORECASE)

    @cached_property
    def mark_patterns(self) -> tuple[tuple[re.Pattern[str], int], ...]:
        """Patterns that indicate a text of this jurisdiction. Each distinct match counts with the pattern's
        weight.
        """
        return tuple((re.compile(pattern), weight) for pattern, weight in self.marks.items())


_OWN = Path(__file__).with_name("jurisdictions")
_NOWHERE = Jurisdiction("", _OWN)


def load_jurisdictions() -> Mapping[str, Jurisdiction]:
    """Return all jurisdictions by code, in order of their ranks.

    Raises JurisdictionError naming a faulty field.
    """
    return _load_all(os.environ.get("LEXLS_JURISDICTIONS", ""))


def find_jurisdiction(code: str) -> Jurisdiction:
    """Return the jurisdiction with this code. For "" or an unknown code, return one with the usual
    customs.
    """
    return load_jurisdictions().get(code, _NOWHERE)


def find_jurisdiction_by_name(name: str) -> str:
    """Return the code of the jurisdiction with this name ("India", "us"), ignoring case; "" if none
    has it.
    """
    folded = name.casefold()
    return next((place.code for place in load_jurisdictions().values() if folded in place.names), "")


def find_jurisdiction_of_state(state: str) -> str:
    """Return the code of the jurisdiction that is this country or has this state ("Austl", "Cth"), ignoring
    case; "" if none is.
    """
    places = load_jurisdictions().values() if state else ()
    folded = state.casefold()
    written = ((each.code, (*each.statutes.states, each.statutes.country)) for each in places)
    return next((code for code, names in written if folded in map(str.casefold, names)), "")


def find_jurisdiction_of_court(court: str) -> str:
    """Return the code of the jurisdiction that a court's name indicates, or "" if none does."""
    places = sorted(load_jurisdictions().values(), key=lambda place: place.courts.rank)
    return next((place.code for place in places if place.court_pattern.search(court)), "")


_YEAR_OR_NUMBER = re.compile(r"[\[(]?\b\d{4}\b[\])]?|\b[A-Z]?\d+\b")


def find_court_of_citation(key: str, jurisdiction: str) -> str:
    """Return the court in a neutral citation's key ("[2014] EWHC 12 (Ch)"), or ""."""
    names = find_jurisdiction(jurisdiction).courts.neutral
    code = " ".join(_YEAR_OR_NUMBER.sub(" ", key).split())
    return names.get(code) or names.get(code.partition(" (")[0], "")


def find_jurisdiction_of_enactment(opening: str) -> str:
    """Return the code of the jurisdiction whose legislature is named at the beginning of a statute, or ""."""
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
