"""Verify an index: build a second one from the same folders, compare the two, and repair differences.

Reading a file is deterministic, so two indexes of the same folders must be equal.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import numpy as np

from lexls.index.beside import IndexBusy, is_indexer_running, lock_index, name_meanwhile
from lexls.index.config import IndexerConfig, MilvusAddress
from lexls.index.connection import load_vector_extension, open_reader, select
from lexls.index.indexer import Indexer
from lexls.index.mirror import Mirror
from lexls.index.reconcile import FileKey
from lexls.index.records import IndexProgress
from lexls.index.renewal import make_anew, renew_if_damaged
from lexls.index.rows import NOT_NOW, STILL_PICTURES
from lexls.index.session import bring_up_to_date
from lexls.index.soundness import DAMAGE, check_soundness, find_orphans, find_vector_faults
from lexls.index.status import IndexStatus
from lexls.index.wanted import RENEW, append_wishes

Name = tuple[str, str, str]
"""The library, file and part that identify a document."""
Described = Mapping[str, bytes]
"""Digests of a document's content, one for each aspect."""

OTHER_FILE = "bytes"
ASPECTS: Mapping[str, str] = {
    OTHER_FILE: "SELECT hash FROM documents WHERE id = ?",
    "facts": """SELECT title, short_title, citations, keys, court, date, kind, jurisdiction, docket, sources,
                       warnings, described FROM documents WHERE id = ?""",
    # As bytes, since damaged text may not be valid UTF-8.
    "text": "SELECT CAST(text AS BLOB) FROM texts WHERE document = ?",
    "structure": "SELECT structure FROM texts WHERE document = ?",
    "passages": """SELECT id - first_passage, "start", "end", paragraph, page, heading, role, speaker, label
                   FROM passages JOIN postings USING (document) WHERE document = ? ORDER BY id""",
    "citations": """SELECT "start", "end", key, pinpoint, pinpoint_kind, quote_start, quote_end, name, year
                    FROM edges WHERE document = ? ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9""",
    "treatments": """SELECT "start", "end", key, treatment, extent, by, sentence_start, sentence_end
                     FROM treatments WHERE document = ? ORDER BY 1, 2, 3, 4, 5, 6, 7, 8""",
    "precedents": """SELECT p."start", p."end", proposition, entities, key, k."start", k."end", signal,
                            pinpoint, pinpoint_kind
                     FROM precedents AS p LEFT JOIN precedent_keys AS k ON precedent = id
                     WHERE document = ? ORDER BY id, key""",
    "place": 'SELECT place, line, "start", length FROM record_places WHERE document = ?',
}
_POSTINGS = """SELECT {first} - (SELECT min(id) FROM {units} WHERE document = ?1), offsets, terms, frequencies
               FROM {table} WHERE document = ?1"""
POSTINGS: Mapping[str, str] = {
    "postings": _POSTINGS.format(first="first_passage", units="passages", table="postings"),
    "postings of precedents": _POSTINGS.format(
        first="first_precedent", units="precedents", table="precedent_postings"
    ),
}


@dataclass(frozen=True, slots=True, order=True)
class IndexDifference:
    """A difference in a file's index entries, described for the user. ``path`` is "" if the difference
    concerns the index as a whole. ``damaged`` means that the index must be rebuilt.
    """

    library: str
    relative: str
    reason: str
    damaged: bool = False

    @property
    def key(self) -> FileKey:
        """The file's key."""
        return FileKey(self.library, self.relative)

    @property
    def path(self) -> str:
        """The file's absolute path."""
        return str(self.key.path) if self.relative else ""

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


def compare_indexes(index: Path, rebuilt: Path) -> list[IndexDifference]:
    """Return how ``index`` differs from ``rebuilt``, by file; each is read as a consistent snapshot.

    Skips scans whose pages await OCR, and files that could not be read at present. Vectors are required only
    for passages that ``index`` records as having one. Raises ``apsw.Error`` for a corrupt database file.
    """
    with contextlib.closing(open_reader(index)) as ours, contextlib.closing(open_reader(rebuilt)) as theirs:
        load_vector_extension(ours)
        with ours, theirs:
            orphans = (IndexDifference("", "", words) for words in find_orphans(ours))
            found = {*_compare(ours, theirs), *_look_at_vectors(ours), *orphans}
    return sorted(found)


