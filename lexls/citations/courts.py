"""Abbreviate courts as citations do, and write the court and year at the end of a US citation.

US courts come from the Free Law Project's `courts-db`, which is loaded only when no rule here identifies a
court. ``courts.toml`` in the jurisdiction's folder has the Bluebook abbreviations that differ from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from lexls.citations.jurisdiction import Jurisdiction, find_jurisdiction, load_jurisdictions
from lexls.citations.model import fold

_SUPREME = re.compile(r"supreme court of the united states|united states supreme court", re.IGNORECASE)
_DISTRICT = re.compile(
    r"(?:united states|u\.? ?s\b).* (?P<court>district|bankruptcy|circuit) court,?"
    r"(?: in and)?(?: for(?: the)?)?(?: (?:\w+ ){1,2}division,?)?"
    r" (?:(?P<part>(?:north|south|east|west)ern|middle|central|[nsewmc])(?:\.\s?| ))?"
    r"(?:dist(?:rict|\.)?|d\.?)(?: of)? (?P<state>[^,]+)",
    re.IGNORECASE,
)
_CIRCUIT = re.compile(
    r"(?:court of appeals|(?P<panel>bankruptcy appellate panel))"
    r" (?:for|of)(?: the)? .*?(?P<circuit>\w+) circuit",
    re.IGNORECASE,
)
_OKINA = str.maketrans("", "", "ʻ‘'")
"""Marks in "Hawaiʻi" that the names of states are compared without."""
_INITIALS = re.compile(r"(?:[A-Z]\.)+")
_YEAR = re.compile(r"\((?:[^()]*\s)?\d{4}\)|^\d{4}\s")
_SIGNS = re.compile(r"[^a-z0-9']+")
_NATION = re.compile(r"\b(?:united states|us|u s)\b")
_STATE_OF = re.compile(r" of the (?:state|commonwealth) of ")
_BRACKETED = re.compile(r"\((?P<court>[^()]*?)\s?\d{4}\)")
# Characters of a regular expression that is not just a plain name.
_SPECIAL = re.compile(r"[\\\[\](){}|*+?^$]")


def abbreviate_court(jurisdiction: str, citation: str, court: str, date: str) -> str:
    """Abbreviate a court's full name as in a citation. Return "" if the abbreviation is uncertain, or if the
    report implies the court.

    ``date`` is ISO 8601; ``citation`` is the case's own.
    """
    place = find_jurisdiction(jurisdiction)
    if place.customs.court_and_year:
        bracket = _BRACKETED.search(write_court_and_year(citation, court, date))
        return bracket["court"].strip() if bracket is not None else ""
    return place.courts.abbreviations.get(" ".join(court.split()).casefold(), "")


def make_court_pattern() -> re.Pattern[str]:
    """Return the pattern of a court in brackets after a report: "[1932] AC 562 (HL)"."""
    return _compile_courts(tuple(place.courts.written for place in load_jurisdictions().values()))


@lru_cache(maxsize=4)
def _compile_courts(written: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\s{{1,3}}\((?P<court>{'|'.join(filter(None, written))})\)")


def is_supreme(court: str) -> bool:
    """Return whether a court's full name is that of the Supreme Court of the United States."""
    return _SUPREME.search(court) is not None


def write_court_and_year(citation: str, court: str, date: str) -> str:
    """Return the court and year after a US ``citation`` and its pinpoint, with a leading space; "" if none
    are needed.

    ``court`` is the court's full name, ``date`` is ISO 8601. The court is omitted if the reporter implies it
    ("410 U.S. 113", "497 Mich. 197") or if it is unknown. If ``citation`` is "", the result is written for
    use after the case name.
    """
    year = date[:4]
    if not year.isdigit() or _YEAR.search(citation):
        return ""
    short = abbreviate(court) if not is_supreme(court) else "" if citation else "U.S."
    if not short or _names_court(citation, short):
        return f" ({year})"
    return f" ({short} {year})"


@lru_cache(maxsize=1024)
def abbreviate(court: str) -> str:
    """Abbreviate a US court's full name as in the Bluebook. Return "" if the court cannot be identified with
    certainty.
    """
    overlay = load_abbreviations()
    name = _plain(court)
    circuit = _CIRCUIT.search(court)
    district = _DISTRICT.search(court)
    if name in overlay["names"]:
        return str(overlay["names"][name])
    if circuit is not None:
        number = overlay["circuits"].get(circuit["circuit"].casefold(), "")
        return f"B.A.P. {number}" if number and circuit["panel"] else str(number)
    if district is not None:
        state = district["state"].strip(" .")
        state = state.title() if state.isupper() else state
        return _district(district["court"].casefold(), district["part"] or "", state)
    return _known(court) or _known(court.partition(",")[0]) or _by_rank(court)


def _district(court: str, part: str, state: str) -> str:
    states = load_abbreviations()["states"]
    words = state.split()
    # A division may follow without a comma: "Georgia Rome Division".
    named = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    short = next(filter(None, (states.get(each) or states.get(f"District of {each}") for each in named)), "")
    if not short:
        return ""
    letters = f"{part[0].upper()}.D." if part else "D."
    joined = letters + short if _INITIALS.fullmatch(short) else f"{letters} {short}"
    return {"bankruptcy": "Bankr. ", "circuit": "C.C."}.get(court, "") + joined


