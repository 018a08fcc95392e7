"""Other ways to write the legal references of a text.

The tokenizer already makes one term of "s 18", "ss 18" and "§ 18". What it cannot know is which numbers mean
one provision: section 302 of the Indian Penal Code is section 103(1) of the Bharatiya Nyaya Sanhita since
July 2024, and what a draft calls section 14 of a constitution, the constitution calls Article 14.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from lexls.citations.concordance.concordance import Concordance
from lexls.citations.model import Citation

OTHER_CODE = 0.3
"""What a term of the other code's reference counts: most texts on the matter are still on the code cited."""
OTHER_WORD = 0.5
"""What the other word for a provision counts."""
MOST_LABELS = 20
"""So many pinpoints of a text are looked up."""


def other_references(citations: Sequence[Citation]) -> list[tuple[str, float]]:
    """How else the provisions that these citations name may be written, with what each is worth (below 1).

    Each as a text of its own, such as "section 103(1) Bharatiya Nyaya Sanhita"; none where nothing else is
    known to be meant.
    """
    found: dict[str, float] = {}
    for citation in citations:
        for text, weight in _others(citation):
            found.setdefault(text, weight)
        if len(found) >= MOST_LABELS:
            break
    return list(found.items())


def _others(citation: Citation) -> Iterator[tuple[str, float]]:
    pinpoint = citation.pinpoint
    if pinpoint is None:
        return
    if citation.kind in ("constitution", "treaty") and pinpoint.kind == "section":
        for label in pinpoint.labels:
            yield f"article {label}", OTHER_WORD
    if citation.kind != "statute" or not citation.key:
        return
    concordance = _concordance()
    for label in pinpoint.labels:
        become = concordance.successors(citation.key, label) or concordance.predecessors(citation.key, label)
        if become is None or not become.labels:
            continue
        name = become.other_name.partition(",")[0]
        for other in become.labels[:3]:
            yield f"section {other} {name}", OTHER_CODE


@lru_cache(maxsize=1)
def _concordance() -> Concordance:
    return Concordance.load()
