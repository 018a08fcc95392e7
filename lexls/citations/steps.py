"""Define the input of the resolver: the mentions of a paragraph and the events between them."""

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
"""Names as pairs: the name folded like a term, and the name normalised for comparing cases."""
Volume = tuple[str, str]
"""A volume number, and the folded report to which the volume belongs."""


@dataclass(frozen=True, slots=True)
class Source:
    """An authority as a full citation names it, with the data that its short forms inherit.

    ``keys`` are the keys of all parallel citations of the mention. ``style`` is the unit of a bare number,
    and ``paged`` is true if the authority is cited by pages.
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
    """One possible name in a short form by name: the words that would name the authority.

    ``term`` is the folded name, ``key`` the normalised name for comparing cases ("" if nothing is left after
    normalising).
    """

    start: int
    end: int
    name: str
    term: str
    key: str


class Resolved(NamedTuple):
    """How a mention was resolved.

    If ``source`` is None, the mention has no known antecedent, or refers to ``papers`` of the record.
    """

    source: Source | None
    form: CitationForm
    tail: Tail | None = None
    ambiguous: bool = False
    unread: bool = False
    papers: tuple[CitedPaper, ...] = ()


# Two events are equal if the resolver treats them alike; offsets are not compared.


@dataclass(frozen=True, slots=True)
class TermDefined:
    """A definition of a term for the mention at index ``place`` of the paragraph."""

    place: int
    term: str


@dataclass(frozen=True, slots=True)
class UnreadCited:
    """A source that lexls does not read as an authority is cited at offset ``at``: a case, or papers of the
    record.

    ``papers`` are the papers cited last, in one string.
    """

    at: int = field(compare=False)
    papers: tuple[CitedPaper, ...] = ()


@dataclass(frozen=True, slots=True)
class TextInserted:
    """The place at which another file, which was not read, is inserted."""


@dataclass(frozen=True, slots=True)
class PageTurn:
    """A page break.

    ``kind`` is "foot" if the text of a page stops above its footnotes, "on" if footnotes continue from the
    previous page, "head" if the text of the next page begins.
    """

    kind: Literal["foot", "on", "head"]


@dataclass(frozen=True, slots=True)
class Around:
    """The position of a mention among the mentions of its paragraph.

    Attributes
    ----------
    place: the mention's index in the paragraph.
    head: the index of the first of its parallel citations.
    first: the index of the first citation in the case's history, to which *id.* refers.
    joined: whether the mention is in one string of citations with the previous mention.
    passed: whether a later *id.* skips it: another mention cites it in brackets, or it only names an Act.
    inner: whether another mention cites it, usually in brackets.
    unread: the unrecognised source that its words cite, used if the mention is not a citation.
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
    """A mention with the data that the resolver needs.

    ``pinned`` is the first page of its pinpoint, or -1.
    """

    mention: Mention = field(compare=False)
    around: Around
    pinned: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pinned", read_pinned_page(self.mention))

    @property
    def effect(self) -> tuple[object, ...]:
        """Everything about the mention that affects the resolver, without offsets."""
        mention, pinpoint = self.mention, self.mention.pinpoint
        return (
            *(self, mention.form, mention.kind, mention.name, mention.year, mention.reference, mention.note),
            *(mention.loose, mention.owner, mention.open_end, mention.is_name_alone),
            pinpoint and (pinpoint.kind, pinpoint.labels),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FullStep(MentionStep):
    """A full citation: its authority, its reading, and its first page (-1 if it has none)."""

    source: Source
    plain: Resolved
    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseStep(FullStep):
    """A full citation of a case.

    It has the case's volume and report, by canonical name and as ``written``, and the names by which short
    forms may refer to the case.
    """

    report: Volume
    written: Volume
    names: tuple[str, ...]
    openings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkStep(FullStep):
    """An Act or another authority with a title, and the parts of the title that short forms use.

    ``declares`` is true if the words before the Act assign bare sections to it.
    """

    title: str
    term: str
    noun: str
    initials: str
    declares: bool


@dataclass(frozen=True, slots=True)
class CitedReport:
    """A case cited next to an *id.*: volume, report and page. ``key`` is its key if it is cited in full, else
    "".
    """

    report: Volume
    page: int
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class IdStep(MentionStep):
    """An *id.* or *ibid.*

    Attributes
    ----------
    beside: the case or short form that immediately follows ("Id., 531 U.S. at 104"), if any.
    cites: the cases that it cites in brackets.
    of_record: whether its pinpoint is of a kind that no authority has.
    of_volume: whether a volume number before it makes it refer to that volume of the same record.
    of_section: whether it follows a quotation from a named section.
    signed: whether its pinpoint has the paragraph sign.
    called: the names in the words immediately before it: "Carrow, id. at 9".
    only_called: whether the citation begins with these words, so that it cannot refer to anything else.
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
        """The possible case names between the previous citation and the *id.*."""
        return find_names_said(self._text, self._since, self.mention.start)

    @cached_property
    def said_cases(self) -> Names:
        """The possible case names that the adjacent words show to be cases, not persons. Only names after any
        papers of the record count.
        """
        since = max(self._since, self._behind_papers)
        return find_names_said(self._text, since, self.mention.start, as_cases=True)

    @property
    def effect(self) -> tuple[object, ...]:
        """Everything about the mention that affects the resolver, including the names before it."""
        return (*super().effect, self.said_names, self.said_cases)


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionStep(MentionStep):
    """A bare section.

    Attributes
    ----------
    source: the authority of a provision that drafts cite without naming it, if it is one.
    old: whether it belongs to an Act named only by its date: "the act of March 3, 1891".
    sign: whether it is written with the section sign.
    behind_act: whether an Act is named immediately before it.
    """

    source: Source | None
    old: bool
    sign: bool
    behind_act: bool


@dataclass(frozen=True, kw_only=True)
class NamedStep(MentionStep):
    """A short form by name, and its possible readings, the longest name first."""

    tails: tuple[Tail, ...] = field(compare=False)

    @property
    def effect(self) -> tuple[object, ...]:
        """Everything about the mention that affects the resolver, including its possible readings."""
        return (*super().effect, *((tail.term, tail.key) for tail in self.tails))


@dataclass(frozen=True, kw_only=True)
class ReportStep(NamedStep):
    """A short form that gives a report's volume and a page, with at most one name before them: "531 U.S., at
    104".
    """

    report: Volume


@dataclass(frozen=True, slots=True, kw_only=True)
class NounStep(MentionStep):
    """An Act referred to by its ``noun`` or a defined ``term``: "the Act".

    ``said`` is true if the noun has "said", which refers to the Act named last. ``own`` is true if it has
    "this", as when a quoted Act refers to itself.
    """

    source: Source | None
    term: str
    noun: str
    said: bool
    own: bool


Step = TermDefined | UnreadCited | TextInserted | PageTurn | MentionStep


def read_pinned_page(mention: Mention) -> int:
    """Return the first page of a mention's pinpoint, or -1 if it has none."""
    pinpoint = mention.pinpoint
    page = _PAGE.match(pinpoint.labels[0]) if pinpoint is not None and pinpoint.kind == "page" else None
    return int(page[0]) if page is not None else -1


def find_names_said(text: str, start: int, end: int, as_cases: bool = False) -> Names:
    """Return the possible case names between two offsets."""
    return tuple((fold(name), make_name_key(name)) for name in list_names_said(text, start, end, as_cases))


def make_name_key(name: str) -> str:
    """Normalise a case name for comparison with short forms."""
    return " ".join(list_name_words(name)) or fold(name)
