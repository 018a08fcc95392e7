"""Settings: declared once, layered, documented from the declaration."""
