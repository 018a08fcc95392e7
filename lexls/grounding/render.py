"""An explanation as Markdown."""

from __future__ import annotations

from collections.abc import Callable

from lexls.grounding.extractive import named
from lexls.grounding.markdown import escape, quoted
from lexls.grounding.reading import prose
from lexls.grounding.statements import Explanation, Statement

Link = Callable[[Statement], str]
"""The address at which an editor opens a statement; "" if it cannot be opened."""


def place_of(statement: Statement, kind: str) -> str:
    """Where a statement stands, as it is cited: "[23]" in a judgment, "s 12(2)" in an Act, its page, or "".

    ``kind`` is the authority's kind.
    """
    if statement.label:
        if kind == "statute":
            return f"s {statement.label}"
        if kind == "regulation":
            return f"reg {statement.label}"
        if kind == "contract":
            return f"clause {statement.label}"
        return f"[{statement.label}]"
    return f"page {statement.page}" if statement.page else ""


def to_markdown(explanation: Explanation, link: Link | None = None) -> str:
    """The explanation for a person: each statement a quotation with a link to its place, then the notes.

    ``link`` makes the address of a statement; without it, or where it gives "", places are plain text.
    """
    authority = explanation.authority
    lines = [f"**{escape(named(authority))}**"]
    if explanation.proposition:
        lines.append(f"On: “{escape(explanation.proposition)}”")
    for statement in explanation.statements:
        place = escape(place_of(statement, authority.kind)) or "in its text"
        address = link(statement) if link is not None else ""
        if address:
            place = (
                f"[{place.replace('[', chr(92) + '[').replace(']', chr(92) + ']')}](<{_address(address)}>)"
            )
        own = " · the place cited" if statement.at_pinpoint else ""
        lines.append(f"{quoted(prose(authority, statement.text))}\n>\n> — {place}{own}")
    lines.extend(f"_{escape(note)}_" for note in explanation.notes)
    return "\n\n".join(lines)


def _address(address: str) -> str:
    """An address that may stand between angle brackets."""
    return address.replace("<", "%3C").replace(">", "%3E").replace("\n", "%0A")
