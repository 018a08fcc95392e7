"""Describe what a generator is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexls.grounding.evidence import Evidence

Task = Literal["explain", "ask", "draft", "contrary"]
"""``explain``: why an authority supports a proposition. ``ask``: answer a question about the library.
``draft``: a sentence that says what the evidence supports, in place of the proposition. ``contrary``: what in
the evidence stands against the proposition."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of a thread with the sentences that answered it."""

    question: str
    answer: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """One question with all that may be said in answer to it.

    ``question`` is the drafter's proposition or question, on one line. ``history`` are the turns before it,
    the oldest first. ``sentences`` is the most an answer may have. ``pinpoint`` is how the citation being
    explained writes its pinpoint ("[23]"; "" if it has none), ``pinpoint_found`` whether the authority has
    that place. ``sought`` is the question with the words of earlier ones that it needs to be understood ("and
    if it was late?"), "" where it needs none.
    """

    task: Task
    question: str
    evidence: tuple[Evidence, ...]
    history: tuple[Turn, ...] = ()
    sentences: int = 5
    pinpoint: str = ""
    pinpoint_found: bool = False
    sought: str = ""

    @property
    def subject(self) -> str:
        """The words that evidence must bear on."""
        return self.sought or self.question

    def find(self, identifier: str) -> Evidence | None:
        """The evidence that ``identifier`` names, None if it names none."""
        return next((each for each in self.evidence if each.identifier == identifier), None)
