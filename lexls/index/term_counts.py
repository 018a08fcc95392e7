"""In how many passages and documents each term stands, and how rare that makes it."""

from __future__ import annotations

import math

import numpy as np

from lexls.index.postings import Numbers, Segment
from lexls.index.pruning import Scores
from lexls.index.slots import Ids


class TermCounts:
    """Counts by term number: ``passages`` and ``documents`` that hold each term, those removed left out."""

    def __init__(self) -> None:
        self.passages: Ids = np.zeros(0, np.int64)
        self.documents: Ids = np.zeros(0, np.int64)
        self._idf: tuple[int, Scores, float] | None = None

    @property
    def nbytes(self) -> int:
        """Memory of the arrays in bytes."""
        computed = self._idf[1].nbytes if self._idf is not None else 0
        return self.passages.nbytes + self.documents.nbytes + computed

    def copy(self) -> TermCounts:
        """The same counts, to be changed apart."""
        other = TermCounts()
        other.passages, other.documents = self.passages.copy(), self.documents.copy()
        return other

    def occurs(self, term: int) -> bool:
        """Whether any passage holds this term."""
        return 0 <= term < len(self.passages) and bool(self.passages[term] > 0)

    def add(self, segment: Segment) -> None:
        """Count the postings of a new segment."""
        terms = segment.passages.terms
        if len(terms) and terms[-1] >= len(self.passages):
            # Terms keep coming while a library is read: grow by a quarter at least.
            size = max(int(terms[-1]) + 1, len(self.passages) * 5 // 4)
            more = np.zeros(size - len(self.passages), np.int64)
            self.passages = np.concatenate([self.passages, more])
            self.documents = np.concatenate([self.documents, more])
        self.passages[terms] += np.diff(segment.passages.starts)
        self.documents[terms] += np.diff(segment.documents.starts)
        self._idf = None

    def remove(self, terms: Numbers, passages: Ids) -> None:
        """Take a document with these distinct terms away, of which so many passages hold each."""
        self.passages[terms] -= passages
        self.documents[terms] -= 1
        self._idf = None

    def idf(self, corpus_size: int) -> tuple[Scores, float]:
        """``ln(N − n + ½) − ln(n + ½)`` of each term that n of N = ``corpus_size`` passages hold, and the
        mean of those that occur.
        """
        if self._idf is None or self._idf[0] != corpus_size:
            occurring = self.passages > 0
            # By the number of passages, since few numbers occur, with the logarithm that rank_bm25 uses
            # and summed one after another as it does, so that a fresh index has the same bits.
            table = np.zeros(int(self.passages.max(initial=0)) + 1)
            for count in np.flatnonzero(np.bincount(self.passages[occurring])).tolist():
                table[count] = math.log(corpus_size - count + 0.5) - math.log(count + 0.5)
            raw: Scores = table[self.passages]
            held = raw[occurring]
            average = float(np.cumsum(held)[-1]) / len(held) if len(held) else 0.0
            self._idf = corpus_size, raw, average
        return self._idf[1], self._idf[2]
