"""Read DOCX: paragraphs with their automatic numbers, tables, footnotes and text boxes.

A file with the suffix ".doc" is seldom in Word's old binary format; ``extract_doc`` reads web pages and
rejects other content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from lexls.library.document import Extract, UnreadableFile
from lexls.library.readers import html
from lexls.library.readers.archive import Archive, find_child, read_attribute, read_local_name
from lexls.library.readers.numbering_part import Numbering, Styles, is_on, read_numbering, read_styles
from lexls.library.readers.pieces import Pieces
from lexls.library.readers.word_source import Origins, ReadLine, ReadPiece, find_origins
from lexls.text.lexicon import split_words

if TYPE_CHECKING:
    from lxml.etree import _Element


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of Word's old binary files, and of encrypted Word files of any version."""
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
_SKIPPED = split_words("del moveFrom instrText delText pPr rPr sdtPr Fallback annotation")
_NOTES = ("footnote", "endnote")
_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SYMBOLS = {"f0a7": "§", "f0b7": "•", "f0b6": "¶", "00a7": "§", "00b6": "¶"}


def extract(data: bytes) -> Extract:
    """Read a DOCX. Automatic numbers are included in the text as Word prints them.

    Footnotes and endnotes follow the paragraph that refers to them. Raises ``UnreadableFile`` with the reason
    if the file is encrypted, damaged or in another format.
    """
    return trace(data, traced=False)[0]


def trace(data: bytes, *, traced: bool = True) -> tuple[Extract, Origins]:
    """Read a DOCX like ``extract``, and also return the source of each character of the text."""
    if data.startswith(OLE):
        if _ENCRYPTED_STREAM in data:
            raise UnreadableFile("encrypted: needs a password")
        raise UnreadableFile("an old Word document (.doc) with the suffix .docx; save it as .docx")
    archive = Archive.open(data, "DOCX", together=False)
    with archive.archive:
        reader = _PartReader(archive, traced=traced)
        found = reader.read()
        return found, reader.trace_origins(found) if traced else Origins()


def _find_main(archive: Archive) -> tuple[str, _Element]:
    """Return the name and root of the main document part, found by its usual name or by the package's
    relationships.
    """
    name = "word/document.xml"
    root = archive.read_xml(name)
    relations = archive.read_xml("_rels/.rels") if root is None else None
    for relation in relations if relations is not None else ():
        if str(relation.get("Type", "")).endswith("/officeDocument"):
            name = str(relation.get("Target", "")).lstrip("/")
            root = archive.read_xml(name)
            break
    if root is None:
        raise UnreadableFile("not a DOCX file (no word/document.xml in it)")
    return name, root


@dataclass(slots=True)
class _Paragraph:
    """The content of a paragraph: its text, the notes it refers to, and the text boxes and page breaks in it.

    ``text`` is its automatic number (``mark``) and its ``parts``; each part was read from the corresponding
    element of ``sources``. ``picture`` is true if it contains a picture: a numbered paragraph with only a
    picture keeps its number.
    """

    parts: list[str] = field(default_factory=list)
    sources: list[_Element] = field(default_factory=list)
    length: int = 0
    mark: str = ""
    text: str = ""
    notes: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[_Element] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    picture: bool = False

    def add(self, text: str, source: _Element) -> None:
        self.parts.append(text)
        self.sources.append(source)
        self.length += len(text)


