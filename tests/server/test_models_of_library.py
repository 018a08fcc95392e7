"""The model process that belongs to a library of the server."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from small_models import write_cross_encoder

from lexls.index.config import make_indexer_config
from lexls.index.session import open_library
from lexls.models.messages import ModelUnavailable
from lexls.retrieval.model import Filters
from lexls.retrieval.reranking.kept_with_library import MeasuredModel, keep_measured
from lexls.server.library_service import LibraryService
from lexls.server.session import Session
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken


def test_the_model_process_is_one_and_ends_with_the_library(tmp_path: Path) -> None:
    service = LibraryService(make_indexer_config([tmp_path], Settings(), tmp_path / "index.sqlite3"))
    models = service.models
    assert models.life == 0
    with pytest.raises(ModelUnavailable, match="is not on this machine"):
        list(models.answers("score", {"model": str(tmp_path / "none"), "word_pieces": 64}, ["weir"]))
    pid = models.life
    assert pid != 0
    assert service.models is models
    service.close()
    until = time.monotonic() + 30
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    with pytest.raises(ModelUnavailable, match="was closed"):
        list(service.models.answers("score", {"model": "any", "word_pieces": 64}))


def test_the_embedder_is_used_once_the_vectors_are_its_own(tmp_path: Path) -> None:
    folder, index = tmp_path / "library", tmp_path / "index.sqlite3"
    folder.mkdir()
    (folder / "weir.txt").write_text("Spar v Keel\n\n1. The owner of a weir lets the eels pass.\n", "utf-8")
    library, report = open_library([folder], index, Settings())
    before = library.status.embedder
    library.close()
    if report.no_vectors:
        pytest.skip(report.no_vectors)
    service = LibraryService(make_indexer_config([folder], Settings(embeddings_passage_cue="eels:"), index))
    try:
        until = time.monotonic() + 60
        while service.embedder is None:  # until the indexer has made the vectors anew
            assert time.monotonic() < until
            service.tick()
            time.sleep(0.05)
        assert service.library is not None
        assert before != service.embedder.name == service.library.status.embedder
    finally:
        service.close()


def test_a_cross_encoder_is_asked_once_it_was_measured_to_help(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder, index = tmp_path / "library", tmp_path / "index.sqlite3"
    folder.mkdir()
    for number, said in enumerate(("the carrier has a lien", "notice of the tenant", "the tidal weir")):
        text = f"---\ntitle: Case {number}\nkind: case\n---\n\n[1] A carrier and a tenant; {said}.\n"
        (folder / f"{number}.md").write_text(text, "utf-8")
    model = write_cross_encoder(tmp_path / "model").as_posix()
    (tmp_path / "lexls.toml").write_text(f'rerank.model = "{model}"\nembeddings.model = ""\n')
    service = LibraryService(make_indexer_config([folder], Settings(), index))
    service.library, _ = open_library([folder], index, Settings(embeddings_model=""), lexical_only=True)
    session = Session(tmp_path, {})
    session.service = service

    def search() -> list[int]:
        snapshot = session.empty_snapshot()
        assert snapshot is not None
        hits = snapshot.searcher.search("A tenant and a carrier at the weir.", 3, Filters(), CancelToken())
        return [hit.passage.id for hit in hits]

    try:
        plain = search()
        assert len(plain) == 3
        assert service.models.life == 0
        assert "has not measured it" in caplog.text
        keep_measured(index, MeasuredModel(model, 0.0, 100, 0.5, 0.4, 3))
        assert search() == plain
        assert service.models.life == 0
        keep_measured(index, MeasuredModel(model, 3.0, 100, 0.5, 0.6, 3))
        until = time.monotonic() + 60
        while search() == plain:  # until it is loaded
            assert time.monotonic() < until
            time.sleep(0.05)
        assert service.models.life != 0
    finally:
        service.close()
