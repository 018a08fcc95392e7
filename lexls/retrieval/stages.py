"""The stages of a search, each a ranking of documents with the passage that brought each there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexls.retrieval.fusion import rrf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.library import Library
    from lexls.text.cancel import CancelToken


@dataclass(frozen=True, slots=True)
class Ranking:
    """How documents are ranked.

    Each stage's ranking is weighted by its number and joined by reciprocal rank fusion. ``passages``: BM25
    over passages, a document ranked by its best one. ``documents``: BM25 over whole documents, which long
    narratives need and which steadies sentences too. ``vectors``: likeness to the passages' vectors.
    ``citing``: what of the weight of each ranking of passages goes, over and above, to the authorities cited
    inside its best ones, since a passage that says what the query says names those who said it before.
    ``k1`` and ``b`` are those of BM25 over whole documents. The depths
    say how many passages or documents of a stage take part. How the numbers were chosen is in
    ``benchmarks/results/retrieval.md``.
    """

    passages: float = 1.0
    documents: float = 1.0
    citing: float = 0.5
    vectors: float = 0.5
    k1: float = 2.0
    b: float = 0.9
    passage_depth: int = 500
    document_depth: int = 1000
    citing_depth: int = 200
    vector_depth: int = 500


@dataclass(frozen=True, slots=True)
class PassageRanking:
    """Passages, best first, with their documents and scores."""

    passages: tuple[int, ...] = ()
    documents: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()

    def best_documents(self) -> list[int]:
        """The documents in the order of their best passages."""
        return list(dict.fromkeys(self.documents))

    def score_of(self) -> dict[int, float]:
        """Passage → score."""
        return dict(zip(self.passages, self.scores, strict=True))


@dataclass(frozen=True, slots=True)
class Stages:
    """What the stages found; a stage that did not run is empty.

    ``documents`` are document ids, best first; ``cited_by_lexical`` and ``cited_by_nearest`` those of the
    authorities cited in the best passages of each ranking, in the order of these passages. ``vector_share``
    is the part of the library's passages that have a vector.
    """

    lexical: PassageRanking = field(default_factory=PassageRanking)
    nearest: PassageRanking = field(default_factory=PassageRanking)
    documents: tuple[int, ...] = ()
    cited_by_lexical: tuple[int, ...] = ()
    cited_by_nearest: tuple[int, ...] = ()
    vector_share: float = 1.0

    def vector_weight(self, ranking: Ranking) -> float:
        """The weight of likeness while only a share of the passages have vectors.

        It falls with the square of that share: a document must not come first merely because its vectors
        were made before others' (at full weight a quarter of the vectors is worse than none).
        """
        return ranking.vectors * self.vector_share**2

    def fused(self, ranking: Ranking) -> list[tuple[int, float]]:
        """The documents with their fused scores, best first."""
        vectors = self.vector_weight(ranking)
        return rrf(
            [
                self.lexical.best_documents(),
                self.documents,
                self.nearest.best_documents(),
                self.cited_by_lexical,
                self.cited_by_nearest,
            ],
            [
                ranking.passages,
                ranking.documents,
                vectors,
                ranking.passages * ranking.citing,
                vectors * ranking.citing,
            ],
        )

    def fused_passages(self, ranking: Ranking) -> list[tuple[int, float]]:
        """The passages that BM25 or likeness returned, with their fused scores, best first."""
        return rrf(
            [self.lexical.passages, self.nearest.passages], [ranking.passages, self.vector_weight(ranking)]
        )

    def documents_of_passages(self) -> Mapping[int, int]:
        """Passage → document, for every passage that a stage returned."""
        pairs = dict(zip(self.lexical.passages, self.lexical.documents, strict=True))
        pairs.update(zip(self.nearest.passages, self.nearest.documents, strict=True))
        return pairs


def lexical_stage(
    library: Library,
    terms: Sequence[str],
    depth: int,
    documents: frozenset[int] | None,
    token: CancelToken,
) -> PassageRanking:
    """BM25 over passages."""
    ids, scores = library.lexical(terms, depth, documents, token)
    return _ranking(library, ids, scores)


def vector_stage(
    library: Library,
    vector: NDArray[np.float32],
    depth: int,
    documents: frozenset[int] | None,
    token: CancelToken,
) -> PassageRanking:
    """Likeness to the passages that have vectors so far."""
    ids, cosines = library.nearest(vector, depth, documents, token)
    return _ranking(library, ids, cosines)


def citing_stage(
    library: Library,
    rankings: Sequence[PassageRanking],
    depth: int,
    documents: frozenset[int] | None,
    token: CancelToken,
) -> list[tuple[int, ...]]:
    """For each ranking the authorities cited in its first ``depth`` passages, in the order of these.

    Only passages that may answer speak for others, so that a draft's own document, left out of the search,
    does not vouch for what it cites.
    """
    asked = dict.fromkeys(passage for ranking in rankings for passage in ranking.passages[:depth])
    cited_in: dict[int, list[int]] = {}
    for passage, cited in library.cited_in(asked, token):
        if documents is None or cited in documents:
            cited_in.setdefault(passage, []).append(cited)
    return [
        tuple(dict.fromkeys(cited for p in ranking.passages[:depth] for cited in cited_in.get(p, ())))
        for ranking in rankings
    ]


def _ranking(library: Library, ids: Iterable[int], scores: Iterable[float]) -> PassageRanking:
    passages = [int(passage) for passage in ids]
    documents = library.documents_of(passages)
    # Between two questions the library may have moved on: what is gone has document 0.
    found = [row for row in zip(passages, documents, scores, strict=True) if row[1]]
    return PassageRanking(
        tuple(passage for passage, _, _ in found),
        tuple(document for _, document, _ in found),
        tuple(float(score) for _, _, score in found),
    )
