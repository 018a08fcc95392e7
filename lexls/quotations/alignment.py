"""Lay the words of a quotation beside those of a passage, and compare them one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from functools import lru_cache
from itertools import accumulate, chain
from typing import Literal

from rapidfuzz.distance import OSA, Postfix, Prefix

from lexls.quotations.quotation import Item
from lexls.quotations.vocabulary import (
    ABBREVIATED,
    LOOKALIKES,
    NEGATIONS,
    SCANNED,
    TURNING_PREFIXES,
)
from lexls.text.lexicon import split_words

WordMatch = Literal["same", "spelling", "lookalike", "scan", "inflexion", ""]
"""``lookalike``: a scanner takes the letters of one for the other's; ``scan``: a letter or two differ."""

_FIGURES = str.maketrans({"0": "o", "1": "l", "|": "l", "!": "l"})
_LOOKALIKE = str.maketrans(LOOKALIKES["letters"])
_ENDINGS = split_words("ations ation ances ance ences ence ingly edly ings ing ies ied ers es ed ly s d")
_OPPOSITES = (*TURNING_PREFIXES, "a", "mis", "anti", "counter")
_PARTIES = (("or", "ee"), ("er", "ee"), ("ant", "ee"), ("ed", "er"), ("ed", "ee"), ("or", "ed"), ("er", "ed"))
_LONG = 5
"""Letters from which on a word with one strange letter is still that word."""
_LENGTHS_APART = 6
"""Letters that one of two words may have more than the other, to be alike."""


def are_opposites(one: str, other: str) -> bool:
    """Whether one word is the other with a prefix that turns its sense ("lawful", "unlawful")."""
    short, long = sorted((one, other), key=len)
    return len(short) > 2 and any(long == prefix + short for prefix in _OPPOSITES)


@lru_cache(maxsize=32_768)
def compare_words(quoted: str, original: str) -> WordMatch:
    """What makes two different words alike, "" if nothing does: then they are two words.

    Both are normal forms. Numbers are never alike; words that turn each other's sense neither.
    """
    if quoted == original:
        return "same"
    twins = quoted in _UNLIKE_TWINS or original in _UNLIKE_TWINS
    if not twins and (
        not _comparable(quoted, original) or (quoted[:3] != original[:3] and _differ(quoted, original))
    ):
        return ""
    return next((match for match, applies in _LIKENESSES if applies(quoted, original)), "")


def is_misread(one: str, other: str) -> bool:
    """Whether one of two words is what scanners make of the other, a small one."""
    return (one, other) in SCANNED or (other, one) in SCANNED


_UNLIKE_TWINS = frozenset({*ABBREVIATED, *ABBREVIATED.values(), *chain.from_iterable(SCANNED)})
"""Words that may mean another one that looks nothing like it."""


_UNLIKE_JOINED = frozenset(
    {*ABBREVIATED, *ABBREVIATED.values(), *filter(lambda each: len(each) > 5, chain.from_iterable(SCANNED))}
)
"""Those of them that two words may be that were run together."""


def _comparable(quoted: str, original: str) -> bool:
    """Whether two words may be alike at all: most pairs are not, and this costs next to nothing."""
    if abs(len(quoted) - len(original)) > _LENGTHS_APART or (quoted.isdigit() and original.isdigit()):
        return False
    if quoted[0] == original[0] or quoted[-1] == original[-1]:
        return True
    return not (quoted.isalpha() and original.isalpha())


def _differ(one: str, other: str) -> bool:
    """Whether two plain words that begin with other letters are no spellings or readings of one, either."""
    return (
        one.isalpha()
        and other.isalpha()
        and (min(len(one), len(other)) < _LONG or OSA.distance(one, other, score_cutoff=2) > 2)
        and _spelling(one) != _spelling(other)
        and _looks(one) != _looks(other)
    )


def _other_figure(quoted: str, original: str) -> bool:
    """Whether two words have different figures at one place: "6th" and "8th" are no scans of each other."""
    return any(
        one.isdigit() and two.isdigit() and one != two for one, two in zip(quoted, original, strict=False)
    )


