"""Vectors in memory: exact ones, and codes past some size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lexls.index import matrix
from lexls.index.connection import load_vector_extension, migrate, open_writer
from lexls.index.matrix import CodedRows, VectorMatrix
from lexls.index.vectors import PART_ROWS, VectorStore, rescore

DIMENSION = 300
"""No multiple of 64: the last word of bits is not full."""


def unit(count: int, seed: int = 0) -> NDArray[np.float32]:
    """Vectors around a hundred centres, with a mean that is not 0."""
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(99).normal(size=(100, DIMENSION))
    rows = centres[random.integers(0, 100, count)] + 0.7 * random.normal(size=(count, DIMENSION)) + 0.2
    scaled: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def filled(vectors: NDArray[np.float32], coded_from: int, part: int = 700) -> VectorMatrix:
    """Passage n (from 1) of document 1 + n // 10."""
    matrix = VectorMatrix(DIMENSION, coded_from)
    ids = np.arange(1, len(vectors) + 1)
    for start in range(0, len(vectors), part):
        piece = slice(start, start + part)
        matrix.put(ids[piece], 1 + ids[piece] // 10, vectors[piece])
    return matrix


def true_order(vectors: NDArray[np.float32], query: NDArray[np.float32]) -> list[int]:
    order: list[int] = (np.argsort(-(vectors @ query), kind="stable") + 1).tolist()
    return order


def test_up_to_its_limit_a_matrix_is_exact() -> None:
    vectors, queries = unit(3_000), unit(20, 1)
    matrix = filled(vectors, 3_000)
    assert matrix.exact
    for query in queries:
        ids, cosines = matrix.nearest(query, 25)
        assert ids.tolist() == true_order(vectors, query)[:25]
        np.testing.assert_allclose(cosines, (vectors @ query)[ids - 1], rtol=1e-5)


@pytest.mark.parametrize("expected", [0, 30_000])
def test_past_its_limit_it_finds_nearly_the_same_in_less_memory(expected: int) -> None:
    vectors, queries = unit(30_000), unit(30, 1)
    matrix = VectorMatrix(DIMENSION, 5_000)
    if expected:
        matrix.reserve(expected)
    ids = np.arange(1, len(vectors) + 1)
    for start in range(0, len(vectors), 1_000):
        piece = slice(start, start + 1_000)
        matrix.put(ids[piece], 1 + ids[piece] // 10, vectors[piece])
    assert not matrix.exact
    assert len(matrix) == 30_000
    found = [
        len({*matrix.nearest(query, 40)[0].tolist()} & {*true_order(vectors, query)[:10]})
        for query in queries
    ]
    assert sum(found) / 300 > 0.95
    held = (*vars(matrix).values(), *vars(matrix._codes).values())
    assert sum(each.nbytes for each in held if isinstance(each, np.ndarray)) < 0.5 * vectors.nbytes
    near, cosines = matrix.nearest(queries[0], 50)
    np.testing.assert_allclose(cosines, (vectors @ queries[0])[near - 1], atol=0.01)
    assert np.all(np.diff(cosines) <= 0)
    close = matrix.get(77)
    assert close is not None
    assert float(close @ vectors[76]) > 0.999


@pytest.mark.parametrize("coded_from", [100, 10_000_000])
def test_a_filter_is_searched_exactly_inside(coded_from: int) -> None:
    vectors = unit(30_000)
    matrix = filled(vectors, coded_from)
    query = unit(1, 5)[0]
    for documents in ([17], list(range(40, 60)), [4_000_000], []):
        inside = [n for n in true_order(vectors, query) if 1 + n // 10 in documents]
        ids, _ = matrix.nearest(query, 8, documents)
        # The first by codes may change places with the next; none is missed.
        assert len({*ids.tolist()} & {*inside[:8]}) >= min(8, len(inside)) - 1
        assert {*ids.tolist()} <= {*inside}
        assert {*matrix.nearest(query, 10_000, documents)[0].tolist()} == {*inside}
    wide, _ = matrix.nearest(query, 200, range(1, 3_000, 2))
    assert len(wide) == 200
    assert all((1 + n // 10) % 2 for n in wide.tolist())


@pytest.mark.parametrize("coded_from", [100, 10_000_000])
def test_what_is_removed_is_gone_and_its_place_is_used_again(coded_from: int) -> None:
    vectors = unit(2_000)
    matrix = filled(vectors, coded_from)
    query = vectors[499]
    assert matrix.nearest(query, 1)[0].tolist() == [500]
    matrix.remove_document(51)
    assert 500 not in matrix
    assert matrix.get(500) is None
    assert len(matrix) == 1_990
    assert not {*matrix.nearest(query, 2_000)[0].tolist()} & {*range(500, 510)}
    matrix.put(np.array([9_000]), np.array([700]), query[None, :])
    assert len(matrix) == 1_991
    assert matrix.nearest(query, 1)[0].tolist() == [9_000]
    assert 9_001 not in matrix
    assert -1 not in matrix


def test_an_empty_matrix_answers_nothing() -> None:
    ids, cosines = VectorMatrix(DIMENSION).nearest(unit(1)[0], 5)
    assert (len(ids), len(cosines)) == (0, 0)


def test_bits_are_counted_the_same_by_table() -> None:
    words = np.random.default_rng(3).integers(0, 2**63, 1_000).astype(np.uint64)
    expected = [bin(word).count("1") for word in words.tolist()]
    assert matrix._by_table(words).tolist() == expected
    assert matrix._count_bits(words).tolist() == expected


def test_codes_of_a_vector_of_zeros_are_zeros() -> None:
    rows = CodedRows(DIMENSION, np.zeros(DIMENSION, np.float32))
    rows.reserve(2)
    rows.put(np.array([1]), np.zeros((1, DIMENSION), np.float32))
    assert rows.get(np.array([1])).tolist() == [[0.0] * DIMENSION]


@pytest.mark.parametrize("extension", [True, False])
def test_a_store_gives_back_in_parts_what_it_was_given(tmp_path: Path, extension: bool) -> None:
    connection = open_writer(tmp_path / "index")
    migrate(connection)
    if extension and not load_vector_extension(connection):
        pytest.skip("no sqlite-vec on this platform")
    store = VectorStore(connection, extension)
    store.create(DIMENSION)
    vectors = unit(2 * PART_ROWS + 77)
    store.add(range(1, len(vectors) + 1), vectors)
    store.remove(range(5, 2_000, 3))
    kept = np.array([n for n in range(1, len(vectors) + 1) if not 5 <= n < 2_000 or (n - 5) % 3])
    parts = list(store.parts())
    assert len(parts) > 1
    assert store.count() == len(kept)
    ids, matrix = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(ids)
    assert ids[order].tolist() == kept.tolist()
    np.testing.assert_array_equal(matrix[order], vectors[kept - 1])
    if extension:
        chunks = "SELECT count(*) FROM vec_passages_chunks"
        before = list(connection.execute(chunks))
        store.rebuild()
        assert list(connection.execute(chunks)) < before
        assert {*np.concatenate([part for part, _ in store.parts()]).tolist()} == {*kept.tolist()}
    some, rows = store.of([4, 5, 2_000])
    assert sorted(some.tolist()) == [4, 2_000]
    np.testing.assert_array_equal(rows, vectors[some - 1])
    connection.close()


def test_rescored_passages_take_the_places_of_their_exact_cosines() -> None:
    vectors = unit(5)
    query = vectors[3]
    ids, cosines = rescore(
        np.array([1, 2, 4, 5, 9]), np.array([0.9, 0.8, 0.7, 0.6, -0.5]), query, np.arange(1, 6), vectors
    )
    exact = (vectors @ query).tolist()
    expected = sorted([(exact[n - 1], n) for n in (1, 2, 4, 5)] + [(-0.5, 9)], key=lambda each: -each[0])
    assert ids.tolist() == [n for _, n in expected]
    np.testing.assert_allclose(cosines, [score for score, _ in expected], rtol=1e-5)
