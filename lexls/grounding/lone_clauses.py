"""Cut the clauses out of a quotation that can stand alone as sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.grounding.markdown import fold
from lexls.grounding.reading import remove_label
from lexls.text.lexicon import split_words
from lexls.text.phrases import load_phrases
from lexls.text.sentences import cut_sentences

_PHRASES = load_phrases(__package__, "phrases.toml")["clauses"]
_NO_BEGINNING = split_words(_PHRASES["no_beginning"])
_CUT_BEFORE = split_words(_PHRASES["cut_before"])
_NO_END = split_words(_PHRASES["no_end"])
_FINITE = split_words(_PHRASES["finite"])
"""Words by which a clause is told from a mere phrase."""
_BARE = re.compile(r"^[\W_]+|[\W_]+$")
_QUOTES = frozenset('“”"')
_MARKS = str.maketrans("", "", '“”"*#`<>|\\')
_WORDS = range(5, 46)
COPIED = 0.8
"""A sentence that copies so much of a quotation says no more than it."""


def list_clauses(quotation: str) -> list[str]:
    """The parts of each sentence of ``quotation``, from the beginning of a clause to the end of one, that
    read as sentences and are shorter than it. Whether one still says what it says, this does not tell."""
    text = remove_label(fold(quotation))
    most = min(_WORDS.stop - 1, int(COPIED * len(text.split())))
    found: dict[str, None] = {}
    for sentence in cut_sentences(text):
        found |= dict.fromkeys(_cut(sentence.of(text).split(), most))
    return list(found)


def _cut(words: list[str], most: int) -> Iterator[str]:
    bare = [_BARE.sub("", word).casefold() for word in words]
    for start, word in enumerate(words):
        opens = not start or bare[start - 1] == "that"
        if not opens or bare[start] in _NO_BEGINNING or not (word == "A" or re.search("[a-z]", word)):
            continue
        if _is_open(words[:start]):
            continue
        for end in range(start + _WORDS.start, min(start + most, len(words)) + 1):
            goes_on = words[end - 1].endswith(",") and end < len(words) and bare[end] in _CUT_BEFORE
            closed = end == len(words) or words[end - 1].endswith(";") or goes_on
            reads = bare[end - 1] not in _NO_END and not _FINITE.isdisjoint(bare[start:end])
            quoted = word[0] in _QUOTES and _QUOTES.isdisjoint(words[end - 1])
            if closed and reads and not quoted and not _is_open(words[start:end]):
                text = " ".join(words[start:end]).translate(_MARKS).rstrip(" ,;:—–-.?!")
                yield f"{text[0].upper()}{text[1:]}."
            if words[end - 1].endswith(";"):
                break


def _is_open(words: list[str]) -> bool:
    """Whether a quotation begins or ends in ``words`` but does not do both."""
    text = " ".join(words)
    return text.count("“") != text.count("”") or text.count('"') % 2 == 1
