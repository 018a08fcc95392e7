"""Tell what *id.* passes over (what another cites in brackets, Acts only named) and what it stops at."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.citations.model import Mention
from lexls.citations.scan import Scan
from lexls.citations.tables import load_patterns
from lexls.text.lexicon import split_words
from lexls.text.phrases import load_phrases

_PATTERNS = load_patterns("asides.toml")
_PAPERS = split_words(load_phrases("lexls.citations", "asides.toml")["words"]["papers"])
_NAMED = frozenset({"statute", "regulation", "rule", "constitution", "treaty", "contract"})
_LONGEST = 1_500  # code points of a parenthetical
_BEFORE = 20
# What a name in a text may begin with or end with and is none of it: "The Carrow Court".
_RUN = re.compile(r"[A-Z][\w’'-]+(?:\s(?:[A-Z][\w’'-]+|of|the|and|&))*")
_NO_NAME = split_words("The In Under Court And But As See Both While When If For This That Our")


def find_records(scan: Scan) -> list[int]:
    """Where the text cites what is no authority: the record, briefs, another opinion of the same case."""
    text = scan.text
    found = [start for start in scan.starts(_PAPERS) if _PATTERNS["record"].match(text, start)]
    for name in ("page", "paragraph", "opinion"):
        found.extend(match.start() for match in _PATTERNS[name].finditer(text))
    return sorted(found)


def end_parentheticals(text: str, end: int) -> int:
    """Where the brackets right behind a citation that ends at ``end`` end: "(2d Cir. 1990) (quoting …)"."""
    while (opening := _PATTERNS["opening"].match(text, end)) is not None:
        depth = 0
        for match in _PATTERNS["brackets"].finditer(text, opening.end() - 1, opening.end() + _LONGEST):
            depth += 1 if match.group() == "(" else -1
            if not depth:
                break
        if depth:
            break
        end = match.end()
    return end


def is_cited_by(text: str, end: int, start: int) -> bool:
    """Whether the citation at ``start`` is only what that which ends at ``end`` cites: ", quoting …"."""
    return _PATTERNS["quoting"].fullmatch(text, end, start) is not None


def is_only_named(text: str, mention: Mention) -> bool:
    """Whether an Act or a section of one is only spoken of where it stands, and not cited for anything."""
    if mention.kind not in _NAMED or mention.form in ("id", "supra"):
        return False
    if mention.form == "full" and (mention.pinpoint is not None or not mention.name):
        return False
    if _PATTERNS["cited_behind"].match(text, mention.end) is None:
        return True
    return _PATTERNS["cited_before"].search(text, max(0, mention.start - _BEFORE), mention.start) is None


def is_of_record(text: str, mention: Mention) -> bool:
    """Whether the place behind *id.* is one that no authority has: ", at 47a", "¶ 14" of a complaint."""
    return _PATTERNS["appendix"].match(text, mention.end) is not None


def list_names_said(text: str, start: int, end: int) -> Iterator[str]:
    """The capitalised words that may be the names of cases between two places, the last first."""
    for run in reversed(list(_RUN.finditer(text, start, end))):
        words = run.group().split()
        for first in range(len(words)):
            for last in range(len(words), first, -1):
                part = words[first:last]
                if part[0] not in _NO_NAME and part[-1] not in _NO_NAME and part[0][0].isupper():
                    yield " ".join(part).removesuffix("’s").removesuffix("'s")
