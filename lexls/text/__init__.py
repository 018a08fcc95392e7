"""Lines, positions, markup and sentences of a text, without legal knowledge."""
