"""Find the words that turn a sentence, in whose place its evidence has an opposed one or none."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lexls.grounding.verification.clauses import Reading, Word
from lexls.grounding.verification.vocabulary import COMMANDS, MODALS, NEGATIONS, NEGATIVE, OPPOSED, REPORTING
from lexls.quotations.speakers import PARTIES
from lexls.quotations.vocabulary import TURNING_PREFIXES
from lexls.retrieval.relevance import Tokens

_PARTY, _MODAL, _NUMBER, _DENIAL, _DISPOSITION = "party", "modal", "number", "denial", "disposition"
_REACH = 6
"""Words and stops up to the aligned words beside a word, between which its counterpart is looked for."""
_SLACK = 4
"""So many more may the evidence have there."""
_SURE = 0.6
"""The share from which on the evidence is taken to speak of the same sides and duties."""
_NAME_LINKS = frozenset(("of", "the", "and", "for"))
_LONGEST_LINK = 2
_CHOICE = frozenset(("or", "the", "a", "an", "to"))
"""Between two words of which either may be the case."""
_OPENING = 6
"""Letters that words of one stem share."""
_TURNS = ("un", "non")

Pairs = Sequence[tuple[Word, Word]]


@dataclass(frozen=True, slots=True)
class _Mark:
    """A word that turns its sentence: its place, what kind it is of, and the side that it takes."""

    place: int
    kind: str
    side: str
    written: str


@dataclass(frozen=True, slots=True)
class _Window:
    """The places of one text where the counterpart of a word of the other would stand; ``closed`` says that
    aligned words stand on both sides."""

    low: int
    high: int
    closed: bool


def find_displaced(
    mine: Reading, theirs: Reading, pairs: Pairs, share: float, tokens: Tokens
) -> Iterator[str]:
    """The words of a sentence in whose place its evidence has others, or which it should have and has not.

    ``pairs`` are their aligned words, ``share`` how much of the sentence the evidence has. A side, an
    outcome, a quantity, a modal verb and a number are looked for between the words that stand beside them.
    """
    yield from _find_denying(mine, theirs, tokens)
    yield from _find_broken_names(mine, theirs)
    yield from _find_denied_reports(mine, theirs)
    said, there = _mark(mine, tokens), _mark(theirs, tokens)
    anchors = _Anchors(pairs, said, there)
    sides: defaultdict[str, set[str]] = defaultdict(set)
    for mark in there:
        sides[mark.kind].add(mark.side)
    for mark in said:
        window = _find_window(mark.place, anchors.forward(mark.kind), len(theirs.pieces))
        inside = _within(window, mark.kind, there)
        if mark.side not in inside and (inside or _is_missing(mark, sides[mark.kind], theirs, share)):
            yield mark.written
    own = {(mark.kind, mark.side) for mark in said}
    for mark in there:
        if (mark.kind, mark.side) in own or _is_other_choice(mark, own, there, theirs):
            continue
        window = _find_window(mark.place, anchors.backward(mark.kind), len(mine.pieces))
        if window is not None and window.closed and _within(window, mark.kind, said):
            yield mark.written


def _is_other_choice(mark: _Mark, own: set[tuple[str, str]], there: Sequence[_Mark], theirs: Reading) -> bool:
    """Return whether the evidence says the same of what the sentence has: "the grant or the denial of a
    motion"."""
    for other in there:
        if other.kind == mark.kind and (other.kind, other.side) in own:
            low, high = sorted((mark.place, other.place))
            between = theirs.pieces[low + 1 : high]
            if "or" in between and _CHOICE.issuperset(between):
                return True
    return False


def _is_missing(mark: _Mark, sides: set[str], theirs: Reading, share: float) -> bool:
    """Return whether a word that the evidence has not in its place leaves the sentence without support."""
    if mark.kind == _DISPOSITION:
        return mark.side not in sides
    if share >= _SURE:
        return False
    if mark.kind == _DENIAL:
        return True
    if mark.kind == _PARTY:
        # Where others act too, what is said of one may be true of another.
        return len(sides) > 1
    commanded = not theirs.said.isdisjoint(COMMANDS)
    if mark.kind != _MODAL or mark.side in sides or (mark.side == "duty" and commanded):
        return False
    return mark.side in ("duty", "advice") or (mark.side == "power" and (bool(sides) or commanded))


class _Anchors:
    """The places of aligned words in two texts, for each kind of words without those of that kind."""

    def __init__(self, pairs: Pairs, said: Sequence[_Mark], there: Sequence[_Mark]) -> None:
        self._pairs = [(one.place, other.place) for one, other in pairs]
        self._said, self._there = ({(mark.kind, mark.place) for mark in marks} for marks in (said, there))
        self._forward: dict[str, list[tuple[int, int]]] = {}

    def forward(self, kind: str) -> list[tuple[int, int]]:
        """Those of the sentence with those of the evidence, in order."""
        if kind not in self._forward:
            self._forward[kind] = [
                (one, other)
                for one, other in self._pairs
                if (kind, one) not in self._said and (kind, other) not in self._there
            ]
        return self._forward[kind]

    def backward(self, kind: str) -> list[tuple[int, int]]:
        """Those of the evidence with those of the sentence, in order."""
        return [(other, one) for one, other in self.forward(kind)]


