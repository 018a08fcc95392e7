"""The court and year that end an American citation: "(9th Cir. 2001)", "(N.D. Cal. 2004)", "(2015)"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lexls.citations.keys import fold

_STATES: Mapping[str, str] = {
    "Alabama": "Ala.", "Alaska": "Alaska", "Arizona": "Ariz.", "Arkansas": "Ark.", "California": "Cal.",
    "Colorado": "Colo.", "Connecticut": "Conn.", "Delaware": "Del.", "District of Columbia": "D.C.",
    "Florida": "Fla.", "Georgia": "Ga.", "Guam": "Guam", "Hawaii": "Haw.", "Idaho": "Idaho",
    "Illinois": "Ill.", "Indiana": "Ind.", "Iowa": "Iowa", "Kansas": "Kan.", "Kentucky": "Ky.",
    "Louisiana": "La.", "Maine": "Me.", "Maryland": "Md.", "Massachusetts": "Mass.", "Michigan": "Mich.",
    "Minnesota": "Minn.", "Mississippi": "Miss.", "Missouri": "Mo.", "Montana": "Mont.", "Nebraska": "Neb.",
    "Nevada": "Nev.", "New Hampshire": "N.H.", "New Jersey": "N.J.", "New Mexico": "N.M.",
    "New York": "N.Y.", "North Carolina": "N.C.", "North Dakota": "N.D.", "Ohio": "Ohio",
    "Oklahoma": "Okla.", "Oregon": "Or.", "Pennsylvania": "Pa.", "Puerto Rico": "P.R.",
    "Rhode Island": "R.I.", "South Carolina": "S.C.", "South Dakota": "S.D.", "Tennessee": "Tenn.",
    "Texas": "Tex.", "Utah": "Utah", "Vermont": "Vt.", "Virginia": "Va.", "Virgin Islands": "V.I.",
    "Washington": "Wash.", "West Virginia": "W. Va.", "Wisconsin": "Wis.", "Wyoming": "Wyo.",
}  # fmt: skip
_CIRCUITS: Mapping[str, str] = {
    "first": "1st Cir.", "second": "2d Cir.", "third": "3d Cir.", "fourth": "4th Cir.", "fifth": "5th Cir.",
    "sixth": "6th Cir.", "seventh": "7th Cir.", "eighth": "8th Cir.", "ninth": "9th Cir.",
    "tenth": "10th Cir.", "eleventh": "11th Cir.", "federal": "Fed. Cir.", "columbia": "D.C. Cir.",
}  # fmt: skip
_FEDERAL: Mapping[str, str] = {
    "tax court": "T.C.",
    "board of tax appeals": "B.T.A.",
    "court of federal claims": "Fed. Cl.",
    "court of claims": "Ct. Cl.",
    "customs court": "Cust. Ct.",
    "court of international trade": "Ct. Int'l Trade",
    "court of customs and patent appeals": "C.C.P.A.",
}
_HIGHEST = re.compile(r"\bsupreme (?:judicial )?court\b(?!.*appellate)", re.IGNORECASE)
_BELOW: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"appellate division", re.IGNORECASE), "App. Div."),
    (re.compile(r"court of special appeals", re.IGNORECASE), "Ct. Spec. App."),
    (re.compile(r"courts? of criminal appeals", re.IGNORECASE), "Crim. App."),
    (re.compile(r"district courts? of appeal", re.IGNORECASE), "Dist. Ct. App."),
    (re.compile(r"(?:courts? of (?:civil )?appeals?)", re.IGNORECASE), "Ct. App."),
    (re.compile(r"appellate court", re.IGNORECASE), "App. Ct."),
    (re.compile(r"appeals court", re.IGNORECASE), "App. Ct."),
    (re.compile(r"superior court", re.IGNORECASE), "Super. Ct."),
)
_DISTRICT = re.compile(
    r"(?P<court>district|bankruptcy|circuit) court for the (?:(?P<part>\w+) )?district of (?P<state>.+)",
    re.IGNORECASE,
)
_CIRCUIT = re.compile(
    r"(?:court of appeals|(?P<panel>bankruptcy appellate panel)) for the .*?(?P<circuit>\w+) circuit",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"(?:[A-Z]\.)+")
_YEAR = re.compile(r"\((?:[^()]*\s)?\d{4}\)|^\d{4}\s")


def court_and_year(citation: str, court: str, date: str) -> str:
    """What follows an American ``citation`` and its pinpoint, with a space before it; "" if nothing does.

    ``court`` is the court's name in full, ``date`` ISO 8601. A court that the reporter names by itself
    ("410 U.S. 113", "497 Mich. 197") and one that is not known here are left out. Without a citation they
    follow the case's name.
    """
    year = date[:4]
    if not year.isdigit() or _YEAR.search(citation):
        return ""
    short = _abbreviated(court)
    if not citation and _HIGHEST.search(court) and "United States" in court:
        short = "U.S."
    reporter = fold("".join(char for char in citation if not char.isdigit()))
    if not short or _names_court(reporter, short):
        return f" ({year})"
    return f" ({short} {year})"


def _abbreviated(court: str) -> str:
    folded = " ".join(court.split()).casefold()
    if "supreme court of the united states" in folded or "united states supreme court" in folded:
        return ""
    circuit = _CIRCUIT.search(folded)
    if circuit is not None:
        number = _CIRCUITS.get(circuit["circuit"], "")
        return f"B.A.P. {number}" if number and circuit["panel"] else number
    district = _DISTRICT.search(court)
    if district is not None and "united states" in folded:
        return _district(district["court"].casefold(), district["part"] or "", district["state"].strip())
    if "united states" in folded:
        return next((short for name, short in _FEDERAL.items() if name in folded), "")
    return _of_state(court)


def _district(court: str, part: str, state: str) -> str:
    short = _STATES.get(state) or _STATES.get(f"District of {state}")
    if short is None:
        return ""
    letters = f"{part[0].upper()}.D." if part else "D."
    joined = letters + short if _INITIALS.fullmatch(short) else f"{letters} {short}"
    return {"bankruptcy": "Bankr. ", "circuit": "C.C."}.get(court, "") + joined


def _of_state(court: str) -> str:
    # The longest name first: "West Virginia" before "Virginia".
    state = next((name for name in sorted(_STATES, key=len, reverse=True) if name in court), None)
    if state is None:
        return ""
    short = _STATES[state]
    if state in ("New York", "Maryland") and re.fullmatch(
        r"court of appeals of \w+(?: \w+)?", court, re.IGNORECASE
    ):
        return short
    if _HIGHEST.search(court):
        return short
    return next((f"{short} {below}" for pattern, below in _BELOW if pattern.search(court)), "")


def _names_court(reporter: str, short: str) -> bool:
    """Whether a reporter is that of one court or one state ("Mich. App.", "T.C.", "N.Y.2d")."""
    first = next(
        (state for state in sorted(_STATES.values(), key=len, reverse=True) if short.startswith(state)), ""
    )
    if _INITIALS.match(short) and short not in _FEDERAL.values() and not first:
        return False
    return reporter.startswith(fold(first or short)) and " Cir." not in short
