"""A search whose best hits a real cross-encoder, of random weights, reads once more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_models import write_cross_encoder

from lexls.index.library import Library
from lexls.models.encoder_clients import CrossEncoderClient
from lexls.retrieval.model import Filters, Hit
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.refinements import TrustedCrossEncoder, weigh_scores
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken

QUERY = "The duty of a ferryman, a landlord, a tenant and a carrier; hedges, luggage and rent."


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CrossEncoderClient]:
    made = CrossEncoderClient(str(write_cross_encoder(tmp_path_factory.mktemp("models") / "small")))
    yield made
    made.close()


def search(
    library: Library, ranking: Ranking, client: CrossEncoderClient | None, weight: float = 1.0
) -> list[Hit]:
    reader = TrustedCrossEncoder(client, weight) if client is not None else None
    searcher = Searcher(library, ranking=ranking, cross_encoder=lambda: reader)
    return searcher.search(QUERY, 5, Filters(), CancelToken())


@pytest.mark.parametrize("weight", [0.0, 0.5, 100.0])
def test_the_best_hits_stand_in_an_order_to_which_the_cross_encoder_counts(
    library: Library, client: CrossEncoderClient, weight: float
) -> None:
    ranking = Ranking(cross_encoder=3)
    plain, read = search(library, ranking, None), search(library, ranking, client, weight)
    assert len(plain) >= 4
    scores = client.scores(QUERY, [hit.passage.text for hit in plain[:3]])
    assert len(set(scores)) == 3
    standard = (np.array(scores) - np.mean(scores)) / np.std(scores)
    joined = weight * standard - np.log([1, 2, 3])
    expected = [plain[place].passage.id for place in np.argsort(-joined)]
    assert [hit.passage.id for hit in read[:3]] == expected
    assert [hit.passage.id for hit in read[3:]] == [hit.passage.id for hit in plain[3:]]
    assert [hit.score for hit in read] == [hit.score for hit in plain]


def test_a_heavy_weight_is_the_order_of_the_cross_encoder_and_none_the_order_without() -> None:
    scores = [0.2, 3.0, -1.0, 0.1]
    assert weigh_scores(scores, 100.0) == [1, 0, 3, 2]
    assert weigh_scores(scores, 0.0) == [0, 1, 2, 3]
    assert weigh_scores(scores, 0.3) == [0, 1, 2, 3]
    assert weigh_scores([0.5, 0.5], 2.0) == [0, 1]
    assert weigh_scores([], 2.0) == []


def test_candidates_of_one_score_keep_their_order() -> None:
    assert weigh_scores([1.0, 4.0, 1.0], 100.0) == [1, 0, 2]


def test_it_is_not_asked_where_the_ranking_leaves_it_out(
    library: Library, client: CrossEncoderClient
) -> None:
    off = Ranking().without("cross_encoder")
    assert search(library, off, client) == search(library, replace(off, cross_encoder=5), None)


def test_without_its_model_a_search_answers_as_without_it(library: Library, tmp_path: Path) -> None:
    missing = CrossEncoderClient(str(tmp_path / "no-such-model"))
    assert search(library, Ranking(), missing) == search(library, Ranking(), None)
    missing.close()