def _compare(ours: apsw.Connection, theirs: apsw.Connection) -> Iterator[IndexDifference]:
    held, expected = _documents(ours), _documents(theirs)
    failed, unreadable = _failures(ours), _failures(theirs)
    pending = {name[:2] for name, (_, size) in held.items() if size < 0}
    pending |= {key for key, reason in failed.items() if reason.startswith((STILL_PICTURES, NOT_NOW))}
    read_ours, read_theirs = _make_reader(ours), _make_reader(theirs)
    for name in sorted(held.keys() | expected.keys()):
        library, relative, part = name
        if (library, relative) in pending:
            continue
        whose = f"its document {part} " if part else "it "
        if name not in expected:
            why = "cannot be read" if (library, relative) in unreadable else "is not in the library"
            yield IndexDifference(library, relative, f"{whose}is in the index, but {why}")
        elif name not in held:
            yield IndexDifference(library, relative, f"{whose}is missing from the index")
        elif wrong := _differing(read_ours(held[name][0]), read_theirs(expected[name][0])):
            yield IndexDifference(library, relative, _describe(wrong, part))
    for key in sorted(failed.keys() | unreadable.keys()):
        if key not in pending and failed.get(key) != unreadable.get(key):
            yield IndexDifference(*key, _describe_failure(failed.get(key), unreadable.get(key)))
    for sql, words in _OF_FILES.items():
        rows, wanted = (set(_select_as_bytes(each, sql)) for each in (ours, theirs))
        for row in sorted(rows ^ wanted):
            key = (str(row[0], "utf-8", "replace"), str(row[1], "utf-8", "replace"))
            if key not in pending:
                yield IndexDifference(*key, words)


_OF_FILES: Mapping[str, str] = {
    "SELECT library, relative, hash, problems FROM corpora WHERE size >= 0": (
        "what the index says of it as a file of several documents is wrong"
    ),
    "SELECT library, relative, problems FROM catalogues": (
        "what the index says of it as a table of other files is wrong"
    ),
    "SELECT library, catalogue, target, rank, line, written, facts FROM descriptions": (
        "the index does not hold what it says of other files"
    ),
}
"""Queries for rows that belong to a file, and the message to report if the rows differ."""


def _select_as_bytes(connection: apsw.Connection, sql: str) -> Iterator[tuple[bytes, ...]]:
    columns, rest = sql.removeprefix("SELECT ").split(" FROM ")
    cast = ", ".join(f"CAST({column.strip()} AS BLOB)" for column in columns.split(","))
    return select(connection, f"SELECT {cast} FROM {rest}")


def _documents(connection: apsw.Connection) -> dict[Name, tuple[int, int]]:
    rows = select(connection, "SELECT library, relative, part, id, size FROM documents")
    return {(library, relative, part): (document, size) for library, relative, part, document, size in rows}


def _failures(connection: apsw.Connection) -> dict[tuple[str, str], str]:
    rows = select(connection, "SELECT library, relative, reason FROM failures")
    return {(library, relative): reason for library, relative, reason in rows}


def _make_reader(connection: apsw.Connection) -> Callable[[int], Described]:
    terms = dict(select(connection, "SELECT id, CAST(term AS BLOB) FROM terms"))

    def read(document: int) -> Described:
        found = {name: _digest(select(connection, sql, (document,))) for name, sql in ASPECTS.items()}
        for name, sql in POSTINGS.items():
            rows = select(connection, sql, (document,))
            found[name] = _digest(
                (first, offsets, _words(terms, held), counts) for first, offsets, held, counts in rows
            )
        return found

    return read


def _words(terms: Mapping[int, bytes], held: bytes) -> object:
    """Return the terms of postings as words, because term numbers differ between indexes."""
    if len(held) % 4:
        return held
    return b" ".join(terms.get(number, b"?") for number in np.frombuffer(held, np.int32).tolist())


