"""A long narrative in its own sentences: the few that say most of it."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Mapping

from lexls.index.tokens import Tokenizer
from lexls.text.sentences import sentences

SUMMARY_WORDS = 160
"""What a model of 256 word pieces reads, about."""


def summary(
    text: str,
    tokenizer: Tokenizer,
    rarity: Callable[[str], float],
    words: int = SUMMARY_WORDS,
) -> str:
    """The sentences of ``text`` that hold most of its telling terms, in their order, at most ``words`` words.

    ``rarity`` tells the idf of a term, 0 for one that tells nothing. A term counts by it, and by how often
    the text says it; but once only, so that the next sentence is one that adds something. A long sentence
    must say more than a short one. A text that is short enough comes back as it is; at least one sentence
    comes.
    """
    if len(text.split()) <= words:
        return text
    spans = sentences(text)
    cut = [span.of(text) for span in spans]
    terms = [frozenset(tokenizer.tokenize(sentence)) for sentence in cut]
    lengths = [len(sentence.split()) for sentence in cut]
    said: Mapping[str, int] = Counter(tokenizer.tokenize(text))
    worth = {term: (1 + math.log(count)) * rarity(term) for term, count in said.items()}
    covered: set[str] = set()

    def gain(number: int) -> float:
        return sum(worth.get(term, 0.0) for term in terms[number] - covered) / math.sqrt(lengths[number] + 5)

    # What a sentence adds only falls as others are chosen: the first whose figure is of now is the best.
    waiting = [(-gain(number), number, 0) for number in range(len(cut))]
    heapq.heapify(waiting)
    chosen: list[int] = []
    room = words
    while waiting and room > 0:
        _, best, seen = heapq.heappop(waiting)
        if lengths[best] > room and chosen:
            continue
        if seen < len(chosen):
            heapq.heappush(waiting, (-gain(best), best, len(chosen)))
            continue
        chosen.append(best)
        covered |= terms[best]
        room -= lengths[best]
    return " ".join(cut[number] for number in sorted(chosen))
