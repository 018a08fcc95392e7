"""Describe an answer: sentences that were checked, each pinned to the words it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lexls.grounding.evidence import Pin
from lexls.grounding.request import Task
from lexls.index.records import Authority

FaultKind = Literal[
    "identifier",
    "quotation",
    "number",
    "date",
    "name",
    "provision",
    "negation",
    "words",
    "entailment",
    "markup",
    "instruction",
]
"""Why a sentence was not believed. ``identifier``: it names evidence that was not given; ``quotation``: its
quotation is not there; ``number`` … ``negation``: it has one that its evidence has not (or the other way
round); ``words``: it says something in words that neither evidence nor question has; ``entailment``: its
evidence does not say so; ``markup``: a link, an image or code; ``instruction``: its evidence gives orders to
a language model."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why a sentence failed; ``words`` are the words of the sentence that are at fault."""

    kind: FaultKind
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer, with at least one pin.

    ``text`` is plain text on one line. It is what a generator wrote and the checks let stand; where
    ``is_extract``, the words of its first pin instead. ``entailment`` is how much of it its pins bear,
    from 0 to 1. ``replaced`` are the faults for which an extract stands in place of the generator's words.
    """

    text: str
    pins: tuple[Pin, ...]
    is_extract: bool
    entailment: float
    replaced: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is left of a claim after the checks: a sentence, or None with the faults it was dropped for."""

    sentence: Sentence | None
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Nearest:
    """An authority that comes nearest to a question that is not answered: where its best passage stands."""

    authority: Authority
    pin: Pin | None


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer took: tokens of the prompt, how many of them were kept from before, tokens written,
    seconds to the first token and in all. ``cut`` says why generation ended early ("" if it did not)."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    tokens: int = 0
    first_seconds: float = 0.0
    seconds: float = 0.0
    cut: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is shown for one request, growing until ``complete``.

    ``notes`` are sentences of lexls about the answer (what was left out and why); ``missing`` is what the
    evidence lacks; ``nearest`` are given where the answer abstains. ``dropped`` are the faults of sentences
    that were left out, one entry a sentence. ``shown`` is a dry run's prompt. ``failed`` says why a generator
    gave no more than the extracts that are there ("" if it did not fail). ``generator`` is the name of
    what wrote it and ``template`` name and version of the prompt ("" where none was used).
    """

    task: Task
    question: str
    sentences: tuple[Sentence, ...] = ()
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    nearest: tuple[Nearest, ...] = ()
    dropped: tuple[tuple[Fault, ...], ...] = ()
    shown: str = ""
    failed: str = ""
    generator: str = ""
    template: str = ""
    usage: Usage | None = None
    complete: bool = False

    @property
    def abstained(self) -> bool:
        """Whether nothing is said in answer."""
        return not self.sentences
