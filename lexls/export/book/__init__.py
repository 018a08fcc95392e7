"""Make the book of authorities of a brief: one PDF of the brief, an index and the authorities, all linked."""
