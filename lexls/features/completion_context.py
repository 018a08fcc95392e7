"""Determine what is being typed (a name, a citation or a section), and where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lexls.citations import case_names
from lexls.reading.authority_names import AuthorityNames, is_without_name, list_words
from lexls.reading.draft import Draft
from lexls.retrieval.relevance import COMMON
from lexls.text.lexicon import VERSUS_WORDS
from lexls.text.phrases import load_words
from lexls.text.spans import Span

Strength = Literal["emphasis", "clause", "signal", "bare"]
"""Evidence that a name is being typed: emphasis opened directly before it, a signal that opens a clause ("See
"), any signal ("see", "in", a colon), or none.
"""

_WORD_START = re.compile(r"(?<![^\W_])(?<![^\W_]_)(?<!['’.&-])(?=[^\W_]|[(\[])")
_SIGNAL = re.compile(
    r"(?:\b(?:see|also|cf\.?|in|per|following|applying|by|with|under|of the)\s+|[:;(\[—–]\s*)$", re.IGNORECASE
)
_SIGNAL_WORDS = (
    r"(?:[Bb]ut\s+|[Aa]nd\s+)?(?:[Ss]ee|[Cc]f\.|[Aa]ccord|[Cc]ompare|[Cc]ontra)"
    r"(?:,?\s+(?:also|generally|e\.g\.))?,?"
)
_SIGNAL_FIRST = re.compile(rf"{_SIGNAL_WORDS}\s+")
_LAST_WORD = re.compile(r"(\S+)\s*$")
_ENDS_PHRASE = tuple(',;:—–"”’)!?([')
_WORDS = load_words(case_names.__name__, "words.toml")
_SMALL = _WORDS["small_when_typed"]
_GENERIC = _WORDS["generic"]
_MOST_WORDS = 14
_LEAST: dict[Strength, float] = {"emphasis": 0.5, "clause": 0.5, "signal": 0.75, "bare": 0.85}
_FEWEST_LETTERS: dict[Strength, int] = {"emphasis": 1, "clause": 1, "signal": 3, "bare": 3}


def _read_typed(
    draft: Draft, names: AuthorityNames, line: int, offset: int, emphasis: int | None
) -> tuple[ContextKind, int, str] | None:
    """Return the longest text that begins a name or citation and ends at ``offset``: its kind, its start, and
    its words on one line. Returns None if there is none.

    The text begins in this line, whose start is ``line``. ``emphasis`` is where emphasised words begin, or
    None.
    """
    opened_last = emphasis is not None and not _CLOSING.search(draft.source, emphasis, offset)
    for start in _starts(draft, emphasis if emphasis is not None and opened_last else line, offset):
        typed = " ".join(draft.masked[start:offset].split())
        if not typed:
            continue
        if draft.masked[offset - 1].isspace():
            typed += " "
        before = draft.masked[line:start]
        opened = start == emphasis
        if _is_citation(names, typed.strip(), opened or before.endswith(("(", "["))):
            return "citation", start, typed
        strength: Strength = "signal" if _SIGNAL.search(before) else "bare"
        strength = "emphasis" if opened else "clause" if _SIGNAL_ALONE.search(before) else strength
        may_begin = (opened or _may_begin(before)) and not _is_behind_signal(names, typed)
        if may_begin and _is_name(names, typed, strength):
            return "name", start, typed
    return None


def _is_behind_signal(names: AuthorityNames, typed: str) -> bool:
    """Return whether the typed words are a signal and the start of a name: "See And". If the signal could be
    part of a case's name, it is not counted as one.
    """
    signal = _SIGNAL_FIRST.match(typed)
    return signal is not None and names.begins(typed[signal.end() :]) and not names.begins(typed)


def _starts(draft: Draft, line: int, offset: int) -> Iterator[int]:
    """Yield the offsets at which the name or citation may begin, earliest first. None of them is inside a
    finished citation.
    """
    floor = line
    for citation in draft.citations.between(line, offset):
        if citation.span.end < offset and citation.core.end > floor:
            floor = citation.core.end
    paragraph = draft.paragraph_at(offset)
    if paragraph is not None:
        floor = max(floor, min(paragraph.start, offset))
    found = [
        match.start() for match in _WORD_START.finditer(draft.masked, floor, offset) if match.start() < offset
    ]
    yield from found[-_MOST_WORDS:]


def _is_citation(names: AuthorityNames, typed: str, opened: bool) -> bool:
    """Return whether the words begin a citation, not merely a number in prose."""
    first = typed[0]
    if first not in "[(0123456789" or not any(char.isdigit() for char in typed):
        return False
    if opened or first in "[(":
        enough = sum(char.isdigit() for char in typed) >= 2
    else:
        enough = " " in typed and any(char.isalpha() for char in typed)
    return enough and bool(names.by_citation(typed, 1))


def _may_begin(before: str) -> bool:
    """Return whether a name may begin after ``before``: not after "v" or a number, nor within a run of
    capitalised words.
    """
    match = _LAST_WORD.search(before)
    if match is None or match[1].endswith(_ENDS_PHRASE):
        return True
    last = match[1]
    bare = last.strip(".").casefold()
    if bare in VERSUS_WORDS or last == "&" or last.isdigit():
        return False
    if bare == "of":
        earlier = _LAST_WORD.search(before[: match.start()])
        return earlier is None or not earlier[1][:1].isupper()
    return last.endswith(".") or not last[0].isupper() or bare in COMMON or bare in _SMALL or bare == "see"


def _is_name(names: AuthorityNames, typed: str, strength: Strength) -> bool:
    found = list_words(typed)
    if not found:
        return False
    first = found[0][0]
    if not (
        first.isupper()
        or (strength == "clause" and first.isdigit())
        or (strength == "emphasis" and first.isalnum())
    ):
        return False
    folded = [word.casefold() for word in found]
    opened = strength in ("emphasis", "clause")
    telling = [word for word in folded if word not in _SMALL and word not in VERSUS_WORDS]
    if opened and (
        names.begins(typed) or is_without_name(typed) or (not telling and names.by_name(typed, 1))
    ):
        return True  # "The", "In re", "A", "Smt.": words that say nothing of themselves
    if not telling or sum(len(word) for word in telling) < _FEWEST_LETTERS[strength]:
        return False
    unfinished = typed[-1].isalnum()
    if strength != "emphasis":
        if any(word[0].islower() and word not in _SMALL for word in found):
            return False
        if (
            strength != "clause"
            and not VERSUS_WORDS.intersection(folded)
            and all(_is_generic(names, word, unfinished and word == telling[-1]) for word in telling)
        ):
            return False
        if unfinished and found[-1].islower():
            return names.begins(typed)
    if not opened and (folded[0] in _SMALL or folded[0] in COMMON):
        return len(found) > 1 and names.begins(typed)
    if any(quality >= _LEAST[strength] for quality in names.by_name(typed, 1).values()):
        return True
    # Behind an opened emphasis a name may begin otherwise than in the library: "In Interest of Kupp".
    telling_last = strength == "emphasis" and not _is_generic(names, folded[-1], unfinished)
    return telling_last and bool(names.by_last_words(typed, 1))


def _is_generic(names: AuthorityNames, word: str, unfinished: bool) -> bool:
    """Return whether a word is too common to indicate a name. An unfinished word is, if it begins a common
    word but no name.
    """
    if unfinished:
        generic = any(each.startswith(word) for each in _GENERIC)
        return generic and not (names.first_words(word) - _GENERIC - COMMON)
    return word in _GENERIC or word in COMMON


ContextKind = Literal["name", "citation", "section", "any", "mention"]
"""What is being typed. ``any``: nothing yet, after an opening mark or a signal. ``mention``: nothing yet,
after "in", "under" or the like.
"""

_OPENING = re.compile(r"(?:\*{1,2}|(?<!\w)_|\\(?:textit|emph|textsl)\{|#emph\[|[(\[“\"])$")
_EMPHASIS_OPENED = re.compile(r"(?<![\w*])\*(?=\w)|(?<![\w_])_(?=\w)|\\(?:textit|emph|textsl)\{|#emph\[")
_EMPHASIS = re.compile(r"(?:(?<!\*)\*|(?<![\w_])_|\\(?:textit|emph|textsl)\{|#emph\[)$")
_SECTION = re.compile(
    r"(?<![\w.'’])(?:ss?|sec|sections?|§{1,2})\.?[ \t]+(?P<label>\d[\w()]*|)$|§{1,2}(?P<bare>\d[\w()]*)$"
)
_OF_ACT = re.compile(
    r"(?<!\w)(?:ss?|sections?|regs?|regulations?|arts?|articles?|clauses?)\.?\s+\d[\w()]*(?:\s*(?:,|and|to|[-–])\s*\d[\w()]*)*\s+of\s+(?:the\s+)?$",
    re.IGNORECASE,
)
# A signal that opens a sentence, a clause or a bracket: "See, e.g., ", "; see also ", "(quoting ".
_SIGNAL_ALONE = re.compile(rf"(?:(?:^|[.;:(\[“\"—–])\s*{_SIGNAL_WORDS}|\(\s*(?:quoting|citing))\s+$")
_MENTION = re.compile(r"\b(?:[Ii]n|[Uu]nder|[Bb]y|[Pp]er|[Ff]ollowing|[Aa]pplying|[Dd]istinguishing)\s+$")
_CLOSING = re.compile(r"[*_}\]]")
_CLOSERS = {"*": "*", "_": "_", "{": "}", "[": "]"}
_LOOK_BACK = 120


@dataclass(frozen=True, slots=True)
class Context:
    """What is being typed.

    ``typed`` is the text to complete, ``replace`` the span of the source that an item replaces (including
    surrounding markup if items bring their own). ``before`` is the text before ``replace``; ``of_act`` is
    true if it ends in "section 12 of the". ``fills`` is true if only a name can follow, so that any proposal
    is better than an empty list.
    """

    kind: ContextKind
    typed: str
    replace: Span
    before: str = ""
    of_act: bool = False
    fills: bool = False


def find_context(draft: Draft, names: AuthorityNames, offset: int) -> Context | None:
    """Return what is being typed at ``offset``, or None. The offset must not be hidden (see
    ``is_hidden``).
    """
    source = draft.source
    line = max(source.rfind("\n", 0, offset), source.rfind("\r", 0, offset)) + 1
    line = max(line, offset - _LOOK_BACK)
    before = source[line:offset]
    typed = _authority(draft, names, line, offset)
    if typed is not None:
        return typed
    section = _SECTION.search(before)
    if section is not None:
        label = section["label"] or section["bare"] or ""
        start = line + section.start()
        return Context("section", label, Span(start, _end(source, offset)))
    signals, mentions = follows_signal(draft, offset), _MENTION.search(draft.masked[line:offset]) is not None
    if signals or mentions:
        free = _is_free(source[offset : offset + 1])
        kind: ContextKind = "any" if signals else "mention"
        return Context(kind, "", Span(offset, offset), fills=signals) if free else None
    opening = _OPENING.search(before)
    if opening is None:
        return None
    if not before[: opening.start()].strip("> \t") and _EMPHASIS.fullmatch(opening.group()) is None:
        return None  # a link or a bracket opens the line: it has no words yet
    return _after_opening(draft, line + opening.start(), offset)


def follows_signal(draft: Draft, offset: int) -> bool:
    """Return whether a signal precedes ``offset`` of the source, so that an authority is expected."""
    line = max(draft.source.rfind("\n", 0, offset), draft.source.rfind("\r", 0, offset)) + 1
    line = max(line, offset - _LOOK_BACK)
    return _SIGNAL_ALONE.search(draft.masked[line:offset]) is not None


def _is_free(after: str) -> bool:
    """Return whether text may be inserted before a character (an empty string at the end of the draft)."""
    return not after or after.isspace() or after in '*_}])”".,;:'


def _after_opening(draft: Draft, start: int, offset: int) -> Context | None:
    mark, after = draft.source[start:offset], draft.source[offset : offset + 1]
    emphasis = _EMPHASIS.fullmatch(mark) is not None
    # A name is typed before its citation, too: "*|(2014) 31 AldLR 5".
    if not _is_free(after) and not (emphasis and (after.isdigit() or after in "([")):
        return None  # the opening of words that are there already
    if mark in ("**", '"', "“") or (mark == "*" and draft.source[start - 1 : start].isalnum()):
        return None
    begin = start if emphasis or mark == "[" else offset
    return Context("any", "", Span(begin, _past_closer(draft.source, mark, offset)), fills=emphasis)


def is_hidden(draft: Draft, offset: int) -> bool:
    """Return whether the last text before ``offset`` in its line is code, mathematics, a comment or the like.
    Returns True if there is no text before it.
    """
    line = max(draft.source.rfind("\n", 0, offset), draft.source.rfind("\r", 0, offset)) + 1
    line = max(line, offset - _LOOK_BACK)
    visible = draft.source[line:offset].rstrip()
    if not visible:
        return True
    piece, end = visible.split()[-1], line + len(visible)
    blanked = not draft.masked[end - len(piece) : end].strip()
    return blanked and any(char.isalnum() for char in piece) and _OPENING.search(piece) is None


# -- names and citations -----------------------------------------------------------------------------------


def _authority(draft: Draft, names: AuthorityNames, line: int, offset: int) -> Context | None:
    """Return the beginning of a name or citation that has been typed up to ``offset``, with the markup around
    it, or None.
    """
    source = draft.source
    openings = [match.end() for match in _EMPHASIS_OPENED.finditer(source, line, offset)]
    found = _read_typed(draft, names, line, offset, openings[-1] if openings else None)
    if found is None:
        return None
    kind, start, typed = found
    before = source[line:start]
    emphasis = _EMPHASIS.search(before)
    begin = line + emphasis.start() if emphasis is not None else start
    opening = _OPENING.search(before)
    mark = opening.group() if opening is not None else ""
    if source[start] == "[" and not mark:
        mark = "["
    plain = draft.masked[max(0, begin - _LOOK_BACK) : begin]
    return Context(
        kind,
        typed,
        Span(begin, _past_closer(source, mark, _end(source, offset))),
        before=" ".join(plain.split()),
        of_act=_OF_ACT.search(plain) is not None,
    )


def _end(source: str, offset: int) -> int:
    """Return the end of the word at the cursor; a word of letters does not continue with a digit."""
    in_word = source[offset - 1 : offset].isalpha()
    while offset < len(source) and (
        (source[offset].isalpha() if in_word else source[offset].isalnum()) or source[offset] in "'’"
    ):
        offset += 1
    return offset


def _past_closer(source: str, mark: str, offset: int) -> int:
    """Return the offset after a closing mark that the editor inserted automatically at ``offset``."""
    closer = _CLOSERS.get(mark[-1:], "")
    return offset + len(closer) if closer and source.startswith(closer, offset) else offset
