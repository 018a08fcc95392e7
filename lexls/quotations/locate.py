"""Find the place in an authority from which a quotation comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from lexls.quotations.alignment import Step, StepKind, align, make_same_steps
from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.quotation import Item
from lexls.quotations.word_likeness import DifferentWords

_BRACKET_REACH = 16
_MOST_STARTS = 200
"""Maximum number of occurrences of a quotation's first words that are tried as its beginning."""
_SEEDS = 48
"""Approximate number of runs of words per segment that are searched for, at even intervals."""
_MOST_HITS = 12
"""Maximum number of occurrences of a run that are counted."""
_LEAST = 4
"""Weight of a run with the maximum number of occurrences. For each occurrence fewer, the weight is one
higher.
"""
_BUCKET = 8
_HOLE = 5
"""Minimum number of consecutive words omitted in an alignment for another place to be tried."""
_NEXT_TO = 24
"""Number of words around an aligned segment in which the adjacent segment is searched for even if its words
are common.
"""
_FAR = 240
"""Maximum number of words between two parts of a segment for both to belong to one passage."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A quotation aligned with an authority's words. ``gaps`` has an entry for each ellipsis: (its index in
    the items, low, high), where ``[low, high)`` are the words that it omits. ``steps`` are in the order of
    the quotation, without ellipses.
    """

    steps: tuple[Step, ...]
    gaps: tuple[tuple[int, int, int], ...]

    @property
    def low(self) -> int:
        """The index of the passage's first word in the authority."""
        return _start(self.steps, 0)

    @property
    def high(self) -> int:
        """The index after the passage's last word in the authority."""
        return _end(self.steps, 0)


def find_exact(authority: AuthorityText, items: Sequence[Item], most: int = 1) -> list[Placed]:
    """Return up to ``most`` places where the quotation occurs word for word, apart from ellipses and
    brackets.
    """
    runs = list(_runs(items))
    if not runs:
        return []
    starts = islice(authority.find(runs[0].words), _MOST_STARTS)
    placed = (_follow(authority, items, runs, start) for start in starts)
    return list(islice(filter(None, placed), most))


@dataclass(frozen=True, slots=True)
class _Run:
    """Items ``[low, high)`` of a quotation, all of them words, joined in ``words`` for searching.
    ``after_ellipsis`` is true if an ellipsis precedes them. ``bracketed`` is the maximum number of words
    that preceding brackets may replace.
    """

    words: str
    low: int
    high: int
    after_ellipsis: bool
    bracketed: int

    def __len__(self) -> int:
        return self.high - self.low


def _runs(items: Sequence[Item]) -> Iterator[_Run]:
    ellipsis, bracketed = False, 0
    for of_words, group in groupby(enumerate(items), key=lambda each: each[1].kind == "word"):
        found = list(group)
        if of_words:
            words = " ".join(item.norm for _, item in found)
            yield _Run(words, found[0][0], found[-1][0] + 1, ellipsis, bracketed)
        else:
            ellipsis = any(item.kind == "ellipsis" for _, item in found)
            brackets = (item for _, item in found if item.kind == "bracket")
            bracketed = sum(_BRACKET_REACH + len(item.words) for item in brackets)


def _follow(
    authority: AuthorityText, items: Sequence[Item], runs: Sequence[_Run], start: int
) -> Placed | None:
    starts = [start]
    for place, run in enumerate(runs[1:], 1):
        position = starts[-1] + len(runs[place - 1])
        high = None if run.after_ellipsis else position + run.bracketed
        at = next(authority.find(run.words, position, high), None)
        if at is None:
            return None
        starts.append(at)
    # Before an ellipsis, take the last occurrence before the next run: it omits the least.
    for place in range(len(runs) - 2, -1, -1):
        if runs[place + 1].after_ellipsis and (place == 0 or runs[place].after_ellipsis):
            starts[place] = authority.last(runs[place].words, starts[place], starts[place + 1])
    steps: list[Step] = []
    gaps: list[tuple[int, int, int]] = []
    for place, run in enumerate(runs):
        at = starts[place]
        if place:
            position = starts[place - 1] + len(runs[place - 1])
            between = range(runs[place - 1].high, run.low)
            if run.after_ellipsis:
                gaps += [(each, position, at) for each in between if items[each].kind == "ellipsis"]
            else:
                steps += [Step("bracket", each, each + 1, position, at) for each in between]
        steps += make_same_steps(run.low, at, len(run))
    last, position = runs[-1].high, starts[-1] + len(runs[-1])
    gaps += [(each, position, position) for each in range(last, len(items)) if items[each].kind == "ellipsis"]
    steps += [
        Step("bracket", each, each + 1, position, position)
        for each in range(last, len(items))
        if items[each].kind == "bracket"
    ]
    return Placed(tuple(steps), tuple(gaps))


