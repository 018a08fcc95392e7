"""What a report or court cannot have: a year before it began, a volume of another year, too high a number."""

from __future__ import annotations

from datetime import date

from lexls.citations.form import Form
from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation
from lexls.citations.registry import CoreMatch

# Volumes come out some months around the year of their judgments, and anchors lie between two volumes.
_SLACK = 2
# Decisions of lower courts are sometimes only printed years later; none is printed before it is made.
_LATE = 3
_NAMED = ("court", "report")


def plausible(citation: Citation, grammar: Grammar, today: date | None = None) -> str:
    """Why no such citation can be ("UKSC citations begin in 2009"), "" if nothing certain speaks against it.

    Only what is certain is said: a year before the first or after the last of a report or court, a running
    volume that belongs to other years, more volumes or judgments than any year has had, a year to come
    (``today`` is the day of the check). Short forms and statutes are always plausible.
    """
    if citation.form != "full" or citation.kind not in ("case", "journal") or not citation.key:
        return ""
    match = grammar.core_of(citation.key, citation.jurisdiction)
    if match is None:
        return ""
    year = match.year or citation.year
    if year is not None and year > (today or date.today()).year:
        return f"{year} is still to come"
    for token in _NAMED:
        name = match.values.get(token, "")
        reason = _reason(match, match.form, name, year) if name else ""
        if reason:
            return reason
    return ""


def _reason(match: CoreMatch, form: Form, name: str, year: int | None) -> str:
    first, last = form.years.get(name, (None, None))
    # Reports gather some older cases in their first volumes; a neutral citation is given with the judgment.
    slack = 0 if match.year is not None else _SLACK
    if year is not None and first is not None and year < first - slack:
        return f"{name} citations begin in {first}"
    if year is not None and last is not None and year > last + slack:
        return f"{name} citations end in {last}"
    volume = match.values.get("volume", "")
    anchors = form.volumes.get(name)
    if anchors and year is not None and volume.isdigit():
        return _of_volume(int(volume), year, name, anchors)
    most = form.most.get(name)
    if most is None:
        return ""
    if volume:
        if match.year is not None and volume.isdigit() and int(volume) > most:
            return f"no year of {name} has {volume} volumes"
        return ""
    number = match.values.get("number", "")
    if number.isdigit() and int(number) > most:
        return f"no year of {name} has {number} judgments"
    return ""


def _of_volume(volume: int, year: int, name: str, anchors: tuple[tuple[int, int], ...]) -> str:
    """Whether a running volume can report a case of a year, by the volumes whose years are known."""
    earliest = max((known for number, known in anchors if number <= volume), default=None)
    latest = min((known for number, known in anchors if number >= volume), default=None)
    if (earliest is None or earliest - _LATE <= year) and (latest is None or year <= latest + _SLACK):
        return ""
    if earliest is None:
        return f"{volume} {name} is of {latest} or earlier, not of {year}"
    if latest is None:
        return f"{volume} {name} is of {earliest} or later, not of {year}"
    if earliest == latest:
        return f"{volume} {name} is of about {earliest}, not of {year}"
    return f"{volume} {name} is of {earliest} to {latest}, not of {year}"
