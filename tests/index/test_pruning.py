"""The best of a BM25 query are the same whether all passages are scored or only those that can be best."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.index import pruning
from lexls.index.bm25 import IncrementalBM25
from lexls.index.postings import DocumentPostings
from lexls.index.pruning import Impacts, Saturation, Scratch, find_best_units

VOCABULARY = 40
TERMS = {f"word{number}": number for number in range(VOCABULARY)}


def document(number: int, first_id: int, passages: list[list[int]]) -> DocumentPostings:
    """A document whose passages hold these terms."""
    counted = [np.unique(np.array(passage, np.int32), return_counts=True) for passage in passages]
    return DocumentPostings(
        number,
        list(range(first_id, first_id + len(passages))),
        np.cumsum([0] + [len(terms) for terms, _ in counted]).astype(np.int32),
        np.concatenate([np.empty(0, np.int32), *(terms for terms, _ in counted)]),
        np.concatenate([np.empty(0, np.int64), *(counts for _, counts in counted)]).astype(np.uint16),
    )


def library(count: int, seed: int, segments: int = 1, longest: int = 30) -> IncrementalBM25:
    """Documents of one to six passages of words by Zipf's law, added in so many goes.

    Ids fall from document to document, so that their order is not that of addition.
    """
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, VOCABULARY + 1)
    cumulative = np.cumsum(weights / weights.sum())
    index = IncrementalBM25(terms=TERMS)
    documents = []
    for number in range(count):
        passages = [
            np.searchsorted(cumulative, random.random(int(random.integers(0, longest)))).tolist()
            for _ in range(int(random.integers(1, 7)))
        ]
        documents.append(document(number + 1, 10 * (count - number), passages))
    for part in np.array_split(np.arange(count), segments):
        index.add_documents(documents[n] for n in part.tolist())
    return index


def unpruned_documents(
    index: IncrementalBM25, terms: list[int], weights: list[float], k1: float, b: float
) -> dict[int, float]:
    """The score of each document that holds a term, counted from the passages."""
    frequency = np.zeros((len(index.slots.document_ids), VOCABULARY))
    for segment in index._segments:
        lists = segment.passages
        for place, term in enumerate(lists.terms.tolist()):
            units, frequencies = lists.at(place)
            alive = index.slots.alive[units]
            np.add.at(frequency[:, term], index.slots.rows[units[alive]], frequencies[alive])
    lengths = frequency.sum(axis=1)
    live = index.slots.document_count
    scores = np.zeros(len(frequency))
    for term, weight in zip(terms, weights, strict=True):
        holding = int((frequency[:, term] > 0).sum())
        idf = np.log(1 + (live - holding + 0.5) / (holding + 0.5))
        norms = k1 * (1 - b + b * lengths / (lengths.sum() / live))
        scores += weight * idf * frequency[:, term] * (k1 + 1) / (frequency[:, term] + norms)
    ids = index.slots.document_ids.tolist()
    return {number: score for number, score in zip(ids, scores.tolist(), strict=True) if score > 0}


def best(scores: dict[int, float], k: int, among: Collection[int] | None) -> list[int]:
    kept = [number for number in scores if among is None or number in among]
    return sorted(kept, key=lambda number: (-round(scores[number], 9), number))[:k]


@settings(max_examples=150, deadline=None)
@given(
    count=st.integers(1, 60),
    seed=st.integers(0, 5),
    segments=st.integers(1, 4),
    removed=st.lists(st.integers(1, 60), max_size=8),
    asked=st.lists(
        st.tuples(st.integers(0, VOCABULARY - 1), st.sampled_from([0.0, 0.3, 1.0, 2.5])), max_size=9
    ),
    k=st.integers(1, 40),
    among=st.one_of(st.none(), st.frozensets(st.integers(1, 70), max_size=40)),
    shape=st.sampled_from([(1.5, 0.75), (2.0, 0.9), (1.2, 0.0)]),
    longest=st.sampled_from([3, 30]),
)
def test_pruning_changes_no_answer(
    count: int,
    seed: int,
    segments: int,
    removed: list[int],
    asked: list[tuple[int, float]],
    k: int,
    among: frozenset[int] | None,
    shape: tuple[float, float],
    longest: int,
) -> None:
    index = library(count, seed, segments, longest)
    terms, weights = [term for term, _ in asked], [weight for _, weight in asked]
    index.k1, index.b = shape
    index.prune_from = 0
    index.top(terms, k)  # what is computed here must not be used once documents are gone
    for number in removed:
        index.remove_document(number)
    pruned = index.top(terms, k, among, weights)
    index.prune_from = 1 << 60
    every = index.top(terms, k, among, weights)
    assert pruned[0].tolist() == every[0].tolist()
    np.testing.assert_allclose(pruned[1], every[1], rtol=1e-12)
    documents = index.top_documents(terms, k, among, *shape, weights=weights)
    expected = unpruned_documents(index, terms, weights, *shape) if index.slots.document_count else {}
    assert documents[0].tolist() == best(expected, k, among)
    np.testing.assert_allclose(documents[1], [expected[n] for n in documents[0].tolist()], rtol=1e-9)


@pytest.mark.parametrize("k", [1, 10, 300, 100_000])
@pytest.mark.parametrize("among", [None, range(1, 40), range(1, 4000, 2)])
def test_a_large_library_answers_the_same(k: int, among: Collection[int] | None) -> None:
    index = library(5_000, 7, 3)
    for number in range(1, 5_000, 9):
        index.remove_document(number)
    for terms in ([39, 38, 3, 2, 1, 0], [0], list(range(VOCABULARY))):
        index.prune_from = 0
        pruned = index.top(terms, k, among)
        index.prune_from = 1 << 60
        every = index.top(terms, k, among)
        assert pruned[0].tolist() == every[0].tolist()
        np.testing.assert_allclose(pruned[1], every[1], rtol=1e-12)


def test_only_what_can_be_among_the_best_is_scored_exactly() -> None:
    index = library(5_000, 7)
    lists = index._segments[0].passages
    saturation = Saturation(index._length_norms(), index.k1, index.b, index.avgdl)
    impacts = Impacts(lists)
    certain = impacts.use(saturation)
    asked = [impacts.at(place, saturation, 1.0 + place / 10) for place in (2, 9, 25)]
    units, scores = find_best_units(
        asked, saturation, certain, 10, None, None, Scratch(index.slots.count), 0.0
    )
    matching = len(np.unique(np.concatenate([each.units for each in asked])))
    assert 10 <= len(units) < matching / 20
    assert len(units) == len(scores)


def test_levels_bound_saturations_also_when_the_average_has_changed_a_little() -> None:
    index = library(300, 3)
    lists = index._segments[0].passages
    impacts = Impacts(lists)
    norms = index._length_norms()
    for change in (1.0, 1.009, 0.992, 1.05, 1.0):
        average = index.avgdl * change
        relative = (norms / index.k1 - (1 - index.b)) / change
        saturation = Saturation(index.k1 * (1 - index.b + relative), index.k1, index.b, average)
        certain = impacts.use(saturation)
        assert 0.97 < certain <= 1
        for place in range(len(lists.terms)):
            found = impacts.at(place, saturation, 1.0)
            exact = saturation.of(found.units, found.frequencies)
            step = (index.k1 + 1) / 255
            assert np.all(found.levels * step >= exact * (1 - 1e-12))
            assert np.all((found.levels - 1.0) * step * certain <= exact)
            assert found.bound == pytest.approx(found.levels.max() * step)


def test_more_terms_than_sixteen_bits_hold_are_scored_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    index = library(200, 1)
    index.prune_from = 0
    expected = index.top(list(range(20)), 15)
    monkeypatch.setattr(pruning, "_MOST_TERMS", 5)
    assert index.top(list(range(20)), 15)[0].tolist() == expected[0].tolist()


def test_a_document_that_comes_twice_at_once_is_refused_and_changes_nothing() -> None:
    index = library(3, 1)
    twice = [document(9, 500, [[1, 2]]), document(9, 600, [[3]])]
    with pytest.raises(ValueError, match="twice"):
        index.add_documents(twice)
    assert 9 not in index.slots
    assert index.slots.document_count == 3
