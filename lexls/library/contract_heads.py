"""The heads of contracts."""

from __future__ import annotations

import re

from lexls.library.casing import in_capitals, title_case
from lexls.library.dates import find_date
from lexls.library.document import Metadata
from lexls.library.head import Head

_NOUN = (
    r"(?:agreement|contract|lease|deed|charter[- ]?party|bill\s+of\s+lading|licen[cs]e|indenture|addendum"
    r"|amendment|memorandum\s+of\s+understanding|letter\s+of\s+intent|power\s+of\s+attorney|terms\s+and\s+conditions"
    r"|undertaking|guarantee|guaranty|statement\s+of\s+work|purchase\s+order|settlement)"
)
_TITLE_LINE = re.compile(
    rf"(?!this\b|the\s+parties|exhibit\b|by\b|a\b)[^.;:!?\"“]{{0,100}}\b{_NOUN}s?\b[^.;!?\"“]{{0,60}}$",
    re.IGNORECASE,
)
_EVIDENCE = re.compile(
    r"\bwhereas\b|\bwitnesseth\b|\bby\s+and\s+(?:between|among)\b|\bthis\s+(?:[A-Z][\w&,-]*\s+){0,8}(?:agreement|contract"
    r"|deed|lease|charter[- ]?party|amendment|addendum|licen[cs]e|undertaking)\b|\bhereinafter\b"
    r"|\bparties\s+(?:hereby\s+|hereto\s+)?agree\b|\bit\s+is\s+(?:hereby\s+)?(?:mutually\s+)?agreed\b",
    re.IGNORECASE,
)
_CAPITALS = re.compile(
    r"\b(?!EXHIBIT|THIS\b)(?P<title>(?:[A-Z][A-Z&/'’-]+,?\s+(?:(?:and|of|for|to)\s+)?){0,10}?"
    r"(?:AGREEMENT|CONTRACT|LEASE|DEED|CHARTER\s?PARTY|INDENTURE))\b"
)
_THIS = re.compile(
    r"\b(?:This|THIS)\s+(?P<title>(?:[A-Z][\w&/'’-]*,?\s+(?:(?:and|of|for|to)\s+)?){1,10}?"
    r"(?:Agreement|AGREEMENT|Contract|CONTRACT|Lease|LEASE|Deed|DEED|Amendment|AMENDMENT|Licen[cs]e|LICEN[CS]E))\b"
)
_DATED = re.compile(
    r"\b(?:dated|made|entered\s+into|effective|executed)\b[^.;]{0,60}?(?=\b\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec))",
    re.IGNORECASE,
)
_FILED_AS = re.compile(r"\b(agreement|contract|amendment|lease|license)\b", re.IGNORECASE)
_EXHIBIT = re.compile(r"EX-?[\w.()]{1,20}?[-_]([^_-][^_]*)$")
_LINES = 14


def read_contract(head: Head, stem: str) -> Metadata | None:
    """A contract, by its heading and the words with which contracts begin; None if it is none.

    Its title is its heading; where there is none, its name for itself ("This Supply Agreement"); else, if
    that is called an agreement, the file's name.
    """
    filed = _FILED_AS.search(stem) is not None
    if not filed and not _EVIDENCE.search(head.opening):
        return None
    title = _title(head)
    if not title:
        if not filed:
            return None
        exhibit = _EXHIBIT.search(stem)
        title = " ".join((exhibit[1] if exhibit else stem).replace("_", " ").split())
        title = title_case(title) if title.isupper() else title
    return Metadata(title=title, date=_date(head.opening), kind="contract")


def _title(head: Head) -> str:
    for line in (head.heading, *head.lines[:_LINES]):
        line = line.strip(" -=_*")
        if line and len(line) <= 120 and _TITLE_LINE.match(line):
            return title_case(line) if in_capitals(line) else line
    start = head.opening[:600]
    for pattern in (_CAPITALS, _THIS):
        match = pattern.search(start)
        if match is not None:
            title = " ".join(match["title"].split())
            return title_case(title) if title.isupper() else title
    return ""


def _date(opening: str) -> str:
    match = _DATED.search(opening)
    return find_date(opening[match.start() : match.end() + 40]) if match else ""