def _numbers(quoted: str, original: str) -> bool:
    return any(char.isdigit() for char in quoted) and any(char.isdigit() for char in original)


def _other_party(one: str, other: str) -> bool:
    """ "lessor" and "lessee", "employer" and "employee": one letter, two people."""
    return any(
        left.endswith(first) and left.removesuffix(first) + second == right
        for first, second in _PARTIES
        for left, right in ((one, other), (other, one))
    )


@lru_cache(maxsize=16_384)
def _spelling(word: str) -> str:
    """A key that British and American spellings of a word share."""
    if len(word) < 5:
        return word
    word = word.replace("practis", "practic").replace("licenc", "licens")
    word = word.replace("ae", "e").replace("oe", "e").replace("our", "or").replace("enquir", "inquir")
    word = re.sub(r"(?<=[a-z]{2})is(?=e|ing|ation)", "iz", word)
    word = re.sub(r"ys(?=e[ds]?$|ing$)", "yz", word)
    word = re.sub(r"ence(?=s?$)|ense(?=s?$)", "ens", word)
    word = re.sub(r"(?<=[tb])re(?=s?$)", "er", word)
    word = word.replace("dgement", "dgment").replace("ogue", "og")
    return re.sub(r"([lpst])\1(?=ed$|ing$|er$|or$|ful|ment)", r"\1", word)


@lru_cache(maxsize=16_384)
def _looks(word: str) -> str:
    """A key that a word shares with what scanners make of it."""
    word = word.translate(_FIGURES)
    for letters, one in LOOKALIKES["pairs"].items():
        word = word.replace(letters, one)
    return word.translate(_LOOKALIKE)


def _inflected(one: str, other: str) -> bool:
    """Whether two words are forms of one ("claim", "claims"; "provide", "provided")."""
    if min(len(one), len(other)) < 3 or one[:3] != other[:3]:
        return False
    return bool(_stems(one) & _stems(other))


def _stems(word: str) -> set[str]:
    found = {word, word.removesuffix("e"), word.removesuffix("y")}
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            found |= {stem, stem.removesuffix("e"), stem.removesuffix("y")}
            if stem[-1] == stem[-2]:
                found.add(stem[:-1])
    return found


def _is_scanned(one: str, other: str) -> bool:
    """Return whether a scanner may have made one of two long words of the other."""
    shorter = min(len(one), len(other))
    return shorter >= _LONG and _edits(one, other, 1 if shorter < 9 else 2) and not _numbers(one, other)


def _edits(one: str, other: str, most: int) -> bool:
    """Whether one word becomes the other by at most ``most`` letters put in, left out, changed or swapped,
    none of them far from the others."""
    if OSA.distance(one, other, score_cutoff=most) > most:
        return False
    first = Prefix.similarity(one, other)
    return max(len(one), len(other)) - first - Postfix.similarity(one[first:], other[first:]) <= most + 6


_LIKENESSES: tuple[tuple[WordMatch, Callable[[str, str], bool]], ...] = (
    ("same", lambda one, other: ABBREVIATED.get(one, one) == ABBREVIATED.get(other, other)),
    # The mark of a footnote was run into the word: "route3".
    ("same", lambda one, other: other.isalpha() and one.startswith(other) and one[len(other) :].isdigit()),
    ("lookalike", is_misread),
    ("", lambda one, other: not _comparable(one, other)),
    ("", are_opposites),
    ("", _other_party),
    ("spelling", lambda one, other: _spelling(one) == _spelling(other)),
    ("lookalike", lambda one, other: _looks(one) == _looks(other) and not _other_figure(one, other)),
    ("inflexion", _inflected),
    ("scan", _is_scanned),
)
"""What makes two different words alike, the first that applies; after ``""`` they are two words."""


StepKind = Literal["same", "joined", "alike", "other", "added", "omitted", "bracket"]
_Move = tuple[StepKind, int, int]
"""A step, and how many items and words it takes."""

