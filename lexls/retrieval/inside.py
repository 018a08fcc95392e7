"""Ranking the passages of one document.

Inside a document a term is as telling as it is rare there, not in the library: the parties' names are rare in
a library of contracts and say nothing about which clause of their own contract is meant.
"""

from __future__ import annotations

import re
import threading
from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexls.index.tokens import Tokenizer
from lexls.retrieval.among import bm25_among
from lexls.retrieval.query import Query
from lexls.retrieval.stages import PassageRanking

if TYPE_CHECKING:
    from lexls.index.library import Library
    from lexls.text.cancel import CancelToken

KEPT_DOCUMENTS = 32
_OPENING = 2
"""So many first passages tell the names of a document: its heading and its parties."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.?!])[\s\"'“‘(\[]*\Z")


@dataclass(frozen=True, slots=True)
class _Counted:
    """The passages of a document and how often each term occurs in each."""

    passages: tuple[int, ...]
    terms: tuple[Counter[str], ...]
    opening: frozenset[str]


class InsideDocuments:
    """Ranks passages inside a document; keeps the terms of the last documents asked for. Thread-safe."""

    def __init__(self, library: Library, tokenizer: Tokenizer) -> None:
        self._library = library
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, int], _Counted] = OrderedDict()

    def ranking(self, query: Query, document: int, token: CancelToken) -> PassageRanking:
        """The passages of ``document`` that hold a term of ``query``, by BM25 among themselves, best first.

        Names in the query that the document bears itself, in its title or its first passages, are left out
        unless nothing else remains.
        """
        counted = self._counted(document)
        token.raise_if_cancelled()
        terms = self._terms(query, counted.opening)
        scores = bm25_among(terms, counted.terms)
        scored = [(p, score) for p, score in zip(counted.passages, scores, strict=True) if score > 0]
        scored.sort(key=lambda entry: -entry[1])
        return PassageRanking(
            tuple(passage for passage, _ in scored),
            (document,) * len(scored),
            tuple(score for _, score in scored),
        )

    def _terms(self, query: Query, opening: frozenset[str]) -> tuple[str, ...]:
        kept = []
        for match in _WORD.finditer(query.text):
            terms = self._tokenizer.tokenize(match[0])
            named = match[0][0].isupper() and not _SENTENCE_START.search(query.text[: match.start()])
            if not (named and all(term in opening for term in terms)):
                kept.append(match[0])
        chosen = set(self._tokenizer.tokenize(" ".join(kept)))
        # Terms of several words ("12(2)") are the query's own, not of its words one by one.
        lone = set(self._tokenizer.tokenize(" ".join(match[0] for match in _WORD.finditer(query.text))))
        return tuple(term for term in query.terms if term in chosen or term not in lone) or query.terms

    def _counted(self, document: int) -> _Counted:
        key = (self._library.generation, document)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        records = self._library.passages(document)
        authority = self._library.authority(document)
        terms = tuple(Counter(self._tokenizer.tokenize(record.text)) for record in records)
        opening = set(
            self._tokenizer.tokenize(f"{authority.title} {authority.relative}" if authority else "")
        )
        for counts in terms[:_OPENING]:
            opening |= counts.keys()
        counted = _Counted(
            tuple(record.id for record in records),
            terms,
            frozenset(opening),
        )
        with self._lock:
            self._kept[key] = counted
            while len(self._kept) > KEPT_DOCUMENTS:
                self._kept.popitem(last=False)
        return counted
