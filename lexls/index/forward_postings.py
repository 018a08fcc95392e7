"""Count the terms of a document's passages and precedents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from lexls.index.rows import Postings
from lexls.index.tokens import Tokenizer


@dataclass(frozen=True, slots=True)
class ForwardPostings:
    """``vocabulary[terms[i]]`` of the document occurs ``frequencies[i]`` times in unit ``u`` (a passage, a
    precedent) for ``offsets[u] <= i < offsets[u + 1]``."""

    terms: NDArray[np.int32]
    frequencies: NDArray[np.uint16]
    offsets: NDArray[np.int32]

    def cut(self, start: int, end: int) -> ForwardPostings:
        """Those of the units ``[start, end)``."""
        offsets = self.offsets[start : end + 1]
        inside = slice(offsets[0], offsets[-1])
        return ForwardPostings(self.terms[inside], self.frequencies[inside], offsets - offsets[0])

    def pack(self) -> Postings:
        """As ``DocumentRows`` have them."""
        return self.offsets.tobytes(), self.terms.tobytes(), self.frequencies.tobytes()


def count_terms(texts: Sequence[str], tokenizer: Tokenizer) -> tuple[tuple[str, ...], ForwardPostings]:
    """The vocabulary of a document's units in the order of their texts, and their postings in the same."""
    place_of: dict[str, int] = {}  # where a word stands first
    place = count()
    # The words of a text are let go before those of the next are made, in the same memory.
    placed = [
        np.fromiter(map(place_of.setdefault, words, place), np.int64, len(words))
        for words in tokenizer.cut(texts)
    ]
    lengths = [len(each) for each in placed]
    same = np.concatenate([np.empty(0, np.int64), *placed])
    stems = tokenizer.stem(place_of)
    number_of = dict(zip(filter(None, dict.fromkeys(stems)), count()))
    vocabulary = tuple(number_of)
    number_of[""] = -1
    numbers = np.empty_like(same)
    numbers[list(place_of.values())] = [number_of[stem] for stem in stems]
    numbers = numbers[same]
    kept = np.flatnonzero(numbers >= 0)
    numbers, units = numbers[kept], np.repeat(np.arange(len(texts)), lengths)[kept]
    # One sort brings a unit's same terms together, the first of them with its place.
    size = len(kept) or 1
    marked = (units * len(vocabulary) + numbers) * size + np.arange(len(kept))
    cells, places = np.divmod(np.sort(marked), size)
    first = np.flatnonzero(np.diff(cells, prepend=-1))
    frequencies = np.zeros(len(kept), np.int64)
    frequencies[places[first]] = np.diff(first, append=len(kept))
    counted = np.flatnonzero(frequencies)
    return vocabulary, ForwardPostings(
        numbers[counted].astype(np.int32),
        np.minimum(frequencies[counted], 0xFFFF).astype(np.uint16),
        np.searchsorted(units[counted], np.arange(len(texts) + 1)).astype(np.int32),
    )
