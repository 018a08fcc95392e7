"""Define the results of index queries as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from lexls.citations.model import PinpointKind
    from lexls.citations.treatment import TreatmentKind
    from lexls.library.document import AuthorityKind, FactSource
    from lexls.library.speakers import SpeakerKind


@dataclass(frozen=True, slots=True)
class Authority:
    """A document of the library.

    ``path`` is absolute; ``library`` is its watched folder and ``relative`` its path in that folder, with
    forward slashes. ``citations`` are all its citations as given, the preferred one first. ``is_text`` is
    true if the file itself is text that contains the passages (Markdown, HTML, JSON). ``docket`` are the
    court's own case numbers. ``sources`` are the known fields of ``Metadata``, each with its source in the
    file. ``part`` identifies it among several documents of its file, "" if the file is a single document.
    """

    id: int
    path: Path
    library: Path
    relative: str
    title: str
    short_title: str
    citations: tuple[str, ...]
    court: str
    date: str
    kind: AuthorityKind
    jurisdiction: str
    is_text: bool
    docket: tuple[str, ...] = ()
    sources: tuple[tuple[str, FactSource], ...] = ()
    part: str = ""

    @property
    def name(self) -> str:
        """The title, or else the citation, or else the file's relative path, with the part added if the file
        has several documents.
        """
        return (
            self.title or self.citation or (f"{self.relative}, {self.part}" if self.part else self.relative)
        )

    @property
    def is_pdf(self) -> bool:
        """Return whether the authority is the only document of a PDF, on whose pages its text can be
        shown.
        """
        return self.path.suffix.lower() == ".pdf" and not self.part

    @property
    def own_path(self) -> Path:
        """A path unique to this document: the file's path, followed by the part if it has several
        documents.
        """
        return self.path / self.part.replace("/", "%2F") if self.part else self.path

    @property
    def citation(self) -> str:
        """The preferred citation, "" if the authority has none."""
        return self.citations[0] if self.citations else ""

    @property
    def year(self) -> int | None:
        """The year of the authority's date, or None."""
        return int(self.date[:4]) if self.date[:4].isdigit() else None


@dataclass(frozen=True, slots=True)
class PassageRecord:
    """An indexed passage: ``[start, end)`` in code points of its document's text.

    ``paragraph`` is the label of its numbered paragraph or section ("" if none). ``page`` is the printed page
    number, or the position from 1 if none is printed (0 if there are no pages). ``heading`` is the breadcrumb
    of headings above it. ``role`` is its rhetorical role, "" if unknown, and ``speaker`` whose words it
    contains. ``label`` is shown to users ("holding", "dissenting opinion of Quill J."); it is "" unless it is
    certain.
    """

    id: int
    document: int
    start: int
    end: int
    paragraph: str
    page: int
    heading: str
    text: str
    role: str = ""
    speaker: SpeakerKind = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A part of an authority that a pinpoint names: its label, its span and its text."""

    document: int
    start: int
    end: int
    label: str
    page: int
    text: str


@dataclass(frozen=True, slots=True)
class ScannedPlace:
    """A page of a file read by OCR: its position from 1, and the confidence in its words (0 to 1)."""

    page: int
    confidence: float


@dataclass(frozen=True, slots=True)
class CitingPassage:
    """One citation of an authority by another document of the library.

    ``[start, end)`` is the citation in the citing document's text, and ``pinpoint`` has the labels of its
    pinpoint. ``treatment`` is how the citing sentence treats the authority: the worst treatment if there are
    several.
    """

    citing: int
    start: int
    end: int
    pinpoint: tuple[str, ...]
    treatment: TreatmentKind = "cited"


@dataclass(frozen=True, slots=True)
class TreatedIn:
    """A treatment of an authority stated in a sentence of another document.

    ``citing`` is the document that contains the sentence ``[sentence_start, sentence_end)``; ``[start, end)``
    is the authority's name or citation in its text. ``treating`` is the document that overrules, follows or
    otherwise treats the authority: ``citing`` itself, or one that the sentence names. If the named one is not
    in the library, ``treating`` is None and ``by`` is its citation ("" if not given). ``extent`` is "", "in
    part" or "on other grounds".
    """

    treatment: TreatmentKind
    extent: str
    treating: int | None
    by: str
    citing: int
    start: int
    end: int
    sentence_start: int
    sentence_end: int


@dataclass(frozen=True, slots=True)
class MostQuoted:
    """The words of an authority that others cite most: ``text``, at ``[start, end)`` of the authority's text.

    ``kind`` and ``label`` are the pinpoint ("" if the words were found by quotations alone), and ``count`` is
    how many documents cite or quote them.
    """

    document: int
    start: int
    end: int
    text: str
    kind: PinpointKind | Literal[""]
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class OpenLocation:
    """Where an editor shows a span: a file and ``[start, end)`` in code points of ``text``.

    ``file`` is the authority's file or, if that is not easily readable text, a read-only copy of its wrapped
    text in the user's cache. ``text`` is the text of ``file``, for computing lines. For a multi-document file
    it has only the lines of one document, and empty lines above them.
    """

    file: Path
    start: int
    end: int
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """The indexer's progress. ``phase`` is "scanning" (the folders), "reading", "citations" (of documents
    whose words are already indexed), "ocr", "embedding", "paused" or "idle".

    ``done`` and ``total`` count documents while reading, scanned pages during OCR, and passages while
    embedding. During a pause, they keep their last values.
    """

    phase: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that could not be indexed, with a reason for the user."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class UnreadKind:
    """Files of the library that have the same suffix and that no reader supports, or that contain no
    authority.

    ``suffix`` is in lower case ("": none) and ``count`` the number of files. ``paths`` are the first few,
    empty for types that are hardly ever authorities (pictures, archives).
    """

    suffix: str
    count: int
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrecedentRecord:
    """A sentence of a document that cites authorities in the library for its proposition.

    ``[start, end)`` is the sentence in the text of ``citing``, ``proposition`` its words without case
    citations, and ``entities`` the names and figures in it. ``authorities`` are the authorities in the
    library that the sentence cites, each with the labels of its pinpoint ("" if none).
    """

    id: int
    citing: int
    start: int
    end: int
    proposition: str
    entities: tuple[str, ...]
    authorities: tuple[tuple[int, str], ...]