class _PartReader:
    def __init__(self, archive: Archive, *, traced: bool) -> None:
        self._traced = traced
        self._name, self._main = _find_main(archive)
        self._styles: Styles = read_styles(archive.read_xml("word/styles.xml"))
        self._numbering: Numbering = read_numbering(archive.read_xml("word/numbering.xml"))
        self._roots = {f"word/{kind}s.xml": archive.read_xml(f"word/{kind}s.xml") for kind in _NOTES}
        self._notes = {kind: _notes(self._roots[f"word/{kind}s.xml"]) for kind in _NOTES}
        notes = chain.from_iterable(found.values() for found in self._notes.values())
        self._hides = bool(self._styles.hidden) or any(
            next(root.iter("{*}vanish"), None) is not None for root in (self._main, *notes)
        )
        self._pieces = Pieces()
        self._note_numbers: dict[tuple[str, str], int] = {}
        self._note_pieces: dict[int, int] = {}
        self._read: list[ReadPiece] = []

    def read(self) -> Extract:
        body = find_child(self._main, "body")
        if body is not None:
            self._blocks(body)
        return Extract(
            text=self._pieces.text,
            pieces=tuple(self._pieces.pieces),
            page_starts=self._pieces.page_starts,
            notes=self._note_pieces,
        )

    def trace_origins(self, found: Extract) -> Origins:
        """Return where in the package's parts the extracted text was read."""
        roots = {name: root for name, root in self._roots.items() if root is not None}
        return find_origins(found, self._read, {self._name: self._main, **roots})

    def _keep(self, place: int, read: Sequence[_Paragraph], lead: str = "") -> None:
        """Record which paragraphs were the source of the piece with the index ``place``, if that piece
        exists; ``lead`` is the text put before their words.
        """
        if self._traced and len(self._pieces.pieces) > place:
            lines = tuple(ReadLine(each.mark, tuple(each.parts), tuple(each.sources)) for each in read)
            self._read.append(ReadPiece(place, lead, lines))

    def _blocks(self, parent: _Element) -> None:
        for elements in _join_paragraphs(_unwrapped(parent)):
            if read_local_name(elements[0]) == "p":
                self._paragraph(elements)
            else:
                self._table(elements[0])

    def _paragraph(self, elements: Sequence[_Element]) -> None:
        paragraph, heading, quoted = self._read_paragraph(elements)
        place = len(self._pieces.pieces)
        self._pieces.add(paragraph.text, heading, quoted, tuple(paragraph.breaks))
        self._keep(place, [paragraph])
        self._after(paragraph)

    def _after(self, paragraph: _Paragraph) -> None:
        """Add the notes and text boxes of a paragraph after it."""
        for kind, identifier in paragraph.notes:
            note = self._notes[kind].get(identifier)
            if note is None:
                continue
            paragraphs = (element for element in note.iter() if read_local_name(element) == "p")
            parts = [self._read_paragraph(elements)[0] for elements in _join_paragraphs(paragraphs)]
            text = " ".join(part.text.strip() for part in parts).strip()
            number = self._note_number(kind, identifier)
            place = len(self._pieces.pieces)
            self._note_pieces.setdefault(number, place)
            self._pieces.add(f"Note {number}: {text}", quoted=True)
            self._keep(place, parts, f"Note {number}:")
        for box in paragraph.boxes:
            self._blocks(box)

    def _read_paragraph(self, elements: Sequence[_Element]) -> tuple[_Paragraph, int, bool]:
        """Return a paragraph, its heading level, and whether its style is for quotations.

        If the paragraph marks between several elements were deleted, the last element's properties apply.
        """
        paragraph = _Paragraph()
        properties, style = None, ""
        for element in elements:
            properties = find_child(element, "pPr")
            style_element = find_child(properties, "pStyle")
            style = (
                read_attribute(style_element, "val") if style_element is not None else self._styles.default
            )
            self._runs(element, paragraph, hidden=style in self._styles.hidden)
        heading = self._styles.heading(style)
        outline = find_child(properties, "outlineLvl")
        if outline is not None and (level := read_attribute(outline, "val")).isdigit() and int(level) < 9:
            heading = int(level) + 1
        paragraph.text = text = "".join(paragraph.parts)
        removed = not text.strip() and _is_removed(properties)
        mark = "" if removed else self._numbering.mark(properties, style, self._styles)
        if mark and (text.strip() or paragraph.picture or mark.rstrip(".").isdigit()):
            stripped = text.lstrip() or ("[picture]" if paragraph.picture else "")
            moved = len(mark) + 1 - (len(text) - len(stripped))
            paragraph.mark, paragraph.text = mark, f"{mark} {stripped}"
            paragraph.breaks = [max(0, at + moved) for at in paragraph.breaks]
        return paragraph, heading, self._styles.is_quotation(style)

    def _runs(self, parent: _Element, paragraph: _Paragraph, *, hidden: bool) -> None:
        """Read the runs below an element; ``hidden`` is true if the paragraph's style hides its text."""
        for element in parent:
            name = read_local_name(element)
            if name == "r":
                if not (self._hides and self._is_hidden(element, hidden)):
                    self._runs(element, paragraph, hidden=hidden)
            elif name == "t":
                paragraph.add(element.text or "", element)
            elif name in _SIGNS:
                paragraph.add(_SIGNS[name], element)
            elif name == "sym":
                paragraph.add(_SYMBOLS.get(read_attribute(element, "char").lower(), ""), element)
            elif name == "lastRenderedPageBreak":
                paragraph.breaks.append(paragraph.length)
            elif name in ("footnoteReference", "endnoteReference"):
                kind = name.removesuffix("Reference")
                identifier = read_attribute(element, "id")
                if identifier in self._notes[kind]:
                    paragraph.notes.append((kind, identifier))
                    paragraph.add(f" [note {self._note_number(kind, identifier)}]", element)
            elif name == "blip":
                paragraph.picture = True
            elif name == "txbxContent":
                paragraph.boxes.append(element)
            elif name == "AlternateContent":
                chosen = find_child(element, "Choice")
                self._runs(element if chosen is None else chosen, paragraph, hidden=hidden)
            elif name not in _SKIPPED:
                self._runs(element, paragraph, hidden=hidden)

    def _is_hidden(self, run: _Element, hidden: bool) -> bool:
        """Return whether a run is hidden text. If the run itself has a setting, that is used. Otherwise it is
        hidden if exactly one of its two styles (paragraph and character) hides it, since two cancel each
        other out.
        """
        properties = find_child(run, "rPr")
        own = find_child(properties, "vanish")
        if own is not None:
            return is_on(own)
        return hidden != (read_attribute(find_child(properties, "rStyle"), "val") in self._styles.hidden)

    def _note_number(self, kind: str, identifier: str) -> int:
        return self._note_numbers.setdefault((kind, identifier), len(self._note_numbers) + 1)

    def _table(self, table: _Element) -> None:
        """Read a table. If all cells of a row are single paragraphs, the row is one piece; otherwise, each
        cell has its own pieces.
        """
        for row in _unwrapped(table):
            if read_local_name(row) != "tr":
                continue
            cells = [cell for cell in _unwrapped(row) if read_local_name(cell) == "tc"]
            contents = [
                [item for item in _unwrapped(cell) if read_local_name(item) in ("p", "tbl")] for cell in cells
            ]
            if all(len(items) == 1 and read_local_name(items[0]) == "p" for items in contents):
                read = [self._read_paragraph(items)[0] for items in contents]
                texts = [" ".join(paragraph.text.split()) for paragraph in read]
                place = len(self._pieces.pieces)
                self._pieces.add("\t".join(text for text in texts if text))
                self._keep(place, read)
                for paragraph in read:
                    self._after(paragraph)
            else:
                for cell in cells:
                    self._blocks(cell)


