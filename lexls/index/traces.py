"""Find what the index of a library has left on the disk, and remove it."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import apsw

from lexls.index.beside import find_beside, list_beside
from lexls.index.config import find_default_path
from lexls.index.connection import open_reader, read_meta, select
from lexls.index.lock import lock_index


def find_indexes(folder: Path, named: Iterable[Path] = ()) -> list[Path]:
    """Find the indexes, where lexls keeps them or ``named``, that hold anything of a folder (absolute)."""
    kept = find_default_path([folder]).parent
    candidates = {*kept.glob("*.sqlite3"), *(each for each in named if each.is_file())}
    own = find_default_path([folder])
    # By its name, too: an index that is damaged does not say what it holds.
    return sorted(each for each in candidates if each == own or _holds(each, folder))


def remove_index(index: Path) -> list[Path]:
    """Remove an index with all that lies beside it; what that was. Raises ``IndexBusy`` and ``OSError``."""
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
    """Return whether an index holds files of a folder, of one in it or around it; not if it does not tell."""
    found: set[str] = set()
    with contextlib.suppress(apsw.Error, ValueError), contextlib.closing(open_reader(index)) as connection:
        found.update(json.loads(read_meta(connection, "places") or "{}"))
        for table in ("documents", "failures", "catalogues"):
            found.update(each for (each,) in select(connection, f"SELECT DISTINCT library FROM {table}"))
    return any(folder.is_relative_to(each) or Path(each).is_relative_to(folder) for each in found)
