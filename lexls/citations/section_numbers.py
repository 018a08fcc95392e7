"""Remember which Act last had which section, and which authority stands at each place among the citations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from functools import lru_cache

from lexls.citations.model import DASHES, Pinpoint, PinpointKind
from lexls.citations.steps import Source

_STEM = re.compile(r"[^(]+")
_RANGE = re.compile(r"(\d{1,4})-(\d{1,4})")
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"-?[A-Za-z]+")
_ARTICLE = re.compile(r"art\.\s?([IVX]+)\b")
_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_ROMAN = {roman: str(number) for number, roman in enumerate(_NUMERALS, 1)}
_WIDEST = 60  # sections of a range
# Sections of one code that a text speaks of lie together: this far apart, or this part of their number.
_NEAR = 40
_PART = 0.35
_OTHER_KINDS: Set[PinpointKind] = frozenset({"article", "regulation", "rule"})
_LARGEST = 840  # of an Act of which no section was cited
_BEYOND = 2 * _LARGEST


class SectionNumbers:
    """What a text has cited by number so far: of which Act, or of what was not read (-1)."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], int] = {}
        self._supposed: dict[tuple[str, str], int] = {}
        self._known: dict[tuple[str, str], set[str]] = {}  # of an authority's key: stems
        self._thought: dict[tuple[str, str], set[str]] = {}  # the same of what was supposed
        self._divided: set[tuple[str, str]] = set()  # places that were cited with what is in them

    def cite(self, pinpoint: Pinpoint, place: int, source: Source | None, supposed: bool = False) -> None:
        """Take down that a place is of the Act at ``place`` (-1: of what was not read).

        ``supposed`` says that only what stands around tells so.
        """
        kind = pinpoint.kind
        last = self._supposed if supposed else self._last
        for label in pinpoint.labels:
            if "(" in label:
                self._divided.add((kind, _stem(label)))
        if supposed and source is not None:
            self._thought.setdefault((source.key, kind), set()).update(_stems(pinpoint.labels))
        for stem in _stems(pinpoint.labels):
            last[kind, stem] = place
            article = _ARTICLE.match(stem) if stem[:1] == "a" else None
            if article is not None:
                last["article", _stem(article[1])] = place
            if not supposed:
                self._supposed.pop((kind, stem), None)
                if source is not None:
                    self._known.setdefault((source.key, kind), set()).add(stem)

    def find(self, pinpoint: Pinpoint) -> int | None:
        """The Act that last had a place: -1 if that was not read, None if no Act had it."""
        return self._last.get((pinpoint.kind, _stem(pinpoint.labels[0])))

    def find_any(self, pinpoint: Pinpoint) -> int | None:
        """The same of any place of the list, but for small numbers, which many Acts have."""
        stems = [stem for stem in _stems(pinpoint.labels) if len(stem) > 2]
        had = (self._last.get((pinpoint.kind, stem)) for stem in [_stem(pinpoint.labels[0]), *stems])
        return next((place for place in had if place is not None), None)

    def is_divided_anew(self, pinpoint: Pinpoint) -> bool:
        """Return whether a place is cited with what is in it for the first time: "§ 8(2)" where only "§ 8"
        was."""
        label = pinpoint.labels[0]
        return "(" in label and (pinpoint.kind, _stem(label)) not in self._divided

    def find_supposed(self, pinpoint: Pinpoint) -> int | None:
        """The Act that a place was supposed to be of, where no Act had it."""
        return self._supposed.get((pinpoint.kind, _stem(pinpoint.labels[0])))

    def can_be(self, pinpoint: Pinpoint, source: Source) -> bool:
        """Return whether an Act can have a place, by what is known of its numbers."""
        stem = _stem(pinpoint.labels[0])
        known = self._known.get((source.key, pinpoint.kind), ())
        shape = _shape(stem)
        if known and all(_shape(each) != shape for each in known):
            return False
        if pinpoint.kind == "article":
            return True
        if shape != "9":
            return bool(known)
        number = _number(stem)
        if source.key[:1].isdigit():
            return not known or self.is_near(pinpoint, source)
        return number <= 1.5 * max(_numbers(known), default=_LARGEST) + _NEAR

    def is_of_none(self, pinpoint: Pinpoint) -> bool:
        """Return whether a section has a number beyond those of all Acts, but for codes of titles."""
        stem = _stem(pinpoint.labels[0])
        return stem.isdigit() and int(stem) > _BEYOND

    def knows(self, pinpoint: Pinpoint, source: Source) -> bool:
        """Return whether the text has cited places of this kind of an authority."""
        return (source.key, pinpoint.kind) in self._known

    def counts_otherwise(self, source: Source) -> bool:
        """Return whether the text has cited of an authority articles or rules alone, no sections."""
        kinds = {kind for key, kind in self._known if key == source.key}
        return bool(kinds) and kinds <= _OTHER_KINDS

    def is_like(self, pinpoint: Pinpoint, source: Source) -> bool:
        """Return whether the text has cited of a code what is numbered like a place."""
        shape = _shape(_stem(pinpoint.labels[0]))
        known = self._known.get((source.key, pinpoint.kind), ())
        return source.key[:1].isdigit() and any(_shape(each) == shape for each in known)

    def is_near(self, pinpoint: Pinpoint, source: Source, thought: bool = False) -> bool:
        """Return whether the text has cited of an Act what lies near a place, or ``thought`` to have."""
        stem = _stem(pinpoint.labels[0])
        known = (self._thought if thought else self._known).get((source.key, pinpoint.kind), ())
        if _shape(stem) != "9":
            return any(_shape(each) == _shape(stem) for each in known)
        number = _number(stem)
        return any(abs(number - each) <= max(_NEAR, _PART * each) for each in _numbers(known))


@lru_cache(maxsize=4_096)
def _stem(label: str) -> str:
    """A place without what is in it: "16" of "16(b)", "2000e-2" of "2000e-2(a)"; "1" of "I"."""
    match = _STEM.match(label)
    stem = (match.group() if match is not None else label).translate(DASHES)
    return _ROMAN.get(stem, stem)


@lru_cache(maxsize=4_096)
def _stems(labels: tuple[str, ...]) -> tuple[str, ...]:
    """The places of a list and those within its ranges."""
    stems = dict.fromkeys(map(_stem, labels))
    for ends in filter(None, map(_RANGE.fullmatch, tuple(stems))):
        if int(ends[1]) < int(ends[2]) <= int(ends[1]) + _WIDEST:
            stems.update(dict.fromkeys(map(str, range(int(ends[1]), int(ends[2]) + 1))))
    return tuple(stems)


@lru_cache(maxsize=4_096)
def _shape(stem: str) -> str:
    """Return how a number is made: "9" of "498A", "9.9" of "1630.2", "9-9" of "2000e-2"."""
    shape = _LETTERS.sub("", _DIGITS.sub("9", stem)) or "I"
    return "9-9" if "9-9" in shape else shape


@lru_cache(maxsize=4_096)
def _number(stem: str) -> int:
    """The number of a place that is a mere number but for letters; -1 of another."""
    return int(_DIGITS.findall(stem)[0]) if _shape(stem) == "9" else -1


def _numbers(stems: Iterable[str]) -> list[int]:
    return [number for number in map(_number, stems) if number >= 0]


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
        """Return what *id.* behind a citation stands for."""
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
        """Return whether two places have one authority."""
        return self.source(one).key == self.source(other).key
