"""Keep vectors on a Milvus server and find those nearest to one: all that lexls asks of Milvus.

Milvus gets numbers alone: of each passage and document its id and the weights of its terms by the terms'
numbers, of each passage its vector. Texts, names, paths and words stay in the index file.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

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

MOST = 16_384
"""So many results Milvus gives to one search."""
SECONDS = 30.0
"""How long the server may take for one answer."""
FLUSH_SECONDS = 600.0
_CALM = {"grpc.keepalive_time_ms": 300_000}
"""A server may leave who asks more often whether it is there, as milvus-lite's does."""
LOCAL = ".db"
"""How the path ends of a database that milvus-lite opens in this process."""


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
        self._ready: set[Kind] = set()

    def close(self) -> None:
        """Leave the server."""
        with self._speaking():
            self._client.close()

    def exists(self, kind: Kind) -> bool:
        """Whether the server has this collection."""
        with self._speaking():
            return bool(self._client.has_collection(self._called(kind), timeout=SECONDS))

    def make(self, kind: Kind, dimension: int = 0) -> None:
        """Make a collection anew, empty; ``dimension`` is that of vectors."""
        from pymilvus import DataType

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
        if documents:
            for kind in KINDS:
                if self.exists(kind):
                    with self._speaking():
                        self._client.delete(self._load(kind), filter=_among(documents), timeout=SECONDS)

    def search(
        self,
        kind: Kind,
        asked: Terms | NDArray[np.float32],
        k: int,
        documents: Collection[int] | None = None,
    ) -> tuple[Ids, NDArray[np.float64]]:
        """The ``k`` rows, ``MOST`` at most, whose inner product with what is asked is highest, best first:
        ids and products. ``documents`` limits them to those of these (None: of all).
        """
        with self._speaking():
            (found,) = self._client.search(
                self._load(kind),
                data=[asked],
                anns_field=_field(kind),
                limit=min(k, MOST),
                filter="" if documents is None else _among(documents),
                output_fields=["id"],
                timeout=SECONDS,
            )
        ids = np.fromiter((hit["id"] for hit in found), np.int64, len(found))
        return ids, np.fromiter((hit["distance"] for hit in found), np.float64, len(found))

    def count(self, kind: Kind) -> int:
        """How many rows a collection has, 0 if it is not there."""
        if not self.exists(kind):
            return 0
        with self._speaking():
            (row,) = self._client.query(
                self._load(kind), filter="", output_fields=["count(*)"], timeout=SECONDS
            )
        return int(row["count(*)"])

    def read(self, kind: Kind, ids: Iterable[int]) -> dict[int, tuple[int, Any]]:
        """Of those of ``ids``, ``MOST`` at most, that have a row: the document, and the terms or vector."""
        field = _field(kind)
        if not self.exists(kind):
            return {}
        with self._speaking():
            rows = self._client.query(
                self._load(kind),
                filter=f"id in {list(ids)}",
                output_fields=["id", "document", field],
                timeout=SECONDS,
            )
        return {row["id"]: (row["document"], row[field]) for row in rows}

    def _load(self, kind: Kind) -> str:
        """The name of a collection, which the server has in memory now: milvus-lite lets go of it as it ends,
        and whoever looks after a server may.
        """
        name = self._called(kind)
        if kind not in self._ready:
            # Loading asks for a right that those who only read need not have.
            if "NotLoad" in str(self._client.get_load_state(name, timeout=SECONDS).get("state")):
                self._client.load_collection(name, timeout=SECONDS)
            self._ready.add(kind)
        return name

    def _called(self, kind: Kind) -> str:
        return f"{self._name}_{kind}"

    @contextlib.contextmanager
    def _speaking(self) -> Iterator[None]:
        try:
            with _telling_why(self._address):
                yield
        except MilvusUnavailable:
            self._ready.clear()  # it may have let go of what it had in memory
            raise


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
def _telling_why(address: MilvusAddress) -> Iterator[None]:
    from grpc import RpcError
    from pymilvus.exceptions import MilvusException

    try:
        yield
    except (MilvusException, RpcError) as error:
        # The first line alone: what follows may repeat what was asked.
        words = error.message if isinstance(error, MilvusException) else error.details()
        said = str(words).partition("\n")[0][:200]
        raise MilvusUnavailable(f"Milvus at {address.url} (index.url): {said}") from None


def _field(kind: Kind) -> str:
    return "vector" if kind == "vectors" else "terms"


def _among(documents: Collection[int]) -> str:
    return f"document in {[int(each) for each in documents]}"
