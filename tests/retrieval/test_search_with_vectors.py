from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lexls.index.embedding import open_embedder
from lexls.index.embedding.protocol import Embedder
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.models.messages import ModelUnavailable
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken

DOCUMENTS = {
    "hound.txt": "Tarrant v Oake\n\n1. The keeper of a dog that bites a postman must pay for the wound.\n",
    "roof.txt": "Slate v Thatch\n\n1. The builder of a roof warrants that rain will not come through it.\n",
    "ship.txt": "Spar v Keel\n\n1. The master of a ship decides alone when she leaves the harbour.\n",
}


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    try:
        return open_embedder()
    except ModelUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def library(embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("authorities")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    library, report = open_library([folder], index, Settings())
    assert not report.no_vectors
    assert library.vector_share == 1.0
    yield library
    library.close()


def test_what_shares_no_word_is_found_by_likeness(library: Library, embedder: Embedder) -> None:
    question = "Liability for injuries caused by pet animals"
    assert Searcher(library).search(question, 3, Filters(), CancelToken()) == []
    hits = Searcher(library, lambda: embedder).search(question, 3, Filters(), CancelToken())
    assert hits[0].authority.relative == "hound.txt"
    assert hits[0].lexical is None
    assert hits[0].similarity is not None
    assert hits[0].similarity > 0.2


def test_vectors_of_another_model_are_not_compared(library: Library, embedder: Embedder) -> None:
    class Renamed:
        name = "another model"
        dimension = embedder.dimension
        encode = embedder.encode

    question = "Liability for injuries caused by pet animals"
    assert Searcher(library, Renamed).search(question, 3, Filters(), CancelToken()) == []
