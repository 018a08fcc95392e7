"""Remember at which pages of their reports the cases of a text begin, and tell which of them has a page."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable
from dataclasses import dataclass, field

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
        """Whether the case at ``place`` is cited by pages and has no numbered paragraphs."""
        return place in self._firsts and place not in self._by_paragraph

    def __contains__(self, place: int) -> bool:
        return place in self._firsts

    def can_have(self, place: int, page: int) -> bool:
        """Whether a page can be one of the case at ``place``; any may, where its pages are not known."""
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
