"""Read the day of a decision, or of a party's paper, in its head, its stamps and its last lines."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Iterator, Sequence

from lexls.citations.jurisdiction import find_jurisdiction
from lexls.library.columns import RULE, Row
from lexls.library.head import Head, breaks_off, is_running, is_within_text
from lexls.text.dates import find_dates
from lexls.text.lexicon import NUMBERS, ORDINALS
from lexls.text.phrases import load_patterns

_PATTERNS = load_patterns(__package__, "decision_dates.toml")
_LONGEST_LINE = 200
_LONGEST_LABEL = 40
_WHOLE_DATE = 10
_BARE = 2
_LINES_OF_TERM = 6
"""Number of lines over which the sentence "At a stated term … on the 3rd day of May" may run."""
_OPEN = re.compile(r"[a-z,]\s(?:on|dated|until|by|from|to|and|of)$")
"""How a line of a sentence ends that goes on with a day."""
_DAY_ABOVE = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)?(?:\s+day)?(?:\s+of)?$")
_MONTH_BELOW = re.compile(r"(?:day\s+)?(?:of\s+)?[A-Z][a-z]+,?\s+(?:19|20)\d\d\W*$")
_YEAR_BELOW = re.compile(r"(?:19|20)\d\d\W*$")
"""A line with nothing but the year of the day that the line above gives."""
_DAYS_TO_ENTER = 30
"""Maximum number of days between the court's signature and the clerk's entry."""
_SHORT_YEAR = re.compile(r"(\b\d{1,2}[/.]\d{1,2}[/.])(\d\d)(?![\d/.])")
_DASHED = re.compile(r"\b(\d{1,2})-(\d{1,2})-((?:19|20)?\d\d)\b")
_FIGURES_ALONE = re.compile(r"\b((?:19|20)\d\d)([01]\d)([0-3]\d)\b")
_STAMPED_DAY = re.compile(r"\b((?:19|20)\d\d)\s([A-Z][A-Za-z]{2})[\s-](\d\d)(?=\s|$)")
"""The day in a stamp of the Northern District of Alabama: "2019 May-20  PM 02:14"."""
_HYPHENED = re.compile(r"\b(\d{1,2})-([A-Z][a-z]{2,8})-((?:19|20)\d\d)\b")
_GAP = re.compile(r"(?<=\S)\s{3,}(?=[A-Z])")
_POINTED = re.compile(r"\b(20\d\d)\.(\d\d)\.(\d\d)\b")
"""The day of a digital signature: "Date: 2023.12.14"."""
_SENTENCE_END = re.compile(r"(?<!\b[A-Z])\.\s")
"""The end of a sentence, but not of an initial: "Dated: May 5, 2023 THOMAS K. PELL"."""
_SAKA = re.compile(r"(?<=\d{4})\s/\s\d{1,2}(?:st|nd|rd|th)\s\w+,\s\d{4}\b", re.IGNORECASE)
"""The same day in the Saka era, as the High Court of Kerala gives it: "/ 19TH POUSHA, 1945"."""
_DAY_IN_WORDS = re.compile(
    rf"\b((?:(?:twenty|thirty)[\s-])?(?:{'|'.join(ORDINALS)}))\s+day\s+of\b", re.IGNORECASE
)
_YEAR_IN_WORDS = re.compile(
    rf"\btwo\s+thousand(?:\s+and)?((?:[\s-]+(?:{'|'.join(NUMBERS)}))+)\b", re.IGNORECASE
)


def is_bare_date(rows: Sequence[Row], date: str) -> bool:
    """Return whether a date in a head has no label: it may be of the hearing or of the decision."""
    return all(
        not (ranked := rank_date(cell, find_dates(cell), "")) or ranked[0] == _BARE
        for cell in itertools.chain.from_iterable(rows)
        if any(found == date for _, _, found in find_dates(cell))
    )


def read_closing_date(lines: Sequence[str], after: str, jurisdiction: str, *, entered: bool = False) -> str:
    """The day at the end of a decision, by its last lines: "Release date: 5 May 2022"; else "".

    One without a label counts only if the head has no date, or a bare one, ``after`` which it is by less than
    two years; or, where that is when the clerk ``entered`` it, before which by less than a month.
    """
    for above, left, line in _list_cells(lines):
        line = _POINTED.sub(r"\1-\2-\3", _PATTERNS["behind_day"].sub("", line))
        line = _SENTENCE_END.split(line.replace("_", " "))[-1]
        if len(line) > 3 * _LONGEST_LABEL or not any(map(str.isdecimal, line)):
            continue
        found = find_dates(line, _month_first(jurisdiction))
        if len(found) != 1 or len(found[0][2]) < _WHOLE_DATE or _PATTERNS["heard"].search(line):
            continue
        start, end, date = found[0]
        goes_on = breaks_off(above) or (line[:1].islower() and len(above) > _LONGEST_LABEL)
        goes_on = goes_on or (_OPEN.search(above) is not None and not _PATTERNS["closing"].match(above))
        labelled = _PATTERNS["closing"].match(line) is not None and not (goes_on and line[:1].islower())
        labelled = labelled or _PATTERNS["jurat"].match(_GAP.split(above)[0]) is not None
        labelled = labelled or (left[-1:] == ":" and _PATTERNS["closing"].match(left) is not None)
        labelled = labelled or (not goes_on and _PATTERNS["label_within"].search(line[:start]) is not None)
        bare = (
            not (goes_on or left.endswith(":") or _PATTERNS["sent"].search(above))
            and _PATTERNS["only_date"].match(_leave_out_place(line, start, end)) is not None
            and _PATTERNS["date_ends"].fullmatch(line, end) is not None
        )
        if (labelled or bare) and (not after or _follows(date, after, entered)):
            return date
    return ""


def _leave_out_place(line: str, start: int, end: int) -> str:
    """A line without its day, and without the place before that: "Montréal, October 15, 2021"."""
    return line[end:] if _PATTERNS["dated_at"].match(line[:start]) else line[:start] + line[end:]


def _list_cells(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The cells of the lines at a paper's end, with the line above and the cell at the left."""
    for above, line in itertools.pairwise(("", *lines)):
        left = ""
        for cell in _GAP.split(line):
            yield above, left, cell
            left = cell


