"""Vectors in the index file: ``sqlite-vec`` where it has a build, plain BLOBs elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import apsw
import numpy as np
from numpy.typing import NDArray

CHUNK_ROWS = 1024
"""Rows of a vec0 chunk; vec0 frees space only by whole chunks."""
REBUILD_RATIO = 1.5
"""A vec0 table this many times larger than its rows need is written anew in idle time."""


class VectorStore:
    """The vectors of one index file, one a passage, all of one dimension.

    Rows are keyed by passage id. All methods run in the caller's transaction.
    """

    def __init__(self, connection: apsw.Connection, has_extension: bool) -> None:
        self._connection = connection
        self._virtual = has_extension

    @property
    def dimension(self) -> int:
        """The vectors' dimension, 0 before the first ``create``."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'dimension'").fetchone()
        return int(row[0]) if row else 0

    def create(self, dimension: int) -> None:
        """Make the store anew, empty, for vectors of ``dimension``."""
        self._connection.execute("DROP TABLE IF EXISTS vec_passages")
        self._connection.execute("DELETE FROM vector_blobs")
        if self._virtual:
            self._connection.execute(
                f"CREATE VIRTUAL TABLE vec_passages USING vec0(embedding float[{int(dimension)}])"
            )
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('dimension', ?)", (dimension,))
        self._connection.execute(
            "INSERT OR REPLACE INTO meta VALUES ('vectors', ?)", ("vec0" if self._virtual else "blob",)
        )

    def kind(self) -> str:
        """ "vec0" or "blob": how the file keeps its vectors; "" if it has none yet."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = 'vectors'").fetchone()
        return str(row[0]) if row else ""

    def usable(self) -> bool:
        """Whether this connection can reach the file's vectors."""
        return self.kind() == ("vec0" if self._virtual else "blob")

    def add(self, passages: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Insert ``vectors`` (n × dimension, unit length) for ``passages``."""
        rows = zip(passages, (vector.tobytes() for vector in vectors), strict=True)
        self._connection.executemany(
            f"INSERT INTO {self._table()} ({self._key()}, embedding) VALUES (?, ?)", rows
        )

    def remove(self, passages: Iterable[int]) -> None:
        """Delete the vectors of ``passages``; those without one are passed over."""
        self._connection.executemany(
            f"DELETE FROM {self._table()} WHERE {self._key()} = ?", ((passage,) for passage in passages)
        )

    def get(self, passages: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """The vectors of ``passages`` that have one, as float32 bytes."""
        sql = f"SELECT embedding FROM {self._table()} WHERE {self._key()} = ?"
        for passage in passages:
            row = self._connection.execute(sql, (passage,)).fetchone()
            if row is not None:
                yield passage, bytes(row[0])

    def all(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """All passage ids and their vectors (n × dimension)."""
        ids: list[int] = []
        parts: list[bytes] = []
        for passage, vector in self._connection.execute(
            f"SELECT {self._key()}, embedding FROM {self._table()}"
        ):
            ids.append(passage)
            parts.append(vector)
        matrix = np.frombuffer(b"".join(parts), dtype=np.float32).reshape(len(ids), self.dimension)
        return np.asarray(ids, dtype=np.int64), matrix

    def sparse(self) -> bool:
        """Whether so many holes have gathered that ``rebuild`` is worth it."""
        if not self._virtual:
            return False
        chunks = self._connection.execute("SELECT count(*) FROM vec_passages_chunks").fetchone()
        rows = self._connection.execute("SELECT count(*) FROM vec_passages_rowids").fetchone()
        assert chunks is not None
        assert rows is not None
        return bool(chunks[0] * CHUNK_ROWS > REBUILD_RATIO * rows[0] + CHUNK_ROWS)

    def rebuild(self) -> None:
        """Write the vec0 table anew without holes."""
        ids, matrix = self.all()
        matrix = matrix.copy()
        self.create(self.dimension)
        self.add(ids.tolist(), matrix)

    def _table(self) -> str:
        return "vec_passages" if self._virtual else "vector_blobs"

    def _key(self) -> str:
        return "rowid" if self._virtual else "passage"
