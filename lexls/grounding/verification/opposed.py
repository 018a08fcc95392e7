"""Find words on which the meaning of a sentence turns and for which the evidence has an opposite, or
nothing.
"""

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
"""Maximum distance, in words and punctuation marks, from a word to the aligned words that show where its
counterpart is expected.
"""
_SLACK = 4
"""Number of additional words and punctuation marks that the other text may have between those aligned
words.
"""
_SURE = 0.6
"""Minimum share of the sentence found in the evidence at which both are assumed to concern the same parties
and duties.
"""
_NAME_LINKS = frozenset(("of", "the", "and", "for"))
_LONGEST_LINK = 2
_CHOICE = frozenset(("or", "the", "a", "an", "to"))
"""Words between two alternatives."""
_OPENING = 6
"""Number of initial letters that are compared to recognise words of one stem."""
_TURNS = ("un", "non")

Pairs = Sequence[tuple[Word, Word]]


@dataclass(frozen=True, slots=True)
class _Mark:
    """A word on which the meaning turns: its place, its kind ("party"), and its side, which is the same for
    all words of the kind with this meaning.
    """

    place: int
    kind: str
    side: str
    written: str


@dataclass(frozen=True, slots=True)
class _Window:
    """The range of one text in which the counterpart of the other text's word is expected; ``closed`` is true
    if it is between two aligned words.
    """

    low: int
    high: int
    closed: bool


def find_displaced(
    mine: Reading, theirs: Reading, pairs: Pairs, share: float, tokens: Tokens
) -> Iterator[str]:
    """Yield the sentence's words that the evidence replaces with others, and the evidence's words missing
    from the sentence.

    ``pairs`` are the aligned words, ``share`` the part of the sentence found in the evidence. Parties,
    outcomes, quantities, modal verbs and numbers are searched for between the adjacent aligned words.
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
    """Return whether the evidence has this word and one of the sentence's words as alternatives: "the grant
    or the denial of a motion".
    """
    for other in there:
        if other.kind == mark.kind and (other.kind, other.side) in own:
            low, high = sorted((mark.place, other.place))
            between = theirs.pieces[low + 1 : high]
            if "or" in between and _CHOICE.issuperset(between):
                return True
    return False


def _is_missing(mark: _Mark, sides: set[str], theirs: Reading, share: float) -> bool:
    """Return whether the sentence is unsupported because the evidence lacks this word where it is
    expected.
    """
    if mark.kind == _DISPOSITION:
        return mark.side not in sides
    if share >= _SURE:
        return False
    if mark.kind == _DENIAL:
        return True
    if mark.kind == _PARTY:
        # If the evidence mentions several parties, the statement may be true of another one.
        return len(sides) > 1
    commanded = not theirs.said.isdisjoint(COMMANDS)
    if mark.kind != _MODAL or mark.side in sides or (mark.side == "duty" and commanded):
        return False
    return mark.side in ("duty", "advice") or (mark.side == "power" and (bool(sides) or commanded))


class _Anchors:
    """The places of aligned words in two texts. The places for one kind of word exclude the words of that
    kind.
    """

    def __init__(self, pairs: Pairs, said: Sequence[_Mark], there: Sequence[_Mark]) -> None:
        self._pairs = [(one.place, other.place) for one, other in pairs]
        self._said, self._there = ({(mark.kind, mark.place) for mark in marks} for marks in (said, there))
        self._forward: dict[str, list[tuple[int, int]]] = {}

    def forward(self, kind: str) -> list[tuple[int, int]]:
        """Return the aligned places for a kind of word as pairs, in order: the place in the sentence, then in
        the evidence.
        """
        if kind not in self._forward:
            self._forward[kind] = [
                (one, other)
                for one, other in self._pairs
                if (kind, one) not in self._said and (kind, other) not in self._there
            ]
        return self._forward[kind]

    def backward(self, kind: str) -> list[tuple[int, int]]:
        """Return the aligned places for a kind of word as pairs, in order: the place in the evidence, then in
        the sentence.
        """
        return [(other, one) for one, other in self.forward(kind)]


def _find_window(place: int, anchors: Sequence[tuple[int, int]], length: int) -> _Window | None:
    """Return the range of the other text, of ``length`` pieces, in which the counterpart of ``place`` is
    expected, or None.
    """
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
    """Return the words of a text on which its meaning turns, in order."""
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
    """Return the kind and side (see ``_Mark``) of each word on which meaning turns, by word and by term."""
    found: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    for kind, opposed in OPPOSED.items():
        for side, words in enumerate(opposed):
            for word in words:
                for key in (word, *tokens(word)[:1]):
                    found[key][kind, str(side)] = None
    for verb, meaning in MODALS.items():
        found[verb][_MODAL, meaning] = None
    for word in NEGATIONS | NEGATIVE:
        # They are not content words, so their terms are not compared: "denied" is a form of "deny".
        found[word] |= {each: None for term in tokens(word)[:1] for each in found.get(term, ())}
        found[word][_DENIAL, ""] = None
    for party in PARTIES:
        found[party][_PARTY, party] = None
        found[f"{party}s"][_PARTY, party] = None
    return {key: tuple(each) for key, each in found.items()}


def _find_denying(mine: Reading, theirs: Reading, tokens: Tokens) -> Iterator[str]:
    """Yield words with a negative prefix ("unlawful") whose meaning the evidence does not express."""
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
    """Yield reporting verbs that a sentence negates ("has never held") and its evidence does not."""
    denied = {word.term for word in theirs.words if word.negated}
    for word in mine.words:
        if word.negated and word.written.casefold() in REPORTING and word.term not in denied:
            yield word.written


def _find_broken_names(mine: Reading, theirs: Reading) -> Iterator[str]:
    """Yield the second of two adjacent parts of a name if the evidence has both parts, but next to other
    ones.
    """
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
    """Yield pairs of capitalised words that are adjacent or joined by "of" and the like."""
    last: Word | None = None
    for word in reading.words:
        capital = word.written[:1].isupper()
        if capital and last is not None:
            between = reading.pieces[last.place + 1 : word.place]
            if len(between) <= _LONGEST_LINK and _NAME_LINKS.issuperset(between):
                yield last, word
        last = word if capital else None
