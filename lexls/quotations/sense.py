"""Find ellipses and brackets that change the meaning of the passage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.comparison import Difference
from lexls.quotations.locate import Placed
from lexls.quotations.quotation import Item
from lexls.quotations.vocabulary import MODALS, NUMBER_WORDS, PATTERNS, SWALLOWED, TENSES, is_number
from lexls.text.lexicon import STOPPED, split_words
from lexls.text.phrases import compile_pattern

_EXCEPTIONS = split_words("unless except excepting")
_SENTENCE_END = re.compile(r"[.?!]['\"”’)\]]{0,3}\s+['\"“‘(\[]{0,3}[A-Z]|\n\s*\n")
_ABBREVIATED = re.compile(rf"\b(?:{STOPPED}|U\.S|[A-Z])\.$")
_STOPPED = 24
"""Code points before a full stop that are searched for an abbreviation."""
_OPENS = re.compile(r"^\W*[,(—–]")
_CLOSES = re.compile(r"[,)—–]\W*$")
_HARMLESS = compile_pattern(PATTERNS["harmless"], {})
_EDGE = 3
"""Number of words at each end of a long omission in which a negation still affects the quoted words."""
_SHORT = 12
"""Maximum number of omitted words for a negation to count anywhere among them. In a longer omission, only the
words at the ends count.
"""
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
_HEAD = 6
"""Maximum number of words omitted at the beginning of a sentence that are examined."""
_NEGATIONS = SWALLOWED - _EXCEPTIONS - {"only"}


def find_changed_ellipses(
    authority: AuthorityText, items: Sequence[Item], placed: Placed
) -> Iterator[Difference]:
    """Yield a difference for each ellipsis that omits a negation or an exception from its clause."""
    for at, low, high in placed.gaps:
        swallowed = _swallowed(authority, low, high) if high > low else _swallowed_last(authority, low)
        if swallowed:
            span = authority.span(low, high if high > low else min(low + 8, len(authority)))
            yield Difference("ellipsis-sense", items[at].span, span, swallowed)


def _swallowed_last(authority: AuthorityText, low: int) -> tuple[str, ...]:
    """Return the exception that follows directly after a final ellipsis, since it qualifies the quoted words;
    () if there is none.
    """
    if not 0 < low < len(authority) or "." in authority.between(low, low).of(authority.source):
        return ()
    return tuple(word for word in authority.words(low, low + 1) if word in _EXCEPTIONS)


def _swallowed(authority: AuthorityText, low: int, high: int) -> tuple[str, ...]:
    around = authority.between(low, high)
    text = around.of(authority.source)
    end = _last_sentence_end(text)
    if end:
        # Of the omitted sentences, only the beginning of the last one belongs to the quoted words.
        low = authority.word_at(around.start + end)
        text = text[end:]
        if high - low > _HEAD or _CLOSES.search(text):
            return ()
    harmless = _HARMLESS.sub(lambda match: "x " * len(match.group().split()), text)
    bare = {word.strip(',.;:()[]“”"—–') for word in re.sub("['’]", "", harmless.casefold()).split()}
    said = authority.words(low, high)
    found = [(at, word) for at, word in enumerate(said) if word in SWALLOWED and word in bare]
    if _OPENS.search(text) and _CLOSES.search(text):
        found = [(at, word) for at, word in found if word in _EXCEPTIONS]
    elif len(said) > _SHORT:
        found = [(at, word) for at, word in found if at < _EDGE or at >= len(said) - _EDGE]
    return tuple(word for _, word in found)


def _last_sentence_end(text: str) -> int:
    """Return the offset after the last complete sentence of ``text``; 0 if there is none."""
    stops = [match.start() + 1 for match in _SENTENCE_END.finditer(text)]
    ends = (each for each in reversed(stops) if not _ABBREVIATED.search(text[max(0, each - _STOPPED) : each]))
    return next(ends, 0)


def find_changed_brackets(
    authority: AuthorityText, items: Sequence[Item], placed: Placed
) -> Iterator[Difference]:
    """Yield a difference for each bracket that replaces the original's words by a different modal verb,
    number or negation.
    """
    for step in placed.steps:
        item = items[step.q_low]
        if step.kind == "bracket" and (
            changed := _changed(item.words, authority.words(step.a_low, step.a_high))
        ):
            yield Difference("bracket-sense", item.span, authority.span(step.a_low, step.a_high), changed)


def _changed(written: Sequence[str], original: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a bracket and the original that change the meaning: negations or, if there are
    none, modal verbs or, failing these, numbers.
    """
    found = (find(written, original) for find in (_changed_negations, _changed_modals, _changed_numbers))
    return next(filter(None, found), ()) if written else ()


def _changed_negations(written: Sequence[str], original: Sequence[str]) -> tuple[str, ...]:
    ours, theirs = ([word for word in said if word in _NEGATIONS] for said in (written, original))
    return tuple(ours + theirs) if bool(ours) != bool(theirs) else ()


def _changed_modals(written: Sequence[str], original: Sequence[str]) -> tuple[str, ...]:
    ours, theirs = (
        {TENSES.get(each, each) for each in said if each in MODALS} for said in (written, original)
    )
    return tuple(sorted(ours)) if ours != theirs and (theirs or len(written) == 1) else ()


def _changed_numbers(written: Sequence[str], original: Sequence[str]) -> tuple[str, ...]:
    if _is_report(written):
        return ()  # the publisher's citation of a case that the words name
    ours, theirs = (
        tuple(NUMBER_WORDS.get(word, word) for word in said if is_number(word))
        for said in (written, original)
    )
    return ours if theirs and ours != theirs else ()


def _is_report(words: Sequence[str]) -> bool:
    """Return whether the words of a bracket are a report citation: a year, letters and numbers."""
    years = sum(_YEAR.match(word) is not None for word in words)
    numbers = sum(word.isdigit() for word in words)
    return years > 0 and numbers > 1 and numbers < len(words) <= numbers + 4 * years
