"""Read dates in any form as ISO 8601, write dates, and find the dates mentioned in a text so that they can be
compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexls.text.phrases import Patterns
from lexls.text.spans import Span

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
FULL_MONTH = "|".join(MONTHS)
"""Pattern for the full name of a month."""
MONTH_START = "|".join(month[:3] for month in MONTHS)
"""Pattern for the first three letters of a month's name."""
MONTH_NUMBERS = {
    name.casefold(): number
    for number, month in enumerate(MONTHS, start=1)
    for name in (month, month[:3], *(["Sept"] if month == "September" else []))
}
"""Month numbers by name or abbreviation in lower case, without a full stop."""
MONTH = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
"""Pattern for the name or abbreviation of a month in lower case, without a full stop."""

_OTHER_MONTHS = {
    month: number
    for months in (
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "januari februari maart april mei juni juli augustus september oktober november december",
    )
    for number, month in enumerate(months.split(), start=1)
}
"""Month numbers by name in French, German, Spanish, Italian and Dutch."""
_NAMED_MONTH = rf"(?P<month>{MONTH})\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_WRITTEN = {
    "day first": rf"\b(?P<day>\d{{1,2}})\s*(?:st|nd|rd|th)?\s+(?:(?:day\s+)?of\s+)?(?P<month>{MONTH})\b\.?,?"
    r"\s+(?P<year>\d{4})\b",
    "month first": rf"\b(?P<month>{MONTH})\b\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+"
    r"(?P<year>\d{4})\b",
    "iso": r"\b(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?\b",
    "figures": r"\b(?P<day>\d{1,2})[./](?P<month>\d{1,2})[./](?P<year>\d{4})\b",
    "month and year": rf"\b(?P<month>{MONTH})\b\.?,?\s+(?P<year>\d{{4}})\b",
}
_ELSEWHERE = {
    "elsewhere": rf"\b(?P<day>\d{{1,2}})(?:er|\.|º)?\s+(?:de\s+)?(?P<month>{'|'.join(_OTHER_MONTHS)})\s+"
    r"(?:de\s+)?(?P<year>\d{4})\b",
}
# Dates as mentioned in running text: with or without a year or day, in any order.
_MENTIONED = {
    "mentioned day first": rf"\b{_DAY}(?:\s?day)?(?:\s?of)?[\s,-]{{0,3}}{_NAMED_MONTH}"
    rf"(?:[\s,-]{{0,3}}{_YEAR})?",
    "mentioned month first": rf"\b{_NAMED_MONTH}\s?{_DAY}(?!\d)(?:[\s,]{{1,3}}{_YEAR})?",
    "mentioned month": rf"\b{_NAMED_MONTH}(?:\s?of)?[\s,]{{1,3}}{_YEAR}",
    "mentioned iso": r"(?<![\d.])(?P<year>\d{4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})(?!\d)",
    "mentioned figures": r"(?<![\d./])(?P<one>\d{1,2})[./-](?P<other>\d{1,2})[./-]"
    r"(?P<year>\d{4}|\d{2})(?![\d/])",
}
_ALL = _WRITTEN | _ELSEWHERE | _MENTIONED
_PATTERNS = Patterns(_ALL, folded=_ALL)
_YEAR_WRITTEN = re.compile(r"\d{4}")
_BEFORE_YEAR = 80
"""Maximum number of code points of a date before its year, including whitespace between its words at a line
break.
"""
_BEHIND_YEAR = 12
"""Number of code points after a year that may belong to a date ("2019-05-03"), including the next
character.
"""


def find_dates(text: str, month_first: bool | None = False) -> list[tuple[int, int, str]]:
    """Return the dates in ``text``, in order: start and end in code points, and "2014-03-09" or "2014-03".

    Month names are English or, if there is no English date, in another language. Figures alone ("09/03/2014")
    are read day first, or month first if ``month_first``, unless only the other order makes sense. If
    ``month_first`` is None, figures that make sense in both orders are skipped.
    """
    found: list[tuple[int, int, str]] = []
    windows = _list_windows(text)
    for name in _WRITTEN:
        for match in (each for window in windows for each in _PATTERNS[name].finditer(text, *window)):
            if any(match.start() < end and start < match.end() for start, end, _ in found):
                continue
            if date := _iso(match, month_first):
                found.append((match.start(), match.end(), date))
    if not found:
        elsewhere = (each for window in windows for each in _PATTERNS["elsewhere"].finditer(text, *window))
        found = [(match.start(), match.end(), _iso(match)) for match in elsewhere]
    return sorted(found)


def _list_windows(text: str) -> list[tuple[int, int]]:
    """Return the ranges around the years in a text; every date with a year is in one of them."""
    windows: list[tuple[int, int]] = []
    for year in _YEAR_WRITTEN.finditer(text):
        start, end = max(0, year.start() - _BEFORE_YEAR), year.end() + _BEHIND_YEAR
        if windows and start < windows[-1][1]:
            windows[-1] = windows[-1][0], end
        else:
            windows.append((start, end))
    return windows


