"""The dates of a text, whichever way they are written, as days, months and years that can be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexls.text.spans import Span

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_FORMS = (
    re.compile(
        rf"\b{_DAY}(?:\s?day)?(?:\s?of)?[\s,-]{{0,3}}{_MONTH}(?:[\s,-]{{0,3}}{_YEAR})?", re.IGNORECASE
    ),
    re.compile(rf"\b{_MONTH}\s?{_DAY}(?!\d)(?:[\s,]{{1,3}}{_YEAR})?", re.IGNORECASE),
    re.compile(rf"\b{_MONTH}(?:\s?of)?[\s,]{{1,3}}{_YEAR}", re.IGNORECASE),
    re.compile(r"(?<![\d.])(?P<year>\d{4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})(?!\d)"),
    re.compile(r"(?<![\d./])(?P<one>\d{1,2})[./-](?P<other>\d{1,2})[./-](?P<year>\d{4}|\d{2})(?![\d/])"),
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date as far as it is written: 0 for a year, month or day that is not.

    ``swapped``: written in figures alone, so that day and month may be meant the other way round.
    """

    year: int
    month: int
    day: int
    span: Span
    swapped: bool = False

    def is_borne_by(self, other: Date) -> bool:
        """Whether ``other`` says all that this one does."""
        ways = [(self.month, self.day)]
        if self.swapped and other.swapped:
            # Both in figures: as they are written.
            return (self.year, self.month, self.day) == (other.year, other.month, other.day)
        if self.swapped or other.swapped:
            ways.append((self.day, self.month))
        return (not self.year or self.year == other.year) and any(
            (not month or month == other.month) and (not day or day == other.day) for month, day in ways
        )


def dates(text: str) -> list[Date]:
    """The dates of ``text`` in order. A year alone is a number, not a date."""
    found: list[Date] = []
    for form in _FORMS:
        for match in form.finditer(text):
            span = Span(match.start(), match.end())
            if any(span.overlaps(each.span) for each in found):
                continue
            date = _date(match, span)
            if date is not None:
                found.append(date)
    return sorted(found, key=lambda each: each.span)


def without_dates(text: str) -> str:
    """``text`` without its dates: they are compared by themselves."""
    for date in reversed(dates(text)):
        text = f"{text[: date.span.start]} {text[date.span.end :]}"
    return text


def _date(match: re.Match[str], span: Span) -> Date | None:
    fields = match.groupdict()
    year = int(fields.get("year") or 0)
    if fields.get("one"):
        one, other = int(fields["one"]), int(fields["other"])
        if year < 100:
            year += 2000 if year < 50 else 1900
        if 1 <= one <= 31 and 1 <= other <= 31 and min(one, other) <= 12:
            return Date(year, other, one, span, swapped=True)
        return None
    month = int(fields["number"]) if fields.get("number") else _MONTHS[str(fields["month"]).casefold()]
    day = int(fields.get("day") or 0)
    if not 1 <= month <= 12 or day > 31:
        return None
    word = str(fields.get("month") or "")
    if word.casefold() in ("may", "mar", "sep", "dec", "march") and word[:1].islower():
        return None  # "may", "march": the verb
    return Date(year, month, day, span)
