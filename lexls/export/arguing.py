"""Find the sentences of a draft that argue: those that may call for an authority."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lexls.citations.citing_sentences import SIGNALS
from lexls.reading.propositions import write_query
from lexls.reading.snapshot import Draft, Snapshot
from lexls.retrieval.relevance import find_terms
from lexls.text.phrases import compile_pattern, load_phrases
from lexls.text.spans import Span

Progress = Callable[[int, int], None]
"""Told how many are done, of how many."""
_BACKGROUND = compile_pattern(load_phrases(__package__, "arguing.toml")["background"], {})
DISPOSES = compile_pattern(load_phrases(__package__, "arguing.toml")["disposes"], {})
"""What a court did, or how it looks at a case, or a sum of money, in a sentence."""
_STOPPED = re.compile(r"[.?!:;…][\s\d)\]\"'”’*_]*$")
"""What is no line of a title page."""
_CITES = re.compile(rf"\W*(?:{SIGNALS}|e\.g|cf)(?=\W)", re.IGNORECASE)
"""How a sentence begins that cites: what it says of its authorities in parentheses is no argument."""
_PROSE = re.compile(r"(?<![\w.])[a-z]{3,}(?![\w.])")
_FEWEST_PROSE = 3
"""Words in small letters that a sentence has which is not the name of a book or an Act."""
_FEWEST_WORDS = 6
_FEWEST_TERMS = 5
"""A sentence of fewer words, or words with a meaning, says nothing that an authority could be found by."""


def find_arguing(snapshot: Snapshot) -> Iterator[tuple[Span, str]]:
    """The sentences that argue, in order, each with its words without the cases and writings it cites.

    None are headings, what stands under the heading of a part that argues nothing (the facts), quotations set
    off, and sentences that only cite.
    """
    for sentence in _list_sentences(snapshot.draft):
        query = write_query(snapshot.draft, sentence)
        if len(query.split()) < _FEWEST_WORDS or len(_PROSE.findall(query)) < _FEWEST_PROSE:
            continue
        if _CITES.match(query) is None and len(find_terms(query, snapshot.tokens)) >= _FEWEST_TERMS:
            yield sentence, query


def _list_sentences(draft: Draft) -> Iterator[Span]:
    headings, place, level = draft.headings, 0, 0
    for paragraph in draft.paragraphs:
        while place < len(headings) and headings[place].line.start <= paragraph.start:
            heading = headings[place]
            if not level or heading.level <= level:
                level = heading.level if _BACKGROUND.search(heading.title) else 0
            place += 1
        if level or draft.heading_at(paragraph.start) is not None:
            continue
        if draft.blocks[draft.block_at(paragraph.start)].quoted:
            continue
        for sentence in draft.sentences_of(paragraph):
            if _STOPPED.search(sentence.of(draft.masked)):
                yield sentence