_MOST_CELLS = 6000
"""A gap between two shared runs with more pairs of words than this is not looked into."""
_SOLID = 3
"""Words from which on a shared run is no chance."""
_BRACKET_REACH = 16
"""Words of the original that a bracket may stand for, besides as many as it has itself."""
_OMITTED = 1.0
_OMITTED_ON = 0.5
"""Words go out together: each further word of a run costs less than the first."""
_OTHER = 1.05
_ADDED = 1.1
_JOINED = 0.1
"""The same letters divided otherwise; twice and a half that where some of them were misread too."""
_JOINED_ALIKE = 6
"""Letters from which on a word that was run together may have been misread, too."""
_COSTS = {"same": 0.0, "spelling": 0.2, "lookalike": 0.2, "scan": 0.25, "inflexion": 0.5, "": _OTHER}


@dataclass(frozen=True, slots=True)
class Step:
    """Items ``[q_low, q_high)`` of a quotation beside words ``[a_low, a_high)`` of the passage.

    ``joined``: the same letters divided otherwise ("can not", "cannot"). ``alike``, ``other``: one word for
    one. ``added``: an item with no word; ``omitted``: a word with no item.
    """

    kind: StepKind
    q_low: int
    q_high: int
    a_low: int
    a_high: int


def make_same_steps(q_low: int, a_low: int, size: int) -> list[Step]:
    """``size`` items from ``q_low`` on beside the same words from ``a_low`` on, word for word."""
    return [Step("same", q_low + k, q_low + k + 1, a_low + k, a_low + k + 1) for k in range(size)]


