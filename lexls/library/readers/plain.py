"""Plain text."""

from __future__ import annotations

from lexls.library.extract import Extract
from lexls.library.frontmatter import front_matter
from lexls.library.lines import pieces_of_text
from lexls.library.pages import text_pages
from lexls.library.readers.decoding import decode


def extract(data: bytes) -> Extract:
    """Read plain text; YAML front matter is allowed."""
    return extract_text(decode(data), markdown=False)


def extract_text(text: str, *, markdown: bool) -> Extract:
    """Read decoded text, as Markdown or not; its offsets are those of the file."""
    declared, body, warnings = front_matter(text)
    page_starts, page_numbers = text_pages(text, body)
    return Extract(
        text=text,
        pieces=pieces_of_text(text, body, markdown=markdown),
        page_starts=page_starts,
        page_numbers=page_numbers,
        declared=declared,
        warnings=warnings,
    )
