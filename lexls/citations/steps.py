"""Hold what a paragraph says to the resolver as data: its mentions and what happens between them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from lexls.citations.asides import list_names_said
from lexls.citations.case_names.compare import list_name_words
from lexls.citations.model import CitationForm, CitationKind, CitedPaper, Mention, PinpointKind, fold

_PAGE = re.compile(r"\d+")

Names = tuple[tuple[str, str], ...]
"""Names as terms and as cases are compared by them."""
Volume = tuple[str, str]
"""A volume and the report that it is of."""


@dataclass(frozen=True, slots=True)
class Source:
    """An authority as a full citation names it: what the short forms for it take over.

    ``keys`` are those of all parallel citations of the mention; ``style`` is what a bare number counts;
    ``paged`` says whether it is cited by pages.
    """

    key: str
    jurisdiction: str
    kind: CitationKind
    name: str
    year: int | None
    style: PinpointKind
    keys: tuple[str, ...]
    paged: bool = False


@dataclass(frozen=True, slots=True)
class Tail:
    """One reading of a short form by name: the words of it that name the authority.

    ``term`` is the name folded, ``key`` the name as cases are compared by it ("" if nothing remains).
    """

    start: int
    end: int
    name: str
    term: str
    key: str


class Resolved(NamedTuple):
    """How a mention was resolved. No source: it stands for nothing that was found, or for ``papers`` of the
    record."""

    source: Source | None
    form: CitationForm
    tail: Tail | None = None
    ambiguous: bool = False
    unread: bool = False
    papers: tuple[CitedPaper, ...] = ()


# Two events are equal if the resolver makes the same of them; offsets are no part of that.


@dataclass(frozen=True, slots=True)
class TermDefined:
    """A term is defined for the mention at ``place`` among the paragraph's."""

    place: int
    term: str


@dataclass(frozen=True, slots=True)
class UnreadCited:
    """Something is cited, at an offset, that is no authority that was read: a case, papers of the record.

    ``papers`` are those that are cited last, in one string.
    """

    at: int = field(compare=False)
    papers: tuple[CitedPaper, ...] = ()


@dataclass(frozen=True, slots=True)
class TextInserted:
    """The text of another file is put in, which was not read."""


@dataclass(frozen=True, slots=True)
class PageTurn:
    """A printed page's text breaks off above its notes ("foot"), notes go on from the page before ("on"), or
    the next page's text begins ("head")."""

    kind: Literal["foot", "on", "head"]


