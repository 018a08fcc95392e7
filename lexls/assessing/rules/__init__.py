"""Check rules: one file for each diagnostic or family of diagnostics."""
