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
