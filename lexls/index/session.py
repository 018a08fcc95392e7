"""Update an index once, for the command line. Also find an index, or delete it with all its files."""

from __future__ import annotations

import contextlib
import json
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from lexls.index.beside import IndexBusy, find_beside, is_indexer_running, list_beside, lock_index
from lexls.index.config import IndexerConfig, find_default_path, make_indexer_config
from lexls.index.connection import SCHEMA_VERSION, IndexTooOld, read_meta, select
from lexls.index.connection import open_reader as open_index
from lexls.index.records import FailedFile, IndexProgress, UnreadKind
from lexls.index.status import IndexStatus
from lexls.index.wanted import RESCAN, append_wishes, set_paused
from lexls.settings.declaration import Settings

if TYPE_CHECKING:
    from lexls.index.library import Library


POLL_SECONDS = 0.1
GIVE_UP_SECONDS = 30.0
"""If another indexer has reported nothing for this many seconds, check that it is still running."""
UPGRADE_SECONDS = 5.0
"""Seconds allowed for another indexer to migrate an older index. If it needs longer, it is assumed to be an
older lexls.
"""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The result of updating an index. ``failed`` are all files that are not in the index, each with the
    reason.

    ``unread`` are the kinds of files that no reader supports. ``no_vectors`` says why passages have no
    vectors, "" if they have.
    """

    documents: int
    passages: int
    added: int
    changed: int
    removed: int
    failed: tuple[FailedFile, ...]
    seconds: float
    no_vectors: str
    unread: tuple[UnreadKind, ...] = ()


def bring_up_to_date(
    config: IndexerConfig,
    on_progress: Callable[[IndexProgress], None] = lambda progress: None,
    *,
    lexical_only: bool = False,
) -> IndexReport:
    """Bring an index up to date with its folders.

    With ``lexical_only``, return once text and postings are stored. If another process is already indexing
    the library (because an editor is open), ask that indexer to check the folders, and wait for it. Raises
    ``IndexTooOld`` if that indexer is an older lexls, and ``MilvusUnavailable`` if a server ranks passages
    and cannot be reached.
    """
    started = time.perf_counter()
    counts: tuple[int, int, int] | None = None
    while counts is None:
        try:
            with lock_index(config.index):
                counts = _run(config, lexical_only, on_progress)
        except IndexBusy:
            counts = _wait_for_other(config, lexical_only, on_progress)
    return report_as_it_is(config, counts, time.perf_counter() - started)


def report_as_it_is(
    config: IndexerConfig, counts: tuple[int, int, int] = (0, 0, 0), seconds: float = 0.0
) -> IndexReport:
    """Return a report of the index's current state; ``counts`` are the documents added, changed and removed
    in ``seconds``.
    """
    with contextlib.closing(IndexStatus(config.index)) as status:
        failed, unread = tuple(status.failed()), tuple(status.unread())
        reason = status.no_vectors_reason()
        return IndexReport(*status.counts()[:2], *counts, failed, seconds, reason, unread)


def open_library(
    folders: Iterable[Path], index_path: Path | None, settings: Settings, *, lexical_only: bool = False
) -> tuple[Library, IndexReport]:
    """Bring the index of ``folders`` up to date and open it for reading."""
    from lexls.index.library import Library

    config = make_indexer_config(folders, settings, index_path)
    report = bring_up_to_date(config, lexical_only=lexical_only)
    return Library(config.index, config.milvus), report


def open_reader(folders: Iterable[Path], index_path: Path | None, settings: Settings) -> Library | None:
    """Open the index of ``folders`` without updating it; None if there is none yet."""
    from lexls.index.library import Library

    config = make_indexer_config(folders, settings, index_path)
    return Library(config.index, config.milvus) if config.index.exists() else None


def _run(
    config: IndexerConfig, lexical_only: bool, on_progress: Callable[[IndexProgress], None]
) -> tuple[int, int, int]:
    from lexls.index.indexer import Indexer
    from lexls.index.renewal import renew_if_damaged
    from lexls.index.siblings import seed_index

    seed_index(config)

    def update() -> tuple[int, int, int]:
        with contextlib.closing(Indexer(config, on_progress)) as indexer:
            tally = indexer.reconcile()
            indexer.read_scans()
            if not lexical_only:
                indexer.embed()
        return tally.added, tally.changed, tally.removed

    counts = renew_if_damaged(config.index, update)
    if config.milvus is not None:
        from lexls.index.mirror import Mirror

        with contextlib.closing(Mirror(config.index, config.milvus)) as mirror:
            mirror.catch_up()
    return counts


def _wait_for_other(
    config: IndexerConfig, lexical_only: bool, on_progress: Callable[[IndexProgress], None]
) -> tuple[int, int, int] | None:
    """Have the running indexer update the index. Return how many documents were added, changed and removed;
    None if the indexer ended or rebuilt the index meanwhile. Raises ``IndexTooOld``.
    """
    with contextlib.closing(IndexStatus(config.index)) as status:
        until = time.monotonic() + UPGRADE_SECONDS
        while 0 < status.schema() < SCHEMA_VERSION:
            if not is_indexer_running(config.index):
                return None
            if time.monotonic() > until:
                raise IndexTooOld
            time.sleep(POLL_SECONDS)
        before, begun, renewed = status.document_ids(), status.reconciling(), status.renewed()
        set_paused(config.index, False)
        append_wishes(config.index, [RESCAN])
        looked = time.monotonic()
        # Compare numbers, not times, as clocks may be set back. A run that began earlier does not count, as
        # it may have missed changes.
        while status.reconciled() <= begun or not (lexical_only or status.embedded()):
            on_progress(status.progress())
            time.sleep(POLL_SECONDS)
            if status.renewed() != renewed:  # the rebuilt index numbers its runs from the start
                return None
            if time.monotonic() - looked > GIVE_UP_SECONDS:
                looked = time.monotonic()
                if not is_indexer_running(config.index):
                    return None
        after = status.document_ids()
        changed = sum(1 for key in before.keys() & after.keys() if before[key] != after[key])
        return len(after.keys() - before.keys()), changed, len(before.keys() - after.keys())


def find_indexes(folder: Path, named: Iterable[Path] = ()) -> list[Path]:
    """Return the indexes that contain anything from a folder (absolute), of those in lexls's own folder and
    those ``named``.
    """
    kept = find_default_path([folder]).parent
    candidates = {*kept.glob("*.sqlite3"), *(each for each in named if each.is_file())}
    own = find_default_path([folder])
    # Also by name, because a damaged index cannot be searched for its folders.
    return sorted(each for each in candidates if each == own or _holds(each, folder))


def remove_index(index: Path) -> list[Path]:
    """Delete an index with all its companion files. Return what was deleted. Raises ``IndexBusy`` and
    ``OSError``.
    """
    removed = []
    lock = find_beside(index, "-lock")
    with lock_index(index):
        for path in (index, *list_beside(index)):
            if path != lock and path.exists():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                removed.append(path)
    lock.unlink(missing_ok=True)
    return removed


def _holds(index: Path, folder: Path) -> bool:
    """Return whether an index has files from a folder, one of its subfolders or one of its parent folders;
    False if the index cannot be read.
    """
    found: set[str] = set()
    with contextlib.suppress(apsw.Error, ValueError), contextlib.closing(open_index(index)) as connection:
        found.update(json.loads(read_meta(connection, "places") or "{}"))
        for table in ("documents", "failures", "catalogues"):
            found.update(each for (each,) in select(connection, f"SELECT DISTINCT library FROM {table}"))
    return any(folder.is_relative_to(each) or Path(each).is_relative_to(folder) for each in found)