def _follows(closing: str, date: str, entered: bool) -> bool:
    """Return whether the day at a decision's end is likelier its own than a bare ``date`` in its head."""
    days = (datetime.date.fromisoformat(closing) - datetime.date.fromisoformat(date)).days
    signed_before = entered and -_DAYS_TO_ENTER <= days < 0
    return signed_before or (days > 0 and int(closing[:4]) - int(date[:4]) <= 1)


def is_entered(rows: Sequence[Row], date: str) -> bool:
    """Return whether a date in a head is from the clerk's ink stamp: "ENTERED" with the day below it."""
    cells = itertools.chain.from_iterable(rows)
    return any(
        _PATTERNS["ink"].match(above) and any(found == date for _, _, found in find_dates(below))
        for above, below in itertools.pairwise(cells)
    )


def _month_first(jurisdiction: str) -> bool | None:
    """Return whether numeric dates give the month first in a jurisdiction, or None if unknown."""
    figures = find_jurisdiction(jurisdiction).date_figures if jurisdiction else ""
    return {"day": False, "month": True}.get(figures)


def read_decision_date(rows: Sequence[Row], jurisdiction: str) -> str:
    """The day of the decision; "" where the head has only other days, such as that of the hearing.

    Figures alone are read as the ``jurisdiction`` writes them.
    """
    month_first = _month_first(jurisdiction)
    best: tuple[int, str] | None = None
    last: tuple[int, str] | None = None
    above: Sequence[str] = ()
    below = any(_PATTERNS["court_below"].match(row[0]) for row in rows)
    for position, row in enumerate(rows):
        labels: list[str] = []
        if _PATTERNS["stated_term"].match(row[0]):
            sentence = " ".join(each[0] for each in rows[position : position + _LINES_OF_TERM])
            whole = (date for _, _, date in find_dates(_write_figures(sentence), month_first))
            day = next((date for date in whole if len(date) == _WHOLE_DATE), "")
            best = (1, day) if day and (best is None or best[0] > 1) else best
        following = rows[position + 1][0] if position + 1 < len(rows) else ""
        hour = any(map(_PATTERNS["time_below"].match, rows[position + 1])) if following else False
        if hour or _PATTERNS["of_below"].match(row[0]) or (below and _PATTERNS["date_below"].match(row[0])):
            continue
        for column, cell in enumerate(row):
            label = above[column] if column < len(above) else ""
            if _PATTERNS["dated"].match(cell) or _PATTERNS["decided"].match(cell):
                cell = _FIGURES_ALONE.sub(r"\1-\2-\3", _lengthen_year(cell))
            cell = _write_figures(cell)
            if _YEAR_BELOW.match(following) or (_DAY_ABOVE.search(cell) and _MONTH_BELOW.match(following)):
                cell = f"{cell} {following}"
            found = find_dates(cell, month_first)
            labels.append("" if found else cell[:_LONGEST_LABEL])
            if found and _is_labelled_below(rows[position + 1 : position + 3]):
                label = ""
            dated = rank_date(cell, found, label) if found else None
            if dated and (
                is_within_text(rows, position) or (dated[0] == _BARE and _ends_sentence(rows, position))
            ):
                dated = None
            # Of two days that follow each other without a label, the first is the hearing's.
            if dated and (best is None or dated[0] < best[0] or (dated[0] == _BARE and best == last)):
                best = dated
            last = dated
        above = labels
    return best[1] if best else ""


