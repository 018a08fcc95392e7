"""Find the documents that cite an authority for what a sentence says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lexls.index.records import PrecedentRecord
from lexls.retrieval.precedents import CaseWeights, MatchedPrecedents, PrecedentMatch

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.retrieval.cases import Case
    from lexls.retrieval.past_cases import PastCases
    from lexls.text.cancel import CancelToken

LEAST_SIMILARITY = 0.8
"""Minimum cosine of two propositions that say the same. In a sample from American opinions, nearly all pairs
above this value said the same, half of those from 0.75 to 0.8, and few below.
"""
LEAST_SHARED = 0.35
"""Minimum share of the shorter proposition's terms that must also be in the longer one. A cosine alone is not
enough, since its meaning varies with the model.
"""
LEAST_SHARED_ALONE = 0.7
"""Minimum share of the longer proposition's terms that both have, if there are no vectors."""
FEWEST_TERMS = 4
"""Minimum number of terms in a specific proposition; "The appeal is dismissed" has too few."""
_MOST_READ = 200


@dataclass(frozen=True, slots=True)
class CitedFor:
    """The precedents that cite an authority for one proposition: the best one of each library document, in
    order.

    ``own`` are the user's own cases that cite it, one per file.
    """

    authority: int
    precedents: tuple[PrecedentRecord, ...]
    own: tuple[Case, ...] = ()

    @property
    def count(self) -> int:
        """Return the number of library documents."""
        return len(self.precedents)


def find_cited_for(
    library: SearchableIndex,
    terms: Sequence[str],
    vector: NDArray[np.float32] | None,
    matched: MatchedPrecedents,
    tokenize: Callable[[str], Sequence[str]],
    token: CancelToken,
    *,
    past: PastCases | None = None,
    excluded: Sequence[Path] = (),
) -> Mapping[int, CitedFor]:
    """Return the authorities that other documents cite for what a sentence says, by authority.

    ``terms`` are the sentence's index terms and ``vector`` its vector (None to compare words only).
    ``matched`` are the candidate precedents, and ``past`` the user's own cases, except those in ``excluded``
    files. Each document counts once per authority, and only if it says the same (see ``LEAST_SIMILARITY``).
    Raises ``Cancelled``.
    """
    asked = frozenset(terms)
    if len(asked) < FEWEST_TERMS:
        return {}
    matches = matched.rank(_MOST_READ, CaseWeights("question"), None, token)
    alike = [match for match in matches if match.question is None or match.question >= LEAST_SIMILARITY]
    # Most share too few terms, which the index shows without reading them.
    ids = np.array([match.precedent for match in alike], np.int64)
    shared = library.precedents.holding(tuple(asked), ids, token).sum(axis=0)
    alike = [
        match for match, count in zip(alike, shared.tolist(), strict=True) if count >= _least(asked, match)
    ]
    said = {
        record.id: record
        for record in library.precedents.records(dict.fromkeys(each.precedent for each in alike), token)
    }
    found: dict[int, dict[int, PrecedentRecord]] = {}
    for match in alike:
        record = said.get(match.precedent)
        if record is not None and _says_the_same(asked, match, tokenize(record.proposition)):
            found.setdefault(match.authority, {}).setdefault(match.citing, record)
    own: dict[int, dict[Path, Case]] = {}
    if past is not None:
        for match, case in past.match(
            terms, vector, _MOST_READ, CaseWeights("question"), token, excluded=excluded
        ):
            if _says_the_same(asked, match, tokenize(case.question)):
                own.setdefault(match.authority, {}).setdefault(case.path, case)
    return {
        authority: CitedFor(
            authority, tuple(found.get(authority, {}).values()), tuple(own.get(authority, {}).values())
        )
        for authority in (found | own)
    }


def _least(asked: frozenset[str], match: PrecedentMatch) -> float:
    """Return the minimum number of ``asked`` terms that a precedent of any length must share."""
    if match.question is None:
        return LEAST_SHARED_ALONE * len(asked)
    return LEAST_SHARED * FEWEST_TERMS


def _says_the_same(asked: frozenset[str], match: PrecedentMatch, terms: Sequence[str]) -> bool:
    said = frozenset(terms)
    if len(said) < FEWEST_TERMS:
        return False
    if match.question is None:
        # Without vectors the longer one must not say much more either.
        return len(asked & said) >= LEAST_SHARED_ALONE * max(len(asked), len(said))
    return match.question >= LEAST_SIMILARITY and len(asked & said) >= LEAST_SHARED * min(
        len(asked), len(said)
    )
