"""The indexer process: follows the disk, is alone, and loses nothing when it is killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from small_law import judgment

from lexls.index.beside import is_indexer_running
from lexls.index.config import IndexerConfig
from lexls.index.connection import SchemaNotReady
from lexls.index.library import Library
from lexls.index.process import EXIT_BUSY, start_indexer
from lexls.index.records import IndexProgress
from lexls.index.status import IndexStatus
from lexls.index.store import Store
from lexls.index.wanted import RESCAN, append_wishes, set_paused

PATIENCE = 60.0


def eventually(condition: Callable[[], bool]) -> None:
    """Wait until something is so; a machine may be slow, but not for ever."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


@pytest.fixture
def process(config: IndexerConfig) -> Iterator[subprocess.Popen[str]]:
    started = start_indexer(config)
    yield started
    if started.poll() is None:
        assert started.stdin is not None
        started.stdin.close()
        started.wait(timeout=PATIENCE)


@pytest.fixture
def library(process: subprocess.Popen[str], config: IndexerConfig) -> Iterator[Library]:
    status = IndexStatus(config.index)
    eventually(lambda: status.reconciled() > 0)
    opened = Library(config.index)
    yield opened
    opened.close()
    status.close()


def names(library: Library) -> set[str]:
    library.refresh()
    return {authority.relative for authority in library.catalogue.all()}


def eventually_more(library: Library, known: set[str]) -> set[str]:
    """The names in the library as soon as there are more than those known."""
    eventually(lambda: len(names(library)) > len(known))
    return names(library)


def test_files_are_followed_as_they_come_change_move_and_go(folder: Path, library: Library) -> None:
    (folder / "a.md").write_text(judgment(1, "The pilot."))
    eventually(lambda: names(library) == {"a.md"})
    (folder / "a.md").rename(folder / "b.md")
    eventually(lambda: names(library) == {"b.md"})
    draft = folder / ".b.md.tmp"
    draft.write_text(judgment(7, "The surveyor."))
    os.replace(draft, folder / "b.md")
    eventually(lambda: library.refresh() or library.catalogue.find_key("[2015] UKSC 7") != ())
    (folder / "b.md").unlink()
    eventually(lambda: names(library) == set())


def test_a_burst_of_files_arrives_whole(folder: Path, library: Library) -> None:
    for number in range(800):
        (folder / f"{number}.md").write_text(judgment(number, f"Case number {number}."))
    arrived: set[str] = set()
    while len(arrived) < 800:  # however slow the machine is: now and then more are there
        arrived = eventually_more(library, arrived)
    assert len(arrived) == 800
    shutil.rmtree(folder)
    folder.mkdir()


def test_folders_are_followed_when_they_move_in_and_out(
    tmp_path: Path, folder: Path, library: Library
) -> None:
    outside = tmp_path / "outside" / "deep"
    outside.mkdir(parents=True)
    for number in range(40):
        (outside / f"{number}.md").write_text(judgment(number, f"Case number {number}."))
    (tmp_path / "outside").rename(folder / "inside")
    eventually(lambda: len(names(library)) == 40)
    (folder / "inside" / "deep" / "new.md").write_text(judgment(99, "One more."))
    eventually(lambda: len(names(library)) == 41)
    (folder / "inside").rename(tmp_path / "gone")
    eventually(lambda: names(library) == set())


def test_files_in_a_linked_folder_are_followed(tmp_path: Path, folder: Path, library: Library) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.md").write_text(judgment(1, "The pilot."))
    (folder / "link").symlink_to(elsewhere, target_is_directory=True)
    eventually(lambda: names(library) == {"link/a.md"})
    (elsewhere / "b.md").write_text(judgment(2, "The surveyor."))
    eventually(lambda: names(library) == {"link/a.md", "link/b.md"})


def test_there_is_one_indexer_and_its_lock_dies_with_it(
    process: subprocess.Popen[str], library: Library, config: IndexerConfig
) -> None:
    second = start_indexer(config)
    assert second.wait(timeout=PATIENCE) == EXIT_BUSY
    assert is_indexer_running(config.index)
    process.kill()
    process.wait(timeout=PATIENCE)
    eventually(lambda: not is_indexer_running(config.index))


def test_it_ends_with_its_parent(process: subprocess.Popen[str], library: Library) -> None:
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(timeout=PATIENCE) == 0


def test_it_can_be_asked_to_look_again(folder: Path, library: Library, config: IndexerConfig) -> None:
    status = IndexStatus(config.index)
    before = status.reconciled()
    append_wishes(config.index, [RESCAN])
    eventually(lambda: status.reconciled() > before)
    status.close()


def test_it_says_when_it_has_changed_the_index(folder: Path, config: IndexerConfig) -> None:
    said = threading.Semaphore(0)
    process = start_indexer(config, said.release)
    try:
        assert said.acquire(timeout=PATIENCE)  # the folders were read
        with closing(Library(config.index)) as library:
            (folder / "a.md").write_text(judgment(1, "The pilot."))
            while "a.md" not in names(library):
                assert said.acquire(timeout=PATIENCE)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(timeout=PATIENCE)


