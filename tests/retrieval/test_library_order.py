"""The order learnt on a library, which lies beside its index."""

from __future__ import annotations

import json
import logging
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lexls.retrieval.reranking.kept_with_library import (
    LibraryOrder,
    OrderUnusable,
    drop_order,
    find_order,
    keep_order,
    read_order,
)
from lexls.retrieval.reranking.reranker import Reranker, load_learnt, write_weights


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite3"


@pytest.fixture
def learnt() -> Reranker:
    brought = load_learnt().by_words
    return replace(load_learnt(), recipe="taught", by_words=replace(brought, weights=-brought.weights))


def test_what_was_kept_is_used_until_it_is_dropped(index: Path, learnt: Reranker) -> None:
    order = LibraryOrder(index)
    assert order.read() is load_learnt()
    keep_order(index, learnt)
    used = order.read()
    assert used.recipe == "taught"
    np.testing.assert_allclose(used.by_words.weights, learnt.by_words.weights)
    assert order.read() is used, "a file that has not changed is not read again"
    drop_order(index)
    assert order.read() is load_learnt()
    drop_order(index)


def test_what_lexls_brings_is_not_kept_so_that_the_next_version_may_bring_another(
    index: Path, learnt: Reranker
) -> None:
    keep_order(index, learnt)
    assert "with_vectors" not in json.loads(find_order(index).read_text("utf-8"))
    kept = read_order(index)
    assert kept is not None
    assert kept.with_vectors is load_learnt().with_vectors


def test_it_is_readable_by_its_owner_alone(index: Path, learnt: Reranker) -> None:
    keep_order(index, learnt)
    assert stat.S_IMODE(find_order(index).stat().st_mode) == 0o600
    assert [path.name for path in index.parent.iterdir()] == [f"{index.name}-order"]


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"recipe": 1, "with_vectors": [], "by_words": {}}', "\0"]
)
def test_a_file_that_is_none_is_told_once_and_does_not_count(
    index: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    find_order(index).write_text(content)
    with pytest.raises(OrderUnusable, match="no order that `lexls tune --learn` has written"):
        read_order(index)
    order = LibraryOrder(index)
    with caplog.at_level(logging.WARNING):
        assert order.read() is load_learnt()
        assert order.read() is load_learnt()
    assert len(caplog.records) == 1
    assert str(find_order(index)) in caplog.text


def test_one_of_other_features_is_to_be_learnt_anew(index: Path, learnt: Reranker) -> None:
    fewer = replace(
        learnt.by_words,
        names=learnt.by_words.names[1:],
        means=learnt.by_words.means[1:],
        scales=learnt.by_words.scales[1:],
        weights=learnt.by_words.weights[1:],
    )
    find_order(index).write_text(write_weights(replace(learnt, by_words=fewer)))
    with pytest.raises(OrderUnusable, match="another version of lexls"):
        read_order(index)
