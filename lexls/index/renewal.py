"""Make an index anew where it is damaged: nothing but time is lost, since all of it is in the files."""

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
"""The tables whose ids are never given twice."""
_OURS = (b"first_passage INTEGER NOT NULL", b"precedent_postings")
"""One of them stands in every index, since its tables do, and in no other program's file."""
_BEYOND = 1_000_000_000
"""Where numbers go on when nobody can say any more which ones were given."""


def renew_if_damaged(index: Path, work: Callable[[], T]) -> T:
    """Do ``work`` with an index; if that fails because the index is damaged, put that right and do it again.

    Where whoever wrote to it last was killed, or the power failed, it is looked through first. The caller
    holds the index' lock.
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
    """Mend what is not sound of an index, and remember when it was. Raises ``IndexDamaged``."""
    if damage := check_soundness(index):
        raise IndexDamaged(damage)
    with contextlib.closing(Store(index)) as store:
        if find_loose_ends(index):
            store.mend()
        store.looked_through = time.time_ns()


def _put_right(index: Path, error: Exception) -> bool:
    """Return whether an error was one of the index' own, which then was mended or made anew."""
    damage: tuple[type[Exception], ...] = (IndexDamaged, apsw.CorruptError, apsw.NotADBError)
    if not isinstance(error, damage):
        # Damage may show as anything: a row that is there twice, a number that is none, bytes that are no
        # text. But so may a fault of ours, for which no index is thrown away.
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
    """Put an empty index in the place of a damaged one, whoever reads it meanwhile.

    What OCR has read is kept as far as it is whole; vectors are not, as nothing tells whether they are. Ids
    and generations go on, so that readers take the new index for a later state of the old one.
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
        except apsw.Error:  # its first page is gone: no pages can be written into it
            _remove(index)
            fresh.replace(index)
    finally:
        _remove(fresh)
    # Wishes were for the old one: that it be made anew, too. Copies for editors are named after ids.
    find_wishes_file(index).unlink(missing_ok=True)
    shutil.rmtree(find_beside(index, "-views"), ignore_errors=True)


def _may_be_replaced(index: Path) -> bool:
    """Return whether this certainly is an index: a file that a user named by mistake is left alone."""
    if index.parent == find_default_path(()).parent:
        return True
    if not index.stat().st_size:
        return False
    with open(index, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
        return held[:16] == b"SQLite format 3\0" and any(held.find(each) >= 0 for each in _OURS)


def _find_numbers(index: Path) -> tuple[int, dict[str, int]]:
    """The generation of an index and the highest ids that were given, as far as that can be read."""
    generation, ids = _BEYOND, dict.fromkeys(_COUNTED, _BEYOND)
    with contextlib.suppress(apsw.Error, ValueError), contextlib.closing(open_reader(index)) as connection:
        found = {name: int(seq) for name, seq in select(connection, "SELECT name, seq FROM sqlite_sequence")}
        ids |= {name: found[name] for name in _COUNTED if name in found}
        generation = int(read_meta(connection, "generation") or 0)
    return generation, ids


def _write_over(fresh: Path, index: Path) -> None:
    """Write all pages of one file into another in one transaction."""
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
