"""Decide which citations an *id.* skips (those in parentheticals, Acts that are only mentioned) and which
sources keep it from referring to an earlier authority.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

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
_LONGEST_NAME = 120
# A run of capitalised words, and words at its ends that are not part of a name: "The Carrow Court".
_RUN = re.compile(r"[A-Z][\w’'-]+(?:\s(?:[A-Z][\w’'-]+|of|the|and|&))*")
_NO_NAME = split_words(
    "The In Under Court And But As See Both While When If For This That Our Cf Accord Compare Also With"
)


def find_records(scan: Scan) -> list[tuple[int, int]]:
    """Return the sorted spans of references to sources that lexls does not read as authorities.

    These are the record, briefs, another opinion in the same case, and books cited by page and year. The span
    of a reference to the record ends after its parentheticals. Without parentheticals, it is empty.
    """
    text = scan.text
    found: list[tuple[int, int]] = []
    for start in scan.starts(_PAPERS):
        record = _PATTERNS["record"].match(text, start)
        if record is not None:
            place = _PATTERNS["places"].match(text, record.end())
            end = place.end() if place is not None else record.end()
            closing = end_parentheticals(text, end)
            found.append((start, closing if closing > end else start))
    if "__" in text:
        blank = [match.span() for match in _PATTERNS["blank"].finditer(text)]
        found.extend(
            (start, end) for start, end in blank if "Cite as" not in text[max(0, start - 20) : start]
        )
    for name in ("page", "opinion"):
        found.extend((match.start(), match.end()) for match in _PATTERNS[name].finditer(text))
    for dated in _PATTERNS["dated"].finditer(text):
        number = _PATTERNS["number_before"].search(text, max(0, dated.start() - 16), dated.start())
        if number is not None:
            found.append((number.start("page"), dated.end()))
    line = since = 0
    for match in _PATTERNS["paragraph"].finditer(text):
        line = text.rfind("\n", since, match.start()) + 1 or line
        since = match.start()
        if _PATTERNS["numbering"].match(text, line) is None:
            found.append(match.span())
    return sorted(found)


def speaks_of_record(text: str) -> bool:
    """Return whether a text cites papers of the record, or only mentions them by abbreviated names ("the
    Compl.").
    """
    scan = Scan(text)
    named = (
        text.startswith(".", start + len(word)) for start, word in scan.capitals(_PAPERS) if len(word) > 1
    )
    return any(named) or bool(find_records(scan))


def find_page_turns(scan: Scan) -> list[tuple[int, Literal["foot", "on", "head"]]]:
    """Return the offsets at which printed pages break, each with its kind.

    "foot": footnotes begin at the foot of a page. "on": footnotes continue there. "head": a page header.
    """
    text = scan.text
    found: list[tuple[int, Literal["foot", "on", "head"]]] = []
    if "———" in text or "____" in text or "––––" in text:
        for match in _PATTERNS["foot"].finditer(text):
            numbered = _PATTERNS["note"].match(text, match.end()) is not None
            found.append((match.start(), "foot" if numbered else "on"))
    if "Cite as" in text:
        found.extend((match.start(), "head") for match in _PATTERNS["cited_as"].finditer(text))
    found.extend((versus, "head") for versus in scan.headings)
    return sorted(found)


def end_parentheticals(text: str, end: int) -> int:
    """Return the end offset of the parentheticals that immediately follow a citation ending at ``end``: "(2d
    Cir. 1990) (quoting …)".
    """
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
    """Return whether the citation that ends at ``end`` merely cites the one at ``start``: ", quoting …"."""
    return _PATTERNS["quoting"].fullmatch(text, end, start) is not None


def is_only_named(text: str, mention: Mention) -> bool:
    """Return whether the text only mentions an Act, a section or a case here, without citing it."""
    if mention.is_name_alone:
        return _PATTERNS["cited_behind"].match(text, mention.end) is None
    if mention.kind not in _NAMED or mention.form in ("id", "supra"):
        return False
    if "]" in mention.name:  # "the [Texas] Constitution"
        return True
    if mention.form == "full" and (mention.pinpoint is not None or not mention.name):
        return False
    if _PATTERNS["cited_behind"].match(text, mention.end) is None:
        return True
    return _PATTERNS["cited_before"].search(text, max(0, mention.start - _BEFORE), mention.start) is None


def is_declared(text: str, mention: Mention) -> bool:
    """Return whether the words before an Act assign all bare sections to it: "All references are to
    the …".
    """
    return (
        _PATTERNS["declared"].search(text, max(0, mention.start - _LONGEST_NAME), mention.start) is not None
    )


def is_of_other_constitution(text: str, end: int) -> bool:
    """Return whether the article ending at ``end`` belongs to a state constitution that lexls did not
    recognise.
    """
    return _PATTERNS["other_constitution"].match(text, end) is not None


def is_of_record(text: str, mention: Mention) -> bool:
    """Return whether *id.* must refer to the record, judging by its volume or pinpoint: ", at 47a", "¶ 14" of
    a complaint, "10 id., at 9".
    """
    return has_volume(text, mention) or _PATTERNS["appendix"].match(text, mention.end) is not None


def has_volume(text: str, mention: Mention) -> bool:
    """Return whether a volume number precedes *id.*, which then refers to that volume of the same record: "10
    id., at 9".
    """
    start = mention.start
    return text[start] == "i" and _PATTERNS["volume"].search(text, max(0, start - 3), start) is not None


def is_quoted_of_section(text: str, since: int, start: int) -> bool:
    """Return whether the *id.* at ``start`` follows a quotation from a section: "Section 4 says: “…”"."""
    if text[since:start].rstrip()[-1:] not in ("”", '"'):
        return False
    return _PATTERNS["of_section"].search(text, since, start) is not None


def find_name_before(text: str, start: int) -> tuple[int, bool]:
    """Return the start of the name just before the *id.* at ``start`` that identifies its antecedent
    ("Carrow, id. at 9"), or -1.

    Also return whether the citation begins with this name.
    """
    if text[max(0, start - 2) : start].strip() != ",":
        return -1, False
    low = max(0, start - _LONGEST_NAME)
    match = _PATTERNS["named"].search(text, low, start)
    if match is None or not match["last"][0].isupper() or match["last"] in _NO_NAME:
        return -1, False
    begins = _PATTERNS["begins"].search(text, max(0, match.start() - 4), match.start())
    return match.start(), begins is not None


def list_names_said(text: str, start: int, end: int, as_cases: bool = False) -> Iterator[str]:
    """Yield the capitalised words between two offsets that may be case names, the last first.

    With ``as_cases``, yield only those shown by the adjacent words to be cases, not persons: "in Carrow",
    "the Carrow court".
    """
    for run in reversed(list(_RUN.finditer(text, start, end))):
        if as_cases and not (
            _PATTERNS["in_case"].search(text, max(0, run.start() - _BEFORE), run.start())
            or _PATTERNS["of_court"].match(text, run.end())
            or run.group().startswith(("In ", "Under ", "See "))
            or run.group().endswith(" Court")
        ):
            continue
        words = run.group().split()
        for first in range(len(words)):
            for last in range(len(words), first, -1):
                part = words[first:last]
                if part[0] not in _NO_NAME and part[-1] not in _NO_NAME and part[0][0].isupper():
                    yield " ".join(part).removesuffix("’s").removesuffix("'s")
