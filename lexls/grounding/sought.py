"""Tell what a question asks for (a time, an amount, a kind of clause), and which sentences say one."""

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
    """Something that questions ask for: ``asks`` finds such a question, ``says`` a sentence that says it.

    ``words`` only ask for it ("how long", "what is the term"): who says "three years" need not have them, and
    who has them need not say how long.
    """

    asks: re.Pattern[str]
    words: frozenset[str]
    says: re.Pattern[str]

    def find_asking(self, tokens: Tokens) -> frozenset[str]:
        """The terms of ``words``."""
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
    """Return what a question asks for: a time, an amount or a number, and unless ``measured`` also the
    condition of a rule or whom it binds. None if it asks for none of these.
    """
    line = " ".join(question.split())
    kinds = (each for each in _load_sought() if each.words or not measured)
    return next((each for each in kinds if each.asks.search(line)), None)


SURELY = 0.5
"""What is at least so likely is a clause of the kind."""
LIKELY = 0.25
"""What is at least so likely is one if it also says what is asked for: a time, an amount."""


@cache
def _load_clauses() -> tuple[ClauseTypes, ClauseModel]:
    from lexls.index.tokens import Tokenizer
    from lexls.retrieval.clauses import ClauseModel, ClauseTypes

    tokenizer = Tokenizer()
    types = ClauseTypes(tokenizer)
    return types, ClauseModel.load(types, tokenizer)


def are_contracts_asked(found: Iterable[Authority]) -> bool:
    """Return whether a question was asked of one contract or a few: then its kind of clause is an answer
    without any of its words. Elsewhere ("how long may an embryo be stored?") it is none."""
    kinds = {each.id: each.kind for each in found}
    return 0 < len(kinds) <= MOST_DESCRIBED and CONTRACTS.issuperset(kinds.values())


def find_headings(authority: Authority, text: str) -> Sequence[tuple[str, Span]]:
    """The headings of the clauses in ``text``, a piece of the authority, each with the range of its clause in
    the piece; none in what is no contract."""
    from lexls.retrieval.clauses import find_headed_spans

    return find_headed_spans(text) if authority.kind in CONTRACTS else ()


def name_clauses(question: str) -> tuple[str, ...]:
    """Return the names of the kinds of clauses that ``question`` asks for; none if it asks for none."""
    return tuple(kind.name for kind in _load_clauses()[0].recognise(question))


def measure_clauses(question: str, sentences: Sequence[str]) -> list[float]:
    """Return how likely each of ``sentences`` is a clause of the kind that ``question`` asks for, from 0 to
    1.

    Empty where it asks for no kind of clause. "How long is the term?" asks for "in effect for three years".
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
