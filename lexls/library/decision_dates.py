"""Find the date of a decision, or of a party's paper, among all the days named at its beginning and end.

Courts state the date in too many ways for rules. Each day in a paper is a candidate, described by the words
and layout around it. Trained weights (``decision_dates.tsv``) estimate how likely it is the paper's own date;
``benchmarks/train_dates.py`` fits them.
"""

from __future__ import annotations

import bisect
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import accumulate
from types import MappingProxyType

from lexls.citations.jurisdiction import find_jurisdiction
from lexls.library.columns import blank_line_numbers
from lexls.text.dates import MONTH_NUMBERS, find_dates
from lexls.text.lexicon import NUMBERS, ORDINALS

SURE = 0.5
"""Minimum probability at which a day is reported. At this threshold, 1.3% of the days reported for papers not
used in training are wrong (``benchmarks/train_dates.py --validate``).
"""
NO_DAY = "none"
"""The candidate for "none of these days is the paper's own"."""
_OPENING = 4000
_CLOSING = 2000
"""Number of code points examined at the end of a long paper; ``_OPENING`` is the number at its beginning."""
_WHOLE_DATE = 10
_WORDS_BEFORE = 5
_WORDS_BEHIND = 3
_WORDS_OF_LABEL = 4
_SHORT_LINE = 10
"""If a line has fewer words than this, all of them are features, wherever they are in the line."""
_WORDS_OF_RUNNING = 6
"""Minimum number of lower-case words in a line of running text."""
_LINES_TOGETHER = 4
"""Number of consecutive lines that count as the same vertical position."""
_LINES_OF_TOP = 40
"""Number of lines at the beginning in which a day's vertical position is a feature."""
_WORDS_ALONE = 3
"""Maximum number of other words in a line that consists mainly of a day."""
_INDENTED = 25

_SHORT_YEAR = re.compile(r"(\b\d{1,2}[/.]\d{1,2}[/.])(\d\d)(?![\d/.])")
_DASHED = re.compile(r"\b(\d{1,2})-(\d{1,2})-((?:19|20)?\d\d)\b")
_FIGURES_ALONE = re.compile(r"(?<!\d)((?:19|20)\d\d)([01]\d)([0-3]\d)(?!\d)")
_STAMPED_DAY = re.compile(r"\b((?:19|20)\d\d)\s([A-Z][A-Za-z]{2})[\s-](\d\d)(?=\s|$)")
"""A day as written in stamps of the Northern District of Alabama: "2019 May-20 PM 02:14"."""
_SPLIT_DAY = re.compile(r"\b([A-Z][A-Za-z]{2})\s(\d)\s(\d),?\s((?:19|20)\d\d)\b")
"""A day in a stamp whose digits OCR has separated: "DEC 2 7 2023"."""
_HYPHENED = re.compile(r"\b(\d{1,2})-([A-Z][A-Za-z]{2,8})-((?:19|20)\d\d)\b")
_POINTED = re.compile(r"\b(20\d\d)\.(\d\d)\.(\d\d)\b")
"""A day as written in digital signatures: "Date: 2023.12.14"."""
_DAY_IN_WORDS = re.compile(
    rf"\b((?:(?:twenty|thirty)[\s-])?(?:{'|'.join(ORDINALS)}))\s+day\s+of\b", re.IGNORECASE
)
_YEAR_IN_WORDS = re.compile(
    rf"\btwo\s+thousand(?:\s+and)?((?:[\s-]+(?:{'|'.join(NUMBERS)}))+)\b", re.IGNORECASE
)
# Quick checks before the patterns above, which are slow.
_HAS_DAY_IN_WORDS = re.compile(
    r"(?:[a-z](?:st|nd|rd|th)|[A-Z](?:ST|ND|RD|TH))\s+(?:day|DAY|Day)\s+(?:of|OF)\b"
)
_HAS_YEAR_IN_WORDS = re.compile(r"housand|HOUSAND")
_ODD_DAY = re.compile(r"\d[/.-]\w|\d{8}|\d{4}\s[A-Z][A-Za-z]{2}[\s-]\d|\s\d\s\d,?\s\d{4}\b")
_LONGEST_LINE = 80
"""Maximum length of a line as printed, in code points. A longer line is a paragraph whose lines were
joined.
"""
_SENTENCE_END = re.compile(r"(?<=[a-z)\]]\.)\s+(?=[A-Z])")
_BY_KIND = frozenset(("latest", "running", "alone", "end 0", "end 1", "top 0", "top 1"))
"""Features that have separate weights for a party's paper, like the words before the day."""
_WORD_BEFORE = re.compile("before [12] ")
_GAP = re.compile(r"\s{3,}")
_TOKEN = re.compile(r"\s{3,}|[^\W\d_]+|[:(),;.\[\]/]")
_WORD = re.compile(r"\b[^\W\d_]+\b")


