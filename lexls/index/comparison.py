"""Compare an index with another that was made of the same folders: a file is read one way only."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import numpy as np

from lexls.index.connection import load_vector_extension, open_reader, select
from lexls.index.reconcile import FileKey
from lexls.index.rows import NOT_NOW, STILL_PICTURES
from lexls.index.soundness import find_orphans, find_vector_faults

Name = tuple[str, str, str]
"""A document's library, its file, and its part of that."""
Described = Mapping[str, bytes]
"""What an index holds of a document: a digest of each aspect."""

OTHER_FILE = "bytes"
ASPECTS: Mapping[str, str] = {
    OTHER_FILE: "SELECT hash FROM documents WHERE id = ?",
    "facts": """SELECT title, short_title, citations, keys, court, date, kind, jurisdiction, docket, sources,
                       warnings, described FROM documents WHERE id = ?""",
    # As bytes: what is damaged may be no UTF-8.
    "text": "SELECT CAST(text AS BLOB) FROM texts WHERE document = ?",
    "structure": "SELECT structure FROM texts WHERE document = ?",
    "passages": """SELECT id - first_passage, "start", "end", paragraph, page, heading, role
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
    """What is wrong with what an index holds of a file, in words for the user; ``path`` is "" for what is
    wrong with the index as a whole, ``damaged`` says that it must be made anew."""

    library: str
    relative: str
    reason: str
    damaged: bool = False

    @property
    def key(self) -> FileKey:
        """The file."""
        return FileKey(self.library, self.relative)

    @property
    def path(self) -> str:
        """The file's absolute path."""
        return str(self.key.path) if self.relative else ""

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


def compare_indexes(index: Path, rebuilt: Path) -> list[IndexDifference]:
    """What ``index`` holds otherwise than ``rebuilt``, by file, each index as it is at one moment.

    A scan whose pages are still to be read is left out, a file that could not be read just now, too, and
    vectors need only be there for the passages that ``index`` says have one. Raises ``apsw.Error`` for a
    file that is damaged as such.
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
"""What selects rows that belong to a file, and what is said where they differ."""


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
    """The terms of postings: their numbers are an index' own."""
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
