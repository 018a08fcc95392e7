"""A new index takes over what others of the same user know of its own files, and nothing else."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_law import judgment

from lexls.index.config import find_default_path, make_indexer_config
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.siblings import seed_index, take_over_vectors
from lexls.index.store import Store
from lexls.index.verify import compare_indexes
from lexls.settings.declaration import Settings

SETTINGS = Settings(jurisdiction="UK", embeddings_model="")
WIDTH = 8


def write(folder: Path, first: int, words: str, count: int = 3) -> Path:
    folder.mkdir(exist_ok=True)
    for number in range(first, first + count):
        (folder / f"{number}.md").write_text(judgment(number, f"The {words} of {number} was sold."))
    return folder


def index(*folders: Path) -> tuple[Path, int]:
    """Index these folders as the command line and the indexer's process do; the index, and how many
    documents were read."""
    config = make_indexer_config(folders, SETTINGS)
    seed_index(config)
    with closing(Indexer(config)) as indexer:
        return config.index, indexer.reconcile().added


def embed(path: Path) -> int:
    """Give a vector to each passage that has none; how many had to be made."""
    with closing(Store(path)) as store:
        folders = map(Path, json.loads(store.meta("folders")))
        config = make_indexer_config(folders, SETTINGS)
        store.use_embedder("made", WIDTH)
        passages = [passage for passage, _ in store.pending(1000)]
        take_over_vectors(store, config, passages, set())
        left = store.pending(1000)
        chance = np.random.default_rng(len(left)).normal(size=(len(left), WIDTH)).astype(np.float32)
        store.put_vectors([passage for passage, _ in left], chance)
        return len(left)


def test_an_index_of_the_same_library_and_another_matter_takes_over_the_library_alone(tmp_path: Path) -> None:
    common = write(tmp_path / "common", 1, "lighter")
    one, two = write(tmp_path / "one", 10, "zirconium"), write(tmp_path / "two", 20, "orchard")
    first, read = index(common, one)
    assert read == 6
    assert embed(first) > 0
    with closing(Store(first)) as store:
        marks = [vector for _, vector in store.vectors.get(passage for passage in range(1, 100))]
    second, read = index(common, two)
    assert read == 3
    content = second.read_bytes()
    assert b"lighter" in content
    for secret in (b"zirconium", b"Zirconium", str(one).encode(), b"10.md"):
        assert secret not in content
    assert b"zirconium" in first.read_bytes()
    assert sum(mark in content for mark in marks) == len(marks) // 2
    with closing(Library(second)) as library:
        assert {each.path.parent for each in library.catalogue.all()} == {common, two}


def test_what_begins_with_another_index_is_as_if_it_had_been_read(tmp_path: Path) -> None:
    common, one = write(tmp_path / "common", 1, "lighter"), write(tmp_path / "one", 10, "anchor")
    index(common, one)
    second, _ = index(common)
    apart = tmp_path / "apart.sqlite3"
    with closing(Indexer(replace(make_indexer_config([common], SETTINGS), index=apart))) as indexer:
        indexer.reconcile()
    assert compare_indexes(second, apart) == []


def test_one_that_stands_alone_takes_over_nothing(tmp_path: Path) -> None:
    common = write(tmp_path / "common", 1, "lighter")
    index(common, write(tmp_path / "one", 10, "anchor"))
    config = replace(make_indexer_config([common], SETTINGS), alone=True)
    seed_index(config)
    assert not config.index.exists()


@pytest.mark.parametrize("change", [{"jurisdiction": "US"}, {"passages_max_chars": 900}])
def test_an_index_that_reads_files_otherwise_is_no_beginning(
    tmp_path: Path, change: dict[str, object]
) -> None:
    common = write(tmp_path / "common", 1, "lighter")
    index(common, write(tmp_path / "one", 10, "anchor"))
    config = make_indexer_config([common], replace(SETTINGS, **change))
    seed_index(config)
    assert not config.index.exists()


def test_vectors_are_found_by_content_wherever_the_files_lie(tmp_path: Path) -> None:
    first, _ = index(write(tmp_path / "old", 1, "lighter"))
    assert embed(first) > 0
    second, read = index(write(tmp_path / "new", 1, "lighter"), write(tmp_path / "more", 10, "anchor", 1))
    assert read == 4
    with closing(Store(second)) as store:
        new = len(store.pending(1000))
    assert 0 < embed(second) < new
    with closing(Store(first)) as one, closing(Store(second)) as other:
        vectors = [{bytes(v) for _, v in each.vectors.get(range(1, 100))} for each in (one, other)]
    assert vectors[0] < vectors[1]


def test_a_smaller_folder_that_comes_leaves_the_library_complete(tmp_path: Path) -> None:
    common, more = write(tmp_path / "common", 1, "lighter", 5), write(tmp_path / "more", 10, "anchor", 2)
    path, _ = index(common)
    states: list[bool] = []

    def look(_: object) -> None:
        with closing(Library(path)) as library:
            states.append(library.complete)

    for folders in ([common, more], [common], [common, write(tmp_path / "big", 20, "orchard", 9)]):
        states.clear()
        config = replace(make_indexer_config(folders, SETTINGS), index=path)
        with closing(Indexer(config, look)) as indexer:
            indexer.reconcile()
        assert all(states) == (len(folders) == 1 or more in folders)
    assert find_default_path([common.resolve()]) == path
