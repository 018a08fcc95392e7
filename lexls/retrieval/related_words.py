"""Find the words of law that go with a narrative's words: from plain facts to the terms of a provision."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from functools import cached_property
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TABLE = "data/related_words.npz"


class RelatedWords:
    """The table that ``benchmarks/learn_related_words.py`` learnt from judgments, read at the first use.

    Every term has a row of numbers; terms that judgments use together have rows that point one way. A
    narrative is the sum of its terms' rows, and what points the same way is related to it.
    """

    @cached_property
    def _table(self) -> tuple[dict[str, int], NDArray[np.float32], NDArray[np.float32]]:
        """Term → row; the idf of each row in the judgments; the rows, of length 1 together by columns."""
        import io

        import numpy as np

        with np.load(
            io.BytesIO((resources.files("lexls.retrieval") / _TABLE).read_bytes()), allow_pickle=False
        ) as table:
            words = table["words"].tobytes().decode().split("\n")
            rows = table["vectors"].astype(np.float32)
            idf = table["idf"].astype(np.float32)
        rows /= np.maximum(np.linalg.norm(rows, axis=0), 1e-9)
        return {word: row for row, word in enumerate(words)}, idf, rows

    def rarity(self, term: str) -> float:
        """The idf of a term among the judgments, 0 for one that the table does not hold.

        It holds words of law and of common language, no names; what half of the judgments say is not held.
        """
        numbers, idf, _ = self._table
        row = numbers.get(term)
        return 0.0 if row is None else float(idf[row])

    def find_related(
        self, frequencies: Mapping[str, float], count: int, among: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """The ``count`` terms most related to a text whose terms occur so often, the most related first.

        Each comes with how much it is related, more than 0. The text's own terms may be among them.
        ``among`` limits the terms that may come. Terms that the table does not hold count nothing; where it
        holds none of the text's, nothing is related.
        """
        import numpy as np

        numbers, idf, rows = self._table
        held = [(numbers[term], frequency) for term, frequency in frequencies.items() if term in numbers]
        if not held:
            return []
        at = np.array([row for row, _ in held])
        weights = np.array([1 + math.log(max(frequency, 1.0)) for _, frequency in held]) * idf[at]
        fits = rows @ (weights @ rows[at])
        if among is None:
            terms, wanted = list(numbers), np.arange(len(numbers))
        else:
            terms = [term for term in among if term in numbers]
            wanted = np.array([numbers[term] for term in terms], dtype=np.int64)
        best = sorted(
            ((terms[place], float(fits[row])) for place, row in enumerate(wanted) if fits[row] > 0),
            key=lambda entry: (-entry[1], entry[0]),
        )
        return best[:count]
