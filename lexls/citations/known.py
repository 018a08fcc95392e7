"""Record the citations of a text so far, as needed to resolve later short forms.

The first pages of cases in their reports show which case can have a page.
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
    """The state after the last citation.

    Attributes
    ----------
    place: the position of its antecedent, -1 if none was recognised.
    kind: its kind, None if nothing has been cited.
    named_act: the Act merely mentioned since, -1 if none was.
    string: the antecedents of the citations in the same string.
    unread: whether an unrecognised source has been cited since.
    papers: the papers of the record cited since, in one string.
    papers_note: the footnote that cites these papers, -1 for the main text.
    recent: the last few cases cited before an unrecognised source.
    inner: the authorities that it cites in brackets, each with its page.
    note: the footnote that contains it, or the Act mentioned since; -1 for the main text.
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
    note: int = -1

    def cite(self, place: int, kind: CitationKind, joined: bool, note: int = -1) -> CitedLast:
        """Return the state after a citation in a footnote (-1: none) whose antecedent is at position
        ``place``.
        """
        recent = self.recent
        if kind == "case" and place >= 0:
            recent = (*(recent if len(recent) < NEAR_CASES else recent[1:]), place)
        string = self.string if joined else ()
        if string[-1:] != (place,):  # thousands of "id.; id.; …" are one authority
            string = (*string, place)
        return tuple.__new__(CitedLast, (place, kind, -1, string, False, (), -1, recent, (), note))

    def name_act(self, place: int, note: int) -> CitedLast:
        """Return the state after an Act is merely mentioned in a footnote (-1: none)."""
        return tuple.__new__(CitedLast, (self.place, self.kind, place, *self[3:-1], note))

    def cite_unread(self, papers: tuple[CitedPaper, ...], note: int) -> CitedLast:
        """Return the state after an unrecognised source is cited."""
        return self._replace(unread=True, papers=papers, papers_note=note)

    def quoted_at(self, page: int) -> int:
        """Return the authority that the last citation cites in brackets at this page, or -1."""
        return dict(self.inner).get(page, -1)


class CitedNames:
    """The names by which a text may refer to the authorities that it has cited, with their positions."""

    def __init__(self) -> None:
        self._terms: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._openings: dict[str, int] = {}  # -1: several cases' names begin with it
        self._titles: dict[str, int] = {}

    def define(self, term: str, place: int) -> None:
        """Record a term defined for the authority at ``place``."""
        self._terms[term] = place

    def entitle(self, title: str, place: int) -> None:
        """Record the title of an Act or another work; "" is ignored."""
        if title:
            self._titles[title] = place

    def name(
        self, names: Sequence[str], openings: Sequence[str], place: int, same: Callable[[int, int], bool]
    ) -> None:
        """Record the names of a case; ``same`` returns whether two positions cite the same case."""
        for name in names:
            self._names[name] = place
        for opening in openings:
            other = self._openings.setdefault(opening, place)
            if other not in (place, -1) and not same(other, place):
                self._openings[opening] = -1

    def find_term(self, term: str) -> int:
        """Return the authority for which a term is defined, or -1."""
        return self._terms.get(term, -1)

    def find_title(self, title: str) -> int:
        """Return the work with this title, or -1."""
        return self._titles.get(title, -1)

    def find_name(self, key: str) -> int:
        """Return the case with this full or short name, or -1."""
        return self._names.get(key, -1)

    def find(self, term: str, key: str, opens: bool = True) -> int:
        """Return the authority for which a term is defined, else the case with this name, else (if ``opens``)
        the case whose name begins with it.

        Returns -1 if there is none, or if the names of several cases begin with it.
        """
        place = self._terms.get(term, -1)
        if place < 0:
            place = self._names.get(key, -1)
        return self._openings.get(key, -1) if place < 0 and opens else place


