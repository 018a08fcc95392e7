"""Read sentences as runs of comparable words, and compare what turns, permits, commands and limits them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from lexls.grounding.verification.vocabulary import (
    EXCEPTION_PHRASES,
    EXCEPTIONS,
    FORMS,
    HARMLESS,
    IRREGULAR,
    MODALS,
    NEGATIONS,
    QUANTIFIERS,
    REPORTING,
)
from lexls.quotations.vocabulary import NUMBER_WORDS
from lexls.retrieval.relevance import COMMON, Tokens
from lexls.text.spans import Span

_PIECE = re.compile(r"\d+(?:[.,]\d+)*|[^\W_]+(?:['’][^\W_]+)*|[.,;:!?()\[\]—–]|\n[ \t]*\n")
_BREAKS = frozenset(".;:!?()[]—–,")
_BREAKING = frozenset(("but", "however", "although", "though", "whereas", "while", "because"))
_ENDING = _BREAKS | _BREAKING
_REACH = 3
"""Words that carry meaning, up to which a negation or a modal verb governs what follows in its clause."""
_NEAR = {"without": 1, "lack": 1, "lacks": 1, "lacked": 1, "lacking": 1}
"""Those that govern less."""
NEGATED = "-"
"""What a negation is called among what governs a word."""
_WEAK = frozenset(("power", "advice", "duty"))
"""The kinds of modal verbs of which a sentence has one only if its evidence has it: not "will"."""
_ALIKE = 0.85
"""The share of words in the same order from which on two texts are one sentence with small changes."""
_LONGEST = 600
"""Words of either side that are laid beside each other."""
_GOVERNING = frozenset((NEGATED, *_WEAK))


@dataclass(frozen=True, slots=True)
class Word:
    """A word that carries meaning: its term, as it is written, what governs it in its clause, its place.

    ``governed`` are the negations (``NEGATED``) and modal verbs (by kind) before it, each with its number
    in the text.
    """

    term: str
    written: str
    governed: tuple[tuple[str, int], ...]
    place: int

    @property
    def negated(self) -> bool:
        """Return whether an odd number of negations stands before it."""
        return sum(kind == NEGATED for kind, _ in self.governed) % 2 == 1

    @property
    def modals(self) -> frozenset[str]:
        """The kinds of modal verbs before it."""
        return frozenset(kind for kind, _ in self.governed if kind != NEGATED)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as the checks of sense see it.

    ``exceptions`` are its words that limit a statement (harmless phrases apart), ``negations`` those that
    turn one, ``modals`` the kinds of its modal verbs, ``said`` all its words, folded. ``pieces`` are its
    words and stops, folded, in order: ``Word.place`` counts them.
    """

    words: tuple[Word, ...]
    exceptions: tuple[str, ...]
    negations: tuple[str, ...]
    modals: tuple[str, ...]
    said: frozenset[str]
    pieces: tuple[str, ...]


def locate_pieces(text: str) -> Sequence[Span]:
    """Return where the words and stops of ``text`` stand that ``Word.place`` counts, in code points."""
    return [Span(*match.span()) for match in _PIECE.finditer(text)]


def normalize_forms(text: str) -> str:
    """Return ``text`` on one line, with duties, leaves, bans and conditions in their normal forms."""
    text = " ".join(text.split())
    for pattern, form in FORMS:
        text = pattern.sub(form, text)
    return text


