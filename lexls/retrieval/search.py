"""Search a library for documents or passages."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from lexls.index.tokens import Tokenizer
from lexls.retrieval.cited_for import CitedFor, find_cited_for
from lexls.retrieval.model import Filters, Hit, Ranked, select_documents
from lexls.retrieval.narratives import rank_narrative
from lexls.retrieval.passage_search import Asking, Named, PassageScope, PassageSearch
from lexls.retrieval.precedents import MatchedPrecedents
from lexls.retrieval.query import Query, RelatedWords, build_query
from lexls.retrieval.query_encoder import QueryEncoder
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.refinements import OpenCrossEncoder, demote_bad_law, diversify, reread, weigh_citations
from lexls.retrieval.relevance import MOST_PASSAGES, Weights, choose_statement, find_terms
from lexls.retrieval.reranking.candidates import Asked, Described
from lexls.retrieval.reranking.reranker import Reranker, describe, load_learnt, rerank
from lexls.retrieval.stages import Scope, Stages, rank_by_words, run_stages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.citations.grammar import Grammar
    from lexls.index.embedding.protocol import Embedder
    from lexls.index.library import Library
    from lexls.index.records import PassageRecord
    from lexls.retrieval.past_cases import PastCases
    from lexls.text.cancel import CancelToken

DIVERSIFIED = 50
"""Number of top hits to diversify, if diversity is enabled."""
KEPT_FILTERS = 16
"""Number of recent filters whose matching documents are cached."""


class Searcher:
    """Searches a library for the authorities that match a text. Thread-safe.

    ``embedder`` returns the model that made the library's vectors, or None; without it, only words are
    compared. While vectors are still being computed, the existing ones are used. With a ``grammar``, cases
    cited in a query are not searched for (see ``build_query``).
    """

    def __init__(
        self,
        library: Library,
        embedder: Callable[[], Embedder | None] = lambda: None,
        ranking: Ranking | None = None,
        *,
        grammar: Grammar | None = None,
        tokenizer: Tokenizer | None = None,
        past: PastCases | None = None,
        cross_encoder: OpenCrossEncoder = lambda: None,
        order: Callable[[], Reranker] = load_learnt,
    ) -> None:
        self.library = library
        self.past = past
        self.ranking = ranking or Ranking()
        self.grammar = grammar
        self.tokenizer = tokenizer or Tokenizer()
        self.embedder = embedder
        self._encoder = QueryEncoder(library, embedder)
        self._cross_encoder = cross_encoder
        self._passages = PassageSearch(library, self.tokenizer)
        self._related = RelatedWords()
        self._order = order
        self._allowed = lru_cache(maxsize=KEPT_FILTERS)(self._find_allowed)
        self._matched: tuple[Hashable, MatchedPrecedents] | None = None

    # -- documents -------------------------------------------------------------------------------------

    def search(self, text: str, k: int, filters: Filters, token: CancelToken) -> list[Hit]:
        """Return the ``k`` documents that match ``text`` best, each with its best passage.

        ``text`` is prose without markup, a sentence or a long narrative. Raises ``Cancelled``.
        """
        query = self.query(text)
        return self.fetch_hits(self.rank(query, k, filters, token), query, token)

    def search_support(
        self, text: str, k: int, filters: Filters, token: CancelToken, *, precedents: bool = True
    ) -> tuple[list[Hit], Mapping[int, CitedFor]]:
        """Return the results of ``search`` and, with ``precedents``, those of ``find_cited_for``. The text is
        parsed only once. Each hit has the sentence to quote. Raises ``Cancelled``.
        """
        query = self.query(text)
        hits = self.fetch_hits(self.rank(query, k, filters, token), query, token)
        hits = self.choose_sentences(hits, query, token, filters.roles)
        token.raise_if_cancelled()
        return hits, self._find_cited_for(query, self._scope(filters), token) if precedents else {}

    def query(self, text: str, keywords: Sequence[str] = ()) -> Query:
        """Build the query for ``text``; ``keywords`` are words or phrases for its subject."""
        citations = self.grammar.find(text) if self.grammar is not None else ()
        return build_query(text, self.tokenizer, citations, keywords=keywords, related=self._related)

    def encode_query(self, query: Query) -> NDArray[np.float32] | None:
        """Return the vector of a query for comparison with passages, or None if it cannot be computed."""
        return self._encoder.encode(query)

    def rank(self, query: Query, k: int, filters: Filters, token: CancelToken) -> list[Ranked]:
        """Rank as ``search`` does, without fetching authorities and texts. Raises ``Cancelled``."""
        scope = self._scope(filters)
        if query.empty or k <= 0 or scope.answering == frozenset():
            return []
        if query.kind == "narrative" and self.ranking.narratives:
            found = rank_narrative(self.library, query, scope.answering, scope.speaking, self._related, token)
            ranked = [Ranked(document, None, score, None, None) for document, score in found[:k]]
        else:
            ranked = self._rank_by_stages(query, k, scope, token)
        return self._with_passages(ranked, query, token, scope.roles) if scope.roles else ranked

    def _rank_by_stages(self, query: Query, k: int, scope: Scope, token: CancelToken) -> list[Ranked]:
        stages, best, documents = self._fuse(query, scope, token)
        if self.ranking.rerank and query.kind != "narrative":
            described = self._describe(query, stages, best, documents, scope, token)
            documents = rerank(documents, described, self._order())
        documents = demote_bad_law(self.library, documents, scope.speaking)
        named = dict(self._named(query, scope.answering))
        documents = [*named.items(), *(each for each in documents if each[0] not in named)]
        ranked = stages.place(documents[: max(k, DIVERSIFIED)], best)
        first, others = ranked[: len(named)], ranked[len(named) :]
        others = self._reread(query, others, scope, token)

        def vector(each: Ranked) -> NDArray[np.float32] | None:
            return self.library.vector(each.passage) if each.passage is not None else None

        others = diversify(others, lambda each: each.score, vector, self.ranking.diversity, DIVERSIFIED)
        return [*first, *others][:k]

    def fetch_hits(self, ranked: Sequence[Ranked], query: Query, token: CancelToken) -> list[Hit]:
        """Return the hits for a ranking of documents, without those no longer in the library."""
        chosen = self._with_passages(ranked, query, token)
        records = self.library.contents.passage_records(
            [r.passage for r in chosen if r.passage is not None], token
        )
        by_id = {record.id: record for record in records}
        hits: list[Hit] = []
        for each in chosen:
            authority = self.library.catalogue.get(each.document)
            record = by_id.get(each.passage) if each.passage is not None else None
            if authority is not None and record is not None:
                hits.append(Hit(len(hits) + 1, authority, record, each.score, each.lexical, each.similarity))
        return hits

    def choose_sentences(
        self, hits: Sequence[Hit], query: Query, token: CancelToken, roles: frozenset[str] = frozenset()
    ) -> list[Hit]:
        """Return the hits, each with the sentence to quote and the passage that contains it.

        Only passages of ``roles`` (empty: all) are quoted. Raises ``Cancelled``.
        """
        tokens = self.tokenizer.tokenize
        terms = list(find_terms(query.text, tokens))
        weights = Weights(dict(zip(terms, self.library.rarity(terms), strict=True)))
        found = []
        for hit in hits:
            passages = self._list_best_passages(hit, query, token, roles)
            best = choose_statement(weights, hit.authority, passages, tokens)
            found.append(replace(hit, passage=best[0], sentence=best[1]) if best is not None else hit)
        return found

    def _list_best_passages(
        self, hit: Hit, query: Query, token: CancelToken, roles: frozenset[str]
    ) -> Iterator[PassageRecord]:
        """Yield the passage of a hit, then the others of its authority, best first."""
        yield hit.passage
        among = frozenset((hit.authority.id,))
        found = rank_by_words(self.library, query.terms, MOST_PASSAGES, among, token, query.weights, roles)
        others = [each for each in found.passages if each != hit.passage.id]
        yield from self.library.contents.passage_records(others, token)

    def find_cited_for(self, text: str, filters: Filters, token: CancelToken) -> Mapping[int, CitedFor]:
        """Return the authorities that library documents and the user's own cases cite for what a sentence
        says, by authority.

        Of ``filters``, only the excluded files apply. Raises ``Cancelled``.
        """
        return self._find_cited_for(self.query(text), self._scope(filters), token)

    def _find_cited_for(self, query: Query, scope: Scope, token: CancelToken) -> Mapping[int, CitedFor]:
        vectors = self._encoder.encode_pair(query)
        token.raise_if_cancelled()
        return find_cited_for(
            self.library,
            query.terms,
            vectors[0],
            self._match_precedents(query, vectors, scope, token),
            self.tokenizer.tokenize,
            token,
            past=self.past,
            excluded=scope.excluded,
        )

    # -- passages --------------------------------------------------------------------------------------

    def search_passages(self, text: str, k: int, filters: Filters, token: CancelToken) -> list[Hit]:
        """Return the ``k`` passages that match ``text`` best, however many are from one document. Raises
        ``Cancelled``.
        """
        query = self.query(text)
        return self.fetch_hits(self.rank_passages(query, k, filters, token), query, token)

    def rank_passages(self, query: Query, k: int, filters: Filters, token: CancelToken) -> list[Ranked]:
        """Rank as ``search_passages`` does, without fetching authorities and texts. Raises ``Cancelled``.

        The passages are from the documents that the query names, or else from the best ones (see
        ``PassageSearch``).
        """
        scope = self._scope(filters)
        if query.empty or k <= 0 or scope.answering == frozenset():
            return []

        def best_documents(asked: Query) -> list[int]:
            stages = self._run_stages(asked, scope, token)
            return [document for document, _ in stages.fuse(self.ranking)]

        looked_at = PassageScope(
            scope.answering,
            self.library.role_passages(filters.roles) if filters.roles else None,
            self.ranking.passages,
            self.ranking.vectors * self.library.vector_share**2,
            kinds=bool(self.ranking.clauses),
        )
        asking = Asking(self.query, self.encode_query, best_documents)
        return self._passages.rank(query, k, looked_at, asking, token)

    def find_named(
        self, text: str, filters: Filters, token: CancelToken, meant: frozenset[int] = frozenset()
    ) -> Named:
        """Return the documents that ``text`` names or describes, to which ``search_passages`` is then
        limited.

        If it only describes them ("the lease"), documents in ``meant`` are preferred.
        """
        answering = self._documents(filters)
        if answering == frozenset():
            return Named()
        kinds = bool(self.ranking.clauses)
        return self._passages.find_named(self.query(text).text, answering, token, kinds=kinds, meant=meant)

    # -- stages ----------------------------------------------------------------------------------------

    def _run_stages(self, query: Query, scope: Scope, token: CancelToken) -> Stages:
        token.raise_if_cancelled()
        ranking = self.ranking
        compares = ranking.vectors or ranking.citing or ranking.precedents
        vectors = self._encoder.encode_pair(query) if compares else (None, None)
        matched = self._match_precedents(query, vectors, scope, token) if ranking.precedents else None
        return run_stages(
            self.library,
            query,
            vectors[0],
            ranking,
            scope,
            token,
            prefixed=vectors[1],
            matched=matched,
            past=self.past,
        )

    def _match_precedents(
        self,
        query: Query,
        vectors: tuple[NDArray[np.float32] | None, NDArray[np.float32] | None],
        scope: Scope,
        token: CancelToken,
    ) -> MatchedPrecedents:
        """Return the precedents that may be similar to ``query``.

        The last result is cached, since a search for a sentence is usually followed by one for what its
        authorities are cited for.
        """
        vector, prefixed = vectors
        moved = self.library.generation, self.library.precedents.moves
        asked = (moved, query, scope.excluded, vector is None)
        kept = self._matched
        if kept is not None and kept[0] == asked:
            return kept[1]
        matched = MatchedPrecedents(
            self.library, query.terms, vector, scope.speaking, token, prefixed=prefixed
        )
        self._matched = asked, matched
        return matched

    def describe(self, query: Query, filters: Filters, token: CancelToken) -> Described:
        """Return the features used by the learned reranking model. Raises ``Cancelled``."""
        scope = self._scope(filters)
        return self._describe(query, *self._fuse(query, scope, token), scope, token)

    def _fuse(
        self, query: Query, scope: Scope, token: CancelToken
    ) -> tuple[Stages, Mapping[int, int], list[tuple[int, float]]]:
        """Return three values: the results of the stages, the best passage of each document, and the
        documents with their fused scores, best first.
        """
        stages = self._run_stages(query, scope, token)
        documents = weigh_citations(
            self.library, stages.fuse(self.ranking), self.ranking.prior, scope.speaking
        )
        return stages, stages.find_best_passages(self.ranking), documents

    def _describe(
        self,
        query: Query,
        stages: Stages,
        best: Mapping[int, int],
        documents: list[tuple[int, float]],
        scope: Scope,
        token: CancelToken,
    ) -> Described:
        tokenize = self.tokenizer.tokenize
        asked = Asked(
            query.text, query.terms, tuple(tokenize(query.text)), stages.vector, scope.speaking, tokenize
        )
        return describe(self.library, asked, stages, documents, best, self._kind_of, token)

    def _reread(self, query: Query, ranked: list[Ranked], scope: Scope, token: CancelToken) -> list[Ranked]:
        """Reorder the first of ``ranked`` with the user's cross-encoder."""
        depth = self.ranking.cross_encoder
        reader = self._cross_encoder() if depth else None
        if reader is None:
            return ranked
        first = self._with_passages(ranked[:depth], query, token, scope.roles)
        return [*reread(reader, self.library, query.gist, first, token), *ranked[depth:]]

    # -- what may answer -------------------------------------------------------------------------------

    def _scope(self, filters: Filters) -> Scope:
        speaking = self._documents(Filters(excluded=filters.excluded))
        return Scope(self._documents(filters), speaking, filters.roles, filters.excluded)

    def _documents(self, filters: Filters) -> frozenset[int] | None:
        return self._allowed(self.library.generation, filters)

    def _find_allowed(self, generation: int, filters: Filters) -> frozenset[int] | None:
        """Return the documents that filters allow in one generation of the library (None: all)."""
        documents = select_documents(self.library.catalogue.all(), replace(filters, roles=frozenset()))
        if filters.roles:
            with_role = self.library.role_passages(filters.roles).documents
            documents = with_role if documents is None else documents & with_role
        return documents

    def _kind_of(self, document: int) -> str:
        authority = self.library.catalogue.get(document)
        return authority.kind if authority is not None else ""

    def _named(self, query: Query, documents: frozenset[int] | None) -> Iterator[tuple[int, float]]:
        """Yield the authorities named by a query that consists of citations only. They come before all other
        results.
        """
        for key in query.keys:
            for document in self.library.catalogue.find_key(key):
                if documents is None or document in documents:
                    yield document, 1.0

    def _with_passages(
        self,
        ranked: Sequence[Ranked],
        query: Query,
        token: CancelToken,
        roles: frozenset[str] = frozenset(),
    ) -> list[Ranked]:
        """Return the same ranking with a passage for every document: the best of its passages by BM25, or
        else the first one. Only passages of ``roles`` (empty: all) are considered.
        """
        missing = {each.document for each in ranked if each.passage is None}
        found: dict[int, tuple[int, float | None]] = {}
        depth = 20 * len(missing)
        while missing and depth <= 20_000:
            stage = rank_by_words(self.library, query.terms, depth, frozenset(missing), token, roles=roles)
            for passage, document, score in zip(stage.passages, stage.documents, stage.scores, strict=True):
                found.setdefault(document, (passage, score))
            missing -= found.keys()
            if len(stage.passages) < depth:
                break
            depth *= 10
        for document in missing:
            passages = self.library.contents.passages(document)
            first = [each for each in passages if not roles or each.role in roles][:1]
            if first:
                found[document] = (first[0].id, None)
        return [
            replace(each, passage=found[each.document][0], lexical=found[each.document][1])
            if each.passage is None and each.document in found
            else each
            for each in ranked
        ]