def align(items: Sequence[Item], words: Sequence[str], optional: Callable[[int], bool]) -> list[Step]:
    """The cheapest way to lay the items (no ellipses) beside some segment of ``words``, in order.

    Words before the first and behind the last step belong to no item. ``optional`` says which words may be
    left out for nothing.
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
    """The solid runs that two lists share: the longest, then those before and behind it, nearest first."""
    matcher = SequenceMatcher(None, norms, words, autojunk=False)
    found: list[Match] = []

    def search(a_low: int, a_high: int, b_low: int, b_high: int, side: int) -> None:
        if a_low >= a_high or b_low >= b_high:
            return
        length = a_high - a_low
        match = None
        # What was left out is short as a rule: the same words further off are chance.
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
    """The cheapest steps between two shared runs; at a free edge the words outside cost nothing."""
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
    back: list[list[_Move]] = [[("omitted", 0, 1)] * (columns + 1)]
    norms, near = [item.norm for item in items[q_low:q_high]], words[a_low:a_high]
    joins = _Joins(norms, near)
    for item in items[q_low:q_high]:
        if item.kind == "bracket":
            row, moves = _bracket_row(item, table[-1], columns)
        else:
            row, moves = _word_row(item, norms, near, table, omit, joins)
        table.append(row)
        back.append(moves)
    j = min(range(columns + 1), key=lambda at: (table[-1][at], at)) if free_end else columns
    return _trace(back, j, q_low, a_low, free_start)


def _trace(back: Sequence[Sequence[_Move]], j: int, q_low: int, a_low: int, free_start: bool) -> list[Step]:
    """Return the steps that lead to column ``j`` of the last row, by the last move to each cell."""
    i = len(back) - 1
    steps = []
    while i > 0 or (j > 0 and not free_start):
        kind, down, right = back[i][j] if i else ("omitted", 0, 1)
        i, j = i - down, j - right
        if down or right:
            steps.append(Step(kind, q_low + i, q_low + i + down, a_low + j, a_low + j + right))
    return steps[::-1]


def _word_row(
    item: Item,
    norms: Sequence[str],
    words: Sequence[str],
    table: Sequence[list[float]],
    omit: Sequence[float],
    joins: _Joins,
) -> tuple[list[float], list[_Move]]:
    """Return the least costs of aligning the items up to one with so many words, and the last moves."""
    above = table[-1]
    may_join = joins.list_columns(len(table))
    row: list[float] = [above[0] + _ADDED]
    moves: list[_Move] = [("added", 1, 0)]
    for j, word in enumerate(words, 1):
        best = above[j] + _ADDED
        move: _Move = ("added", 1, 0)
        like = "same" if item.same(word) else compare_words(item.norm, word)
        pair = above[j - 1] + _COSTS[like]
        if pair <= best:
            best, move = pair, ("same" if like == "same" else "alike" if like else "other", 1, 1)
        goes_on = moves[j - 1][0] == "omitted"
        left = row[j - 1] + min(omit[j - 1], _OMITTED_ON if goes_on else _OMITTED)
        if left < best:
            best, move = left, ("omitted", 0, 1)
        if best > _JOINED and may_join[j - 1]:
            for cost, joined in _join(norms, words, table, j, best):
                if cost < best:
                    best, move = cost, joined
        row.append(best)
        moves.append(move)
    return row, moves


class _Joins:
    """Where the same letters may be divided otherwise: hardly anywhere, and to look costs more than the rest.

    Plain words that are alike share their first letter or their last, short ones both. What is joined and not
    alike costs more than to leave a word out and to add one, so that it is never the cheapest.
    """

    def __init__(self, norms: Sequence[str], words: Sequence[str]) -> None:
        self._norms = norms
        self._plain = [_is_plain(norm) for norm in norms]
        near = [words[max(0, at - 2) : at + 1] for at in range(len(words))]
        plain = [_is_plain(word) for word in words]
        self._odd = [not all(plain[max(0, at - 2) : at + 1]) for at in range(len(words))]
        self._firsts = ["".join(word[0] for word in each[:-1]) for each in near]
        self._edges = [(word[0], word[-1], len(word) >= _JOINED_ALIKE) for word in words]

    def list_columns(self, row: int) -> Sequence[bool]:
        """Return whether the item of a row, or it and those before it, may be joined at each of the words."""
        norms = self._norms[max(0, row - 3) : row]
        # A bracket anywhere before it breaks what is said of costs.
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


def _is_plain(word: str) -> bool:
    return word.isalpha() and word not in _UNLIKE_JOINED


def _join(
    norms: Sequence[str], words: Sequence[str], table: Sequence[list[float]], j: int, most: float
) -> Iterator[tuple[float, _Move]]:
    """Yield what it costs to take the last word or words for the same letters divided otherwise."""
    i, above = len(table), table[-1]
    for size in (2, 3):
        if j >= size and above[j - size] + _JOINED < most:
            yield above[j - size] + _joined(norms[i - 1], words[j - size : j]), ("joined", 1, size)
        if i >= size and table[-size][j - 1] + _JOINED < most:
            yield table[-size][j - 1] + _joined(words[j - 1], norms[i - size : i]), ("joined", size, 1)
    both = i > 1 and j > 1 and table[-2][j - 2] + 2 * _JOINED < most and norms[i - 2]
    if both and norms[i - 2] + norms[i - 1] == words[j - 2] + words[j - 1]:
        yield table[-2][j - 2] + 2 * _JOINED, ("joined", 2, 2)


def _joined(whole: str, parts: Sequence[str]) -> float:
    """What it costs to take ``parts`` for ``whole`` divided otherwise; much if they are not."""
    if not all(parts):
        return 2 * _ADDED * len(parts)
    together = "".join(parts)
    if together == whole or ABBREVIATED.get(whole) == together or ABBREVIATED.get(together) == whole:
        return _JOINED
    if (
        abs(len(together) - len(whole)) <= _LENGTHS_APART
        and (len(whole) >= _JOINED_ALIKE or not whole.isalpha())
        and not any(part in NEGATIONS for part in parts)
        and compare_words(together, whole) in ("lookalike", "scan")
    ):
        return 2.5 * _JOINED
    return 2 * _ADDED * len(parts)


def _bracket_row(item: Item, above: Sequence[float], columns: int) -> tuple[list[float], list[_Move]]:
    """A bracket stands for any few words; the fewer the likelier, beyond as many as it has itself."""
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
