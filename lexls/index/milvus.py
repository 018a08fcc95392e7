"""Keep vectors on a Milvus server and find those nearest to one: all that lexls asks of Milvus.

Milvus gets numbers alone: of each passage and document its id and the weights of its terms by the terms'
numbers, of each passage its vector. Texts, names, paths and words stay in the index file.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from lexls.index.config import MilvusAddress
from lexls.models.web_address import BadAddress, read_address

if TYPE_CHECKING:
    from pymilvus import MilvusClient

Kind = Literal["passages", "documents", "vectors"]
"""The collections of an index: the terms of passages, those of whole documents, the vectors of passages."""
KINDS: tuple[Kind, ...] = ("passages", "documents", "vectors")
Terms = Mapping[int, float]
"""The weights of terms, not negative, by their numbers."""
Row = tuple[int, int, Terms | NDArray[np.float32]]
"""An id, its document, and its terms or its vector."""
Ids = NDArray[np.int64]
T = TypeVar("T")

MOST = 16_384
"""So many results Milvus gives to one search."""
SECONDS = 30.0
"""How long the server may take for one answer."""
FLUSH_SECONDS = 600.0
OLDEST = (2, 4)
"""The first version that has sparse vectors."""
NEAR_LISTS, NEAR_CANDIDATES = 256, 1_000
"""How far an index is to look that whoever looks after a server put in the place of the exact one. By itself
Milvus looks into 8 lists, and misses a fifth to four fifths of what is nearest."""
_NOT_LOADED = 101
"""Milvus' number for a collection that it does not have in memory."""
_CALM = {"grpc.keepalive_time_ms": 300_000}
"""A server may leave who asks more often whether it is there, as milvus-lite's does."""
LOCAL = ".db"
"""How the path ends of a database that milvus-lite opens in this process."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits a search to the rows of some documents; ``others``: to those of all others."""

    documents: Collection[int]
    others: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing passes."""
        return not self.others and not self.documents

    @property
    def expression(self) -> str:
        """As Milvus reads it."""
        return f"document {'not in' if self.others else 'in'} {[int(each) for each in self.documents]}"


class MilvusUnavailable(Exception):
    """The server cannot be used; the message says why, for the user, and names no text."""


class MilvusIndex:
    """The collections of one index on a server; ``name`` is what theirs begin with.

    Every method raises ``MilvusUnavailable``. Safe from any thread.
    """

    def __init__(self, address: MilvusAddress, name: str) -> None:
        self._address = address
        self._name = name
        self._client = _connect(address)

    def close(self) -> None:
        """Leave the server."""
        with self._speaking():
            self._client.close()

    def exists(self, kind: Kind) -> bool:
        """Whether the server has this collection."""
        with self._speaking():
            return bool(self._client.has_collection(self._called(kind), timeout=SECONDS))

    def make(self, kind: Kind, dimension: int = 0) -> None:
        """Make a collection anew, empty; ``dimension`` is that of vectors.

        Whoever is stopped while it is made leaves one that takes rows and cannot be searched.
        """
        from pymilvus import DataType

        self._look_at_version()
        self.drop(kind)
        with self._speaking():
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
            self._client.create_collection(
                self._called(kind), schema=schema, index_params=indexes, timeout=SECONDS
            )

    def drop(self, kind: Kind) -> None:
        """Remove a collection, if it is there."""
        with self._speaking():
            self._client.drop_collection(self._called(kind), timeout=SECONDS)

    def put(self, kind: Kind, rows: Sequence[Row]) -> None:
        """Write rows in place of those with their ids.

        What has no terms is found by none, and Milvus takes no empty row: it is left out.
        """
        field = _field(kind)
        data = [
            {"id": each, "document": document, field: value} for each, document, value in rows if len(value)
        ]
        if data:
            with self._speaking():
                self._client.upsert(self._called(kind), data, timeout=SECONDS)

    def settle(self) -> None:
        """Have the server put what came in order now, which is worth it when much has come."""
        for kind in KINDS:
            if self.exists(kind):
                with self._speaking():
                    self._client.flush(self._called(kind), timeout=FLUSH_SECONDS)

    def remove(self, documents: Collection[int]) -> None:
        """Remove all rows of these documents."""
        among = Limit(documents)
        for kind in KINDS if documents else ():
            if self.exists(kind):
                self._ask(
                    kind, lambda name: self._client.delete(name, filter=among.expression, timeout=SECONDS)
                )

    def search(
        self,
        kind: Kind,
        asked: Terms | NDArray[np.float32],
        k: int,
        limit: Limit | None = None,
    ) -> tuple[Ids, NDArray[np.float64]]:
        """The ``k`` rows, ``MOST`` at most, whose inner product with what is asked is highest, best first:
        ids and products. ``limit`` says of which documents (None: of all)."""
        if limit is not None and limit.is_empty:
            return np.empty(0, np.int64), np.empty(0)
        (found,) = self._ask(
            kind,
            lambda name: self._client.search(
                name,
                data=[asked],
                anns_field=_field(kind),
                limit=min(k, MOST),
                filter="" if limit is None else limit.expression,
                output_fields=["id"],
                search_params={"params": _look_far(k) if kind == "vectors" else {}},
                timeout=SECONDS,
            ),
        )
        ids = np.fromiter((hit["id"] for hit in found), np.int64, len(found))
        return ids, np.fromiter((hit["distance"] for hit in found), np.float64, len(found))

    def count(self, kind: Kind) -> int:
        """Count the rows of a collection (0: none) that were put by now; every later search finds them."""
        if not self.exists(kind):
            return 0
        (row,) = self._query(kind, "", ["count(*)"])
        return int(row["count(*)"])

    def read(self, kind: Kind, ids: Iterable[int]) -> dict[int, tuple[int, Any]]:
        """Return the document and the terms or vector of those of ``ids`` (``MOST`` at most) with a row."""
        field = _field(kind)
        if not self.exists(kind):
            return {}
        rows = self._query(kind, f"id in {list(ids)}", ["id", "document", field])
        return {row["id"]: (row["document"], row[field]) for row in rows}

    def _query(self, kind: Kind, filter: str, fields: list[str]) -> Sequence[Mapping[str, Any]]:
        # Else a server may answer as it was some moments ago.
        how: dict[str, Any] = {"consistency_level": "Strong", "timeout": SECONDS}
        rows: Sequence[Mapping[str, Any]] = self._ask(
            kind, lambda name: self._client.query(name, filter=filter, output_fields=fields, **how)
        )
        return rows

    def _ask(self, kind: Kind, ask: Callable[[str], T]) -> T:
        """What the server answers of a collection, by its name. Where it has let go of it, as milvus-lite
        does when it ends and whoever looks after a server may, it is told to load it again."""
        from pymilvus.exceptions import MilvusException

        name = self._called(kind)
        with self._speaking():
            try:
                return ask(name)
            except MilvusException as error:
                # Not asked before: even to ask for it takes a right that those who only read need not have.
                if error.code != _NOT_LOADED:
                    raise
            self._client.load_collection(name, timeout=SECONDS)
            return ask(name)

    def _look_at_version(self) -> None:
        from grpc import RpcError, StatusCode

        with self._speaking():
            try:
                version = str(self._client.get_server_version(timeout=SECONDS))
            except RpcError as error:
                if error.code() != StatusCode.UNIMPLEMENTED:
                    raise
                return  # a milvus-lite before 3 does not tell
        found = re.search(r"(\d+)\.(\d+)", version)
        if found and (int(found[1]), int(found[2])) < OLDEST:
            raise MilvusUnavailable(
                f"Milvus at {self._address.url} (index.url) is version {version}; lexls needs "
                f"{OLDEST[0]}.{OLDEST[1]} or newer, which has sparse vectors"
            )

    def _called(self, kind: Kind) -> str:
        return f"{self._name}_{kind}"

    def _speaking(self) -> AbstractContextManager[None]:
        return _telling_why(self._address, self._name)


def _connect(address: MilvusAddress) -> MilvusClient:
    # Its settings would else be read from a file ".env" that lies around.
    os.environ.setdefault("PYTHON_DOTENV_DISABLED", "1")
    try:
        from pymilvus import MilvusClient
    except ImportError:
        raise MilvusUnavailable('index.url needs the extra "milvus": pip install "lexls[milvus]"') from None
    # It logs what it was asked with every error.
    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
    token = ""
    if address.token_env:
        token = os.environ.get(address.token_env, "").strip()
        if not token:
            raise MilvusUnavailable(
                f"the environment variable {address.token_env} (index.tokenEnv) has no token in it"
            )
    url = address.url
    if not url.endswith(LOCAL):
        try:
            url = read_address(url).url
        except BadAddress as error:
            raise MilvusUnavailable(f"index.url {error}") from None
    with _telling_why(address):
        return MilvusClient(uri=url, token=token, timeout=SECONDS, grpc_options=_CALM)


@contextlib.contextmanager
def _telling_why(address: MilvusAddress, name: str = "") -> Iterator[None]:
    """Tell what a server says; where it forbids something, of which collections."""
    from grpc import RpcError, StatusCode
    from pymilvus.exceptions import MilvusException

    try:
        yield
    except (MilvusException, RpcError) as error:
        # The first line alone: what follows may repeat what was asked.
        words = error.message if isinstance(error, MilvusException) else error.details()
        said = str(words).partition("\n")[0][:200]
        # As a connection is made, the reason is told as what caused the error.
        codes = {
            each.code() for each in (error, error.__cause__, error.__context__) if isinstance(each, RpcError)
        }
        if StatusCode.UNAUTHENTICATED in codes:
            said = f"the token is missing or wrong (index.tokenEnv): {said}"
        elif StatusCode.PERMISSION_DENIED in codes and name:
            said = f"{said}, of the collections {name}_…"
        raise MilvusUnavailable(f"Milvus at {address.url} (index.url): {said}") from None


def _look_far(k: int) -> dict[str, int]:
    """What the kinds of indexes over vectors are asked with; each takes its own of it."""
    candidates = max(NEAR_CANDIDATES, min(k, MOST))
    return {"nprobe": NEAR_LISTS, "ef": candidates, "search_list": candidates}


def _field(kind: Kind) -> str:
    return "vector" if kind == "vectors" else "terms"