def _known(court: str) -> str:
    """Return the abbreviation that all courts in courts-db with this name share. Return "" if there is no
    such court, or if their abbreviations differ.
    """
    courts, names = _courts()
    found: Iterable[str] = names.get(_plain(court), ())
    if not found:
        places = _states_in(court)
        federal = court.startswith("United States")
        found = [
            each["id"]
            for each in courts.values()
            if (each["system"] == "federal" if federal else each["location"] in places)
            and any(
                re.fullmatch(regex, court, re.IGNORECASE) for regex in each["regex"] if _SPECIAL.search(regex)
            )
        ]
    cited = {_cited(each) for each in found}
    return cited.pop() if len(cited) == 1 else ""


def _by_rank(court: str) -> str:
    """Return the abbreviations of the state in a court's name and of the court's rank. Return "" unless the
    name has exactly one state.
    """
    places = _states_in(court)
    for pattern, rank in load_abbreviations()["ranks"].items():
        if len(places) == 1 and "County" not in court and re.search(pattern, court, re.IGNORECASE):
            return f"{load_abbreviations()['states'][places.pop()]} {rank}".strip()
    return ""


def name_american_court(identifier: str) -> str:
    """Return the full name of a US court from its courts-db identifier ("ca3"), or the identifier if it is
    unknown.
    """
    courts, _ = _courts()
    return str(courts[identifier]["name"]) if identifier in courts else identifier


def add_stops(court: str) -> str:
    """Add the Bluebook's full stops to the abbreviation of a US court that has none ("Tex App")."""
    if "." in court:
        return court
    return " ".join(f"{word}." if f"{word}." in _stopped_words() else word for word in court.split())


@cache
def _stopped_words() -> frozenset[str]:
    overlay = load_abbreviations()
    words = [each for table in ("states", "circuits", "ranks") for each in overlay[table].values()]
    return frozenset(word for each in words for word in str(each).split() if word.endswith("."))


def find_american_jurisdiction(court: str) -> str:
    """Return the code of the United States if a court's name contains the name of a US state, else ""."""
    return _place().code if _states_in(court) else ""


def _states_in(court: str) -> set[str]:
    """Return the states named in a court's name, except within a longer state name ("West Virginia")."""
    court = court.translate(_OKINA)
    named = {state for state in load_abbreviations()["states"] if state in court}
    return {each for each in named if not any(each != other and each in other for other in named)}


def _cited(court: str) -> str:
    """Return the abbreviation by which a courts-db court is cited. A branch is cited like its parent court,
    if the parent has an abbreviation.
    """
    courts, _ = _courts()
    overlay = load_abbreviations()
    federal = courts[court]["system"] == "federal"
    state = "" if federal else overlay["states"].get(courts[court]["location"], "")
    short = ""
    while court in courts:
        given = overlay["courts"].get(court, courts[court]["citation_string"].strip())
        short = given if given.startswith(state) and given else short
        court = courts[court].get("parent", "")
    return str(short)


@cache
def _courts() -> tuple[Mapping[str, Mapping[str, Any]], Mapping[str, set[str]]]:
    """Return the courts of courts-db by identifier, and their identifiers by normalised name."""
    from courts_db.utils import load_courts_db

    courts = {each["id"]: each for each in load_courts_db() if each["type"] != "bankruptcy"}
    names: dict[str, set[str]] = {}
    for each in courts.values():
        plain = (regex for regex in each["regex"] if not _SPECIAL.search(regex))
        for name in (each["name"], *each["examples"], *plain):
            names.setdefault(_plain(name), set()).add(each["id"])
    return courts, names


def find_country_of_courts_db() -> str:
    """Return the code of the country whose courts are in courts-db and CourtListener."""
    return _place().code


def _place() -> Jurisdiction:
    return next(place for place in load_jurisdictions().values() if "courts-db" in place.databases)


@cache
def load_abbreviations() -> dict[str, Any]:
    """Return the parsed ``courts.toml``."""
    return _place().read("courts.toml")


def _plain(name: str) -> str:
    """Normalise a court's name: lower case, no punctuation, "of" for "of the state of", one spelling of
    "United States".
    """
    spaced = _SIGNS.sub(" ", name.casefold().replace("’", "'")).strip()
    return _NATION.sub("us", _STATE_OF.sub(" of ", spaced))


def _names_court(citation: str, short: str) -> bool:
    """Return whether a reporter covers only this court or its state ("Mich. App.", "T.C.", "N.Y.2d")."""
    reporter = fold("".join(char for char in citation if not char.isdigit()))
    states = sorted(load_abbreviations()["states"].values(), key=len, reverse=True)
    name = fold(next((state for state in states if short.startswith(state)), short))
    regional = (fold(series) for series in _place().needs_court)
    if short.endswith(" Cir.") or any(
        each.startswith(name) and reporter.startswith(each) for each in regional
    ):
        return False
    return reporter.startswith(name)
