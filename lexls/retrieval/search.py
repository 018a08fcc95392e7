"""Searching a library."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lexls.index.embedding.protocol import Embedder
from lexls.index.tokens import Tokenizer
from lexls.retrieval.context import Width, parent_span
from lexls.retrieval.filters import allowed
from lexls.retrieval.fusion import RRF_K, rrf
from lexls.retrieval.inside import InsideDocuments
from lexls.retrieval.model import Filters, Hit
from lexls.retrieval.query import Query, build_query
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.sentences import rank_sentences
from lexls.retrieval.stages import (
    PassageRanking,
    Stages,
    citing_stage,
    lexical_stage,
    vector_stage,
)

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar
    from lexls.index.library import Library
    from lexls.text.cancel import CancelToken

WANTED_PASSAGES = 50
"""So many of the best passages by BM25 are embedded before others when they have no vector yet."""
SEARCHED_DOCUMENTS = 10
"""A search for passages looks into so many documents."""
KEPT_FILTERS = 16


@dataclass(frozen=True, slots=True)
class Ranked:
    """A document (or a passage of it) in its place, before its text is fetched.

    ``passage`` is None where only the document as a whole or its citations brought it there. ``lexical`` and
    ``similarity`` are the passage's, as in ``Hit``.
    """

    document: int
    passage: int | None
    score: float
    lexical: float | None
    similarity: float | None


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
    ) -> None:
        self.library = library
        self.ranking = ranking or Ranking()
        self._embedder = embedder
        self.grammar = grammar
        self._tokenizer = tokenizer or Tokenizer()
        self._inside = InsideDocuments(library, self._tokenizer)
        self._lock = threading.Lock()
        self._allowed: OrderedDict[tuple[int, Filters], frozenset[int] | None] = OrderedDict()
        self._embedder_of_vectors = ""

    # -- documents -------------------------------------------------------------------------------------

    def search(self, text: str, k: int, filters: Filters, token: CancelToken) -> list[Hit]:
        """The ``k`` documents that fit ``text`` best, each with its best passage.

        ``text`` is prose without markup, a sentence or a long narrative. Raises ``Cancelled``.
        """
        query = self.query(text)
        return self.hits(self.rank(query, k, filters, token), query, token)

    def query(self, text: str) -> Query:
        """What ``text`` asks for."""
        citations = self.grammar.find(text) if self.grammar is not None else ()
        return build_query(text, self._tokenizer, citations)

    def rank(self, query: Query, k: int, filters: Filters, token: CancelToken) -> list[Ranked]:
        """As ``search``, without fetching authorities and texts. Raises ``Cancelled``."""
        documents = self._documents(filters)
        if query.empty or k <= 0 or documents == frozenset():
            return []
        stages = self._stages(query, documents, self._speaking(filters), token)
        best: dict[int, int] = {}
        owner = stages.documents_of_passages()
        for passage, _ in stages.fused_passages(self.ranking):
            best.setdefault(owner[passage], passage)
        lexical, nearest = stages.lexical.score_of(), stages.nearest.score_of()
        ranked = []
        named = dict(self._named(query, documents))
        others = [entry for entry in stages.fused(self.ranking, self._kind_of) if entry[0] not in named]
        for document, score in [*named.items(), *others][:k]:
            found = best.get(document)
            if found is None:
                ranked.append(Ranked(document, None, score, None, None))
            else:
                ranked.append(Ranked(document, found, score, lexical.get(found), nearest.get(found)))
        return ranked

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

    # -- passages --------------------------------------------------------------------------------------

    def search_passages(self, text: str, k: int, filters: Filters, token: CancelToken) -> list[Hit]:
        """The ``k`` passages that fit ``text`` best, however many of a document. Raises ``Cancelled``."""
        query = self.query(text)
        return self.hits(self.rank_passages(query, k, filters, token), query, token)

    def rank_passages(self, query: Query, k: int, filters: Filters, token: CancelToken) -> list[Ranked]:
        """As ``search_passages``, without fetching authorities and texts. Raises ``Cancelled``.

        The best documents are found first, and their passages ranked inside each (see ``InsideDocuments``)
        by words and by likeness. A passage's score is that of its ranks there, and its document's rank.
        """
        documents = self._documents(filters)
        if query.empty or k <= 0 or documents == frozenset():
            return []
        stages = self._stages(query, documents, self._speaking(filters), token)
        near = stages.nearest.score_of()
        near_in: dict[int, list[int]] = {}
        for passage, document in zip(stages.nearest.passages, stages.nearest.documents, strict=True):
            near_in.setdefault(document, []).append(passage)
        weights = [self.ranking.passages, stages.vector_weight(self.ranking)]
        ranked = []
        order = [document for document, _ in stages.fused(self.ranking, self._kind_of)]
        for place, document in enumerate(order[:SEARCHED_DOCUMENTS], 1):
            inside = self._inside.ranking(query, document, token)
            words = inside.score_of()
            rankings = [inside.passages, near_in.get(document, [])]
            for passage, score in rrf(rankings, weights):
                fused = score + 1 / (RRF_K + place)
                ranked.append(Ranked(document, passage, fused, words.get(passage), near.get(passage)))
        ranked.sort(key=lambda each: -each.score)
        return ranked[:k]

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
        self,
        query: Query,
        documents: frozenset[int] | None,
        speaking: frozenset[int] | None,
        token: CancelToken,
    ) -> Stages:
        library, ranking = self.library, self.ranking
        token.raise_if_cancelled()
        lexical = lexical_stage(library, query.terms, ranking.passage_depth, documents, token)
        token.raise_if_cancelled()
        whole: tuple[int, ...] = ()
        if ranking.documents:
            ids, _ = library.lexical_documents(
                query.terms, ranking.document_depth, documents, token, k1=ranking.k1, b=ranking.b
            )
            whole = tuple(int(document) for document in ids)
        token.raise_if_cancelled()
        nearest = self._nearest(query, lexical, documents, token)
        share = library.vector_share if nearest.passages else 0.0
        stages = Stages(lexical=lexical, nearest=nearest, documents=whole, vector_share=share)
        if not ranking.citing:
            return stages
        token.raise_if_cancelled()
        said = lexical, nearest
        if speaking != documents:
            # Judgments vouch for statutes also where only statutes are asked for.
            words = lexical_stage(library, query.terms, ranking.citing_depth, speaking, token)
            said = words, self._nearest(query, words, speaking, token)
        token.raise_if_cancelled()
        by_lexical, by_nearest = citing_stage(library, said, ranking.citing_depth, documents, token)
        return replace(stages, cited_by_lexical=by_lexical, cited_by_nearest=by_nearest)

    def _nearest(
        self, query: Query, lexical: PassageRanking, documents: frozenset[int] | None, token: CancelToken
    ) -> PassageRanking:
        """The passages most like the query, among those with a vector; none without an embedder."""
        embedder = self._usable_embedder() if self.ranking.vectors or self.ranking.citing else None
        if embedder is None:
            return PassageRanking()
        self.library.want(lexical.passages[:WANTED_PASSAGES])
        if not self.library.has_vectors:
            return PassageRanking()
        vector = embedder.encode([query.text])[0]
        token.raise_if_cancelled()
        return vector_stage(self.library, vector, self.ranking.vector_depth, documents, token)

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
        """The documents whose sentences and citations may count: all but what is left out by its path.

        A draft's own document, left out of the search, does not vouch for what it cites.
        """
        return self._documents(Filters(excluded=filters.excluded))

    def _documents(self, filters: Filters) -> frozenset[int] | None:
        key = (self.library.generation, filters)
        with self._lock:
            if key in self._allowed:
                self._allowed.move_to_end(key)
                return self._allowed[key]
        documents = allowed(self.library.authorities(), filters)
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

    def _with_passages(self, ranked: Sequence[Ranked], query: Query, token: CancelToken) -> list[Ranked]:
        """The same ranking with a passage for every document: its best by BM25, or else its first."""
        missing = {each.document for each in ranked if each.passage is None}
        found: dict[int, tuple[int, float | None]] = {}
        depth = 20 * len(missing)
        while missing and depth <= 20_000:
            stage = lexical_stage(self.library, query.terms, depth, frozenset(missing), token)
            for passage, document, score in zip(stage.passages, stage.documents, stage.scores, strict=True):
                found.setdefault(document, (passage, score))
            missing -= found.keys()
            if len(stage.passages) < depth:
                break
            depth *= 10
        for document in missing:
            first = self.library.passages(document)[:1]
            if first:
                found[document] = (first[0].id, None)
        return [
            replace(each, passage=found[each.document][0], lexical=found[each.document][1])
            if each.passage is None and each.document in found
            else each
            for each in ranked
        ]
