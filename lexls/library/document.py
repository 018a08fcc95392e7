"""Describe what a reader makes of a file, as plain data, and where lines stand on the pages of the file."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in points (1/72 inch), from the lower left corner of the page as shown."""

_COLUMN = 0.3
"""The part of the narrower of two lines that lies above the other where they are of one column."""


@dataclass(frozen=True, slots=True)
class LineBoxes:
    """The lines of a text in the order in which it has them.

    ``starts`` are the offsets in the text, in code points, at which the lines begin; each goes up to the
    next. ``pages`` are the numbers of their pages, the first of the file 1. ``edges`` has four numbers for
    each line: left, bottom, right and top of its box, in points from the lower left corner of the page as it
    is shown; the box holds the whole height of the font.
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
        """The box of the line at ``place``."""
        left, bottom, right, top = self.edges[4 * place : 4 * place + 4]
        return left, bottom, right, top

    def __bool__(self) -> bool:
        return bool(self.starts)


@dataclass(frozen=True, slots=True)
class PagePassage:
    """What a page (from 1) shows of a passage: the page's width and height as it is shown, in points, and a
    box for each line in the order of the text, from the page's lower left corner.
    """

    page: int
    width: float
    height: float
    boxes: tuple[Box, ...]


def find_boxes(lines: LineBoxes, start: int, end: int) -> list[tuple[int, Box]]:
    """Return where ``[start, end)`` of the text stands: pages, from 1, and the boxes on them, in the text's
    order.

    The lines of a column of a page, whole, make one box. Empty if the file has no pages.
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
    """The smallest box that holds all of ``boxes``, at least one."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _is_below(box: Box, line: Box) -> bool:
    """Return whether a line stands below or in a box, not beside it."""
    shared = min(box[2], line[2]) - max(box[0], line[0])
    return shared > _COLUMN * min(box[2] - box[0], line[2] - line[0]) and line[3] <= box[3] + 2


AuthorityKind = Literal["case", "statute", "regulation", "contract", "treaty", "article", "other", "exhibit"]
"""``exhibit`` is a paper of the record, and no authority."""
KINDS: Sequence[AuthorityKind] = tuple(kind for kind in get_args(AuthorityKind) if kind != "exhibit")
"""What a file may say that its authority is."""
BlockKind = Literal["heading", "paragraph", "section", "text"]
FactSource = Literal["mark-up", "front matter", "catalogue", "head", "body", "file name"]
"""Where a fact about an authority was taken from, the surest place first: what the format itself marks, what
somebody wrote above the text, what another file says of it, the head of the text, what the text says of
itself further on, its name."""
CONFIDENCE: Mapping[FactSource, Literal["certain", "likely", "guessed"]] = {
    "mark-up": "certain",
    "front matter": "certain",
    "catalogue": "certain",
    "head": "likely",
    "body": "likely",
    "file name": "guessed",
}
"""How sure a fact is by its source."""


NO_AUTHORITY = "no text of an authority in it"
"""Why a file that can be read is left alone: many hold data, not a document (settings, bibliographies)."""


class UnreadableFile(Exception):
    """A file that cannot be indexed; the message is the reason, for the user, without the path."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known about an authority. Unknown is the empty string (or tuple).

    ``date`` is ISO 8601, possibly cut ("2014", "2014-03", "2014-03-09"). ``citation`` is the one to use;
    ``parallel_citations`` are all others. ``short_title`` is what drafts call it ("Carrow", "Sea Carriage
    Act") where the title does not say it. ``docket`` are the court's own numbers of a case.
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
    """A structural piece of a document: ``[start, end)`` in code points of ``SourceDocument.text``.

    Blocks are in order, do not overlap and together hold all visible text. ``label`` is the pinpoint
    as cited, without brackets: "12" for a numbered paragraph, "5(2)" for a subsection, "" if none.
    ``level`` is a heading's depth (1 is the title) or a section's nesting (1 = section, 2 = (1), 3 = (a)).
    """

    start: int
    end: int
    kind: BlockKind
    label: str = ""
    level: int = 0


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A file as lexls reads it.

    ``text`` is the decoded file for ``.txt`` and ``.md`` (its line ends kept, a BOM removed) and the
    extracted text for other formats, and for text that keeps printed pages. ``source_map`` is only for files
    that an editor opens as text but whose source is not ``text`` (HTML): triples
    ``(text_start, source_start, length)`` of runs, in the order of the text, both in code points.
    ``page_starts`` holds the offset in ``text`` at which each page begins (page 1
    first; empty if there are no pages); ``page_numbers`` the printed numbers where they differ from 1, 2, ….
    ``sources`` says for each field of ``metadata`` that is not empty where it was taken from, ``format`` what
    the file was read as. ``scanned`` has the pages (by position, from 1) whose words were read in a picture
    by OCR, and how sure they are: the mean confidence of the page's lines, 0 to 1, by characters. ``boxes``
    says where the lines of ``text`` stand on the pages of the file, if it has any (PDF). ``identity``
    is what a record calls itself among others of its file, "" if nothing.
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
    """An indexed piece of a document: ``[start, end)`` in code points of ``SourceDocument.text``.

    ``paragraph`` is the label of the numbered paragraph or section it belongs to ("" if none), ``page``
    the page it starts on (0 if none), ``heading`` the breadcrumb of headings above it, outermost first,
    joined by " › " (the document's title left out).
    """

    start: int
    end: int
    paragraph: str
    page: int
    heading: str


@dataclass(frozen=True, slots=True)
class ExtractedPiece:
    """A run of text that the format itself sets apart: a line, a paragraph, a list item, a table cell.

    ``[start, end)`` are code points of the extracted text, without white space at either end; pieces are
    in order and do not overlap. ``heading`` is the depth of a heading that the format declares (1 is the
    outermost, 0 means that it declares none). ``quoted`` says that the format marks it as a quotation,
    so that a number at its start is not the document's own. ``label`` is the pinpoint of the numbered
    paragraph or section that the format's mark-up says to begin here ("12", "5(2)", "Sch 1 para 3"), "" if
    none.
    """

    start: int
    end: int
    heading: int = 0
    quoted: bool = False
    label: str = ""

    def shift(self, by: int) -> ExtractedPiece:
        """The same ``by`` code points further on."""
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True, slots=True)
class Extract:
    """A file's text before its legal structure is known.

    ``page_starts``, ``page_numbers``, ``source_map``, ``scanned``, ``boxes`` and ``identity`` are as in
    ``SourceDocument``. ``declared`` are the metadata that the file itself declares (front matter, HTML and
    DOCX properties): keys are fields of ``Metadata``, values are as written; ``declared_title_is_weak`` says
    that its title is only a property of the file, to be used when the text itself gives none, and
    ``declared_in`` where they stand. ``notes`` has for the number of a footnote or endnote the place among
    ``pieces`` of the one that is its words, behind "Note 3: "; " [note 3]" stands where its mark does.
    ``format`` names what a reader of several formats found. ``declared_is_all`` says that the mark-up tells
    all that is known: its head is not read. ``edges`` are the lines at the edges of the first page that are
    no part of the text, such as a stamp. ``first_page`` has the lines of the first pages as they stand there,
    their columns apart by white space, where ``text`` does not show that.
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
