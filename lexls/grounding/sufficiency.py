"""Judge whether the passages found are close enough to the question to answer it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from lexls.grounding.answer import Request
from lexls.grounding.sought import (
    LIKELY,
    SURELY,
    are_contracts_asked,
    find_sought,
    measure_clauses,
    name_clauses,
)
from lexls.retrieval.relevance import Tokens, find_terms
from lexls.wording.markdown import list_choices

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.retrieval.model import Hit

BEST = 3
"""Number of passages averaged, since a single one may share a few words by accident."""
WORDS_BESIDE_SIMILARITY = 0.7
ENOUGH = 0.64
"""Minimum of the cosine plus ``WORDS_BESIDE_SIMILARITY`` times the share of the question's words."""
WORDS_ALONE = 0.0305
"""Factor of the minimum share of the question's words without vectors. The minimum is this factor times the
natural logarithm of the number of passages, but at least ``LEAST_WORDS``.

The more passages there are, the more words some of them share by chance.

``ENOUGH`` and ``WORDS_BESIDE_SIMILARITY`` are rounded results of a logistic regression over 224 propositions
of American opinions and the 160 first sentences of ``benchmarks/unrelated_propositions.txt``. ``WORDS_ALONE``
is slightly below its regression result, with a slope based on two libraries. The rates are in
``benchmarks/RESULTS.md``.
"""
LEAST_WORDS = 0.2
_MOST_NAMED = 4
_UNRECOGNISED = (
    "No clause of this kind was recognised in the passages found. "
    "There may be one elsewhere or in other words: read the clauses."
)


def find_weakness(
    request: Request,
    tokens: Tokens,
    library: SearchableIndex,
    hits: Sequence[Hit],
    vector: NDArray[np.float32] | None = None,
) -> str:
    """Return the reason why ``hits`` are too weak to answer from, or an empty string.

    The reason is a sentence for the user. ``vector`` is the question's; if it is None, only words count. If a
    given authority is explained or named contracts are searched, only missing evidence is a reason.
    """
    if not request.evidence:
        return "Nothing was found in your library to answer from."
    if request.task == "explain" or _are_named_contracts(request):
        return ""
    distance = describe_distance(request.subject, tokens, library, hits, vector)
    if not distance or _has_clause(request, hits):
        return ""
    return describe_unrecognised(request) or distance


def _are_named_contracts(request: Request) -> bool:
    return request.named and are_contracts_asked(each.authority for each in request.evidence)


def describe_unrecognised(request: Request) -> str:
    """Return the message that no clause of the type asked for was recognised in the contracts, or an empty
    string for other requests. Contracts vary in wording, so the clause may exist all the same.
    """
    if request.task != "ask" or not are_contracts_asked(each.authority for each in request.evidence):
        return ""
    return _UNRECOGNISED if name_clauses(request.subject) else ""


def describe_distance(
    subject: str,
    tokens: Tokens,
    library: SearchableIndex,
    hits: Sequence[Hit],
    vector: NDArray[np.float32] | None = None,
) -> str:
    """Return the reason why ``hits`` are too far from ``subject``, as a sentence for the user, or an empty
    string.

    ``vector`` is the subject's; if it is None, only words count.
    """
    asked = find_terms(subject, tokens)
    if not asked:
        return "There are no words here that could be looked for."
    weights = _weights(asked, library)
    words = _share_of_words(weights, hits, tokens)
    similarity = _measure_similarity(hits, library, vector)
    if similarity is None:
        strong = words >= max(LEAST_WORDS, WORDS_ALONE * math.log(max(2, library.passage_count)))
    else:
        strong = similarity + WORDS_BESIDE_SIMILARITY * words >= ENOUGH
    return "" if strong else _reason(asked, library)


def _has_clause(request: Request, hits: Sequence[Hit]) -> bool:
    """Return whether the question asks for a clause type and the contracts contain such a clause."""
    if request.task != "ask" or not are_contracts_asked(hit.authority for hit in hits):
        return False
    sought = find_sought(request.question)
    texts = [hit.passage.text for hit in hits]
    return any(
        likely >= (SURELY if sought is None or sought.says.search(text) is None else LIKELY)
        for text, likely in zip(texts, measure_clauses(request.subject, texts), strict=False)
    )


def _weights(asked: Iterable[str], library: SearchableIndex) -> dict[str, float]:
    """Return the weight of each term: its idf in the library, or the maximum if it does not occur there."""
    terms = list(asked)
    count = library.passage_count
    most = math.log(1 + (count + 0.5) / 0.5)
    return {
        term: rarity if rarity > 0 else most
        for term, rarity in zip(terms, library.rarity(terms), strict=True)
    }


def _share_of_words(weights: Mapping[str, float], hits: Sequence[Hit], tokens: Tokens) -> float:
    """Return the weighted share of the question's terms that a passage covers, averaged over the best
    passages.
    """
    total = sum(weights.values())
    shares = []
    for hit in hits:
        # A question may name a document whose name does not occur in its passages.
        found = set(tokens(f"{hit.passage.text}\n{hit.authority.title}"))
        shares.append(sum(weight for term, weight in weights.items() if term in found) / total)
    best = sorted(shares, reverse=True)[:BEST]
    return sum(best) / BEST if len(shares) >= BEST else sum(best) / max(1, len(best))


def _measure_similarity(
    hits: Sequence[Hit], library: SearchableIndex, vector: NDArray[np.float32] | None
) -> float | None:
    """Return the mean cosine of the passages closest to the question, or None if most have no vector."""
    if vector is None:
        return None
    found = [library.vector(hit.passage.id) for hit in hits]
    cosines = [float(each @ vector) for each in found if each is not None]
    if not cosines or 2 * len(cosines) < len(hits):
        return None
    best = sorted(cosines, reverse=True)[:BEST]
    return sum(best) / len(best)


def _reason(asked: Mapping[str, str], library: SearchableIndex) -> str:
    unknown = [
        word
        for (term, word), rarity in zip(asked.items(), library.rarity(list(asked)), strict=True)
        if rarity <= 0 and not len(library.lexical([term], 1)[0])
    ]
    reason = "Nothing found in your library is near enough to this to rest on"
    if not unknown:
        return f"{reason}."
    named = [f"“{word}”" for word in unknown[:_MOST_NAMED]]
    more = len(unknown) - len(named)
    listed = list_choices(named, f"{more} more of its words" if more else "")
    return f"{reason}; it nowhere mentions {listed}."
