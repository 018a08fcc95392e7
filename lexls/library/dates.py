"""Dates as legal documents write them, as ISO 8601."""

from __future__ import annotations

import re

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
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_FIRST = re.compile(
    rf"\b(?P<day>\d{{1,2}})\s*(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?(?P<month>{_MONTH})\b\.?,?\s+(?P<year>\d{{4}})\b",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"\b(?P<month>{_MONTH})\b\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<year>\d{{4}})\b",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?\b")
_FIGURES = re.compile(r"\b(?P<day>\d{1,2})[./](?P<month>\d{1,2})[./](?P<year>\d{4})\b")
_MONTH_ONLY = re.compile(rf"\b(?P<month>{_MONTH})\b\.?,?\s+(?P<year>\d{{4}})\b", re.IGNORECASE)


def find_dates(text: str) -> list[tuple[int, int, str]]:
    """The dates written in ``text``, in order: start and end in code points, and "2014-03-09" or "2014-03".

    Figures alone ("09/03/2014") are read day first, unless only month first makes sense.
    """
    found: list[tuple[int, int, str]] = []
    for pattern in (_DAY_FIRST, _MONTH_FIRST, _ISO, _FIGURES, _MONTH_ONLY):
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end, _ in found):
                continue
            if date := _iso(match):
                found.append((match.start(), match.end(), date))
    return sorted(found)


def find_date(text: str) -> str:
    """The first date written in ``text`` as ``find_dates`` gives it, "" if there is none."""
    found = find_dates(text)
    return found[0][2] if found else ""


def _iso(match: re.Match[str]) -> str:
    parts = match.groupdict()
    year = int(parts["year"])
    written = parts["month"].lower()
    month = _MONTHS.get(written) or (int(written) if written.isdigit() else 0)
    day = int(parts.get("day") or 0)
    if match.re is _FIGURES and month > 12 >= day:
        month, day = day, month
    if not (1000 <= year <= 2999 and 1 <= month <= 12 and day <= 31):
        return ""
    return f"{year:04}-{month:02}-{day:02}" if day else f"{year:04}-{month:02}"


def iso_date(value: object) -> str:
    """A date given in front matter (a date, a year, a string) as ISO 8601, "" if it is none."""
    text = str(value).strip()
    if re.fullmatch(r"\d{4}(?:-\d{2}(?:-\d{2})?)?", text):
        return text
    if re.match(r"\d{4}-\d{2}-\d{2}[T ]", text):
        return text[:10]
    return find_date(text)
