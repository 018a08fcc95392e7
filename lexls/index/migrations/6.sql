-- A file may hold several documents: "part" names each among them, '' where the file is one document. The table
-- is made anew, since (library, relative) no longer is unique.
CREATE TABLE new_documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    generation INTEGER NOT NULL,
    library TEXT NOT NULL,
    relative TEXT NOT NULL,
    part TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    hash BLOB NOT NULL,        -- of the file, or of the record
    title TEXT NOT NULL,
    short_title TEXT NOT NULL,
    citations TEXT NOT NULL,   -- JSON array, preferred first
    keys TEXT NOT NULL,        -- JSON array of folded normal keys
    court TEXT NOT NULL,
    date TEXT NOT NULL,
    kind TEXT NOT NULL,
    jurisdiction TEXT NOT NULL,
    docket TEXT NOT NULL,      -- JSON array
    sources TEXT NOT NULL,     -- JSON object: where each of these facts was taken from
    warnings TEXT NOT NULL,    -- JSON array
    UNIQUE (library, relative, part)
);
INSERT INTO new_documents
    SELECT id, generation, library, relative, '', size, mtime_ns, hash, title, short_title, citations, keys, court,
           date, kind, jurisdiction, docket, sources, warnings
    FROM documents;
-- Ids are never given twice.
DELETE FROM sqlite_sequence WHERE name = 'new_documents';
INSERT INTO sqlite_sequence SELECT 'new_documents', seq FROM sqlite_sequence WHERE name = 'documents';
DROP TABLE documents;
ALTER TABLE new_documents RENAME TO documents;
CREATE INDEX documents_generation ON documents (generation);

-- The files of several documents. Size -1: they are being read. "problems" says which records cannot be read and
-- why, as a JSON array.
CREATE TABLE corpora (
    library TEXT NOT NULL,
    relative TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    hash BLOB NOT NULL,
    problems TEXT NOT NULL,
    PRIMARY KEY (library, relative)
) WITHOUT ROWID;

-- Where in its file a document of several stands: in words, and the line (from 1) with its first byte and the
-- number of bytes; line 0 where an editor has nothing to open.
CREATE TABLE record_places (
    document INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    place TEXT NOT NULL,
    line INTEGER NOT NULL,
    "start" INTEGER NOT NULL,
    length INTEGER NOT NULL
);
