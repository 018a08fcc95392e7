"""Take the head of a document, its first lines, and read what those of contracts and enactments say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.citations.jurisdiction import (
    jurisdiction_of_court,
    jurisdiction_of_enactment,
    jurisdiction_of_state,
)
from lexls.library.document import ExtractedPiece, Metadata
from lexls.library.headings import heading_words
from lexls.text.dates import MONTH_START, find_date
from lexls.text.lexicon import SMALL_WORDS, words

_SMALL = SMALL_WORDS | words("a al al. an as at by et from into or v v. vs vs. with")
_KEPT = re.compile(r"(?:[A-Z]\.){2,}|(?:LLC|LLP|PLC|NV|BV|AG|SA|USA|US|UK|EU|II|III|IV|VI|VII|VIII|IX|XI)\b")

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
            written.append(word if _KEPT.match(word) else _PART_OF_WORD.sub(_to_upper, lower))
    return " ".join(written)


def _to_upper(match: re.Match[str]) -> str:
    return match[0].upper()


_MOST_PIECES = 40
_MOST_CHARACTERS = 6000
_LINE = 300

_REASONS_BEGIN = re.compile(
    r"""(?:the\s+)?(?:following\s+)?(?:judgments?|orders?|opinions?)\s+(?:of\s+.{1,60}?\s+)?
            (?:was|were)\s+(?:delivered|given|pronounced|as)\b
      | (?:reasons\s+for\s+)?judg(?:e)?ments?\s*:?\s*$ | reasons\s*:?\s*$
      | [*_]{0,3}\\?\[\s*¶?\s*1\s*\\?\] | [*_]{0,3}1\s?\\?[.)]\s | ¶\s*1\b""",
    re.VERBOSE | re.IGNORECASE,
)
_LABELLED_CITATION = re.compile(
    r"(?:medium\s+)?(?:neutral\s+citation(?:\s+(?:number|no\.?))?|citations?|equivalent\s+citations?"
    r"|parallel\s+citations?|also\s+(?:reported|cited)\s+(?:in|as|at)|reported\s+(?:in|as|at)|reported|cite\s+as)"
    r"\s*[:\-–—]?\s+(?=[\[(\d A-Z])",
    re.IGNORECASE,
)


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
        if _REASONS_BEGIN.match(raw):
            break
        lines += filter(None, map(heading_words, raw.splitlines()))
        total += len(raw)
        if total > _MOST_CHARACTERS:
            break
    cited: list[tuple[str, bool]] = []
    for line in lines:
        if len(line) > 200 or not any(map(str.isdecimal, line)):
            continue
        label = _LABELLED_CITATION.match(line)
        if label:
            cited.append((line[label.end() :], True))
        elif "[" in line or "(" in line or line[0].isdigit():
            cited.append((line, False))
    opening = text[pieces[0].start : pieces[0].start + _MOST_CHARACTERS] if pieces else ""
    titles = (text[each.start : each.end][:_LINE] for each in pieces[:_MOST_PIECES] if each.heading == 1)
    return Head(tuple(lines), tuple(cited), opening, heading_words(next(titles, "")))


_NOUN = (
    r"(?:agreement|contract|lease|deed|charter[- ]?party|bill\s+of\s+lading|licen[cs]e|indenture|addendum"
    r"|amendment|memorandum\s+of\s+understanding|letter\s+of\s+intent|power\s+of\s+attorney|terms\s+and\s+conditions"
    r"|undertaking|guarantee|guaranty|statement\s+of\s+work|purchase\s+order|settlement)"
)
_TITLE_LINE = re.compile(
    rf"(?!this\b|the\s+parties|exhibit\b|by\b|a\b)[^.;:!?\"“]{{0,100}}\b{_NOUN}s?\b[^.;!?\"“]{{0,60}}$",
    re.IGNORECASE,
)
_EVIDENCE = re.compile(
    r"\bwhereas\b|\bwitnesseth\b|\bby\s+and\s+(?:between|among)\b|\bthis\s+(?:[A-Z][\w&,-]*\s+){0,8}(?:agreement|contract"
    r"|deed|lease|charter[- ]?party|amendment|addendum|licen[cs]e|undertaking)\b|\bhereinafter\b"
    r"|\bparties\s+(?:hereby\s+|hereto\s+)?agree\b|\bit\s+is\s+(?:hereby\s+)?(?:mutually\s+)?agreed\b",
    re.IGNORECASE,
)
_CAPITALS = re.compile(
    r"\b(?!EXHIBIT|THIS\b)(?P<title>(?:[A-Z][A-Z&/'’-]+,?\s+(?:(?:and|of|for|to)\s+)?){0,10}?"
    r"(?:AGREEMENT|CONTRACT|LEASE|DEED|CHARTER\s?PARTY|INDENTURE))\b"
)
_THIS = re.compile(
    r"\b(?:This|THIS)\s+(?P<title>(?:[A-Z][\w&/'’-]*,?\s+(?:(?:and|of|for|to)\s+)?){1,10}?"
    r"(?:Agreement|AGREEMENT|Contract|CONTRACT|Lease|LEASE|Deed|DEED|Amendment|AMENDMENT|Licen[cs]e|LICEN[CS]E))\b"
)
_DATED = re.compile(
    r"\b(?:dated|made|entered\s+into|effective|executed)\b[^.;]{0,60}?"
    rf"(?=\b\d|\b(?:{MONTH_START}))",
    re.IGNORECASE,
)
_FILED_AS = re.compile(r"\b(agreement|contract|amendment|lease|license)\b", re.IGNORECASE)
_EXHIBIT = re.compile(r"EX-?[\w.()]{1,20}?[-_]([^_-][^_]*)$")
_LINES = 14


def read_contract(head: Head, stem: str) -> Metadata | None:
    """A contract, by its heading and the words with which contracts begin; None if it is none.

    Its title is its heading; where there is none, its name for itself ("This Supply Agreement"); else, if
    that is called an agreement, the file's name.
    """
    filed = _FILED_AS.search(stem) is not None
    if not filed and not _EVIDENCE.search(head.opening):
        return None
    title = _title(head)
    if not title:
        if not filed:
            return None
        exhibit = _EXHIBIT.search(stem)
        title = " ".join((exhibit[1] if exhibit else stem).replace("_", " ").split())
        title = write_title_case(title) if title.isupper() else title
    return Metadata(title=title, date=_date(head.opening), kind="contract")


def _title(head: Head) -> str:
    for line in (head.heading, *head.lines[:_LINES]):
        line = line.strip(" -=_*")
        if line and len(line) <= 120 and _TITLE_LINE.match(line):
            return write_title_case(line) if in_capitals(line) else line
    start = head.opening[:600]
    for pattern in (_CAPITALS, _THIS):
        match = pattern.search(start)
        if match is not None:
            title = " ".join(match["title"].split())
            return write_title_case(title) if title.isupper() else title
    return ""


def _date(opening: str) -> str:
    match = _DATED.search(opening)
    return find_date(opening[match.start() : match.end() + 40]) if match else ""


_ACT = re.compile(
    r"(?:the\s+)?[A-Z][^.;:!?\[\]]{0,160}?\b(?:act|code|ordinance|constitution|statute|sanhita|adhiniyam|charter|law)\b"
    r"(?:\s+of\s+[A-Z][a-z]+)?,?\s*(?:of\s+)?(?P<year>\d{4})?(?:\s*\((?P<place>[A-Za-z]{2,4})\))?$",
    re.IGNORECASE,
)
_REGULATION = re.compile(
    r"(?:the\s+)?[A-Z][^.;:!?\[\]]{0,160}?\b(?:regulations?|rules|order|by-?laws|directive)\b"
    r",?\s*(?:of\s+)?(?P<year>\d{4})?(?:\s*\((?P<place>[A-Za-z]{2,4})\))?$",
    re.IGNORECASE,
)
_ENACTS = re.compile(
    r"\bAn\s+Act\s+(?:to|further\s+to|for|respecting)\b|\bbe\s+it\s+enacted\b|\bshort\s+title\b"
    r"|\barrangement\s+of\s+sections\b|\bthis\s+(?:act|code)\s+may\s+be\s+cited\b|\bstatutory\s+instruments?\b"
    r"|\b(?:these\s+)?(?:regulations|rules)\s+may\s+be\s+cited\b|\b(?:regulations|rules)\s+are\s+made\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:act\s+)?no\.?\s*\d+\s+of\s+\d{4}$|\d{4}\s+(?:no\.?|chapter|c\.?)\s*\d+$", re.IGNORECASE
)
_ENACTMENT_DATED = re.compile(
    r"\[[^\]]{6,40}\]$|(?:made|enacted|assented\s+to|passed|dated?)\b", re.IGNORECASE
)
_ENACTMENT_LINES = 8
_CODE_HEAD = re.compile(
    r"\b(?P<number>\d{1,2})\s+USC\s+TITLE\s+\d+\s*[-–—]\s*(?P<name>[^\n]{2,80}?)(?:\s{2,}|\s*\n)"
    r"(?:[ ]*(?P<month>\d{2})/(?P<day>\d{2})/(?P<year>\d{4}))?"
)
_CODE_TITLE = re.compile(r"TITLE\s+(?P<number>\d{1,2})\s*[-–—]\s*(?P<name>[A-Z][^\n]{2,80})")
_SECTION_FILE = re.compile(r"Title\s*:\s*(?P<title>\S[^\n\r]*?)[ \t]*[\r\n]+\s*Desc(?:ription)?\s*:")


def read_section_file(head: Head) -> Metadata | None:
    """A file that holds one section as "Title: …" and "Desc: …"; None if it does not."""
    match = _SECTION_FILE.match(head.opening)
    if match is None:
        return None
    return Metadata(title=match["title"], kind="statute")


def read_united_states_code(head: Head) -> Metadata | None:
    """A title of the Code of the United States in its official plain text; None if it is none."""
    match = _CODE_HEAD.search(head.opening[:600])
    date = ""
    if match is not None:
        if match["year"]:
            date = f"{match['year']}-{match['month']}-{match['day']}"
    elif "United States Code" in head.opening[:1500]:
        match = _CODE_TITLE.search(head.opening[:1500])
    if match is None:
        return None
    name = match["name"].strip()
    return Metadata(
        title=f"Title {match['number']} – {write_title_case(name) if name.isupper() else name}",
        citation=f"{match['number']} U.S.C.",
        date=date,
        kind="statute",
        jurisdiction=jurisdiction_of_court("United States"),
    )


def read_enactment(head: Head) -> Metadata | None:
    """An Act, code or set of regulations by its title line and its long title or year; None if it is none."""
    for position, line in enumerate((head.heading, *head.lines[:_ENACTMENT_LINES])):
        if not line or len(line) > 180 or line.casefold().startswith(("an act ", "this ", "in the ")):
            continue
        act = _ACT.match(line)
        match = act or _REGULATION.match(line)
        # A year will do near the top, and words of enactment without one.
        if match is None or not (
            (match["year"] and position <= 2)
            or (_ENACTS.search(head.opening) and (match["year"] or position <= 3))
        ):
            continue
        year = match["year"] or ""
        title = write_title_case(line) if in_capitals(line) else line
        if title.lower().startswith("the ") and act and year:
            title = title[4:]
        others = head.lines[: 2 * _ENACTMENT_LINES]
        dates = (find_date(other) for other in others if _ENACTMENT_DATED.match(other))
        return Metadata(
            title=title,
            citation=title if year else "",
            parallel_citations=tuple(other for other in others if _NUMBER.match(other)),
            date=next(filter(None, dates), year),
            kind="statute" if act else "regulation",
            jurisdiction=jurisdiction_of_state(match["place"] or "")
            or jurisdiction_of_enactment(head.opening),
        )
    return None