@dataclass(frozen=True, slots=True)
class Around:
    """Where a mention stands among those of its paragraph.

    Attributes
    ----------
    place: of the mention among the paragraph's.
    head: the place of the first of the parallel citations that the mention is one of.
    first: the place of the first citation of the case's history, which *id.* stands for.
    joined: whether the mention stands in one string of citations with the mention before it.
    passed: whether *id.* behind it passes over it: it is cited by another in brackets, or an Act only named.
    inner: whether it is cited by another in brackets.
    unread: what its words cite and is not read, if the mention comes to nothing.
    """

    place: int
    head: int
    first: int
    joined: bool
    passed: bool
    inner: bool
    unread: UnreadCited | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionStep:
    """A mention with what the resolver needs to know of it; ``pinned`` is the first page of its pinpoint, -1
    if there is none."""

    mention: Mention = field(compare=False)
    around: Around
    pinned: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pinned", read_pinned_page(self.mention))

    @property
    def effect(self) -> tuple[object, ...]:
        """All that the resolver makes of it, offsets left out."""
        mention, pinpoint = self.mention, self.mention.pinpoint
        return (
            *(self, mention.form, mention.kind, mention.name, mention.year, mention.reference, mention.note),
            *(mention.loose, mention.owner, mention.open_end, mention.is_name_alone),
            pinpoint and (pinpoint.kind, pinpoint.labels),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FullStep(MentionStep):
    """A full citation: its authority, how it is read, and its first page (-1 if it has none)."""

    source: Source
    plain: Resolved
    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseStep(FullStep):
    """A case: its volume and report by its canonical name and as it is ``written``, and what it is called."""

    report: Volume
    written: Volume
    names: tuple[str, ...]
    openings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkStep(FullStep):
    """An Act or another authority with a title, what of the title short forms have, and whether the words
    before it say (``declares``) that bare sections are its own."""

    title: str
    term: str
    noun: str
    initials: str
    declares: bool


@dataclass(frozen=True, slots=True)
class CitedReport:
    """A case that stands next to *id.*: in a volume of a report from a page on; ``key`` if it is in full."""

    report: Volume
    page: int
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class IdStep(MentionStep):
    """An *id.* or *ibid.*

    Attributes
    ----------
    beside: the case or short form that stands right behind it ("Id., 531 U.S. at 104"), if one does.
    cites: the cases that it cites in brackets.
    of_record: whether the place behind it is none that an authority has.
    of_volume: whether a volume before it says that it is another of the same record.
    of_section: whether it stands behind what a section that is named says.
    signed: whether the place behind it counts paragraphs by their sign.
    called: what the words right before it may name: "Carrow, id. at 9".
    only_called: whether these words begin the citation, so that it is of nothing else.
    """

    beside: CitedReport | None
    cites: tuple[CitedReport, ...]
    of_record: bool
    of_volume: bool
    of_section: bool
    signed: bool
    called: Names
    only_called: bool
    _text: str = field(compare=False)
    _since: int = field(compare=False)
    _behind_papers: int = field(compare=False)

    @cached_property
    def said_names(self) -> Names:
        """Return what may name cases between it and the citation before it."""
        return find_names_said(self._text, self._since, self.mention.start)

    @cached_property
    def said_cases(self) -> Names:
        """Those of them that the words next to them tell from persons, behind papers of the record."""
        since = max(self._since, self._behind_papers)
        return find_names_said(self._text, since, self.mention.start, as_cases=True)

    @property
    def effect(self) -> tuple[object, ...]:
        """The same with the names that it may stand behind."""
        return (*super().effect, self.said_names, self.said_cases)


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionStep(MentionStep):
    """A bare section.

    Attributes
    ----------
    source: what a place is of that drafts cite without naming it, if it is such a one.
    old: whether it is of an Act named by its day alone: "the act of March 3, 1891".
    sign: whether it is written with its sign.
    behind_act: whether an Act is named right before it.
    """

    source: Source | None
    old: bool
    sign: bool
    behind_act: bool


@dataclass(frozen=True, kw_only=True)
class NamedStep(MentionStep):
    """A short form by name, and what it can be read as, the longest name first."""

    tails: tuple[Tail, ...] = field(compare=False)

    @property
    def effect(self) -> tuple[object, ...]:
        """The same with what it can be read as."""
        return (*super().effect, *((tail.term, tail.key) for tail in self.tails))


@dataclass(frozen=True, kw_only=True)
class ReportStep(NamedStep):
    """A short form by a volume of a report, with at most one name before it: "531 U.S., at 104"."""

    report: Volume


@dataclass(frozen=True, slots=True, kw_only=True)
class NounStep(MentionStep):
    """An Act by its ``noun`` or a defined ``term``: "the Act".

    ``said`` is whether the noun stands with "said", which points at the Act named last, ``own`` whether it
    stands with "this", as an Act speaks of itself where it is quoted.
    """

    source: Source | None
    term: str
    noun: str
    said: bool
    own: bool


Step = TermDefined | UnreadCited | TextInserted | PageTurn | MentionStep


def read_pinned_page(mention: Mention) -> int:
    """The first page of a mention's pinpoint; -1 if there is none."""
    pinpoint = mention.pinpoint
    page = _PAGE.match(pinpoint.labels[0]) if pinpoint is not None and pinpoint.kind == "page" else None
    return int(page[0]) if page is not None else -1


def find_names_said(text: str, start: int, end: int, as_cases: bool = False) -> Names:
    """Return what may name cases between two places."""
    return tuple((fold(name), make_name_key(name)) for name in list_names_said(text, start, end, as_cases))


def make_name_key(name: str) -> str:
    """A case's name as short forms are compared with it."""
    return " ".join(list_name_words(name)) or fold(name)
