"""Say how documents are ranked: which stages of a search count, and how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from lexls.retrieval.precedents import CaseWeights

RANKINGS = ("passages", "documents", "vectors", "citing", "precedents")
"""The stages that rank documents by themselves; each has a weight in the fusion, 0 to leave it out."""
REFINEMENTS = ("narratives", "prior", "rerank", "cross_encoder", "diversity", "clauses")
"""The stages that change the order of what the others found; 0 or false leaves them out."""
STAGES = (*RANKINGS, *REFINEMENTS)


@dataclass(frozen=True, slots=True)
class Ranking:
    """How documents are ranked.

    Each stage's ranking is weighted by its number and joined by reciprocal rank fusion with the constant
    ``rrf_k``. ``passages``: BM25 over passages. ``documents``: BM25 over whole documents, which long
    narratives need and which steadies sentences too. ``vectors``: similarity to the passages' vectors.
    ``citing``: the authorities cited inside the best passages, since a passage that says what the query says
    names those who said it before; those found by similarity count half. ``precedents``: the authorities that
    past propositions like the query were supported with, compared by ``case_weights``. ``k1`` and ``b`` are
    those of BM25 over whole documents. The depths say how many passages or documents of a stage take part.

    A document gets the score of its best passage. ``narratives``: a long statement of facts is ranked in a
    way of its own, provisions apart from judgments, see ``rank_narrative`` (0: as a sentence is). ``prior``
    is what it counts for an authority that the library cites often: a document's score s becomes
    ``s · (1 + prior · p)`` with p of ``citation_priors``.
    ``rerank``: the first documents are put into the order learnt from citing sentences, see ``rerank`` in
    ``lexls/retrieval/reranking/`` (0: they are not). ``cross_encoder``: so many of the best hits are read
    once more by the user's cross-encoder, where there is one.
    ``diversity`` (0 to 1) is how much a hit loses for being like one before it. ``clauses``: a search for
    passages knows kinds of clauses (0: it does not). ``role_weights`` has factors
    on the scores of passages by their rhetorical role, such as ``{"RATIO": 1.2}``; none was found to gain.

    How the numbers were chosen is in the Git history of ``benchmarks/RESULTS.md``.
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
        """This ranking with one stage alone; of a refinement, all rankings with this refinement alone.

        Raises ``KeyError`` for an unknown stage.
        """
        kept = {stage} if stage in RANKINGS else {*RANKINGS, stage}
        return self._without({each for each in STAGES if each not in kept}, stage)

    def without(self, stage: str) -> Ranking:
        """This ranking without one stage. Raises ``KeyError`` for an unknown stage."""
        return self._without({stage}, stage)

    def _without(self, stages: set[str], named: str) -> Ranking:
        if named not in STAGES:
            raise KeyError(named)
        off = {each: type(getattr(self, each))(0) for each in stages}
        return replace(self, **off)
