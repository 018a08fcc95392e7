"""Tell sentences that are the kind of clause a question asks for, whatever their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from lexls.retrieval.described_documents import CONTRACTS, MOST_DESCRIBED

if TYPE_CHECKING:
    from lexls.index.records import Authority
    from lexls.retrieval.clauses import ClauseModel, ClauseTypes
    from lexls.text.spans import Span

SURELY = 0.5
"""What is at least so likely is a clause of the kind."""
LIKELY = 0.25
"""What is at least so likely is one if it also says what is asked for: a time, an amount."""


@cache
def _load() -> tuple[ClauseTypes, ClauseModel]:
    from lexls.index.tokens import Tokenizer
    from lexls.retrieval.clauses import ClauseModel, ClauseTypes

    tokenizer = Tokenizer()
    types = ClauseTypes(tokenizer)
    return types, ClauseModel.load(types, tokenizer)


def are_contracts_asked(found: Iterable[Authority]) -> bool:
    """Whether a question was asked of one contract or a few: then its kind of clause is an answer without
    any of its words. Elsewhere ("how long may an embryo be stored?") it is none."""
    kinds = {each.id: each.kind for each in found}
    return 0 < len(kinds) <= MOST_DESCRIBED and CONTRACTS.issuperset(kinds.values())


def find_headings(authority: Authority, text: str) -> Sequence[tuple[str, Span]]:
    """The headings of the clauses in ``text``, a piece of the authority, each with the range of its clause in
    the piece; none in what is no contract."""
    from lexls.retrieval.clauses import find_headed_spans

    return find_headed_spans(text) if authority.kind in CONTRACTS else ()


def asks_for_clause(question: str) -> bool:
    """Whether ``question`` asks for a kind of clause that is known."""
    return bool(_load()[0].recognise(question))


def measure_clauses(question: str, sentences: Sequence[str]) -> list[float]:
    """How likely each of ``sentences`` is a clause of the kind that ``question`` asks for, from 0 to 1.

    Empty where it asks for no kind of clause. "How long is the term?" asks for "in effect for three years".
    """
    import numpy as np

    types, model = _load()
    kinds = types.recognise(question)
    if not kinds or not sentences:
        return []
    counted, _ = model.count(sentences)
    odds = np.max([model.scores(kind, counted) for kind in kinds], axis=0)
    likely: list[float] = (1 / (1 + np.exp(-odds))).tolist()
    return likely
