"""Rebuild a damaged index. This costs only time, since everything in the index comes from the files."""

from __future__ import annotations

import contextlib
import mmap
import shutil
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import apsw

from lexls.index.beside import find_beside, name_meanwhile
from lexls.index.config import find_default_path
from lexls.index.connection import BUSY_TIMEOUT_MS, open_reader, read_meta, select
from lexls.index.soundness import IndexDamaged, check_soundness, find_loose_ends, was_closed
from lexls.index.store import Store
from lexls.index.wanted import find_wishes_file

T = TypeVar("T")

_COUNTED = ("documents", "passages", "precedents")
"""The tables whose ids are never reused."""
_OURS = (b"first_passage INTEGER NOT NULL", b"precedent_postings")
"""Byte strings found in the schema of any index. A file with one of them is an index of lexls."""
_BEYOND = 1_000_000_000
"""Starting number for ids and generations if the last ones used cannot be read."""


def renew_if_damaged(index: Path, work: Callable[[], T]) -> T:
    """Call ``work``. If it fails because the index is damaged, repair or rebuild the index and call ``work``
    again.

    If the last writer was killed or the power failed, the index is checked first. The caller must have locked
    the index.
    """
    try:
        if index.exists() and not was_closed(index) and _may_be_replaced(index):
            _look_through(index)
        return work()
    except Exception as error:
        if not _put_right(index, error):
            raise
    return work()


def _look_through(index: Path) -> None:
    """Check an index, repair inconsistent rows, and record the time. Raises ``IndexDamaged``."""
    if damage := check_soundness(index):
        raise IndexDamaged(damage)
    with contextlib.closing(Store(index)) as store:
        if find_loose_ends(index):
            store.mend()
        store.looked_through = time.time_ns()


def _put_right(index: Path, error: Exception) -> bool:
    """Repair or rebuild the index if ``error`` was caused by damage to it. Return whether that was done."""
    damage: tuple[type[Exception], ...] = (IndexDamaged, apsw.CorruptError, apsw.NotADBError)
    if not isinstance(error, damage):
        # Damage may cause any error: a duplicate row, an invalid number, bytes that are not text. But so may
        # a bug in lexls, and no index is discarded for that.
        of_data = (apsw.ConstraintError, apsw.MismatchError, apsw.SQLError, ValueError, TypeError, zlib.error)
        if not isinstance(error, of_data) or not index.exists():
            return False
        if not check_soundness(index):
            mendable = bool(find_loose_ends(index))
            if mendable:
                _look_through(index)
            return mendable
    if not _may_be_replaced(index):
        return False
    make_anew(index)
    return True


def make_anew(index: Path) -> None:
    """Replace a damaged index by an empty one, even while it is being read.

    Readable OCR results are kept. Vectors are not, since nothing shows whether they are intact. Ids and
    generations continue, so that readers treat the new index as a later state of the old one.
    """
    fresh = index.with_name(name_meanwhile(index, "-fresh"))
    _remove(fresh)
    try:
        generation, ids = _find_numbers(index)
        with contextlib.closing(Store(fresh)) as store:
            store.keep_scanned_pages(index)
            store.begin_after(generation, ids, renewed=time.time_ns())
        try:
            _write_over(fresh, index)
        except apsw.Error:  # its first page is damaged, so it cannot be written to
            _remove(index)
            fresh.replace(index)
    finally:
        _remove(fresh)
    # Pending requests, including one to rebuild, were for the old index. Copies for editors are named after
    # ids.
    find_wishes_file(index).unlink(missing_ok=True)
    shutil.rmtree(find_beside(index, "-views"), ignore_errors=True)


def _may_be_replaced(index: Path) -> bool:
    """Return whether a file certainly is an index of lexls. A file named by mistake must not be replaced."""
    if index.parent == find_default_path(()).parent:
        return True
    if not index.stat().st_size:
        return False
    with open(index, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
        return held[:16] == b"SQLite format 3\0" and any(held.find(each) >= 0 for each in _OURS)


def _find_numbers(index: Path) -> tuple[int, dict[str, int]]:
    """Return an index's generation and the highest ids used, as far as they can be read."""
    generation, ids = _BEYOND, dict.fromkeys(_COUNTED, _BEYOND)
    with contextlib.suppress(apsw.Error, ValueError), contextlib.closing(open_reader(index)) as connection:
        found = {name: int(seq) for name, seq in select(connection, "SELECT name, seq FROM sqlite_sequence")}
        ids |= {name: found[name] for name in _COUNTED if name in found}
        generation = int(read_meta(connection, "generation") or 0)
    return generation, ids


def _write_over(fresh: Path, index: Path) -> None:
    """Copy all pages of one database over another in one transaction."""
    with (
        contextlib.closing(open_reader(fresh)) as source,
        contextlib.closing(apsw.Connection(str(index))) as target,
    ):
        target.set_busy_timeout(BUSY_TIMEOUT_MS)
        with target.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(-1)


def _remove(index: Path) -> None:
    for path in (index, find_beside(index, "-wal"), find_beside(index, "-shm")):
        path.unlink(missing_ok=True)
