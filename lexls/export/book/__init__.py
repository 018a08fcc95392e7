"""Make a brief's book of authorities: one PDF with the brief, an index and the authorities, all linked."""
