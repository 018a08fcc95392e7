"""Scans are read by OCR behind everything else, page by page, and no page twice."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from scans import Scanner, join_files, print_pages, scan

from lexls.index.config import IndexerConfig
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.process import start_indexer
from lexls.index.records import IndexProgress
from lexls.index.status import IndexStatus

OpenLibrary = Callable[[], Library]

FERRY = "The ferry left the quay at noon."
PILOT = "The pilot was ashore and slept."
LAMPS = "Nobody had lit the lamps along the mole."


def make_scan(*pages: str) -> bytes:
    return scan(join_files(*(print_pages([page]) for page in pages)), Scanner(100))


@pytest.fixture
def with_ocr(config: IndexerConfig) -> IndexerConfig:
    return replace(config, options=replace(config.options, ocr="1"))


def run(config: IndexerConfig, until: Callable[[IndexProgress], bool] = lambda progress: False) -> list[int]:
    """Bring the index up to date; how many pages it had to read by OCR, each time that it said so."""
    totals: list[int] = []

    def hear(progress: IndexProgress) -> None:
        if progress.phase == "ocr":
            totals.append(progress.total)
        if until(progress):
            indexer.stop()

    indexer = Indexer(config, hear)
    try:
        indexer.reconcile()
        indexer.read_scans()
    finally:
        indexer.close()
    return totals


def read_text(library: Library, name: str) -> str:
    library.refresh()
    [document] = [each.id for each in library.catalogue.all() if each.relative == name]
    return " ".join(library.contents.text(document).split())


def test_scans_are_read_after_everything_else(
    folder: Path, with_ocr: IndexerConfig, open_library: OpenLibrary
) -> None:
    (folder / "a.pdf").write_bytes(make_scan(FERRY, PILOT))
    (folder / "b.txt").write_text("Words of a file that needs no reading by machine.")
    indexer = Indexer(with_ocr)
    try:
        tally = indexer.reconcile()
        library = open_library()
        assert [each.relative for each in library.catalogue.all()] == ["b.txt"]
        reasons = [each.reason for each in library.status.failed()]
        assert reasons == ["a scan: 2 pages still to be read by OCR"]
        assert not library.complete
        indexer.read_scans()
        assert read_text(library, "a.pdf") == f"{FERRY} {PILOT}"
        assert library.complete
        assert (tally.added, tally.failed, library.status.failed()) == (2, [], [])
    finally:
        indexer.close()


def test_no_page_is_read_twice(folder: Path, with_ocr: IndexerConfig, open_library: OpenLibrary) -> None:
    (folder / "a.pdf").write_bytes(make_scan(FERRY, PILOT, LAMPS))
    first = run(with_ocr, until=lambda progress: progress.phase == "ocr" and progress.done > 0)
    assert first[0] == 3
    left = run(with_ocr)
    assert left[0] < 3
    library = open_library()
    text = read_text(library, "a.pdf")
    assert text == f"{FERRY} {PILOT} {LAMPS}"
    # Neither for another setting, nor for another name, nor where the extra is gone.
    os.rename(folder / "a.pdf", folder / "b.pdf")
    for options in (replace(with_ocr.options, max_chars=900), replace(with_ocr.options, ocr="")):
        assert run(replace(with_ocr, options=options)) in ([], [0])
        assert read_text(library, "b.pdf") == text


def test_scans_are_read_once_the_extra_is_there(
    folder: Path, config: IndexerConfig, with_ocr: IndexerConfig, open_library: OpenLibrary
) -> None:
    printed = print_pages([FERRY])
    (folder / "mixed.pdf").write_bytes(join_files(printed, make_scan(PILOT)))
    run(config)
    library = open_library()
    assert read_text(library, "mixed.pdf") == FERRY
    run(with_ocr)
    assert read_text(library, "mixed.pdf") == f"{FERRY} {PILOT}"
    assert library.status.warnings() == []


def test_a_scan_that_goes_or_changes_is_let_go(
    folder: Path, with_ocr: IndexerConfig, open_library: OpenLibrary
) -> None:
    (folder / "gone.pdf").write_bytes(make_scan(FERRY))
    (folder / "changed.pdf").write_bytes(make_scan(FERRY, FERRY))
    indexer = Indexer(with_ocr)
    try:
        indexer.reconcile()
        (folder / "gone.pdf").unlink()
        (folder / "changed.pdf").write_bytes(make_scan(PILOT))
        indexer.update_paths(frozenset({str(folder / "gone.pdf"), str(folder / "changed.pdf")}))
        indexer.read_scans()
    finally:
        indexer.close()
    library = open_library()
    assert [each.relative for each in library.catalogue.all()] == ["changed.pdf"]
    assert read_text(library, "changed.pdf") == PILOT
    assert library.status.failed() == []


@pytest.mark.slow
def test_an_indexer_that_is_killed_goes_on_where_it_was(
    folder: Path, with_ocr: IndexerConfig, open_library: OpenLibrary
) -> None:
    (folder / "a.pdf").write_bytes(make_scan(FERRY, PILOT, LAMPS, "The tide had turned before dawn."))
    first = start_indexer(with_ocr)
    status = wait_for(with_ocr, lambda progress: progress.phase == "ocr" and progress.done > 0)
    first.kill()
    first.wait()
    assert status.progress().total == 4
    (folder / "b.txt").write_text("Words of a file that is saved meanwhile.")
    second = start_indexer(with_ocr)
    try:
        wait_for(with_ocr, lambda progress: progress.phase == "ocr" and progress.total < 4)
        library = open_library()
        assert [each.relative for each in library.catalogue.all()] == ["b.txt"]
        wait_for(with_ocr, lambda progress: progress.phase == "idle")
        assert read_text(library, "a.pdf").endswith("The tide had turned before dawn.")
        assert library.complete
    finally:
        assert second.stdin is not None
        second.stdin.close()
        second.wait(timeout=20)


def wait_for(config: IndexerConfig, reached: Callable[[IndexProgress], bool]) -> IndexStatus:
    status = IndexStatus(config.index)
    until = time.monotonic() + 240
    while not (status.exists() and reached(status.progress())):
        assert time.monotonic() < until
        time.sleep(0.05)
    return status
