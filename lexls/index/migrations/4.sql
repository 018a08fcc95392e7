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
