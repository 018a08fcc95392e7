"""What goes between lexls and its model process, in both directions: messages over two pipes.

A message is eight bytes (the lengths of header and payload, big-endian unsigned 32-bit integers), the header
(a JSON object in UTF-8) and the payload (raw bytes: texts in UTF-8, or little-endian float32 numbers). A
request has an ``id`` of its own and names what to ``do``; any number of answers with that ``id`` come back:

- ``{"id", "do", "with": {…}, "lengths": […]}`` asks; the payload holds the texts, one after the other.
- ``{"id", "do": "cancel"}`` takes a request back, whether it waits or runs.
- ``{"id", "is": "part", "fields": {…}}`` is one answer of several, with its payload.
- ``{"id", "is": "end"}``, ``{"id", "is": "cancelled"}`` and ``{"id", "is": "failed", "reason"}`` come last.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

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

    def encoded(self) -> bytes:
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


def packed(texts: Sequence[str]) -> tuple[list[int], bytes]:
    """The lengths in bytes of ``texts`` in UTF-8, and all of them; half a surrogate pair becomes ``?``."""
    encoded = [text.encode("utf-8", "replace") for text in texts]
    return [len(each) for each in encoded], b"".join(encoded)


def unpacked(lengths: Sequence[int], payload: bytes) -> tuple[str, ...]:
    """The texts that ``packed`` put together. Raises ``BrokenStream`` if the lengths are not theirs."""
    if sum(lengths) != len(payload) or any(length < 0 for length in lengths):
        raise BrokenStream("the lengths of texts do not fit their bytes")
    texts = []
    at = 0
    for length in lengths:
        texts.append(payload[at : at + length].decode("utf-8", "replace"))
        at += length
    return tuple(texts)
