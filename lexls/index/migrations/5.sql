-- The court's own numbers of a case, as JSON, and where each of these facts was taken from: a JSON object of
-- the fields of Metadata.
ALTER TABLE documents ADD COLUMN docket TEXT NOT NULL DEFAULT '[]';
ALTER TABLE documents ADD COLUMN sources TEXT NOT NULL DEFAULT '{}';
