"""A file that takes down the process that reads it with others is reported; the others are indexed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from drawn_pdfs import make_drawing
from small_law import judgment

from lexls.index import update, workers
from lexls.index.config import IndexerConfig
from lexls.index.reconcile import FileKey, FileState
from lexls.index.status import IndexStatus
from lexls.index.store import Store
from lexls.index.update import POOL_FROM_FILES, Tally, Updater
from lexls.index.workers import LEAST, MOST, SHARE, describe_need, find_most_memory

FILES = POOL_FROM_FILES + 6
PATIENCE = 15.0
"""Seconds of an endless reader; on a busy machine a sound one loads what it needs and reads within them."""
HARM: Mapping[str, Callable[[], object]] = {
    "crash": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "memory": lambda: bytes(2 * MOST),
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
            harm, _, times = self.harm.partition(" ")
            done = self.key.path.with_name("done")
            before = len(done.read_text()) if done.exists() else 0
            if not times or before < int(times):
                done.write_text("x" * (before + 1))
                HARM[harm]()
        return self.key.path


def write_files(folder: Path) -> list[FileState]:
    files = []
    for number in range(FILES):
        path = folder / f"{number}.md"
        path.write_text(judgment(number, "The pilot ran the lighter aground."))
        found = path.stat()
        files.append(FileState(FileKey(str(folder), path.name), found.st_size, found.st_mtime_ns))
    return files


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        ("crash", "its reader crashed"),
        ("killed", "its reader was killed twice; it is tried again at the next start"),
        pytest.param(
            "memory",
            describe_need(find_most_memory()),
            marks=pytest.mark.skipif(sys.platform != "linux", reason="no such limit everywhere"),
        ),
        pytest.param("endless", "took longer than 300 s to read", marks=pytest.mark.slow),
    ],
)
def test_only_the_file_at_fault_is_reported(
    folder: Path, config: IndexerConfig, monkeypatch: pytest.MonkeyPatch, harm: str, reason: str
) -> None:
    if harm == "endless":
        monkeypatch.setattr(update, "SECONDS_A_FILE", PATIENCE)
    files = write_files(folder)
    # Amid those that one process reads together.
    bad = FILES // 4
    files[bad] = HarmfulFile(files[bad].key, files[bad].size, files[bad].mtime_ns, harm)
    store, tally = Store(config.index), Tally()
    updater = Updater(store, config.options)
    try:
        assert not updater.read(files, {}, tally)
        assert [(each.path.name, each.reason) for each in tally.failed] == [(f"{bad}.md", reason)]
        assert IndexStatus(config.index).failed() == tally.failed
        assert all((store.file_hash(file.key) is None) == (file is files[bad]) for file in files)
        known = store.known_at(files[bad].key)
        tried_again = known != {files[bad].key: (files[bad].size, files[bad].mtime_ns)}
        assert tried_again is (harm in ("killed", "memory"))
    finally:
        updater.rest()
        store.close()


@pytest.mark.parametrize("count", [1, FILES])
@pytest.mark.parametrize("harm", ["killed", pytest.param("endless", marks=pytest.mark.slow)])
def test_a_file_whose_reader_is_not_at_fault_is_read_again(
    folder: Path, config: IndexerConfig, monkeypatch: pytest.MonkeyPatch, count: int, harm: str
) -> None:
    """It was killed from outside, or the clock jumped while it read."""
    if harm == "endless":
        monkeypatch.setattr(update, "SECONDS_A_FILE", PATIENCE)
    files = write_files(folder)[:count]
    bad = count // 4
    killing = HarmfulFile(files[bad].key, update.POOL_FROM_BYTES, files[bad].mtime_ns, f"{harm} 1")
    files[bad] = killing
    store, tally = Store(config.index), Tally()
    updater = Updater(store, config.options)
    try:
        assert not updater.read(files, {}, tally)
        assert not tally.failed
        assert all(store.file_hash(file.key) is not None for file in files)
    finally:
        updater.rest()
        store.close()


def test_a_process_that_was_made_ready_reads_what_is_little_and_stays(
    folder: Path, config: IndexerConfig
) -> None:
    files, store, tally = write_files(folder), Store(config.index), Tally()
    updater = Updater(store, config.options)
    updater.make_ready()
    try:
        crashing = HarmfulFile(files[0].key, files[0].size, files[0].mtime_ns, "crash")
        assert not updater.read([crashing, files[1]], {}, tally)
        assert [(each.path.name, each.reason) for each in tally.failed] == [("0.md", "its reader crashed")]
        (ready,) = multiprocessing.active_children()
        assert not updater.read(files[2:4], {}, tally)
        assert not updater.read(files[4:], {}, tally)
        assert len(multiprocessing.active_children()) > 1
        updater.rest()
        assert multiprocessing.active_children() == [ready]
        assert not updater.read(files[:1], {}, tally)
        assert all(store.file_hash(file.key) is not None for file in files)
    finally:
        updater.close()
        store.close()
    assert not multiprocessing.active_children()


def test_workers_may_be_killed_before_they_have_a_file(folder: Path, config: IndexerConfig) -> None:
    """Also where all are, and nothing has told yet which file it reads."""
    files, store, tally = write_files(folder), Store(config.index), Tally()
    updater = Updater(store, config.options)
    ended = threading.Event()

    def kill_some() -> None:
        killed: set[int | None] = set()
        while len(killed) < 2 and not ended.is_set():
            for child in multiprocessing.active_children():
                if child.pid not in killed:
                    child.kill()
                killed.add(child.pid)

    killing = threading.Thread(target=kill_some)
    killing.start()
    try:
        assert not updater.read(files, {}, tally)
        assert not tally.failed
        assert all(store.file_hash(file.key) is not None for file in files)
    finally:
        ended.set()
        killing.join()
        updater.rest()
        store.close()


@pytest.mark.skipif(sys.platform != "linux", reason="no such limit everywhere")
def test_a_pdf_that_takes_more_memory_than_a_reader_may_is_reported(
    folder: Path, config: IndexerConfig
) -> None:
    path = folder / "grows.pdf"
    path.write_bytes(make_drawing(b"0 0 1 1 re f\n" * 300_000, times=20))
    found = path.stat()
    store, tally = Store(config.index), Tally()
    updater = Updater(store, replace(config.options, reader_megabytes=256))
    try:
        file = FileState(FileKey(str(folder), path.name), found.st_size, found.st_mtime_ns)
        assert not updater.read([file], {}, tally)
    finally:
        updater.close()
        store.close()
    assert [each.path.name for each in tally.failed] == ["grows.pdf"]
    assert "takes more than 256 MB of memory" in tally.failed[0].reason


@pytest.mark.parametrize(
    ("machine", "most"), [(0, MOST), (64 * 2**30, MOST), (SHARE * 2**29, 2**29), (2**30, LEAST)]
)
def test_a_reader_takes_less_of_a_small_machine(
    monkeypatch: pytest.MonkeyPatch, machine: int, most: int
) -> None:
    monkeypatch.setattr(workers, "measure_machine", lambda: machine)
    assert find_most_memory() == most
    assert find_most_memory(megabytes=3000) == 3000 * 2**20
