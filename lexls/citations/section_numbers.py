"""Record the Act last cited with each section number, and the authority to which each citation refers."""

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
# Sections of one code that a text cites are close: at most this far apart, or this share of their number.
_NEAR = 40
_PART = 0.35
_OTHER_KINDS: Set[PinpointKind] = frozenset({"article", "regulation", "rule"})
_LARGEST = 840  # highest section assumed for an Act with no section cited yet
_BEYOND = 2 * _LARGEST


class SectionNumbers:
    """The sections and other provisions cited so far. Each has the position of its Act, or -1 if the Act was
    not recognised.
    """

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], int] = {}
        self._supposed: dict[tuple[str, str], int] = {}
        self._known: dict[tuple[str, str], set[str]] = {}  # stems by the authority's key and their kind
        self._thought: dict[tuple[str, str], set[str]] = {}  # the same for inferred provisions
        self._divided: set[tuple[str, str]] = set()  # provisions cited with subsections

    def cite(self, pinpoint: Pinpoint, place: int, source: Source | None, supposed: bool = False) -> None:
        """Record that a provision belongs to the Act at position ``place`` (-1: unrecognised).

        ``supposed`` means that this is only inferred from the context.
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
        """Return the Act that last had a provision. Return -1 if that Act was not recognised, None if no Act
        had the provision.
        """
        return self._last.get((pinpoint.kind, _stem(pinpoint.labels[0])))

    def find_any(self, pinpoint: Pinpoint) -> int | None:
        """Return the Act that last had any of the provisions, or None if no Act had any.

        Provisions with short numbers are ignored, except the first one, since many Acts have them.
        """
        stems = [stem for stem in _stems(pinpoint.labels) if len(stem) > 2]
        had = (self._last.get((pinpoint.kind, stem)) for stem in [_stem(pinpoint.labels[0]), *stems])
        return next((place for place in had if place is not None), None)

    def is_divided_anew(self, pinpoint: Pinpoint) -> bool:
        """Return whether a provision is now cited with subsections for the first time: "§ 8(2)" after only "§
        8".
        """
        label = pinpoint.labels[0]
        return "(" in label and (pinpoint.kind, _stem(label)) not in self._divided

    def find_supposed(self, pinpoint: Pinpoint) -> int | None:
        """Return the Act to which a provision was assigned by inference, or None."""
        return self._supposed.get((pinpoint.kind, _stem(pinpoint.labels[0])))

    def can_be(self, pinpoint: Pinpoint, source: Source) -> bool:
        """Return whether an Act can have a provision, judging by the provisions of it that were cited."""
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
        """Return whether a section number is higher than that of any Act, except codes divided into
        titles.
        """
        stem = _stem(pinpoint.labels[0])
        return stem.isdigit() and int(stem) > _BEYOND

    def knows(self, pinpoint: Pinpoint, source: Source) -> bool:
        """Return whether the text has cited provisions of this kind from an authority."""
        return (source.key, pinpoint.kind) in self._known

    def counts_otherwise(self, source: Source) -> bool:
        """Return whether the text has cited only articles or rules of an authority, never sections."""
        kinds = {kind for key, kind in self._known if key == source.key}
        return bool(kinds) and kinds <= _OTHER_KINDS

    def is_like(self, pinpoint: Pinpoint, source: Source) -> bool:
        """Return whether the text has cited provisions of this code whose numbers have the same pattern."""
        shape = _shape(_stem(pinpoint.labels[0]))
        known = self._known.get((source.key, pinpoint.kind), ())
        return source.key[:1].isdigit() and any(_shape(each) == shape for each in known)

    def is_near(self, pinpoint: Pinpoint, source: Source, thought: bool = False) -> bool:
        """Return whether the text has cited a provision of an Act with a nearby number.

        With ``thought``, only provisions assigned to the Act by inference count; otherwise these do not
        count.
        """
        stem = _stem(pinpoint.labels[0])
        known = (self._thought if thought else self._known).get((source.key, pinpoint.kind), ())
        if _shape(stem) != "9":
            return any(_shape(each) == _shape(stem) for each in known)
        number = _number(stem)
        return any(abs(number - each) <= max(_NEAR, _PART * each) for each in _numbers(known))


@lru_cache(maxsize=4_096)
def _stem(label: str) -> str:
    """Return a label without its subdivisions: "16" for "16(b)", "2000e-2" for "2000e-2(a)". A Roman numeral
    is converted: "1" for "I".
    """
    match = _STEM.match(label)
    stem = (match.group() if match is not None else label).translate(DASHES)
    return _ROMAN.get(stem, stem)


@lru_cache(maxsize=4_096)
def _stems(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the provisions in a list, including all within its ranges."""
    stems = dict.fromkeys(map(_stem, labels))
    for ends in filter(None, map(_RANGE.fullmatch, tuple(stems))):
        if int(ends[1]) < int(ends[2]) <= int(ends[1]) + _WIDEST:
            stems.update(dict.fromkeys(map(str, range(int(ends[1]), int(ends[2]) + 1))))
    return tuple(stems)


@lru_cache(maxsize=4_096)
def _shape(stem: str) -> str:
    """Return the pattern of a number: "9" for "498A", "9.9" for "1630.2", "9-9" for "2000e-2"."""
    shape = _LETTERS.sub("", _DIGITS.sub("9", stem)) or "I"
    return "9-9" if "9-9" in shape else shape


@lru_cache(maxsize=4_096)
def _number(stem: str) -> int:
    """Return the number in a label that consists of one number, with or without letters. Return -1 for other
    labels.
    """
    return int(_DIGITS.findall(stem)[0]) if _shape(stem) == "9" else -1


def _numbers(stems: Iterable[str]) -> list[int]:
    return [number for number in map(_number, stems) if number >= 0]


class CitedPlaces:
    """The citations of a text so far, by position.

    ``antecedents`` has the position of the full citation to which each citation refers. It is -1 for a full
    citation, or if there is none.
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
        """Set the antecedent and the authority of a citation that had none."""
        self.antecedents[place], self._sources[place] = antecedent, source

    def begin_history(self, place: int, first: int) -> None:
        """Record that an *id.* after the citation at ``place`` refers to ``first``, the first citation of the
        case.
        """
        self._firsts[place] = first

    def first(self, place: int) -> int:
        """Return the position to which an *id.* after the citation at ``place`` refers."""
        return self._firsts.get(place, place)

    def full(self, place: int) -> int:
        """Return the position of the full citation: the antecedent, or ``place`` itself."""
        return self.antecedents[place] if place >= 0 and self.antecedents[place] >= 0 else place

    def source(self, place: int) -> Source:
        """Return the authority of a citation, which must have one."""
        source = self._sources[place]
        assert source is not None
        return source

    def find(self, place: int) -> Source | None:
        """Return the authority of a citation. Return None if it has none, or if ``place`` is -1."""
        return self._sources[place] if place >= 0 else None

    def are_same(self, one: int, other: int) -> bool:
        """Return whether two citations have the same authority."""
        return self.source(one).key == self.source(other).key
