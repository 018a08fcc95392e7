"""Markdown."""

from __future__ import annotations

from lexls.library.extract import Extract
from lexls.library.readers.decoding import decode
from lexls.library.readers.plain import extract_text


def extract(data: bytes) -> Extract:
    """Read Markdown as it stands: the text keeps its markup, so that its offsets are the file's."""
    return extract_text(decode(data), markdown=True)
