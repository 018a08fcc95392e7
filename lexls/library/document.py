"""Data structures for a file that was read, and the positions of its lines on the pages."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in points (1/72 inch), from the lower left corner of the page as displayed."""

_COLUMN = 0.3
"""Minimum horizontal overlap of two lines in the same column, as a share of the narrower line's width."""


@dataclass(frozen=True, slots=True)
class LineBoxes:
    """The lines of a text, in its order, with their positions on the pages.

    ``starts`` are the offsets in the text, in code points, at which the lines begin; each line extends to the
    next start. ``pages`` are their page numbers, from 1. ``edges`` has four numbers for each line: left,
    bottom, right and top of its box, in points from the lower left corner of the page as displayed. The box
    includes the full height of the font.
    """

    starts: array[int] = field(default_factory=lambda: array("L"))
    pages: array[int] = field(default_factory=lambda: array("L"))
    edges: array[float] = field(default_factory=lambda: array("f"))

    def add(self, start: int, page: int, box: Box) -> None:
        """Add the next line."""
        self.starts.append(start)
        self.pages.append(page)
        self.edges.extend(box)

    def box(self, place: int) -> Box:
        """Return the box of the line with the index ``place``."""
        left, bottom, right, top = self.edges[4 * place : 4 * place + 4]
        return left, bottom, right, top

    def __bool__(self) -> bool:
        return bool(self.starts)


@dataclass(frozen=True, slots=True)
class PagePassage:
    """The part of a passage on one page (numbered from 1): the page's displayed width and height in points,
    and a box for each of the passage's lines, in the text's order. Boxes are measured from the page's
    lower left corner.
    """

    page: int
    width: float
    height: float
    boxes: tuple[Box, ...]


def find_boxes(lines: LineBoxes, start: int, end: int) -> list[tuple[int, Box]]:
    """Return the parts of pages, numbered from 1, that cover ``[start, end)`` of the text, with their boxes
    in the text's order.

    Adjacent lines of one column share a box, and lines are covered completely. The result is empty if the
    file has no pages.
    """
    found: list[tuple[int, Box]] = []
    first = max(bisect_right(lines.starts, start) - 1, 0)
    for place in range(first, len(lines.starts)):
        if lines.starts[place] >= end:
            break
        page = lines.pages[place]
        box = lines.box(place)
        if found and found[-1][0] == page and _is_below(found[-1][1], box):
            box = surround([found.pop()[1], box])
        found.append((page, box))
    return found


