"""Read the text before and after a core citation, except its pinpoint: courts, editions, dates, titles and
names.

The patterns are in ``behind.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from lexls.citations.case_names.alone import find_words_before
from lexls.citations.jurisdiction import Jurisdiction, load_jurisdictions
from lexls.citations.model import Pinpoint, join_spaces
from lexls.citations.pinpoints import read_group, read_pages
from lexls.citations.scan import PARAGRAPH_BREAK
from lexls.text.dates import FULL_MONTH
from lexls.text.lexicon import SMALL_WORDS, split_words
from lexls.text.phrases import Patterns, define_parts, fill_pattern, load_phrases
from lexls.text.spans import Span

_IN_TITLES = SMALL_WORDS | split_words("by from with against relating concerning between its or")
_WORD = re.compile(r"[A-Z](?=[A-Z])|(?<=[A-Za-z])(?=[ |)]|$)")
# The opening mark for each closing quotation mark; an apostrophe opens only after a space.
_OPENINGS: Mapping[str, re.Pattern[str]] = {
    "”": re.compile("“"),
    '"': re.compile(r'(?<!\w)"'),
    "’": re.compile("‘"),
    "'": re.compile(r"(?<![\w'])'(?=\w)"),
}

_BRACKET = r"\s{0,9}\((?!\d{4})"
_BEGINNINGS: Mapping[str, re.Pattern[str]] = {
    "court": re.compile(_BRACKET),
    "court-behind-page": re.compile(f"{_BRACKET}|,"),
}
"""Cheap patterns of the text with which a court can begin. Thanks to them, the large pattern of all courts is
rarely compiled.
"""


def skip(kind: str, text: str, end: int) -> int:
    """Return the end of the element of this kind at ``end`` of ``text``, or ``end`` if there is none.

    ``kind`` is a name in the table [behind]: "court", "court-behind-page", "edition", …
    """
    begins = _BEGINNINGS.get(kind)
    if begins is not None and begins.match(text, end) is None:
        return end
    match = load_patterns()[kind].match(text, end)
    return match.end() if match is not None else end


def load_patterns() -> Patterns:
    """Return the patterns of ``behind.toml`` by name, with the courts of all jurisdictions filled in."""
    return _fill_patterns(tuple(load_jurisdictions().values()))


@lru_cache(maxsize=4)
def _fill_patterns(jurisdictions: tuple[Jurisdiction, ...]) -> Patterns:
    data = load_phrases(__package__, "behind.toml")
    courts = "|".join(filter(None, [data["courts"], *(place.courts.reported for place in jurisdictions)]))
    places = "|".join(filter(None, (place.courts.regions for place in jurisdictions)))
    known = {"places": _with_points(places), "courts": _with_points(courts)}
    parts = define_parts(data["parts"], {"month": FULL_MONTH, **known})
    patterns = {**data["behind"], **data["before"]}
    return Patterns({name: fill_pattern(pattern, parts) for name, pattern in patterns.items()})


def _with_points(names: str) -> str:
    """Allow optional full stops and spaces in a pattern of court names, such as "B.C. C.A." and "Gen.
    Div.".
    """
    return _WORD.sub(lambda match: f"{match.group()}\\.?\\s?", names).replace(" ", r"\s?")


def find_long_title(text: str, start: int, floor: int) -> Span | None:
    """Return the long title before the chapter of a Canadian statute: "Loi sur …", "An Act to …"."""
    match = load_patterns()["long-title"].search(text, max(floor, start - 170), start)
    return Span(*match.span("title")) if match is not None else None


def find_page(text: str, end: int) -> tuple[Pinpoint, int] | None:
    """Return the pages that follow the court without a comma, and their end: "[1932] AC 562 (HL) 580,
    583".
    """
    match = load_patterns()["page"].match(text, end)
    return read_pages(text, match) if match is not None else None


def find_before_strasbourg_report(text: str, start: int, floor: int) -> tuple[int, Pinpoint | None]:
    """Return the start of the date and paragraphs before a Strasbourg report, and the paragraphs as a
    pinpoint.

    In "Marckx v. Belgium, 13 June 1979, § 31, Series A no. 31" the name ends before the date. If there is no
    date, ``start`` and None are returned.
    """
    match = load_patterns()["strasbourg-report"].search(text, max(floor, start - 90), start)
    if match is None or match.end() - match.start() < 6:
        return start, None
    return match.start(), read_group(match, "paras", "paragraph") if match["paras"] is not None else None


def find_title(text: str, start: int, floor: int) -> Span | None:
    """Return the title of a treaty or regulation cited by its number at ``start``. A date between title and
    number is not part of the title.
    """
    match = load_patterns()["treaty-date"].search(text, max(floor, start - 110), start)
    if match is None:
        return None
    title = find_words_before(text, match.start(), _IN_TITLES)
    if title is None or title.start < floor or load_patterns()["title-noun"].search(title.of(text)) is None:
        return None
    return title


def find_quoted_title(text: str, start: int, floor: int) -> Span | None:
    """Return the quoted title immediately before a journal citation, with its quotation marks."""
    low = max(floor, start - 260)
    end = len(text[low:start].rstrip(" \t\r\n,(")) + low
    opening = _OPENINGS.get(text[end - 1 : end]) if end > low else None
    if opening is None or PARAGRAPH_BREAK.search(text, low, end):
        return None
    begin = max((match.end() - 1 for match in opening.finditer(text, low, end - 2)), default=-1)
    return Span(begin, end) if begin >= low else None


def find_strasbourg_limit(text: str, end: int) -> int:
    """Return the start of the date after a Strasbourg citation's pinpoint, or the end of the text if there is
    no date nearby.
    """
    match = load_patterns()["date"].search(text, end, min(len(text), end + 60))
    return match.start() if match is not None else len(text)


def find_name(text: str, end: int, limit: int) -> tuple[str, int] | None:
    """Return the name after a case number, and the name's end offset: "Case C-621/18 Wightman and Others"."""
    match = load_patterns()["name"].match(text, end)
    return (join_spaces(match["name"]), match.end()) if match is not None and match.end() <= limit else None
