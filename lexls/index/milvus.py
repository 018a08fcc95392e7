"""Store vectors on a Milvus server and search them: the only module that communicates with Milvus.

Milvus receives only numbers: the ids of passages and documents, the weights of their terms by term number,
and passages' vectors. Texts, names, paths and words stay in the index file. A file in the user's data folder
records which indexes have collections on which servers, so that the collections of a deleted index can still
be found.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.beside import find_beside
from lexls.index.config import MilvusAddress, find_default_path
from lexls.index.connection import open_reader, open_writer, read_meta, select
from lexls.models.web_address import BadAddress, read_address

if TYPE_CHECKING:
    from pymilvus import MilvusClient

Kind = Literal["passages", "documents", "vectors"]
"""The kinds of collections of an index: passages' terms, whole documents' terms, passages' vectors."""
KINDS: tuple[Kind, ...] = ("passages", "documents", "vectors")
Terms = Mapping[int, float]
"""Non-negative weights of terms by term number."""
Row = tuple[int, int, Terms | NDArray[np.float32]]
"""An id, its document, and its terms or its vector."""
Ids = NDArray[np.int64]

MOST = 16_384
"""Maximum number of results that Milvus returns for a search."""
SECONDS = 30.0
"""Seconds that the server may take for an answer."""
FLUSH_SECONDS = 600.0
OLDEST = (2, 4)
"""The oldest supported Milvus version, the first with sparse vectors."""
NEAR_LISTS, NEAR_CANDIDATES = 256, 1_000
"""Search parameters for the case that the server's administrator has replaced the exact index. With Milvus's
defaults, a search would examine only 8 lists and miss a fifth to four fifths of the nearest vectors.
"""
_NOT_LOADED = 101
"""Milvus's error code for a collection that is not loaded in memory."""
_CALM = {"grpc.keepalive_time_ms": 300_000}
"""Keepalive setting: a server may disconnect clients that ping more often, as milvus-lite's does."""
LOCAL = ".db"
"""Suffix of a database that milvus-lite opens in this process."""
_AS_OF_NOW = {"consistency_level": "Strong"}
"""Search option that asks for the newest data. Without it, a server may answer from slightly older data."""
_PLACES = """CREATE TABLE IF NOT EXISTS places (
    url TEXT NOT NULL, name TEXT NOT NULL, "index" TEXT NOT NULL, PRIMARY KEY (url, name)
) WITHOUT ROWID"""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on a search: only rows of ``documents`` or, if ``others`` is true, only rows of all other
    documents.
    """

    documents: Collection[int]
    others: bool = False

    @property
    def expression(self) -> str:
        """The limit as a Milvus filter expression."""
        return f"document {'not in' if self.others else 'in'} {[int(each) for each in self.documents]}"


class MilvusUnavailable(Exception):
    """Raised if the server cannot be used; the message gives the user the reason and contains no text."""


class MilvusIndex:
    """The collections of one index on a server; their names begin with ``name``.

    Every method raises ``MilvusUnavailable``. Safe from any thread.
    """

    def __init__(self, address: MilvusAddress, name: str) -> None:
        self._address = address
        self._name = name
        self._client = _connect(address)

    def close(self) -> None:
        """Disconnect from the server."""
        with _telling_why(self._address):
            self._client.close()

    def exists(self, kind: Kind) -> bool:
        """Return whether the server has this collection."""
        return bool(self._ask(kind, "has_collection"))

    def make(self, kind: Kind, dimension: int = 0) -> None:
        """Create an empty collection, replacing any old one; ``dimension`` is that of the vectors.

        If the process is stopped before this is finished, the collection may accept rows but not be
        searchable.
        """
        from pymilvus import DataType

        self._look_at_version()
        self.drop(kind)
        schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("id", DataType.INT64, is_primary=True)
        schema.add_field("document", DataType.INT64)
        indexes = self._client.prepare_index_params()
        indexes.add_index("document", index_type="INVERTED")
        if kind == "vectors":
            schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension)
            indexes.add_index("vector", index_type="FLAT", metric_type="IP")
        else:
            schema.add_field("terms", DataType.SPARSE_FLOAT_VECTOR)
            indexes.add_index("terms", index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
        self._ask(kind, "create_collection", schema=schema, index_params=indexes)

    def drop(self, kind: Kind) -> None:
        """Delete a collection if it exists."""
        self._ask(kind, "drop_collection")

    def put(self, kind: Kind, rows: Sequence[Row]) -> None:
        """Write rows, replacing those with the same ids.

        Rows without terms are skipped: no search finds them, and Milvus rejects empty rows.
        """
        field = _field(kind)
        if data := [{"id": id, "document": of, field: value} for id, of, value in rows if len(value)]:
            self._ask(kind, "upsert", data=data)

    def settle(self) -> None:
        """Have the server organise new rows now, which is worthwhile after many were added."""
        for kind in filter(self.exists, KINDS):
            self._ask(kind, "flush", timeout=FLUSH_SECONDS)

    def remove(self, documents: Collection[int]) -> None:
        """Delete all rows of these documents."""
        for kind in filter(self.exists, KINDS if documents else ()):
            self._ask(kind, "delete", filter=Limit(documents).expression)

    def search(
        self, kind: Kind, asked: Terms | NDArray[np.float32], k: int, limit: Limit | None = None
    ) -> tuple[Ids, NDArray[np.float64]]:
        """Return the ``k`` rows (at most ``MOST``) with the highest inner product with ``asked``, best first:
        ids and products. ``limit`` restricts the documents (None: all).
        """
        if limit is not None and not (limit.others or limit.documents):
            return np.empty(0, np.int64), np.empty(0)
        far = max(NEAR_CANDIDATES, min(k, MOST))  # each kind of index uses some of these
        how_far = {"nprobe": NEAR_LISTS, "ef": far, "search_list": far} if kind == "vectors" else {}
        how = {"anns_field": _field(kind), "limit": min(k, MOST), "search_params": {"params": how_far}}
        within = "" if limit is None else limit.expression
        (found,) = self._ask(kind, "search", data=[asked], filter=within, output_fields=["id"], **how)
        ids = np.fromiter((hit["id"] for hit in found), np.int64, len(found))
        return ids, np.fromiter((hit["distance"] for hit in found), np.float64, len(found))

    def count(self, kind: Kind) -> int:
        """Count the rows written so far (0 if there is no collection). Later searches will find all
        of them.
        """
        if not self.exists(kind):
            return 0
        (row,) = self._ask(kind, "query", filter="", output_fields=["count(*)"], **_AS_OF_NOW)
        return int(row["count(*)"])

    def read(self, kind: Kind, ids: Iterable[int]) -> dict[int, tuple[int, Any]]:
        """Return, by id, the document and the terms or vector of each of ``ids`` (at most ``MOST``) that has
        a row.
        """
        field = _field(kind)
        if not self.exists(kind):
            return {}
        how = {"filter": f"id in {list(ids)}", "output_fields": ["id", "document", field]}
        rows = self._ask(kind, "query", **how, **_AS_OF_NOW)
        return {row["id"]: (row["document"], row[field]) for row in rows}

    def _ask(self, kind: Kind, what: str, **how: Any) -> Any:
        """Send a request about a collection. If the server has unloaded the collection, load it and try
        again.

        milvus-lite unloads collections when it exits, and a server's administrator may.
        """
        from pymilvus.exceptions import MilvusException

        name = f"{self._name}_{kind}"
        how.setdefault("timeout", SECONDS)
        ask = partial(getattr(self._client, what), name, **how)
        with _telling_why(self._address, self._name):
            try:
                return ask()
            except MilvusException as error:
                # Not checked beforehand, because even checking needs a right that read-only users may lack.
                if error.code != _NOT_LOADED:
                    raise
            self._client.load_collection(name, timeout=how["timeout"])
            return ask()

    def _look_at_version(self) -> None:
        from grpc import RpcError, StatusCode

        with _telling_why(self._address):
            try:
                version = str(self._client.get_server_version(timeout=SECONDS))
            except RpcError as error:
                if error.code() != StatusCode.UNIMPLEMENTED:
                    raise
                return  # milvus-lite before version 3 does not report one
        found = re.search(r"(\d+)\.(\d+)", version)
        if found and (int(found[1]), int(found[2])) < OLDEST:
            raise MilvusUnavailable(
                f"Milvus at {self._address.url} (index.url) is version {version}; lexls needs "
                f"{OLDEST[0]}.{OLDEST[1]} or newer, which has sparse vectors"
            )


def _connect(address: MilvusAddress) -> MilvusClient:
    # Otherwise pymilvus would read settings from any ".env" file it finds.
    os.environ.setdefault("PYTHON_DOTENV_DISABLED", "1")
    try:
        from pymilvus import MilvusClient
    except ImportError:
        raise MilvusUnavailable('index.url needs the extra "milvus": pip install "lexls[milvus]"') from None
    # pymilvus logs every failed request with its data.
    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
    token = os.environ.get(address.token_env, "").strip()
    if address.token_env and not token:
        raise MilvusUnavailable(f"the environment variable {address.token_env} (index.tokenEnv) is empty")
    try:
        url = address.url if address.url.endswith(LOCAL) else read_address(address.url).url
    except BadAddress as error:
        raise MilvusUnavailable(f"index.url {error}") from None
    with _telling_why(address):
        return MilvusClient(uri=url, token=token, timeout=SECONDS, grpc_options=_CALM)


@contextlib.contextmanager
def _telling_why(address: MilvusAddress, name: str = "") -> Iterator[None]:
    """Raise server errors as ``MilvusUnavailable`` with the reason, naming the collections if access is
    denied.
    """
    from grpc import RpcError, StatusCode
    from pymilvus.exceptions import MilvusException

    try:
        yield
    except (MilvusException, RpcError) as error:
        # Only the first line: the rest may repeat the request.
        words = error.message if isinstance(error, MilvusException) else error.details()
        said = str(words).partition("\n")[0][:200]
        # For connection errors, the reason is in the error's cause.
        codes = {
            each.code() for each in (error, error.__cause__, error.__context__) if isinstance(each, RpcError)
        }
        if StatusCode.UNAUTHENTICATED in codes:
            said = f"the token is missing or wrong (index.tokenEnv): {said}"
        elif StatusCode.PERMISSION_DENIED in codes and name:
            said = f"{said}, of the collections {name}_…"
        raise MilvusUnavailable(f"Milvus at {address.url} (index.url): {said}") from None


def _field(kind: Kind) -> str:
    return "vector" if kind == "vectors" else "terms"


@dataclass(frozen=True, slots=True)
class MirrorPlace:
    """Collections whose names begin with ``name`` on the server at ``url``, and the ``index`` they belong to
    (None: one that was deleted).
    """

    url: str
    name: str
    index: Path | None

    @property
    def collections(self) -> list[str]:
        """The names of the collections of this place; some of them may not exist."""
        return [f"{self.name}_{kind}" for kind in KINDS]


def list_places() -> list[MirrorPlace]:
    """Return all recorded places. Raises ``apsw.Error``."""
    if not _find_file().exists():
        return []
    with _opened() as connection:
        rows = list(select(connection, 'SELECT url, name, "index" FROM places ORDER BY name, url'))
    return [MirrorPlace(url, name, Path(index) if index else None) for url, name, index in rows]


def note_place(url: str, name: str, index: Path | None) -> None:
    """Record a place, replacing any other owner. Must be called before anything is written there. Raises
    ``apsw.Error``.
    """
    with _opened() as connection:
        row = url, name, str(index or "")
        connection.execute("INSERT OR REPLACE INTO places VALUES (?, ?, ?)", row)


def is_copied(index: Path, name: str) -> bool:
    """Return whether the collections called ``name`` belong to another index that still exists. The file next
    to ``index`` that gave this name was then copied from that index. Raises ``apsw.Error``.
    """
    owners = {place.index for place in list_places() if place.name == name} - {None, index}
    return any(
        read_name(each) == name and not (index.exists() and each.samefile(index)) for each in owners if each
    )


def read_name(index: Path) -> str:
    """Return the prefix of an index's collection names, "" if it has none."""
    beside = find_beside(index, "-mirror")
    with contextlib.suppress(apsw.Error), contextlib.closing(open_reader(beside)) as connection:
        return read_meta(connection, "name")
    return ""


def remove_collections(
    indexes: Collection[Path], milvus: MilvusAddress | None
) -> tuple[list[MirrorPlace], list[tuple[MirrorPlace, str]]]:
    """Delete from the user's ``milvus`` server the collections of these indexes, and those of indexes deleted
    earlier.

    Return the places that are now empty, and the places where something may remain, each with the reason. No
    other server is contacted. Raises ``apsw.Error``.
    """
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
            note_place(place.url, place.name, None)
            left.append((place, str(error)))
        else:
            with _opened() as connection:
                connection.execute("DELETE FROM places WHERE (url, name) = (?, ?)", (place.url, place.name))
            gone.append(place)
    return gone, left


@contextlib.contextmanager
def _opened() -> Iterator[apsw.Connection]:
    with contextlib.closing(open_writer(_find_file())) as connection:
        connection.execute(_PLACES)
        yield connection


def _find_file() -> Path:
    return find_default_path(()).parent.parent / "mirrors.sqlite3"
