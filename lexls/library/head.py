"""Take the head of a document, its first lines, and read what those of contracts and enactments say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.citations.jurisdiction import (
    find_jurisdiction_of_court,
    find_jurisdiction_of_enactment,
    find_jurisdiction_of_state,
)
from lexls.library.document import ExtractedPiece, Metadata
from lexls.library.headings import read_heading
from lexls.text.dates import MONTH_START, find_date
from lexls.text.lexicon import SMALL_WORDS, split_words
from lexls.text.phrases import load_patterns

_SMALL = SMALL_WORDS | split_words("a al al. an as at by et from into or v v. vs vs. with")
_PATTERNS = load_patterns(__package__, "head.toml", {"month_start": MONTH_START})

_PART_OF_WORD = re.compile(r"(?:^|(?<=[-/(\"“&.]))[^\W\d_]")
"""What begins every part of a word, but not what follows an apostrophe ("Club’s")."""


def in_capitals(line: str) -> bool:
    """Whether a line is printed in capitals, small words such as "v" or "and" aside."""
    large = sum(1 for character in line if character.isupper())
    return large * 5 > 4 * sum(1 for character in line if character.isalpha())


def write_title_case(line: str) -> str:
    """``line``, printed in capitals, as a title: "HAMILTON v. LANNING" becomes "Hamilton v. Lanning"."""
    written: list[str] = []
    for position, word in enumerate(line.split()):
        lower = word.lower()
        if position and lower.strip("(),;") in _SMALL:
            written.append(lower)
        else:
            written.append(word if _PATTERNS["kept"].match(word) else _PART_OF_WORD.sub(_to_upper, lower))
    return " ".join(written)


def _to_upper(match: re.Match[str]) -> str:
    return match[0].upper()


_MOST_PIECES = 40
_MOST_CHARACTERS = 6000
_LINE = 300


@dataclass(frozen=True, slots=True)
class Head:
    """The first lines of a document, before its reasons, text or clauses begin.

    ``lines`` are without markup and white space at the edges, each cut to 300 code points;
    ``citation_lines`` are those that may hold the document's own citations, with whether a label ("Neutral
    Citation Number:") says so. ``heading`` is the first heading of the first level that the format declares,
    ``opening`` the first 6,000 code points as they stand.
    """

    lines: tuple[str, ...]
    citation_lines: tuple[tuple[str, bool], ...]
    opening: str
    heading: str = ""


def take_head(text: str, pieces: Sequence[ExtractedPiece]) -> Head:
    """The head of a text."""
    lines: list[str] = []
    total = 0
    for piece in pieces[:_MOST_PIECES]:
        raw = text[piece.start : min(piece.end, piece.start + _LINE)]
        if _PATTERNS["reasons_begin"].match(raw):
            break
        lines += filter(None, map(read_heading, raw.splitlines()))
        total += len(raw)
        if total > _MOST_CHARACTERS:
            break
    cited: list[tuple[str, bool]] = []
    for line in lines:
        if len(line) > 200 or not any(map(str.isdecimal, line)):
            continue
        label = _PATTERNS["labelled_citation"].match(line)
        if label:
            cited.append((line[label.end() :], True))
        elif "[" in line or "(" in line or line[0].isdigit():
            cited.append((line, False))
    opening = text[pieces[0].start : pieces[0].start + _MOST_CHARACTERS] if pieces else ""
    titles = (text[each.start : each.end][:_LINE] for each in pieces[:_MOST_PIECES] if each.heading == 1)
    return Head(tuple(lines), tuple(cited), opening, read_heading(next(titles, "")))


_LINES = 14


def read_contract(head: Head, stem: str) -> Metadata | None:
    """A contract, by its heading and the words with which contracts begin; None if it is none.

    Its title is its heading; where there is none, its name for itself ("This Supply Agreement"); else, if
    that is called an agreement, the file's name.
    """
    filed = _PATTERNS["filed_as"].search(stem) is not None
    if not filed and not _PATTERNS["evidence"].search(head.opening):
        return None
    title = _title(head)
    if not title:
        if not filed:
            return None
        exhibit = _PATTERNS["exhibit"].search(stem)
        title = " ".join((exhibit[1] if exhibit else stem).replace("_", " ").split())
        title = write_title_case(title) if title.isupper() else title
    return Metadata(title=title, date=_date(head.opening), kind="contract")


def _title(head: Head) -> str:
    for line in (head.heading, *head.lines[:_LINES]):
        line = line.strip(" -=_*")
        if line and len(line) <= 120 and _PATTERNS["title_line"].match(line):
            return write_title_case(line) if in_capitals(line) else line
    start = head.opening[:600]
    for pattern in (_PATTERNS["capitals"], _PATTERNS["this"]):
        match = pattern.search(start)
        if match is not None:
            title = " ".join(match["title"].split())
            return write_title_case(title) if title.isupper() else title
    return ""


def _date(opening: str) -> str:
    match = _PATTERNS["dated"].search(opening)
    return find_date(opening[match.start() : match.end() + 40]) if match else ""


_ENACTMENT_LINES = 8


def read_section_file(head: Head) -> Metadata | None:
    """A file that holds one section as "Title: …" and "Desc: …"; None if it does not."""
    match = _PATTERNS["section_file"].match(head.opening)
    if match is None:
        return None
    return Metadata(title=match["title"], kind="statute")


def read_united_states_code(head: Head) -> Metadata | None:
    """A title of the Code of the United States in its official plain text; None if it is none."""
    match = _PATTERNS["code_head"].search(head.opening[:600])
    date = ""
    if match is not None:
        if match["year"]:
            date = f"{match['year']}-{match['month']}-{match['day']}"
    elif "United States Code" in head.opening[:1500]:
        match = _PATTERNS["code_title"].search(head.opening[:1500])
    if match is None:
        return None
    name = match["name"].strip()
    return Metadata(
        title=f"Title {match['number']} – {write_title_case(name) if name.isupper() else name}",
        citation=f"{match['number']} U.S.C.",
        date=date,
        kind="statute",
        jurisdiction=find_jurisdiction_of_court("United States"),
    )


def read_enactment(head: Head) -> Metadata | None:
    """An Act, code or set of regulations by its title line and its long title or year; None if it is none."""
    for position, line in enumerate((head.heading, *head.lines[:_ENACTMENT_LINES])):
        if not line or len(line) > 180 or line.casefold().startswith(("an act ", "this ", "in the ")):
            continue
        act = _PATTERNS["act"].match(line)
        match = act or _PATTERNS["regulation"].match(line)
        # A year will do near the top, and words of enactment without one.
        if match is None or not (
            (match["year"] and position <= 2)
            or (_PATTERNS["enacts"].search(head.opening) and (match["year"] or position <= 3))
        ):
            continue
        year = match["year"] or ""
        title = write_title_case(line) if in_capitals(line) else line
        if title.lower().startswith("the ") and act and year:
            title = title[4:]
        others = head.lines[: 2 * _ENACTMENT_LINES]
        dates = (find_date(other) for other in others if _PATTERNS["enactment_dated"].match(other))
        return Metadata(
            title=title,
            citation=title if year else "",
            parallel_citations=tuple(other for other in others if _PATTERNS["number"].match(other)),
            date=next(filter(None, dates), year),
            kind="statute" if act else "regulation",
            jurisdiction=find_jurisdiction_of_state(match["place"] or "")
            or find_jurisdiction_of_enactment(head.opening),
        )
    return None
