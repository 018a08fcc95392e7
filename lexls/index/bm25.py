"""BM25 that can change: the scores of ``rank_bm25.BM25Okapi`` from postings in NumPy arrays.

``rank_bm25`` (0.2.2) keeps a dictionary for each document and reads all of them for each query term. Here a
query reads only the postings of its terms; documents are added as small segments beside the large one and
removed by marking their passages dead; ``compact`` makes one segment again in idle time.

The formula is rank_bm25's: with f the frequency of a term in a passage of length dl,

    score = Σ idf · f (k1 + 1) / (f + k1 (1 − b + b · dl / avgdl)),   idf = ln(N − n + ½) − ln(n + ½),

where an idf below zero is replaced by ``epsilon`` times the average idf of the vocabulary, and a term that
stands twice in the query counts twice.

Memory: 6 bytes a posting, 12 a distinct term of a segment, 25 a passage, 16 a term number: 100,000 passages
with 70 distinct terms each take about 50 MB, and some 16 bytes a posting more while a segment is sorted.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from lexls.index.postings import DocumentPostings, Segment, inverted, merged, renumbered
from lexls.index.slots import Ids, Mask, PassageSlots

Scores = NDArray[np.float64]

# Added segments are merged up to this many postings, which takes some 20 ms; more waits for ``compact``.
_MERGE_LIMIT = 500_000
_PIECE = 1 << 15


class IncrementalBM25(BM25Okapi):  # type: ignore[misc]
    """A BM25 index over passages that belong to documents.

    Every passage has a *slot*, a row of the arrays, in the order of addition; ``ids``, ``owners`` and
    ``slots_of`` translate, and masks are over slots. ``compact`` gives new slots, nothing else does.
    ``terms`` maps a term to its number and stays the caller's: it may grow. ``k1``, ``b`` and ``epsilon`` may
    be set at any time. Searches and changes must be serialised by the caller.

    Like ``BM25Okapi`` it can be made from a tokenised corpus, each text then being a document and a passage
    of its own numbered from 0; a corpus may be empty, also later. ``doc_freqs`` is not kept.
    """

    def __init__(
        self,
        corpus: Iterable[Any] = (),
        tokenizer: Callable[[str], list[str]] | None = None,
        k1: float = 1.5,
        b: float = 0.75,
        epsilon: float = 0.25,
        *,
        terms: Mapping[str, int] | None = None,
    ) -> None:
        # BM25Okapi.__init__ is not called: it divides by the number of texts and keeps all of them.
        self.k1 = k1
        self.b = b
        self.epsilon = epsilon
        self.tokenizer = tokenizer
        own_terms: dict[str, int] = {}
        self._terms = own_terms if terms is None else terms
        self._slots = PassageSlots()
        self._segments: list[Segment] = []
        self._passages_with: Ids = np.zeros(0, np.int64)
        self._statistics_changed()
        texts = corpus if tokenizer is None else map(tokenizer, corpus)
        self.add_documents(_one_passage(number, text, own_terms) for number, text in enumerate(texts))
        if own_terms and terms is not None:
            raise ValueError("a tokenised corpus brings its own terms")

    @classmethod
    def from_forward(
        cls,
        documents: Iterable[DocumentPostings],
        terms: Mapping[str, int] | None = None,
        k1: float = 1.5,
        b: float = 0.75,
        epsilon: float = 0.25,
    ) -> IncrementalBM25:
        """An index of ``documents``, inverted with one sort."""
        index = cls((), None, k1, b, epsilon, terms=terms)
        index.add_documents(documents)
        return index

    def _statistics_changed(self) -> None:
        self._raw_idf: Scores | None = None
        self._average_idf = 0.0
        self._norms: tuple[float, float, Scores] | None = None

    # What there is.

    @property
    def corpus_size(self) -> int:
        """The number of passages."""
        return self._slots.live

    @property
    def document_count(self) -> int:
        """The number of documents."""
        return self._slots.document_count

    @property
    def slot_count(self) -> int:
        """The number of slots, those of removed passages included: the length of a mask."""
        return self._slots.count

    @property
    def avgdl(self) -> float:
        """The mean length of a passage in terms, 0 if there is none."""
        return self._slots.total_length / self._slots.live if self._slots.live else 0.0

    @property
    def doc_len(self) -> list[int]:
        """The length of each passage, in the order of ``get_scores``."""
        return [int(length) for length in self._slots.lengths[self.alive]]

    @property
    def average_idf(self) -> float:
        """The mean idf of the vocabulary before negative ones are replaced."""
        self._idf_of(np.empty(0, np.int64))
        return self._average_idf

    @property
    def idf(self) -> dict[str, float]:
        """The idf of each term that occurs; made anew at each call."""
        held = [(term, number) for term, number in self._terms.items() if self._occurs(number)]
        values = self._idf_of(np.array([number for _, number in held], np.int64))
        return {term: float(value) for (term, _), value in zip(held, values, strict=True)}

    @property
    def ids(self) -> Ids:
        """The passage id of each slot, also of dead ones."""
        return self._slots.ids

    @property
    def alive(self) -> Mask:
        """Which slots hold a passage that was not removed."""
        return self._slots.alive

    @property
    def owners(self) -> Ids:
        """The document id of each slot, also of dead ones."""
        return self._slots.document_ids[self._slots.rows]

    @property
    def dead_fraction(self) -> float:
        """The part of the slots that removals left behind, 0 to 1; ``compact`` pays above some 0.2."""
        return 1 - self._slots.live / self._slots.count if self._slots.count else 0.0

    @property
    def segment_count(self) -> int:
        """The number of segments that a query reads; ``compact`` pays above some 10."""
        return len(self._segments)

    @property
    def nbytes(self) -> int:
        """Memory of all arrays in bytes, what is computed from them included."""
        computed = self._raw_idf.nbytes if self._raw_idf is not None else 0
        computed += self._norms[2].nbytes if self._norms is not None else 0
        segments = sum(each.nbytes for each in self._segments)
        return self._slots.nbytes + self._passages_with.nbytes + segments + computed

    def __contains__(self, document: int) -> bool:
        return document in self._slots

    def slots_of(self, passages: Sequence[int] | Ids) -> Ids:
        """The slot of each passage id, -1 where there is no such passage."""
        return self._slots.of(passages)

    def documents_of(self, passages: Sequence[int] | Ids) -> Ids:
        """The document of each passage id, 0 where there is no such passage."""
        return self._slots.documents_of(passages)

    def slots_of_document(self, document: int) -> range:
        """The slots of a document's passages, empty if it is unknown."""
        return self._slots.of_document(document)

    # Changes.

    def add_document(self, document: DocumentPostings) -> None:
        """Add a document; see ``add_documents``."""
        self.add_documents([document])

    def add_documents(self, documents: Iterable[DocumentPostings]) -> None:
        """Add documents at once, which is faster than one by one.

        A document whose id is already there takes its place. Raises ``ValueError`` if there are too many
        passages or a term number is out of range, leaving the index as it was.
        """
        added = list({each.document: each for each in documents}.values())
        if not added:
            return
        segment = inverted(added, self._slots.count)
        for each in added:
            self.remove_document(each.document)
        self._slots.append(added)
        if len(segment.terms) and segment.terms[-1] >= len(self._passages_with):
            # Terms keep coming while a library is read: grow by a quarter at least.
            size = max(int(segment.terms[-1]) + 1, len(self._passages_with) * 5 // 4)
            more = np.zeros(size - len(self._passages_with), np.int64)
            self._passages_with = np.concatenate([self._passages_with, more])
        self._passages_with[segment.terms] += np.diff(segment.starts)
        self._segments.append(segment)
        self._merge_small()
        self._statistics_changed()

    def remove_document(self, document: int) -> bool:
        """Remove a document with its passages; whether it was there."""
        if document not in self._slots:
            return False
        slots = self._slots.remove(document)
        for segment in self._segments:
            if segment.first_slot <= slots.start < segment.end_slot:
                gone = segment.terms_within(slots.start, slots.stop)
                self._passages_with -= np.bincount(gone, minlength=len(self._passages_with))
        self._statistics_changed()
        return True

    def compact(self) -> None:
        """Drop what removals left behind and make one segment; gives new slots, in the old order.

        Takes some 0.15 s for a million postings; ``compacted`` does it beside the searches.
        """
        self._segments = [renumbered(self._segments, self._slots.compact())]
        self._statistics_changed()

    def compacted(self) -> IncrementalBM25:
        """A compacted copy, while this index goes on answering; nothing may be changed meanwhile."""
        other = copy.copy(self)
        other._slots = copy.copy(self._slots)
        other._passages_with = self._passages_with.copy()
        other.compact()
        return other

    def _merge_small(self) -> None:
        # As in a log-structured tree: a segment is merged when the one before it is not much larger.
        while len(self._segments) > 1:
            before, last = self._segments[-2:]
            if before.size > 2 * last.size or before.size + last.size > _MERGE_LIMIT:
                return
            self._segments[-2:] = [merged([before, last])]

    # Scores.

    def get_scores(self, query: Iterable[str]) -> Scores:
        """The score of every passage, in the order of addition, as ``BM25Okapi.get_scores``."""
        return self.scores(self.numbers(query))[self.alive]

    def get_batch_scores(self, query: Iterable[str], doc_ids: Sequence[int]) -> list[float]:
        """The scores of the passages at these places of ``get_scores``."""
        return [float(score) for score in self.get_scores(query)[list(doc_ids)]]

    def numbers(self, query: Iterable[str]) -> list[int]:
        """The numbers of the terms of ``query`` that the dictionary holds, repeated ones repeated."""
        return [number for term in query if (number := self._terms.get(term)) is not None]

    def weighted_numbers(
        self, query: Iterable[str], weights: Sequence[float] | None
    ) -> tuple[list[int], list[float] | None]:
        """As ``numbers``, with the weight of each; raises ``ValueError`` unless each token has one."""
        if weights is None:
            return self.numbers(query), None
        held = [
            (number, weight)
            for term, weight in zip(query, weights, strict=True)
            if (number := self._terms.get(term)) is not None
        ]
        return [number for number, _ in held], [weight for _, weight in held]

    def rarity(self, tokens: Sequence[str]) -> list[float]:
        """The idf over passages of each token, in order; 0 for one that no passage holds."""
        rarities = [0.0] * len(tokens)
        held = [
            (at, number)
            for at, token in enumerate(tokens)
            if self._occurs(number := self._terms.get(token, -1))
        ]
        for (at, _), idf in zip(
            held, self._idf_of(np.array([number for _, number in held], np.int64)), strict=True
        ):
            rarities[at] = float(idf)
        return rarities

    def scores(self, terms: Sequence[int]) -> Scores:
        """The score of every slot, 0 for dead ones. ``terms`` are numbers; unknown ones count nothing."""
        scores, _ = self._score(terms, None)
        scores[~self.alive] = 0.0
        return scores

    def top(
        self,
        terms: Sequence[int],
        k: int,
        allowed: Mask | None = None,
        weights: Sequence[float] | None = None,
    ) -> tuple[Ids, Scores]:
        """The ``k`` best passages that hold a term of the query: ids and scores, best first.

        Equal scores are in the order of ids. ``allowed`` is a mask over slots (None: all). ``weights`` has a
        number a term, not negative, that multiplies the term's part of the score (None: 1 each); a term with
        weight 0 is as if it were not asked.
        """
        scores, matched = self._score(terms, weights)
        matched &= self.alive
        if allowed is not None:
            matched &= allowed
        return _best(self.ids, scores, matched, k)

    def _score(self, terms: Sequence[int], asked: Sequence[float] | None) -> tuple[Scores, Mask]:
        scores = np.zeros(self._slots.count)
        known, weights = self._weighted(terms, asked)
        weights = weights * self._idf_of(known)
        norms = self._length_norms()
        buffers = _Buffers()
        # A term in exactly half of the passages has idf 0: its passages match all the same.
        silent: list[NDArray[np.int32]] = []
        for segment in self._segments:
            for index, slots, frequencies in segment.find(known):
                if not weights[index]:
                    silent.append(slots)
                    continue
                buffers.add(scores, slots, frequencies, norms, self.k1, weights[index])
        matched: Mask = scores != 0
        for slots in silent:
            matched[slots] = True
        return scores, matched

    def _occurs(self, term: int) -> bool:
        return 0 <= term < len(self._passages_with) and bool(self._passages_with[term] > 0)

    def _weighted(self, terms: Sequence[int], weights: Sequence[float] | None) -> tuple[Ids, Scores]:
        """The distinct terms that occur, in the order of the query, and the sum of each one's weights."""
        if weights is not None and min(weights, default=0.0) < 0:
            raise ValueError("a term's weight is not negative")
        counts: dict[int, float] = {}
        for term, weight in zip(terms, [1.0] * len(terms) if weights is None else weights, strict=True):
            if weight and self._occurs(term):
                counts[term] = counts.get(term, 0.0) + weight
        known = np.fromiter(counts.keys(), np.int64, len(counts))
        return known, np.fromiter(counts.values(), np.float64, len(counts))

    def _idf_of(self, terms: Ids) -> Scores:
        if self._raw_idf is None:
            occurring = self._passages_with > 0
            # By the number of passages, since few numbers occur, with the logarithm that rank_bm25 uses
            # and summed one after another as it does, so that a fresh index has the same bits.
            table = np.zeros(int(self._passages_with.max(initial=0)) + 1)
            for count in np.flatnonzero(np.bincount(self._passages_with[occurring])).tolist():
                table[count] = math.log(self.corpus_size - count + 0.5) - math.log(count + 0.5)
            self._raw_idf = table[self._passages_with]
            held = self._raw_idf[occurring]
            self._average_idf = float(np.cumsum(held)[-1]) / len(held) if len(held) else 0.0
        raw = self._raw_idf[terms]
        return np.where(raw < 0, self.epsilon * self._average_idf, raw)

    def _length_norms(self) -> Scores:
        if self._norms is None or self._norms[:2] != (self.k1, self.b):
            relative = self.b * self._slots.lengths.astype(np.float64) / (self.avgdl or 1.0)
            self._norms = (self.k1, self.b, self.k1 * (1 - self.b + relative))
        return self._norms[2]

    def top_documents(
        self,
        terms: Sequence[int],
        k: int,
        allowed: Mask | None = None,
        k1: float | None = None,
        b: float | None = None,
        weights: Sequence[float] | None = None,
    ) -> tuple[Ids, Scores]:
        """The ``k`` best documents by BM25 with whole documents as units: ids and scores, best first.

        Lengths, frequencies and document counts are added up from the passages. The idf is
        ``ln(1 + (N − n + ½) / (n + ½))`` (Lucene's), which is never negative and so needs no average over
        the vocabulary. ``allowed`` is a mask over slots: a document with an allowed slot may answer. ``k1``
        and ``b`` default to the index's. ``weights`` are those of ``top``.
        """
        k1 = self.k1 if k1 is None else k1
        b = self.b if b is None else b
        documents, rows = self._slots.document_count, len(self._slots.document_ids)
        average = self._slots.total_length / documents if self._slots.total_length else 1.0
        norms = k1 * (1 - b + b * self._slots.document_lengths / average)
        known, weight_of = self._weighted(terms, weights)
        frequency_of: dict[int, Scores] = {}
        for segment in self._segments:
            for index, slots, frequencies in segment.find(known):
                counted = frequencies * self.alive[slots]
                found = np.bincount(self._slots.rows[slots], counted, rows).astype(np.float64, copy=False)
                frequency_of[index] = frequency_of[index] + found if index in frequency_of else found
        scores = np.zeros(rows)
        for index, totals in frequency_of.items():
            holding = np.flatnonzero(totals)
            idf = math.log(1 + (documents - len(holding) + 0.5) / (len(holding) + 0.5))
            frequency = totals[holding]
            scores[holding] += weight_of[index] * idf * frequency * (k1 + 1) / (frequency + norms[holding])
        matched = scores > 0
        if allowed is not None:
            matched &= np.bincount(self._slots.rows[allowed & self.alive], minlength=rows) > 0
        return _best(self._slots.document_ids, scores, matched, k)


class _Buffers:
    """Adds a term's part to the scores piece by piece, so that intermediate results stay in the cache."""

    def __init__(self) -> None:
        self._slots = np.empty(_PIECE, np.intp)
        self._denominators = np.empty(_PIECE)
        self._parts = np.empty(_PIECE)

    def add(
        self,
        scores: Scores,
        slots: NDArray[np.int32],
        frequencies: NDArray[np.uint16],
        norms: Scores,
        k1: float,
        weight: float,
    ) -> None:
        """``scores[slots] += weight * frequencies * (k1 + 1) / (frequencies + norms[slots])``."""
        for start in range(0, len(slots), _PIECE):
            frequency = frequencies[start : start + _PIECE]
            rows = self._slots[: len(frequency)]
            denominator = self._denominators[: len(frequency)]
            part = self._parts[: len(frequency)]
            rows[:] = slots[start : start + _PIECE]
            # Any mode but "raise" lets ``take`` write to ``out`` directly; no slot is out of range.
            norms.take(rows, out=denominator, mode="clip")
            denominator += frequency
            np.multiply(frequency, k1 + 1, out=part, dtype=np.float64)
            part /= denominator
            part *= weight
            np.add.at(scores, rows, part)


def _best(ids: Ids, scores: Scores, matched: Mask, k: int) -> tuple[Ids, Scores]:
    """The ``k`` best of the matched rows, best first, equal scores by id."""
    rows = np.flatnonzero(matched)
    found = scores[rows]
    if k <= 0:
        return ids[:0], scores[:0]
    if len(rows) > k:
        least = np.partition(found, len(rows) - k)[len(rows) - k]
        kept = found >= least
        rows, found = rows[kept], found[kept]
    order = np.lexsort((ids[rows], -found))[:k]
    return ids[rows[order]], found[order]


def _one_passage(number: int, text: Iterable[str], terms: dict[str, int]) -> DocumentPostings:
    counts: dict[int, int] = {}
    for term in text:
        key = terms.setdefault(term, len(terms))
        counts[key] = counts.get(key, 0) + 1
    return DocumentPostings(
        number,
        [number],
        np.array([0, len(counts)], np.int32),
        np.fromiter(counts.keys(), np.int32, len(counts)),
        np.minimum(np.fromiter(counts.values(), np.int64, len(counts)), 0xFFFF).astype(np.uint16),
    )
