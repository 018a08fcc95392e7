"""Compute the BM25 scores of ``rank_bm25.BM25Okapi`` with NumPy arrays, on documents that may change.

``rank_bm25`` (0.2.2) keeps a dictionary for each document and reads all of them for each query term. Here a
query reads only the postings of its terms. New documents form small segments next to the large one, and
removed ones are marked dead. ``compact`` makes one segment again in idle time.

The formula is rank_bm25's: with f the frequency of a term in a passage of length dl,

score = Σ idf · f (k1 + 1) / (f + k1 (1 − b + b · dl / avgdl)), idf = ln(N − n + ½) − ln(n + ½),

where an idf below zero is replaced by ``epsilon`` times the average idf of the vocabulary, and a term that
occurs twice in the query counts twice.

A search for the top few does not score every passage that contains a term: see ``pruning``. Its results are
the same up to rounding.

Memory in bytes: 6 for each posting of a passage and of a document, 20 for each distinct term of a segment, 37
for each passage and 24 for each term number. Loading a large library temporarily doubles the postings.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from lexls.index.postings import DocumentPostings, InvertedLists, Segment, invert, merge, renumber
from lexls.index.pruning import Impacts, Mask, Saturation, Scores, Scratch, TermCounts, find_best_units
from lexls.index.slots import Answering, AnsweringUnits, Ids, NewPassages, PassageSlots

K1, B, EPSILON = 1.5, 0.75, 0.25
"""BM25 parameters, with the defaults of ``rank_bm25``."""
# Added segments are merged up to this many postings, which takes about 20 ms; more is left to ``compact``.
_MERGE_LIMIT = 500_000
_PRUNE_FROM = 12_000
"""Queries with fewer postings per term than this are not pruned (measured with 17 and 60 terms on 20,000 to a
million passages).
"""


class IncrementalBM25(BM25Okapi):  # type: ignore[misc]
    """A BM25 index over passages that belong to documents.

    Every passage has a *slot*, a row of the arrays, in the order of addition. ``slots`` maps passages to
    slots, and masks are over slots. Only ``compact`` assigns new slots.

    ``terms`` maps terms to their numbers; it belongs to the caller and may grow. ``k1``, ``b``, ``epsilon``
    and ``prune_from`` may be set at any time; queries with fewer than ``prune_from`` postings per term are
    not pruned. The caller must serialise searches and changes.

    Like ``BM25Okapi``, it can be built from a tokenised corpus. Each text is then a document of one passage,
    both numbered from 0. A corpus may be empty, even later. ``doc_freqs`` is not kept.
    """

    def __init__(
        self,
        corpus: Iterable[Iterable[str]] = (),
        k1: float = K1,
        b: float = B,
        epsilon: float = EPSILON,
        *,
        terms: Mapping[str, int] | None = None,
    ) -> None:
        # BM25Okapi.__init__ is not called: it divides by the number of texts and stores them all.
        self.k1 = k1
        self.b = b
        self.epsilon = epsilon
        self.tokenizer = None
        own_terms: dict[str, int] = {}
        self._terms = own_terms if terms is None else terms
        self.slots = PassageSlots()
        self._segments: list[Segment] = []
        self._counts = TermCounts()
        self.prune_from = _PRUNE_FROM
        self._impacts: dict[int, Impacts] = {}
        self._statistics_changed()
        self.add_documents(_one_passage(number, text, own_terms) for number, text in enumerate(corpus))
        if own_terms and terms is not None:
            raise ValueError("a tokenised corpus brings its own terms")

    def _statistics_changed(self) -> None:
        self._norms: tuple[float, float, Scores] | None = None
        self._document_norms: tuple[float, float, Scores] | None = None
        self._answering = AnsweringUnits(self.slots)
        self._scratch: tuple[Scratch, Scratch] | None = None

    # Contents.

    @property
    def corpus_size(self) -> int:
        """Number of passages."""
        return self.slots.live

    @property
    def avgdl(self) -> float:
        """Mean length of a passage in terms, or 0 if there are no passages."""
        return self.slots.total_length / self.slots.live if self.slots.live else 0.0

    def documents_of(self, passages: Sequence[int] | Ids) -> Ids:
        """Return the document of each passage id, or 0 for an unknown passage."""
        return self.slots.documents_of(passages)

    def passages_of(self, document: int) -> Ids:
        """Return the passage ids of a document, none if it is unknown."""
        slots = self.slots.of_document(document)
        return self.slots.ids[slots.start : slots.stop]

    @property
    def idf(self) -> dict[str, float]:
        """The idf of each term that occurs, by term; computed at each access."""
        held = [(term, number) for term, number in self._terms.items() if self._counts.occurs(number)]
        values = self._idf_of(np.array([number for _, number in held], np.int64))
        return {term: float(value) for (term, _), value in zip(held, values, strict=True)}

    @property
    def dead_fraction(self) -> float:
        """Fraction of slots whose passages were removed, from 0 to 1; ``compact`` is worthwhile above about
        0.2.
        """
        return 1 - self.slots.live / self.slots.count if self.slots.count else 0.0

    # Changes.

    def add_document(self, document: DocumentPostings) -> None:
        """Add a document; see ``add_documents``."""
        self.add_documents([document])

    def add_documents(self, documents: Iterable[DocumentPostings]) -> None:
        """Add several documents at once, which is faster than one by one.

        A document with a known id replaces the earlier one. The documents are read one after another, so that
        only a few million postings are in memory besides the index's own. Raises ``ValueError`` if there are
        too many passages, a document occurs twice or a term number is out of range; the index is then
        unchanged.
        """
        added: list[NewPassages] = []

        def noted() -> Iterator[DocumentPostings]:
            for document in documents:
                added.append(NewPassages.of(document))
                yield document

        segment = invert(noted(), self.slots.count, self.slots.row_count)
        if not added:
            return
        if len({each.document for each in added}) < len(added):
            raise ValueError("a document comes twice")
        for each in added:
            self.remove_document(each.document)
        self.slots.append(added)
        self._counts.add(segment)
        self._segments.append(segment)
        self._merge_small()
        self._statistics_changed()

    def remove_document(self, document: int) -> bool:
        """Remove a document with its passages. Return whether it was in the index."""
        if document not in self.slots:
            return False
        row = self.slots.row_of(document)
        slots = self.slots.remove(document)
        for segment in self._segments:
            if segment.first_slot <= slots.start < segment.end_slot:
                self._counts.remove(*segment.passages_with(row, slots.start, slots.stop))
        self._statistics_changed()
        return True

    def compact(self) -> None:
        """Merge all segments into one without the removed passages. Slots are renumbered in the same order.

        Takes about 0.15 s for a million postings; ``copy_compacted`` does the same without blocking searches.
        """
        self._segments = [renumber(self._segments, *self.slots.compact())]
        self._statistics_changed()

    def copy_compacted(self) -> IncrementalBM25:
        """Return a compacted copy of this index. While the copy is made, this index may be searched but must
        not be changed.
        """
        other = copy.copy(self)
        other.slots = copy.copy(self.slots)
        other._counts = copy.deepcopy(self._counts)
        other._impacts = {}
        other.compact()
        return other

    def _merge_small(self) -> None:
        # As in a log-structured tree, a segment is merged if the one before it is not much larger.
        while len(self._segments) > 1:
            before, last = self._segments[-2:]
            if before.size > 2 * last.size or before.size + last.size > _MERGE_LIMIT:
                return
            self._segments[-2:] = [merge([before, last])]

    # Scores.

    def get_scores(self, query: Iterable[str]) -> Scores:
        """Return the score of every passage in the order of addition, like ``BM25Okapi.get_scores``."""
        return self.scores(self.numbers(query))[self.slots.alive]

    def numbers(self, query: Iterable[str]) -> list[int]:
        """Return the numbers of the query's terms that are in the dictionary, including duplicates."""
        return [number for term in query if (number := self._terms.get(term)) is not None]

    def find_weighted_numbers(
        self, query: Iterable[str], weights: Sequence[float] | None
    ) -> tuple[list[int], list[float] | None]:
        """Call the module's ``find_weighted_numbers`` with this index's terms."""
        return find_weighted_numbers(self._terms, query, weights)

    def find_slots_with(self, term: str) -> Ids:
        """Return the slots of the passages that contain a term, including removed passages."""
        number = np.array(self.numbers([term]), np.int64)
        lists = (each.passages for each in self._segments)
        found = [each.at(place)[0] for each in lists for _, place in each.find(number)]
        return np.concatenate([np.empty(0, np.int64), *found])

    def rarity(self, tokens: Sequence[str]) -> list[float]:
        """Return the idf over passages of each token, in order; 0 if no passage contains it."""
        numbers = np.array([self._terms.get(token, -1) for token in tokens], np.int64)
        held = np.array([self._counts.occurs(number) for number in numbers.tolist()], np.bool_)
        rarities = np.zeros(len(tokens))
        rarities[held] = self._idf_of(numbers[held])
        found: list[float] = rarities.tolist()
        return found

    def scores(self, terms: Sequence[int]) -> Scores:
        """Return the score of every slot, 0 for removed passages. ``terms`` are numbers; unknown ones are
        ignored.
        """
        known, asked = self._weighted(terms, None)
        scores, _ = self._score(known, asked * self._idf_of(known))
        scores[~self.slots.alive] = 0.0
        return scores

    def top(
        self,
        terms: Sequence[int],
        k: int,
        documents: Collection[int] | None = None,
        weights: Sequence[float] | None = None,
    ) -> tuple[Ids, Scores]:
        """Return the ``k`` best passages that contain a query term: ids and scores, best first.

        Equal scores are ordered by id. Only passages of ``documents`` are returned (None: all). ``weights``
        has a factor of at least 0 for each term's part of the score (None: 1 each). A term with weight 0 is
        ignored.
        """
        answering = self._answering.of(documents)[0]
        known, asked = self._weighted(terms, weights)
        known, factors = _heaviest_first(known, asked * self._idf_of(known))
        if not len(known):
            return self.slots.ids[:0], factors
        if k <= 0 or self._counts.passages[known].mean() < self.prune_from or (factors <= 0).any():
            scores, matched = self._score(known, factors)
            if answering.mask is not None:
                matched &= answering.mask
            return choose_best(self.slots.ids[matched], scores[matched], k)
        saturation = Saturation(self._length_norms(), self.k1, self.b, self.avgdl)
        lists = [each.passages for each in self._segments]
        slots, scores = self._pruned(lists, known, factors, saturation, k, answering, self._scratches()[0])
        return choose_best(self.slots.ids[slots], scores, k)

    def _pruned(
        self,
        segments: Sequence[InvertedLists],
        terms: Ids,
        factors: Scores,
        saturation: Saturation,
        k: int,
        answering: Answering,
        scratch: Scratch,
    ) -> tuple[NDArray[np.intp], Scores]:
        """Return the ids and scores of the ``k`` best slots or documents, unordered."""
        units, scores = np.empty(0, np.intp), np.empty(0)
        # Largest first: the k-th best score so far is the threshold for all later segments.
        for lists in sorted(segments, key=lambda each: -each.size):
            impacts = self._impacts_of(lists)
            certain = impacts.use(saturation)
            asked = [
                impacts.at(place, saturation, factor)
                for index, place in lists.find(terms)
                if (factor := float(factors[index]))
            ]
            least = float(np.partition(scores, len(scores) - k)[len(scores) - k]) if len(scores) >= k else 0.0
            found = find_best_units(
                asked, saturation, certain, k, answering.mask, answering.narrow, scratch, least
            )
            units, scores = np.concatenate([units, found[0]]), np.concatenate([scores, found[1]])
        return units, scores

    def _impacts_of(self, lists: InvertedLists) -> Impacts:
        impacts = self._impacts.get(id(lists))
        if impacts is None:
            held = {id(each) for segment in self._segments for each in (segment.passages, segment.documents)}
            self._impacts = {key: value for key, value in self._impacts.items() if key in held}
            impacts = self._impacts[id(lists)] = Impacts(lists)
        return impacts

    def _scratches(self) -> tuple[Scratch, Scratch]:
        if self._scratch is None:
            self._scratch = Scratch(self.slots.count), Scratch(len(self.slots.document_ids))
        return self._scratch

    def _score(self, known: Ids, factors: Scores) -> tuple[Scores, Mask]:
        """Return the score of every slot, and a mask of the slots that contain a term. Each term's saturation
        is multiplied by its factor in ``factors``.
        """
        scores = np.zeros(self.slots.count)
        saturation = Saturation(self._length_norms(), self.k1, self.b, self.avgdl)
        # A term in exactly half of the passages has idf 0, but passages with it still match.
        silent: list[NDArray[np.int32]] = []
        for segment in self._segments:
            for index, place in segment.passages.find(known):
                units, frequencies = segment.passages.at(place)
                if factors[index]:
                    saturation.add(scores, units, frequencies, float(factors[index]))
                else:
                    silent.append(units)
        matched: Mask = scores != 0
        for slots in silent:
            matched[slots] = True
        return scores, matched & self.slots.alive

    def _weighted(self, terms: Sequence[int], weights: Sequence[float] | None) -> tuple[Ids, Scores]:
        """Return the distinct ``terms`` that occur and have a weight above 0, in query order, with the sum of
        each one's weights.
        """
        if weights is not None and min(weights, default=0.0) < 0:
            raise ValueError("a term's weight is not negative")
        counts: dict[int, float] = {}
        for term, weight in zip(terms, [1.0] * len(terms) if weights is None else weights, strict=True):
            if weight and self._counts.occurs(term):
                counts[term] = counts.get(term, 0.0) + weight
        known = np.fromiter(counts.keys(), np.int64, len(counts))
        return known, np.fromiter(counts.values(), np.float64, len(counts))

    def _idf_of(self, terms: Ids) -> Scores:
        raw, average = self._counts.idf(self.corpus_size)
        values = raw[terms]
        return np.where(values < 0, self.epsilon * average, values)

    def _length_norms(self) -> Scores:
        if self._norms is None or self._norms[:2] != (self.k1, self.b):
            relative = self.b * self.slots.lengths.astype(np.float64) / (self.avgdl or 1.0)
            self._norms = (self.k1, self.b, self.k1 * (1 - self.b + relative))
        return self._norms[2]

    def top_documents(
        self,
        terms: Sequence[int],
        k: int,
        among: Collection[int] | None = None,
        k1: float | None = None,
        b: float | None = None,
        weights: Sequence[float] | None = None,
    ) -> tuple[Ids, Scores]:
        """Return the ``k`` best documents by BM25 over whole documents: ids and scores, best first.

        Lengths, frequencies and document counts are summed over the passages. The idf is ``ln(1 + (N − n + ½)
        / (n + ½))`` (Lucene's), which is never negative and so needs no average over the vocabulary. Only
        documents in ``among`` are returned (None: all). ``k1`` and ``b`` default to the index's. ``weights``
        is as for ``top``.
        """
        k1 = self.k1 if k1 is None else k1
        b = self.b if b is None else b
        known, asked = self._weighted(terms, weights)
        if k <= 0 or not len(known):
            return self.slots.document_ids[:0], np.empty(0)
        documents = self.slots.document_count
        average = self.slots.total_length / documents
        if self._document_norms is None or self._document_norms[:2] != (k1, b):
            self._document_norms = k1, b, k1 * (1 - b + b * self.slots.document_lengths / average)
        holding = self._counts.documents[known]
        idf = np.log(1 + (documents - holding + 0.5) / (holding + 0.5))
        known, factors = _heaviest_first(known, asked * idf)
        rows, scores = self._pruned(
            [each.documents for each in self._segments],
            known,
            factors,
            Saturation(self._document_norms[2], k1, b, average),
            k,
            self._answering.of(among)[1],
            self._scratches()[1],
        )
        return choose_best(self.slots.document_ids[rows], scores, k)


def _heaviest_first(terms: Ids, factors: Scores) -> tuple[Ids, Scores]:
    order = np.argsort(-factors, kind="stable")
    return terms[order], factors[order]


def find_weighted_numbers(
    terms: Mapping[str, int], query: Iterable[str], weights: Sequence[float] | None
) -> tuple[list[int], list[float] | None]:
    """Return the numbers of the query's terms that are in ``terms``, with their weights if any are given.

    Raises ``ValueError`` if there are not as many weights as terms.
    """
    if weights is None:
        return [number for term in query if (number := terms.get(term)) is not None], None
    pairs = zip(query, weights, strict=True)
    held = [(number, weight) for term, weight in pairs if (number := terms.get(term)) is not None]
    return [number for number, _ in held], [weight for _, weight in held]


def choose_best(ids: Ids, scores: Scores, k: int) -> tuple[Ids, Scores]:
    """Return the ``k`` ids with the highest scores, best first; equal scores are ordered by id."""
    if k <= 0:
        return ids[:0], scores[:0]
    if len(ids) > k:
        kept = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
        ids, scores = ids[kept], scores[kept]
    order = np.lexsort((ids, -scores))[:k]
    return ids[order], scores[order]


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
