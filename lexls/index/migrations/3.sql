-- Of a case cited in full: the words of its name ('' if none) and the year (0 if unknown).
ALTER TABLE edges ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE edges ADD COLUMN year INTEGER NOT NULL DEFAULT 0;
