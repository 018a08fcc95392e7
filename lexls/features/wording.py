"""How authorities, places and dates are worded for people."""

from __future__ import annotations

import re
from collections.abc import Callable

from lexls.citations.model import PinpointKind
from lexls.citations.us_courts import court_and_year
from lexls.grounding.markdown import escape
from lexls.grounding.place_words import pinpoint_kind, where
from lexls.index.records import Authority, PassageRecord

OpenLink = Callable[[int, int, int], str]
"""(authority, start, end) → the address at which the editor opens that range; "" if it cannot."""

_REPORT = re.compile(r"\(\d{4}\)\s*\d|\d+\s+[A-Za-z].*\s\d+$|\[\d{4}\]\s*\d+\s|\[1\d{3}\]")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def long_date(date: str) -> str:
    """An ISO date, possibly cut, as "9 March 2014", "March 2014" or "2014"; anything else as it is."""
    parts = date.split("-")
    if not all(part.isdigit() for part in parts) or len(parts) not in (2, 3):
        return date
    month = int(parts[1])
    if not 1 <= month <= 12:
        return date
    day = f"{int(parts[2])} " if len(parts) == 3 else ""
    return f"{day}{_MONTHS[month - 1]} {parts[0]}"


def usual_pinpoint(authority: Authority) -> PinpointKind:
    """What a pinpoint to the authority usually counts: pages where its citation is that of a report.

    A report's citation names a volume and a page; courts have numbered their paragraphs since about 2000.
    Indian drafts count paragraphs in reports too.
    """
    if authority.kind != "case" or authority.jurisdiction == "IN":
        return pinpoint_kind(authority)
    return "page" if _REPORT.match(authority.citation) else "paragraph"


def court_note(authority: Authority) -> str:
    """What a citation ends in, behind its pinpoint: for American cases the court and year."""
    if authority.kind != "case" or authority.jurisdiction != "US":
        return ""
    return court_and_year(authority.citation, authority.court, authority.date)


def place_words(authority: Authority, passage: PassageRecord) -> str:
    """Where a passage stands, "" if it has neither number nor page."""
    return where(authority, passage.paragraph, passage.page)


def title_block(authority: Authority) -> str:
    """Title, court, date and all citations, as Markdown."""
    lines = [f"**{escape(authority.title or authority.relative)}**"]
    known = [part for part in (authority.court, long_date(authority.date)) if part]
    if known:
        lines.append(" · ".join(escape(part) for part in known))
    others = [citation for citation in authority.citations if citation != authority.title]
    if others:
        lines.append("; ".join(escape(citation) for citation in others))
    return "\\\n".join(lines)


def cited_by(count: int) -> str:
    """How often the library cites an authority, in words."""
    if count == 0:
        return "Not cited elsewhere in your library."
    return f"Cited by {count} document{'' if count == 1 else 's'} of your library."


def not_in_library(complete: bool) -> str:
    """What is said of an authority that the library does not hold: what is known, and no more.

    ``complete`` is ``Library.complete``: until its folders have been read once, something may still come.
    """
    return "is not in your library" + ("" if complete else " as far as it has been read")
