"""The legal structure of a text: numbered paragraphs, sections, headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexls.library.document import AuthorityKind, Block
from lexls.library.extract import Piece
from lexls.library.headings import TITLE, heading_level, heading_words, is_short_title, title_of
from lexls.library.numbering import numbered_paragraphs
from lexls.library.sections import section_blocks

_HEAD_PIECES = 12
_SECTIONED = frozenset({"statute", "regulation", "treaty", "contract"})


def structure(
    text: str, pieces: Sequence[Piece], kind: AuthorityKind, title: str, jurisdiction: str = ""
) -> tuple[Block, ...]:
    """Cut a text into blocks by the conventions of its kind and jurisdiction; ``title`` is "" if unknown.

    A numbered paragraph runs up to the next one or the next heading, with everything in between
    (quotations, lists). A short line inside the numbering is a heading only if a numbered paragraph follows.
    """
    if not pieces:
        return ()
    if kind in _SECTIONED and (blocks := section_blocks(text, pieces, kind)):
        return _with_title(text, blocks, title)
    labels = numbered_paragraphs(text, pieces, jurisdiction)
    return _paragraph_blocks(text, pieces, labels, title)


def _with_title(text: str, blocks: tuple[Block, ...], title: str) -> tuple[Block, ...]:
    """The blocks, the heading that is the document's title raised to the level of titles."""
    for position, block in enumerate(blocks[:_HEAD_PIECES]):
        words = heading_words(text[block.start : block.end])
        if block.kind == "heading" and words.casefold() == title.casefold():
            return (*blocks[:position], replace(block, level=TITLE), *blocks[position + 1 :])
    return blocks


def _paragraph_blocks(
    text: str, pieces: Sequence[Piece], labels: dict[int, str], title: str
) -> tuple[Block, ...]:
    blocks: list[Block] = []
    start = end = -1
    label = ""

    def close() -> None:
        nonlocal start
        if start >= 0:
            blocks.append(Block(start, end, "paragraph", label))
            start = -1

    title_pending = bool(title)
    for position, piece in enumerate(pieces):
        if position in labels:
            close()
            start, end, label = piece.start, piece.end, labels[position]
            continue
        level = 0
        if title_pending and position < _HEAD_PIECES and title_of(text, piece).casefold() == title.casefold():
            level, title_pending = TITLE, False
        else:
            level = heading_level(text, piece) or _ordinary_heading(text, pieces, position)
        if level and (start < 0 or piece.heading or _paragraph_follows(text, pieces, labels, position)):
            close()
            blocks.append(Block(piece.start, piece.end, "heading", level=level))
        elif start >= 0:
            end = piece.end
        else:
            blocks.append(Block(piece.start, piece.end, "text"))
    close()
    return tuple(blocks)


def _ordinary_heading(text: str, pieces: Sequence[Piece], position: int) -> int:
    """4 for a heading in ordinary letters between paragraphs that are sentences, else 0."""
    piece = pieces[position]
    if piece.end - piece.start > 70 or position + 1 == len(pieces) or position == 0:
        return 0
    before, after = pieces[position - 1], pieces[position + 1]
    if text[before.end - 1] not in '.;:?!)]”"' or after.end - after.start < 100:
        return 0
    return 4 if is_short_title(text, piece) else 0


def _paragraph_follows(text: str, pieces: Sequence[Piece], labels: dict[int, str], position: int) -> bool:
    """Whether only headings stand between a piece and the next numbered paragraph."""
    for following in range(position + 1, min(position + 4, len(pieces))):
        if following in labels:
            return True
        if not (heading_level(text, pieces[following]) or _ordinary_heading(text, pieces, following)):
            return False
    return False
