"""What a reader makes of a file, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

AuthorityKind = Literal["case", "statute", "regulation", "contract", "treaty", "article", "other"]
BlockKind = Literal["heading", "paragraph", "section", "text"]


class UnreadableFile(Exception):
    """A file that cannot be indexed; the message is the reason, for the user, without the path."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known about an authority. Unknown is the empty string (or tuple).

    ``date`` is ISO 8601, possibly cut ("2014", "2014-03", "2014-03-09"). ``citation`` is the one to use;
    ``parallel_citations`` are all others. ``short_title`` is what drafts call it ("Carrow", "Sea Carriage
    Act") where the title does not say it.
    """

    title: str = ""
    citation: str = ""
    parallel_citations: tuple[str, ...] = ()
    court: str = ""
    date: str = ""
    kind: AuthorityKind = "other"
    jurisdiction: str = ""
    short_title: str = ""


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
    extracted text for other formats. ``source_map`` is only for formats that an editor opens as text but
    whose source is not ``text`` (HTML): triples ``(text_start, source_start, length)`` of runs, in order,
    both in code points. ``page_starts`` holds the offset in ``text`` at which each page begins (page 1
    first; empty if there are no pages); ``page_numbers`` the printed numbers where they differ from 1, 2, ….
    """

    text: str
    metadata: Metadata
    blocks: tuple[Block, ...]
    page_starts: tuple[int, ...] = ()
    page_numbers: tuple[str, ...] = ()
    source_map: tuple[tuple[int, int, int], ...] = ()
    warnings: tuple[str, ...] = field(default=())


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
