"""Describe the answers of the index as plain data."""

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

    ``path`` is absolute; ``library`` is the watched folder it lies in and ``relative`` its path below that
    folder with forward slashes. ``citations`` are all its citations as given, the preferred one first.
    ``is_text`` says that the file itself is text that has the passages (Markdown, HTML, JSON). ``docket`` are
    the court's own numbers of a case, ``sources`` the fields of ``Metadata`` that are known, each with the
    place where the file says it. ``part`` is what names it among several documents of its file, "" where the
    file is one document.
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
        """Its title, else its citation, else its file, with its part where that holds several documents."""
        return (
            self.title or self.citation or (f"{self.relative}, {self.part}" if self.part else self.relative)
        )

    @property
    def is_pdf(self) -> bool:
        """Return whether its file is a PDF, on whose pages its text can be shown."""
        return self.path.suffix.lower() == ".pdf" and not self.part

    @property
    def own_path(self) -> Path:
        """A path that no other document has: of one of several in a file it goes on with its part."""
        return self.path / self.part.replace("/", "%2F") if self.part else self.path

    @property
    def citation(self) -> str:
        """The preferred citation, "" if the authority has none."""
        return self.citations[0] if self.citations else ""

    @property
    def year(self) -> int | None:
        """The year of its date, or None."""
        return int(self.date[:4]) if self.date[:4].isdigit() else None


@dataclass(frozen=True, slots=True)
class PassageRecord:
    """An indexed passage: ``[start, end)`` in code points of its document's text.

    ``paragraph`` is the label of its numbered paragraph or section ("" if none), ``page`` the number printed
    on its page, counted from 1 where none is printed (0 if there are no pages), ``heading`` the breadcrumb
    above it. ``role`` is its rhetorical role, "" if none is known. ``speaker`` says whose words it has.
    ``label`` is what people are shown of it ("holding", "dissenting opinion of Quill J."), "" unless that is
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
    """A piece of an authority that a pinpoint names: its label, its range and its own text."""

    document: int
    start: int
    end: int
    label: str
    page: int
    text: str


@dataclass(frozen=True, slots=True)
class ScannedPlace:
    """A page of a file, by its position from 1, that was read by OCR, and how sure its words are (0 to 1)."""

    page: int
    confidence: float


@dataclass(frozen=True, slots=True)
class CitingPassage:
    """One citation of an authority by another document of the library.

    ``[start, end)`` is the citation in the citing document's text; ``pinpoint`` are its labels.
    ``treatment`` is what the citing sentence says of the authority, the worst if it says more than one thing.
    """

    citing: int
    start: int
    end: int
    pinpoint: tuple[str, ...]
    treatment: TreatmentKind = "cited"


@dataclass(frozen=True, slots=True)
class TreatedIn:
    """How an authority is treated, as a sentence of another document says.

    ``citing`` is the document that says it: the authority's name or citation is ``[start, end)`` of its text,
    the sentence ``[sentence_start, sentence_end)``. ``treating`` is the authority that treats: ``citing``
    itself, or another that it names; None if the library does not hold that one, and then ``by`` is its
    citation ("" if the sentence does not name it). ``extent`` is "", "in part" or "on other grounds".
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
    """The words of an authority that others point at most: ``text`` is ``[start, end)`` of its text.

    ``kind`` and ``label`` are the place they stand in as it is cited ("" if by quotations alone),
    ``count`` how many documents point there.
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
    """Where an editor shows a range: a file and ``[start, end)`` in code points of ``text``.

    ``file`` is the authority itself, or a read-only copy of its text, wrapped, in the user's cache where the
    file is not text that reads well. ``text`` is the text of ``file``, for computing lines: within a file of
    several documents only the lines of one, those above it empty.
    """

    file: Path
    start: int
    end: int
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """How far the indexer is. ``phase`` is "scanning" (the folders), "reading", "citations" (of documents
    whose words are in), "ocr", "embedding", "paused" or "idle".

    ``done`` and ``total`` count documents while reading, pages of scans while those are read by OCR, and
    passages while embedding; in a pause what they counted before.
    """

    phase: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that could not be indexed and why, in words for the user."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class UnreadKind:
    """Files of the library that no reader is for, or that hold no authority.

    ``suffix`` is theirs in lower case ("": none), ``count`` how many there are; ``paths`` are those of the
    first few, of none where they are hardly ever authorities (pictures, archives).
    """

    suffix: str
    count: int
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrecedentRecord:
    """A sentence of a document that cites authorities of the library for what it says.

    ``[start, end)`` is the sentence in the text of ``citing``, ``proposition`` its words without citations of
    cases and ``entities`` the names and figures in it. ``authorities`` are those of the library that it cites
    for it, each with the labels of its pinpoint ("" if none).
    """

    id: int
    citing: int
    start: int
    end: int
    proposition: str
    entities: tuple[str, ...]
    authorities: tuple[tuple[int, str], ...]
