"""A file that takes down the process that reads it with others is reported; the others are indexed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from small_law import judgment

from lexls.index import update
from lexls.index.config import IndexerConfig
from lexls.index.reconcile import FileKey, FileState
from lexls.index.store import Store
from lexls.index.update import POOL_FROM_FILES, Tally, Updater

FILES = POOL_FROM_FILES + 6
HARM: Mapping[str, Callable[[], object]] = {
    "crash": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "memory": lambda: bytes(2**62),
    "endless": lambda: time.sleep(3600),
}


@dataclass(frozen=True, slots=True)
class HarmfulFile(FileState):
    """A file that does ``HARM`` to the process that reads it, not to the one that writes the index."""

    harm: str

    @property
    def path(self) -> Path:
        """The absolute path."""
        if multiprocessing.parent_process() is not None:
            HARM[self.harm]()
        return self.key.path


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        ("crash", "its reader crashed"),
        ("memory", "too large for the memory of this machine"),
        pytest.param("endless", "took longer than 300 s to read", marks=pytest.mark.slow),
    ],
)
def test_only_the_file_at_fault_is_reported(
    folder: Path, config: IndexerConfig, monkeypatch: pytest.MonkeyPatch, harm: str, reason: str
) -> None:
    if harm == "endless":
        monkeypatch.setattr(update, "SECONDS_A_FILE", 10.0)
    files = []
    for number in range(FILES):
        path = folder / f"{number}.md"
        path.write_text(judgment(number, "The pilot ran the lighter aground."))
        found = path.stat()
        files.append(FileState(FileKey(str(folder), path.name), found.st_size, found.st_mtime_ns))
    # Amid those that one process reads together.
    bad = FILES // 4
    files[bad] = HarmfulFile(files[bad].key, files[bad].size, files[bad].mtime_ns, harm)
    store, tally = Store(config.index), Tally()
    updater = Updater(store, config.options)
    try:
        assert not updater.read(files, {}, tally)
        assert [(each.path.name, each.reason) for each in tally.failed] == [(f"{bad}.md", reason)]
        assert all((store.file_hash(file.key) is None) == (file is files[bad]) for file in files)
    finally:
        updater.rest()
        store.close()
