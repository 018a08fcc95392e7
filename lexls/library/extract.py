"""What a format's reader hands to the structure and metadata stages, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that the format itself sets apart: a line, a paragraph, a list item, a table cell.

    ``[start, end)`` are code points of the extracted text, without white space at either end; pieces are
    in order and do not overlap. ``heading`` is the depth of a heading that the format declares (1 is the
    outermost, 0 means that it declares none). ``quoted`` says that the format marks it as a quotation,
    so that a number at its start is not the document's own.
    """

    start: int
    end: int
    heading: int = 0
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Extract:
    """A file's text before its legal structure is known.

    ``page_starts``, ``page_numbers`` and ``source_map`` are as in ``SourceDocument``. ``declared`` are the
    metadata that the file itself declares (front matter, HTML and DOCX properties): keys are fields of
    ``Metadata``, values are as written; ``declared_title_is_weak`` says that its title is only a property
    of the file, to be used when the text itself gives none. ``notes`` has for the number of a footnote or
    endnote the place among ``pieces`` of the one that is its words, behind "Note 3: "; " [note 3]" stands
    where its mark does.
    """

    text: str
    pieces: tuple[Piece, ...]
    page_starts: tuple[int, ...] = ()
    page_numbers: tuple[str, ...] = ()
    source_map: tuple[tuple[int, int, int], ...] = ()
    declared: Mapping[str, object] = field(default_factory=dict)
    declared_title_is_weak: bool = False
    warnings: tuple[str, ...] = ()
    notes: Mapping[int, int] = field(default_factory=dict)
