"""The head of a document: what its first lines say about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lexls.library.casing import title_case
from lexls.library.courts import jurisdiction_of_court, looks_like_court
from lexls.library.dates import find_date
from lexls.library.document import AuthorityKind, Metadata
from lexls.library.extract import Piece
from lexls.library.headings import heading_words

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
_VERSUS = re.compile(r"\s(?:v\.?|vs\.?|V\.|versus)\s", re.IGNORECASE)
_CASE_TITLE = re.compile(
    r"(?:in\s+re|re|in\s+the\s+matter\s+of|ex\s+parte|R\s*\(.{3,80}\))[:\s]", re.IGNORECASE
)
_LABELLED_CITATION = re.compile(
    r"(?:medium\s+)?(?:neutral\s+citation(?:\s+(?:number|no\.?))?|citations?|equivalent\s+citations?"
    r"|parallel\s+citations?|also\s+(?:reported|cited)\s+(?:in|as|at)|reported\s+(?:in|as|at)|reported|cite\s+as)"
    r"\s*[:\-–—]?\s+(?=[\[(\d A-Z])",
    re.IGNORECASE,
)
_HAS_YEAR_OR_NUMBER = re.compile(r"\d")
_LABEL = re.compile(r"[*_]{0,3}([A-Za-z][A-Za-z /()]{2,40}?)[*_]{0,3}\s*:[*_]{0,3}\s*")


@dataclass(frozen=True, slots=True)
class Head:
    """The first lines of a document, before its reasons, text or clauses begin.

    ``lines`` are without markup and white space at the edges, each cut to 300 code points;
    ``citation_lines`` are those that may hold the document's own citations, with whether a label ("Neutral
    Citation Number:") says so.
    """

    lines: tuple[str, ...]
    citation_lines: tuple[tuple[str, bool], ...]
    opening: str


def head_of(text: str, pieces: Sequence[Piece]) -> Head:
    """The head of a text."""
    lines: list[str] = []
    total = 0
    for piece in pieces[:_MOST_PIECES]:
        raw = text[piece.start : min(piece.end, piece.start + _LINE)]
        if _REASONS_BEGIN.match(raw):
            break
        for line in raw.splitlines():
            if words := heading_words(line):
                lines.append(words)
        total += len(raw)
        if total > _MOST_CHARACTERS:
            break
    cited: list[tuple[str, bool]] = []
    for line in lines:
        if len(line) > 200 or not _HAS_YEAR_OR_NUMBER.search(line):
            continue
        label = _LABELLED_CITATION.match(line)
        if label:
            cited.append((line[label.end() :], True))
        elif "[" in line or "(" in line or line[0].isdigit():
            cited.append((line, False))
    opening = text[pieces[0].start : pieces[0].start + _MOST_CHARACTERS] if pieces else ""
    return Head(tuple(lines), tuple(cited), opening)


def read_head(head: Head, stem: str, weak_title: str) -> Metadata:
    """What the head says; the title falls back to ``weak_title``, a short first line, the ``stem``."""
    for reader in (_judgment,):
        if (found := reader(head)) is not None:
            return found
    title = weak_title or (head.lines[0] if head.lines and len(head.lines[0]) <= 120 else "") or name_of(stem)
    return Metadata(title=title)


def name_of(stem: str) -> str:
    """A title made of a file's name without its suffix."""
    return " ".join(stem.replace("_", " ").split()) or stem


def _judgment(head: Head) -> Metadata | None:
    title = court = date = ""
    for position, line in enumerate(head.lines[:25]):
        if not title and len(line) <= 250 and (_VERSUS.search(f" {line} ") or _CASE_TITLE.match(line)):
            if position > 8:
                break
            title = line
        elif not court and looks_like_court(line):
            court = line
        elif not date and len(line) <= 120:
            date = find_date(line)
    if not title or not court:
        return None
    kind: AuthorityKind = "case"
    found = Metadata(title=_case_title(title), court=_court(court), date=date, kind=kind)
    return replace(found, jurisdiction=jurisdiction_of_court(found.court))


def _case_title(line: str) -> str:
    label = _LABEL.match(line)
    if label and not _VERSUS.search(label[0]):
        line = line[label.end() :]
    line = line.strip(" .,;")
    return title_case(line) if line.isupper() else line


def _court(line: str) -> str:
    label = _LABEL.match(line)
    if label:
        line = line[label.end() :]
    line = re.sub(r"^in\s+the\s+", "", line, flags=re.IGNORECASE).strip(" .,;")
    return title_case(line) if line.isupper() else line