def find_similar(
    authority: AuthorityText, items: Sequence[Item], enough: float = 0.0, least: float = 0.0
) -> list[Placed]:
    """Return the quotation aligned with the places most similar to it, likeliest first; [] if there are none.
    Places that cannot have a share of at least ``least`` of its words are skipped. If no place can have
    ``enough``, nothing is returned.
    """
    segments = _segments(items)
    main = max(segments, key=lambda each: sum(item.kind == "word" for item in items[each[0] : each[1]]))
    windows = _windows(authority, [item.norm for item in items[main[0] : main[1]] if item.norm])[:3]
    if enough and len(segments) == 1:
        words = [authority.words(*each) for each in windows]
        if not any(_may_have(each, items, enough) for each in words):
            return []
        windows = [each for each, near in zip(windows, words, strict=True) if _may_have(near, items, least)]
    placed = (_around(authority, items, segments, main, low, high) for low, high in windows)
    return [each for each in placed if each is not None]


def _may_have(words: Sequence[str], items: Sequence[Item], share: float) -> bool:
    """Return whether a place may have a given share of a quotation's words. Similar words, and words that are
    divided differently, count.
    """
    known, together = DifferentWords(words), "".join(words)
    wanted = [item for item in items if item.kind == "word"]
    # One more, for words that were run together and misread.
    left = len(wanted) - share * len(wanted) + 1
    for item in wanted:
        if item.norm in known.words or item.norm in together:
            continue
        if not (known.find_alike(item.norm) or (item.pattern and any(map(item.same, known.words)))):
            left -= 1
            if left < 0:
                return False
    return True


def _segments(items: Sequence[Item]) -> list[tuple[int, int]]:
    """Return the ranges of items between the ellipses."""
    found = []
    for ellipsis, group in groupby(enumerate(items), key=lambda each: each[1].kind == "ellipsis"):
        places = [at for at, _ in group]
        if not ellipsis:
            found.append((places[0], places[-1] + 1))
    return found


def _windows(
    authority: AuthorityText, norms: Sequence[str], within: tuple[int, int] | None = None
) -> list[tuple[int, int]]:
    """Return the ranges of the authority's words that have many words of a segment close together, best
    first.
    """
    for size in (3, 2, 1):
        if len(norms) < size or (size == 1 and within is None):
            continue
        hits, weights = _hits(authority, norms, size, within)
        if hits:
            return _gathered(hits, weights, len(norms), len(authority))
    return []


