"""Tell sentences that are the kind of clause a question asks for, whatever their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexls.index.records import Authority
    from lexls.retrieval.clauses import ClauseModel, ClauseTypes

HAVE_CLAUSES = frozenset({"contract", "other"})
"""The kinds of documents whose sentences are clauses."""
SURELY = 0.5
"""What is at least so likely is a clause of the kind."""
_FEW = 3


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
    return 0 < len(kinds) <= _FEW and HAVE_CLAUSES.issuperset(kinds.values())


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
