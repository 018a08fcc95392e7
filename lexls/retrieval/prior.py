"""What speaks for an authority before anything is asked: how often, and how well, the library treats it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexls.index.searchable import SearchableIndex


def citation_priors(
    library: SearchableIndex, documents: Iterable[int], speaking: frozenset[int] | None
) -> dict[int, float]:
    """``ln(1 + n)`` for each of ``documents``, n being the documents that cite it and may speak (None: all).

    An authority that the library says is no longer good law, and not only in part, gets 0, however many cite
    it.
    """
    priors: dict[int, float] = {}
    for document in documents:
        citers = library.citers(document)
        count = len(citers) if speaking is None else len(citers & speaking)
        priors[document] = 0.0 if count and fallen(library, document, speaking) else math.log1p(count)
    return priors


def fallen(library: SearchableIndex, document: int, speaking: frozenset[int] | None) -> bool:
    """Whether a document that may speak (None: any) says that this one is no longer good law, and not only
    in part."""
    worst = library.worst_treatment(document)
    return worst is not None and not worst.extent and (speaking is None or worst.citing in speaking)
