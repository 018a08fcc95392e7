"""What a GGUF model file says of itself, read without loading it.

The format is that of ggml's documentation (versions 2 and 3, little-endian): a magic, two counts, and then
key-value pairs, each with its type. What comes after them (the tensors) is not looked at.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

Scalar = int | float | bool | str
Value = Scalar | tuple[Scalar, ...]

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MOST_PAIRS = 1 << 16
_MOST_ELEMENTS = 1 << 24
_LONGEST_STRING = 1 << 24
_KEPT_ELEMENTS = 4096
"""Longer arrays (a vocabulary, its scores) are passed over; only their length is kept."""


class UnreadableModel(Exception):
    """A file is no model that can be read; the message names the file and the reason, for the user."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """The key-value pairs of a model file of ``size`` bytes.

    ``values`` holds everything but long arrays, ``lengths`` the number of elements of every array.
    """

    path: Path
    size: int
    values: Mapping[str, Value]
    lengths: Mapping[str, int]

    @property
    def architecture(self) -> str:
        """Such as "llama"; the prefix of the keys that describe the network."""
        return str(self.values.get("general.architecture", ""))

    def text(self, key: str) -> str:
        """A string, "" where there is none."""
        value = self.values.get(key)
        return value if isinstance(value, str) else ""

    def number(self, key: str, default: int = 0) -> int:
        """A whole number of the network, by its key without the architecture's name; the largest of an
        array."""
        return max(self.numbers(key), default=default)

    def numbers(self, key: str) -> tuple[int, ...]:
        """The same as numbers for each layer, or one for all of them; empty where the key is missing."""
        value = self.values.get(f"{self.architecture}.{key}", ())
        values = value if isinstance(value, tuple) else (value,)
        return tuple(each for each in values if isinstance(each, int) and not isinstance(each, bool))


def read_gguf_header(path: Path) -> GgufHeader:
    """What ``path`` says of itself. Raises ``UnreadableModel``."""
    try:
        if path.is_dir():
            raise UnreadableModel(f"{path} is a folder, not a model file (GGUF)")
        with path.open("rb") as stream:
            size = path.stat().st_size
            return _Reader(path, size, stream).header()
    except FileNotFoundError:
        raise UnreadableModel(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UnreadableModel(f"{path} cannot be read ({reason})") from None


class _Reader:
    def __init__(self, path: Path, size: int, stream: IO[bytes]) -> None:
        self._path = path
        self._size = size
        self._stream = stream

    def header(self) -> GgufHeader:
        if (magic := self._stream.read(4)) != _MAGIC:
            what = "it is empty" if not magic else f"it begins with {magic!r}"
            raise UnreadableModel(f"{self._path} is no GGUF file: {what}")
        version = self._scalar("I")
        if version not in _VERSIONS:
            raise UnreadableModel(f"{self._path} is of a version of GGUF that is not read here ({version})")
        self._scalar("Q")  # how many tensors there are
        pairs = self._count(_MOST_PAIRS)
        values: dict[str, Value] = {}
        lengths: dict[str, int] = {}
        for _ in range(pairs):
            key = self._string()
            kind = self._scalar("I")
            if kind == _ARRAY:
                kind, length = self._scalar("I"), self._count(_MOST_ELEMENTS)
                lengths[key] = length
                if length <= _KEPT_ELEMENTS:
                    values[key] = tuple(self._value(kind) for _ in range(length))
                else:
                    self._pass_over(kind, length)
            else:
                values[key] = self._value(kind)
        return GgufHeader(self._path, self._size, values, lengths)

    def _value(self, kind: int) -> Scalar:
        if kind == _STRING:
            return self._string()
        if kind not in _SCALARS:
            raise UnreadableModel(f"{self._path} is damaged: a value of the unknown type {kind}")
        return self._number(_SCALARS[kind])

    def _pass_over(self, kind: int, length: int) -> None:
        if kind in _SCALARS:
            self._skip(length * struct.calcsize("<" + _SCALARS[kind]))
        elif kind == _STRING:
            for _ in range(length):
                self._skip(self._count(_LONGEST_STRING))
        else:
            raise UnreadableModel(f"{self._path} is damaged: an array of the unknown type {kind}")

    def _string(self) -> str:
        return self._bytes(self._count(_LONGEST_STRING)).decode("utf-8", "replace")

    def _count(self, most: int) -> int:
        count = self._scalar("Q")
        if count > most:
            raise UnreadableModel(f"{self._path} is damaged: {count} is no number of anything in it")
        return count

    def _scalar(self, code: str) -> int:
        return int(self._number(code))

    def _number(self, code: str) -> int | float | bool:
        value: int | float | bool = struct.unpack("<" + code, self._bytes(struct.calcsize("<" + code)))[0]
        return value

    def _bytes(self, count: int) -> bytes:
        found = self._stream.read(count)
        if len(found) < count:
            raise UnreadableModel(f"{self._path} ends too early: it was perhaps not downloaded to its end")
        return found

    def _skip(self, count: int) -> None:
        if self._stream.tell() + count > self._size:
            raise UnreadableModel(f"{self._path} ends too early: it was perhaps not downloaded to its end")
        self._stream.seek(count, 1)
