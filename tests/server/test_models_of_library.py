"""The model process that belongs to a library of the server."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lexls.index.config import make_indexer_config
from lexls.models.messages import ModelUnavailable
from lexls.server.library_service import LibraryService
from lexls.settings.declaration import Settings


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