def _join_paragraphs(elements: Iterable[_Element]) -> Iterator[Sequence[_Element]]:
    """Yield the paragraphs and tables among some elements; paragraphs whose separating mark was deleted are
    joined.
    """
    joined: list[_Element] = []
    for element in elements:
        name = read_local_name(element)
        if name == "p":
            joined.append(element)
        if joined and (name == "tbl" or (name == "p" and not _is_removed(find_child(element, "pPr")))):
            yield joined
            joined = []
        if name == "tbl":
            yield [element]
    if joined:
        yield joined


def _is_removed(properties: _Element | None) -> bool:
    """Return whether a paragraph's end is deleted by a tracked change or is hidden text.

    A hidden end that only separates two styles on one line (a heading and the text after it) does not count.
    """
    mark = find_child(properties, "rPr")
    if find_child(mark, "del") is not None or find_child(mark, "moveFrom") is not None:
        return True
    return is_on(find_child(mark, "vanish")) and not is_on(find_child(mark, "specVanish"))


def _unwrapped(parent: _Element) -> Iterator[_Element]:
    """Yield the children of an element, descending into content controls and tracked insertions."""
    for element in parent:
        name = read_local_name(element)
        if name in ("sdt", "sdtContent", "ins", "customXml", "smartTag", "moveTo", "AlternateContent"):
            chosen = find_child(element, "Choice") if name == "AlternateContent" else None
            yield from _unwrapped(element if chosen is None else chosen)
        else:
            yield element


def _notes(root: _Element | None) -> dict[str, _Element]:
    """Return the notes by identifier, without the separators stored among them."""
    return {
        read_attribute(element, "id"): element
        for element in (root if root is not None else ())
        if read_local_name(element) in ("footnote", "endnote")
        and read_attribute(element, "type") in ("", "normal")
    }


_PAGE = re.compile(rb"\s*(?:<!--.{0,400}?-->\s*)?<(?:!doctype|html|\?xml|head|meta|body)\b", re.I | re.S)


def extract_doc(data: bytes) -> Extract:
    """Read a web page that was saved as ".doc". Raises ``UnreadableFile`` for Word's own old format.

    RTF and newer Word documents with that suffix are recognised by their first bytes.
    """
    if _PAGE.match(data):
        return html.extract(data)
    if data.startswith(OLE):
        raise UnreadableFile("an old Word document; save it as .docx")
    raise UnreadableFile("not a Word document")
