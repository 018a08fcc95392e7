"""Align the words of a quotation with the words of a passage, and compare them one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import accumulate
from typing import Literal

from lexls.quotations.quotation import Item
from lexls.quotations.vocabulary import ABBREVIATED, NEGATIONS
from lexls.quotations.word_likeness import (
    DifferentWords,
    WordMatch,
    is_joined_alike,
    is_plain,
)

StepKind = Literal["same", "joined", "alike", "other", "added", "omitted", "bracket"]
_Move = tuple[StepKind, int, int]
"""An alignment step: its kind, and the numbers of items and words that it consumes."""

_ADD: _Move = ("added", 1, 0)
_OMIT: _Move = ("omitted", 0, 1)
_SAME: _Move = ("same", 1, 1)
_ALIKE: _Move = ("alike", 1, 1)
_REPLACE: _Move = ("other", 1, 1)

_MOST_CELLS = 6000
"""Maximum number of cells in the cost table for a gap between two shared runs. Larger gaps are not aligned in
detail.
"""
_SOLID = 3
"""Minimum length of a shared run, in words, for it not to be a coincidence."""
_BRACKET_REACH = 16
"""Maximum number of original words that a bracket may replace, beyond its own number of words."""
_OMITTED = 1.0
_OMITTED_ON = 0.5
"""Cost of each word of an omission after the first. It is lower than the cost of the first, since words are
omitted together.
"""
_OTHER = 1.05
_ADDED = 1.1
_JOINED = 0.1
"""Cost of aligning the same letters divided differently into words. The cost is 2.5 times this if some
letters were also misread.
"""
_JOINED_ALIKE = 6
"""Minimum number of letters of a word for it to match a joined word in which letters were also misread."""
_COSTS: Mapping[WordMatch, float] = {
    "same": 0.0,
    "spelling": 0.2,
    "lookalike": 0.2,
    "scan": 0.25,
    "inflexion": 0.5,
    "": _OTHER,
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an alignment: items ``[q_low, q_high)`` of a quotation with words ``[a_low, a_high)`` of
    the passage. ``joined``: the same letters divided differently ("can not", "cannot"). ``same``,
    ``alike``, ``other``: one word for one. ``added``: an item without a word. ``omitted``: a word without
    an item. ``bracket``: a bracket with the words that it replaces.
    """

    kind: StepKind
    q_low: int
    q_high: int
    a_low: int
    a_high: int


def make_same_steps(q_low: int, a_low: int, size: int) -> list[Step]:
    """Return steps that align ``size`` items from ``q_low`` with identical words from ``a_low``."""
    return [Step("same", q_low + k, q_low + k + 1, a_low + k, a_low + k + 1) for k in range(size)]


def align(items: Sequence[Item], words: Sequence[str], optional: Callable[[int], bool]) -> list[Step]:
    """Return the steps of the cheapest alignment of the items (without ellipses) with some segment of
    ``words``, in order. Words before the first step and after the last one are not aligned. ``optional``
    returns whether the word at an index may be omitted at almost no cost.
    """
    norms = [item.norm if item.kind == "word" else f"\0{at}" for at, item in enumerate(items)]
    blocks = _shared(norms, list(words))
    if not blocks:
        return _gap(items, words, 0, len(items), 0, len(words), optional, free_start=True, free_end=True)
    steps: list[Step] = []
    q_at, a_at = 0, 0
    for place, block in enumerate(blocks):
        if place == 0:
            reach = 2 * block.a + 4 + _bracket_room(items, 0, block.a)
            a_at = max(0, block.b - reach) if block.a else block.b
        if block.a > q_at or block.b > a_at:
            steps += _gap(
                items, words, q_at, block.a, a_at, block.b, optional, free_start=place == 0, free_end=False
            )
        steps += make_same_steps(block.a, block.b, block.size)
        q_at, a_at = block.a + block.size, block.b + block.size
    if q_at < len(items):
        reach = 2 * (len(items) - q_at) + 4 + _bracket_room(items, q_at, len(items))
        last = min(len(words), a_at + reach)
        steps += _gap(items, words, q_at, len(items), a_at, last, optional, free_start=False, free_end=True)
    return steps


def _bracket_room(items: Sequence[Item], low: int, high: int) -> int:
    return sum(_BRACKET_REACH for item in items[low:high] if item.kind == "bracket")


