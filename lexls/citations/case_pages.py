"""Remember at which pages of their reports the cases of a text begin, and tell which of them has a page."""

from __future__ import annotations

from collections.abc import Iterable

# Pages that a report of a case may have behind its first; more only where nothing else speaks.
_PAGES = 300
_NEAR_PAGES = 100


class CasePages:
    """The first pages of the cases of one text, by their places among its citations."""

    def __init__(self) -> None:
        self._firsts: dict[int, list[int]] = {}
        self._reports: dict[tuple[str, str], list[tuple[int, int]]] = {}  # first pages, places

    def begin(self, place: int, page: int) -> None:
        """Take down that what is cited at ``place`` begins at a page, in any of its reports."""
        self._firsts.setdefault(place, []).append(page)

    def report(self, report: tuple[str, str], page: int, place: int) -> None:
        """Take down at which page of a volume the case at ``place`` begins."""
        self._reports.setdefault(report, []).append((page, place))

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
        places = self._reports.get(report, ())
        if page < 0:
            return places[-1][1] if places else -1
        best = best_page = -1
        for begins, place in places:
            if best_page <= begins <= page:
                best, best_page = place, begins
        known = {place for _, place in places}
        return known.pop() if len(known) == 1 else best

    def find_first(self, report: tuple[str, str], page: int) -> int:
        """The case that begins at a page of a volume, -1 if none does."""
        return next((place for begins, place in self._reports.get(report, ()) if begins == page), -1)
