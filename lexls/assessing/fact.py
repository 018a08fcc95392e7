"""Facts about a citation: one for each element that the draft states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexls.text.spans import Span

Element = Literal["name", "citation", "year", "court", "docket", "pinpoint", "cross-reference"]
"""The element of a citation that was compared. ``citation`` identifies the authority: report and page, a
neutral citation, or a title, including series and district. Each parallel citation is an element of its
own. ``cross-reference`` is the number of one of the draft's notes ("n 3").
"""
Status = Literal["agrees", "differs", "not-stated", "not-compared"]
"""The result of comparing an element. ``not-stated``: the authority's file does not give a value.
``not-compared``: the two values could not be compared.
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
"""The kind of difference, if this decides which diagnostic reports it. ``listed`` means that the user's
catalogue shows the difference.
"""


@dataclass(frozen=True, slots=True)
class Fact:
    """One element of a citation, compared with the authority. ``stated`` is the draft's value, at ``span`` of
    its source. ``recorded`` is the authority's value ("" if unknown), at ``place`` of its text. ``reason``
    is a clause that says how they differ, or why they could not be compared; "" if they agree.
    """

    element: Element
    status: Status
    stated: str
    recorded: str
    span: Span
    reason: str = ""
    fault: Fault = ""
    place: Span | None = None