def _hits(
    authority: AuthorityText, norms: Sequence[str], size: int, within: tuple[int, int] | None
) -> tuple[Counter[int], Counter[int]]:
    """Count the occurrences of a segment's runs on each diagonal, and add up their weights. The rarer a run
    is, the more it weighs.
    """
    low, high = within if within is not None else (0, None)
    places = range(len(norms) - size + 1)
    stride = max(1, len(places) // _SEEDS)
    hits: Counter[int] = Counter()
    weights: Counter[int] = Counter()
    for place in places[::stride]:
        run = norms[place : place + size]
        found = [(at - place) // _BUCKET for at in islice(authority.find_run(run, low, high), _MOST_HITS)]
        hits.update(found)
        for bucket in found:
            weights[bucket] += _LEAST + _MOST_HITS - len(found)
    return hits, weights


def _gathered(hits: Counter[int], weights: Counter[int], length: int, most: int) -> list[tuple[int, int]]:
    """Return the ranges of words around the heaviest diagonals; neighbouring diagonals share a range."""
    weights = Counter({each: weights[each] + weights[each - 1] + weights[each + 1] for each in hits})
    ranked = sorted(hits, key=lambda bucket: (-weights[bucket], bucket))
    found: list[tuple[int, int]] = []
    for bucket in ranked[:6]:
        if any(low <= bucket * _BUCKET <= high for low, high in found):
            continue
        if found and weights[bucket] * 5 < weights[ranked[0]] * 3:
            break
        near = [
            each
            for each in hits
            if abs(each - bucket) * _BUCKET <= _FAR and (hits[each] >= 3 or abs(each - bucket) <= 3)
        ]
        low, high = min(near) * _BUCKET, (max(near) + 1) * _BUCKET
        margin = 8 + length // 4
        found.append((max(0, low - margin), min(most, high + length + margin)))
    return found


def _around(
    authority: AuthorityText,
    items: Sequence[Item],
    segments: Sequence[tuple[int, int]],
    main: tuple[int, int],
    low: int,
    high: int,
) -> Placed | None:
    """Return the whole quotation aligned around its main segment, which is within words ``[low, high)``; None
    if no word agrees.
    """
    middle = _lay(authority, items, main, low, high)
    if not any(step.kind == "same" for step in middle):
        return None
    place = segments.index(main)
    laid: dict[int, list[Step]] = {place: middle}
    edge = _end(middle, high)
    for later in range(place + 1, len(segments)):
        laid[later] = _segment(authority, items, segments[later], (edge, len(authority)), nearest_last=False)
        edge = _end(laid[later], edge)
    edge = _start(middle, low)
    for earlier in range(place - 1, -1, -1):
        laid[earlier] = _segment(authority, items, segments[earlier], (0, edge), nearest_last=True)
        edge = _start(laid[earlier], edge)
    gaps = []
    for at, item in enumerate(items):
        if item.kind != "ellipsis":
            continue
        before = [place for place, (_, end) in enumerate(segments) if end <= at]
        after = [place for place, (begin, _) in enumerate(segments) if begin > at]
        if before:
            start = _end(laid[before[-1]], 0)
            stop = _start(laid[after[0]], start) if after else start
            if stop >= start:
                gaps.append((at, start, stop))
    return Placed(tuple(step for place in sorted(laid) for step in laid[place]), tuple(gaps))


def _segment(
    authority: AuthorityText,
    items: Sequence[Item],
    segment: tuple[int, int],
    within: tuple[int, int],
    *,
    nearest_last: bool,
) -> list[Step]:
    """Return the alignment of another segment with the words on its side of the segments that are already
    aligned.
    """
    norms = [item.norm for item in items[segment[0] : segment[1]] if item.norm]
    whole = " ".join(norms)
    plain = all(item.kind == "word" for item in items[segment[0] : segment[1]])
    if plain:
        starts = list(islice(authority.find(whole, within[0], within[1]), _MOST_STARTS))
        if starts:
            at = starts[-1] if nearest_last else starts[0]
            return make_same_steps(segment[0], at, len(norms))
    # A short segment's words occur in many places, so also try the one next to the placed segment.
    near = 2 * len(norms) + _NEXT_TO
    beside_it = (within[1] - near, within[1]) if nearest_last else (within[0], within[0] + near)
    windows = (*_windows(authority, norms, within)[:2], beside_it)
    limits = ((max(low, within[0]), min(high, within[1])) for low, high in windows)
    laid = (_lay(authority, items, segment, low, high) for low, high in limits if low < high)
    best = min(laid, key=_cost, default=None)
    if best:
        return best
    beside = within[1] if nearest_last else within[0]
    return [
        Step("bracket" if items[at].kind == "bracket" else "added", at, at + 1, beside, beside)
        for at in range(*segment)
    ]


def _lay(
    authority: AuthorityText, items: Sequence[Item], segment: tuple[int, int], low: int, high: int
) -> list[Step]:
    """Return the alignment of one segment with words of ``[low, high)`` that omits as few words as
    possible.
    """
    best = _laid(authority, items, segment, low, high)
    hole = _hole(best)
    if hole is not None:
        # The words may occur twice: what was matched in two places may also be in one.
        reach = segment[1] - segment[0] + _HOLE
        for start, end in ((max(low, hole[1] - reach), high), (low, min(high, hole[0] + reach))):
            other = _laid(authority, items, segment, start, end)
            if _cost(other) < _cost(best):
                best = other
    return best


def _hole(steps: Sequence[Step]) -> tuple[int, int] | None:
    """Return the longest run of omitted words; None if it has fewer than `_HOLE` words."""
    best: tuple[int, int] | None = None
    start = end = -1
    for step in steps:
        if step.kind == "omitted" and step.a_low == end:
            end = step.a_high
        elif step.kind == "omitted":
            start, end = step.a_low, step.a_high
        if end - start >= _HOLE and (best is None or end - start > best[1] - best[0]):
            best = (start, end)
    return best


def _cost(steps: Sequence[Step]) -> float:
    costs: dict[StepKind, float] = {"same": 0.0, "bracket": 0.0, "joined": 0.1, "alike": 0.3}
    return sum(costs.get(step.kind, 1.0) for step in steps)


def _laid(
    authority: AuthorityText, items: Sequence[Item], segment: tuple[int, int], low: int, high: int
) -> list[Step]:
    steps = align(
        items[segment[0] : segment[1]], authority.words(low, high), lambda at: authority.may_go(low + at)
    )
    return [
        Step(
            step.kind, step.q_low + segment[0], step.q_high + segment[0], step.a_low + low, step.a_high + low
        )
        for step in steps
    ]


def _end(steps: Sequence[Step], otherwise: int) -> int:
    return max((step.a_high for step in steps if step.a_high > step.a_low), default=otherwise)


def _start(steps: Sequence[Step], otherwise: int) -> int:
    return min((step.a_low for step in steps if step.a_high > step.a_low), default=otherwise)
