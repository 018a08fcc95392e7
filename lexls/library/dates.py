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


def find_date(text: str) -> str:
    """The first date written in ``text`` as "2014-03-09" or "2014-03", "" if there is none.

    Figures alone ("09/03/2014") are read day first, unless only month first makes sense.
    """
    found = [
        match for pattern in (_DAY_FIRST, _MONTH_FIRST, _ISO, _FIGURES) if (match := pattern.search(text))
    ]
    for match in sorted(found, key=lambda match: match.start()):
        if date := _iso(match):
            return date
    month_only = _MONTH_ONLY.search(text)
    return _iso(month_only) if month_only else ""


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
