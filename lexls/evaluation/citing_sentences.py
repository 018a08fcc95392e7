"""Draw questions from a library itself: what its documents cite its authorities for."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexls.evaluation.statistics import SEED
from lexls.index.tokens import Tokenizer

if TYPE_CHECKING:
    from lexls.index.library import Library
    from lexls.text.cancel import CancelToken

FEWEST_TERMS = 8
"""Distinct terms of a sentence from which on it says what it cites an authority for."""
NAMING = 5.0
"""The idf from which on a term of a title names its authority."""


@dataclass(frozen=True, slots=True)
class CitingQuestion:
    """What document ``citing`` says, its citations left out, and the authorities that it ``cites`` for it."""

    citing: int
    text: str
    cites: frozenset[int]


def draw_questions(
    library: Library,
    tokenizer: Tokenizer,
    count: int,
    token: CancelToken,
    kinds: Collection[str] | None = None,
) -> list[CitingQuestion]:
    """At most ``count`` citing sentences, drawn by lot but always the same, from as many documents as can be.

    Sentences of few terms, and those that name what they cite, are left out. Only authorities of these
    ``kinds`` count (None: all). Raises ``Cancelled``.
    """
    documents = [each.id for each in library.catalogue.all() if kinds is None or each.kind in kinds]
    pairs = library.precedents.find_citing(documents, token=token)
    cites: defaultdict[int, set[int]] = defaultdict(set)
    for precedent, authority in zip(*(column.tolist() for column in pairs), strict=True):
        cites[precedent].add(authority)
    waiting: defaultdict[int, list[CitingQuestion]] = defaultdict(list)
    texts: set[str] = set()
    for record in library.precedents.records(sorted(cites), token):
        terms = frozenset(tokenizer.tokenize(record.proposition))
        if len(terms) < FEWEST_TERMS or record.proposition in texts:
            continue
        if not _names(library, terms, cites[record.id]):
            texts.add(record.proposition)
            question = CitingQuestion(record.citing, record.proposition, frozenset(cites[record.id]))
            waiting[record.citing].append(question)
    chance = random.Random(SEED)
    by_document = [chance.sample(each, len(each)) for _, each in sorted(waiting.items())]
    chance.shuffle(by_document)
    turns = max(map(len, by_document), default=0)
    drawn = [each[turn] for turn in range(turns) for each in by_document if turn < len(each)]
    return drawn[:count]


def _names(library: Library, terms: frozenset[str], authorities: set[int]) -> bool:
    """Whether one of ``terms`` names one of ``authorities``."""
    shared = sorted(terms & library.title_terms(authorities))
    return any(idf > NAMING for idf in library.rarity(shared))
