"""Courts: recognising their names, and the jurisdiction they belong to."""

from __future__ import annotations

import re

_COURT = re.compile(
    r"\b(?:court|tribunal|privy\s+council|house\s+of\s+lords|commission|court\s+of\s+session)\b",
    re.IGNORECASE,
)
_NOT_A_NAME = re.compile(
    r"[?!]|\.\s+[A-Z][a-z]+\s|\b(?:was|were|held|(?:for|by|of)\s+the\s+court|appeal(?:s|ed)?\s+from|that|this)\b",
    re.IGNORECASE,
)
_JURISDICTIONS: tuple[tuple[str, str], ...] = (
    (r"\bIndia\b|\bHigh Court of (?:Delhi|Judicature|Kerala|Karnataka|Punjab|Gujarat|Bombay|Madras|Calcutta)"
     r"|\b(?:Delhi|Bombay|Madras|Calcutta|Allahabad|Kerala|Karnataka|Gujarat|Punjab|Patna|Orissa) High Court",
     "IN"),
    (r"\bUnited States\b|\bU\.\s?S\.|\bCircuit\b|\bDistrict of\b", "US"),
    (r"\bUnited Kingdom\b|\bEngland\b|\bHouse of Lords\b|\bCourt of Session\b|\bScotland\b"
     r"|\bEWHC\b|\bEWCA\b|King['’]s Bench|Queen['’]s Bench", "UK"),
    (r"\bAustralia\b|\bNew South Wales\b|\bVictoria\b|\bQueensland\b|\bTasmania\b|\bSouth Australia\b", "AU"),
    (r"\bNew Zealand\b", "NZ"),
    (r"\bCanada\b|\bOntario\b|\bQuebec\b|\bBritish Columbia\b|\bAlberta\b", "CA"),
    (r"\bSingapore\b", "SG"),
    (r"\bHong Kong\b", "HK"),
    (r"\bEuropean Court of Human Rights\b", "ECHR"),
    (r"\bCourt of Justice of the European\b|\bEuropean Union\b", "EU"),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), code) for pattern, code in _JURISDICTIONS)


def looks_like_court(line: str) -> bool:
    """Whether a line of a document's head is the name of a court."""
    return len(line) <= 120 and _COURT.search(line) is not None and _NOT_A_NAME.search(line) is None


def jurisdiction_of_court(court: str) -> str:
    """The code of the jurisdiction that a court's name tells, "" if it tells none."""
    for pattern, code in _PATTERNS:
        if pattern.search(court):
            return code
    return ""
