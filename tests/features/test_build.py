"""Settings of a search and the ranking they ask for."""

from __future__ import annotations

from dataclasses import replace

from lexls.features.build import make_ranking
from lexls.retrieval.ranking import Ranking
from lexls.settings.declaration import Settings


def test_the_settings_as_delivered_ask_for_the_ranking_that_was_measured() -> None:
    assert make_ranking(Settings()) == Ranking()


def test_a_stage_is_left_out_by_its_weight() -> None:
    settings = replace(Settings(), search_weights_vectors=0.0, search_rrf_k=60, search_diversity=0.2)
    assert make_ranking(settings) == replace(Ranking(), vectors=0.0, rrf_k=60, diversity=0.2)
