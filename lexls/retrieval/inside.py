"""Ranking the passages of one document.

Inside a document a term is as telling as it is rare there, not in the library: the parties' names are rare
in a library of contracts and say nothing about which clause of their own contract is meant. And a question
about a contract mostly asks for a kind of clause ("which law applies?"), whose words are known though the
question does not use them.
"""

from __future__ import annotations

import re
import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lexls.index.tokens import Tokenizer
from lexls.retrieval.among import bm25_among
from lexls.retrieval.clauses.clause_model import ClauseModel, CountedWindows
from lexls.retrieval.clauses.clause_types import ClauseType, ClauseTypes
from lexls.retrieval.query import Query

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken

KEPT_DOCUMENTS = 32
_OPENING = 2
"""So many first passages tell the names of a document: its heading and its parties."""
WORDS_BESIDE_KIND = 0.25
"""What each term of the question lets BM25, divided by that of the best passage, count beside the log-odds of
a kind of clause: a long question asks for more than the kind; at least 1 and"""
MOST_WORDS_BESIDE_KIND = 5.0
"""at most this."""
MOST_TERMS = 40
"""A text of more terms asks for more than a kind of clause."""
_CLAUSES_STAND_IN = frozenset({"contract", "other"})
"""The kinds of documents whose passages are clauses."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.?!])[\s\"'“‘(\[]*\Z")


@dataclass(frozen=True, slots=True)
class _Counted:
    """The passages of a document, how often each term occurs in each, and their windows."""

    passages: tuple[int, ...]
    terms: tuple[Counter[str], ...]
    windows: CountedWindows
    opening: frozenset[str]


@dataclass(frozen=True, slots=True)
class InsideRanking:
    """The passages of a document in the order of ``scores``, best first.

    ``lexical`` has the BM25 score of each that holds a term of the query. ``kinds`` are the kinds of
    clauses that the query asks for; without any, ``passages`` are those with a BM25 score, which it then is.
    With some the scores are log-odds.
    """

    passages: tuple[int, ...]
    scores: tuple[float, ...]
    lexical: Mapping[int, float]
    kinds: tuple[ClauseType, ...] = ()


class InsideDocuments:
    """Ranks passages inside a document; keeps the terms of the last documents asked for. Thread-safe."""

    def __init__(self, library: SearchableIndex, tokenizer: Tokenizer) -> None:
        self._library = library
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, int], _Counted] = OrderedDict()
        self._clauses: tuple[ClauseTypes, ClauseModel] | None = None

    def ranking(
        self,
        query: Query,
        document: int,
        token: CancelToken,
        *,
        kinds: bool = True,
    ) -> InsideRanking:
        """The passages of ``document`` for ``query``, from which what names the document is taken out.

        Where the query asks for a kind of clause and the document may have clauses, all its passages by how
        much they read like it, together with BM25; otherwise those that hold a term of the query, by BM25
        among themselves. Names in the query that the document bears itself, in its title or its first
        passages, are left out unless nothing else remains. ``kinds`` False asks for words alone.
        """
        counted = self._counted(document)
        token.raise_if_cancelled()
        scores = np.asarray(bm25_among(self._terms(query, counted.opening), counted.terms))
        lexical = {
            p: float(score) for p, score in zip(counted.passages, scores.tolist(), strict=True) if score > 0
        }
        kinds = kinds and len(query.terms) <= MOST_TERMS and self._has_clauses(document)
        asked = self.kinds(query.text) if kinds else ()
        if not asked:
            order = sorted(lexical, key=lambda passage: -lexical[passage])
            return InsideRanking(tuple(order), tuple(lexical[p] for p in order), lexical)
        _, model = self._model()
        odds = np.max([model.scores(kind, counted.windows) for kind in asked], axis=0)
        words = min(max(1.0, WORDS_BESIDE_KIND * len(query.terms)), MOST_WORDS_BESIDE_KIND)
        odds += words * scores / max(float(scores.max(initial=0.0)), 1e-9)
        best = np.argsort(-odds, kind="stable").tolist()
        passages = tuple(counted.passages[n] for n in best)
        return InsideRanking(passages, tuple(odds[best].tolist()), lexical, asked)

    def kinds(self, question: str) -> tuple[ClauseType, ...]:
        """The kinds of clauses that a question asks for (see ``ClauseTypes.recognise``)."""
        return self._model()[0].recognise(question)

    def _has_clauses(self, document: int) -> bool:
        authority = self._library.authority(document)
        return authority is not None and authority.kind in _CLAUSES_STAND_IN

    def _model(self) -> tuple[ClauseTypes, ClauseModel]:
        with self._lock:
            if self._clauses is None:
                types = ClauseTypes(self._tokenizer)
                self._clauses = types, ClauseModel.load(types, self._tokenizer)
            return self._clauses

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
        _, model = self._model()
        windows, tokens = model.count([record.text for record in records])
        terms = tuple(Counter(each) for each in tokens)
        opening = set(
            self._tokenizer.tokenize(f"{authority.title} {authority.relative}" if authority else "")
        )
        for counts in terms[:_OPENING]:
            opening |= counts.keys()
        counted = _Counted(tuple(record.id for record in records), terms, windows, frozenset(opening))
        with self._lock:
            self._kept[key] = counted
            while len(self._kept) > KEPT_DOCUMENTS:
                self._kept.popitem(last=False)
        return counted
