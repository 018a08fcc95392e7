"""Parse sentences into comparable words, and compare their negations, modal verbs and exceptions."""

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
"""Maximum number of content words in its clause that a negation or a modal verb governs."""
_NEAR = {"without": 1, "lack": 1, "lacks": 1, "lacked": 1, "lacking": 1}
"""Negations that govern fewer words, with the number of words."""
NEGATED = "-"
"""Marks a negation in ``Word.governed``."""
_WEAK = frozenset(("power", "advice", "duty"))
"""Kinds of modal verbs that a sentence may have only if its evidence does; "will" is not one of them."""
_ALIKE = 0.85
"""Minimum share of words in the same order if two texts are one sentence with small changes."""
_LONGEST = 600
"""Maximum number of words of each text that are aligned."""
_GOVERNING = frozenset((NEGATED, *_WEAK))


@dataclass(frozen=True, slots=True)
class Word:
    """A content word: its term, its written form, what governs it in its clause, and its place.

    ``governed`` has the negations (``NEGATED``) and modal verbs (by kind) before it, each with its place in
    the text.
    """

    term: str
    written: str
    governed: tuple[tuple[str, int], ...]
    place: int

    @property
    def negated(self) -> bool:
        """Return whether it is negated an odd number of times."""
        return sum(kind == NEGATED for kind, _ in self.governed) % 2 == 1

    @property
    def modals(self) -> frozenset[str]:
        """Return the kinds of modal verbs that govern it."""
        return frozenset(kind for kind, _ in self.governed if kind != NEGATED)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text parsed for comparing meanings.

    ``exceptions`` are its limiting words, ``negations`` its negating words and ``modals`` the kinds of its
    modal verbs. ``said`` are all its words, folded. ``pieces`` are its folded words and punctuation marks in
    order; ``Word.place`` is an index into them.
    """

    words: tuple[Word, ...]
    exceptions: tuple[str, ...]
    negations: tuple[str, ...]
    modals: tuple[str, ...]
    said: frozenset[str]
    pieces: tuple[str, ...]


def locate_pieces(text: str) -> Sequence[Span]:
    """Return the spans, in code points, of the words and punctuation marks that ``Word.place`` counts."""
    return [Span(*match.span()) for match in _PIECE.finditer(text)]


def normalize_forms(text: str) -> str:
    """Return ``text`` on one line, with obligations, permissions, prohibitions and conditions in
    normal form.
    """
    text = " ".join(text.split())
    for pattern, form in FORMS:
        text = pattern.sub(form, text)
    return text


def read_clauses(text: str, tokens: Tokens) -> Reading:
    """Parse ``text``; commas and conjunctions end the scope of a negation."""
    written = _PIECE.findall(text)
    pieces = [_folded(each) for each in written]
    harmless = _harmless(pieces)
    found: list[Word] = []
    exceptions: list[str] = []
    negations: list[str] = []
    modals: list[str] = []
    governing: list[tuple[str, int, int, int]] = []
    """Negations and modal verbs of this clause: kind, place, scope in content words, and number of content
    words before it."""
    held: list[tuple[str, int, int, int]] = []
    """Those directly followed by a comma: "may, in its discretion, extend"."""
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
    """Return whether a word is a content word. Numbers are not, since they are compared separately."""
    if piece[0].isdigit() or piece in NUMBER_WORDS or len(piece) < 2:
        return False
    return piece not in NEGATIONS and piece not in MODALS and piece not in COMMON


def _folded(piece: str) -> str:
    piece = piece.casefold().replace("’", "'")
    if piece.endswith("n't"):
        return piece.replace("'", "")
    return piece.removesuffix("'s")


def _harmless(pieces: Sequence[str]) -> set[int]:
    """Return the places of words in phrases whose negation does not change the meaning."""
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
    """Return whether the piece at ``place`` is a modal verb, not the month of May or a person's will."""
    piece = pieces[place]
    before = pieces[place - 1] if place else ""
    following = pieces[place + 1] if place + 1 < len(pieces) else ""
    if piece == "may" and written[place][0].isupper() and (before.isdigit() or following.isdigit()):
        return False
    return not (piece == "will" and before in ("a", "the", "his", "her", "their", "testator", "free", "at"))


def align_words(sentence: Reading, evidence: Reading) -> list[tuple[Word, Word]]:
    """Align a sentence's words with those of its evidence. Returns pairs of matching words that are in the
    same order in both.
    """
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
    """Return whether two texts are the same sentence with small changes. Every such change then affects the
    meaning.
    """
    most = max(len(sentence.words), len(evidence.words))
    return len(align_words(sentence, evidence)) >= _ALIKE * most


def find_moved(sentence: Reading, evidence: Reading, pointed: Collection[str]) -> tuple[str, ...]:
    """Return the words whose position in the sentence differs from that in its evidence, if the sentence is
    otherwise a copy. The terms in ``pointed``, which replace pronouns, are ignored.
    """
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
    """Return the words at which a sentence contradicts its evidence or changes its modal verb.

    Each word governed by a negation or a modal verb is compared with the aligned word of the other text. A
    word of the sentence without an aligned word is compared with every occurrence in the evidence. At least
    one of the words governed by the same negation or modal verb must agree: negated in both texts or in
    neither, or with the same kind of modal verb. Exceptions must be the same in both texts.
    """
    return tuple(dict.fromkeys([*_denied(sentence, evidence), *_limits(sentence, evidence)]))


def _denied(sentence: Reading, evidence: Reading) -> Iterator[str]:
    pairs = align_words(sentence, evidence)
    if are_nearly_same(sentence, evidence):
        # The words are nearly the same, so both must have the same negations and modal verbs.
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
    """Map each of the sentence's words, by ``id``, to the corresponding words of the evidence: the aligned
    word in ``pairs`` (``align_words``), or else all words with the same term.
    """
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
    """Yield the first word governed by each unmatched negation or modal verb. It is unmatched if the other
    text has some of the words that it governs, but none of them governed in the same way.

    ``there`` maps this text's words, by ``id``, to the other's (``list_counterparts``). Only ``kinds`` of
    ``Word.governed`` count.
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
    """Yield the exceptions that only one text has, and the negations and modal verbs that the
    evidence lacks.
    """
    mine, theirs = Counter(sentence.exceptions), Counter(evidence.exceptions)
    yield from (mine - theirs) + (theirs - mine)
    if sentence.negations and not evidence.negations:
        yield from sentence.negations
    for kind in sentence.modals:
        if kind in _WEAK and kind not in evidence.modals:
            yield kind


def find_unsupported_quantifiers(sentence: Reading, evidence: Reading) -> tuple[str, ...]:
    """Return the sentence's quantifiers ("all", "before", "less") that its evidence lacks."""
    return tuple(sorted(each for each in sentence.said & QUANTIFIERS if each not in evidence.said))
