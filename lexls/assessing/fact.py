"""Facts about a citation: one for each element that the draft states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexls.text.spans import Span

Element = Literal["name", "citation", "year", "court", "docket", "pinpoint", "cross-reference"]
"""``citation`` is what identifies the authority: report and page, a neutral citation, or a title, including
series and district. Each parallel citation counts separately. ``cross-reference`` is the number of one of
the draft's notes ("n 3").
"""
Status = Literal["agrees", "differs", "not-stated", "not-compared"]
"""``not-stated``: the authority's file does not give a value. ``not-compared``: its value could not be
compared with the draft's.
"""
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
"""The kind of difference, if it decides which diagnostic reports it; ``listed`` means that the element was
compared with the user's catalogue.
"""


@dataclass(frozen=True, slots=True)
class Fact:
    """One element of a citation as the draft states it, compared with the authority. ``stated`` is the
    draft's value at ``span`` of its source. ``recorded`` is the authority's ("" if unknown), at ``place``
    of its text. ``reason`` says in a clause what differs, or why nothing could be compared; "" if the two
    agree.
    """

    element: Element
    status: Status
    stated: str
    recorded: str
    span: Span
    reason: str = ""
    fault: Fault = ""
    place: Span | None = None
