"""Find the legal structure of a text: numbered paragraphs, sections, headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lexls.citations.jurisdiction import find_jurisdiction
from lexls.library.document import AuthorityKind, Block, ExtractedPiece
from lexls.library.headings import TITLE, find_heading_level, is_short_title, read_heading
from lexls.library.marks import Numbered, find_rising
from lexls.library.places import list_enclosing
from lexls.library.sections import find_sections
from lexls.text.dates import FULL_MONTH, MONTH_START

_HEAD_PIECES = 12
_SECTIONED = frozenset({"statute", "regulation", "treaty", "contract"})


def find_structure(
    text: str, pieces: Sequence[ExtractedPiece], kind: AuthorityKind, title: str, jurisdiction: str = ""
) -> tuple[Block, ...]:
    """Divide a text into blocks by the conventions of its kind and jurisdiction; ``title`` is "" if unknown.

    A numbered paragraph extends to the next one or the next heading, including everything in between
    (quotations, lists). A short line inside the numbering is a heading only if a numbered paragraph follows.
    """
    if not pieces:
        return ()
    labels = {position: piece.label for position, piece in enumerate(pieces) if piece.label}
    if kind in _SECTIONED:
        blocks = _marked_sections(pieces) if labels else find_sections(text, pieces, kind)
        if blocks:
            return _with_title(text, blocks, title)
    labels = labels or find_numbered_paragraphs(text, pieces, jurisdiction)
    return _paragraph_blocks(text, pieces, labels, title)


def _marked_sections(pieces: Sequence[ExtractedPiece]) -> tuple[Block, ...]:
    """Return the blocks of a text whose mark-up numbers its sections. A piece without a label belongs to the
    section before it, up to the next heading.
    """
    blocks: list[Block] = []
    label = ""
    for piece in pieces:
        label = piece.label or ("" if piece.heading else label)
        if piece.heading and not piece.label:
            blocks.append(Block(piece.start, piece.end, "heading", level=piece.heading))
        elif not label:
            blocks.append(Block(piece.start, piece.end, "text"))
        elif not piece.label and blocks[-1].label == label:
            blocks[-1] = replace(blocks[-1], end=piece.end)
        else:
            level = 1 + sum(1 for _ in list_enclosing(label))
            blocks.append(Block(piece.start, piece.end, "section", label, level))
    return tuple(blocks)


def _with_title(text: str, blocks: tuple[Block, ...], title: str) -> tuple[Block, ...]:
    """Return the blocks. If a heading is the document's title, it is given the level of a title."""
    for position, block in enumerate(blocks[:_HEAD_PIECES]):
        words = read_heading(text[block.start : block.end])
        if block.kind == "heading" and words.casefold() == title.casefold():
            return (*blocks[:position], replace(block, level=TITLE), *blocks[position + 1 :])
    return blocks


