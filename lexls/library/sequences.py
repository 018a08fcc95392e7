"""Find the one rising sequence among numbers that stand at the start of pieces."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

_WIDEST_GAP = 12
_GAP_COST = 0.3
_LATE_START_COST = 1.5


@dataclass(frozen=True, slots=True)
class Numbered:
    """A number at the start of a piece.

    ``piece`` is the piece's position, ``number`` its number, ``suffix`` letters after it ("A" in "12A"),
    ``weight`` how much it counts towards a sequence (less inside a quotation).
    """

    piece: int
    number: int
    suffix: str = ""
    weight: float = 1.0


def find_rising(candidates: Sequence[Numbered], *, any_gap: bool = False) -> list[int]:
    """The positions in ``candidates`` of the heaviest sequence in which the numbers rise.

    Steps of one cost nothing; numbers left out cost a little each (scans lose some), and no step may leave
    out more than ``_WIDEST_GAP`` unless ``any_gap`` (the sections of a code leave gaps on purpose). A
    sequence that does not begin at 1 to 3 pays once. Restarted numbers, as quoted judgments have
    them, thus stay out. Time is linear in the number of candidates.
    """
    scores: list[float] = []
    before: list[int] = []
    best_ending: dict[int, int] = {}
    best_overall = -1
    top = 0.0
    highest: list[tuple[int, int]] = []
    for position, candidate in enumerate(candidates):
        number = candidate.number
        best = candidate.weight - (0.0 if number <= 3 else _LATE_START_COST)
        previous = -1
        same = best_ending.get(number)
        if same is not None and candidate.suffix > candidates[same].suffix:
            best, previous = scores[same] + candidate.weight, same
        for gap in range(1, _WIDEST_GAP + 2):
            if top + candidate.weight - (gap - 1) * _GAP_COST <= best:
                break  # no sequence can be better with as wide a gap
            ending = best_ending.get(number - gap)
            if ending is not None:
                score = scores[ending] + candidate.weight - (gap - 1) * _GAP_COST
                if score > best:
                    best, previous = score, ending
        if any_gap:
            low = bisect_left(highest, (number, -1))
            reached = highest[low - 1][1] if low else -1  # the best candidate whose number is smaller
            if reached >= 0 and scores[reached] + candidate.weight - 0.5 > best:
                best, previous = scores[reached] + candidate.weight - 0.5, reached
        scores.append(best)
        before.append(previous)
        if same is None or best > scores[same]:
            best_ending[number] = position
        if any_gap:
            _remember(highest, number, position, scores)
        if best_overall < 0 or best > scores[best_overall]:
            best_overall, top = position, best
    chain: list[int] = []
    while best_overall >= 0:
        chain.append(best_overall)
        best_overall = before[best_overall]
    chain.reverse()
    return chain


def _remember(highest: list[tuple[int, int]], number: int, position: int, scores: list[float]) -> None:
    """Keep ``highest`` such that both number and score rise along it."""
    low = bisect_left(highest, (number + 1, -1))
    if low and scores[highest[low - 1][1]] > scores[position]:
        return
    if low and highest[low - 1][0] == number:
        low -= 1
        highest[low] = (number, position)
    else:
        highest.insert(low, (number, position))
    end = low + 1
    while end < len(highest) and scores[highest[end][1]] <= scores[position]:
        end += 1
    del highest[low + 1 : end]
