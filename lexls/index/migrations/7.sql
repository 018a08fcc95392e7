-- What OCR read on the pages of scans, kept by the file's content: it takes seconds a page.
CREATE TABLE scanned_pages (
    hash BLOB NOT NULL,     -- of the file
    page INTEGER NOT NULL,  -- its position, from 1
    reading TEXT NOT NULL,  -- how it was read
    content BLOB NOT NULL,  -- height, confidence and words as compressed JSON
    PRIMARY KEY (hash, page)
) WITHOUT ROWID;
