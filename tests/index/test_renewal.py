"""Whatever happens to an index or its folders: it is right, or made anew from the files, and that is said."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from small_law import judgment

import lexls.index
from lexls.cli.main import main
from lexls.index.beside import is_indexer_running
from lexls.index.config import IndexerConfig, find_default_path, is_beside_newer, make_indexer_config
from lexls.index.connection import SCHEMA_VERSION, NotAnIndex, copy_index, open_writer
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.process import start_indexer
from lexls.index.renewal import make_anew, renew_if_damaged
from lexls.index.session import bring_up_to_date
from lexls.index.soundness import describe_exit, describe_failure
from lexls.index.status import IndexStatus
from lexls.index.store import Store
from lexls.index.verify import verify
from lexls.index.wanted import RENEW, append_wishes
from lexls.library.readers.ocr import ScannedPage
from lexls.settings.declaration import Settings

PAGE = 4096


@pytest.fixture
def config(config: IndexerConfig, folder: Path) -> IndexerConfig:
    """The configuration of an index that is made, of twenty files."""
    for number in range(20):
        words = [f"The pilot ran lighter {number} aground on reef {n}." for n in range(30)]
        (folder / f"{number}.md").write_text(judgment(number, *words))
    bring_up_to_date(config)
    return config


def overwrite(index: Path, *pages: int) -> None:
    """Write garbage over these pages (from 0) of a file."""
    noise = random.Random(7)
    with open(index, "r+b") as file:
        for page in pages:
            file.seek(page * PAGE)
            file.write(noise.randbytes(PAGE))


def test_a_damaged_index_is_made_anew_while_it_is_read(config: IndexerConfig) -> None:
    library = Library(config.index)
    before, generation = {each.id for each in library.catalogue.all()}, library.generation
    overwrite(config.index, *range(2, 20))
    report = bring_up_to_date(config)
    assert report.documents == 20
    assert library.refresh()
    assert library.is_current()
    assert library.generation > generation
    after = {each.id for each in library.catalogue.all()}
    assert len(after) == 20
    assert after.isdisjoint(before)
    assert library.complete
    assert library.status.renewed() > 0
    library.close()
    assert verify(config).differences == ()


def test_an_index_without_its_first_page_is_made_anew_where_lexls_keeps_its_indexes(
    config: IndexerConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    config = replace(config, index=find_default_path(config.folders))
    bring_up_to_date(config)
    library = Library(config.index)
    overwrite(config.index, 0)
    assert bring_up_to_date(config).documents == 20
    assert not library.is_current()
    library.close()
    assert verify(config).differences == ()


def test_a_running_indexer_is_asked_once_to_make_a_damaged_index_anew(config: IndexerConfig) -> None:
    process = start_indexer(config)
    try:
        end = time.monotonic() + 60
        while IndexStatus(config.index).progress().phase != "idle" or not is_indexer_running(config.index):
            assert time.monotonic() < end
            time.sleep(0.1)
        append_wishes(config.index, [RENEW])
        while not IndexStatus(config.index).renewed() or count(config) < 20:
            assert time.monotonic() < end
            time.sleep(0.1)
        renewed = IndexStatus(config.index).renewed()
        assert verify(config).differences == ()
        assert IndexStatus(config.index).renewed() == renewed
        assert process.poll() is None
    finally:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_a_fault_of_ours_does_not_cost_an_index(config: IndexerConfig) -> None:
    def fail() -> None:
        raise ValueError("of something else")

    with pytest.raises(ValueError, match="of something else"):
        renew_if_damaged(config.index, fail)
    assert count(config) == 20


def test_a_path_that_is_no_text_any_more_costs_the_index(config: IndexerConfig) -> None:
    with closing(open_writer(config.index)) as connection:
        connection.execute("UPDATE documents SET relative = CAST(x'ff41' AS TEXT) WHERE id = 3")
    assert bring_up_to_date(config).documents == 20
    assert IndexStatus(config.index).renewed() > 0


def test_what_ocr_has_read_outlives_a_damaged_index(config: IndexerConfig) -> None:
    page = ScannedPage(10, 10, (), 0.9)
    with closing(Store(config.index)) as store:
        store.put_scanned_page(b"hash", 3, "by eye", page)
    with open(config.index, "rb") as file:
        content = file.read()
    kept = content.index(page.pack()) // PAGE
    pages = [n for n in range(2, 60) if n != kept and b"lighter" in content[n * PAGE : (n + 1) * PAGE]]
    overwrite(config.index, *pages[:5])
    make_anew(config.index)
    with closing(Store(config.index)) as store:
        assert store.scanned_pages(b"hash", "by eye") == {3: page}
    assert count(config) == 0
    assert bring_up_to_date(config).documents == 20


@pytest.mark.parametrize("seed", range(6))
def test_a_torn_log_leaves_an_index_that_is_right(
    config: IndexerConfig, folder: Path, tmp_path: Path, seed: int
) -> None:
    """As a power cut leaves it: the log's end is missing, or is what the disk held before."""
    for number in range(20):
        (folder / f"{number}.md").write_text(judgment(number, "The surveyor valued the orchard anew."))
    indexer = Indexer(config)
    indexer.reconcile()
    log = config.index.with_name(config.index.name + "-wal")
    torn = tmp_path / "torn" / config.index.name
    torn.parent.mkdir()
    shutil.copy(config.index, torn)
    shutil.copy(log, torn.with_name(log.name))
    indexer.close()
    noise = random.Random(seed)
    with open(torn.with_name(log.name), "r+b") as file:
        size = file.seek(0, os.SEEK_END)
        assert size > 0
        if seed % 2:
            file.truncate(noise.randrange(size))
        else:
            file.seek(noise.randrange(size))
            file.write(noise.randbytes(3000))
    config = replace(config, index=torn)
    bring_up_to_date(config)
    assert verify(config).differences == ()


