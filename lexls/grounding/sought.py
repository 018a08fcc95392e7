"""Recognise what a question asks for (a time, an amount, a clause type), and the sentences that state it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from lexls.retrieval.named_documents import CONTRACTS, MOST_DESCRIBED
from lexls.retrieval.relevance import Tokens
from lexls.text.lexicon import split_words
from lexls.text.phrases import compile_pattern, define_parts, load_phrases

if TYPE_CHECKING:
    from lexls.index.records import Authority
    from lexls.retrieval.clauses import ClauseModel, ClauseTypes
    from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Sought:
    """A type of information asked for: ``asks`` matches the question, ``says`` a sentence that states it.

    ``words`` only belong to the question ("how long", "what is the term"). An answer ("three years") need not
    contain them, and a sentence that does may not answer it.
    """

    asks: re.Pattern[str]
    words: frozenset[str]
    says: re.Pattern[str]

    def find_asking(self, tokens: Tokens) -> frozenset[str]:
        """Return the terms of ``words``."""
        return frozenset(term for word in self.words for term in tokens(word))


@cache
def _load_sought() -> Sequence[Sought]:
    data = load_phrases(__package__, "sought.toml")
    parts = define_parts(data.pop("parts"))
    return tuple(
        Sought(
            compile_pattern(kind["asks"], parts),
            split_words(kind["words"]),
            compile_pattern(kind["says"], parts),
        )
        for kind in data.values()
    )


def find_sought(question: str, *, measured: bool = True) -> Sought | None:
    """Return the type of information that a question asks for, or None.

    The types are times, amounts and numbers; unless ``measured``, also the conditions of a rule and the
    persons it binds.
    """
    line = " ".join(question.split())
    kinds = (each for each in _load_sought() if each.words or not measured)
    return next((each for each in kinds if each.asks.search(line)), None)


SURELY = 0.5
"""Minimum probability of a sentence recognised as a clause of the type."""
LIKELY = 0.25
"""Minimum probability if the sentence also states the time or amount asked for."""


@cache
def _load_clauses() -> tuple[ClauseTypes, ClauseModel]:
    from lexls.index.tokens import Tokenizer
    from lexls.retrieval.clauses import ClauseModel, ClauseTypes

    tokenizer = Tokenizer()
    types = ClauseTypes(tokenizer)
    return types, ClauseModel.load(types, tokenizer)


def are_contracts_asked(found: Iterable[Authority]) -> bool:
    """Return whether a question concerns one or a few contracts.

    A clause of the right type then answers it without sharing its words. For other sources ("how long may an
    embryo be stored?") it does not.
    """
    kinds = {each.id: each.kind for each in found}
    return 0 < len(kinds) <= MOST_DESCRIBED and CONTRACTS.issuperset(kinds.values())


def find_headings(authority: Authority, text: str) -> Sequence[tuple[str, Span]]:
    """Return the headings of the clauses in ``text``, a piece of the authority, each with the span of its
    clause. Returns none if the authority is not a contract.
    """
    from lexls.retrieval.clauses import find_headed_spans

    return find_headed_spans(text) if authority.kind in CONTRACTS else ()


def name_clauses(question: str) -> tuple[str, ...]:
    """Return the names of the clause types that ``question`` asks for."""
    return tuple(kind.name for kind in _load_clauses()[0].recognise(question))


def measure_clauses(question: str, sentences: Sequence[str]) -> list[float]:
    """Return the probability, from 0 to 1, that each of ``sentences`` is a clause of the type that
    ``question`` asks for. Returns an empty list if the question asks for no clause type.

    For "How long is the term?", a sentence with "in effect for three years" has a high probability.
    """
    import numpy as np

    types, model = _load_clauses()
    kinds = types.recognise(question)
    if not kinds or not sentences:
        return []
    counted, _ = model.count(sentences)
    odds = np.max([model.scores(kind, counted) for kind in kinds], axis=0)
    likely: list[float] = (1 / (1 + np.exp(-odds))).tolist()
    return likely
