"""Search the titles of a library's documents by BM25."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lexls.index.bm25 import choose_best
from lexls.index.records import Authority
from lexls.index.tokens import Tokenizer

K1 = 1.2
B = 0.75


class TitleIndex:
    """The titles of these documents as bags of terms, kept in memory. It never changes.

    ``previous`` lends what it knows of titles that stayed the same, so that few are tokenised again when
    documents change. A title is a few words, so ten thousand of them take some 5 MB.
    """

    def __init__(self, authorities: Iterable[Authority] = (), previous: TitleIndex | None = None) -> None:
        self._tokenizer: Tokenizer = previous._tokenizer if previous is not None else Tokenizer()
        known = previous._terms_of if previous is not None else {}
        self._terms_of: dict[int, tuple[str, tuple[str, ...]]] = {}
        for authority in authorities:
            entry = known.get(authority.id)
            if entry is None or entry[0] != authority.title:
                entry = authority.title, tuple(self._tokenizer.tokenize(authority.title))
            self._terms_of[authority.id] = entry
        titles = [terms for _, terms in self._terms_of.values()]
        self._documents = np.fromiter(self._terms_of, np.int64, len(titles))
        self._lengths = np.fromiter(map(len, titles), np.int64, len(titles))
        self._numbers: dict[str, int] = {}
        numbers = self._numbers
        terms = np.fromiter(
            (numbers.setdefault(term, len(numbers)) for title in titles for term in title),
            np.int64,
            int(self._lengths.sum()),
        )
        # A posting is term · titles + row, so that sorting groups them by term.
        rows = np.repeat(np.arange(len(titles), dtype=np.int64), self._lengths)
        postings, counts = np.unique(terms * len(titles) + rows, return_counts=True)
        self._starts = np.searchsorted(postings, np.arange(len(numbers) + 1, dtype=np.int64) * len(titles))
        self._rows = postings % max(len(titles), 1)
        self._counts = counts.astype(np.float64)

    def terms(self, documents: Collection[int] | None = None) -> frozenset[str]:
        """Every term of the titles of ``documents`` (None: of all)."""
        if documents is None:
            return frozenset(self._numbers)
        known = (self._terms_of[document][1] for document in documents if document in self._terms_of)
        return frozenset(itertools.chain.from_iterable(known))

    def top(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Collection[int] | None,
        weights: Sequence[float] | None,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The ``k`` documents whose titles fit ``tokens`` best: ids and scores, best first, equal ones by id.

        ``documents`` limits the answer. ``weights`` has one number a token (None: 1 each), how rare it is
        included: nothing else tells it here; a token given twice counts the sum. Raises ``ValueError`` if
        there are not as many weights as tokens.
        """
        asked: dict[str, float] = {}
        for token, weight in zip(tokens, [1.0] * len(tokens) if weights is None else weights, strict=True):
            asked[token] = asked.get(token, 0.0) + weight
        titles = len(self._documents)
        scores = np.zeros(titles)
        mean = float(self._lengths.mean()) if titles and self._lengths.any() else 1.0
        norms = K1 * (1 - B + B * self._lengths / mean)
        for term, weight in asked.items():
            number = self._numbers.get(term)
            if number is None or not weight:
                continue
            place = slice(int(self._starts[number]), int(self._starts[number + 1]))
            rows, counts = self._rows[place], self._counts[place]
            scores[rows] += weight * counts * (K1 + 1) / (counts + norms[rows])
        matched = scores > 0
        if documents is not None:
            matched &= np.isin(self._documents, np.fromiter(documents, np.int64, len(documents)))
        found = np.flatnonzero(matched)
        return choose_best(self._documents[found], scores[found], k)
