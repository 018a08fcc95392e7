"""Write the text of a legal XML document: its pieces, their pinpoints, and their positions in the file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lexls.library.document import ExtractedPiece
from lexls.library.readers.pieces import SOFT_HYPHEN, leave_soft_hyphens_out
from lexls.library.readers.xml_tree import BLANK, DocumentKind, Node, Role, Run, Unit, XmlVocabulary
from lexls.text.lexicon import ORDINALS, read_roman

_STRETCH = re.compile(r"\S+(?: \S+)*")
_EDGES = " .:;,()[]{}—–-\xad\xa0\t\"“”«»'‘’*"
_NUMBER = re.compile(
    r"(?:(?:[^\W\d_]{2,}\.?|§)\s*)?(?P<digits>\d+(?:[A-Za-z]{1,3}(?![^\W\d_]))?(?:[.:/–-]\w+)*)"
    r"(?:[º°ª]|\s?(?P<latin>bis|ter|quater|quinquies|sexies|septies|octies|novies|decies))?",
    re.IGNORECASE,
)
_WORD_AND_ROMAN = re.compile(r"[^\W\d_]{3,}\.?\s+(?P<roman>[IVXLC]+)")
_LETTERS = re.compile(r"[^\W\d_]{1,5}")
_LAST_NUMBER = re.compile(r"(\d+)\D*$")
_SCHEDULE_WORD = re.compile(r"\b(?:schedule|annex(?:ure)?|appendix)\b", re.IGNORECASE)
_SCHEDULE = re.compile(r"\b(?:\d{1,3}[A-Z]{0,2}|[IVXLC]{1,6}[A-Z]?|[A-Z])\b")


def read_number(written: str, *, nested: bool) -> str:
    """Return the number of a unit as cited: "5" for "Article 5", "a" for "(a)" and "a)"; "" if it is not a
    number.

    If ``nested``, letters are numbers, too.
    """
    bare = " ".join(written.split()).strip(_EDGES)
    match = _NUMBER.fullmatch(bare)
    if match is not None:
        return (match["digits"] + (match["latin"] or "")).replace("–", "-")
    if nested:
        return bare if _LETTERS.fullmatch(bare) else ""
    roman = _WORD_AND_ROMAN.fullmatch(bare)
    return str(read_roman(roman["roman"]) or "") if roman else ""


def read_schedule(written: str, label: str) -> str:
    """Return the label of a schedule or annex from its title: "Sch 1" for "FIRST SCHEDULE".

    If the title does not contain the type, ``label`` gives it ("Sch {}").
    """
    first, *others = written.split() or [""]
    number = _SCHEDULE.search(" ".join(others) or written)
    ordinal = ORDINALS.get(first.casefold())
    called = _SCHEDULE_WORD.search(written)
    if called is not None:
        word = called[0].capitalize()
        label = "Sch {}" if word == "Schedule" else f"{word} {{}}"
    return label.format(ordinal or (number[0] if number is not None else "")).strip()


def _find_first(node: Node, paths: tuple[str, ...]) -> Node | None:
    return next((found for path in paths if (found := node.find(path)) is not None), None)


def read_words(node: Node, roles: Mapping[str, Role] | None = None) -> str:
    """Return the words in an element as a single line, without notes, page marks and omitted parts."""
    parts: list[str] = []
    _collect(node, roles or {}, parts)
    return " ".join("".join(parts).split())


def _collect(node: Node, roles: Mapping[str, Role], parts: list[str]) -> None:
    parts.append(node.text or "")
    for child in node:
        role = roles.get(child.tag)
        if role not in ("omit", "note", "page"):
            apart = role is not None
            parts.append(" " * apart)
            _collect(child, roles, parts)
            parts.append(" " * apart)
        parts.append(child.tail or "")


class _Place(NamedTuple):
    """The context of an element in the document.

    ``label`` is the label of the enclosing unit, and ``base`` that of the schedule. ``numbered`` means that
    numbers here are the document's own; ``quoted`` means that the element is in a quotation.
    """

    label: str = ""
    base: str = ""
    numbered: bool = False
    quoted: bool = False


_PLACES: Mapping[Role, dict[str, Any]] = {
    "quoted": {"quoted": True, "label": ""},
    "apart": {"numbered": False, "label": ""},
    "body": {"numbered": True},
}
"""The changes of context inside elements with these roles, which have lines of their own."""


@dataclass(slots=True)
class TextWriter:
    """Writes the text of a document as a reader would print it."""

    vocabulary: XmlVocabulary
    kind: DocumentKind
    parts: list[str] = field(default_factory=list)
    length: int = 0
    source_map: list[tuple[int, int, int]] = field(default_factory=list)
    pieces: list[ExtractedPiece] = field(default_factory=list)
    pages: list[tuple[int, str]] = field(default_factory=list)
    notes: dict[int, int] = field(default_factory=dict)
    _waiting: list[tuple[int, Node]] = field(default_factory=list)
    _noted: int = 0
    _lent: dict[int, Node] = field(default_factory=dict)
    _start: int = -1
    _space: bool = False
    _label: str = ""
    _heading: int = 0
    _quoted: bool = False
    _only_mark: bool = False

    def write(self, root: Node) -> None:
        """Write the whole document."""
        self._walk(root, _Place(numbered="body" not in self.vocabulary.roles.values()))
        self._end()

    def _walk(self, node: Node, place: _Place) -> None:
        """Write an element, without the text after it."""
        tag = node.tag
        named_by = self.vocabulary.named_by.get(tag)
        if named_by is not None:
            name = f"{tag}.{node.get(named_by)}"
            tag = name if name in self.kind.units or name in self.vocabulary.roles else tag
        unit = self.kind.units.get(tag)
        if unit is not None:
            self._write_unit(node, unit, place)
            return
        role = self.vocabulary.roles.get(tag)
        if role is None or (role == "omit" and any(map(self._is_top, node))):
            self._write_content(node, place)
        elif role == "block":
            self._break()
            self._quoted = place.quoted
            lent = self._lend(node, self.vocabulary.lends.get(tag, ""))
            self._write_content(node, place, lent)
            self._break()
        elif role == "heading":
            self._break()
            depth = self.vocabulary.depths[tag]
            self._heading, self._quoted = 0 if place.quoted else self._heading or depth, place.quoted
            self._write_content(node, place)
            self._end()
        elif role in _PLACES:
            if role == "quoted":
                self._break()
            else:
                self._end()
            self._write_content(node, place._replace(**_PLACES[role]))
            self._end()
        elif role == "spaced":
            self._space = True
            self._write_content(node, place)
            self._space = True
        elif role == "cell":
            if self._start >= 0 and not self._only_mark:
                self._append("\t", -1)
                self._space = False
            self._write_content(node, place)
        elif role == "line":
            self._space = True
        elif role == "note":
            # The mark is written here, and the note after the line.
            self._noted += 1
            self._space = True
            self._append_word(f"[note {self._noted}]")
            self._waiting.append((self._noted, node))
        elif role == "page" and (number := _LAST_NUMBER.search(read_words(node))) is not None:
            self.pages.append((self.length, number[1]))

    def _write_content(self, node: Node, place: _Place, *done: Node | None) -> None:
        """Write the content of an element, except the children already ``done``."""
        if node.runs:
            self._text(node.runs)
        for child in node:
            if child not in done:
                self._walk(child, place)
            if child.tail_runs:
                self._text(child.tail_runs)

    def _lend(self, node: Node, name: str) -> Node | None:
        """If a group's heading is printed after the number of its first unit, reserve the heading for that
        unit. Return the heading, or None.

        ``name`` is the heading's element, or "" if this kind of group does not do so.
        """
        heading = node.find(name) if name else None
        first = next((child for child in node if child.tag in self.kind.units), None) if name else None
        if heading is None or first is None:
            return None
        self._lent[id(first)] = heading
        return heading

    # -- numbers -------------------------------------------------------------------------------------------

    def _write_unit(self, node: Node, unit: Unit, place: _Place) -> None:
        number = _find_first(node, unit.numbers)
        heading = self._lent.get(id(node))
        if heading is None:
            heading = _find_first(node, unit.headings)
        divides = unit.top and any(self._is_top(child) for child in node)
        depth = unit.depth or (4 if divides else 0)
        inside = self._enter(unit, number, place, divides)
        own = inside.label if inside.label != place.label else ""
        if inside.base != place.base:
            own = inside.base
        self._break()
        if depth:
            self._end()
        self._quoted = place.quoted
        if own:
            self._label = own
        if number is not None:
            self._heading = 0 if place.quoted else depth
            self._mark(number, unit.mark)
        if heading is not None:
            self._heading = 0 if place.quoted else depth
            self._write_content(heading, place)
            self._end()
        elif depth or (unit.alone and number is not None):
            self._end()
        if not unit.nests:
            inside = inside._replace(numbered=False)
        self._write_content(node, inside, number, heading)
        self._end()

    def _is_top(self, node: Node) -> bool:
        unit = self.kind.units.get(node.tag)
        return unit is not None and unit.top

    def _enter(self, unit: Unit, number: Node | None, place: _Place, divides: bool) -> _Place:
        """Return the context inside a unit."""
        written = (
            (number.get(unit.value) if unit.value else "") or read_words(number) if number is not None else ""
        )
        if place.quoted or divides or not unit.label:
            return place
        if unit.label != "{}":
            return _Place("", read_schedule(written, unit.label), True, place.quoted)
        if not place.numbered or not (unit.top or place.label or place.base):
            return place
        found = read_number(written, nested=bool(place.label))
        if not found:
            return place
        if place.label:
            return place._replace(label=f"{place.label}({found})")
        return place._replace(label=f"{place.base} para {found}" if place.base else found)

    def _mark(self, number: Node, mark: str) -> None:
        """Write a unit's number in the form ``mark``. The text after it continues on the same line."""
        before, _, after = mark.partition("{}")
        words = read_words(number)
        if not words:
            return
        bare = " " not in words and words[0].isalnum() and words[-1].isalnum()
        if before and bare:
            self._append_word(before.rstrip())
            self._space = before[-1].isspace()
        self._write_content(number, _Place())
        if after and bare:
            self._append(after, -1)
        self._space = True
        self._only_mark = True

    # -- text ----------------------------------------------------------------------------------------------

    def _text(self, runs: tuple[Run, ...]) -> None:
        if runs is BLANK:
            self._space = True
            return
        for at, text in runs:
            if SOFT_HYPHEN in text:
                self._text(tuple(leave_soft_hyphens_out(text, at)))
                continue
            last = 0
            for match in _STRETCH.finditer(text):
                first = match.start()
                if first > last:
                    self._space = True
                self._append_word(match[0], at + first)
                last = match.end()
            if last < len(text):
                self._space = True

    def _append_word(self, words: str, at: int = -1) -> None:
        if self._start < 0:
            if self.length:
                self._append("\n", -1)
            self._start = self.length
        elif self._space:
            self._append(" ", -1)
        self._space = self._only_mark = False
        self._append(words, at)

    def _append(self, text: str, at: int) -> None:
        """Append text from offset ``at`` of the source (-1: not in the source)."""
        if at >= 0:
            self.source_map.append((self.length, at, len(text)))
        self.parts.append(text)
        self.length += len(text)

    def _break(self) -> None:
        """Begin a new line, except after a number alone on its line."""
        if self._only_mark:
            self._space = True
        else:
            self._end()

    def _end(self) -> None:
        """End the line and its piece."""
        if self._start >= 0:
            start, self._start = self._start, -1
            self.pieces.append(
                ExtractedPiece(
                    start, self.length, self._heading, self._quoted, "" if self._quoted else self._label
                )
            )
            self._label = ""
            self._heading = 0
        self._space = self._only_mark = False
        waiting, self._waiting = self._waiting, []
        for number, note in waiting:
            self.notes[number] = len(self.pieces)
            self._append_word(f"Note {number}:")
            self._space = self._only_mark = True
            self._write_content(note, _Place())
            self._end()
