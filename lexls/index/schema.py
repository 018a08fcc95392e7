"""The tables of the index file and how older files become current ones."""

from __future__ import annotations

from dataclasses import dataclass

import apsw


class IndexTooNew(Exception):
    """The index file was written by a newer lexls."""


class SchemaNotReady(Exception):
    """The index file has no tables yet, or older ones: its indexer has to come first."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema. ``reindex`` says that documents must be read again after it."""

    sql: str
    reindex: bool


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

        CREATE TABLE documents (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            generation INTEGER NOT NULL,
            library TEXT NOT NULL,
            relative TEXT NOT NULL,
            size INTEGER NOT NULL,
            mtime_ns INTEGER NOT NULL,
            hash BLOB NOT NULL,
            title TEXT NOT NULL,
            short_title TEXT NOT NULL,
            citations TEXT NOT NULL,   -- JSON array, preferred first
            keys TEXT NOT NULL,        -- JSON array of folded normal keys
            court TEXT NOT NULL,
            date TEXT NOT NULL,
            kind TEXT NOT NULL,
            jurisdiction TEXT NOT NULL,
            warnings TEXT NOT NULL,    -- JSON array
            UNIQUE (library, relative)
        );
        CREATE INDEX documents_generation ON documents (generation);
        CREATE INDEX documents_hash ON documents (hash);

        -- Documents that were in the index once, so that a reader knows what to forget.
        CREATE TABLE removals (document INTEGER PRIMARY KEY, generation INTEGER NOT NULL);
        CREATE INDEX removals_generation ON removals (generation);

        CREATE TABLE texts (
            document INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
            text TEXT NOT NULL,
            structure BLOB NOT NULL    -- zlib of JSON: blocks, pages, source map
        );

        CREATE TABLE passages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            "start" INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            paragraph TEXT NOT NULL,
            page INTEGER NOT NULL,
            heading TEXT NOT NULL,
            embedded INTEGER NOT NULL DEFAULT 0  -- generation at which its vector came, 0 if not yet
        );
        CREATE INDEX passages_document ON passages (document);
        CREATE INDEX passages_embedded ON passages (embedded);

        CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE);

        -- Postings stored forward, a row a document; readers invert them at load.
        CREATE TABLE postings (
            document INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
            first_passage INTEGER NOT NULL,  -- passages of a document have consecutive ids
            offsets BLOB NOT NULL,           -- int32, passages + 1
            terms BLOB NOT NULL,             -- int32, term ids
            frequencies BLOB NOT NULL        -- uint16
        );

        CREATE TABLE edges (
            document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            "start" INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            key TEXT NOT NULL,         -- folded normal key of what is cited
            pinpoint TEXT NOT NULL     -- labels, joined by line feeds
        );
        -- Covers the question what a passage cites, which every search asks.
        CREATE INDEX edges_document ON edges (document, "start", key);
        CREATE INDEX edges_key ON edges (key, document);

        CREATE TABLE failures (
            library TEXT NOT NULL,
            relative TEXT NOT NULL,
            size INTEGER NOT NULL,
            mtime_ns INTEGER NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (library, relative)
        ) WITHOUT ROWID;

        -- Vectors where sqlite-vec has no build; elsewhere they lie in the virtual table vec_passages.
        CREATE TABLE vector_blobs (passage INTEGER PRIMARY KEY, embedding BLOB NOT NULL);
        """,
        reindex=True,
    ),
    Migration(
        """
        -- What a bare label of the pinpoint counts ("page", "paragraph", …), and the words that the citing
        -- sentence quotes right before the citation ("end" 0: none).
        ALTER TABLE edges ADD COLUMN pinpoint_kind TEXT NOT NULL DEFAULT '';
        ALTER TABLE edges ADD COLUMN quote_start INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE edges ADD COLUMN quote_end INTEGER NOT NULL DEFAULT 0;

        -- What a document says of an authority beyond citing it. "by" is the key of the authority that treats
        -- it: '' for the document itself, '?' for one that the sentence does not name.
        CREATE TABLE treatments (
            document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            "start" INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            key TEXT NOT NULL,
            treatment TEXT NOT NULL,
            extent TEXT NOT NULL,
            by TEXT NOT NULL,
            sentence_start INTEGER NOT NULL,
            sentence_end INTEGER NOT NULL
        );
        CREATE INDEX treatments_document ON treatments (document, "start");
        CREATE INDEX treatments_key ON treatments (key);
        """,
        reindex=True,
    ),
    Migration(
        """
        -- Of a case cited in full: the words of its name ('' if none) and the year (0 if unknown).
        ALTER TABLE edges ADD COLUMN name TEXT NOT NULL DEFAULT '';
        ALTER TABLE edges ADD COLUMN year INTEGER NOT NULL DEFAULT 0;
        """,
        reindex=True,
    ),
    Migration(
        """
        -- The rhetorical role of a passage, '' if it has none that is known.
        ALTER TABLE passages ADD COLUMN role TEXT NOT NULL DEFAULT '';

        -- What documents cite authorities for: the citing words, "start" to "end" of the document's text, and
        -- what they say without their citations. Ids of a document's precedents are consecutive.
        CREATE TABLE precedents (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            "start" INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            proposition TEXT NOT NULL,
            entities TEXT NOT NULL,              -- joined by line feeds
            embedded INTEGER NOT NULL DEFAULT 0  -- generation at which its vectors came, 0 if not yet
        );
        CREATE INDEX precedents_document ON precedents (document);
        CREATE INDEX precedents_embedded ON precedents (embedded);

        CREATE TABLE precedent_keys (
            precedent INTEGER NOT NULL REFERENCES precedents (id) ON DELETE CASCADE,
            key TEXT NOT NULL,            -- folded, as in edges
            "start" INTEGER NOT NULL,     -- of the citation in the document's text
            "end" INTEGER NOT NULL,
            signal TEXT NOT NULL,         -- "see", "but see", ...; '' if none
            pinpoint TEXT NOT NULL,       -- labels, joined by line feeds
            pinpoint_kind TEXT NOT NULL,
            PRIMARY KEY (precedent, key)
        ) WITHOUT ROWID;
        CREATE INDEX precedent_keys_key ON precedent_keys (key);

        CREATE TABLE precedent_postings (        -- as postings, of the precedents' propositions
            document INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
            first_precedent INTEGER NOT NULL,
            offsets BLOB NOT NULL,
            terms BLOB NOT NULL,
            frequencies BLOB NOT NULL
        );

        CREATE TABLE precedent_vectors (
            precedent INTEGER PRIMARY KEY REFERENCES precedents (id) ON DELETE CASCADE,
            proposition BLOB NOT NULL,           -- float16
            entities BLOB NOT NULL               -- float16, empty if there are none
        );
        """,
        reindex=True,
    ),
)
"""Numbered under ``PRAGMA user_version``: step n takes a file from version n to n + 1."""

SCHEMA_VERSION = len(MIGRATIONS)

FORGET_FILES = "UPDATE documents SET size = -1, hash = x''; DELETE FROM failures;"
"""Lets every file be read again by the next reconciliation; documents answer until then."""


def schema_version(connection: apsw.Connection) -> int:
    """The version of the file behind ``connection`` (0 for a new one)."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])  # type: ignore[index]