def test_it_pauses_until_it_shall_go_on_and_remembers_that_when_it_is_started_again(
    folder: Path, library: Library, config: IndexerConfig, process: subprocess.Popen[str]
) -> None:
    set_paused(config.index, True)
    eventually(lambda: library.status.progress().phase == "paused")
    assert process.stdin is not None
    process.stdin.close()
    process.wait(timeout=PATIENCE)
    with closing(Store(config.index)) as store:
        store.set_progress(IndexProgress("idle", 0, 0))  # so that what is read below is of the next one
    (folder / "late.md").write_text(judgment(9, "The lighter came late."))
    again = start_indexer(config)
    try:
        eventually(lambda: is_indexer_running(config.index))
        eventually(lambda: library.status.progress().phase == "paused")
        assert "late.md" not in names(library)
        set_paused(config.index, False)
        eventually(lambda: "late.md" in names(library))
    finally:
        assert again.stdin is not None
        again.stdin.close()
        again.wait(timeout=PATIENCE)


@pytest.mark.slow
def test_killing_it_at_any_moment_loses_nothing(folder: Path, config: IndexerConfig) -> None:
    """Killed again and again while it reads, the index stays sound and in the end holds every file."""
    for number in range(200):
        (folder / f"{number}.md").write_text(judgment(number, f"Case number {number}. " * 50))
    for pause in (0.6, 0.9, 1.2, 1.5):
        process = start_indexer(config)
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=PATIENCE)
        if not config.index.exists():
            continue
        try:
            library = Library(config.index)
        except SchemaNotReady:
            continue
        rows = library._watch.execute("PRAGMA integrity_check").fetchall()
        assert rows == [("ok",)]
        whole = library._watch.execute(
            """SELECT count(*) FROM documents AS d
               WHERE NOT EXISTS (SELECT 1 FROM texts WHERE document = d.id)
               OR NOT EXISTS (SELECT 1 FROM passages WHERE document = d.id)
               OR NOT EXISTS (SELECT 1 FROM postings WHERE document = d.id)"""
        ).fetchone()
        assert whole == (0,)
        library.close()
    process = start_indexer(config)
    status = IndexStatus(config.index)
    eventually(lambda: status.reconciled() > 0 and status.counts()[0] == 200)
    status.close()
    assert process.stdin is not None
    process.stdin.close()
    process.wait(timeout=PATIENCE)


def _hostile(folder: Path) -> Path:
    """A folder whose files, where they are taken for Python's own modules, leave a sign."""
    for name in ("lexls", "json", "multiprocessing", "apsw"):
        (folder / name).mkdir(parents=True)
        code = f"open({str(folder / 'it was run')!r}, 'w').close()\nraise SystemExit(1)\n"
        (folder / name / "__init__.py").write_text(code, encoding="utf-8")
    return folder


def test_nothing_in_the_folder_it_is_started_in_is_run(
    tmp_path: Path, folder: Path, config: IndexerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "weir.txt").write_text("The keeper must open the weir.", encoding="utf-8")
    matter = _hostile(tmp_path / "matter")
    monkeypatch.chdir(matter)
    process = start_indexer(config)
    status = IndexStatus(config.index)
    eventually(lambda: process.poll() is not None or status.reconciled() > 0)
    assert process.poll() is None
    assert process.stdin is not None
    process.stdin.close()
    process.wait(timeout=PATIENCE)
    assert not (matter / "it was run").exists()


def test_neither_is_it_by_the_processes_of_a_command(
    tmp_path: Path, folder: Path, config: IndexerConfig
) -> None:
    for number in range(40):
        (folder / f"weir {number}.txt").write_text(f"The keeper of weir {number} opens it.", encoding="utf-8")
    matter = _hostile(tmp_path / "matter")
    program = tmp_path / "program" / "run.py"  # as an installed program is started
    program.parent.mkdir()
    program.write_text(
        "import sys\nfrom lexls.cli.main import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
    )
    command = [sys.executable, str(program), "index", str(folder), "--index", str(config.index), "--lexical"]
    package = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        command, cwd=matter, env=os.environ | {"PYTHONPATH": package}, capture_output=True, timeout=300
    )
    assert not (matter / "it was run").exists(), done.stderr
    assert done.returncode == 0, done.stderr


def test_an_index_is_followed_without_an_editor(tmp_path: Path, folder: Path) -> None:
    """``lexls index --follow`` waits while there is another indexer, reads what is saved, and ends."""
    from raw_client import environment

    index, home = tmp_path / "law.sqlite3", environment(tmp_path / "home")
    (folder / "lexls.toml").write_text('embeddings.model = ""\n')
    command = [sys.executable, "-m", "lexls", "index", str(folder), "--index", str(index), "--follow"]
    first = subprocess.Popen(command, env=home)
    eventually(lambda: index.exists() and is_indexer_running(index))
    # Who runs the tests in the background has its processes ignore interrupts.
    second = subprocess.Popen(
        command, env=home, preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    )
    try:
        with closing(IndexStatus(index)) as status:
            (folder / "a.md").write_text(judgment(1, "The pilot."))
            eventually(lambda: status.counts()[0] == 1)
            first.terminate()
            assert first.wait(timeout=PATIENCE) == 0
            eventually(lambda: is_indexer_running(index))
            (folder / "b.md").write_text(judgment(2, "The surveyor."))
            eventually(lambda: status.counts()[0] == 2)
        second.send_signal(signal.SIGINT)
        assert second.wait(timeout=PATIENCE) == 130
        assert not is_indexer_running(index)
    finally:
        for each in (first, second):
            each.kill()
            each.wait()