def surround(boxes: Sequence[Box]) -> Box:
    """Return the smallest box that contains all ``boxes`` (at least one)."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _is_below(box: Box, line: Box) -> bool:
    """Return whether a line is below or inside a box and in the same column."""
    shared = min(box[2], line[2]) - max(box[0], line[0])
    return shared > _COLUMN * min(box[2] - box[0], line[2] - line[0]) and line[3] <= box[3] + 2


AuthorityKind = Literal["case", "statute", "regulation", "contract", "treaty", "article", "other", "exhibit"]
"""The kind of an authority. An ``exhibit`` is a document from the case record and not an authority."""
KINDS: Sequence[AuthorityKind] = tuple(kind for kind in get_args(AuthorityKind) if kind != "exhibit")
"""The kinds that a file may declare for its authority."""
BlockKind = Literal["heading", "paragraph", "section", "text"]
FactSource = Literal["mark-up", "front matter", "catalogue", "head", "body", "file name"]
"""Where a fact about an authority was found, the most reliable source first: the format's mark-up, front
matter above the text, a catalogue that describes the file, the opening lines of the text ("head"), a
statement further on in the text ("body"), the file's name.
"""
CONFIDENCE: Mapping[FactSource, Literal["certain", "likely", "guessed"]] = {
    "mark-up": "certain",
    "front matter": "certain",
    "catalogue": "certain",
    "head": "likely",
    "body": "likely",
    "file name": "guessed",
}
"""How certain a fact is, by its source."""


NO_AUTHORITY = "no text of an authority in it"
"""The reason given for not indexing a readable file without an authority's text. Many such files contain data
(settings, bibliographies).
"""


class UnreadableFile(Exception):
    """Raised if a file cannot be indexed. The message is the reason, for the user, without the path."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """The facts known about an authority. Unknown fields are empty strings (or tuples).

    ``date`` is ISO 8601, possibly shortened ("2014", "2014-03", "2014-03-09"). ``citation`` is the preferred
    one; ``parallel_citations`` are all others. ``short_title`` is the name used in drafts ("Carrow", "Sea
    Carriage Act") if it cannot be derived from the title. ``docket`` is the list of numbers that the court
    itself gave the case.
    """

    title: str = ""
    citation: str = ""
    parallel_citations: tuple[str, ...] = ()
    court: str = ""
    date: str = ""
    kind: AuthorityKind = "other"
    jurisdiction: str = ""
    short_title: str = ""
    docket: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A structural unit of a document: ``[start, end)`` in code points of ``SourceDocument.text``.

    Blocks are in order, do not overlap and together contain all visible text. ``label`` is the pinpoint as
    cited, without brackets: "12" for a numbered paragraph, "5(2)" for a subsection, "" if none. ``level`` is
    a heading's depth (1 is the title) or a section's nesting (1 = section, 2 = (1), 3 = (a)).
    """

    start: int
    end: int
    kind: BlockKind
    label: str = ""
    level: int = 0


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A file as lexls reads it.

    ``text`` is the decoded file for ``.txt`` and ``.md`` (line ends kept, BOM removed); for other formats,
    and for text with printed pages, it is the extracted text. ``source_map`` is only for files that an editor
    opens as text but whose source is not ``text`` (HTML): triples ``(text_start, source_start, length)`` of
    runs, in the order of the text, in code points. ``page_starts`` are the offsets in ``text`` at which pages
    begin, from page 1; empty if there are no pages. ``page_numbers`` are the printed numbers if they differ
    from 1, 2, …. ``sources`` gives the source of each non-empty field of ``metadata``, and ``format`` the
    format the file was read as. ``scanned`` maps pages (by position, from 1) read by OCR to their mean line
    confidence, from 0 to 1, weighted by characters. ``boxes`` gives the positions of the lines of ``text`` on
    the pages, if the file has any (PDF). ``identity`` is the name that a record gives itself within its file,
    or "".
    """

    text: str
    metadata: Metadata
    blocks: tuple[Block, ...]
    page_starts: tuple[int, ...] = ()
    page_numbers: tuple[str, ...] = ()
    source_map: tuple[tuple[int, int, int], ...] = ()
    warnings: tuple[str, ...] = ()
    sources: Mapping[str, FactSource] = field(default_factory=dict)
    format: str = ""
    scanned: Mapping[int, float] = field(default_factory=dict)
    identity: str = ""
    boxes: LineBoxes = field(default_factory=LineBoxes)


@dataclass(frozen=True, slots=True)
class Passage:
    """An indexed part of a document: ``[start, end)`` in code points of ``SourceDocument.text``.

    ``paragraph`` is the label of its numbered paragraph or section ("" if none). ``page`` is the page on
    which it starts (0 if none). ``heading`` is the breadcrumb of the headings above it, outermost first,
    joined by " › ", without the document's title.
    """

    start: int
    end: int
    paragraph: str
    page: int
    heading: str


@dataclass(frozen=True, slots=True)
class ExtractedPiece:
    """A run of text that the format itself separates: a line, a paragraph, a list item, a table cell.

    ``[start, end)`` are code points of the extracted text, without white space at either end; pieces are in
    order and do not overlap. ``heading`` is the depth of a heading that the format declares (1 is the
    outermost, 0 means none). ``quoted`` is true if the format marks the piece as a quotation, so that a
    number at its start is not the document's own. ``label`` is the pinpoint of a numbered paragraph or
    section that, according to the mark-up, begins here ("12", "5(2)", "Sch 1 para 3"), or "".
    """

    start: int
    end: int
    heading: int = 0
    quoted: bool = False
    label: str = ""

    def shift(self, by: int) -> ExtractedPiece:
        """Return the piece with its offsets increased ``by`` code points."""
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True, slots=True)
class Extract:
    """A file's text before its legal structure is determined.

    ``page_starts``, ``page_numbers``, ``source_map``, ``scanned``, ``boxes`` and ``identity`` are as in
    ``SourceDocument``. ``declared`` is the metadata that the file itself declares (front matter, HTML and
    DOCX properties): keys are fields of ``Metadata``, values are as written. ``declared_title_is_weak`` is
    true if the declared title is only a file property, which is used if the text gives no title.
    ``declared_in`` is the source of the declared metadata. If ``declared_is_all``, the mark-up has all
    metadata and the opening lines of the text are not read. ``notes`` maps the number of a footnote or
    endnote to the index in ``pieces`` of its text, which begins with "Note 3: "; its mark in the text is "
    [note 3]". ``format`` is the format found by a reader of several formats. ``edges`` are lines at the edges
    of the first page that are not part of the text, such as a stamp. ``first_page`` has the lines of the
    first pages as printed, with columns separated by white space, if ``text`` does not show the columns.
    """

    text: str
    pieces: tuple[ExtractedPiece, ...]
    page_starts: tuple[int, ...] = ()
    page_numbers: tuple[str, ...] = ()
    source_map: tuple[tuple[int, int, int], ...] = ()
    declared: Mapping[str, object] = field(default_factory=dict)
    declared_title_is_weak: bool = False
    declared_in: FactSource = "mark-up"
    declared_is_all: bool = False
    warnings: tuple[str, ...] = ()
    notes: Mapping[int, int] = field(default_factory=dict)
    format: str = ""
    scanned: Mapping[int, float] = field(default_factory=dict)
    identity: str = ""
    boxes: LineBoxes = field(default_factory=LineBoxes)
    edges: tuple[str, ...] = ()
    first_page: str = ""
