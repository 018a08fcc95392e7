"""Settings that are declared once, loaded in layers, and documented from the declaration."""