def _paragraph_blocks(
    text: str, pieces: Sequence[ExtractedPiece], labels: dict[int, str], title: str
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
        at_head = title_pending and position < _HEAD_PIECES
        if at_head and read_heading(text[piece.start : piece.end]).casefold() == title.casefold():
            level, title_pending = TITLE, False
        else:
            level = find_heading_level(text, piece) or _ordinary_heading(text, pieces, position)
        if level and (start < 0 or piece.heading or _paragraph_follows(text, pieces, labels, position)):
            close()
            blocks.append(Block(piece.start, piece.end, "heading", level=level))
        elif start >= 0:
            end = piece.end
        else:
            blocks.append(Block(piece.start, piece.end, "text"))
    close()
    return tuple(blocks)


def _ordinary_heading(text: str, pieces: Sequence[ExtractedPiece], position: int) -> int:
    """Return level 4 for a heading in ordinary letters between paragraphs that are sentences, else 0."""
    piece = pieces[position]
    if piece.end - piece.start > 70 or position + 1 == len(pieces) or position == 0:
        return 0
    before, after = pieces[position - 1], pieces[position + 1]
    if text[before.end - 1] not in '.;:?!)]”"' or after.end - after.start < 100:
        return 0
    return 4 if is_short_title(text, piece) else 0


def _paragraph_follows(
    text: str, pieces: Sequence[ExtractedPiece], labels: dict[int, str], position: int
) -> bool:
    """Return whether only headings separate a piece from the next numbered paragraph."""
    for following in range(position + 1, min(position + 4, len(pieces))):
        if following in labels:
            return True
        if not (find_heading_level(text, pieces[following]) or _ordinary_heading(text, pieces, following)):
            return False
    return False


_NUMBER = re.compile(
    r"""[*_]{0,3}(?:
        \\?\[\s*(?:¶|para\.?)?\s*(?P<square>\d{1,4})\s*\\?\](?![(:])   # [12]
      | ¶\s*(?P<pilcrow>\d{1,4})\b\.?                                   # ¶ 12
      | (?P<point>\d{1,4})\s?\\?\.(?=[*_]{0,3}(?:\D|$))                 # 12.
      | (?P<bracket>\d{1,4})\\?\)(?=\s|$|[A-Z"“])                       # 12)
      | \((?P<round>\d{1,4})\)(?=\s|$)                                  # (12)
      | (?P<bare>\d{1,4})(?:\t\s*|\s{1,20})(?=["“‘'(\[]?[A-Z]|\([a-z]\)\s)   # 12 The court
    )[*_]{0,3}""",
    re.VERBOSE,
)
_MARKED = frozenset({"square", "pilcrow"})
"""Numbering styles that are used only for paragraphs."""
_STYLE_WEIGHT = {"square": 1.6, "pilcrow": 1.6, "point": 1.0, "bracket": 0.8, "round": 0.5, "bare": 0.7}
_NOTE = re.compile(
    r"[*_]{0,3}\(?\d{1,4}\W{1,4}(?:see\b|id\.|ibid|cf\.|e\.g\.|accord\b|but\s+see|compare\b|supra\b|\d+\s+[A-Z]\S+)",
    re.IGNORECASE,
)
"""The usual beginning of a note; few paragraphs begin like that."""
_MONTH = re.compile(rf"(?:{FULL_MONTH}|{MONTH_START}|Sept)\b")
_IN_QUOTATION = 0.6
_HEADING_LENGTH = 80
_PROSE = 100
_FEWEST_FURTHER = 4


def find_numbered_paragraphs(
    text: str, pieces: Sequence[ExtractedPiece], jurisdiction: str = ""
) -> dict[int, str]:
    """Return the labels of the numbered paragraphs, by the index of the piece at which each begins.

    The style ("[12]", "12.", "12)", "¶ 12" …) with the longest rising sequence is used. Other styles, and
    numbers out of sequence (lists, quoted judgments), are ignored. The result is empty if the document does
    not number its paragraphs. Stronger evidence is required in a ``jurisdiction`` where opinions seldom
    number paragraphs, such as the United States, since they number headings, notes and findings.
    """
    styles: dict[str, list[Numbered]] = {}
    numbered: list[Numbered] = []
    quoting = False
    for position, piece in enumerate(pieces):
        start = piece.start
        first = text[start]
        if first.isdigit() or first in "[¶(*_\\":
            match = _NUMBER.match(text, start, min(piece.end, start + 40))
            if match is not None:
                style = match.lastgroup or ""
                if not (style == "bare" and _MONTH.match(text, match.end(), piece.end)):
                    weight = _IN_QUOTATION if quoting else 1.0
                    number = Numbered(position, int(match[style]), weight=weight)
                    numbered.append(number)
                    if not piece.quoted:
                        styles.setdefault(style, []).append(number)
        quoting = _quoting_after(text, piece, quoting)
    best: list[Numbered] = []
    best_score, best_style = 0.0, ""
    for style, candidates in styles.items():
        chain = [candidates[index] for index in find_rising(candidates)]
        score = len(chain) * _STYLE_WEIGHT[style]
        if score > best_score and _is_numbering(text, pieces, chain, style, jurisdiction):
            best, best_score, best_style = chain, score, style
    if best and best_style in _MARKED:
        best = [*_find_before(best, styles[best_style]), *best]
    return {found.piece: str(found.number) for found in _complete(best, numbered)}


def _find_before(chain: Sequence[Numbered], candidates: Sequence[Numbered]) -> list[Numbered]:
    """Return the numbered paragraphs before those of ``chain``, in an extract whose numbering has a gap."""
    earlier = [each for each in candidates if each.piece < chain[0].piece and each.number < chain[0].number]
    return [earlier[index] for index in find_rising(earlier)] if earlier else []


def _complete(chain: Sequence[Numbered], numbered: Sequence[Numbered]) -> list[Numbered]:
    """Complete a numbering with numbers that are written in another style or marked as quotations.

    A single missing number is added if it occurs exactly once between its neighbours. Several numbers that
    continue the sequence at its end are added, with at most one missing at a time.
    """
    if not chain:
        return []
    by_number: dict[int, list[Numbered]] = {}
    for each in numbered:
        by_number.setdefault(each.number, []).append(each)
    found = [chain[0]]
    for later in chain[1:]:
        if later.number - found[-1].number == 2:
            between = [
                each
                for each in by_number.get(later.number - 1, ())
                if found[-1].piece < each.piece < later.piece
            ]
            found += between if len(between) == 1 else []
        found.append(later)
    further: list[Numbered] = []
    last = found[-1]
    while following := (
        _find_after(by_number.get(last.number + 1, ()), last.piece)
        or _find_after(by_number.get(last.number + 2, ()), last.piece)
    ):
        further.append(following)
        last = following
    return found + (further if len(further) >= _FEWEST_FURTHER else [])


def _find_after(candidates: Sequence[Numbered], piece: int) -> Numbered | None:
    return next((each for each in candidates if each.piece > piece), None)


def _quoting_after(text: str, piece: ExtractedPiece, quoting: bool) -> bool:
    """Return whether a quotation over several pieces is still open after this piece; ``quoting`` says whether
    one was open before it.
    """
    start, end = piece.start, piece.end
    opens, closes = text.count("“", start, end), text.count("”", start, end)
    if opens or closes:
        if text[start] == "“" and opens > closes:
            return True
        return quoting and closes <= opens
    straight = text.count('"', start, end)
    if straight % 2 == 0:
        return quoting
    if quoting:
        return False
    # If the number of marks is odd, the last one opens a quotation if it follows a space.
    last = text.rfind('"', start, end)
    return last == start or text[last - 1].isspace()


def _is_numbering(
    text: str, pieces: Sequence[ExtractedPiece], chain: Sequence[Numbered], style: str, jurisdiction: str
) -> bool:
    """Return whether a rising sequence is the numbering of the paragraphs, not of a few headings or a
    list.
    """
    length = len(chain)
    usual = find_jurisdiction(jurisdiction).numbers_paragraphs
    if length < 2 or (length < 3 and chain[0].number != 1):
        return False
    starts = [pieces[found.piece].start for found in chain]
    end = pieces[-1].end
    # A long head is not unnumbered text: the body begins with the first paragraph of sentences.
    long = (each for each in pieces[: chain[0].piece] if each.end - each.start >= _PROSE)
    body = next((each.start for each in long if text[each.end - 1] in '.:;?!”"'), starts[0])
    covered = end - starts[0]
    whole = end - (body if usual else pieces[0].start)
    widest = max(later - earlier for earlier, later in pairwise([*starts, end]))
    if style in _MARKED:
        # Not a list of references at the end, nor the few marks of a reporter's headnotes.
        return covered * 3 >= whole and (usual or widest * 3 <= whole)
    if covered * 2 < whole:
        return False
    notes = sum(
        _NOTE.match(text, pieces[found.piece].start, pieces[found.piece].start + _HEADING_LENGTH) is not None
        for found in chain
    )
    if notes * 3 > length:
        return False
    if style != "point" and (length < 5 or not usual):
        return False
    if not usual and (length < 10 or covered * 4 < whole * 3 or widest * 5 > whole):
        return False
    if length < 8 and widest * 5 > covered * (4 if length < 4 else 3):
        # A list within unnumbered text, unless it starts at the beginning and continues until late.
        begins = chain[0].number == 1 and body == starts[0]
        if not (begins and length >= 4 and (end - starts[-1]) * 3 <= covered):
            return False
    short = sum(
        1
        for found in chain
        if pieces[found.piece].end - pieces[found.piece].start < _HEADING_LENGTH
        and text[pieces[found.piece].end - 1] not in ".;:"
    )
    if short * 2 > length:
        return False
    return length >= 8 or covered / length < 12_000