def test_an_index_of_an_older_version_that_was_left_open_is_kept(
    config: IndexerConfig, tmp_path: Path
) -> None:
    index = tmp_path / "older" / config.index.name
    index.parent.mkdir()
    migrations = Path(lexls.index.__file__).with_name("migrations")
    with closing(open_writer(tmp_path / config.index.name)) as connection:
        for version in range(1, 4):
            connection.execute((migrations / f"{version}.sql").read_text(encoding="utf-8"))
        connection.execute("PRAGMA user_version = 3")
        connection.execute("INSERT INTO meta VALUES ('generation', 7)")
        for suffix in ("", "-wal"):
            shutil.copy(tmp_path / f"{config.index.name}{suffix}", index.with_name(f"{index.name}{suffix}"))
    assert bring_up_to_date(replace(config, index=index)).documents == 20
    assert IndexStatus(index).renewed() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_an_index_that_may_not_grow_says_so(config: IndexerConfig) -> None:
    limited = f'ulimit -f 300; exec "{sys.executable}" -m lexls index "$@" --lexical'
    folder, index = str(config.folders[0]), str(config.index.with_name("second.sqlite3"))
    done = subprocess.run(["/bin/sh", "-c", limited, "sh", folder, "--index", index], capture_output=True)
    assert done.returncode == 3
    assert f"{index}: the system refuses to read or write it" in done.stderr.decode()


def test_a_database_of_another_program_is_left_alone(config: IndexerConfig, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite3"
    with closing(apsw.Connection(str(other))) as connection:
        connection.execute("CREATE TABLE recipes (name); PRAGMA user_version = 3")
        connection.execute("INSERT INTO recipes VALUES (?)", ("x" * 50_000,))
    with pytest.raises(NotAnIndex) as error:
        bring_up_to_date(replace(config, index=other))
    assert "is not an index of lexls" in describe_failure(error.value, other)
    overwrite(other, 1, 2, 3)
    with pytest.raises((NotAnIndex, apsw.CorruptError)):
        bring_up_to_date(replace(config, index=other))
    with closing(apsw.Connection(str(other))) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]


