"""Read the heads of judgments: title, court, date."""

from __future__ import annotations

import itertools
import re

from lexls.citations.jurisdiction import find_jurisdiction_of_court
from lexls.library.document import Metadata
from lexls.library.head import Head, in_capitals, write_title_case
from lexls.text.dates import find_date, find_dates
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.phrases import load_patterns

_PATTERNS = load_patterns(__package__, "case_heads.toml")
_LINES = 25
_TITLE_WITHIN = 9


def read_slip_opinion(head: Head, stem: str) -> Metadata | None:
    """A slip opinion of the Supreme Court of the United States; None if the text is none.

    The case's name is printed in capitals with everybody's office; the file's name is taken instead
    where it is a case's name and the text agrees with it.
    """
    opening = head.opening
    if not _PATTERNS["slip"].search(opening if _PATTERNS["federal"].search(opening) else opening[:400]):
        return None
    title = ""
    if BETWEEN_PARTIES.search(f" {stem} ") or _PATTERNS["case_title"].match(stem):
        seen = _letters(opening)
        words = re.findall(r"[^\W\d_]{4,}", stem)
        if sum(_letters(word) in seen for word in words) * 2 >= len(words):
            title = stem.replace("_", " ")
    if not title:
        caption = _PATTERNS["caption"].search(opening)
        title = _parties(" ".join(caption[1].split())) if caption else ""
    if not title:
        return None
    decided = _PATTERNS["slip_decided"].search(opening) or _PATTERNS["slip_date"].search(opening)
    court = "Supreme Court of the United States"
    return Metadata(
        title=title,
        court=court,
        date=find_date(" ".join(decided[1].split())) if decided else "",
        kind="case",
        jurisdiction=find_jurisdiction_of_court(court),
    )


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _parties(caption: str) -> str:
    """A caption in capitals as a case is cited: "BILSKI ET AL. v. KAPPOS, UNDER SECRETARY …"."""
    short: list[str] = []
    for side in BETWEEN_PARTIES.split(f" {caption} ", 1)[::2]:
        first, *others = (part.strip() for part in re.sub(r"\bET (?:AL|UX)\.?", "", side).split(","))
        name = ", ".join([first, *itertools.takewhile(_PATTERNS["company"].match, others)])
        short.append(write_title_case(name.strip(" _*")))
    return " v. ".join(filter(None, short))


def read_judgment(head: Head) -> Metadata | None:
    """A judgment: its head has a line with the parties, and mostly lines with court and date; else None."""
    title = court = ""
    dates: list[tuple[int, str]] = []
    for position, line in enumerate(head.lines[:_LINES]):
        if not title and position < _TITLE_WITHIN and is_case_title(line):
            title = line
        elif not court and looks_like_court(line):
            court = line
        elif dated := _dated(line):
            dates.append(dated)
    if not title or not (court or head.lines.index(title) < 3):
        return None
    court = _named(court)
    return Metadata(
        title=read_case_name(title),
        court=court,
        date=min(dates, default=(0, ""), key=lambda found: found[0])[1],
        kind="case",
        jurisdiction=find_jurisdiction_of_court(court),
    )


def looks_like_court(line: str) -> bool:
    """Whether a line of a document's head is the name of a court."""
    return (
        len(line) <= 120
        and _PATTERNS["court"].search(line) is not None
        and _PATTERNS["not_a_name"].search(line) is None
    )


def is_case_title(line: str) -> bool:
    """Whether a line of a document's head names the parties of a case or its matter."""
    if len(line) > 250 or line[-1] == ":":
        return False
    if line[-1] == "." and _PATTERNS["sentence"].search(line):
        return False
    return BETWEEN_PARTIES.search(f" {line} ") is not None or _PATTERNS["case_title"].match(line) is not None


def read_case_name(line: str) -> str:
    """A line with a case's name, without a label before it, in title case if it is in capitals."""
    label = _PATTERNS["label"].match(line)
    if label and not BETWEEN_PARTIES.search(label[0]):
        line = line[label.end() :]
    line = line.strip(" .,;")
    return write_title_case(line) if in_capitals(line) else line


def _named(court: str) -> str:
    if label := _PATTERNS["label"].match(court):
        court = court[label.end() :]
    court = re.sub(r"^in\s+the\s+", "", court, flags=re.IGNORECASE).strip(" .,;")
    return write_title_case(court) if court.isupper() else court


def _dated(line: str) -> tuple[int, str] | None:
    """The date in a line and how little it is likely to be the judgment's: 0 is likeliest."""
    if len(line) > 250:
        return None
    found = find_dates(line)
    if not found:
        return None
    decided = _PATTERNS["decided"].search(line)
    if decided and (after := [date for at, _, date in found if at >= decided.end() - 1]):
        return (0, after[0])
    if _PATTERNS["heard"].search(line):
        return (3, found[-1][2])
    written = sum(end - start for start, end, _ in found)
    if written * 2 >= len(line):
        return (1, found[-1][2])
    return (2, found[0][2])
