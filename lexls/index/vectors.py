"""Store vectors in the index file, with ``sqlite-vec`` if it is available for this platform, or else as
BLOBs.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence

import apsw
import numpy as np
from numpy.typing import NDArray

from lexls.index.connection import read_meta

CHUNK_ROWS = 1024
"""Number of rows in a vec0 chunk; vec0 frees space only by whole chunks."""
PART_ROWS = 1024
"""Number of rows read at a time."""
_CHUNK_TABLES = {
    "vec_passages_chunks": {"chunk_id", "validity", "rowids"},
    "vec_passages_rowids": {"rowid", "chunk_id", "chunk_offset"},
    "vec_passages_vector_chunks00": {"rowid", "vectors"},
}
REBUILD_RATIO = 1.5
"""A vec0 table that is this many times larger than its rows need is rewritten in idle time."""


class VectorStore:
    """The vectors of one index file, one per passage, all of the same dimension.

    Rows are keyed by passage id. All methods run in the caller's transaction.
    """

    def __init__(self, connection: apsw.Connection, has_extension: bool) -> None:
        self._connection = connection
        self._virtual = has_extension

    @property
    def dimension(self) -> int:
        """The vectors' dimension, 0 before the first ``create``."""
        return int(read_meta(self._connection, "dimension") or 0)

    def create(self, dimension: int) -> None:
        """Recreate the store, empty, for vectors of ``dimension``."""
        self._connection.execute("DROP TABLE IF EXISTS vec_passages")
        self._connection.execute("DELETE FROM vector_blobs")
        if self._virtual:
            self._connection.execute(
                f"CREATE VIRTUAL TABLE vec_passages USING vec0(embedding float[{int(dimension)}])"
            )
        self._connection.execute(
            "INSERT OR REPLACE INTO meta VALUES ('dimension', ?), ('vectors', ?)",
            (dimension, "vec0" if self._virtual else "blob"),
        )

    def kind(self) -> str:
        """Return how the file stores its vectors, "vec0" or "blob"; "" if it has none yet."""
        return read_meta(self._connection, "vectors")

    def usable(self) -> bool:
        """Return whether this connection can read the file's vectors."""
        return self.kind() == ("vec0" if self._virtual else "blob")

    def add(self, passages: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Insert ``vectors`` (n × dimension, unit length) for ``passages``."""
        rows = zip(passages, (vector.tobytes() for vector in vectors), strict=True)
        self._connection.executemany(
            f"INSERT INTO {self._table()} ({self._key()}, embedding) VALUES (?, ?)", rows
        )

    def remove(self, passages: Iterable[int]) -> None:
        """Delete the vectors of ``passages``; passages without one are ignored."""
        self._connection.executemany(
            f"DELETE FROM {self._table()} WHERE {self._key()} = ?", ((passage,) for passage in passages)
        )

    def get(self, passages: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the vectors of those ``passages`` that have one, as float32 bytes."""
        sql = f"SELECT embedding FROM {self._table()} WHERE {self._key()} = ?"
        for passage in passages:
            row = self._connection.execute(sql, (passage,)).fetchone()
            if row is not None:
                yield passage, bytes(row[0])

    def count(self) -> int:
        """Return the number of vectors."""
        table = "vec_passages_rowids" if self._virtual else "vector_blobs"
        return int(self._connection.execute(f"SELECT count(*) FROM {table}").get)

    def parts(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        """Yield all passage ids and their vectors (n × dimension), about a thousand at a time."""
        dimension = self.dimension
        if self._virtual and self._has_chunks():
            yield from self._chunks(dimension)
            return
        rows = self._connection.execute(f"SELECT {self._key()}, embedding FROM {self._table()}")
        while part := list(itertools.islice(rows, PART_ROWS)):
            ids = np.array([passage for passage, _ in part], np.int64)
            yield ids, _matrix(b"".join(vector for _, vector in part), dimension)

    def _has_chunks(self) -> bool:
        """Return whether sqlite-vec's internal tables are those of its 0.1 series; later versions may
        differ.
        """
        columns = "SELECT name FROM pragma_table_info(?)"
        return all(
            expected <= {name for (name,) in self._connection.execute(columns, (table,))}
            for table, expected in _CHUNK_TABLES.items()
        )

    def _chunks(self, dimension: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        """Read vec0's chunks directly, in a tenth of the time of querying vec0 for each row."""
        for validity, rowids, vectors in self._connection.execute(
            # CROSS keeps this order; otherwise all vectors would go through a sorter.
            """SELECT c.validity, c.rowids, v.vectors FROM vec_passages_chunks AS c
               CROSS JOIN vec_passages_vector_chunks00 AS v ON v.rowid = c.chunk_id ORDER BY c.chunk_id"""
        ):
            held = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little").astype(np.bool_)
            ids, matrix = np.frombuffer(rowids, np.int64), _matrix(vectors, dimension)
            yield (ids, matrix) if held.all() else (ids[held], matrix[held])

    def of(self, passages: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the ids of those ``passages`` that have a vector, in no particular order, and their vectors
        (n × dimension).
        """
        found = list(
            self._in_chunks(passages) if self._virtual and self._has_chunks() else self.get(passages)
        )
        ids = np.array([passage for passage, _ in found], np.int64)
        return ids, _matrix(b"".join(vector for _, vector in found), self.dimension)

    def _in_chunks(self, passages: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the same as ``get``, reading vec0's chunks directly. This takes a fifth of the time of a
        query, for which vec0 would read all rows.
        """
        size = 4 * self.dimension
        for passage in passages:
            row = self._connection.execute(
                """SELECT v._rowid_, r.chunk_offset FROM vec_passages_rowids AS r
                   JOIN vec_passages_vector_chunks00 AS v ON v.rowid = r.chunk_id WHERE r.rowid = ?""",
                (passage,),
            ).fetchone()
            if row is None:
                continue
            table = "vec_passages_vector_chunks00"
            with self._connection.blob_open("main", table, "vectors", int(row[0]), False) as blob:
                blob.seek(int(row[1]) * size)
                yield passage, blob.read(size)

    def sparse(self) -> bool:
        """Return whether deletions have left enough unused space for ``rebuild`` to be worthwhile."""
        if not self._virtual:
            return False
        chunks = int(self._connection.execute("SELECT count(*) FROM vec_passages_chunks").get)
        return chunks * CHUNK_ROWS > REBUILD_RATIO * self.count() + CHUNK_ROWS

    def rebuild(self, kept: Collection[int] | None = None) -> None:
        """Rewrite the table without unused space, with the vectors of the passages in ``kept`` (None: all).

        Meanwhile the vectors are stored in an unnamed temporary file in the index's folder.
        """
        dimension = self.dimension
        parts: list[NDArray[np.int64]] = []
        folder = os.path.dirname(self._connection.filename) or None
        with tempfile.TemporaryFile(dir=folder) as waiting:
            for ids, matrix in self.parts():
                if kept is not None:
                    chosen = np.fromiter((each in kept for each in ids.tolist()), np.bool_, len(ids))
                    ids, matrix = ids[chosen], matrix[chosen]
                parts.append(ids)
                waiting.write(matrix.tobytes())
            self.create(dimension)
            waiting.seek(0)
            for ids in parts:
                self.add(ids.tolist(), _matrix(waiting.read(4 * dimension * len(ids)), dimension))

    def _table(self) -> str:
        return "vec_passages" if self._virtual else "vector_blobs"

    def _key(self) -> str:
        return "rowid" if self._virtual else "passage"


def _matrix(data: bytes, dimension: int) -> NDArray[np.float32]:
    return np.frombuffer(data, dtype=np.float32).reshape(-1, dimension)


def rescore(
    ids: NDArray[np.int64],
    cosines: NDArray[np.float64],
    vector: NDArray[np.float32],
    known: NDArray[np.int64],
    vectors: NDArray[np.float32],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Re-rank passages by cosine. For the ``known`` passages, the exact cosine of ``vector`` with their
    ``vectors`` is used instead of the one in ``cosines``.
    """
    exact = dict(zip(known.tolist(), (vectors @ vector).tolist(), strict=True))
    scores = np.array([exact.get(passage, cosine) for passage, cosine in zip(ids, cosines, strict=True)])
    order = np.lexsort((ids, -scores))
    return ids[order], scores[order]
