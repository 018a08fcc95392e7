"""Bringing the evidence of a request down to what a model can read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lexls.grounding.evidence import Evidence

LEAST_CHARS = 200
"""A passage is not cut to less than this: so little says nothing."""
_SAFETY = 0.95
"""How much of the room is used that proportion gives a passage that is cut: tokens are not spread evenly."""


def fitted(
    evidence: Sequence[Evidence], room: int, cost: Callable[[Sequence[Evidence]], Sequence[int]]
) -> tuple[Evidence, ...]:
    """The first of ``evidence`` that fit into ``room`` together, the last of them cut around its core.

    ``cost`` says what each costs, in the unit of ``room``. Identifiers stay. What does not fit is left out
    from the end, since the best passage comes first.
    """
    kept: list[Evidence] = []
    for each, price in zip(evidence, cost(evidence), strict=True):
        if price <= room:
            kept.append(each)
            room -= price
            continue
        if (cut := _cut_to(each, price, room, cost)) is not None:
            kept.append(cut)
        break
    return tuple(kept)


def shortened(evidence: Evidence, chars: int) -> Evidence:
    """At most ``chars`` characters of it around its core, cut between words where there are some."""
    if len(evidence.text) <= chars:
        return evidence
    core_start = min(max(evidence.core[0], evidence.start), evidence.end)
    core_end = min(max(evidence.core[1], core_start), evidence.end)
    spare = chars - (core_end - core_start)
    # As much before the core as after it; a core that is too long keeps its beginning.
    start = core_start - max(0, spare) // 2
    start = max(evidence.start, min(start, evidence.end - chars))
    end = min(evidence.end, start + chars)
    first, last = _between_words(evidence.text, start - evidence.start, end - evidence.start)
    start, end = evidence.start + first, evidence.start + last
    here = evidence.stretch_at(start)
    stretches = (replace(here, start=start), *(s for s in evidence.stretches if start < s.start < end))
    core = (min(max(core_start, start), end), min(max(core_end, start), end))
    return replace(
        evidence, start=start, end=end, text=evidence.text[first:last], stretches=stretches, core=core
    )


def _between_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The range without the words that it cuts in two, and without white space at its edges."""
    first, last = start, end
    if first and not text[first - 1].isspace():
        while first < last and not text[first].isspace():
            first += 1
    if last < len(text) and not text[last].isspace():
        while last > first and not text[last - 1].isspace():
            last -= 1
    while first < last and text[first].isspace():
        first += 1
    while last > first and text[last - 1].isspace():
        last -= 1
    return (first, last) if first < last else (start, end)  # a word without an end is cut all the same


def _cut_to(
    evidence: Evidence, price: int, room: int, cost: Callable[[Sequence[Evidence]], Sequence[int]]
) -> Evidence | None:
    """A part of ``evidence`` that costs at most ``room``; None if that is too little to be of use."""
    chars = len(evidence.text)
    for _ in range(4):
        chars = int(chars * room / price * _SAFETY)
        if chars < LEAST_CHARS:
            return None
        cut = shortened(evidence, chars)
        [price] = cost([cut])
        if price <= room:
            return cut
    return None