def find_date(text: str) -> str:
    """Return the first date in ``text`` as ``find_dates`` does, or ""."""
    found = find_dates(text)
    return found[0][2] if found else ""


def is_date(text: str) -> bool:
    """Return whether ``text`` consists only of a date."""
    return any(end - start >= len(text.strip(" .,()*")) for start, end, _ in find_dates(text))


def _iso(match: re.Match[str], month_first: bool | None = False) -> str:
    parts = match.groupdict()
    year = int(parts["year"])
    written = parts["month"].lower()
    month = (
        MONTH_NUMBERS.get(written) or _OTHER_MONTHS.get(written) or (int(written) if written.isdigit() else 0)
    )
    day = int(parts.get("day") or 0)
    if match.re is _PATTERNS["figures"] and day <= 12:
        if month_first is None and month != day and month <= 12:
            return ""
        if month > 12 or month_first:
            month, day = day, month
    if not (1000 <= year <= 2999 and 1 <= month <= 12 and day <= 31):
        return ""
    return f"{year:04}-{month:02}-{day:02}" if day else f"{year:04}-{month:02}"


def normalise_date(value: object) -> str:
    """Convert a date in front matter (a date, a year, a string) to ISO 8601; return "" if it is not a
    date.
    """
    text = str(value).strip()
    if re.fullmatch(r"\d{4}(?:-\d{2}(?:-\d{2})?)?", text):
        return text
    if re.match(r"\d{4}-\d{2}-\d{2}[T ]", text):
        return text[:10]
    return find_date(text)


def abbreviate_day(date: str) -> str:
    """Return the month and day of an ISO date as citations abbreviate them ("Dec. 7"), or "" without
    a day.
    """
    parts = date.split("-")
    if len(parts) != 3:
        return ""
    month = MONTHS[int(parts[1]) - 1]
    short = month if len(month) < 5 else "Sept." if month == "September" else f"{month[:3]}."
    return f"{short} {int(parts[2])}"


def write_date(date: str, month_first: bool = False) -> str:
    """Write an ISO date, possibly without day or month, as "9 March 2014", "March 2014" or "2014".

    Anything else is returned unchanged. With ``month_first``, the result is "March 9, 2014".
    """
    parts = date.split("-")
    if not all(part.isdigit() for part in parts) or len(parts) not in (2, 3):
        return date
    month = int(parts[1])
    if not 1 <= month <= 12:
        return date
    name, year = MONTHS[month - 1], parts[0]
    if len(parts) == 2:
        return f"{name} {year}"
    return f"{name} {int(parts[2])}, {year}" if month_first else f"{int(parts[2])} {name} {year}"


@dataclass(frozen=True, slots=True)
class Date:
    """A date as written; a missing year, month or day is 0.

    ``swapped`` is true if the date is written in figures alone, so that day and month may be the other way
    round.
    """

    year: int
    month: int
    day: int
    span: Span
    swapped: bool = False

    def is_supported_by(self, other: Date) -> bool:
        """Return whether ``other`` includes every part that this date gives."""
        ways = [(self.month, self.day)]
        if self.swapped and other.swapped:
            # Both in figures: as they are written.
            return (self.year, self.month, self.day) == (other.year, other.month, other.day)
        if self.swapped or other.swapped:
            ways.append((self.day, self.month))
        return (not self.year or self.year == other.year) and any(
            (not month or month == other.month) and (not day or day == other.day) for month, day in ways
        )


def find_mentioned_dates(text: str) -> list[Date]:
    """Return the dates mentioned in ``text``, in order. A year alone is a number, not a date."""
    found: list[Date] = []
    for form in map(_PATTERNS.__getitem__, _MENTIONED):
        for match in form.finditer(text):
            span = Span(match.start(), match.end())
            if any(span.overlaps(each.span) for each in found):
                continue
            date = _as_mentioned(match, span)
            if date is not None:
                found.append(date)
    return sorted(found, key=lambda each: each.span)


def remove_dates(text: str) -> str:
    """Return ``text`` without its dates, which are compared separately."""
    for date in reversed(find_mentioned_dates(text)):
        text = f"{text[: date.span.start]} {text[date.span.end :]}"
    return text


def _as_mentioned(match: re.Match[str], span: Span) -> Date | None:
    fields = match.groupdict()
    year = int(fields.get("year") or 0)
    if fields.get("one"):
        one, other = int(fields["one"]), int(fields["other"])
        if year < 100:
            year += 2000 if year < 50 else 1900
        if 1 <= one <= 31 and 1 <= other <= 31 and min(one, other) <= 12:
            return Date(year, other, one, span, swapped=True)
        return None
    month = int(fields["number"]) if fields.get("number") else MONTH_NUMBERS[str(fields["month"]).casefold()]
    day = int(fields.get("day") or 0)
    if not 1 <= month <= 12 or day > 31:
        return None
    word = str(fields.get("month") or "")
    if word.casefold() in ("may", "mar", "sep", "dec", "march") and word[:1].islower():
        return None  # "may", "march": the verb
    return Date(year, month, day, span)
