"""BM25 over the titles of a library's documents."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lexls.index.records import Authority
from lexls.index.tokens import Tokenizer


class TitleIndex:
    """The titles of documents as bags of terms, kept in memory and made anew when documents change.

    A title is a few words, so ten thousand of them take some 5 MB and 0.1 s. Changes must be serialised by
    the caller; a search may run beside none.
    """

    def __init__(self) -> None:
        self._tokenizer = Tokenizer()
        self._terms_of: dict[int, tuple[str, tuple[str, ...]]] = {}
        self._documents = np.empty(0, np.int64)
        self._lengths = np.empty(0)
        self._postings: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}

    def replace(self, authorities: Iterable[Authority]) -> None:
        """Hold the titles of these documents and no others."""
        terms_of: dict[int, tuple[str, tuple[str, ...]]] = {}
        for authority in authorities:
            known = self._terms_of.get(authority.id)
            if known is None or known[0] != authority.title:
                known = authority.title, tuple(self._tokenizer.tokenize(authority.title))
            terms_of[authority.id] = known
        self._terms_of = terms_of
        self._documents = np.fromiter(terms_of, np.int64, len(terms_of))
        self._lengths = np.array([len(terms) for _, terms in terms_of.values()], dtype=np.float64)
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for row, (_, terms) in enumerate(terms_of.values()):
            for term, count in Counter(terms).items():
                found[term].append((row, count))
        self._postings = {
            term: (
                np.fromiter((row for row, _ in rows), np.int64, len(rows)),
                np.fromiter((count for _, count in rows), np.float64, len(rows)),
            )
            for term, rows in found.items()
        }

    def terms(self, documents: Collection[int] | None = None) -> frozenset[str]:
        """Every term of the titles of ``documents`` (None: of all)."""
        if documents is None:
            return frozenset(self._postings)
        return frozenset(
            term
            for document in documents
            if document in self._terms_of
            for term in self._terms_of[document][1]
        )

    def top(
        self,
        tokens: Sequence[str],
        k: int,
        documents: Collection[int] | None,
        weights: Sequence[float] | None,
        k1: float,
        b: float,
        by_rarity: bool,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The ``k`` documents whose titles fit ``tokens`` best: ids and scores, best first, equal ones by id.

        ``documents`` limits the answer. ``weights`` has one number a token; a token given twice counts the
        sum. With ``by_rarity`` a term counts ``ln(1 + (N − n + ½) / (n + ½))`` times its weight, without its
        weight alone, for weights that hold the rarity already. Raises ``ValueError`` if there are not as
        many weights as tokens.
        """
        asked: dict[str, float] = {}
        for token, weight in zip(tokens, [1.0] * len(tokens) if weights is None else weights, strict=True):
            asked[token] = asked.get(token, 0.0) + weight
        scores = np.zeros(len(self._documents))
        titles = len(self._documents)
        mean = float(self._lengths.mean()) if titles and self._lengths.any() else 1.0
        norms = k1 * (1 - b + b * self._lengths / mean)
        for term, weight in asked.items():
            if term not in self._postings or not weight:
                continue
            rows, counts = self._postings[term]
            factor = math.log(1 + (titles - len(rows) + 0.5) / (len(rows) + 0.5)) if by_rarity else 1.0
            scores[rows] += weight * factor * counts * (k1 + 1) / (counts + norms[rows])
        matched = scores > 0
        if documents is not None:
            matched &= np.isin(self._documents, np.fromiter(documents, np.int64, len(documents)))
        found = np.flatnonzero(matched)
        order = np.lexsort((self._documents[found], -scores[found]))[: max(k, 0)]
        return self._documents[found[order]], scores[found[order]]
