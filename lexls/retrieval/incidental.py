"""What in a text belongs to its parties and not to its matter: names, places, sums of money, dates."""

from __future__ import annotations

import re
from collections.abc import Callable

from lexls.citations.entities import entities
from lexls.index.tokens import Tokenizer
from lexls.text.sentences import sentences

_LAW = re.compile(
    r"§|\b(?:sections?|ss?|articles?|arts?|rules?|regulations?|chapters?|acts?|codes?|constitution|sanhita|"
    r"adhiniyam|ordinance|order|court|tribunal)\b",
    re.IGNORECASE,
)
"""An entity with one of these is law or a court."""


def incidental_terms(text: str, tokenizer: Tokenizer, legal: Callable[[str], bool]) -> frozenset[str]:
    """The terms of ``text`` that stand only in names of persons, firms and places, in sums and in dates.

    ``legal`` tells whether a term is a word of law or of common language: it is none of a name, though it may
    stand in one ("Bank", "Carriers"). What the text also says in small letters counts as said.
    """
    found: set[str] = set()
    said = ""
    for span in sentences(text):
        sentence = span.of(text)
        for entity in entities(sentence):
            if not _LAW.search(entity):
                found.update(term for term in tokenizer.tokenize(entity) if not legal(term))
                sentence = sentence.replace(entity, " ")
        said += " " + sentence
    return frozenset(found.difference(tokenizer.tokenize(said)))
