"""Find where a passage of a PDF's text stands on its pages, line by line."""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from lexls.library.boxes import Box, LineBoxes, PagePassage, surround
from lexls.library.readers.ocr import ReadPictures
from lexls.library.readers.pdf import extract
from lexls.library.readers.pdf_page import DIVIDED, Character, measure_page, read_characters

if TYPE_CHECKING:
    pass

_UNSEEN = frozenset({DIVIDED, "\u00ad", "\ufeff", "\0"})


def find_passage(
    data: bytes, passage: str, start: int, read_pictures: ReadPictures | None = None
) -> tuple[PagePassage, ...]:
    """Where ``passage``, at the offset ``start`` of what ``extract`` reads in ``data``, stands on the pages.

    If it is not at ``start`` any more, it is looked for; empty if the file does not have it. Raises
    ``UnreadableFile`` as ``extract`` does.
    """
    import pypdfium2

    found = extract(data, read_pictures)
    if found.text[start : start + len(passage)] != passage:
        start = found.text.find(passage)
    if start < 0 or not passage.strip():
        return ()
    pieces = list(_cut(found.boxes, found.text, start, start + len(passage)))
    with contextlib.closing(pypdfium2.PdfDocument(data)) as document:
        passages = []
        for page in dict.fromkeys(each.page for each in pieces):
            # A picture has no characters.
            characters = [] if page in found.scanned else read_characters(document, page - 1)
            placed = tuple(_find_box(each, characters) for each in pieces if each.page == page)
            passages.append(PagePassage(page, *measure_page(document, page - 1), placed))
        return tuple(passages)


@dataclass(frozen=True, slots=True)
class _LinePart:
    """The part ``text[start:end]`` of a line of a page (from 1) and the line's box."""

    page: int
    box: Box
    text: str
    start: int
    end: int


def _cut(lines: LineBoxes, text: str, start: int, end: int) -> Iterator[_LinePart]:
    """The lines that ``[start, end)`` of the text touches with more than white space."""
    starts = lines.starts
    for place in range(max(bisect_right(starts, start) - 1, 0), len(starts)):
        first = starts[place]
        if first >= end:
            return
        last = starts[place + 1] if place + 1 < len(starts) else len(text)
        within = max(start, first) - first, min(end, last) - first
        line = text[first:last]
        if line[slice(*within)].strip():
            yield _LinePart(lines.pages[place], lines.box(place), line, *within)


def _find_box(piece: _LinePart, characters: Sequence[Character]) -> Box:
    """The box of a piece of a line: that of its characters; without any its share of the line's."""
    own = [each for each in characters if _is_within(each.box, piece.box)]
    places = [at for at, sign in enumerate(piece.text) if not sign.isspace() and sign not in _UNSEEN]
    wanted = range(sum(at < piece.start for at in places), sum(at < piece.end for at in places))
    matching = SequenceMatcher(
        None, "".join(piece.text[at] for at in places), "".join(each.sign for each in own), autojunk=False
    )
    boxes = [
        own[there + step].box
        for here, there, length in matching.get_matching_blocks()
        for step in range(length)
        if here + step in wanted
    ]
    if boxes:
        return surround(boxes)
    left, bottom, right, top = piece.box
    share = (right - left) / max(1, len(places))
    return left + wanted.start * share, bottom, left + wanted.stop * share, top


def _is_within(box: Box, line: Box) -> bool:
    """Whether the middle of a character's box lies in a line's."""
    return line[0] <= (box[0] + box[2]) / 2 <= line[2] and line[1] <= (box[1] + box[3]) / 2 <= line[3]
