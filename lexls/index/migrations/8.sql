-- What was said of a document elsewhere when it was read: a JSON object of facts, '' for nothing.
ALTER TABLE documents ADD COLUMN described TEXT NOT NULL DEFAULT '';

-- Files that describe others; "problems" says what of them cannot be read, as a JSON array.
CREATE TABLE catalogues (
    library TEXT NOT NULL,
    relative TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    problems TEXT NOT NULL,
    PRIMARY KEY (library, relative)
) WITHOUT ROWID;

-- What they say. "target" names files of the library as list_targets has them; "written" is the file as somebody
-- wrote it by hand, '' for what need not be there.
CREATE TABLE descriptions (
    library TEXT NOT NULL,
    catalogue TEXT NOT NULL,
    target TEXT NOT NULL,
    rank INTEGER NOT NULL,
    line INTEGER NOT NULL,
    written TEXT NOT NULL,
    facts TEXT NOT NULL        -- JSON object
);
CREATE INDEX descriptions_target ON descriptions (library, target);
CREATE INDEX descriptions_catalogue ON descriptions (library, catalogue);
