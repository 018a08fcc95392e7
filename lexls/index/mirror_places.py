"""Remember which indexes of this user have collections on which Milvus servers, so that none stays there
unknown: an index that is gone cannot say what of it lies elsewhere."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw

from lexls.index.beside import find_beside
from lexls.index.config import MilvusAddress, find_default_path
from lexls.index.connection import open_reader, open_writer, read_meta, select
from lexls.index.milvus import KINDS, MilvusIndex, MilvusUnavailable

_TABLE = """CREATE TABLE IF NOT EXISTS places (
    url TEXT NOT NULL, name TEXT NOT NULL, "index" TEXT NOT NULL, PRIMARY KEY (url, name)
) WITHOUT ROWID"""


@dataclass(frozen=True, slots=True)
class MirrorPlace:
    """Collections whose names begin with ``name`` on the server at ``url``, and the ``index`` that they are
    of (None: one that is forgotten)."""

    url: str
    name: str
    index: Path | None

    @property
    def collections(self) -> list[str]:
        """The names that its collections have, as far as they are there."""
        return [f"{self.name}_{kind}" for kind in KINDS]


def list_places() -> list[MirrorPlace]:
    """All that are known. Raises ``apsw.Error``."""
    if not _find_file().exists():
        return []
    with _opened() as connection:
        rows = list(select(connection, 'SELECT url, name, "index" FROM places ORDER BY name, url'))
    return [MirrorPlace(url, name, Path(index) if index else None) for url, name, index in rows]


def note_place(place: MirrorPlace) -> None:
    """Remember a place, before anything is written there, even if another's. Raises ``apsw.Error``."""
    with _opened() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO places VALUES (?, ?, ?)", (place.url, place.name, str(place.index or ""))
        )


def is_copied(index: Path, name: str) -> bool:
    """Whether the collections with this name are another index', which still is there: then what lies beside
    this one was copied from it. Raises ``apsw.Error``."""
    owners = {place.index for place in list_places() if place.name == name}
    return any(
        owner is not None and owner != index and read_name(owner) == name and not _is_same(owner, index)
        for owner in owners
    )


def read_name(index: Path) -> str:
    """What the names of an index' collections begin with, "" if it has none."""
    beside = find_beside(index, "-mirror")
    with contextlib.suppress(apsw.Error), contextlib.closing(open_reader(beside)) as connection:
        return read_meta(connection, "name")
    return ""


def remove_collections(
    indexes: Collection[Path], milvus: MilvusAddress | None
) -> tuple[list[MirrorPlace], list[tuple[MirrorPlace, str]]]:
    """Remove what lies on servers of these indexes, and of those that were forgotten before: the places where
    nothing is left, and those where something may be, each with the reason. ``milvus`` is the server of the
    user's settings, and no other is spoken with. Raises ``apsw.Error``."""
    gone: list[MirrorPlace] = []
    left: list[tuple[MirrorPlace, str]] = []
    for place in list_places():
        if place.index is not None and place.index not in indexes:
            continue
        try:
            if milvus is None or place.url != milvus.url:
                raise MilvusUnavailable("index.url does not name it now")
            with contextlib.closing(MilvusIndex(milvus, place.name)) as server:
                for kind in KINDS:
                    server.drop(kind)
        except MilvusUnavailable as error:
            note_place(MirrorPlace(place.url, place.name, None))
            left.append((place, str(error)))
        else:
            with _opened() as connection:
                connection.execute("DELETE FROM places WHERE (url, name) = (?, ?)", (place.url, place.name))
            gone.append(place)
    return gone, left


def _is_same(first: Path, second: Path) -> bool:
    return first.exists() and second.exists() and first.samefile(second)


@contextlib.contextmanager
def _opened() -> Iterator[apsw.Connection]:
    with contextlib.closing(open_writer(_find_file())) as connection:
        connection.execute(_TABLE)
        yield connection


def _find_file() -> Path:
    return find_default_path(()).parent.parent / "mirrors.sqlite3"
