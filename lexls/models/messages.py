"""Define the messages between lexls and its model process, its jobs and errors, and models' prompts.

Messages pass over two pipes. A message is eight bytes (the lengths of header and payload, big-endian unsigned
32-bit integers), the header (a JSON object in UTF-8) and the payload (raw bytes: texts in UTF-8, or
little-endian float32 numbers). A request has a unique ``id`` and names what to ``do``; any number of answers
with that ``id`` come back:

- ``{"id", "do", "with": {…}, "lengths": […]}`` is a request; the payload has its texts, one after another.
- ``{"id", "do": "cancel"}`` cancels a request, whether it is waiting or running.
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
    """Raised if the data is not a message: the other side does not follow the protocol, or ended in the
    middle of a message.
    """


@dataclass(frozen=True, slots=True)
class Message:
    """A message; ``header`` is plain JSON data."""

    header: Mapping[str, Any]
    payload: bytes = b""

    def encode(self) -> bytes:
        """Encode the message. Raises ``ValueError`` if it exceeds the maximum length."""
        header = json.dumps(self.header, separators=(",", ":")).encode()
        if len(header) > HEADER_LIMIT or len(self.payload) > PAYLOAD_LIMIT:
            raise ValueError(f"a message of {len(header)} + {len(self.payload)} bytes is too long")
        lengths = len(header).to_bytes(4, "big") + len(self.payload).to_bytes(4, "big")
        return lengths + header + self.payload


def read_message(stream: IO[bytes]) -> Message | None:
    """Read the next message; None if the stream ends between messages. Raises ``BrokenStream``."""
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
    """Read exactly ``size`` bytes. Return no bytes if ``may_end`` and the stream ends before the first byte.
    Raises ``BrokenStream``.
    """
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
    """Return the lengths of ``texts`` in bytes of UTF-8, and all the bytes; unpaired surrogates
    become ``?``.
    """
    encoded = [text.encode("utf-8", "replace") for text in texts]
    return [len(each) for each in encoded], b"".join(encoded)


def unpack_texts(lengths: Sequence[int], payload: bytes) -> tuple[str, ...]:
    """Return the texts joined by ``pack_texts``. Raises ``BrokenStream`` if the lengths do not match."""
    if sum(lengths) != len(payload) or any(length < 0 for length in lengths):
        raise BrokenStream("the lengths of texts do not fit their bytes")
    ends = accumulate(lengths)
    parts = (payload[end - length : end] for length, end in zip(lengths, ends, strict=True))
    return tuple(part.decode("utf-8", "replace") for part in parts)


class JobRefused(Exception):
    """Raised if the work cannot be done; the message gives the user the reason and the remedy."""


def read_first_line(error: BaseException) -> str:
    """Return the first line of an error's message, or its type if there is no message."""
    return "".join(str(error).strip().splitlines()[0:1]).rstrip(".") or type(error).__name__


@dataclass(frozen=True, slots=True)
class Job:
    """One request. ``arguments`` are plain JSON data; ``token`` is cancelled if the request is no longer
    wanted.
    """

    arguments: Mapping[str, Any]
    texts: tuple[str, ...]
    token: CancelToken


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """One of a request's answers; ``fields`` are plain JSON data."""

    fields: Mapping[str, Any]
    payload: bytes = b""


Handler = Callable[[Job], Iterator[ModelAnswer]]
"""A function that processes one kind of request.

It checks the token between steps and raises ``JobRefused`` for problems that the user can solve. It should
yield something (a part, or the news that the model is loaded) before the caller's patience ends.

A module of handlers has a function ``open_handlers() -> Mapping[str, Handler]``; its keys are the names that
requests ask to ``do``. Handlers of one module run one after another; handlers of different modules run in
parallel.
"""


CONTEXT_TOKENS = 2048
"""Default context length in tokens: enough for one quotation, some examples and a sentence."""


@dataclass(frozen=True, slots=True)
class LlamaOptions:
    """A model file and how it is run.

    ``context_tokens`` is the context length in tokens (prompt and answer together), ``threads`` the number of
    processor cores (0: all but one) and ``gpu_layers`` the number of layers computed by a graphics card (-1:
    all). A model that needs more than ``memory_megabytes`` (0: the machine's free memory) is not loaded.
    """

    path: Path
    context_tokens: int = CONTEXT_TOKENS
    threads: int = 0
    gpu_layers: int = 0
    memory_megabytes: int = 0


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A turn of a conversation. ``content`` is plain text: anything in it that looks like a marker of the
    model's chat template is not treated as one.
    """

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How an answer is written: at most ``max_tokens`` within ``seconds`` (counted from when the model starts
    to read the prompt), always choosing the likeliest token.

    The answer must match ``grammar`` (GBNF with a rule ``root``); "" allows anything.
    """

    max_tokens: int
    seconds: float = 180.0
    grammar: str = ""


@dataclass(slots=True)
class Ended:
    """The final item that a language model yields.

    Of the ``prompt_tokens``, ``cached_tokens`` were known from an earlier prompt and not read again;
    ``tokens`` were written. ``first_seconds`` is the time until the first token, and ``seconds`` the time
    until the last, both without loading the model. ``reason`` is "end" if the model finished, or else the
    limit reached: "length" or "time".
    """

    prompt_tokens: int
    cached_tokens: int = 0
    tokens: int = 0
    first_seconds: float = 0.0
    seconds: float = 0.0
    reason: Literal["end", "length", "time"] = "length"


class NotLoaded(Exception):
    """Raised if llama.cpp cannot use a model; the message is its reason, without the file's name."""


class GenerationStopped(Exception):
    """Raised if the ``stop`` or ``wanted`` function ended the work."""


class Failed(Exception):
    """Raised if llama.cpp could not compute; the message describes the failure."""


class BadGrammar(Exception):
    """Raised if a grammar is invalid. The message gives the reason without quoting the grammar, which may
    contain words of a text.
    """


class ModelUnavailable(Exception):
    """Raised if a model cannot answer; the message gives the user the reason and the remedy."""


class ModelCrashed(ModelUnavailable):
    """Raised if the process ended during the request; the same request may succeed next time."""


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts that precede a ``question`` and a ``passage`` that may answer it; "" for none."""

    question: str = ""
    passage: str = ""

    @property
    def sentence(self) -> str:
        """The prompt for a sentence that is compared with similar ones, such as a proposition.

        If the model needs a prompt before every text, it is the prompt for questions, for both sentences (as
        e5's model cards say). If the model has a prompt for questions only, it is "".
        """
        return self.question if self.passage else ""

    def identify(self, model: str) -> str:
        """Return a name for ``model`` that includes its prompts if the vectors of passages and sentences
        depend on them.
        """
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
"""Prompts for models without prompts of their own, by model name, according to their model cards."""


def find_prompts(model: str, brought: Prompts = NO_PROMPTS, chosen: Prompts = NO_PROMPTS) -> Prompts:
    """Return the prompts for ``model``: those ``chosen`` by the user; else those ``brought`` by the model;
    else those known for a model of its name.
    """
    expected = brought
    if brought == NO_PROMPTS:
        expected = next((prompts for pattern, prompts in _KNOWN if pattern.search(model)), NO_PROMPTS)
    return Prompts(_spaced(chosen.question) or expected.question, _spaced(chosen.passage) or expected.passage)


def _spaced(chosen: str) -> str:
    return chosen if not chosen or chosen[-1].isspace() else f"{chosen} "