def read_clauses(text: str, tokens: Tokens) -> Reading:
    """``text`` read; commas and conjunctions end what a negation governs."""
    written = _PIECE.findall(text)
    pieces = [_folded(each) for each in written]
    harmless = _harmless(pieces)
    found: list[Word] = []
    exceptions: list[str] = []
    negations: list[str] = []
    modals: list[str] = []
    governing: list[tuple[str, int, int, int]] = []
    """Negations and modal verbs of this clause: kind, place, how far each reaches, and how many words that
    carry meaning stand before it."""
    held: list[tuple[str, int, int, int]] = []
    """Those that a comma follows at once: "may, in its discretion, extend"."""
    count = 0
    for place, piece in enumerate(pieces):
        if piece in _ENDING or not piece.strip():
            at_once = [each for each in governing if each[3] == count and piece == ","]
            governing = [(*each[:3], count) for each in held if piece == ","]
            held = at_once
            continue
        if piece in NEGATIONS:
            negations.append(piece)
            if place not in harmless:
                governing.append((NEGATED, place, _NEAR.get(piece, _REACH), count))
        if piece in MODALS and _is_modal(pieces, written, place):
            modals.append(MODALS[piece])
            governing.append((MODALS[piece], place, _REACH, count))
        if place not in harmless and _is_exception(pieces, place):
            exceptions.append(piece)
        if not _carries_meaning(piece):
            continue
        for term in tokens(IRREGULAR.get(piece, piece))[:1]:
            near = tuple((kind, cue) for kind, cue, reach, at in governing if count - at < reach)
            found.append(Word(term, written[place], near, place))
        count += 1
    said = frozenset(pieces) - _BREAKS
    return Reading(tuple(found), tuple(exceptions), tuple(negations), tuple(modals), said, tuple(pieces))


def _carries_meaning(piece: str) -> bool:
    """Return whether a word carries meaning; numbers are compared by themselves."""
    if piece[0].isdigit() or piece in NUMBER_WORDS or len(piece) < 2:
        return False
    return piece not in NEGATIONS and piece not in MODALS and piece not in COMMON


def _folded(piece: str) -> str:
    piece = piece.casefold().replace("’", "'")
    if piece.endswith("n't"):
        return piece.replace("'", "")
    return piece.removesuffix("'s")


def _harmless(pieces: Sequence[str]) -> set[int]:
    """The places of words in phrases that turn nothing."""
    return {
        inside
        for place in range(len(pieces))
        for phrase in HARMLESS
        if tuple(pieces[place : place + len(phrase)]) == phrase
        for inside in range(place, place + len(phrase))
    }


def _is_exception(pieces: Sequence[str], place: int) -> bool:
    needs = EXCEPTION_PHRASES.get(pieces[place])
    return pieces[place] in EXCEPTIONS and (
        needs is None or not needs.isdisjoint(pieces[place + 1 : place + 2])
    )


def _is_modal(pieces: Sequence[str], written: Sequence[str], place: int) -> bool:
    """Not the month of May, nor somebody's will."""
    piece = pieces[place]
    before = pieces[place - 1] if place else ""
    following = pieces[place + 1] if place + 1 < len(pieces) else ""
    if piece == "may" and written[place][0].isupper() and (before.isdigit() or following.isdigit()):
        return False
    return not (piece == "will" and before in ("a", "the", "his", "her", "their", "testator", "free", "at"))


def align_words(sentence: Reading, evidence: Reading) -> list[tuple[Word, Word]]:
    """The words of a sentence with those of its evidence that stand in the same order."""
    left, right = sentence.words[:_LONGEST], evidence.words[:_LONGEST]
    matcher = SequenceMatcher(
        None, [each.term for each in left], [each.term for each in right], autojunk=False
    )
    return [
        (left[block.a + at], right[block.b + at])
        for block in matcher.get_matching_blocks()
        for at in range(block.size)
    ]


def are_nearly_same(sentence: Reading, evidence: Reading) -> bool:
    """Return whether they are one sentence with small changes, of which each is then a change of its
    sense."""
    most = max(len(sentence.words), len(evidence.words))
    return len(align_words(sentence, evidence)) >= _ALIKE * most


