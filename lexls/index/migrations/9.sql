-- Whose words a passage of a judgment has ('': the court's), and what people are shown of it, '' for nothing.
ALTER TABLE passages ADD COLUMN speaker TEXT NOT NULL DEFAULT '';
ALTER TABLE passages ADD COLUMN label TEXT NOT NULL DEFAULT '';
