"""Define the types for requests, generator output and answers. Every sentence of an answer is linked to
quoted words.

Nothing from a generator is accepted before it is verified.
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
"""Reasons why a sentence was rejected. ``identifier``: it names evidence that was not given. ``quotation``:
its quotation is not in the evidence. ``number``, ``date``, ``name``, ``provision`` and ``negation``: it
has one that its evidence lacks, or the other way round. ``words``: it uses words found neither in the
evidence nor in the question. ``entailment``: its evidence does not support it. ``markup``: it contains a
link, an image or code. ``instruction``: its evidence contains instructions to a language model.
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """A reason why a sentence was rejected. ``words`` are the words of the sentence that caused it."""

    kind: FaultKind
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, with at least one pin.

    ``text`` is plain text on one line: what the generator wrote and the checks accepted or, if
    ``is_extract``, the words of the first pin. ``entailment`` is how far the pins support it, from 0 to 1.
    ``replaced`` lists the faults for which the generator's words were replaced by an extract.
    """

    text: str
    pins: tuple[Pin, ...]
    is_extract: bool
    entailment: float
    replaced: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of verifying a claim: the accepted sentence, or None and the faults for which it was
    dropped.
    """

    sentence: Sentence | None
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Nearest:
    """An authority that comes close to answering an unanswered question, and its best passage."""

    authority: Authority
    pin: Pin | None


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of an answer: prompt tokens, how many of them were cached, tokens written, seconds to the
    first token and total seconds. ``cut`` is the reason why generation ended early, or an empty string.
    """

    prompt_tokens: int = 0
    cached_tokens: int = 0
    tokens: int = 0
    first_seconds: float = 0.0
    seconds: float = 0.0
    cut: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request, which grows until it is ``complete``.

    ``notes`` are lexls's remarks on the answer, such as what was omitted and why. ``missing`` lists what the
    evidence lacks. ``nearest`` is set if the answer abstains. ``dropped`` has the faults of each omitted
    sentence. ``shown`` is the prompt of a dry run. ``failed`` is the reason why the generator added nothing
    to the extracts, or an empty string. ``generator`` names the generator, and ``template`` the name and
    version of the prompt (empty strings if there was none).
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
        """Return whether the answer has no sentences."""
        return not self.sentences


Task = Literal["explain", "ask", "draft", "contrary"]
"""``explain``: explain why an authority supports a proposition. ``ask``: answer a question about the library.
``draft``: write a sentence that states what the evidence supports, to replace the proposition.
``contrary``: find evidence against the proposition.
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of a thread and the sentences that answered it."""

    question: str
    answer: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """A question and the evidence that may be used to answer it.

    ``question`` is the drafter's proposition or question, on one line. ``history`` has the earlier turns,
    oldest first. ``sentences`` is the maximum number of sentences in the answer. ``pinpoint`` is the pinpoint
    of the explained citation as written ("[23]", or an empty string), and ``pinpoint_found`` is true if the
    authority has it. ``named`` is true if the question names the documents to search.

    ``sought`` is set if ``question`` alone does not show what is asked, and is empty otherwise. For a
    follow-up ("and if it was late?"), it is the question with the earlier questions needed to understand it.
    For a question about a part of a case, it is the text of the sentences that answer it.
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
        """Return the words that the evidence must address."""
        return self.sought or self.question

    def find(self, identifier: str) -> Evidence | None:
        """Return the evidence with this identifier, or None."""
        return next((each for each in self.evidence if each.identifier == identifier), None)


class GenerationFailed(Exception):
    """Raised if a generator cannot answer. The message gives the reason and what to do, for the user."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation that a generator gives for a sentence, and the ``identifier`` of the evidence it names."""

    identifier: str
    quotation: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence and the quotations that should support it.

    If ``text`` is empty, the claim is an extract: it consists of its quotations only.
    """

    text: str
    quoted: tuple[Quoted, ...]


@dataclass(frozen=True, slots=True)
class Insufficient:
    """A generator's report that the evidence does not answer the question. ``missing`` lists what is missing,
    each item in a few words.
    """

    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """Text to display unchanged that is not an answer, such as the prompt of a dry run."""

    text: str


Part = Claim | Insufficient | Shown | Usage


class Generator(Protocol):
    """Generate answers to requests in parts, each as soon as it is complete."""

    @property
    def name(self) -> str:
        """Return the generator's display name: its kind and model, such as "llama (qwen3-4b-instruct)"."""
        ...

    def generate(
        self, request: Request, token: CancelToken, extracts: Sequence[Sentence] = ()
    ) -> Iterator[Part]:
        """Yield the parts of the answer; ``extracts`` are already shown.

        Raises ``GenerationFailed``, and ``Cancelled`` if ``token`` is cancelled.
        """
        ...


GeneratorKind = Literal["extractive", "llama", "openai", "anthropic", "dry-run"]


@dataclass(frozen=True, slots=True)
class GeneratorChoice:
    """The user's choice of generator, with its options.

    ``model`` is a model's file or name for ``llama``, or the server's name of the model for remote
    generators. ``context_tokens``, ``threads``, ``gpu_layers`` and ``memory_megabytes`` apply to ``llama``.
    ``base_url``, ``api_key_env`` (the environment variable with the key, or an empty string),
    ``allow_remote`` (permission to send text to another machine) and ``answer_tokens`` apply to remote
    generators.
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
