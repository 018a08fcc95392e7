"""Read the header of a GGUF model file without loading the model, and estimate the memory it needs.

The format is described in ggml's documentation (versions 2 and 3, little-endian): a magic number, two counts,
and key-value pairs with types. The tensors after them are not read.
"""

from __future__ import annotations

import contextlib
import math
import os
import struct
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from lexls.models.messages import JobRefused

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
"""Maximum length of arrays that are read. Of longer ones, such as a vocabulary and its scores, only the
length is kept.
"""


class UnreadableModel(Exception):
    """Raised if a file is not a readable model; the message gives the user the file and the reason."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """The key-value pairs of a model file of ``size`` bytes.

    ``values`` has everything except long arrays, and ``lengths`` the number of elements of every array.
    """

    path: Path
    size: int
    values: Mapping[str, Value]
    lengths: Mapping[str, int]

    @property
    def architecture(self) -> str:
        """The architecture, such as "llama"; also the prefix of the keys that describe the network."""
        return str(self.values.get("general.architecture", ""))

    def text(self, key: str) -> str:
        """Return a string value, "" if there is none."""
        value = self.values.get(key)
        return value if isinstance(value, str) else ""

    def number(self, key: str, default: int = 0) -> int:
        """Return the integer stored under ``key`` (given without the architecture prefix), or the largest one
        if the value is an array; ``default`` if the key is missing.
        """
        return max(self.numbers(key), default=default)

    def numbers(self, key: str) -> tuple[int, ...]:
        """Return the integers stored under ``key`` (given without the architecture prefix): one per layer, or
        one for all; empty if the key is missing.
        """
        value = self.values.get(f"{self.architecture}.{key}", ())
        values = value if isinstance(value, tuple) else (value,)
        return tuple(each for each in values if isinstance(each, int) and not isinstance(each, bool))


def read_gguf_header(path: Path) -> GgufHeader:
    """Read the header of the model file ``path``. Raises ``UnreadableModel``."""
    try:
        if path.is_dir():
            raise UnreadableModel(f"{path} is a folder, not a model file (GGUF)")
        with path.open("rb") as stream:
            size = path.stat().st_size
            return _HeaderReader(path, size, stream).header()
    except FileNotFoundError:
        raise UnreadableModel(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UnreadableModel(f"{path} cannot be read ({reason})") from None


class _HeaderReader:
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
        self._scalar("Q")  # the number of tensors
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


_CACHED_BYTES = 2
"""Bytes of each number in the cache (half precision)."""
_CELLS = 256
"""llama.cpp rounds a context up to a multiple of this number of tokens."""
_PROCESS_BYTES = 100_000_000
"""Bytes of memory for Python, llama.cpp's libraries and small buffers."""
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class MemoryNeeds:
    """Bytes of memory for the weights, for the cache of the context, and for working buffers."""

    weights: int
    cache: int
    working: int

    @property
    def megabytes(self) -> int:
        """The total in millions of bytes, rounded up."""
        return math.ceil((self.weights + self.cache + self.working) / _MEGABYTE)

    def in_words(self) -> str:
        """Describe the memory in words: "3,200 MB of memory (2,380 for its weights, 604 for its context)"."""
        weights, cache = (math.ceil(each / _MEGABYTE) for each in (self.weights, self.cache))
        return f"{self.megabytes:,} MB of memory ({weights:,} for its weights, {cache:,} for its context)"


def estimate_memory(header: GgufHeader, context_tokens: int, batch_tokens: int) -> MemoryNeeds:
    """Estimate the memory for a context of ``context_tokens`` read in batches of ``batch_tokens``.

    The cache has a key and a value for each token, layer and key-value head (``head_count_kv``). This is
    exact for transformers; models with a sliding window or recurrent layers need less. The working memory is
    an upper bound of what was measured (benchmarks/RESULTS.md).
    """
    layers = header.number("block_count")
    heads = header.numbers("attention.head_count") or (1,)
    own = header.numbers("attention.head_count_kv") or heads
    width = header.number("embedding_length")
    head = width // max(1, max(heads))
    numbers = header.number("attention.key_length", head) + header.number("attention.value_length", head)
    of_all = sum(own) if len(own) == layers else max(own) * layers
    cells = -(-context_tokens // _CELLS) * _CELLS
    cache = cells * of_all * numbers * _CACHED_BYTES
    words = header.lengths.get("tokenizer.ggml.tokens", 0)
    widest = max(width, header.number("feed_forward_length"))
    # float32: activations of a layer (several copies), a score for every word, and the attention of each
    # head; and three lists of the vocabulary for choosing a token.
    working = 4 * (batch_tokens * (words + 4 * widest + max(heads) * cells) + 6 * words)
    return MemoryNeeds(header.size, cache, working + _PROCESS_BYTES)


def refuse_what_does_not_fit(
    header: GgufHeader,
    context_tokens: int,
    batch_tokens: int,
    allowed_megabytes: int,
    gpu_layers: int,
) -> None:
    """Raise ``JobRefused`` if a model needs more memory than ``allowed_megabytes`` (0: no limit), or more
    than the machine has free. ``gpu_layers`` of its layers (-1: all) are in a graphics card's own memory.
    """
    needs = estimate_memory(header, context_tokens, batch_tokens)
    layers = header.number("block_count") + 1
    if gpu_layers and sys.platform != "darwin":  # graphics cards there share the main memory
        share = 1 - (layers if gpu_layers < 0 else min(gpu_layers, layers)) / layers
        needs = MemoryNeeds(int(needs.weights * share), int(needs.cache * share), needs.working)
    remedy = f"a smaller model or a shorter context (llama.contextTokens, now {context_tokens:,}) needs less"
    limits = (
        (allowed_megabytes, "llama.memoryMegabytes allows {:,} MB"),
        (measure_memory(), "{:,} MB are free"),
    )
    for most, words in limits:
        if 0 < most < needs.megabytes:
            why = f"would need {needs.in_words()}, and {words.format(most)}: {remedy}"
            raise JobRefused(f"the model {header.path.name} {why}")


def measure_memory() -> int:
    """Return the memory still available to a process in millions of bytes; 0 if the platform does not report
    it.
    """
    found = list(_limits())
    return int(min(found) / _MEGABYTE) if found else 0


def _limits() -> Iterator[float]:
    if sys.platform == "win32":
        yield from _on_windows()
    elif Path("/proc/meminfo").exists():
        yield from _on_linux()
    elif hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        # The memory in use is unknown; assume that three quarters of the total can be made available.
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 0.75


def _on_linux() -> Iterator[float]:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            yield int(line.split()[1]) * 1024
    # A container's own limit (cgroup 2, 1). Cached files count as used there but can be evicted.
    for limit, used, statistics in (
        ("memory.max", "memory.current", "memory.stat"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat"),
    ):
        folder = Path("/sys/fs/cgroup")
        with contextlib.suppress(OSError, ValueError):
            most = int((folder / limit).read_text())
            kept = 0
            for line in (folder / statistics).read_text().splitlines():
                name, _, number = line.partition(" ")
                if name in ("inactive_file", "active_file"):
                    kept += int(number)
            yield most - int((folder / used).read_text()) + kept


def _on_windows() -> Iterator[float]:
    import ctypes

    class MemoryStatus(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            *((name, ctypes.c_uint64) for name in ("total", "free", "a", "b", "c", "d", "e")),
        )

    status = MemoryStatus()
    status.length = ctypes.sizeof(MemoryStatus)
    windows = getattr(ctypes, "windll", None)
    if windows is not None and windows.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        yield status.free
