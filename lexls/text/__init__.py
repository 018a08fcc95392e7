"""Lines, positions, markup and sentences of a text; knows nothing of law."""
