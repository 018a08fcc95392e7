"""Typeset the text of an authority whose file is not a PDF: its headings, numbered paragraphs and
sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from lexls.export.book.source_words import SourceWords
from lexls.export.book.typesetting import SetParagraph
from lexls.index.contents import Content
from lexls.index.records import Authority
from lexls.library.document import Block
from lexls.text.formats import format_of
from lexls.text.spans import Span
from lexls.wording.prose import blank_markup

_SIZE = 10.5
_LONGEST_WHOLE = 60_000
"""Maximum length, in code points, of an enactment included in full; from a longer one, only the cited
sections are included.
"""
_LONGEST_LINE = 60
"""Maximum line length, in code points, at which a block of plain text keeps its line breaks, as a title block
does.
"""
_LINE = re.compile(r"[^\s][^\n]*")
_BLANK_LINES = re.compile(r"\n[ \t\r]*\n\s*")
_TITLE = re.compile(r"[^\n]{1,90}[^\n.;:,—–-]")
"""Matches a section's first line if the line contains only the section's title."""
_LAST = re.compile(r"\(?(\w+)\)?\Z")
_BEGINNING = 24
"""Number of code points searched for a paragraph's own number at the start of its text."""


def choose_extract(authority: Authority, content: Content, places: Sequence[Span]) -> tuple[Span, ...]:
    """Return the whole sections of a long enactment that contain ``places``; nothing if the book shows all of
    it.
    """
    if authority.kind not in ("statute", "regulation") or len(content.text) <= _LONGEST_WHOLE or not places:
        return ()
    sections = [each for each in content.blocks if each.kind == "section" and each.level <= 1]
    starts = [each.start for each in sections]
    if not starts:
        return ()
    found: dict[Span, None] = {}
    for place in sorted(places):
        above = max((start for start in starts if start <= place.start), default=0)
        below = min(
            (start for start in starts if start >= max(place.end, above + 1)), default=len(content.text)
        )
        found[Span(above, below)] = None
    return tuple(found)


def set_authority(
    authority: Authority, content: Content, extract: Sequence[Span] = ()
) -> Iterator[SetParagraph]:
    """Yield the paragraphs to typeset for an authority, or for an extract from it."""
    masked = blank_markup(authority, content.text)
    words = SourceWords(content.text, masked, format_of("", authority.path.name))
    shown = extract or (Span(0, len(content.text)),)
    for block in content.blocks:
        span = Span(block.start, block.end)
        if any(each.overlaps(span) for each in shown):
            yield from _set_block(words, masked, block, span)


def _set_block(words: SourceWords, masked: str, block: Block, span: Span) -> Iterator[SetParagraph]:
    if block.kind == "heading":
        size = max(_SIZE, 16 - 1.5 * block.level)
        yield SetParagraph(tuple(words.cut(span, "B")), size, above=10, keeps=True)
        return
    indent = 18.0 * min(6, max(0, block.level - 1)) if block.kind == "section" else 0.0
    label, above = _write_label(block, span.of(masked)), 6
    is_titled = block.kind == "section" and block.level <= 1
    for line in _list_lines(block, masked):
        style = "B" if is_titled and _TITLE.fullmatch(line.of(masked).strip()) else ""
        found = tuple(words.cut(line, style))
        is_titled = False
        if found:
            yield SetParagraph(found, _SIZE, indent, above, label=label)
            label, above = "", 2


def _list_lines(block: Block, masked: str) -> list[Span]:
    """Split a block at blank lines, or at every line if it is a text block in which all lines are short."""
    text = masked[block.start : block.end]
    if block.kind == "text":
        lines = [each.span() for each in _LINE.finditer(text)]
        if all(end - start <= _LONGEST_LINE for start, end in lines):
            return [Span(*each).shift(block.start) for each in lines]
    starts = [0, *(each.end() for each in _BLANK_LINES.finditer(text)), len(text)]
    return [Span(*each).shift(block.start) for each in pairwise(starts)]


def _write_label(block: Block, text: str) -> str:
    """Return a paragraph's number for the margin, or "" if its text already begins with the number."""
    last = _LAST.search(block.label)
    if last is None or block.kind not in ("paragraph", "section"):
        return ""
    if last.group(1) in re.findall(r"\w+", text.lstrip()[:_BEGINNING]):
        return ""
    return f"[{block.label}]" if block.kind == "paragraph" else block.label