def _find_window(place: int, anchors: Sequence[tuple[int, int]], length: int) -> _Window | None:
    """Return where in the other text, of ``length`` pieces, the counterpart of what is at ``place`` would
    stand."""
    at = bisect_left(anchors, (place, -1))
    behind = at + 1 if at < len(anchors) and anchors[at][0] == place else at
    left = anchors[at - 1] if at and place - anchors[at - 1][0] <= _REACH else None
    right = anchors[behind] if behind < len(anchors) and anchors[behind][0] - place <= _REACH else None
    if left and right:
        if right[1] - left[1] <= right[0] - left[0] + _SLACK:
            return _Window(left[1] + 1, right[1], True)
        left, right = (left, None) if place - left[0] <= right[0] - place else (None, right)
    if left:
        return _Window(left[1] + 1, min(length, left[1] + 1 + place - left[0] + _SLACK // 2), False)
    if right:
        return _Window(max(0, right[1] - right[0] + place - _SLACK // 2), right[1], False)
    return None


def _within(window: _Window | None, kind: str, marks: Sequence[_Mark]) -> set[str]:
    if window is None:
        return set()
    return {mark.side for mark in marks if mark.kind == kind and window.low <= mark.place < window.high}


def _mark(reading: Reading, tokens: Tokens) -> list[_Mark]:
    """The words of a text that turn it, in order."""
    sides = _sides(tokens)
    terms = {word.place: word.term for word in reading.words}
    found: list[_Mark] = []
    for place, piece in enumerate(reading.pieces):
        keys = dict.fromkeys((terms.get(place, piece), piece))
        found += (_Mark(place, *each, piece) for key in keys for each in sides.get(key, ()))
        if piece[:1].isdigit():
            found.append(_Mark(place, _NUMBER, piece, piece))
    return found


@lru_cache(maxsize=4)
def _sides(tokens: Tokens) -> Mapping[str, Sequence[tuple[str, str]]]:
    """The kind and side of each word that turns a sentence, by the word and by its term."""
    found: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    for kind, opposed in OPPOSED.items():
        for side, words in enumerate(opposed):
            for word in words:
                for key in (word, *tokens(word)[:1]):
                    found[key][kind, str(side)] = None
    for verb, meaning in MODALS.items():
        found[verb][_MODAL, meaning] = None
    for word in NEGATIONS | NEGATIVE:
        # They are no words that carry meaning, so their terms are not read: "denied" is a form of "deny".
        found[word] |= {each: None for term in tokens(word)[:1] for each in found.get(term, ())}
        found[word][_DENIAL, ""] = None
    for party in PARTIES:
        found[party][_PARTY, party] = None
        found[f"{party}s"][_PARTY, party] = None
    return {key: tuple(each) for key, each in found.items()}


def _find_denying(mine: Reading, theirs: Reading, tokens: Tokens) -> Iterator[str]:
    """The words that deny by their first letters ("unlawful") which the evidence says in no way."""
    have = {word.term for word in theirs.words}
    denied = {word.term for word in theirs.words if word.negated}
    openings = {word.written[:_OPENING].casefold() for word in theirs.words}
    for word in mine.words:
        folded = word.written.casefold()
        if word.term in have or not folded.startswith(TURNING_PREFIXES):
            continue
        bare = next(folded[len(each) :] for each in TURNING_PREFIXES if folded.startswith(each))
        turned = folded.startswith(_TURNS) and bare[:_OPENING] in openings
        if (folded in NEGATIVE or turned) and denied.isdisjoint(tokens(bare)[:1]):
            yield word.written


def _find_denied_reports(mine: Reading, theirs: Reading) -> Iterator[str]:
    """The words of reporting that a sentence denies ("has never held") and its evidence does not."""
    denied = {word.term for word in theirs.words if word.negated}
    for word in mine.words:
        if word.negated and word.written.casefold() in REPORTING and word.term not in denied:
            yield word.written


def _find_broken_names(mine: Reading, theirs: Reading) -> Iterator[str]:
    """The parts of names that stand beside each other, where the evidence has both beside other parts."""
    have = {word.term for word in theirs.words}
    following: defaultdict[str, set[str]] = defaultdict(set)
    preceding: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in _list_names(theirs):
        following[one.term].add(other.term)
        preceding[other.term].add(one.term)
    for one, other in _list_names(mine):
        behind, before = following.get(one.term, set()), preceding.get(other.term, set())
        if other.term in behind or not {one.term, other.term} <= have:
            continue
        if behind or before or one.term in following.get(other.term, ()):
            yield other.written


def _list_names(reading: Reading) -> Iterator[tuple[Word, Word]]:
    """The words with a capital beside each other, or with "of" between them."""
    last: Word | None = None
    for word in reading.words:
        capital = word.written[:1].isupper()
        if capital and last is not None:
            between = reading.pieces[last.place + 1 : word.place]
            if len(between) <= _LONGEST_LINK and _NAME_LINKS.issuperset(between):
                yield last, word
        last = word if capital else None
