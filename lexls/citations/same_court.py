"""Decide from names whether the court in a US citation is the court that decided the case.

Courts are written in many ways ("5th Cir.", "C.A.5"); ``courts.toml`` has the patterns for reading them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from lexls.citations.courts import abbreviate, is_supreme, load_abbreviations
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import fold

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ORDINAL = re.compile(r"(\d)(?:nd|rd)")
_SERIES = re.compile(r"\s?(?:2d|3d|[4-9]th)\Z")
_REPORT = re.compile(r"(?:(?!(?:19|20)\d\d\s)\d{1,4}|_{3})\s([A-Z][^_(]{0,24}?)\s(?:\d{1,5}|_{3})(?![^\s(])")


@dataclass(frozen=True, slots=True)
class NamedCourt:
    """A court, as far as its name identifies it. ``rank`` is None if the name does not show it.

    ``system`` is "other" for courts that belong to no circuit, district or state.
    """

    system: Literal["circuit", "panel", "district", "state", "other"]
    place: str
    rank: str | None


def compare_courts(written: str, court: str) -> Literal["same", "other", "open"]:
    """Return whether ``written``, a court as in a US citation, is the court whose full name is ``court``.

    The result is "open" if the names do not show whether they are the same.
    """
    named = identify_court(written)
    if named is None:
        return "open"
    held = write_court(court)
    if held and _fold(held) == _fold(written):
        return "same"
    other = identify_court(held) if held else None
    if other is None:
        return "open"
    if other.system == "panel" and named == NamedCourt("circuit", other.place, ""):
        return "open"  # a circuit often means its panel, and a district its bankruptcy court
    if _lacks_side(named, other) or _lacks_side(other, named):
        return "open"
    if (named.system, named.place) != (other.system, other.place):
        return "other"
    if other.rank == "bankr" and named.system == "district" and not named.rank:
        return "open"
    if named.rank is None or other.rank is None:
        return "open"
    return "same" if named.rank == other.rank else "other"


def _lacks_side(one: NamedCourt, other: NamedCourt) -> bool:
    """Return whether one is the district of a whole state ("D. Cal.") and the other a part of it ("C.D.
    Cal.").
    """
    sides = [each.place.partition(" ") for each in (one, other)]
    return (
        one.system == other.system == "district"
        and sides[0][2] == sides[1][2]
        and sides[0][0] == "d" != sides[1][0]
    )


def compare_report(key: str, court: str) -> Literal["same", "other", "open"]:
    """Return "same" if a report publishes only the court with the full name ``court``, "other" if it never
    publishes it, else "open".
    """
    found = _REPORT.match(key)
    report = _SERIES.sub("", found[1]) if found is not None else ""
    system = _systems().get(fold(report))
    if system is None:
        named = identify_court(report)
        return compare_courts(report, court) if named is not None and named.system == "state" else "open"
    other = identify_court(write_court(court)) if court else None
    if other is None:
        return "open"
    if system == "us":
        return "same" if other.place == "us" else "other"
    return "open" if other.system == system or other.place in _also_in(system) else "other"


def compare_bracketed_rank(key: str, written: str, court: str) -> Literal["same", "other", "open"]:
    """Compare a court with the one given by a state's report and a rank in brackets: "148 Wis. 2d 844 (Ct.
    App. 1989)".
    """
    found = _REPORT.match(key)
    state = _SERIES.sub("", found[1]) if found is not None else ""
    named = identify_court(state)
    if named is None or named.system != "state" or identify_court(written) is not None:
        return "open"
    return compare_courts(f"{state} {written}", court)


def compare_bracketed(written: str, court: str, jurisdiction: str) -> Literal["same", "other", "open"]:
    """Compare ``written``, a court in brackets after a jurisdiction's report, with a court's full name."""
    known = _bracketed(jurisdiction)
    name = " ".join(court.casefold().split())
    meant = known.get(fold(written), frozenset())
    if any(name.startswith(each) or each.startswith(name) for each in meant if name):
        return "same"
    sure = any(name.startswith(each) for names in known.values() for each in names)
    return "other" if meant and sure else "open"


@cache
def _bracketed(jurisdiction: str) -> Mapping[str, frozenset[str]]:
    """Map each folded abbreviation that may be in brackets after a report to the full names, in lower case,
    of the courts that it may mean.
    """
    courts = find_jurisdiction(jurisdiction).courts
    found: dict[str, set[str]] = {}
    for name, short in courts.abbreviations.items():
        found.setdefault(fold(short), set()).add(name)
    for code, name in courts.neutral.items():
        # Also the words in brackets of "EWHC (QB)", and "CA" for "NZCA" in its own country.
        inner = code.partition("(")[2].rstrip(")")
        for short in {code, inner or code, code.removeprefix(jurisdiction) or code}:
            found.setdefault(fold(short), set()).add(name.casefold())
    return {short: frozenset(names) for short, names in found.items()}


def write_court(court: str) -> str:
    """Return the name that US citations use for a court with this full name; "" if unknown."""
    return "U.S." if is_supreme(court) else abbreviate(court)


@lru_cache(maxsize=1024)
def identify_court(written: str) -> NamedCourt | None:
    """Return the US court that an abbreviation names, or None if it is unknown."""
    folded = _fold(written)
    patterns = _patterns()
    if (name := _others().get(folded)) is not None:
        return NamedCourt("other", name, "")
    if patterns["supreme"].fullmatch(folded):
        return NamedCourt("other", "us", "")
    if panel := patterns["panel"].fullmatch(folded):
        return NamedCourt("panel", panel["circuit"], "")
    if (found := patterns["circuit"].fullmatch(folded)) and folded not in _states():
        return NamedCourt("circuit", found["circuit"], "")
    if names_some_district(written):
        return None  # "D.C.D. Cal.": one of several districts
    if (found := patterns["district"].fullmatch(folded)) and (state := _find_state(found["state"])):
        kind = found["kind"] or ""
        return NamedCourt("district", f"{found['part']}d {state}", "bankr" if kind[:1] == "b" else kind)
    if (named := _of_state(written)) is not None:
        return named
    found = patterns["short_district"].fullmatch(folded)
    if found is None:
        return None
    part, kind = found["part"] or found["side"] or "", "bankr" if found["kind"] else ""
    if kind and (state := _find_state(part + found["state"])):
        return NamedCourt("district", f"d {state}", kind)  # "Bankr. Minn.", without a part of the state
    state = _find_state(found["state"])
    return NamedCourt("district", f"{part}d {state}", kind) if state else None


def names_some_district(written: str) -> bool:
    """Return whether ``written`` is "D.C." (district court) followed by a district: "D.C.D. Cal."."""
    folded = _fold(written)
    return folded.startswith("dc") and _patterns()["district"].fullmatch(folded[2:]) is not None


def _find_state(written: str) -> str:
    """Return the state after "D.". The state is given by its folded name or abbreviation. Return "" if it is
    unknown.
    """
    return _states().get(written) or _behind_district().get(written, "")


def _of_state(written: str) -> NamedCourt | None:
    words = _WORD.findall(written)
    counts = range(len(words), 0, -1)
    named = next((count for count in counts if fold("".join(words[:count])) in _states()), 0)
    if not named:
        return None
    state, rest = _states()[fold("".join(words[:named]))], _fold("".join(words[named:]))
    patterns = _patterns()
    if patterns["of_county"].match(rest) or _ends_with_state(words[named:], state):
        return None  # a county with the name of a state: "Columbia Cty. Super. Ct.", "Ohio Circ. Ct., Ky."
    rank: str | None = None
    if state not in _of_appeals():
        if not rest:
            rank = "supreme"
        elif patterns["criminal"].fullmatch(rest):
            rank = "criminal"
        elif patterns["appeal"].fullmatch(rest):
            rank = "appeal"
    return NamedCourt("state", state, rank)


def _ends_with_state(words: Sequence[str], but: str) -> bool:
    """Return whether the last words name a state other than ``but``."""
    ends = (fold("".join(words[-count:])) for count in (1, 2) if len(words) > count)
    return any(_states().get(end, but) != but for end in ends)


def _fold(written: str) -> str:
    return _ORDINAL.sub(r"\1d", fold(written))


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    written = load_abbreviations()["written"]
    return {name: re.compile(pattern) for name, pattern in written.items() if isinstance(pattern, str)}


@cache
def _states() -> Mapping[str, str]:
    """Map every folded way of writing a state to the state."""
    data = load_abbreviations()
    names = {
        **{name: name for name in data["states"].values()},
        **data["states"],
        **data["written"]["states"],
    }
    return {fold(written): state for written, state in names.items()}


@cache
def _behind_district() -> Mapping[str, str]:
    """Map the states' folded postal abbreviations to the states."""
    postal = load_abbreviations()["written"]["behind_district"]
    return {fold(each): state for each, state in postal.items()}


@cache
def _of_appeals() -> frozenset[str]:
    return frozenset(load_abbreviations()["written"]["of_appeals"]["names"])


@cache
def _systems() -> Mapping[str, str]:
    """Map the folded letters of each report to the court system that it publishes, or to "us"."""
    reports = load_abbreviations()["reports"]
    return {fold(each): system for system, listed in reports.items() for each in listed}


@cache
def _also_in(system: str) -> frozenset[str]:
    """Return the other courts, folded, that the reports of a system also publish."""
    return frozenset(map(fold, load_abbreviations()["also_in"].get(system, ())))


@cache
def _others() -> Mapping[str, str]:
    others = load_abbreviations()["written"]["others"]
    return {fold(way): fold(name) for name, ways in others.items() for way in (name, *ways)}
