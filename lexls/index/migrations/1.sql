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
