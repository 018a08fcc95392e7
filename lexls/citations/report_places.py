"""Divide a citation's key into series, volume and page, by which lists of cases are stored and searched.

The series of "712 F.3d 1184" is "# F.3d #"; the series of "[2014] UKSC 12" is "[#] UKSC #".
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from lexls.citations.grammar import Grammar
from lexls.citations.model import join_spaces

_NUMBER = re.compile(r"(?<![\w.])\d{1,9}(?!\w)")
"""Pattern of a number that is not part of a series' name ("F.3d", "Cal. App. 4th")."""
_SHARED = 100_000
"""Factor by which a year is multiplied to store it in one number with a volume, as in "[1990] 2 AC 1".
Volumes must be below it.
"""
_MOST_NUMBERS = 3
_YEAR = 4
"""Number of digits in a year."""
_TRIES = 5
"""Number of failed lookups after which a shape is no longer looked up."""
_MOST_FAILED = 20_000
"""Maximum number of shapes whose failed lookups are remembered."""
_NAME = "Carrow v. Luff, "


@dataclass(frozen=True, slots=True)
class ReportPlace:
    """The first page of a case in a series of reports.

    ``series`` has "#" for each number. ``volume`` is the running volume, the year, or both combined in one
    number; 0 if there is neither. ``page`` may be the court's own case number. In that case ``paged`` is
    false, and the difference between two numbers means nothing.
    """

    series: str
    volume: int
    page: int
    paged: bool

    @property
    def citation(self) -> str:
        """The citation: "712 F.3d 1184"."""
        return self._write(str(self.page))

    @property
    def volume_label(self) -> str:
        """The citation without its page or number: "712 F.3d"."""
        return join_spaces(self._write(" "))

    def _write(self, page: str) -> str:
        count = self.series.count("#") - 1
        numbers = [*divmod(self.volume, _SHARED)] if count == _MOST_NUMBERS - 1 else [self.volume] * count
        parts = self.series.split("#")
        values = [*map(str, numbers), page, ""]
        return "".join(part + value for part, value in zip(parts, values, strict=True))


def find_place(key: str, grammar: Grammar, jurisdiction: str = "") -> ReportPlace | None:
    """Return the report place that a key contains, or None if the key has no number or unsuitable ones."""
    match = grammar.core_of(key, jurisdiction)
    return _divide(match.key if match else key, match is None or "page" in match.values)


def _divide(key: str, paged: bool) -> ReportPlace | None:
    numbers = [int(each) for each in _NUMBER.findall(key)]
    if not 0 < len(numbers) <= _MOST_NUMBERS or "#" in key:
        return None
    *before, page = numbers
    if len(before) > 1 and before[1] >= _SHARED:
        return None
    volume = before[0] * _SHARED + before[1] if len(before) > 1 else sum(before)
    return ReportPlace(_NUMBER.sub("#", key), volume, page, paged)


@dataclass(slots=True)
class PlaceReader:
    """Reads the report places of millions of citations in lists.

    Each shape of a citation (its text with the numbers blanked) is looked up in the forms once and then
    cached, since there are only a few thousand shapes. A shape that fails is retried a few times.
    """

    grammar: Grammar
    jurisdiction: str = ""
    _known: dict[str, tuple[tuple[str, ...], bool]] = field(default_factory=dict)
    _failed: Counter[str] = field(default_factory=Counter)

    def read(self, text: str, year: int | None = None) -> ReportPlace | None:
        """Return the report place of a citation, or None if it is not recognised.

        ``year`` is the year of the case, which some reports require.
        """
        shape = _NUMBER.sub(_blank, text)
        numbers = _NUMBER.findall(text)
        if (known := self._known.get(shape)) is not None:
            written = "".join(part + number for part, number in zip(known[0], [*numbers, ""], strict=True))
            return _divide(written, known[1])
        if self._failed[shape] >= _TRIES:
            return None
        place = self._look_up(text, year)
        if place is None:
            if len(self._failed) > _MOST_FAILED:
                self._failed.clear()
            self._failed[shape] += 1
        elif _NUMBER.findall(place.citation) == numbers:
            self._known[shape] = tuple(place.series.split("#")), place.paged
        return place

    def _look_up(self, text: str, year: int | None) -> ReportPlace | None:
        text = join_spaces(text)
        match = self.grammar.core_of(text, self.jurisdiction)
        if match is not None:
            return _divide(match.key, "page" in match.values)
        # Reports whose name is a plain word are recognised only after a case name and with a year.
        cited = f"{_NAME}{text}"
        read = self.grammar.find(f"{cited} ({year or ''})", self.jurisdiction)
        whole = (each for each in read if each.core.end == len(cited) and each.core.start == len(_NAME))
        key = next((each.key for each in whole if each.form == "full" and each.kind == "case"), "")
        return find_place(key, self.grammar, self.jurisdiction) if key else None


def _blank(digits: re.Match[str]) -> str:
    return "0000" if len(digits[0]) == _YEAR else "0"
