"""What is known of a citation: one fact for each element that the draft states, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexls.text.spans import Span

Element = Literal["name", "citation", "year", "court", "docket", "pinpoint", "cross-reference"]
"""``citation`` identifies the authority: report and page, a neutral citation, a title. Each parallel citation
is one, its series and district included. ``cross-reference`` is the number of a note of the draft ("n 3")."""
Status = Literal["agrees", "differs", "not-stated", "not-compared"]
"""``not-stated``: the authority's file does not say. ``not-compared``: what it says could not be compared
with the draft."""
Fault = Literal[
    "",
    "misnamed",
    "misspelt",
    "parallel",
    "misnumbered",
    "impossible",
    "no-place",
    "words-elsewhere",
    "other-note",
    "listed",
]
"""How an element differs, where that decides which diagnostic reports it; ``listed`` is compared with the
user's catalogue."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One element of a citation as the draft states it, compared with the authority.

    ``stated`` is the draft's value at ``span`` of its source, ``recorded`` the authority's ("" if unknown) at
    ``place`` of its text. ``reason`` says in a clause what differs, or why nothing could be compared; "" if
    the two agree.
    """

    element: Element
    status: Status
    stated: str
    recorded: str
    span: Span
    reason: str = ""
    fault: Fault = ""
    place: Span | None = None
