"""Blank parts of a text without changing any offset, and find disguised characters.

Text pasted from PDFs and the web may contain invisible characters, and letters of other scripts that look
Latin. "UK⁠SC" looks like "UKSC", but no pattern finds it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

ITEM = "\u2029"
"""Marks the beginning of a list item, a separate paragraph, in a masked text; a whitespace character."""
LINE = "\u2028"
"""Joins a line of double-spaced text to the next in a masked text; a whitespace character."""
INSERTED = "\u001c"
"""Marks where another file is inserted in a masked text; a whitespace character."""
PRINTS_GAP = re.compile(r"</?(?:br|hr|img|su[bp]|p|div|table|t[dhr]|li|h\d|blockquote)\b", re.IGNORECASE)
"""Pattern of an HTML tag that separates the text before it from the text after it."""
_VISIBLE = re.compile(r"[^\r\n]")


def blank(text: str) -> str:
    """Return as many spaces as ``text`` has characters, keeping its line ends."""
    if "\n" not in text and "\r" not in text:
        return " " * len(text)
    return _VISIBLE.sub(" ", text)


class Edits:
    """Replacements of equal length, collected in any order and applied together."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._edits: list[tuple[int, str]] = []
        self._silent: list[tuple[int, int]] = []

    def blank(self, start: int, end: int) -> None:
        """Blank ``source[start:end]``."""
        if end > start:
            self._edits.append((start, blank(self._source[start:end])))

    def silence(self, start: int, end: int) -> None:
        """Blank a mark that prints nothing, not even a space, so that "UK**SC**" remains one word."""
        self.blank(start, end)
        self._silent.append((start, end))

    def item(self, start: int, end: int) -> None:
        """Replace the mark of a list item, ``source[start:end]`` on one line, with ``ITEM`` and spaces."""
        self._edits.append((start, ITEM + " " * (end - start - 1)))

    def insert(self, start: int, end: int) -> None:
        """Replace a mark that inserts another file with ``INSERTED`` and spaces."""
        self._edits.append((start, INSERTED + blank(self._source[start + 1 : end])))

    def put(self, start: int, replacement: str) -> None:
        """Overwrite the source with ``replacement`` from ``start`` on."""
        self._edits.append((start, replacement))

    def apply(self) -> str:
        """Return the edited text; if edits overlap, the one that begins first wins."""
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
    """Replace marks between letters or digits with fillers; ``marks`` are sorted by offset."""
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


FILLER = "\u2060"
"""Pads a masked text after a character that the source writes with several characters ("&#75;")."""
SOFT_HYPHEN = "\u00ad"
# Default-ignorable characters, controls other than whitespace, and letters or signs that look blank.
_UNSEEN_RANGES = """
    0-8 E-1B 7F-84 86-9F AD-AD 34F-34F 61C-61C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F
    2800-2800 3164-3164 FE00-FE0F FEFF-FEFF FFA0-FFA0 FFF0-FFFC 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF
"""
_HIDDEN = frozenset(
    chr(code)
    for first, last in (ends.split("-") for ends in _UNSEEN_RANGES.split())
    for code in range(int(first, 16), int(last, 16) + 1)
)
_UNUSUAL = re.compile(r"[^\t-\r\x1c-~]")
"""Pattern of any character that is not plain ASCII text. Searching for every disguise instead would be a
hundred times slower.
"""
OVERRIDES = "\u202d\u202e"
"""Characters that override the direction of the text; no draft needs them in any script."""
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069")
_KEYCAP = "\u20e3"
_NEAR = 24
"""Maximum distance, in code points, at which the letters around a hidden character or a word are
considered.
"""
_FAR = 80
"""Maximum distance from a direction mark to a letter of a right-to-left script, in code points."""


@dataclass(frozen=True, slots=True)
class Disguise:
    """A hidden character (``plain`` is ""), or a character that looks like ``plain``."""

    span: Span
    plain: str

    def describe(self, text: str) -> str:
        """Return a description of the character, or the text itself if it is longer than one character."""
        found = self.span.of(text)
        if len(found) > 1:
            return found
        return f"U+{ord(found):04X} {unicodedata.name(found, 'control character')}"


@cache
def _load() -> tuple[dict[str, str], frozenset[str]]:
    """Return a table from lookalikes to Latin letters or signs, and every character that may be a
    disguise.
    """
    table = {
        other: letter
        for letter, others in load_phrases("lexls.text", "disguises.toml")["letters"].items()
        for other in others
    }
    for first, last in ((0xFF01, 0xFF5E), (0x1D400, 0x1D7FF), (0x2100, 0x2188)):
        for code in range(first, last + 1):
            plain = unicodedata.normalize("NFKC", chr(code))
            narrow = unicodedata.decomposition(chr(code)).startswith(("<wide>", "<font>"))
            if len(plain) == 1 and plain.isascii() and (narrow or unicodedata.category(chr(code)) == "Nl"):
                table[chr(code)] = plain
    return table, _HIDDEN.union(table)