def _shared(norms: list[str], words: list[str]) -> list[Match]:
    """Return the long runs of words that two lists share, in order. The longest is searched for first, then
    the nearest ones before and after it.
    """
    matcher = SequenceMatcher(None, norms, words, autojunk=False)
    found: list[Match] = []

    def search(a_low: int, a_high: int, b_low: int, b_high: int, side: int) -> None:
        if a_low >= a_high or b_low >= b_high:
            return
        length = a_high - a_low
        match = None
        # Omissions are usually short: the same words further away are a coincidence.
        for reach in (length + 6, 2 * length + 24, b_high - b_low):
            low = max(b_low, b_high - reach) if side < 0 else b_low
            high = min(b_high, b_low + reach) if side > 0 else b_high
            match = matcher.find_longest_match(a_low, a_high, low, high)
            if match.size >= _SOLID or side == 0:
                break
        if match is None or match.size < _SOLID:
            return
        found.append(match)
        search(a_low, match.a, b_low, match.b, -1)
        search(match.a + match.size, a_high, match.b + match.size, b_high, 1)

    search(0, len(norms), 0, len(words), 0)
    return sorted(found, key=lambda each: each.a)


def _gap(
    items: Sequence[Item],
    words: Sequence[str],
    q_low: int,
    q_high: int,
    a_low: int,
    a_high: int,
    optional: Callable[[int], bool],
    *,
    free_start: bool,
    free_end: bool,
) -> list[Step]:
    """Return the cheapest steps between two shared runs. If an end is free, words outside the alignment at
    that end cost nothing.
    """
    rows, columns = q_high - q_low, a_high - a_low
    if rows == 0 or rows * columns > _MOST_CELLS:
        steps = [
            Step("bracket" if items[at].kind == "bracket" else "added", at, at + 1, a_low, a_low)
            for at in range(q_low, q_high)
        ]
        if not (free_start or free_end):
            steps += [Step("omitted", q_high, q_high, at, at + 1) for at in range(a_low, a_high)]
        return steps
    omit = [0.05 if optional(at) else _OMITTED for at in range(a_low, a_high)]
    table = [[0.0] * (columns + 1) if free_start else list(accumulate(omit, initial=0.0))]
    back: list[list[_Move]] = [[_OMIT] * (columns + 1)]
    norms, near = [item.norm for item in items[q_low:q_high]], words[a_low:a_high]
    joins, different = _Joins(norms, near), DifferentWords(near)
    for item in items[q_low:q_high]:
        if item.kind == "bracket":
            row, moves = _bracket_row(item, table[-1], columns)
        else:
            row, moves = _word_row(_find_pairs(item, different), norms, near, table, omit, joins)
        table.append(row)
        back.append(moves)
    j = min(range(columns + 1), key=lambda at: (table[-1][at], at)) if free_end else columns
    return _trace(back, j, q_low, a_low, free_start)


def _trace(back: Sequence[Sequence[_Move]], j: int, q_low: int, a_low: int, free_start: bool) -> list[Step]:
    """Return the alignment's steps, found by following the last moves back from column ``j`` of the
    last row.
    """
    i = len(back) - 1
    steps = []
    while i > 0 or (j > 0 and not free_start):
        kind, down, right = back[i][j] if i else ("omitted", 0, 1)
        i, j = i - down, j - right
        if down or right:
            steps.append(Step(kind, q_low + i, q_low + i + down, a_low + j, a_low + j + right))
    return steps[::-1]


def _find_pairs(item: Item, words: DifferentWords) -> Mapping[str, tuple[float, _Move]]:
    """Map each word that equals or resembles an item to the cost and the move of aligning the two."""
    alike = words.find_alike(item.norm)
    pairs = {word: (_COSTS[match], _SAME if match == "same" else _ALIKE) for word, match in alike.items()}
    if item.pattern is not None:
        pairs.update((word, (0.0, _SAME)) for word in words.words if item.same(word))
    return pairs


def _word_row(
    pairs: Mapping[str, tuple[float, _Move]],
    norms: Sequence[str],
    words: Sequence[str],
    table: Sequence[list[float]],
    omit: Sequence[float],
    joins: _Joins,
) -> tuple[list[float], list[_Move]]:
    """Return the next row of the cost table, after one more item, and the last move in each column."""
    above = table[-1]
    may_join = joins.list_columns(len(table))
    unlike = (_OTHER, _REPLACE)
    last = above[0] + _ADDED
    row: list[float] = [last]
    moves: list[_Move] = [_ADD]
    go_on = _OMITTED
    for j, word in enumerate(words, 1):
        best = above[j] + _ADDED
        move = _ADD
        cost, beside = pairs.get(word, unlike)
        pair = above[j - 1] + cost
        if pair <= best:
            best, move = pair, beside
        left = last + min(omit[j - 1], go_on)
        if left < best:
            best, move = left, _OMIT
        if best > _JOINED and may_join[j - 1]:
            best, move = _join(norms, words, table, j, best, move)
        go_on = _OMITTED_ON if move is _OMIT else _OMITTED
        row.append(best)
        moves.append(move)
        last = best
    return row, moves