def _digest(rows: Iterable[tuple[Any, ...]]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    try:
        for row in rows:
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        digest.update(b"no text")
    return digest.digest()


def _differing(ours: Described, theirs: Described) -> list[str]:
    return [name for name in ours if ours[name] != theirs[name]]


def _describe(wrong: list[str], part: str) -> str:
    whose = f"its document {part}" if part else "it"
    if OTHER_FILE in wrong:
        return f"{whose} was indexed as the file was before"
    *others, last = wrong
    named = f"{', '.join(others)} and {last}" if others else last
    belongs = f"the {named} of {whose}" if part else f"its {named}"
    return f"{belongs} in the index {'are' if others or last.endswith('s') else 'is'} not what the file says"


def _describe_failure(ours: str | None, theirs: str | None) -> str:
    if theirs is None:
        return f"the index says that it cannot be read ({ours}), which is wrong"
    if ours is None:
        return f"the index does not say that it cannot be read ({theirs})"
    return f"the index gives another reason why it cannot be read ({ours}) than there is ({theirs})"


def _look_at_vectors(connection: apsw.Connection) -> Iterator[IndexDifference]:
    faults = find_vector_faults(connection)
    if faults.stray:
        yield IndexDifference("", "", f"vectors that belong to no passage: {faults.stray:,}")
    for table, ids, words in (
        ("passages", faults.missing, "no vectors for {} of its passages, though the index says so"),
        ("passages", faults.damaged, "damaged vectors for {} of its passages"),
        ("precedents", faults.precedents, "other vectors than the index says for {} of its precedents"),
    ):
        for key, count in _count_by_file(connection, table, ids).items():
            yield IndexDifference(*key, words.format(f"{count:,}"))


def _count_by_file(connection: apsw.Connection, table: str, ids: Iterable[int]) -> dict[tuple[str, str], int]:
    sql = (
        f"SELECT library, relative FROM documents JOIN {table} AS t ON document = documents.id WHERE t.id = ?"
    )
    counts: dict[tuple[str, str], int] = {}
    for each in ids:
        for library, relative in select(connection, sql, (each,)):
            counts[library, relative] = counts.get((library, relative), 0) + 1
    return counts


LOOKS = 3
"""Number of comparisons that must show a difference before it counts. Files saved during a comparison cause
temporary differences.
"""

Look = Callable[[], list[IndexDifference]]
OnProgress = Callable[[IndexProgress], None]


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a comparison: the number of ``documents``, the ``differences``, and the differences
    ``left`` after repair.
    """

    documents: int
    differences: tuple[IndexDifference, ...]
    left: tuple[IndexDifference, ...]


def verify(config: IndexerConfig, on_progress: OnProgress = lambda progress: None) -> Verification:
    """Bring an index up to date, compare it with one rebuilt from the same folders, and repair it.

    If an indexer is running, it continues and is asked to make the repairs; the copy on a server is then not
    compared. Raises the errors of ``bring_up_to_date``.
    """
    bring_up_to_date(config, lexical_only=True)
    with reading_anew(config, on_progress) as look:
        found = look_repeatedly(config, look)
        left: list[IndexDifference] = []
        if found:
            mend(config, found)
            left = look_repeatedly(config, look)
    with contextlib.closing(IndexStatus(config.index)) as status:
        documents = status.counts()[0]
    if config.milvus is not None:
        with contextlib.suppress(IndexBusy):
            others = _verify_mirror(config.index, config.milvus)
            found, left = [*found, *others[0]], [*left, *others[1]]
    return Verification(documents, tuple(found), tuple(left))


def _verify_mirror(index: Path, milvus: MilvusAddress) -> tuple[list[IndexDifference], list[IndexDifference]]:
    """Return the differences between a server and the index, and those that remain after everything was
    written again.
    """
    with lock_index(index), contextlib.closing(Mirror(index, milvus)) as mirror:
        mirror.catch_up()
        found = mirror.find_differences()
        left: list[str] = []
        if found:
            mirror.make_anew()
            mirror.catch_up()
            left = mirror.find_differences()
    of_server = [
        [IndexDifference("", "", f"on the server {milvus.url}: {words}") for words in each]
        for each in (found, left)
    ]
    return of_server[0], of_server[1]


def look_repeatedly(config: IndexerConfig, look: Look) -> list[IndexDifference]:
    """Return the differences that persist over several comparisons, while the index is kept up to date with
    the folders.
    """
    found = look()
    for _ in range(LOOKS - 1):
        if not found or not all(each.path for each in found):
            break
        bring_up_to_date(config, lexical_only=True)
        again = set(look())
        found = [each for each in found if each in again]
    return found


@contextlib.contextmanager
def reading_anew(config: IndexerConfig, on_progress: OnProgress = lambda progress: None) -> Iterator[Look]:
    """Build a second index of the same folders next to the first, and yield a function that compares the two.

    Each call of the function first reads the files saved since the last call. Scanned pages are included only
    if the first index has their OCR results.
    """
    prefix = name_meanwhile(config.index, "-verify-")
    _remove_left_over(config.index.parent, prefix)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=config.index.parent) as folder:
        anew = replace(
            config,
            index=Path(folder, "anew.sqlite3"),
            excluded=(*config.excluded, str(config.index)),
            options=replace(config.options, ocr=""),
            embedder="",
        )
        with lock_index(anew.index), contextlib.closing(Indexer(anew, on_progress)) as indexer:

            def look() -> list[IndexDifference]:
                try:
                    # Rows are compared with the files and repaired one by one, so only damage matters here.
                    if damage := check_soundness(config.index):
                        return [_describe_damage(damage)]
                    indexer.keep_scanned_pages(config.index)
                    indexer.reconcile()
                    indexer.read_scans()
                    return compare_indexes(config.index, anew.index)
                except DAMAGE as error:
                    return [_describe_damage(str(error))]

            yield look


def mend(config: IndexerConfig, found: Sequence[IndexDifference]) -> None:
    """Repair the index: have the files that differ read again, or rebuild the index if it is damaged. The
    running indexer does this, if there is one.
    """
    damaged = any(each.damaged for each in found)
    keys = list(dict.fromkeys(each.key for each in found)) if not damaged else []
    try:
        with lock_index(config.index):
            if damaged:
                make_anew(config.index)
            renew_if_damaged(config.index, partial(_mend_here, config, keys))
    except IndexBusy:
        append_wishes(config.index, [RENEW] if damaged else keys)
    bring_up_to_date(config, lexical_only=True)


def _mend_here(config: IndexerConfig, keys: Sequence[FileKey]) -> None:
    with contextlib.closing(Indexer(config)) as indexer:
        indexer.mend(keys)


def _describe_damage(damage: str) -> IndexDifference:
    return IndexDifference("", "", f"the index is damaged ({damage})", damaged=True)


def _remove_left_over(parent: Path, prefix: str) -> None:
    """Delete the leftovers of interrupted verifications."""
    for folder in parent.glob(f"{prefix}*"):
        if not is_indexer_running(folder / "anew.sqlite3"):
            shutil.rmtree(folder, ignore_errors=True)