def migrate(connection: apsw.Connection) -> bool:
    """Bring the file to the current version, each step in a transaction of its own.

    Returns whether documents must be read again: the next reconciliation does so, and keeps the vectors of
    passages that stay the same. Raises ``IndexTooNew`` for a file of a later version.
    """
    version = schema_version(connection)
    if version > SCHEMA_VERSION:
        raise IndexTooNew(_too_new(version))
    reindex = False
    for step in range(version, SCHEMA_VERSION):
        with connection:
            connection.execute(MIGRATIONS[step].sql)
            if MIGRATIONS[step].reindex:
                connection.execute(FORGET_FILES)
            connection.execute(f"PRAGMA user_version = {step + 1}")
        reindex = reindex or MIGRATIONS[step].reindex
    return reindex


def check_readable(connection: apsw.Connection) -> None:
    """Raise ``SchemaNotReady`` or ``IndexTooNew`` unless the file has the current version."""
    version = schema_version(connection)
    if version > SCHEMA_VERSION:
        raise IndexTooNew(_too_new(version))
    if version < SCHEMA_VERSION:
        raise SchemaNotReady


def _too_new(version: int) -> str:
    return (
        f"the index has schema version {version}, this lexls knows up to {SCHEMA_VERSION}: "
        "update lexls, or name another index file"
    )
