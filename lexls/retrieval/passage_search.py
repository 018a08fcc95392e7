"""Rank passages within the documents that a query names, or within the best-matching documents.

Within a document, a term counts by its rarity there, not in the library. The parties' names are rare in a
library of contracts, but do not show which clause of their own contract is meant. A question about a contract
usually asks for a clause type ("which law applies?"), whose typical words are known even if the question does
not use them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from lexls.index.tokens import Tokenizer
from lexls.retrieval import relevance
from lexls.retrieval.clauses import ClauseModel, ClauseType, ClauseTypes, CountedWindows
from lexls.retrieval.model import RRF_K, Ranked, fuse
from lexls.retrieval.named_documents import (
    CONTRACTS,
    NamedDocuments,
    find_described,
    find_description,
    split_naming,
)
from lexls.retrieval.query import Query
from lexls.text.memory import Memory
from lexls.text.spans import leave_out

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.text.cancel import CancelToken


K1 = 1.5


def score_by_bm25(terms: Sequence[str], texts: Sequence[Counter[str]]) -> list[float]:
    """Return the BM25 score of each of ``texts``, given as term counts.

    Terms are weighted by their rarity among ``texts`` (see ``weigh``). A term given twice counts once.
    """
    return relevance.score_by_bm25(relevance.weigh(terms, texts), texts, K1)


KEPT_DOCUMENTS = 32
_FEWEST_ASKED = 3
"""Minimum number of content words that must remain in a question after removing document names, unless the
rest asks for a clause type.
"""
_OPENING = 2
"""Number of first passages that are searched for a document's names: its heading and its parties."""
WORDS_BESIDE_KIND = 0.25
"""Weight per query term of the BM25 score (relative to the best passage) that is added to the log-odds of a
clause type, since a long question asks for more than the type. The total weight is at least 1 and at most
``MOST_WORDS_BESIDE_KIND``.
"""
MOST_WORDS_BESIDE_KIND = 5.0
"""Maximum total weight of the BM25 score; see ``WORDS_BESIDE_KIND``."""
MOST_TERMS = 40
"""Maximum number of terms in a text that only asks for a clause type."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.?!])[\s\"'“‘(\[]*\Z")


@dataclass(frozen=True, slots=True)
class _Counted:
    """The passages of a document, their term counts and their windows."""

    passages: tuple[int, ...]
    terms: tuple[Counter[str], ...]
    windows: CountedWindows
    opening: frozenset[str]


@dataclass(frozen=True, slots=True)
class InsideRanking:
    """The passages of a document in the order of ``scores``, best first.

    ``lexical`` has the BM25 score of each passage with a query term. ``kinds`` are the clause types that the
    query asks for. If there are none, ``passages`` and ``scores`` are those with a BM25 score; otherwise the
    scores are log-odds.
    """

    passages: tuple[int, ...]
    scores: tuple[float, ...]
    lexical: Mapping[int, float]
    kinds: tuple[ClauseType, ...] = ()


class InsideDocuments:
    """Ranks passages within a document, caching the terms of recent documents. Thread-safe."""

    def __init__(self, library: SearchableIndex, tokenizer: Tokenizer) -> None:
        self._library = library
        self._tokenizer = tokenizer
        self._kept = Memory[tuple[int, int], _Counted](KEPT_DOCUMENTS)

    def rank(self, query: Query, document: int, token: CancelToken, *, kinds: bool) -> InsideRanking:
        """Rank the passages of ``document`` for ``query``, from which words that name the document have been
        removed.

        If the query asks for a clause type and the document may have clauses, all passages are ranked. Their
        score combines BM25 with how likely they are such clauses. Otherwise only the passages with a query
        term are ranked, by BM25 among themselves. Names in the query that occur in the document's title or
        first passages are ignored, unless nothing else remains. If ``kinds`` is false, clause types do not
        count.
        """
        counted = self._kept.recall((self._library.generation, document), partial(self._count, document))
        token.raise_if_cancelled()
        scores = np.asarray(score_by_bm25(self._terms(query, counted.opening), counted.terms))
        lexical = {
            p: float(score) for p, score in zip(counted.passages, scores.tolist(), strict=True) if score > 0
        }
        kinds = kinds and len(query.terms) <= MOST_TERMS and self._has_clauses(document)
        asked = self._clauses[0].recognise(query.text) if kinds else ()
        if not asked:
            order = sorted(lexical, key=lambda passage: -lexical[passage])
            return InsideRanking(tuple(order), tuple(lexical[p] for p in order), lexical)
        _, model = self._clauses
        odds = np.max([model.scores(kind, counted.windows) for kind in asked], axis=0)
        words = min(max(1.0, WORDS_BESIDE_KIND * len(query.terms)), MOST_WORDS_BESIDE_KIND)
        odds += words * scores / max(float(scores.max(initial=0.0)), 1e-9)
        best = np.argsort(-odds, kind="stable").tolist()
        passages = tuple(counted.passages[n] for n in best)
        return InsideRanking(passages, tuple(odds[best].tolist()), lexical, asked)

    def asks_for_clause(self, text: str) -> bool:
        """Return whether ``text`` asks for a known clause type, and for nothing more."""
        few = len(set(self._tokenizer.tokenize(text))) <= MOST_TERMS
        return few and bool(self._clauses[0].recognise(text))

    def _has_clauses(self, document: int) -> bool:
        authority = self._library.catalogue.get(document)
        return authority is not None and authority.kind in CONTRACTS

    @cached_property
    def _clauses(self) -> tuple[ClauseTypes, ClauseModel]:
        types = ClauseTypes(self._tokenizer)
        return types, ClauseModel.load(types, self._tokenizer)

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

    def _count(self, document: int) -> _Counted:
        records = self._library.contents.passages(document)
        authority = self._library.catalogue.get(document)
        _, model = self._clauses
        windows, tokens = model.count([record.text for record in records])
        terms = tuple(Counter(each) for each in tokens)
        opening = set(
            self._tokenizer.tokenize(f"{authority.title} {authority.relative}" if authority else "")
        )
        for counts in terms[:_OPENING]:
            opening |= counts.keys()
        return _Counted(tuple(record.id for record in records), terms, windows, frozenset(opening))


SEARCHED_DOCUMENTS = 10
"""Maximum number of documents searched if the query names none."""
LEAST_SEARCHED = 3
"""Minimum number of documents searched if the query names none. One for every two passages requested is
searched if that is more. Reading a document that is not cached takes about 15 ms.
"""
NEAREST = 1000
"""Maximum number of passages of the searched documents that are compared by similarity."""


@dataclass(frozen=True, slots=True)
class PassageScope:
    """The passages that may be returned, and the weights of the signals.

    ``answering`` are the documents and ``passages`` the passages allowed (None: all). ``words`` and
    ``similarity`` are the weights of BM25 and similarity in rank fusion. ``kinds`` is true if clause types
    count.
    """

    answering: frozenset[int] | None
    passages: Container[int] | None
    words: float
    similarity: float
    kinds: bool = True


@dataclass(frozen=True, slots=True)
class Asking:
    """Callbacks of a search: ``query`` builds a query from a text, ``vector`` returns its vector (None
    without an embedder), and ``best_documents`` returns the matching documents, best first.
    """

    query: Callable[[str], Query]
    vector: Callable[[Query], NDArray[np.float32] | None]
    best_documents: Callable[[Query], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Named:
    """The ``documents`` that a text names, best first, and what is ``asked`` about them.

    ``documents`` is empty if it names none. ``asked`` is the whole text if the naming words cannot be
    separated. ``described`` is true if the documents are only described, so that any of them may be meant.
    """

    documents: tuple[int, ...] = ()
    asked: str = ""
    described: bool = False


class PassageSearch:
    """Ranks the passages of a library. Thread-safe."""

    def __init__(self, library: SearchableIndex, tokenizer: Tokenizer) -> None:
        self._library = library
        self._tokenizer = tokenizer
        self._inside = InsideDocuments(library, tokenizer)
        self._names = NamedDocuments(library, tokenizer)

    def rank(
        self, query: Query, k: int, scope: PassageScope, asking: Asking, token: CancelToken
    ) -> list[Ranked]:
        """Return the ``k`` passages that match ``query`` best. Raises ``Cancelled``.

        If the query names documents (see ``find_named``), or only one is allowed, their passages are ranked
        by what is asked about them. If it describes several documents, the best passage of each comes first.
        If it names none, the passages of the best-matching documents are ranked by their rank within the
        document and the rank of the document.
        """
        named = self._look_into(query.text, scope, token)
        asked = query
        if named.documents and named.asked != query.text:
            rest = asking.query(named.asked)
            asked = rest if not rest.empty else query
        searched = min(SEARCHED_DOCUMENTS, max(LEAST_SEARCHED, k // 2))
        documents = named.documents or tuple(asking.best_documents(query))[:searched]
        if not documents:
            return []
        insides = {
            document: self._inside.rank(asked, document, token, kinds=scope.kinds) for document in documents
        }
        # With a clause type, similarity does not improve the ranking.
        plain = frozenset(document for document, inside in insides.items() if not inside.kinds)
        near = self._near(asking.vector(asked), plain, token) if plain and scope.similarity else {}
        ranked = []
        for place, (document, inside) in enumerate(insides.items(), 1):
            cosines = near.get(document, {})
            alone = named.documents and inside.kinds
            scores = _odds(inside) if alone else _by_ranks(inside, cosines, scope)
            for passage, score in scores:
                if scope.passages is None or passage in scope.passages:
                    place_score = 0.0 if named.documents else 1 / (RRF_K + place)
                    lexical, cosine = inside.lexical.get(passage), cosines.get(passage)
                    ranked.append(Ranked(document, passage, score + place_score, lexical, cosine))
        ranked.sort(key=lambda each: -each.score)
        return (_take_turns(ranked) if named.described else ranked)[:k]

    def find_named(
        self,
        text: str,
        answering: frozenset[int] | None,
        token: CancelToken,
        *,
        kinds: bool,
        meant: frozenset[int] = frozenset(),
    ) -> Named:
        """Return the documents that ``text`` names, or else describes, and what it asks about them.

        A description (see ``find_described``) counts only if ``kinds`` is true and the text asks for a clause
        type. Documents in ``meant`` are preferred.
        """
        naming = split_naming(text)
        documents = tuple(self._names.find(naming, answering, token))
        if not documents and kinds:
            documents = tuple(self._names.find_contracts(naming, text, answering, token))
        if documents:
            return Named(documents, self._leave_out_names(naming.rest, documents))
        return self._find_described(text, answering, meant) if kinds else Named()

    def _leave_out_names(self, text: str, documents: Sequence[int]) -> str:
        """Return ``text`` without the names of ``documents`` and the words that describe the contract. If
        nothing else would remain, return all of it.
        """
        description = find_description(text)
        rest = description.rest if description is not None else text
        rest = leave_out(rest, self._names.find_names(rest, documents))
        enough = len(relevance.find_terms(rest, self._tokenizer.tokenize)) >= _FEWEST_ASKED
        return rest if enough or self._inside.asks_for_clause(rest) else text

    def _look_into(self, text: str, scope: PassageScope, token: CancelToken) -> Named:
        """Return the result of ``find_named``. If only one document is allowed, return that document, whether
        it is named or not.
        """
        if scope.answering is None or len(scope.answering) != 1:
            return self.find_named(text, scope.answering, token, kinds=scope.kinds)
        naming = split_naming(text)
        if naming.certain:
            return Named(tuple(scope.answering), self._leave_out_names(naming.rest, tuple(scope.answering)))
        described = self._find_described(text, scope.answering, scope.answering) if scope.kinds else Named()
        return described if described.documents else Named(tuple(scope.answering), text)

    def _find_described(self, text: str, answering: frozenset[int] | None, meant: frozenset[int]) -> Named:
        description = find_description(text)
        if description is None or not self._inside.asks_for_clause(description.rest):
            return Named()
        catalogue = self._library.catalogue
        allowed = catalogue.all() if answering is None else map(catalogue.get, sorted(answering))
        authorities = (each for each in allowed if each is not None)
        documents = find_described(description, authorities, meant, self._tokenizer)
        return Named(documents, description.rest, described=True) if documents else Named()

    def _near(
        self, vector: NDArray[np.float32] | None, documents: frozenset[int], token: CancelToken
    ) -> dict[int, dict[int, float]]:
        """Return the cosines of passages in these documents, by document; empty without vectors."""
        if vector is None or not self._library.has_vectors:
            return {}
        ids, cosines = self._library.nearest(vector, NEAREST, documents, token)
        found: dict[int, dict[int, float]] = {}
        owners = self._library.documents_of(int(passage) for passage in ids)
        for passage, owner, cosine in zip(ids.tolist(), owners, cosines.tolist(), strict=True):
            found.setdefault(owner, {})[passage] = cosine
        return found


def _take_turns(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Reorder ``ranked`` so that the best passage of each document comes first, then the second of each, and
    so on.
    """
    counts: Counter[int] = Counter()
    turns = []
    for each in ranked:
        turns.append(counts[each.document])
        counts[each.document] += 1
    return [each for _, each in sorted(zip(turns, ranked, strict=True), key=lambda entry: entry[0])]


def _odds(inside: InsideRanking) -> list[tuple[int, float]]:
    """Return the passages with their log-odds converted to probabilities."""
    odds = zip(inside.passages, inside.scores, strict=True)
    return [(passage, 1 / (1 + math.exp(-max(min(score, 50.0), -50.0)))) for passage, score in odds]


def _by_ranks(
    inside: InsideRanking, cosines: Mapping[int, float], scope: PassageScope
) -> list[tuple[int, float]]:
    """Return the passages scored by rank fusion: of their ranks by words and by similarity or, if the query
    asks for a clause type, of their rank in ``inside``, which combines both.
    """
    if inside.kinds:
        return fuse([inside.passages], [scope.words + scope.similarity])
    nearest = sorted(cosines, key=lambda passage: -cosines[passage])
    return fuse([inside.passages, nearest], [scope.words, scope.similarity])
