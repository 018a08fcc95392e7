"""Define how documents are ranked: the stages of a search and their weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from lexls.retrieval.precedents import CaseWeights

RANKINGS = ("passages", "documents", "vectors", "citing", "precedents")
"""Stages that rank documents on their own; each has a weight in the fusion, 0 to disable it."""
REFINEMENTS = ("narratives", "prior", "rerank", "cross_encoder", "diversity", "clauses")
"""Stages that reorder what the others found; 0 or false disables them."""
STAGES = (*RANKINGS, *REFINEMENTS)


@dataclass(frozen=True, slots=True)
class Ranking:
    """How documents are ranked.

    Each stage's ranking has a weight in reciprocal rank fusion with the constant ``rrf_k``. ``passages``:
    BM25 over passages. ``documents``: BM25 over whole documents, which long narratives need and which also
    stabilises sentences. ``vectors``: similarity to the passages' vectors. ``citing``: authorities cited in
    the best passages, since a passage with the same statement as the query cites earlier authorities for it.
    Authorities cited in passages found by similarity count half. ``precedents``: authorities cited for
    similar past propositions, compared by ``case_weights``. ``k1`` and ``b`` are the BM25 parameters for
    whole documents. The depths limit the passages or documents of each stage.

    A document gets the score of its best passage. ``narratives``: a long statement of facts is ranked
    separately, with provisions apart from judgments, see ``rank_narrative`` (0: like a sentence). ``prior``:
    bonus for authorities often cited in the library; a score s becomes ``s · (1 + prior · p)`` with p from
    ``compute_priors``. ``rerank``: the first documents are reordered by a model learned from citing
    sentences, see ``rerank`` in ``lexls/retrieval/reranking/`` (0: off). ``cross_encoder``: number of top
    hits rescored by the user's cross-encoder, if there is one. ``diversity`` (0 to 1): penalty for similarity
    to an earlier hit. ``clauses``: passage searches use clause types (0: off). ``role_weights``: factors for
    passage scores by rhetorical role, such as ``{"RATIO": 1.2}``; none improved the results.

    The Git history of ``benchmarks/RESULTS.md`` explains how the numbers were chosen.
    """

    passages: float = 1.0
    documents: float = 1.0
    vectors: float = 0.5
    citing: float = 1.0
    precedents: float = 0.5
    rrf_k: int = 20
    k1: float = 2.0
    b: float = 0.9
    passage_depth: int = 500
    document_depth: int = 1000
    citing_depth: int = 200
    vector_depth: int = 500
    precedent_depth: int = 100
    case_weights: CaseWeights = field(default_factory=CaseWeights)
    narratives: float = 1.0
    prior: float = 0.0
    rerank: float = 1.0
    cross_encoder: int = 16
    diversity: float = 0.0
    clauses: float = 1.0
    role_weights: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def only(self, stage: str) -> Ranking:
        """Return this ranking with a single stage enabled. For a refinement, all stages in ``RANKINGS``
        remain enabled, but no other refinement. Raises ``KeyError`` for an unknown stage.
        """
        kept = {stage} if stage in RANKINGS else {*RANKINGS, stage}
        return self._without({each for each in STAGES if each not in kept}, stage)

    def without(self, stage: str) -> Ranking:
        """Return this ranking without one stage. Raises ``KeyError`` for an unknown stage."""
        return self._without({stage}, stage)

    def _without(self, stages: set[str], named: str) -> Ranking:
        if named not in STAGES:
            raise KeyError(named)
        off = {each: type(getattr(self, each))(0) for each in stages}
        return replace(self, **off)
