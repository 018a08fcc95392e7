"""Describe what a generator is asked, what it may say, and an answer: sentences pinned to their words.

Nothing that a generator says is believed before it is verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from lexls.grounding.evidence import Evidence, Pin
from lexls.index.records import Authority
from lexls.models.messages import CONTEXT_TOKENS
from lexls.text.cancel import CancelToken

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
        """Return whether nothing is said in answer."""
        return not self.sentences


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
    if it was late?"), or, where it asks for a part of a case, that part's sentences; "" where it needs none.
    ``named`` says that it names the documents that it asks.
    """

    task: Task
    question: str
    evidence: tuple[Evidence, ...]
    history: tuple[Turn, ...] = ()
    sentences: int = 5
    pinpoint: str = ""
    pinpoint_found: bool = False
    sought: str = ""
    named: bool = False

    @property
    def subject(self) -> str:
        """The words that evidence must bear on."""
        return self.sought or self.question

    def find(self, identifier: str) -> Evidence | None:
        """The evidence that ``identifier`` names, None if it names none."""
        return next((each for each in self.evidence if each.identifier == identifier), None)


class GenerationFailed(Exception):
    """A generator cannot answer; the message says why and what to do about it, for the user."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation that a generator gives for a sentence, from the evidence that it calls ``identifier``."""

    identifier: str
    quotation: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence with the quotations it is said to rest on.

    A claim whose ``text`` is "" says no more than its quotations: an extract.
    """

    text: str
    quoted: tuple[Quoted, ...]


@dataclass(frozen=True, slots=True)
class Insufficient:
    """The evidence does not answer the question; ``missing`` says what is missing, in a few words each."""

    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """Text that is shown as it is and answers nothing (the prompt of a dry run)."""

    text: str


Part = Claim | Insufficient | Shown | Usage


class Generator(Protocol):
    """Answers requests in parts, each as soon as it is whole."""

    @property
    def name(self) -> str:
        """Return what the user calls it: its kind and model, such as "llama (qwen3-4b-instruct)"."""
        ...

    def generate(
        self, request: Request, token: CancelToken, extracts: Sequence[Sentence] = ()
    ) -> Iterator[Part]:
        """The parts of the answer, of which ``extracts`` are shown already.

        Raises ``GenerationFailed``, and ``Cancelled`` when ``token`` says so.
        """
        ...


GeneratorKind = Literal["extractive", "llama", "openai", "anthropic", "dry-run"]


@dataclass(frozen=True, slots=True)
class GeneratorChoice:
    """A generator that the user chose, with what it needs.

    ``model`` is a model file or its name for ``llama``, the endpoint's name of it for the remote ones.
    ``context_tokens``, ``threads``, ``gpu_layers`` and ``memory_megabytes`` are for ``llama``; ``base_url``,
    ``api_key_env`` (the variable that holds the key, "" for none) and ``allow_remote`` (may text leave this
    machine) and ``answer_tokens`` for the remote ones.
    """

    kind: GeneratorKind = "extractive"
    model: str = ""
    context_tokens: int = CONTEXT_TOKENS
    threads: int = 0
    gpu_layers: int = 0
    memory_megabytes: int = 0
    base_url: str = ""
    api_key_env: str = ""
    allow_remote: bool = False
    prompt_folder: Path | None = None
    answer_tokens: int = 700
    seconds: float = 180.0
