"""The heads of Acts, codes and regulations."""

from __future__ import annotations

import re
from typing import Literal

from lexls.library.casing import in_capitals, title_case
from lexls.library.dates import find_date
from lexls.library.document import Metadata
from lexls.library.head import Head

_ACT = re.compile(
    r"(?:the\s+)?[A-Z][^.;:!?\[\]]{0,160}?\b(?:act|code|ordinance|constitution|statute|sanhita|adhiniyam|charter|law)\b"
    r"(?:\s+of\s+[A-Z][a-z]+)?,?\s*(?:of\s+)?(?P<year>\d{4})?(?:\s*\((?P<place>[A-Za-z]{2,4})\))?$",
    re.IGNORECASE,
)
_REGULATION = re.compile(
    r"(?:the\s+)?[A-Z][^.;:!?\[\]]{0,160}?\b(?:regulations?|rules|order|by-?laws|directive)\b"
    r",?\s*(?:of\s+)?(?P<year>\d{4})?(?:\s*\((?P<place>[A-Za-z]{2,4})\))?$",
    re.IGNORECASE,
)
_ENACTS = re.compile(
    r"\bAn\s+Act\s+(?:to|further\s+to|for|respecting)\b|\bbe\s+it\s+enacted\b|\bshort\s+title\b"
    r"|\barrangement\s+of\s+sections\b|\bthis\s+(?:act|code)\s+may\s+be\s+cited\b|\bstatutory\s+instruments?\b"
    r"|\b(?:these\s+)?(?:regulations|rules)\s+may\s+be\s+cited\b|\b(?:regulations|rules)\s+are\s+made\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:act\s+)?no\.?\s*\d+\s+of\s+\d{4}$|\d{4}\s+(?:no\.?|chapter|c\.?)\s*\d+$", re.IGNORECASE
)
_MAKERS = (
    (
        re.compile(
            r"Year of the Republic of India|Governor[- ]General in Council|Lok Sabha|Rajya Sabha", re.I
        ),
        "IN",
    ),
    (re.compile(r"(?:King|Queen)['’]s most Excellent Majesty|Lords Spiritual and Temporal", re.I), "UK"),
    (re.compile(r"Parliament of (?:the Commonwealth of )?Australia", re.I), "AU"),
    (re.compile(r"United States of America in Congress assembled", re.I), "US"),
)
_AUSTRALIAN = frozenset({"cth", "nsw", "vic", "qld", "wa", "sa", "tas", "act", "nt"})
_DATED = re.compile(r"\[[^\]]{6,40}\]$|(?:made|enacted|assented\s+to|passed|dated?)\b", re.IGNORECASE)
_LINES = 8
_CODE_HEAD = re.compile(
    r"\b(?P<number>\d{1,2})\s+USC\s+TITLE\s+\d+\s*[-–—]\s*(?P<name>[^\n]{2,80}?)(?:\s{2,}|\s*\n)"
    r"(?:[ ]*(?P<month>\d{2})/(?P<day>\d{2})/(?P<year>\d{4}))?"
)
_CODE_TITLE = re.compile(r"TITLE\s+(?P<number>\d{1,2})\s*[-–—]\s*(?P<name>[A-Z][^\n]{2,80})")
_SECTION_FILE = re.compile(r"Title\s*:\s*(?P<title>\S[^\n\r]*?)[ \t]*[\r\n]+\s*Desc(?:ription)?\s*:")


def read_section_file(head: Head) -> Metadata | None:
    """A file that holds one section as "Title: …" and "Desc: …"; None if it does not."""
    match = _SECTION_FILE.match(head.opening)
    if match is None:
        return None
    return Metadata(title=match["title"], kind="statute")


def read_united_states_code(head: Head) -> Metadata | None:
    """A title of the Code of the United States in its official plain text; None if it is none."""
    match = _CODE_HEAD.search(head.opening[:600])
    date = ""
    if match is not None:
        if match["year"]:
            date = f"{match['year']}-{match['month']}-{match['day']}"
    elif "United States Code" in head.opening[:1500]:
        match = _CODE_TITLE.search(head.opening[:1500])
    if match is None:
        return None
    name = match["name"].strip()
    return Metadata(
        title=f"Title {match['number']} – {title_case(name) if name.isupper() else name}",
        citation=f"{match['number']} U.S.C.",
        date=date,
        kind="statute",
        jurisdiction="US",
    )


def read_enactment(head: Head) -> Metadata | None:
    """An Act, code or set of regulations by its title line and its long title or year; None if it is none."""
    kind: Literal["statute", "regulation"]
    for position, line in enumerate((head.heading, *head.lines[:_LINES])):
        if not line or len(line) > 180 or line.casefold().startswith(("an act ", "this ", "in the ")):
            continue
        match = _ACT.match(line)
        kind = "statute"
        if match is None:
            match = _REGULATION.match(line)
            kind = "regulation"
        if match is None or not (match["year"] or _ENACTS.search(head.opening)):
            continue
        if not match["year"] and position > 3:
            continue
        if match["year"] and not (_ENACTS.search(head.opening) or position <= 2):
            continue
        return _enactment(head, line, kind, match["year"] or "", match["place"] or "")
    return None


def _enactment(
    head: Head, line: str, kind: Literal["statute", "regulation"], year: str, place: str
) -> Metadata:
    title = title_case(line) if in_capitals(line) else line
    if title.lower().startswith("the ") and kind == "statute" and year:
        title = title[4:]
    numbers = tuple(other for other in head.lines[: 2 * _LINES] if _NUMBER.match(other))
    dated = (other for other in head.lines[: 2 * _LINES] if _DATED.match(other))
    date = next((found for other in dated if (found := find_date(other))), "") or year
    jurisdiction = "AU" if place.lower() in _AUSTRALIAN else ""
    if not jurisdiction:
        jurisdiction = next((code for pattern, code in _MAKERS if pattern.search(head.opening)), "")
    return Metadata(
        title=title,
        citation=title if year else "",
        parallel_citations=numbers,
        date=date,
        kind=kind,
        jurisdiction=jurisdiction,
    )