def find_disguises(text: str) -> Sequence[Disguise]:
    """Return the characters of ``text`` that are hidden or look like others, in order.

    Characters that a script needs are skipped: joiners in Hindi, direction marks next to Hebrew, parts of an
    emoji, words of other alphabets. Direction overrides are always included, since no script needs them.
    """
    table, suspects = _load()
    found: list[Disguise] = []
    done = 0
    for match in _UNUSUAL.finditer(text):
        at = match.start()
        if at < done or match.group() not in suspects:
            continue
        first = at
        while first > done and (text[first - 1].isalnum() or text[first - 1] in suspects):
            first -= 1
        done = at + 1
        while done < len(text) and (text[done].isalnum() or text[done] in suspects):
            done += 1
        found.extend(_find_in_word(text, Span(first, done), table))
    return found


def decode_entity(entity: str) -> str:
    """Return the character that an HTML entity prints, padded to the entity's length. Return any other text
    unchanged.

    A letter or a hidden character is padded with fillers, so that the word around it stays whole.
    """
    printed = html.unescape(entity)
    if len(printed) != 1:
        return entity
    if printed.isspace():
        return " " * len(entity)
    return printed.ljust(len(entity), FILLER if printed.isalnum() or printed in _HIDDEN else " ")


def reveal(text: str) -> str:
    """Return the text as it looks: without hidden characters, and with Latin letters for their lookalikes."""
    pieces: list[str] = []
    done = 0
    for each in find_disguises(text):
        pieces += (text[done : each.span.start], each.plain)
        done = each.span.end
    return "".join((*pieces, text[done:])) if pieces else text


def _find_in_word(text: str, word: Span, table: dict[str, str]) -> Iterator[Disguise]:
    seen = "".join(char for char in word.of(text) if char not in _HIDDEN)
    foreign = any(_is_foreign(char, table) for char in seen)
    latin = any(char.isascii() and char.isalpha() for char in seen)
    around = foreign or any(_is_foreign(char, table) for char in _letters_around(text, word))
    for at in range(word.start, word.end):
        char = text[at]
        if char in _HIDDEN:
            if char in OVERRIDES or not _is_needed(text, at, table):
                yield Disguise(Span(at, at + 1), "")
        elif char in table and not foreign and (latin or not (around or _is_sign(text, word, seen))):
            yield Disguise(Span(at, at + 1), table[char])


def _is_foreign(char: str, table: dict[str, str]) -> bool:
    """Return whether a character is a letter of a non-Latin script that does not look Latin."""
    return ord(char) >= 0x370 and char.isalpha() and char not in table and not _is_latin(char)


def _is_latin(char: str) -> bool:
    return unicodedata.name(char, "").startswith("LATIN")


def _letters_around(text: str, span: Span) -> Iterator[str]:
    """Yield the nearest letter on each side, if there is one close enough."""
    for places in (
        range(span.start - 1, max(-1, span.start - _NEAR), -1),
        range(span.end, min(len(text), span.end + _NEAR)),
    ):
        for at in places:
            if text[at] == "\n" and text[at - 1 : at] == "\n":
                break
            if text[at].isalpha() and text[at] not in _HIDDEN:
                yield text[at]
                break


def _is_sign(text: str, word: Span, seen: str) -> bool:
    """Return whether a word is a single Greek or mathematical letter, as in a formula.

    Returns False if a name follows the letter ("Thorn ν Elm").
    """
    if len(seen) != 1 or not ("\u0370" <= seen <= "\u03ff" or "\U0001d400" <= seen <= "\U0001d7ff"):
        return False
    behind = text[word.end : word.end + 3].lstrip(". ")
    return not behind[:1].isupper()


def _is_needed(text: str, at: int, table: dict[str, str]) -> bool:
    """Return whether a hidden character is legitimate: it hyphenates a word, is part of an emoji or belongs
    to the adjacent script.
    """
    if text[at] == SOFT_HYPHEN and text[at + 1 : at + 2].isspace():
        return True  # it hyphenates a word at the end of a line
    behind = at + 1
    while behind < len(text) and behind - at < _NEAR and text[behind] in _HIDDEN:
        behind += 1
    before = at - 1
    while before >= 0 and at - before < _NEAR and text[before] in _HIDDEN:
        before -= 1
    next_to = (text[before : before + 1] if before >= 0 else "", text[behind : behind + 1])
    if any(char and (char == _KEYCAP or unicodedata.category(char) in ("So", "Sk")) for char in next_to):
        return True
    if text[at] in _DIRECTIONS and not all(char.isascii() and char.isalnum() for char in next_to):
        near = text[max(0, at - _FAR) : at + _FAR]
        return any(unicodedata.bidirectional(char) in ("R", "AL") and char.isalpha() for char in near)
    return any(_is_foreign(char, table) for char in _letters_around(text, Span(at, at + 1)))
