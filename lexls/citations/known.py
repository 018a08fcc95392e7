"""Hold what a text cited so far, as far as short forms behind it ask for it.

The pages of their reports at which its cases begin tell which of them has a page.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lexls.citations.cited_acts import CitedActs
from lexls.citations.footnotes import Footnotes
from lexls.citations.found_mentions import FoundMentions
from lexls.citations.model import CitationKind, CitedPaper
from lexls.citations.section_numbers import CitedPlaces
from lexls.citations.steps import Resolved, Volume

NEAR_CASES = 8


class CitedLast(NamedTuple):
    """What was cited last.

    Attributes
    ----------
    place: what it stands for; -1: nothing that was read.
    kind: its kind, None if nothing was cited.
    named_act: the Act that was only named since, -1 if none was.
    string: what the citations of its string stand for.
    unread: whether something that was not read was cited since.
    papers: the papers of the record that were cited since, in one string.
    papers_note: the footnote in which they stand, -1: the main text.
    recent: the last few cases that were cited before something that was not read.
    inner: what it cites in brackets, each with its page.
    """

    place: int = -1
    kind: CitationKind | None = None
    named_act: int = -1
    string: tuple[int, ...] = ()
    unread: bool = False
    papers: tuple[CitedPaper, ...] = ()
    papers_note: int = -1
    recent: tuple[int, ...] = ()
    inner: tuple[tuple[int, int], ...] = ()

    def cite(self, place: int, kind: CitationKind, joined: bool) -> CitedLast:
        """The same behind a citation that stands for what is cited at ``place``."""
        recent = self.recent
        if kind == "case" and place >= 0:
            recent = (*(recent if len(recent) < NEAR_CASES else recent[1:]), place)
        string = (*self.string, place) if joined else (place,)
        return tuple.__new__(CitedLast, (place, kind, -1, string, False, (), -1, recent, ()))

    def name_act(self, place: int) -> CitedLast:
        """The same behind an Act that is only named."""
        return tuple.__new__(CitedLast, (self.place, self.kind, place, *self[3:]))

    def cite_unread(self, papers: tuple[CitedPaper, ...], note: int) -> CitedLast:
        """The same behind what was not read."""
        return self._replace(unread=True, papers=papers, papers_note=note)

    def quoted_at(self, page: int) -> int:
        """Return what it cites in brackets at a page, -1 if nothing."""
        return dict(self.inner).get(page, -1)


class CitedNames:
    """The names by which a text may speak of what it has cited, with the places of that."""

    def __init__(self) -> None:
        self._terms: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._openings: dict[str, int] = {}  # -1: the beginning of more than one case's name
        self._titles: dict[str, int] = {}

    def define(self, term: str, place: int) -> None:
        """Take down a defined term."""
        self._terms[term] = place

    def entitle(self, title: str, place: int) -> None:
        """Take down the title of an Act or another work; "" is none."""
        if title:
            self._titles[title] = place

    def name(
        self, names: Sequence[str], openings: Sequence[str], place: int, same: Callable[[int, int], bool]
    ) -> None:
        """Take down what a case is called; ``same`` tells whether one case is cited at two places."""
        for name in names:
            self._names[name] = place
        for opening in openings:
            other = self._openings.setdefault(opening, place)
            if other not in (place, -1) and not same(other, place):
                self._openings[opening] = -1

    def find_term(self, term: str) -> int:
        """Return what a term is defined for, -1 if it is not defined."""
        return self._terms.get(term, -1)

    def find_title(self, title: str) -> int:
        """The work with a title, -1 if none has it."""
        return self._titles.get(title, -1)

    def find_name(self, key: str) -> int:
        """The case that is called so in full or in short, -1 if none is."""
        return self._names.get(key, -1)

    def find(self, term: str, key: str, opens: bool = True) -> int:
        """Return what a term was defined for, or the case of this name, or (``opens``) one whose name
        begins so."""
        place = self._terms.get(term, -1)
        if place < 0:
            place = self._names.get(key, -1)
        return self._openings.get(key, -1) if place < 0 and opens else place


class OpenParagraph:
    """The paragraph that is being read.

    Attributes
    ----------
    number: its number.
    places: of its mentions among all citations, -1 for what is no citation.
    readings: how its mentions are read.
    here: kinds and targets of its citations since the last that was not read.
    waiting: mentions that are bare sections before any Act.
    note: the footnote that is being read, -1: the main text.
    shared: a case right behind *id.* that is the same, and what both stand for.
    """

    __slots__ = ("found", "here", "note", "number", "places", "readings", "shared", "waiting")

    def __init__(self, found: FoundMentions, number: int) -> None:
        self.found = found
        self.number = number
        self.places = [-1] * len(found.mentions)
        self.readings: list[Resolved | None] = [None] * len(found.mentions)
        self.here: list[tuple[CitationKind, int]] = []
        self.waiting: list[int] = []
        self.note = -1
        self.shared = (-1, -1)


class Known:
    """All that is known of a text where a mention of it is resolved; only the resolver changes it."""

    def __init__(self, notes: Footnotes) -> None:
        self.places = CitedPlaces()
        self.names = CitedNames()
        self.acts = CitedActs(self.places)
        self.pages = CasePages()
        self.notes = notes
        self.last = CitedLast()
        self.parted = False
        """Return whether the text of another file, which was not read, was put in before."""

    def part(self) -> None:
        """Take down that unread text is put in: what comes last before it is not what came last."""
        self.parted = True
        self.last = CitedLast(unread=True)
        self.acts.part()

    def find_case(self, report: Volume, page: int) -> int:
        """Return what *id.* behind a short form by its report stands for, -1 if that stands for nothing."""
        return self.places.first(self.pages.find(report, page))


# Pages that a report of a case may have behind its first; more only where nothing else speaks.
_PAGES = 300
_NEAR_PAGES = 100


@dataclass(slots=True)
class _Volume:
    """The cases of one volume: of each first page the ``earliest`` and the ``latest`` place, the ``pages`` in
    order, the ``last`` place of all, and whether others came before it."""

    earliest: dict[int, int] = field(default_factory=dict)
    latest: dict[int, int] = field(default_factory=dict)
    pages: list[int] = field(default_factory=list)
    last: int = -1
    several: bool = False


class CasePages:
    """The first pages of the cases of one text, by their places among its citations."""

    def __init__(self) -> None:
        self._firsts: dict[int, list[int]] = {}
        self._reports: dict[tuple[str, str], _Volume] = {}
        self._by_paragraph: set[int] = set()

    def begin(self, place: int, page: int) -> None:
        """Take down that what is cited at ``place`` begins at a page, in any of its reports."""
        self._firsts.setdefault(place, []).append(page)

    def report(self, report: tuple[str, str], page: int, place: int) -> None:
        """Take down at which page of a volume the case at ``place`` begins."""
        volume = self._reports.get(report)
        if volume is None:
            volume = self._reports[report] = _Volume()
        if page not in volume.earliest:
            volume.earliest[page] = place
            insort(volume.pages, page)
        volume.latest[page] = place
        volume.several = volume.several or volume.last not in (place, -1)
        volume.last = place

    def number_paragraphs(self, place: int) -> None:
        """Take down that the case at ``place`` has numbered paragraphs."""
        self._by_paragraph.add(place)

    def has_pages_only(self, place: int) -> bool:
        """Return whether the case at ``place`` is cited by pages and has no numbered paragraphs."""
        return place in self._firsts and place not in self._by_paragraph

    def __contains__(self, place: int) -> bool:
        return place in self._firsts

    def can_have(self, place: int, page: int) -> bool:
        """Return whether a page can be one of the case at ``place``; any may, where its pages are not
        known."""
        firsts = self._firsts.get(place) if page >= 0 else None
        if firsts is None or firsts[0] <= page <= firsts[0] + _PAGES:  # by far most of them
            return True
        return any(first <= page <= first + _PAGES for first in firsts)

    def find_only(self, places: Iterable[int], page: int) -> int:
        """The only one of some cases that has the page soon behind its first, -1 if none or several have."""
        fitting = {place for place in places if self._is_near(place, page)} if page >= 0 else set()
        return fitting.pop() if len(fitting) == 1 else -1

    def _is_near(self, place: int, page: int) -> bool:
        return any(first <= page <= first + _NEAR_PAGES for first in self._firsts.get(place, ()))

    def find(self, report: tuple[str, str], page: int) -> int:
        """The case that a page of a volume is in: of those of that volume the last that begins before it.

        Where only one is cited of that volume, it is meant even if it begins behind the page.
        """
        volume = self._reports.get(report)
        if volume is None:
            return -1
        if page < 0 or not volume.several:
            return volume.last
        before = bisect_right(volume.pages, page)
        return volume.latest[volume.pages[before - 1]] if before else -1

    def list_places(self, report: tuple[str, str]) -> Iterable[int]:
        """The latest place of each case of a volume."""
        volume = self._reports.get(report)
        return volume.latest.values() if volume is not None else ()

    def find_first(self, report: tuple[str, str], page: int) -> int:
        """The case that begins at a page of a volume, -1 if none does."""
        volume = self._reports.get(report)
        return volume.earliest.get(page, -1) if volume is not None else -1