@dataclass(frozen=True, slots=True)
class DatedPaper:
    """The beginning and end of a paper, in printed lines, and what is known about it.

    ``kind`` is "case" or "other". ``years`` are the years in which its date may be; empty if it could be any
    year.
    """

    text: str
    kind: str
    jurisdiction: str
    years: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class DateCandidate:
    """A day (ISO 8601) at one position in a paper, described by its surroundings.

    Each of the ``features`` may have a weight in ``decision_dates.tsv``. "before 1 dated" means that the word
    before the day is "dated"; a feature that begins with "behind 1" names the word after it. "above" and
    "below" are words of the adjacent lines, "over" those directly above the day; "|" is a wide gap. ``start``
    is the offset in the text returned by ``write_plainly``, or -1 for ``NO_DAY``.
    """

    date: str
    start: int
    features: frozenset[str]


def take_dated_text(opening: str, text: str) -> str:
    """Return the beginning and end of a paper. ``opening`` is its first page as printed, or "" if ``text``
    shows the page that way.
    """
    if not opening and len(text) <= _OPENING + _CLOSING:
        return text
    return f"{(opening or text)[:_OPENING]}\n\n{text[-_CLOSING:]}"


def find_own_date(paper: DatedPaper) -> tuple[str, bool]:
    """Return the day of the decision or filing, and whether that day occurs in the first half of the text.
    The day is "" if none is likely enough.
    """
    candidates = list_candidates(paper)
    date = choose_date(candidates, load_weights())
    return date, any(each.date == date and each.start < len(paper.text) / 2 for each in candidates)


def choose_date(candidates: Sequence[DateCandidate], weights: Mapping[str, float]) -> str:
    """Return the likeliest day; "" if its probability is below ``SURE`` or if ``NO_DAY`` is likelier."""
    shares = weigh_dates(candidates, weights)
    best = max(shares, key=shares.__getitem__)
    return best if best != NO_DAY and shares[best] >= SURE else ""


def weigh_dates(candidates: Sequence[DateCandidate], weights: Mapping[str, float]) -> Mapping[str, float]:
    """Return the probability that each day, or ``NO_DAY``, is the paper's own: a softmax of summed
    weights.
    """
    sums = [sum(weights.get(feature, 0.0) for feature in each.features) for each in candidates]
    highest = max(sums)
    shares: dict[str, float] = defaultdict(float)
    for each, value in zip(candidates, sums, strict=True):
        shares[each.date] += math.exp(value - highest)
    total = sum(shares.values())
    return {date: share / total for date, share in shares.items()}


@cache
def load_weights() -> Mapping[str, float]:
    """Return the weight of each feature by its name."""
    lines = resources.files(__package__).joinpath("decision_dates.tsv").read_text("utf-8").splitlines()
    pairs = (line.split("\t") for line in lines)
    return MappingProxyType({name: float(weight) for name, weight in pairs})


def list_candidates(paper: DatedPaper) -> Sequence[DateCandidate]:
    """Return a candidate for each day of a paper, in order, followed by ``NO_DAY``."""
    text = write_plainly(paper.text)
    found = find_days(text, paper)
    days = sorted({date for *_, date in found}, reverse=True)
    times = Counter(date for *_, date in found)
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    candidates = []
    for start, end, date in found:
        at = bisect.bisect_right(starts, start) - 1
        known = {"bias", f"times {min(4, times[date])}"}
        known.add("latest" if date == days[0] else f"rank {min(5, days.index(date))}")
        known.update(_describe(lines, at, start - starts[at], end - starts[at]))
        if paper.kind == "other":
            known.update([f"other: {each}" for each in known if each in _BY_KIND or _WORD_BEFORE.match(each)])
        candidates.append(DateCandidate(date, start, frozenset(known)))
    none = {NO_DAY, f"{NO_DAY} {paper.kind}", f"{NO_DAY} of {min(8, len(days))}"}
    return (*candidates, DateCandidate(NO_DAY, -1, frozenset(none)))


def find_days(text: str, paper: DatedPaper) -> Sequence[tuple[int, int, str]]:
    """Return the complete days in ``text`` that may be the paper's own, each as (start, end, day). ``text``
    is the result of ``write_plainly``.
    """
    figures = find_jurisdiction(paper.jurisdiction).date_figures if paper.jurisdiction else ""
    return [
        (start, end, date)
        for start, end, date in find_dates(text, {"day": False, "month": True}.get(figures))
        if len(date) == _WHOLE_DATE and (not paper.years or int(date[:4]) in paper.years)
    ]


def write_plainly(text: str) -> str:
    """Normalise a text: remove line numbers, put each sentence of a paragraph on its own line, and write days
    as ordinary dates.
    """
    return _write_figures("\n".join(map(_part_sentences, blank_line_numbers(text.split("\n")))))


