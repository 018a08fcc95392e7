"""Keep the authority at each place among the citations of a text, and what the place stands for."""

from __future__ import annotations

from lexls.citations.steps import Source


class CitedPlaces:
    """The citations of a text so far, by their places among all of them.

    ``antecedents`` has for each the place of the full citation that it stands for, -1 if it is a full one or
    stands for nothing.
    """

    def __init__(self) -> None:
        self.antecedents: list[int] = []
        self._sources: list[Source | None] = []
        self._firsts: dict[int, int] = {}

    def add(self, antecedent: int, source: Source | None) -> None:
        """Add the next citation."""
        self.antecedents.append(antecedent)
        self._sources.append(source)

    def give(self, place: int, antecedent: int, source: Source | None) -> None:
        """Give a citation that stood for nothing an antecedent."""
        self.antecedents[place], self._sources[place] = antecedent, source

    def begin_history(self, place: int, first: int) -> None:
        """Take down that *id.* behind a case stands for the first of its citations."""
        self._firsts[place] = first

    def first(self, place: int) -> int:
        """What *id.* behind a citation stands for."""
        return self._firsts.get(place, place)

    def full(self, place: int) -> int:
        """The full citation that a place stands for: its antecedent, or itself."""
        return self.antecedents[place] if place >= 0 and self.antecedents[place] >= 0 else place

    def source(self, place: int) -> Source:
        """The authority at a place that has one."""
        source = self._sources[place]
        assert source is not None
        return source

    def find(self, place: int) -> Source | None:
        """The authority at a place, if it has one; -1 has none."""
        return self._sources[place] if place >= 0 else None

    def are_same(self, one: int, other: int) -> bool:
        """Whether two places have one authority."""
        return self.source(one).key == self.source(other).key
