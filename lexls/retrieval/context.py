"""What stands around a passage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from lexls.library.document import Block
from lexls.text.spans import Span

Width = Literal["passage", "paragraph", "neighbours", "section"]
"""How much of a document is shown with a passage: itself; the whole numbered paragraph or section (with its
subsections) that it belongs to; that and the ones before and after it under the same heading; or all that
stands under its heading, the heading included."""

MAX_CONTEXT = 12_000
"""No context is longer than so many characters; a longer one keeps what is nearest to the passage."""


def parent_span(
    blocks: Sequence[Block], length: int, start: int, end: int, width: Width, limit: int = MAX_CONTEXT
) -> Span:
    """The context of the passage ``[start, end)`` of a document with these ``blocks`` (``Library.outline``).

    ``length`` is the document's, ``limit`` the most code points that come back (but never less than the
    passage). Without blocks at that place the context is the passage. Raises ``ValueError`` for an unknown
    width.
    """
    if width not in get_args(Width):
        raise ValueError(f"unknown width {width!r}: give one of {', '.join(get_args(Width))}")
    passage = Span(max(0, start), min(end, length))
    touched = [number for number, block in enumerate(blocks) if block.start < end and start < block.end]
    if width == "passage" or not touched:
        return passage
    # A passage may begin with the headings above its first paragraph; what it belongs to is the paragraph's.
    text = [number for number in touched if blocks[number].kind != "heading"] or touched
    first, last = _unit(blocks, text[0], text[-1])
    if width == "neighbours":
        first, last = _widened(blocks, first, last)
    elif width == "section":
        first, last = _under_heading(blocks, first, last)
    whole = Span(min(blocks[first].start, passage.start), max(blocks[last].end, passage.end))
    return _limited(whole, passage, limit)


def _unit(blocks: Sequence[Block], first: int, last: int) -> tuple[int, int]:
    """The blocks of the numbered paragraph or section, or of the plain text, that these blocks belong to."""
    while first > 0 and _continues(blocks[first - 1], blocks[first]):
        first -= 1
    while last + 1 < len(blocks) and _continues(blocks[last], blocks[last + 1]):
        last += 1
    return first, last


def _continues(before: Block, block: Block) -> bool:
    """Whether ``block`` belongs to the paragraph or section that ``before`` belongs to."""
    if "heading" in (before.kind, block.kind):
        return False
    if block.kind == "section":
        return before.kind == "section" and block.level > 1
    # Unnumbered text behind a numbered paragraph or a section continues it: a quotation, a table, a proviso.
    return block.kind == "text" and before.kind in ("paragraph", "section")


def _widened(blocks: Sequence[Block], first: int, last: int) -> tuple[int, int]:
    """One more paragraph or section on either side, unless a heading stands between."""
    if first > 0 and blocks[first - 1].kind != "heading":
        first, _ = _unit(blocks, first - 1, first - 1)
    if last + 1 < len(blocks) and blocks[last + 1].kind != "heading":
        _, last = _unit(blocks, last + 1, last + 1)
    return first, last


def _under_heading(blocks: Sequence[Block], first: int, last: int) -> tuple[int, int]:
    """From the heading above to the next one that is not below it."""
    while first > 0 and blocks[first].kind != "heading":
        first -= 1
    level = blocks[first].level if blocks[first].kind == "heading" else 0
    while last + 1 < len(blocks):
        following = blocks[last + 1]
        if following.kind == "heading" and following.level <= max(level, 1):
            break
        last += 1
    return first, last


def _limited(whole: Span, passage: Span, limit: int) -> Span:
    """``whole``, cut to ``limit`` with the passage as near the middle as can be."""
    room = max(limit, len(passage))
    if len(whole) <= room:
        return whole
    before = min(passage.start - whole.start, (room - len(passage)) // 2)
    end = min(whole.end, passage.start - before + room)
    return Span(max(whole.start, end - room), end)
