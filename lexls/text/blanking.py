"""Blank pieces of a text while every offset stays what it was."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.text.disguises import FILLER

ITEM = "\u2029"
"""Stands (a white space) in a masked text where an item of a list begins: a paragraph of its own."""
LINE = "\u2028"
"""Stands (a white space) in a masked text where a line of double-spaced text goes on in the next."""
INSERTED = "\u001c"
"""Stands (a white space) in a masked text where the text of another file is put in."""
PRINTS_GAP = re.compile(r"</?(?:br|hr|img|su[bp]|p|div|table|t[dhr]|li|h\d|blockquote)\b", re.IGNORECASE)
"""A tag whose text does not run on with what stands beside it."""
_VISIBLE = re.compile(r"[^\r\n]")


def blank(text: str) -> str:
    """Spaces as long as ``text``, its line ends kept."""
    if "\n" not in text and "\r" not in text:
        return " " * len(text)
    return _VISIBLE.sub(" ", text)


class Edits:
    """Replacements of equal length, gathered in any order and applied at once."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._edits: list[tuple[int, str]] = []
        self._silent: list[tuple[int, int]] = []

    def blank(self, start: int, end: int) -> None:
        """Blanks ``source[start:end]``."""
        if end > start:
            self._edits.append((start, blank(self._source[start:end])))

    def silence(self, start: int, end: int) -> None:
        """Blanks a mark that prints nothing, not even a gap: "UK**SC**" stays one word."""
        self.blank(start, end)
        self._silent.append((start, end))

    def item(self, start: int, end: int) -> None:
        """Blanks the mark of a list's item, ``source[start:end]`` on one line, and leaves ``ITEM`` there."""
        self._edits.append((start, ITEM + " " * (end - start - 1)))

    def insert(self, start: int, end: int) -> None:
        """Blanks a mark that puts another file's text in, and leaves ``INSERTED`` there."""
        self._edits.append((start, INSERTED + blank(self._source[start + 1 : end])))

    def put(self, start: int, replacement: str) -> None:
        """Writes ``replacement`` over the source from ``start`` on."""
        self._edits.append((start, replacement))

    def apply(self) -> str:
        """The edited text; where edits overlap, the one that begins first wins."""
        pieces: list[str] = []
        position = 0
        self._edits.sort()
        for start, replacement in self._edits:
            end = start + len(replacement)
            if end <= position:
                continue
            if start < position:
                replacement = replacement[position - start :]
            else:
                pieces.append(self._source[position:start])
            pieces.append(replacement)
            position = end
        pieces.append(self._source[position:])
        return _join_letters("".join(pieces), sorted(self._silent))


def _is_of_word(char: str) -> bool:
    return char.isalnum() or char == FILLER


def _join_letters(text: str, marks: Sequence[tuple[int, int]]) -> str:
    """Put fillers for the marks, in order, that stand between letters or digits."""
    pieces: list[str] = []
    done = start = end = 0
    for mark in (*marks, (len(text) + 1, 0)):
        if mark[0] <= end and end:
            end = max(end, mark[1])
            continue
        if (
            start
            and _is_of_word(text[start - 1])
            and _is_of_word(text[end : end + 1])
            and not text[start:end].strip(" ")
        ):
            pieces += (text[done:start], FILLER * (end - start))
            done = end
        start, end = mark
    return "".join((*pieces, text[done:]))