def _describe(lines: Sequence[str], at: int, start: int, end: int) -> Iterator[str]:
    """Yield the features of the day at code points ``start`` to ``end`` of line ``at``."""
    line = lines[at]
    before, behind = _list_tokens(line[:start].lstrip()), _list_tokens(line[end:].rstrip())
    words = _WORD.findall(f"{line[:start]} {line[end:]}")
    running = sum(word.islower() and len(word) > 1 for word in words) >= _WORDS_OF_RUNNING
    style = "running" if running else "form"
    part = "top" if at < len(lines) / 3 else "end" if at > len(lines) * 2 / 3 else "middle"
    label = next((cell for cell in reversed(_GAP.split(line[:start].rstrip())) if cell), "")
    if len(named := _list_words(label)) <= _WORDS_OF_LABEL:
        yield f"label {' '.join(named)}"
    if before:
        yield f"before 1 {' '.join(before[-2:])}"
        yield f"start {before[0]} {part}"
        yield f"start {' '.join(before[:2])}"
    for place, token in enumerate(reversed(before[-_WORDS_BEFORE:]), 1):
        yield f"before {place} {token}"
        yield f"before {token}"
        if place < 3:
            yield f"before {place} {token} {style}"
            yield f"before {place} {token} {part}"
    for place, token in enumerate(behind[:_WORDS_BEHIND], 1):
        yield f"behind {place} {token}"
    above = next((lines[each] for each in range(at - 1, max(-1, at - 4), -1) if lines[each].strip()), "")
    below = next((each for each in lines[at + 1 : at + 4] if each.strip()), "")
    yield from (f"above {word}" for word in _list_words(above)[-5:])
    yield from (f"below {word}" for word in _list_words(below)[:5])
    yield from (f"over {word}" for word in _list_words(above[max(0, start - 12) : end + 5]))
    if len(words) < _SHORT_LINE:
        yield from (f"line {word}" for word in _list_words(" ".join(words)))
    if at < _LINES_OF_TOP:
        yield f"top {at // _LINES_TOGETHER}"
    yield f"end {min(6, (len(lines) - at) // _LINES_TOGETHER)}"
    yield style
    alone = len(words) <= _WORDS_ALONE
    named_shapes = {"first": not before, "last": not behind, "running": running, "short": alone}
    shape = " ".join(name for name, holds in named_shapes.items() if holds)
    yield f"shape {shape}"
    yield f"shape {shape} {part}"
    if before and not behind:
        yield f"last before 1 {before[-1]}"
    if alone:
        yield "alone"
    if not before:
        yield "first"
    if not behind:
        yield "last"
    if len(line) - len(line.lstrip()) > _INDENTED:
        yield "indented"
    if line[:start].rstrip()[-1:] in ("(", "["):
        yield "bracket"


def _list_tokens(part: str) -> list[str]:
    """Return the words and punctuation marks of part of a line, with "|" for a wide gap."""
    tokens = ("|" if token.isspace() else token for token in _TOKEN.findall(part.casefold()))
    return [_name_month(token) for token in tokens]


def _list_words(part: str) -> list[str]:
    return [_name_month(word) for word in _WORD.findall(part.casefold())]


def _name_month(word: str) -> str:
    """Return "month" for the name of a month, since the particular month says nothing about a day near it;
    other words are unchanged.
    """
    return "month" if word in MONTH_NUMBERS and word != "may" else word


def _part_sentences(line: str) -> str:
    """Return a paragraph with each sentence on its own line; any other line is unchanged."""
    return _SENTENCE_END.sub("\n", line) if len(line) > _LONGEST_LINE else line


def _write_figures(text: str) -> str:
    """Rewrite years and days as ordinary dates if they are spelled out or in a stamp's order."""
    if _HAS_YEAR_IN_WORDS.search(text):
        text = _YEAR_IN_WORDS.sub(_write_year, text)
    if _HAS_DAY_IN_WORDS.search(text):
        text = _DAY_IN_WORDS.sub(_write_day, text)
    return "\n".join(_write_line(line) if _ODD_DAY.search(line) else line for line in text.split("\n"))


def _write_line(line: str) -> str:
    plain = _STAMPED_DAY.sub(r"\2 \3, \1", _HYPHENED.sub(r"\1 \2 \3", line))
    plain = _SPLIT_DAY.sub(r"\1 \2\3, \4", plain)
    plain = _POINTED.sub(r"\1-\2-\3", _FIGURES_ALONE.sub(r"\1-\2-\3", plain))
    return _SHORT_YEAR.sub(r"\g<1>20\g<2>", _DASHED.sub(r"\1/\2/\3", plain))


def _write_year(match: re.Match[str]) -> str:
    return str(2000 + sum(NUMBERS.get(word, 0) for word in re.split(r"[\s-]+", match[1].casefold())))


def _write_day(match: re.Match[str]) -> str:
    words = re.split(r"[\s-]+", match[1].casefold())
    return f"{sum(NUMBERS.get(word, 0) + ORDINALS.get(word, 0) for word in words)} day of"
