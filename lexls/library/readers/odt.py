"""Read ODT, the format of LibreOffice: paragraphs with their automatic numbers, tables and notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexls.library.document import Extract, UnreadableFile
from lexls.library.marks import write_count
from lexls.library.readers.archive import Archive, find_child, read_attribute, read_local_name
from lexls.library.readers.pieces import Pieces
from lexls.text.lexicon import split_words

if TYPE_CHECKING:
    from lxml.etree import _Element

_SKIPPED = split_words(
    """tracked-changes annotation annotation-end table-of-content alphabetical-index illustration-index
    table-index object-index user-index bibliography forms sequence-decls variable-decls user-field-decls
    ruby-text note-citation script title desc"""
)
_MANY_SPACES = 1000
_QUOTATIONS = frozenset({"quotations", "quote", "intense_20_quote", "quotation"})


def extract(data: bytes) -> Extract:
    """Read an ODT. Automatic numbers are included in the text as printed; notes follow their paragraph.

    Raises ``UnreadableFile`` with the reason if the file is encrypted, damaged or in another format.
    """
    archive = Archive.open(data, "ODT")
    with archive.archive:
        root = archive.read_xml("content.xml")
        if root is None:
            raise UnreadableFile("not an ODT file (no content.xml in it)")
        styles = [part for part in (archive.read_xml("styles.xml"), root) if part is not None]
        meta = archive.read_xml("meta.xml")
    texts = (each for each in root.iter() if read_local_name(each) == "text")
    body = next((each for each in texts if "office:1.0" in str(each.tag)), None)
    if body is None:
        raise UnreadableFile("an OpenDocument file that is no text")
    reader = _OdtReader(styles)
    reader.read_blocks(body)
    title = next(meta.iter("{*}title"), None) if meta is not None else None
    declared = {"title": title.text} if title is not None and title.text else {}
    return Extract(
        text=reader.pieces.text,
        pieces=tuple(reader.pieces.pieces),
        page_starts=reader.pieces.page_starts,
        declared=declared,
        declared_title_is_weak=True,
    )


@dataclass(slots=True)
class _Level:
    """The numbering of a list level; ``format`` is "" if its items are not numbered."""

    format: str = ""
    prefix: str = ""
    suffix: str = ""
    start: int = 1
    shown: int = 1


@dataclass(slots=True)
class _OdtParagraph:
    parts: list[str] = field(default_factory=list)
    notes: list[_Element] = field(default_factory=list)
    boxes: list[_Element] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)

    def add(self, text: str) -> None:
        self.parts.append(text)


class _OdtReader:
    def __init__(self, styles: list[_Element]) -> None:
        self.pieces = Pieces()
        self._levels: dict[str, dict[int, _Level]] = {}
        self._parents: dict[str, str] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._notes = 0
        for root in styles:
            for element in root.iter():
                name = read_local_name(element)
                if name == "list-style":
                    self._levels[read_attribute(element, "name")] = dict(_read_levels(element))
                elif name == "style" and read_attribute(element, "family") == "paragraph":
                    parent = read_attribute(element, "parent-style-name")
                    self._parents[read_attribute(element, "name")] = parent

    def read_blocks(self, parent: _Element) -> None:
        for element in parent:
            name = read_local_name(element)
            if name in ("p", "h"):
                self._paragraph(element)
            elif name == "list":
                self._list(element, 1, "")
            elif name == "table":
                self._table(element)
            elif name == "soft-page-break":
                self.pieces.add("", breaks=(0,))
            elif name not in _SKIPPED:
                self.read_blocks(element)

    def _paragraph(self, element: _Element, mark: str = "") -> None:
        paragraph = self._read_paragraph(element)
        text = "".join(paragraph.parts)
        if mark and text.strip():
            stripped = text.lstrip()
            moved = len(mark) + 1 - (len(text) - len(stripped))
            text = f"{mark} {stripped}"
            paragraph.breaks = [max(0, at + moved) for at in paragraph.breaks]
        is_heading = read_local_name(element) == "h"
        heading = _integer(read_attribute(element, "outline-level"), 1) if is_heading else 0
        style = read_attribute(element, "style-name")
        quoted = bool({style.lower(), self._parents.get(style, "").lower()} & _QUOTATIONS)
        self.pieces.add(text, heading, quoted, tuple(paragraph.breaks))
        self._after(paragraph)

    def _after(self, paragraph: _OdtParagraph) -> None:
        """Add notes and frames after the paragraph in which they are anchored."""
        first = self._notes - len(paragraph.notes) + 1
        for number, note in enumerate(paragraph.notes, start=first):
            body = find_child(note, "note-body")
            parts = [
                self._read_paragraph(each)
                for each in (body.iter() if body is not None else ())
                if read_local_name(each) == "p"
            ]
            text = " ".join("".join(part.parts).strip() for part in parts).strip()
            self.pieces.add(f"Note {number}: {text}", quoted=True)
        for box in paragraph.boxes:
            self.read_blocks(box)

    def _read_paragraph(self, element: _Element) -> _OdtParagraph:
        paragraph = _OdtParagraph()
        self._runs(element, paragraph)
        return paragraph

    def _runs(self, parent: _Element, paragraph: _OdtParagraph) -> None:
        if parent.text:
            paragraph.add(_fold(parent.text))
        for element in parent:
            name = read_local_name(element)
            if name == "s":
                paragraph.add(" " * min(_integer(read_attribute(element, "c"), 1), _MANY_SPACES))
            elif name == "tab":
                paragraph.add("\t")
            elif name == "line-break":
                paragraph.add("\n")
            elif name == "soft-page-break":
                paragraph.breaks.append(sum(map(len, paragraph.parts)))
            elif name == "note":
                self._notes += 1
                paragraph.notes.append(element)
                paragraph.add(f" [note {self._notes}]")
            elif name == "text-box":
                paragraph.boxes.append(element)
            elif name not in _SKIPPED:
                self._runs(element, paragraph)
            if element.tail:
                paragraph.add(_fold(element.tail))

    def _list(self, element: _Element, level: int, style: str) -> None:
        style = read_attribute(element, "style-name") or style
        counts = self._counts.setdefault(style, {})
        continued = read_attribute(element, "continue-numbering") == "true"
        if level == 1 and not (continued or read_attribute(element, "continue-list")):
            counts.clear()
        for item in element:
            mark = self._mark(item, level, style) if read_local_name(item) == "list-item" else ""
            for child in item:
                name = read_local_name(child)
                if name in ("p", "h"):
                    self._paragraph(child, mark)
                    mark = ""
                elif name == "list":
                    self._list(child, level + 1, style)
                elif name == "table":
                    self._table(child)

    def _mark(self, item: _Element, level: int, style: str) -> str:
        """Count an item and return its number; "" if its level is not numbered, if it is empty or if it
        begins with a nested list.
        """
        first = next(iter(item), None)
        if first is None or read_local_name(first) == "list":
            return ""
        levels, counts = self._levels.get(style, {}), self._counts[style]
        shown = levels.get(level, _Level())
        for deeper in [each for each in counts if each > level]:
            del counts[deeper]
        counts[level] = _integer(read_attribute(item, "start-value"), counts.get(level, shown.start - 1) + 1)
        if not shown.format:
            return ""
        written = [
            write_count(counts.get(each, levels[each].start), levels[each].format)
            for each in range(max(1, level - shown.shown + 1), level + 1)
            if each in levels and levels[each].format
        ]
        return f"{shown.prefix}{'.'.join(written)}{shown.suffix}".strip()

    def _table(self, table: _Element) -> None:
        """Read a table. If all cells of a row are single paragraphs, the row is one piece; otherwise, each
        cell has its own pieces.
        """
        for row in _rows(table):
            cells = [cell for cell in row if read_local_name(cell) == "table-cell"]
            contents = [
                [each for each in cell if read_local_name(each) in ("p", "h", "list", "table")]
                for cell in cells
            ]
            if all(len(items) == 1 and read_local_name(items[0]) in ("p", "h") for items in contents):
                read = [self._read_paragraph(items[0]) for items in contents]
                texts = [" ".join("".join(paragraph.parts).split()) for paragraph in read]
                self.pieces.add("\t".join(text for text in texts if text))
                for paragraph in read:
                    self._after(paragraph)
            else:
                for cell in cells:
                    self.read_blocks(cell)


def _rows(table: _Element) -> Iterator[_Element]:
    for element in table:
        if read_local_name(element) == "table-row":
            yield element
        elif read_local_name(element) in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(element)


def _read_levels(style: _Element) -> Iterator[tuple[int, _Level]]:
    for element in style:
        if read_local_name(element) == "list-level-style-number":
            yield (
                _integer(read_attribute(element, "level"), 1),
                _Level(
                    read_attribute(element, "num-format"),
                    read_attribute(element, "num-prefix"),
                    read_attribute(element, "num-suffix"),
                    _integer(read_attribute(element, "start-value"), 1),
                    _integer(read_attribute(element, "display-levels"), 1),
                ),
            )


def _integer(written: str, default: int) -> int:
    return int(written) if written.isascii() and written.isdigit() and len(written) < 7 else default


def _fold(text: str) -> str:
    """Return text with each run of white space reduced to a single space, as the format requires."""
    folded = " ".join(text.split())
    if not folded:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{folded}{' ' if text[-1].isspace() else ''}"
