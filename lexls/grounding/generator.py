"""Define generators: what any of them may say, none of it believed before it is verified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from lexls.grounding.answer import Sentence, Usage
from lexls.grounding.request import Request
from lexls.models.messages import CONTEXT_TOKENS
from lexls.text.cancel import CancelToken


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
        """What the user calls it: its kind and model, such as "llama (qwen3-4b-instruct)"."""
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
