"""Reuse what the same user's other indexes contain: whole documents, and vectors of files with the same
content.

Only results for files that the new index itself reads are reused, so that nothing from one matter gets into
the index of another.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import apsw
import numpy as np

from lexls.index.beside import find_beside, name_meanwhile
from lexls.index.config import IndexerConfig, find_default_path
from lexls.index.connection import (
    SCHEMA_VERSION,
    copy_index,
    load_vector_extension,
    open_reader,
    open_writer,
    read_meta,
    read_schema_version,
    select,
)
from lexls.index.reconcile import Watched
from lexls.index.store import Store, read_vectors_by_text
from lexls.index.vectors import VectorStore


def choose_seed(config: IndexerConfig, others: Iterable[IndexerConfig]) -> Path | None:
    """Return the index of another configuration that shares most folders with this one. Return None if there
    is no such index, or if this configuration already has an index.
    """
    if config.index.exists():
        return None
    shared = {
        each.index: len(set(each.folders) & set(config.folders))
        for each in others
        if each.options.exhibits == config.options.exhibits
    }
    best = max(shared, key=lambda index: shared[index], default=None)
    return best if best is not None and shared[best] else None


def seed_index(config: IndexerConfig) -> None:
    """Start the index of a configuration as a copy of an index of the same folders. Does nothing if the index
    exists.

    The copied index is the configured seed, or else the one of this user's indexes that reads files the same
    way and shares most folders. Without either, every file is read. The caller must have locked the index.
    """
    if config.index.exists():
        return
    seed = config.seed or _find_seed(config)
    if seed is None:
        return
    begun = config.index.with_name(name_meanwhile(config.index, "-seed"))
    try:
        copy_index(seed, begun)
        _forget_others(begun, Watched(config.folders, (*config.excluded, str(config.index))))
        begun.replace(config.index)
    except (apsw.Error, OSError):
        pass
    finally:
        for path in (begun, find_beside(begun, "-wal"), find_beside(begun, "-shm")):
            path.unlink(missing_ok=True)


def _forget_others(index: Path, watched: Watched) -> None:
    """Delete everything about files that are not ``watched`` from an index that nobody else has open.

    Neither their words nor their vectors remain anywhere in the file.
    """
    with contextlib.closing(Store(index)) as store:
        foreign = [key for key in store.known_files() if watched.key_of(str(key.path)) != key]
        if not foreign:
            return
        store.remove(foreign)
        store.forget_scanned_pages()
    with contextlib.closing(open_writer(index)) as connection:
        vectors = VectorStore(connection, load_vector_extension(connection))
        used: set[int] = set()
        for table in ("postings", "precedent_postings"):
            for (terms,) in select(connection, f"SELECT terms FROM {table}"):
                used.update(np.unique(np.frombuffer(terms, np.int32)).tolist())
        with connection:
            if vectors.dimension and vectors.usable():
                vectors.rebuild()  # vec0 keeps the numbers of a deleted row
            unused = [
                (number,) for (number,) in select(connection, "SELECT id FROM terms") if number not in used
            ]
            connection.executemany("DELETE FROM terms WHERE id = ?", unused)
            connection.execute("DELETE FROM meta WHERE key IN ('places', 'missing', 'unread')")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _find_seed(config: IndexerConfig) -> Path | None:
    """Return the stored index that reads files the same way and shares most folders with a configuration;
    None if there is none.
    """
    found: dict[Path, int] = {}
    for index, connection in _open_kept(config):
        if read_meta(connection, "fingerprint") == config.fingerprint():
            folders = set(json.loads(read_meta(connection, "folders") or "[]"))
            found[index] = len(folders & set(map(str, config.folders)))
    best = max(found, key=lambda index: found[index], default=None)
    return best if best is not None and found[best] else None


def _open_kept(config: IndexerConfig) -> Iterator[tuple[Path, apsw.Connection]]:
    """Open and yield the other indexes in lexls's own folder, one at a time; none if this index is not in
    that folder.
    """
    kept = find_default_path(()).parent
    if config.alone or config.index.parent != kept:
        return
    for index in sorted(kept.glob("*.sqlite3")):
        if index == config.index:
            continue
        with (
            contextlib.suppress(apsw.Error, OSError, ValueError),
            contextlib.closing(open_reader(index)) as connection,
        ):
            if read_schema_version(connection) == SCHEMA_VERSION:
                yield index, connection


def take_over_vectors(
    store: Store, config: IndexerConfig, passages: Iterable[int], looked_up: set[bytes]
) -> int:
    """Copy existing vectors for the files of ``passages`` from this or another index of the user.

    Each file is looked up only once; ``looked_up`` contains the hashes of those looked up so far. Return the
    number of vectors copied.
    """
    new = store.hashes_of(passages) - looked_up
    looked_up |= new
    count = 0
    for digest, known in _find_vectors(config, store.meta("embedder"), new).items():
        found = [(passage, known[text]) for passage, text in store.pending_of(digest) if text in known]
        if found:
            matrix = np.frombuffer(b"".join(vector for _, vector in found), np.float32)
            count += store.put_vectors([each for each, _ in found], matrix.reshape(len(found), -1))
    return count


def _find_vectors(config: IndexerConfig, embedder: str, hashes: set[bytes]) -> dict[bytes, dict[str, bytes]]:
    """Return the vectors of files with these hashes, by hash and then by passage text.

    Only vectors of the same ``embedder`` are used; unknown hashes are skipped.
    """
    found: dict[bytes, dict[str, bytes]] = {}
    wanted = set(hashes)
    for connection in _open_all(config) if wanted else ():
        vectors = VectorStore(connection, load_vector_extension(connection))
        if read_meta(connection, "embedder") != embedder or not vectors.usable():
            continue
        for digest in list(wanted):
            for (document,) in select(connection, "SELECT id FROM documents WHERE hash = ?", (digest,)):
                if known := read_vectors_by_text(connection, vectors, document):
                    found.setdefault(digest, {}).update(known)
                    wanted.discard(digest)
        if not wanted:
            break
    return found


def _open_all(config: IndexerConfig) -> Iterator[apsw.Connection]:
    """Open this index, and then the user's other indexes one at a time."""
    with contextlib.closing(open_reader(config.index)) as connection:
        yield connection
    yield from (connection for _, connection in _open_kept(config))