def test_two_versions_of_lexls_do_not_take_the_index_from_each_other(
    config: IndexerConfig, folder: Path
) -> None:
    with closing(open_writer(config.index)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    held = config.index.read_bytes()
    own = make_indexer_config([folder], Settings(embeddings_model=""), config.index)
    assert own.index != config.index
    assert own.index.parent == config.index.parent
    assert is_beside_newer(own.index)
    assert not is_beside_newer(config.index)
    assert bring_up_to_date(own).documents == 20
    assert config.index.read_bytes() == held


def test_an_index_that_a_newer_lexls_took_over_is_said_to_be_that(config: IndexerConfig) -> None:
    """Under an open editor: at its next start it has one of its own."""
    with closing(open_writer(config.index)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    assert "made by a newer lexls" in describe_exit(start_indexer(config).wait(timeout=60), config.index)


# -- the folders -----------------------------------------------------------------------------------------


@pytest.fixture
def full(config: IndexerConfig) -> Iterator[Indexer]:
    """An indexer that has read the library."""
    indexer = Indexer(config)
    indexer.reconcile()
    yield indexer
    indexer.close()


def count(config: IndexerConfig) -> int:
    with closing(IndexStatus(config.index)) as status:
        return status.counts()[0]


def test_a_library_that_is_moved_while_it_is_followed_is_kept_and_told(
    full: Indexer, config: IndexerConfig, folder: Path
) -> None:
    folder.rename(folder.with_name("elsewhere"))
    paths = [str(folder), *(str(folder / f"{n}.md") for n in range(20))]
    assert full.update_paths(frozenset(paths)).removed == 0
    assert full.reconcile().removed == 0
    assert count(config) == 20
    assert IndexStatus(config.index).missing() == [folder]
    folder.with_name("elsewhere").rename(folder)
    assert full.reconcile().removed == 0
    assert IndexStatus(config.index).missing() == []


def test_the_empty_folder_that_an_ejected_drive_leaves_is_not_an_emptied_library(
    full: Indexer, config: IndexerConfig, folder: Path
) -> None:
    folder.rename(folder.with_name("drive"))
    folder.mkdir()  # another folder of the same name
    assert full.reconcile().removed == 0
    assert IndexStatus(config.index).missing() == [folder]
    folder.rmdir()
    folder.with_name("drive").rename(folder)
    for path in folder.iterdir():
        path.unlink()
    assert full.reconcile().removed == 20
    assert IndexStatus(config.index).missing() == []


def befall_a_listing(
    full: Indexer, folder: Path, monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]
) -> None:
    """Move a file into a folder below; from then on something happens whenever that one is listed."""
    (folder / "deep").mkdir()
    (folder / "0.md").rename(folder / "deep" / "0.md")
    full.reconcile()
    listing: Callable[..., object] = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("deep"):
            happens()
        return listing(path)

    monkeypatch.setattr(os, "scandir", scandir)


def test_a_drive_that_is_ejected_while_it_is_looked_through_loses_nothing(
    full: Indexer, config: IndexerConfig, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    befall_a_listing(full, folder, monkeypatch, lambda: folder.rename(folder.with_name("ejected")))
    assert full.reconcile().removed == 0
    assert count(config) == 20
    assert IndexStatus(config.index).missing() == [folder]


def test_a_folder_that_cannot_be_listed_loses_nothing(
    full: Indexer, config: IndexerConfig, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def fail() -> None:
        raise OSError(5, "Input/output error")

    befall_a_listing(full, folder, monkeypatch, fail)
    tally = full.reconcile()
    assert (tally.removed, [each.reason for each in tally.failed]) == (0, ["input/output error"])
    assert count(config) == 20


def test_a_save_of_the_same_size_at_the_same_time_is_seen_by_its_event(
    full: Indexer, config: IndexerConfig, folder: Path
) -> None:
    """A file system may count time in seconds; and clocks are set back."""
    path = folder / "1.md"
    info = path.stat()
    path.write_text(path.read_text().replace("pilot", "baker"))
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))
    assert full.update_paths(frozenset({str(path)})).changed == 1
    assert full.update_paths(frozenset({str(path)})).changed == 0
    os.utime(path, ns=(1, 1))
    assert full.reconcile().changed == 0
    path.write_text(path.read_text().replace("baker", "clerk"))
    os.utime(path, ns=(-(10**18), -(10**18)))
    assert full.reconcile().changed == 1
    assert verify(replace(config, index=config.index)).differences == ()


def test_a_command_waits_for_the_indexer_whatever_the_clock_says(config: IndexerConfig, folder: Path) -> None:
    process = start_indexer(config)
    try:
        end = time.monotonic() + 60
        while not is_indexer_running(config.index) or IndexStatus(config.index).progress().phase != "idle":
            assert time.monotonic() < end
            time.sleep(0.1)
        with closing(open_writer(config.index)) as connection:
            tomorrow = time.time_ns() + 86_400 * 10**9
            connection.execute("UPDATE meta SET value = ? WHERE key = 'reconciled'", (tomorrow,))
        for number in range(20, 60):
            (folder / f"{number}.md").write_text(judgment(number, "The clock was set back."))
        assert bring_up_to_date(config, lexical_only=True).documents == 60
    finally:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=60) == 0


# -- where nobody may write --------------------------------------------------------------------------------


@pytest.fixture
def fixed(config: IndexerConfig, tmp_path: Path) -> Iterator[Path]:
    """A copy of the index on a file system that is mounted for reading only."""
    place = tmp_path / "medium"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("may not mount anything")
    try:
        copy_index(config.index, place / "library.sqlite3")
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        yield place / "library.sqlite3"
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_an_index_that_may_not_be_written_is_read_as_it_is_and_said_to_be(
    fixed: Path, config: IndexerConfig, capsys: pytest.CaptureFixture[str]
) -> None:
    library = ["--library", str(config.folders[0]), "--index", str(fixed)]
    assert main(["search", "lighter", "--lexical", *library]) == 0
    out, err = capsys.readouterr()
    assert "Ostler v Harbour Board" in out
    assert f"{fixed}: may not be written; it is read as it is" in err
    assert main(["index", *library]) == 3
    assert "Read-only file system" in capsys.readouterr().err
    process = start_indexer(replace(config, index=fixed))
    assert "may not be written" in describe_exit(process.wait(timeout=60), fixed)


def test_a_library_that_may_not_be_written_is_indexed(
    config: IndexerConfig, folder: Path, tmp_path: Path
) -> None:
    bind = ["mount", "--bind", str(folder), str(folder)]
    if shutil.which("mount") is None or subprocess.run(bind, capture_output=True).returncode:
        pytest.skip("may not mount anything")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
        fresh = replace(config, index=tmp_path / "fresh" / "library.sqlite3")
        assert bring_up_to_date(fresh).documents == 20
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_command_waits_for_what_came_meanwhile(config: IndexerConfig, folder: Path) -> None:
    for number in range(20, 320):
        (folder / f"{number}.md").write_text(judgment(number, "It came before."))
    process = start_indexer(config)
    try:
        end = time.monotonic() + 60
        while IndexStatus(config.index).progress().phase != "reading":
            assert time.monotonic() < end
            time.sleep(0.01)
        (folder / "late.md").write_text(judgment(320, "It came too late to be seen."))
        assert bring_up_to_date(config, lexical_only=True).documents == 321
    finally:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=60) == 0
