"""The messages between lexls and its model process, the jobs they ask for, how these fail, and what models
expect before a text.

Messages go over two pipes. A message is eight bytes (the lengths of header and payload, big-endian unsigned
32-bit integers), the header (a JSON object in UTF-8) and the payload (raw bytes: texts in UTF-8, or
little-endian float32 numbers). A request has an ``id`` of its own and names what to ``do``; any number of
answers with that ``id`` come back:

- ``{"id", "do", "with": {…}, "lengths": […]}`` asks; the payload holds the texts, one after the other.
- ``{"id", "do": "cancel"}`` takes a request back, whether it waits or runs.
- ``{"id", "is": "part", "fields": {…}}`` is one answer of several, with its payload.
- ``{"id", "is": "end"}``, ``{"id", "is": "cancelled"}`` and ``{"id", "is": "failed", "reason"}`` come last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, Literal

from lexls.text.cancel import CancelToken

HEADER_LIMIT = 1 << 20
PAYLOAD_LIMIT = 1 << 28
_LENGTHS = 8


class BrokenStream(Exception):
    """What was read is no message: the other side is not what it should be, or ended within one."""


@dataclass(frozen=True, slots=True)
class Message:
    """``header`` is plain JSON data."""

    header: Mapping[str, Any]
    payload: bytes = b""

    def encode(self) -> bytes:
        """The message as bytes. Raises ``ValueError`` when it is longer than a message may be."""
        header = json.dumps(self.header, separators=(",", ":")).encode()
        if len(header) > HEADER_LIMIT or len(self.payload) > PAYLOAD_LIMIT:
            raise ValueError(f"a message of {len(header)} + {len(self.payload)} bytes is too long")
        lengths = len(header).to_bytes(4, "big") + len(self.payload).to_bytes(4, "big")
        return lengths + header + self.payload


def read_message(stream: IO[bytes]) -> Message | None:
    """The next message, None where the stream ends between two. Raises ``BrokenStream``."""
    lengths = _read(stream, _LENGTHS, may_end=True)
    if not lengths:
        return None
    header_length, payload_length = (int.from_bytes(lengths[at : at + 4], "big") for at in (0, 4))
    if header_length > HEADER_LIMIT or payload_length > PAYLOAD_LIMIT:
        raise BrokenStream(f"no message is {header_length} + {payload_length} bytes long")
    try:
        header = json.loads(_read(stream, header_length))
    except ValueError:
        raise BrokenStream("a header is no JSON") from None
    if not isinstance(header, dict) or not isinstance(header.get("id"), int):
        raise BrokenStream("a header is no JSON object with an id")
    return Message(header, _read(stream, payload_length))


def _read(stream: IO[bytes], size: int, may_end: bool = False) -> bytes:
    """Exactly ``size`` bytes; none at all if the stream ends before the first and ``may_end``."""
    parts: list[bytes] = []
    missing = size
    while missing:
        part = stream.read(missing)
        if not part:
            if may_end and missing == size:
                return b""
            raise BrokenStream("the stream ended within a message")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def pack_texts(texts: Sequence[str]) -> tuple[list[int], bytes]:
    """The lengths in bytes of ``texts`` in UTF-8, and all of them; half a surrogate pair becomes ``?``."""
    encoded = [text.encode("utf-8", "replace") for text in texts]
    return [len(each) for each in encoded], b"".join(encoded)


def unpack_texts(lengths: Sequence[int], payload: bytes) -> tuple[str, ...]:
    """The texts that ``pack_texts`` put together. Raises ``BrokenStream`` if the lengths are not theirs."""
    if sum(lengths) != len(payload) or any(length < 0 for length in lengths):
        raise BrokenStream("the lengths of texts do not fit their bytes")
    ends = accumulate(lengths)
    parts = (payload[end - length : end] for length, end in zip(lengths, ends, strict=True))
    return tuple(part.decode("utf-8", "replace") for part in parts)


class JobRefused(Exception):
    """The work cannot be done; the message is the reason and the remedy, for the user."""


def read_first_line(error: BaseException) -> str:
    """Return what a library says of its failure, in one line; the error's type where it says nothing."""
    return "".join(str(error).strip().splitlines()[0:1]).rstrip(".") or type(error).__name__


@dataclass(frozen=True, slots=True)
class Job:
    """One request: its ``arguments`` are plain JSON data; ``token`` says whether it is still wanted."""

    arguments: Mapping[str, Any]
    texts: tuple[str, ...]
    token: CancelToken


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """One of the answers to a request; ``fields`` are plain JSON data."""

    fields: Mapping[str, Any]
    payload: bytes = b""


