from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lexls.evaluation.asking import open_benchmark
from lexls.evaluation.sampling import Sample, draw_documents
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken

DOCUMENTS = {
    "weir": "The weir of the miller stands in the river.",
    "dam": "A dam is like a weir, but no weir of a miller.",
    "mill": "The miller grinds corn.",
    "eels": "Eels swim in ponds.",
    "bells": "Bells ring.",
    "hops": "Hops grow.",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("sampled")
    for name, text in DOCUMENTS.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    index = tmp_path_factory.mktemp("index") / "index.sqlite"
    library, _ = open_library([folder], index, Settings(embeddings_model=""), lexical_only=True)
    yield library
    library.close()


def sampled(library: Library, folder: Path, count: int, citing: str = "") -> tuple[set[str], Sample]:
    line = {"id": "a", "text": "the weir of the miller", "gold": ["weir"]}
    (folder / "questions.jsonl").write_text(
        json.dumps(line | ({"citing": citing} if citing else {})), encoding="utf-8"
    )
    sample = draw_documents(
        open_benchmark(folder / "questions.jsonl"), Searcher(library), count, CancelToken()
    )
    return {each.relative[:-4] for each in library.catalogue.all() if each.id in sample.documents}, sample


def test_what_is_asked_for_comes_first_then_what_is_mistaken_for_it(library: Library, tmp_path: Path) -> None:
    assert sampled(library, tmp_path, 1)[0] == {"weir"}
    assert sampled(library, tmp_path, 2)[0] == {"weir", "dam"}
    names, sample = sampled(library, tmp_path, 3)
    assert names == {"weir", "dam", "mill"}
    assert (sample.relevant, sample.mistaken) == (1, 2)


def test_the_citing_document_is_not_mistaken(library: Library, tmp_path: Path) -> None:
    assert sampled(library, tmp_path, 2, citing="dam")[0] == {"weir", "mill"}


def test_others_are_drawn_by_lot_and_always_the_same(library: Library, tmp_path: Path) -> None:
    names, sample = sampled(library, tmp_path, 5)
    assert len(names) == 5
    assert {"weir", "dam", "mill"} < names
    assert sampled(library, tmp_path, 5)[1] == sample
    assert sampled(library, tmp_path, 99)[0] == set(DOCUMENTS)