def read_lodging_date(opening: str, jurisdiction: str) -> str:
    """Return the day in a registry's notice, "lodged electronically … on 17/06/2021", or ""."""
    lodged = _PATTERNS["lodged"].search(opening)
    found = find_dates(lodged["day"], _month_first(jurisdiction)) if lodged else ()
    return next((date for _, _, date in found), "")


def _ends_sentence(rows: Sequence[Row], position: int) -> bool:
    """Return whether a row with a day ends the sentence of the row above: "… was dismissed on"."""
    above = rows[position - 1][-1] if position and len(rows[position]) == 1 else ""
    return _OPEN.search(above) is not None and _PATTERNS["decided"].match(above) is None


def _is_labelled_below(rows: Sequence[Row]) -> bool:
    """Return whether a form has its label "Date" below the line drawn for the day."""
    below = [row[0] for row in rows if row[0] != RULE]
    return bool(below) and _PATTERNS["label_below"].match(below[0]) is not None


def read_stamped_date(head: Head, jurisdiction: str) -> str:
    """The day on which a paper was filed by its stamps; "" if they have none."""
    for stamp in head.stamps:
        filed = _write_figures(_lengthen_year(stamp.filed))
        for _, _, date in find_dates(filed, _month_first(jurisdiction)):
            return date
    return ""


def _lengthen_year(text: str) -> str:
    text = _DASHED.sub(r"\1/\2/\3", text)
    return _SHORT_YEAR.sub(r"\g<1>20\g<2>", text)


def _write_figures(text: str) -> str:
    """A text with the days and years that are in words, or the wrong way round in a stamp, as dates are."""
    plain = _STAMPED_DAY.sub(r"\2 \3, \1", _HYPHENED.sub(r"\1 \2 \3", _SAKA.sub("", text)))
    return _DAY_IN_WORDS.sub(_write_day, _YEAR_IN_WORDS.sub(_write_year, plain))


def _write_year(match: re.Match[str]) -> str:
    return str(2000 + sum(NUMBERS.get(word, 0) for word in re.split(r"[\s-]+", match[1].casefold())))


def _write_day(match: re.Match[str]) -> str:
    words = re.split(r"[\s-]+", match[1].casefold())
    return f"{sum(NUMBERS.get(word, 0) + ORDINALS.get(word, 0) for word in words)} day of"


def rank_date(cell: str, found: list[tuple[int, int, str]], label: str) -> tuple[int, str] | None:
    """The decision's date in a cell and how sure it is, 0 being surest; None if it has none.

    ``label`` is the cell above that has no date itself.
    """
    running = is_running(cell) or (cell[0].islower() and len(cell) > _LONGEST_LABEL)
    running = running and _PATTERNS["labelled"].match(cell) is None
    for rank, name in enumerate(("decided", "dated") if not running else ()):
        for match in _PATTERNS[name].finditer(cell):
            if match.start() and len(cell) > _LONGEST_LINE:
                break
            before = max((end for _, end, _ in found if end <= match.start()), default=0)
            since = match.start() if rank == 0 else before
            for start, _, date in found:
                if match.end() <= start <= match.end() + _LONGEST_LABEL and not (
                    _PATTERNS["heard"].search(cell, since, start)
                    or (
                        cell[0].islower()
                        and (len(label) == _LONGEST_LABEL or _PATTERNS["heard"].search(label))
                    )
                ):
                    # "(Filed 06/12/2019)" may be of the motion in the line above.
                    return (max(rank, int(cell[0] == "(")), date)
    if handed := _PATTERNS["handed_down"].search(cell):
        after = [date for start, _, date in found if start >= handed.end() - 1]
        return (3, after[0]) if after else None
    if len(cell) > _LONGEST_LINE or _PATTERNS["heard"].search(cell):
        return None
    start, end, date = found[-1]
    if len(date) < _WHOLE_DATE:
        return None
    if _PATTERNS["heard_and_given"].match(label) and len(found) > 1:
        return (0, date)
    if len(found) == 2 and _PATTERNS["argued_and_decided"].match(cell[found[0][1] : start]):
        return (1, date)
    if len(found) == 1 and _PATTERNS["only_date"].match(_leave_out_place(cell, start, end)):
        if cell[0].islower() and len(label) == _LONGEST_LABEL:
            return None  # what is above is longer than a label: the day ends its sentence
        if _PATTERNS["sent"].search(label):
            return None
        if _PATTERNS["decided"].match(label):
            return (_BARE if _PATTERNS["ink"].match(label) else 0, date)
        return None if _PATTERNS["heard"].search(label) else (_BARE, date)
    if cell[start - 1] in "([" and (end == len(cell) - 1 or _PATTERNS["closed_date"].match(cell, end)):
        return (1, date)
    return None
