"""How much memory a language model needs, and how much there is."""

from __future__ import annotations

import contextlib
import math
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lexls.models.gguf_header import GgufHeader
from lexls.models.job import Refused

_CACHED_BYTES = 2
"""A number of the cache is kept in half precision."""
_CELLS = 256
"""llama.cpp rounds a context up to a multiple of this."""
_PROCESS_BYTES = 100_000_000
"""Python, llama.cpp's libraries and small buffers."""
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class MemoryNeeds:
    """Bytes of memory: the weights, the cache of what was read, and what computing takes beside them."""

    weights: int
    cache: int
    working: int

    @property
    def megabytes(self) -> int:
        """All of it, in millions of bytes, rounded up."""
        return math.ceil((self.weights + self.cache + self.working) / _MEGABYTE)

    def in_words(self) -> str:
        """Such as "3,200 MB of memory (2,380 for its weights, 604 for its context)"."""
        weights, cache = (math.ceil(each / _MEGABYTE) for each in (self.weights, self.cache))
        return f"{self.megabytes:,} MB of memory ({weights:,} for its weights, {cache:,} for its context)"


def memory_needs(header: GgufHeader, context_tokens: int, batch_tokens: int) -> MemoryNeeds:
    """What the model needs to keep ``context_tokens`` in view and read ``batch_tokens`` at a time.

    The cache holds a key and a value for each token, layer and head that has its own (``head_count_kv``),
    which is exact for transformers; a model that keeps less (a sliding window, a recurrent layer) needs
    less. The working memory is an upper bound of what was measured (benchmarks/results/llama.md).
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
    # float32: what goes through a layer (some of it several times), a score for every word, and what each
    # head looks at; and three lists of the vocabulary for choosing a token.
    working = 4 * (batch_tokens * (words + 4 * widest + max(heads) * cells) + 6 * words)
    return MemoryNeeds(header.size, cache, working + _PROCESS_BYTES)


def refuse_what_does_not_fit(
    header: GgufHeader,
    context_tokens: int,
    batch_tokens: int,
    allowed_megabytes: int,
    gpu_layers: int,
    short_tokens: int = 0,
) -> None:
    """Raises ``Refused`` for a model that needs more than ``allowed_megabytes`` (0: no such limit), or than
    the machine has left. ``gpu_layers`` of its layers (-1: all) lie in a graphics card's own memory.
    ``short_tokens`` is the size of another context beside the one of ``context_tokens``."""
    needs = memory_needs(header, context_tokens + short_tokens, batch_tokens)
    layers = header.number("block_count") + 1
    if gpu_layers and sys.platform != "darwin":  # there, the card has no memory of its own
        share = 1 - (layers if gpu_layers < 0 else min(gpu_layers, layers)) / layers
        needs = MemoryNeeds(int(needs.weights * share), int(needs.cache * share), needs.working)
    remedy = f"a smaller model or a shorter context (llama.contextTokens, now {context_tokens:,}) needs less"
    if 0 < allowed_megabytes < needs.megabytes:
        raise Refused(
            f"the model {header.path.name} would need {needs.in_words()}, and llama.memoryMegabytes allows "
            f"{allowed_megabytes:,} MB: {remedy}"
        )
    available = available_megabytes()
    if 0 < available < needs.megabytes:
        raise Refused(
            f"the model {header.path.name} would need {needs.in_words()}, and {available:,} MB are free: "
            + remedy
        )


def available_megabytes() -> int:
    """Memory that a process could still have, in millions of bytes; 0 where the platform does not say."""
    found = list(_limits())
    return int(min(found) / _MEGABYTE) if found else 0


def _limits() -> Iterator[float]:
    if sys.platform == "win32":
        yield from _on_windows()
    elif Path("/proc/meminfo").exists():
        yield from _on_linux()
    elif hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        # What others use is not told: the half of all there is, at least, can be made free.
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 0.75


def _on_linux() -> Iterator[float]:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            yield int(line.split()[1]) * 1024
    # A container's own limit (cgroup 2, 1); files it has read count as used there but can be given up.
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

    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            *((name, ctypes.c_uint64) for name in ("total", "free", "a", "b", "c", "d", "e")),
        )

    status = Status()
    status.length = ctypes.sizeof(Status)
    windows = getattr(ctypes, "windll", None)
    if windows is not None and windows.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        yield status.free