class OpenParagraph:
    """The paragraph that is being read.

    Attributes
    ----------
    number: its number.
    places: the position of each mention among all citations, -1 for a mention that is not a citation.
    readings: the resolved reading of each mention.
    here: the kinds and antecedents of its citations since the last unrecognised source.
    waiting: the mentions of bare sections that still have no Act.
    note: the footnote that is being read, -1 for the main text.
    shared: the index of a case cited right after *id.* that is the same authority, and its antecedent.
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
    """Everything known about a text when a mention is resolved. Only the resolver changes it."""

    def __init__(self, notes: Footnotes) -> None:
        self.places = CitedPlaces()
        self.names = CitedNames()
        self.acts = CitedActs(self.places)
        self.pages = CasePages()
        self.notes = notes
        self.last = CitedLast()
        self.parted = False
        """True if another file, which was not read, has been inserted before."""

    def part(self) -> None:
        """Record that unread text follows.

        An *id.* after it cannot refer to a citation before it. A bare section after it cannot belong to an
        Act before it, unless the text declared that Act.
        """
        self.parted = True
        self.last = CitedLast(unread=True)
        self.acts.part()

    def find_case(self, report: Volume, page: int) -> int:
        """Return the antecedent of an *id.* after a short form with this volume, report and page, or -1."""
        return self.places.first(self.pages.find(report, page))


# Maximum number of pages of a case, and a lower limit if nothing else identifies it.
_PAGES = 300
_NEAR_PAGES = 100


@dataclass(slots=True)
class _Volume:
    """The cases in one volume.

    ``earliest`` and ``latest`` map each first page to the first and the last position that cites it, and
    ``pages`` are the first pages in order. ``last`` is the position recorded last. ``several`` is true if
    another was recorded before it.
    """

    earliest: dict[int, int] = field(default_factory=dict)
    latest: dict[int, int] = field(default_factory=dict)
    pages: list[int] = field(default_factory=list)
    last: int = -1
    several: bool = False


class CasePages:
    """The first pages of the cases of one text, by the cases' positions among its citations."""

    def __init__(self) -> None:
        self._firsts: dict[int, list[int]] = {}
        self._reports: dict[tuple[str, str], _Volume] = {}
        self._by_paragraph: set[int] = set()

    def begin(self, place: int, page: int) -> None:
        """Record the first page, in any of its reports, of the authority at position ``place``."""
        self._firsts.setdefault(place, []).append(page)

    def report(self, report: tuple[str, str], page: int, place: int) -> None:
        """Record the page of a volume on which the case at position ``place`` begins."""
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
        """Record that the judgment cited at position ``place`` has numbered paragraphs."""
        self._by_paragraph.add(place)

    def has_pages_only(self, place: int) -> bool:
        """Return whether the case at position ``place`` is cited by pages and has no numbered paragraphs."""
        return place in self._firsts and place not in self._by_paragraph

    def __contains__(self, place: int) -> bool:
        return place in self._firsts

    def can_have(self, place: int, page: int) -> bool:
        """Return whether the case at position ``place`` can have a page. True if the case's own pages are
        unknown.
        """
        firsts = self._firsts.get(place) if page >= 0 else None
        if firsts is None or firsts[0] <= page <= firsts[0] + _PAGES:  # true for nearly all
            return True
        return any(first <= page <= first + _PAGES for first in firsts)

    def find_only(self, places: Iterable[int], page: int) -> int:
        """Return the only one of these cases whose first page is a short way before the page. Return -1 if
        there is none, or more than one.
        """
        fitting = {place for place in places if self._is_near(place, page)} if page >= 0 else set()
        return fitting.pop() if len(fitting) == 1 else -1

    def _is_near(self, place: int, page: int) -> bool:
        return any(first <= page <= first + _NEAR_PAGES for first in self._firsts.get(place, ()))

    def find(self, report: tuple[str, str], page: int) -> int:
        """Return the case of a volume that contains a page: the last one that begins on or before that page.
        Return -1 if there is none.

        If only one case of the volume is cited, it is returned even if it begins after the page.
        """
        volume = self._reports.get(report)
        if volume is None:
            return -1
        if page < 0 or not volume.several:
            return volume.last
        before = bisect_right(volume.pages, page)
        return volume.latest[volume.pages[before - 1]] if before else -1

    def list_places(self, report: tuple[str, str]) -> Iterable[int]:
        """Return the last position that cites each case of a volume."""
        volume = self._reports.get(report)
        return volume.latest.values() if volume is not None else ()

    def find_first(self, report: tuple[str, str], page: int) -> int:
        """Return the first position that cites the case beginning on a page of a volume, or -1."""
        volume = self._reports.get(report)
        return volume.earliest.get(page, -1) if volume is not None else -1