class _Joins:
    """Finds where the same letters may be divided differently into words. This is rare, and a full search
    would cost more than the rest of the alignment. It relies on two facts. Similar plain words share their
    first or last letter, and short ones both. Joining dissimilar words costs more than omitting and adding
    them, so it is never cheapest.
    """

    def __init__(self, norms: Sequence[str], words: Sequence[str]) -> None:
        self._norms = norms
        self._plain = [is_plain(norm) for norm in norms]
        near = [words[max(0, at - 2) : at + 1] for at in range(len(words))]
        plain = [is_plain(word) for word in words]
        self._odd = [not all(plain[max(0, at - 2) : at + 1]) for at in range(len(words))]
        self._firsts = ["".join(word[0] for word in each[:-1]) for each in near]
        self._edges = [(word[0], word[-1], len(word) >= _JOINED_ALIKE) for word in words]

    def list_columns(self, row: int) -> Sequence[bool]:
        """Return, for each word, whether it may be the end of a join with the row's item, alone or together
        with preceding items.
        """
        norms = self._norms[max(0, row - 3) : row]
        # After a bracket, the cost argument above does not apply.
        if not (all(self._norms[:row]) and all(self._plain[max(0, row - 3) : row])):
            return [True] * len(self._edges)
        first, last, long = norms[-1][0], norms[-1][-1], len(norms[-1]) >= _JOINED_ALIKE
        starts = {norm[0] for norm in norms[:-1]}
        return [
            odd
            or (
                (long or first in firsts or longer or start in starts or not starts.isdisjoint(firsts))
                if end == last
                else (long and first in firsts) or (longer and start in starts)
            )
            for odd, (start, end, longer), firsts in zip(self._odd, self._edges, self._firsts, strict=True)
        ]


def _join(
    norms: Sequence[str],
    words: Sequence[str],
    table: Sequence[list[float]],
    j: int,
    best: float,
    move: _Move,
) -> tuple[float, _Move]:
    """Return the lower cost, with its move, if joining the last words is cheaper than ``best``; otherwise
    return ``best`` and ``move``.
    """
    i, above = len(table), table[-1]
    for size in (2, 3):
        if j >= size and above[j - size] + _JOINED < best:
            cost = above[j - size] + _joined(norms[i - 1], words[j - size : j])
            if cost < best:
                best, move = cost, ("joined", 1, size)
        if i >= size and table[-size][j - 1] + _JOINED < best:
            cost = table[-size][j - 1] + _joined(words[j - 1], norms[i - size : i])
            if cost < best:
                best, move = cost, ("joined", size, 1)
    both = i > 1 and j > 1 and table[-2][j - 2] + 2 * _JOINED < best and norms[i - 2]
    if both and norms[i - 2] + norms[i - 1] == words[j - 2] + words[j - 1]:
        best, move = table[-2][j - 2] + 2 * _JOINED, ("joined", 2, 2)
    return best, move


def _joined(whole: str, parts: Sequence[str]) -> float:
    """Return the cost of aligning ``whole`` with ``parts``, the same letters divided into several words; high
    if they do not match.
    """
    if not all(parts):
        return 2 * _ADDED * len(parts)
    together = "".join(parts)
    if together == whole or ABBREVIATED.get(whole) == together or ABBREVIATED.get(together) == whole:
        return _JOINED
    if (
        (len(whole) >= _JOINED_ALIKE or not whole.isalpha())
        and is_joined_alike(whole, together)
        and NEGATIONS.isdisjoint(parts)
    ):
        return 2.5 * _JOINED
    return 2 * _ADDED * len(parts)


def _bracket_row(item: Item, above: Sequence[float], columns: int) -> tuple[list[float], list[_Move]]:
    """Return the row and the moves for a bracket, which may replace a few words. Each word costs a little,
    and more beyond the bracket's own number of words.
    """
    row: list[float] = []
    moves: list[_Move] = []
    own = len(item.words)
    for j in range(columns + 1):
        best, taken = above[j], 0
        for k in range(1, min(j, own + _BRACKET_REACH) + 1):
            cost = above[j - k] + 0.02 * k + 0.05 * max(0, k - own)
            if cost < best:
                best, taken = cost, k
        row.append(best)
        moves.append(("bracket", 1, taken))
    return row, moves
