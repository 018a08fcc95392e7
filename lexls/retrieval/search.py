"""Searching a library."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lexls.index.embedding.cues import query_cue
from lexls.index.embedding.protocol import Embedder, EmbedderUnavailable
from lexls.index.tokens import Tokenizer
from lexls.retrieval.cited_for import CitedFor, cited_for
from lexls.retrieval.context import Width, parent_span
from lexls.retrieval.cross_encoding import read_again
from lexls.retrieval.diversity import diversified
from lexls.retrieval.filters import allowed
from lexls.retrieval.fusion import best_first
from lexls.retrieval.model import Filters, Hit, Ranked
from lexls.retrieval.naming import split_naming
from lexls.retrieval.narratives import rank_narrative
from lexls.retrieval.passage_search import Asking, PassageScope, PassageSearch
from lexls.retrieval.prior import citation_priors, fallen
from lexls.retrieval.query import Query, build_query
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.related_words import RelatedWords
from lexls.retrieval.reranking.candidates import Asked
from lexls.retrieval.reranking.reranker import rerank
from lexls.retrieval.run_stages import run_stages
from lexls.retrieval.sentences import rank_sentences
from lexls.retrieval.stages import Scope, Stages, lexical_stage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.citations.grammar import Grammar
    from lexls.index.library import Library
    from lexls.models.cross_encoder import CrossEncoderClient
    from lexls.retrieval.past_cases import PastCases
    from lexls.text.cancel import CancelToken

log = logging.getLogger(__name__)

DIVERSIFIED = 50
"""So many of the best hits are put into an order that avoids likeness, where that is asked for."""
FALLEN = 0.75
"""What is left of the score of an authority that the library says is no longer good law: it may still be
what the sentence means, but whoever is offered authorities is offered better ones first."""
KEPT_FILTERS = 16
KEPT_VECTORS = 32
"""Of so many texts asked for last the vectors stay in memory."""


class Searcher:
    """Finds the authorities of a library that fit a text.

    ``embedder`` gives the model that made the library's vectors, or None while there is none: then search
    goes by words alone, and while vectors are still being made by those that are there. With a ``grammar``
    the cases cited in a query are not searched for (see ``build_query``). Safe to use from several threads.
    """

    def __init__(
        self,
        library: Library,
        embedder: Callable[[], Embedder | None] = lambda: None,
        ranking: Ranking | None = None,
        *,
        grammar: Grammar | None = None,
        tokenizer: Tokenizer | None = None,
        cue: str = "",
        past: PastCases | None = None,
        cross_encoder: Callable[[], CrossEncoderClient | None] = lambda: None,
    ) -> None:
        self.library = library
        self.past = past
        self._cross_encoder = cross_encoder
        self._cue = cue
        self.ranking = ranking or Ranking()
        self._embedder = embedder
        self.grammar = grammar
        self._tokenizer = tokenizer or Tokenizer()
        self._passages = PassageSearch(library, self._tokenizer)
        self._related = RelatedWords()
        self._lock = threading.Lock()
        self._allowed: OrderedDict[tuple[int, Filters], frozenset[int] | None] = OrderedDict()
        self._vectors_of: OrderedDict[tuple[str, ...], NDArray[np.float32]] = OrderedDict()
        self._embedder_of_vectors = ""

    # -- documents -------------------------------------------------------------------------------------

    def search(self, text: str, k: int, filters: Filters, token: CancelToken) -> list[Hit]:
        """The ``k`` documents that fit ``text`` best, each with its best passage.

        ``text`` is prose without markup, a sentence or a long narrative. Raises ``Cancelled``.
        """
        query = self.query(text)
        return self.hits(self.rank(query, k, filters, token), query, token)

    def query(self, text: str, keywords: Sequence[str] = ()) -> Query:
        """What ``text`` asks for; ``keywords`` are words or phrases that say what it is about."""
        citations = self.grammar.find(text) if self.grammar is not None else ()
        return build_query(text, self._tokenizer, citations, keywords=keywords, related=self._related)

    def rank(self, query: Query, k: int, filters: Filters, token: CancelToken) -> list[Ranked]:
        """As ``search``, without fetching authorities and texts. Raises ``Cancelled``."""
        documents = self._documents(filters)
        if query.empty or k <= 0 or documents == frozenset():
            return []
        if query.kind == "narrative" and self.ranking.narratives:
            narrated = self._narrative(query, documents, filters, token)[:k]
            return self._with_passages(narrated, query, token, filters.roles) if filters.roles else narrated
        stages = self._stages(query, documents, filters, token)
        best: dict[int, int] = {}
        owner = stages.documents_of_passages()
        for passage, _ in stages.fused_passages(self.ranking):
            best.setdefault(owner[passage], passage)
        lexical, nearest = stages.lexical.score_of(), stages.nearest.score_of()
        ranked = []
        named = dict(self._named(query, documents))
        refined = self._reranked(query, stages, self._refined(stages, filters), best, filters, token)
        refined = self._good_law_first(refined, filters)
        others = [entry for entry in refined if entry[0] not in named]
        for document, score in [*named.items(), *others][: max(k, DIVERSIFIED)]:
            found = best.get(document)
            if found is None:
                ranked.append(Ranked(document, None, score, None, None))
            else:
                ranked.append(Ranked(document, found, score, lexical.get(found), nearest.get(found)))
        ranked = self._read_again(query, ranked, len(named), filters, token)
        ranked = self._diversified(ranked, len(named))[:k]
        return self._with_passages(ranked, query, token, filters.roles) if filters.roles else ranked

    def hits(self, ranked: Sequence[Ranked], query: Query, token: CancelToken) -> list[Hit]:
        """The hits for a ranking of documents; what has left the library meanwhile is left out."""
        chosen = self._with_passages(ranked, query, token)
        records = self.library.passage_records([r.passage for r in chosen if r.passage is not None], token)
        by_id = {record.id: record for record in records}
        hits: list[Hit] = []
        for each in chosen:
            authority = self.library.authority(each.document)
            record = by_id.get(each.passage) if each.passage is not None else None
            if authority is not None and record is not None:
                hits.append(Hit(len(hits) + 1, authority, record, each.score, each.lexical, each.similarity))
        return hits

    def cited_for(self, text: str, filters: Filters, token: CancelToken) -> Mapping[int, CitedFor]:
        """Which authorities documents of the library, and the user's own cases, cite for what a sentence
        says, by authority. Only what ``filters`` exclude does not count. Raises ``Cancelled``.
        """
        query = self.query(text)
        speaking = self._speaking(filters)
        vector = self.vector_of(query)
        token.raise_if_cancelled()
        return cited_for(
            self.library,
            query.terms,
            vector,
            self._tokenizer.tokenize,
            speaking,
            token,
            past=self.past,
            excluded=filters.excluded,
        )

    # -- passages --------------------------------------------------------------------------------------

    def search_passages(self, text: str, k: int, filters: Filters, token: CancelToken) -> list[Hit]:
        """The ``k`` passages that fit ``text`` best, however many of a document. Raises ``Cancelled``."""
        query = self.query(text)
        return self.hits(self.rank_passages(query, k, filters, token), query, token)

    def rank_passages(self, query: Query, k: int, filters: Filters, token: CancelToken) -> list[Ranked]:
        """As ``search_passages``, without fetching authorities and texts. Raises ``Cancelled``.

        Those of the documents that the query names, or of the best ones (see ``PassageSearch``).
        """
        documents = self._documents(filters)
        if query.empty or k <= 0 or documents == frozenset():
            return []

        def best_documents(asked: Query) -> list[int]:
            stages = self._stages(asked, documents, filters, token)
            return [document for document, _ in stages.fused(self.ranking, self._kind_of)]

        scope = PassageScope(
            documents,
            self.library.role_passages(filters.roles) if filters.roles else None,
            self.ranking.passages,
            self.ranking.vectors * self.library.vector_share**2,
            kinds=bool(self.ranking.clauses),
        )
        asking = Asking(self.query, self.vector_of, best_documents)
        return self._passages.rank(query, k, scope, asking, token)

    def asked_of_named(self, text: str, filters: Filters, token: CancelToken) -> str | None:
        """What ``text`` asks of the documents that it names, into which alone ``search_passages`` looks.

        None where it names no document of the library. All of it where what names them cannot be told from
        what is asked.
        """
        documents = self._documents(filters)
        query = self.query(text)
        if documents == frozenset() or not self._passages.named(query, documents, token):
            return None
        naming = split_naming(query.text)
        return naming.rest if naming.certain else text

    # -- sentences -------------------------------------------------------------------------------------

    def rank_sentences(self, term: str, sentences: Sequence[str]) -> list[int]:
        """The indexes of ``sentences``, the one that explains ``term`` best first."""
        return rank_sentences(term, sentences, self._tokenizer, self._embedder())

    # -- context ---------------------------------------------------------------------------------------

    def parent(self, hit: Hit, width: Width) -> str:
        """The text around a hit's passage; see ``parent_span`` for what ``width`` takes in."""
        document = hit.authority.id
        text = self.library.text(document)
        span = parent_span(
            self.library.outline(document), len(text), hit.passage.start, hit.passage.end, width
        )
        return span.of(text)

    # -- inside ----------------------------------------------------------------------------------------

    def _stages(
        self, query: Query, documents: frozenset[int] | None, filters: Filters, token: CancelToken
    ) -> Stages:
        token.raise_if_cancelled()
        scope = Scope(documents, self._speaking(filters), filters.roles)
        vector, cued = self._vectors(query)
        return run_stages(
            self.library,
            query,
            vector,
            self.ranking,
            scope,
            token,
            cued=cued,
            past=self.past,
            excluded=filters.excluded,
        )

    def _refined(self, stages: Stages, filters: Filters) -> list[tuple[int, float]]:
        """The documents with their fused scores, changed by what the library thinks of them."""
        fused = stages.fused(self.ranking, self._kind_of)
        if not self.ranking.prior:
            return fused
        speaking = self._speaking(filters)
        priors = citation_priors(self.library, (document for document, _ in fused), speaking)
        return best_first(
            {document: score * (1 + self.ranking.prior * priors[document]) for document, score in fused}
        )

    def _good_law_first(self, refined: list[tuple[int, float]], filters: Filters) -> list[tuple[int, float]]:
        """``refined`` with authorities that are no longer good law some places further down."""
        speaking = self._speaking(filters)
        return best_first(
            {
                document: score * (FALLEN if fallen(self.library, document, speaking) else 1.0)
                for document, score in refined
            }
        )

    def _reranked(
        self,
        query: Query,
        stages: Stages,
        fused: list[tuple[int, float]],
        best: Mapping[int, int],
        filters: Filters,
        token: CancelToken,
    ) -> list[tuple[int, float]]:
        """``fused`` with its first documents in the order learnt from citing sentences."""
        if not self.ranking.rerank or query.kind == "narrative":
            return fused
        speaking = self._speaking(filters)
        sequence = tuple(self._tokenizer.tokenize(query.text))
        asked = Asked(query.text, query.terms, sequence, stages.vector, speaking, self._tokenizer.tokenize)
        return rerank(self.library, asked, stages, fused, best, self._kind_of, token)

    def _read_again(
        self, query: Query, ranked: list[Ranked], kept: int, filters: Filters, token: CancelToken
    ) -> list[Ranked]:
        """``ranked`` in the order of the user's cross-encoder; the first ``kept`` stay where they are."""
        depth = self.ranking.cross_encoder
        client = self._cross_encoder() if depth else None
        if client is None:
            return ranked
        first = self._with_passages(ranked[kept : kept + depth], query, token, filters.roles)
        read = read_again(client, self.library, query.gist, first, token)
        return [*ranked[:kept], *read, *ranked[kept + depth :]]

    def _diversified(self, ranked: list[Ranked], kept: int) -> list[Ranked]:
        """``ranked`` with hits that say the same apart; the first ``kept`` stay where they are."""
        if not self.ranking.diversity:
            return ranked

        def vector(each: Ranked) -> NDArray[np.float32] | None:
            return self.library.vector(each.passage) if each.passage is not None else None

        others = diversified(
            ranked[kept:], lambda each: each.score, vector, self.ranking.diversity, DIVERSIFIED
        )
        return [*ranked[:kept], *others]

    def _narrative(
        self, query: Query, documents: frozenset[int] | None, filters: Filters, token: CancelToken
    ) -> list[Ranked]:
        speaking = self._speaking(filters)
        ranked = rank_narrative(self.library, query, documents, speaking, self._related, token)
        return [Ranked(document, None, score, None, None) for document, score in ranked]

    def _vectors(self, query: Query) -> tuple[NDArray[np.float32] | None, NDArray[np.float32] | None]:
        """The query's vector, and that with the cue that the model expects before a question; None without
        an embedder or where no stage asks for it.
        """
        ranking = self.ranking
        if not (ranking.vectors or ranking.citing or ranking.precedents):
            return None, None
        embedder = self._usable_embedder()
        if embedder is None:
            return None, None
        cue = self._cue or query_cue(embedder.name)
        vectors = self._encoded(embedder, [query.gist, cue + query.gist] if cue else [query.gist])
        return (vectors[0], vectors[-1]) if vectors is not None else (None, None)

    def vector_of(self, query: Query) -> NDArray[np.float32] | None:
        """The vector of a query's words; None where likeness cannot be told."""
        embedder = None if query.empty else self._usable_embedder()
        vectors = self._encoded(embedder, [query.gist]) if embedder is not None else None
        return vectors[0] if vectors is not None else None

    def _encoded(self, embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """The vectors of ``texts``; None where the model fails: a search by words is better than none.

        The last ones are kept, since find-support and hovers ask again what a sentence's authorities were
        cited for.
        """
        key = (embedder.name, *texts)
        with self._lock:
            if key in self._vectors_of:
                self._vectors_of.move_to_end(key)
                return self._vectors_of[key]
        try:
            vectors = embedder.encode(texts)
        except EmbedderUnavailable as error:
            log.warning("searching by words alone: %s", error)
            return None
        with self._lock:
            self._vectors_of[key] = vectors
            while len(self._vectors_of) > KEPT_VECTORS:
                self._vectors_of.popitem(last=False)
        return vectors

    def _usable_embedder(self) -> Embedder | None:
        """The embedder, unless the library's vectors are another model's."""
        embedder = self._embedder()
        if embedder is None:
            return None
        # Asked until it is known and fits: the index answers slowly while it takes in many documents.
        if self._embedder_of_vectors != embedder.name:
            self._embedder_of_vectors = self.library.embedder
        return embedder if self._embedder_of_vectors in ("", embedder.name) else None

    def _kind_of(self, document: int) -> str:
        authority = self.library.authority(document)
        return authority.kind if authority is not None else ""

    def _speaking(self, filters: Filters) -> frozenset[int] | None:
        """The documents whose sentences and citations count: all but those left out by their paths."""
        return self._documents(Filters(excluded=filters.excluded))

    def _documents(self, filters: Filters) -> frozenset[int] | None:
        key = (self.library.generation, filters)
        with self._lock:
            if key in self._allowed:
                self._allowed.move_to_end(key)
                return self._allowed[key]
        documents = allowed(self.library.authorities(), replace(filters, roles=frozenset()))
        if filters.roles:
            with_role = self.library.role_passages(filters.roles).documents
            documents = with_role if documents is None else documents & with_role
        with self._lock:
            self._allowed[key] = documents
            while len(self._allowed) > KEPT_FILTERS:
                self._allowed.popitem(last=False)
        return documents

    def _named(self, query: Query, documents: frozenset[int] | None) -> Iterable[tuple[int, float]]:
        """The authorities that a query of nothing but citations names; they come first."""
        for key in query.keys:
            for document in self.library.find_key(key):
                if documents is None or document in documents:
                    yield document, 1.0

    def _with_passages(
        self,
        ranked: Sequence[Ranked],
        query: Query,
        token: CancelToken,
        roles: frozenset[str] = frozenset(),
    ) -> list[Ranked]:
        """The same ranking with a passage for every document: its best by BM25, or else its first, of
        ``roles`` (empty: of all).
        """
        missing = {each.document for each in ranked if each.passage is None}
        found: dict[int, tuple[int, float | None]] = {}
        depth = 20 * len(missing)
        while missing and depth <= 20_000:
            stage = lexical_stage(self.library, query.terms, depth, frozenset(missing), token, roles=roles)
            for passage, document, score in zip(stage.passages, stage.documents, stage.scores, strict=True):
                found.setdefault(document, (passage, score))
            missing -= found.keys()
            if len(stage.passages) < depth:
                break
            depth *= 10
        for document in missing:
            passages = self.library.passages(document)
            first = [each for each in passages if not roles or each.role in roles][:1]
            if first:
                found[document] = (first[0].id, None)
        return [
            replace(each, passage=found[each.document][0], lexical=found[each.document][1])
            if each.passage is None and each.document in found
            else each
            for each in ranked
        ]