def find_moved(sentence: Reading, evidence: Reading, pointed: Collection[str]) -> tuple[str, ...]:
    """The words that a sentence has in another place than its evidence, of which it is otherwise a copy; but
    for the terms ``pointed`` to there."""
    if not are_nearly_same(sentence, evidence):
        return ()
    placed = {id(one) for one, _ in align_words(sentence, evidence)}
    there = {word.term for word in evidence.words}.difference(pointed)
    return tuple(
        word.written
        for word in sentence.words
        if id(word) not in placed and word.term in there and word.written.casefold() not in REPORTING
    )


def find_turned(sentence: Reading, evidence: Reading) -> tuple[str, ...]:
    """The words at which a sentence says the contrary of its evidence, or says it with another modal verb.

    What a negation or a modal verb governs is compared with the same words on the other side, first those
    that stand in the same order, for a sentence also those that the evidence has elsewhere: one of them must
    be denied in both or in neither, or under a modal verb of the same kind. Exceptions must be the same.
    """
    return tuple(dict.fromkeys([*_denied(sentence, evidence), *_limits(sentence, evidence)]))


def _denied(sentence: Reading, evidence: Reading) -> Iterator[str]:
    pairs = align_words(sentence, evidence)
    if are_nearly_same(sentence, evidence):
        # Nearly the same words: then each negation and each modal verb of one is one of the other.
        for mine, theirs in (
            (sentence.negations, evidence.negations),
            (sentence.modals, evidence.modals),
        ):
            if Counter(mine) != Counter(theirs):
                yield from (Counter(mine) - Counter(theirs)) + (Counter(theirs) - Counter(mine))
    yield from find_unmatched(sentence, list_counterparts(sentence, evidence, pairs))
    yield from find_unmatched(evidence, {id(other): [one] for one, other in pairs})


def list_counterparts(
    sentence: Reading, evidence: Reading, pairs: Sequence[tuple[Word, Word]]
) -> Mapping[int, Sequence[Word]]:
    """The words of the evidence for those of a sentence, by identity: of ``pairs`` (``align_words``) the one
    that stands in the same order, else all with its term."""
    there = {id(one): [other] for one, other in pairs}
    elsewhere: defaultdict[str, list[Word]] = defaultdict(list)
    for word in evidence.words:
        elsewhere[word.term].append(word)
    for word in sentence.words:
        there.setdefault(id(word), elsewhere.get(word.term, []))
    return there


def find_unmatched(
    reading: Reading, there: Mapping[int, Sequence[Word]], kinds: frozenset[str] = _GOVERNING
) -> Iterator[str]:
    """Yield what the negations and modal verbs of one side govern that is not so governed on the other side.

    ``there`` has the words of the other side for those of this one, by identity; ``kinds`` are those of
    ``Word.governed`` that count.
    """
    governs: defaultdict[tuple[str, int], list[Word]] = defaultdict(list)
    for word in reading.words:
        for cue in word.governed:
            governs[cue].append(word)
    for (kind, _), words in governs.items():
        if kind not in kinds:
            continue
        pairs = [(word, other) for word in words for other in there.get(id(word), ())]
        if pairs and not any(
            word.negated == other.negated if kind == NEGATED else kind in other.modals
            for word, other in pairs
        ):
            yield words[0].written


def _limits(sentence: Reading, evidence: Reading) -> Iterator[str]:
    """Exceptions that one of them has alone, and negations and modal verbs that the evidence lacks."""
    mine, theirs = Counter(sentence.exceptions), Counter(evidence.exceptions)
    yield from (mine - theirs) + (theirs - mine)
    if sentence.negations and not evidence.negations:
        yield from sentence.negations
    for kind in sentence.modals:
        if kind in _WEAK and kind not in evidence.modals:
            yield kind


def find_unsupported_quantifiers(sentence: Reading, evidence: Reading) -> tuple[str, ...]:
    """The quantifiers of a sentence ("all", "before", "less") that its evidence has not."""
    return tuple(sorted(each for each in sentence.said & QUANTIFIERS if each not in evidence.said))
