"""Learning the order of a library's hits from its own citing sentences."""

from __future__ import annotations

import numpy as np
import pytest

from lexls.evaluation.model_trial import CitingQuestion
from lexls.evaluation.order_learning import (
    FEWEST_SENTENCES,
    DescribedSentence,
    learn,
    learn_order,
    measure_order,
)
from lexls.retrieval.reranking.candidates import Described
from lexls.retrieval.reranking.reranker import RerankerWeights

NAMES = ("words", "citers")
HITS = 12
BROUGHT = RerankerWeights(NAMES, np.zeros(2), np.ones(2), np.array([1.0, 0.0]))
"""Looks at words alone."""


def sentences(count: int, by: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[DescribedSentence]:
    """Sentences of which each cites the hit that is first by these weights, five of a document."""
    chance = np.random.default_rng(5)
    found = []
    for number in range(count):
        rows = chance.normal(size=(HITS, 2))
        cited = int(np.argmax(rows @ by))
        question = CitingQuestion(number // 5, f"Sentence {number}", frozenset({cited}))
        features = {name: rows[:, column] for column, name in enumerate(NAMES)}
        hits = tuple(range(HITS))
        found.append(DescribedSentence(question, Described(hits, hits, features, True)))
    return found


def test_what_a_library_cites_by_is_learnt_and_measured_on_unseen_documents() -> None:
    found = learn_order(sentences(200, np.array([0.0, 1.0])), BROUGHT, 5)
    assert found.helps
    assert found.sentences == 200
    assert found.after[0] > found.before[0] + 0.3
    assert found.after[1] > found.before[1]
    assert found.weights.weights[1] > found.weights.weights[0]


def test_where_the_order_is_right_already_learning_does_not_help() -> None:
    found = learn_order(sentences(200, np.array([1.0, 0.0])), BROUGHT, 5)
    assert found.before == (1.0, 1.0)
    assert not found.helps


def test_chance_is_not_believed() -> None:
    chance = np.random.default_rng(8)
    cites = [
        DescribedSentence(
            CitingQuestion(each.question.citing, "", frozenset({int(chance.integers(HITS))})), each.described
        )
        for each in sentences(200, np.array([1.0, 0.0]))
    ]
    assert not learn_order(cites, BROUGHT, 5).helps


def test_few_sentences_are_not_believed_whatever_they_gain() -> None:
    found = learn_order(sentences(FEWEST_SENTENCES - 1, np.array([0.0, 1.0])), BROUGHT, 5)
    assert found.after[0] > found.before[0]
    assert not found.helps


def test_sentences_that_teach_nothing_are_an_error() -> None:
    nothing = [
        DescribedSentence(CitingQuestion(1, "", frozenset({HITS})), each.described)
        for each in sentences(60, np.array([1.0, 0.0]))
    ]
    with pytest.raises(ValueError, match="no query"):
        learn_order(nothing, BROUGHT, 5)


def test_a_high_ridge_keeps_what_was_brought_and_a_low_one_follows_the_sentences() -> None:
    told = sentences(100, np.array([0.0, 1.0]))
    lists, cited = [each.read(NAMES) for each in told], [each.cited for each in told]
    near = learn(NAMES, lists, cited, 1e9, BROUGHT)
    assert near.weights == pytest.approx(BROUGHT.weights, abs=1e-3)
    far = learn(NAMES, lists, cited, 1e-2, BROUGHT)
    assert far.weights[1] > 10 * abs(far.weights[0])
    anew = learn(NAMES, lists, cited, 1e-2)
    assert anew.means == pytest.approx(np.concatenate(lists).mean(axis=0))


def test_an_order_is_measured_by_the_first_hit_and_by_what_is_found() -> None:
    cited = np.array([False, True, False, True])
    assert measure_order(np.array([4.0, 3.0, 2.0, 1.0]), cited, 4).tolist() == [0.5, 0.0, 0.5, 0.5]
    assert measure_order(np.zeros(0), np.zeros(0, np.bool_), 1).tolist() == [0.0, 0.0, 0.0, 0.0]
