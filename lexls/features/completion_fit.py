"""How authorities fit the paragraph that is being written."""

from __future__ import annotations

from collections.abc import Sequence

from lexls.features.snapshot import Snapshot
from lexls.grounding.relevance import COMMON
from lexls.text.cancel import CancelToken

_DOCUMENTS = 300
_QUERY_TERMS = 48


def paragraph_fit(
    snapshot: Snapshot, offset: int, among: Sequence[int] | None, token: CancelToken
) -> dict[int, float]:
    """How well whole documents fit the paragraph being written: BM25, as a share of the best one's score."""
    terms = terms_around(snapshot, offset)
    if not terms:
        return {}
    documents, scores = snapshot.library.lexical_documents(terms, _DOCUMENTS, among, token)
    best = float(scores[0]) if len(scores) else 0.0
    if best <= 0:
        return {}
    return {int(each): float(score) / best for each, score in zip(documents, scores, strict=True)}


def paragraph_words(snapshot: Snapshot, offset: int) -> str:
    """The words of the paragraph being written, without its citations; while it is short, also the last."""
    draft = snapshot.draft
    here = draft.paragraph_at(offset)
    text = draft.prose(here) if here is not None else ""
    if len(text.split()) < 6:
        earlier = [each for each in draft.paragraphs if each.end <= offset and each != here]
        if earlier:
            text = f"{draft.prose(earlier[-1])} {text}"
    return text


def terms_around(snapshot: Snapshot, offset: int) -> list[str]:
    """The last terms of the paragraph being written that carry meaning, as the index counts them."""
    words = [
        word
        for word in paragraph_words(snapshot, offset).split()
        if word.casefold().strip(".,;:()") not in COMMON
    ]
    terms = list(dict.fromkeys(snapshot.tokens(" ".join(words))))
    return terms[-_QUERY_TERMS:]