Handler = Callable[[Job], Iterator[ModelAnswer]]
"""Does one kind of work. It looks at the token between its steps, raises ``JobRefused`` for what the user can
mend, and should yield something (a part, or that the model is loaded) before the caller's patience ends.

A module of handlers has a function ``open_handlers() -> Mapping[str, Handler]``; the names are what a request
asks to ``do``. Handlers of one module run one after the other, those of two modules beside each other.
"""


CONTEXT_TOKENS = 2048
"""What a model keeps in view unless the user wants more: one quotation, some examples and a sentence."""


@dataclass(frozen=True, slots=True)
class LlamaOptions:
    """A model file and how it is run.

    ``context_tokens`` is how many tokens the model keeps in view (prompt and answer together), ``threads``
    the processor cores it uses (0: all but one), ``gpu_layers`` how many of its layers a graphics card
    computes (-1: all). A model that would need more than ``memory_megabytes`` (0: what the machine has) is
    not loaded.
    """

    path: Path
    context_tokens: int = CONTEXT_TOKENS
    threads: int = 0
    gpu_layers: int = 0
    memory_megabytes: int = 0


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A turn of a conversation. ``content`` is text and nothing else: what looks like a mark of the model's
    chat template in it is no such mark for the model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How an answer is written: at most ``max_tokens`` within ``seconds`` (from when the model begins to read
    the prompt), the likeliest token each time.

    ``grammar`` (GBNF with a rule ``root``) is what the answer must follow; "" lets it be anything.
    """

    max_tokens: int
    seconds: float = 180.0
    grammar: str = ""


@dataclass(slots=True)
class Ended:
    """The last of what a language model's writing gives.

    ``cached_tokens`` of the ``prompt_tokens`` were known from an earlier prompt and not read again;
    ``tokens`` were written. ``first_seconds`` went by until the first of them, ``seconds`` until the last,
    without loading the model. The model came to its ``end``, or to the ``length`` or the ``time`` it was
    given.
    """

    prompt_tokens: int
    cached_tokens: int = 0
    tokens: int = 0
    first_seconds: float = 0.0
    seconds: float = 0.0
    reason: Literal["end", "length", "time"] = "length"


class NotLoaded(Exception):
    """llama.cpp cannot use a model; the message is its reason, without the file's name."""


class GenerationStopped(Exception):
    """The work was stopped by the function given for that."""


class Failed(Exception):
    """llama.cpp could not compute; the message says what."""


class BadGrammar(Exception):
    """A grammar is none; the message says why, without words of it, which may come from a text."""


class ModelUnavailable(Exception):
    """A model gives no answer; the message says why and what to do about it, for the user."""


class ModelCrashed(ModelUnavailable):
    """The process ended in the middle of the request; the same request may well be answered next time."""


@dataclass(frozen=True, slots=True)
class Prompts:
    """What is put before a ``question`` and before a ``passage`` that may answer it, "" for nothing."""

    question: str = ""
    passage: str = ""

    @property
    def sentence(self) -> str:
        """Return what is put before a sentence that is compared with its like, as propositions are.

        Both are questions to a model that wants something before every text (the cards of e5 say so), and
        bare to one that wants it before questions alone.
        """
        return self.question if self.passage else ""

    def identify(self, model: str) -> str:
        """``model``, with the prompts where the vectors of passages and sentences depend on them."""
        if not self.passage:
            return model
        return f"{model} ({json.dumps(self.question)}, {json.dumps(self.passage)})"


NO_PROMPTS = Prompts()


_SEARCHING = Prompts("Represent this sentence for searching relevant passages: ")
_KNOWN = (
    (re.compile(r"\bbge-[\w.-]*en\b", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\bmxbai-embed-", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\buae-(?:large|base)", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\bsnowflake-arctic-embed-(?!\w+-v2)", re.IGNORECASE), _SEARCHING),
    (re.compile(r"\be5-(?:small|base|large)\b(?!-instruct)", re.IGNORECASE), Prompts("query: ", "passage: ")),
    (re.compile(r"\bnomic-embed-text-v", re.IGNORECASE), Prompts("search_query: ", "search_document: ")),
)
"""By the model's name, as their cards say, for those that bring no prompts of their own."""


def find_prompts(model: str, brought: Prompts = NO_PROMPTS, chosen: Prompts = NO_PROMPTS) -> Prompts:
    """Return what is put before texts for ``model``: what the user has ``chosen``, each for itself,
    otherwise what the model has ``brought``, otherwise what it is known to expect."""
    expected = brought
    if brought == NO_PROMPTS:
        expected = next((prompts for pattern, prompts in _KNOWN if pattern.search(model)), NO_PROMPTS)
    return Prompts(_spaced(chosen.question) or expected.question, _spaced(chosen.passage) or expected.passage)


def _spaced(chosen: str) -> str:
    return chosen if not chosen or chosen[-1].isspace() else f"{chosen} "
