"""Having a cross-encoder read the best hits once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lexls.models.cross_encoder import rerank_with_cross_encoder
from lexls.models.unavailable import ModelUnavailable
from lexls.retrieval.model import Ranked

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex
    from lexls.models.cross_encoder import CrossEncoderClient
    from lexls.text.cancel import CancelToken


def read_again(
    client: CrossEncoderClient,
    library: SearchableIndex,
    text: str,
    ranked: Sequence[Ranked],
    token: CancelToken,
) -> list[Ranked]:
    """``ranked`` in the order of how well the passages of the hits fit ``text``.

    Hits without a passage stay behind those that were read. The scores stay with the places, since those of a
    cross-encoder cannot be compared with the scores of hits that it did not read. Where the model is not to
    be had the order stays: a search without it is better than none. Raises ``Cancelled``.
    """
    wanted = [each.passage for each in ranked if each.passage is not None]
    texts = {record.id: record.text for record in library.passage_records(wanted, token)}
    pairs = [(each, texts[each.passage]) for each in ranked if each.passage in texts]
    unread = [each for each in ranked if each.passage not in texts]
    try:
        scored = rerank_with_cross_encoder(client, text, pairs, token)
    except ModelUnavailable:
        return list(ranked)
    order = [*(each for each, _ in scored), *unread]
    return [replace(each, score=place.score) for each, place in zip(order, ranked, strict=True)]
