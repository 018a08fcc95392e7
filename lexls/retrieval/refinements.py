"""Refine a ranking: by citations and treatment of an authority, by a cross-encoder, and by diversity."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from lexls.models.messages import ModelUnavailable
from lexls.retrieval.model import Ranked, sort_best_first

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.models.encoder_clients import CrossEncoderClient
    from lexls.text.cancel import CancelToken

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class TrustedCrossEncoder:
    """A cross-encoder, and its weight relative to the previous order (see ``weigh_scores``)."""

    client: CrossEncoderClient
    weight: float


OpenCrossEncoder = Callable[[], TrustedCrossEncoder | None]
"""Returns the user's cross-encoder. Returns None until it is loaded, and if it is not known to help."""
BAD_LAW = 0.75
"""Score factor for an authority that is no longer good law according to the library. The sentence may still
refer to it, but better authorities should come first.
"""


def compute_priors(
    library: SearchableIndex, documents: Iterable[int], speaking: frozenset[int] | None
) -> dict[int, float]:
    """Return ``ln(1 + n)`` for each of ``documents``, where n is the number of documents in ``speaking``
    (None: all) that cite it.

    An authority that is no longer good law according to the library, and not only in part, gets 0.
    """
    priors: dict[int, float] = {}
    for document in documents:
        citers = library.graph.citers(document)
        count = len(citers) if speaking is None else len(citers & speaking)
        priors[document] = 0.0 if count and is_bad_law(library, document, speaking) else math.log1p(count)
    return priors


def weigh_citations(
    library: SearchableIndex,
    documents: list[tuple[int, float]],
    prior: float,
    speaking: frozenset[int] | None,
) -> list[tuple[int, float]]:
    """Raise the scores of ``documents`` by ``prior`` according to their citations; see ``Ranking.prior``."""
    if not prior:
        return documents
    priors = compute_priors(library, (document for document, _ in documents), speaking)
    return sort_best_first(
        {document: score * (1 + prior * priors[document]) for document, score in documents}
    )


def demote_bad_law(
    library: SearchableIndex, documents: list[tuple[int, float]], speaking: frozenset[int] | None
) -> list[tuple[int, float]]:
    """Lower the scores of ``documents`` that are no longer good law."""
    return sort_best_first(
        {
            document: score * (BAD_LAW if is_bad_law(library, document, speaking) else 1.0)
            for document, score in documents
        }
    )


def is_bad_law(library: SearchableIndex, document: int, speaking: frozenset[int] | None) -> bool:
    """Return whether a document in ``speaking`` (None: any) states that this one is no longer good law, and
    not only in part.
    """
    worst = library.graph.find_worst_treatment(document)
    return worst is not None and not worst.extent and (speaking is None or worst.citing in speaking)


def diversify(
    items: Sequence[Item],
    score: Callable[[Item], float],
    vector: Callable[[Item], NDArray[np.float32] | None],
    strength: float,
    depth: int,
) -> list[Item]:
    """Reorder the first ``depth`` items to separate similar ones; the rest follows unchanged.

    This is maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998): the next item has the highest
    ``(1 − strength) · score / best score − strength · cosine to the most similar one before it``. Vectors
    have unit length; an item without one (None) is similar to no other. ``strength`` ranges from 0 (no
    change) to 1.
    """
    chosen: list[Item] = []
    waiting = list(items[:depth])
    best = max((score(item) for item in waiting), default=0.0)
    if strength <= 0 or best <= 0:
        return list(items)
    vectors = {id(item): vector(item) for item in waiting}
    similarity = {id(item): 0.0 for item in waiting}
    while waiting:
        following = max(
            waiting, key=lambda item: (1 - strength) * score(item) / best - strength * similarity[id(item)]
        )
        waiting.remove(following)
        chosen.append(following)
        ours = vectors[id(following)]
        if ours is None:
            continue
        for item in waiting:
            theirs = vectors[id(item)]
            if theirs is not None:
                similarity[id(item)] = max(similarity[id(item)], float(ours @ theirs))
    return [*chosen, *items[depth:]]


def weigh_scores(scores: Sequence[float], weight: float) -> list[int]:
    """Return the indices of items in an order that combines their places with a model's ``scores``.

    The item in place r (from 1) gets ``−ln r`` plus ``weight`` times its score, standardised among
    ``scores``. A ``weight`` of 0 keeps the order, and a model that hardly distinguishes the items moves them
    little.
    """
    mean = sum(scores) / max(len(scores), 1)
    spread = math.sqrt(sum((score - mean) ** 2 for score in scores) / max(len(scores), 1))
    if not spread:
        return list(range(len(scores)))
    joined = [weight * (score - mean) / spread - math.log(place + 1) for place, score in enumerate(scores)]
    return sorted(range(len(scores)), key=lambda place: -joined[place])


def reread(
    reader: TrustedCrossEncoder,
    library: SearchableIndex,
    text: str,
    ranked: Sequence[Ranked],
    token: CancelToken,
) -> list[Ranked]:
    """Reorder ``ranked`` by combining its order with how well the passages match ``text`` according to the
    cross-encoder.

    Hits without a passage come after the others. The scores are not moved with the hits: each place keeps its
    score, since a cross-encoder's scores cannot be compared with those of other hits. If the model is
    unavailable, the order is unchanged. Raises ``Cancelled``.
    """
    wanted = [each.passage for each in ranked if each.passage is not None]
    texts = {record.id: record.text for record in library.contents.passage_records(wanted, token)}
    read = [each for each in ranked if each.passage in texts]
    unread = [each for each in ranked if each.passage not in texts]
    try:
        scores = reader.client.scores(text, [texts[each.passage or 0] for each in read], token)
    except ModelUnavailable:
        return list(ranked)
    order = [*(read[place] for place in weigh_scores(scores, reader.weight)), *unread]
    return [replace(each, score=place.score) for each, place in zip(order, ranked, strict=True)]
