"""Align the entries of two logs of the same draft."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

_LEAST_ALIKE = 60.0
"""Minimum similarity, from 0 to 100, at which one text counts as an altered version of the other."""

Fate = Literal["same", "moved", "altered", "removed", "added"]
"""What has happened to an entry. ``moved`` means unchanged but in a different position relative to the
others.
"""


@dataclass(frozen=True, slots=True)
class Aligned:
    """An entry of the old log, ``then``, and its counterpart ``now``. One of them is None if the entry was
    added or removed.
    """

    fate: Fate
    then: Any
    now: Any


def align(then: Sequence[dict[str, Any]], now: Sequence[dict[str, Any]]) -> list[Aligned]:
    """Return every item of both lists once: first the items of ``then`` that still exist, in order, then the
    removed and the added ones.

    Items are identified by ``kind`` (if they have one) and ``text``.
    """
    found: dict[int, Aligned] = {}
    names, others = [_name(each) for each in then], [_name(each) for each in now]
    matched: set[int] = set()
    for block in LCSseq.opcodes(names, others).as_matching_blocks():
        for at in range(block.size):
            found[block.a + at] = Aligned("same", then[block.a + at], now[block.b + at])
            matched.add(block.b + at)
    left: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for at, name in enumerate(others):
        if at not in matched:
            left[name].append(at)
    for at, name in enumerate(names):
        if at not in found and left[name]:
            place = left[name].popleft()
            found[at] = Aligned("moved", then[at], now[place])
            matched.add(place)
    _pair_altered(then, now, found, matched)
    gone = (Aligned("removed", each, None) for at, each in enumerate(then) if at not in found)
    come = (Aligned("added", None, each) for at, each in enumerate(now) if at not in matched)
    kept = [found[at] for at in sorted(found)]
    return [*kept, *gone, *come]


def _pair_altered(
    then: Sequence[dict[str, Any]],
    now: Sequence[dict[str, Any]],
    found: dict[int, Aligned],
    matched: set[int],
) -> None:
    """Pair the items not yet paired by the similarity of their texts, the most similar first."""
    pairs = sorted(_list_alike(then, now, found, matched), key=lambda each: (-each[0], *each[1:]))
    for _, first, second in pairs:
        if first not in found and second not in matched:
            found[first] = Aligned("altered", then[first], now[second])
            matched.add(second)


def _list_alike(
    then: Sequence[dict[str, Any]],
    now: Sequence[dict[str, Any]],
    found: dict[int, Aligned],
    matched: set[int],
) -> Iterator[tuple[int, int, int]]:
    old = [(at, each) for at, each in enumerate(then) if at not in found]
    new = [(at, each) for at, each in enumerate(now) if at not in matched]
    texts, others = ([each["text"] for _, each in items] for items in (old, new))
    alike = cdist(texts, others, scorer=fuzz.ratio, score_cutoff=_LEAST_ALIKE, dtype=np.uint8)
    for row, column in np.argwhere(alike).tolist():
        (first, one), (second, other) = old[row], new[column]
        if one.get("kind") == other.get("kind"):
            yield int(alike[row, column]), first, second


def _name(item: dict[str, Any]) -> Hashable:
    return item.get("kind"), item["text"]
