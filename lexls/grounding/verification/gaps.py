"""Align a sentence with its quotation: the words that both have in the same order, and the gaps between them.

Words that only the quotation has in a gap were omitted; words that only the sentence has were added. A
sentence must have all items of a list or none, unless the items are independent. Numbered items, and elements
that must all be proved or met, belong together. A negation of "A or B", or a permission for one or the other,
applies to each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lexls.grounding.verification.clauses import Reading, Word, align_words
from lexls.grounding.verification.vocabulary import (
    AUXILIARIES,
    ELEMENTS,
    IRREGULAR,
    LIMITING,
    NAMELESS,
    NEGATIONS,
    PREPOSITIONS,
)
from lexls.quotations.speakers import EMBEDDING, PARTIES
from lexls.quotations.vocabulary import NUMBER_WORDS
from lexls.text.lexicon import STOPPED, split_words

ENDS = frozenset((*".;?!", "\n\n"))
"""Punctuation that ends a sentence or an independent part of one."""
ASIDE = frozenset(",()[]—–")
"""Punctuation around an aside."""
JOINING = frozenset(("and", "but", "so", "yet"))
"""Conjunctions that begin a further clause."""
RELATIVE = frozenset(("who", "which", "that", "whom", "whose"))
"""Relative pronouns that begin a descriptive clause."""
CUES = LIMITING | EMBEDDING
"""Words that limit a statement, or attribute, question or deny it."""
PRESENT = frozenset(("is", "are", "be", "has", "have", "does", "do"))
"""Verbs of general statements, not of single events."""
_STOPPED = frozenset(STOPPED.casefold().split("|")) | {"rs", "jr", "sr", "cf"}
_ABBREVIATING = "·"
"""Character that replaces a full stop which does not end a sentence."""
_PAST = frozenset(("was", "were", "had", "did"))
_BEHIND_NUMBERS = frozenset(("per", "cent", "percent", "st", "nd", "rd", "th"))
"""Words that follow a number and are compared with it."""
_OFFICES = split_words(
    "act code court courts high supreme district appeals agreement contract party parties section state"
)
"""Capitalised words that do not name a person."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The text between two aligned words, as half-open ranges of places in the sentence (``said``) and in the
    quotation (``there``).
    """

    said: tuple[int, int]
    there: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Alignment:
    """A sentence aligned with its quotation, and the question ``asked``.

    ``said_at`` maps each aligned place of the quotation to the sentence's word. ``extra`` are words only in
    the sentence; ``left`` are words that it omits, by their places in the quotation. ``gaps`` are in order,
    the first before all aligned words and the last after them. ``terms`` are the question's terms and
    ``known`` those that also occur around the quotation. ``tells`` is true if the sentence reports a single
    event. ``moves`` is true if, in addition, it is passive and its quotation is not, or the other way round.
    """

    sentence: Reading
    quotation: Reading
    asked: Reading
    said_at: Mapping[int, str]
    extra: Sequence[Word]
    left: Mapping[int, Word]
    gaps: Sequence[Gap]
    terms: frozenset[str]
    known: frozenset[str]
    tells: bool
    moves: bool

    def read_said(self, gap: Gap) -> tuple[str, ...]:
        """Return the sentence's words and punctuation marks in a gap."""
        return self.sentence.pieces[slice(*gap.said)]

    def read_there(self, gap: Gap) -> tuple[str, ...]:
        """Return the quotation's words and punctuation marks in a gap."""
        return self.quotation.pieces[slice(*gap.there)]

    def list_left(self, low: int, high: int) -> list[int]:
        """Return the places of omitted words in the quotation from ``low`` up to ``high``."""
        return [place for place in range(low, high) if place in self.left]


def lay_beside(sentence: Reading, quotation: Reading, asked: Reading, around: frozenset[str]) -> Alignment:
    """Align ``sentence`` with ``quotation``; ``around`` are the terms of the quotation's surroundings."""
    sentence, quotation = _join_initials(sentence), _join_initials(quotation)
    pairs = align_words(sentence, quotation)
    said_at = {other.place: sentence.pieces[one.place] for one, other in pairs}
    placed = {one.place for one, _ in pairs}
    extra = [word for word in sentence.words if word.place not in placed]
    tells = _tells(sentence, quotation)
    moves = tells and ("by" in sentence.said) != ("by" in quotation.said)
    moved = {word.term for word in extra if tells and (moves or word.written[:1].isupper())}
    left = {
        word.place: word
        for word in quotation.words
        if word.place not in said_at
        and quotation.pieces[word.place] not in _BEHIND_NUMBERS
        and word.term not in moved
    }
    edges = [(-1, -1), *((one.place, other.place) for one, other in pairs)]
    edges.append((len(sentence.pieces), len(quotation.pieces)))
    gaps = [Gap((low[0] + 1, high[0]), (low[1] + 1, high[1])) for low, high in pairwise(edges)]
    terms = frozenset(word.term for word in asked.words)
    return Alignment(
        sentence, quotation, asked, said_at, extra, left, gaps, terms, terms & around, tells, moves
    )


def _join_initials(reading: Reading) -> Reading:
    """Return ``reading`` without full stops after initials and abbreviations: "J.R.S. must …" is one
    sentence.
    """
    pieces = (
        _ABBREVIATING
        if each == "." and (before in _STOPPED or (len(before) == 1 and before.isalpha()))
        else each
        for before, each in pairwise(("", *reading.pieces))
    )
    return replace(reading, pieces=tuple(pieces))


def find_beginning(pieces: Sequence[str], place: int) -> int:
    """Return the place at which the sentence that includes ``place`` begins."""
    return max((at + 1 for at in range(place) if pieces[at] in ENDS), default=0)


def is_name(word: Word, reading: Reading) -> bool:
    """Return whether a word names a person or thing: it is capitalised, but not because it begins a
    sentence.
    """
    inside = word.place and reading.pieces[word.place - 1] not in ENDS
    folded = word.written.casefold()
    return bool(inside) and word.written[:1].isupper() and folded not in NAMELESS | PARTIES | _OFFICES


def _tells(sentence: Reading, quotation: Reading) -> bool:
    """Return whether a sentence reports what a named person did, not a general statement."""
    past = any(each in IRREGULAR or each in _PAST or each.endswith("ed") for each in sentence.said)
    general = sentence.modals or sentence.negations or sentence.said & PRESENT
    return bool(past and not general and any(is_name(word, quotation) for word in quotation.words))


CONDITIONS = frozenset(("if", "when", "where", "unless", "once", "until", "provided", "whenever"))
"""Words that begin a condition."""
_SUBORDINATE = frozenset(("that", *CONDITIONS))
"""Words that begin a further condition or a further element to be proved."""
_APART = RELATIVE | split_words("other than but both")
"""Words after which "or" may join parts of a description or an exception."""
_OF_EACH = frozenset((("liable", "for"), ("does", "survive")))
"""Phrases after which a statement about "A or B" is true of each: "liable for"."""
_DUTIES = frozenset(("must", "shall", "may", "can", "will", "should", "need"))
_LISTING = frozenset(("that", "whether", "to", "which", "who"))
"""Words that begin a further item of an announced list: "three facts: that …; and that …"."""
_NARROWING = LIMITING | split_words("between both together jointly joint combined who whose whom which with")
"""Words after which two things belong together, or which restrict what a statement is about."""
_LONGEST_MARK = 4
"""Maximum length of an item's number in characters ("viii")."""


def find_missing_items(alignment: Alignment) -> Iterator[str]:
    """Yield the numbers of the list items that the sentence omits although it has other items of the list.
    Listed conditions belong together.
    """
    pieces = alignment.quotation.pieces
    marks = [
        place
        for place in range(len(pieces) - 2)
        if (pieces[place], pieces[place + 2]) == ("(", ")")
        and len(pieces[place + 1]) <= _LONGEST_MARK
        and (not place or pieces[place - 1] not in NUMBER_WORDS)
    ]
    said = [
        any(place in alignment.said_at for place in range(low + 3, high))
        for low, high in pairwise([*marks, len(pieces)])
    ]
    if len(marks) > 1 and any(said) and not all(said):
        yield from (pieces[mark + 1] for mark, each in zip(marks, said, strict=True) if not each)


def is_listed(pieces: Sequence[str], low: int, high: int) -> bool:
    """Return whether the sentence, or part up to a semicolon, from ``low`` to ``high`` is an item of
    a list.
    """
    listed = pieces[high - 1] == ";" and (":" in pieces[low:high] or _goes_on(pieces[high : high + 3]))
    further = _goes_on(pieces[low : low + 3]) and pieces[low - 1] == ";"
    return listed or (further and not ELEMENTS.isdisjoint(pieces[:low]))


def _goes_on(pieces: Sequence[str]) -> bool:
    """Return whether the part after a semicolon continues an announced list: "; and that he …"."""
    words = pieces[1:] if pieces[:1] == ("and",) else pieces
    return bool(words[:1] and words[0] in _LISTING and words[1:2] and words[1] not in AUXILIARIES)


def lists_elements(before: Sequence[str], pieces: Sequence[str]) -> bool:
    """Return whether the end of a sentence, after ``before``, continues a list of elements that must all be
    proved or met, or that belong together.
    """
    begin = find_beginning(before, len(before))
    if "and" not in pieces[:2] or is_further_duty(pieces[1:]):
        return "and" in pieces and not ELEMENTS.isdisjoint(before[begin:]) and not is_clause(pieces)
    joined = pieces[pieces.index("and") + 1 :]
    if joined[:1] and joined[0] in _SUBORDINATE:
        return not (ELEMENTS | CONDITIONS).isdisjoint(before[begin:])
    if not _DUTIES.isdisjoint(joined):
        return False  # another rule
    commas = [
        at for at in range(begin, len(before)) if before[at] == "," and AUXILIARIES.intersection(before[at:])
    ]
    narrowed = before[commas[-1] if commas else begin :]
    if not CONDITIONS.isdisjoint(before[begin + 1 :]) or not _NARROWING.isdisjoint(narrowed):
        return True
    listed = joined[:1] and joined[0] not in PREPOSITIONS and AUXILIARIES.isdisjoint(joined)
    shown = any(one in ELEMENTS and other == "that" for one, other in pairwise(before[begin:]))
    return shown or bool(listed and not ELEMENTS.isdisjoint(before[begin:]))


def is_clause(pieces: Sequence[str]) -> bool:
    """Return whether the end of a sentence is an independent statement: ", and the master must …", ", which
    must …".
    """
    joined = any(each in JOINING for each in pieces[:2]) and not AUXILIARIES.isdisjoint(pieces)
    return joined or (pieces[0] == "," and is_further_duty(pieces[1:]))


def is_further_duty(pieces: Sequence[str]) -> bool:
    """Return whether a relative clause imposes another duty, as in "consent, which must not be withheld"."""
    return pieces[:1] == ("which",) and not {*pieces[1:2]}.isdisjoint(("must", "shall", "can"))


def find_alternative(
    alignment: Alignment, low: int, high: int, left: Sequence[int], said: Sequence[str]
) -> tuple[int, int] | None:
    """Return the range of one of two alternatives joined by "or", if the statement is true of each; otherwise
    None.

    The quotation's words at the places ``left``, all from ``low`` up to ``high``, are omitted; ``said`` has
    the sentence's words there.
    """
    pieces = alignment.quotation.pieces
    if pieces[left[0] - 1] == "or" or "or" in pieces[low : left[0]]:
        first, last = low + pieces[low : left[0]].index("or"), left[-1] + 1
        rest = pieces[last:high]
        ended = not rest or rest[0] in ENDS
        apart = pieces[low:first] == (",",) and ended and "," not in pieces[first:last]
        alone = first == low and (len(left) == 1 if ended else rest == tuple(said))
        first, fits = (low, True) if apart else (first, alone)
    elif "or" in pieces[left[-1] : high]:
        first, last = left[0], high
        head, joined = pieces[low:first], left[-1] + 1 + pieces[left[-1] + 1 : high].index("or")
        # "of a thing or of another", "of a thing or another"
        repeated = head[len(head) - (high - joined - 1) :] == pieces[joined + 1 : high]
        plain = not (PREPOSITIONS - {"of"}).intersection(pieces[first:joined])
        same = pieces[high : high + 1] == (alignment.said_at.get(high, ""),)
        fits = repeated and plain and same and tuple(said) == head
    else:
        return None
    if not fits or (CUES | NEGATIONS | AUXILIARIES | ENDS).intersection(pieces[first:last]):
        return None
    return (first, last) if _is_so_of_each(alignment, first) else None


def _is_so_of_each(alignment: Alignment, place: int) -> bool:
    """Return whether the statement before ``place`` is true of each of two alternatives there: it is negated
    once, or is a permission, without other negations or limits.
    """
    pieces = alignment.quotation.pieces
    before = pieces[find_beginning(pieces, place) : place]
    if not (CUES | _APART).isdisjoint(before) or "whichever" in pieces:
        return False
    denials = [at for at, each in enumerate(before) if each in NEGATIONS]
    if denials:
        at = denials[0]
        plain = before[at] in ("not", "no") and before[max(0, at - 1)] in AUXILIARIES
        return len(denials) == 1 and (plain or (before[at] == "neither" and not at))
    if not _OF_EACH.isdisjoint(pairwise(before)):
        return True
    allowed = [at for at, each in enumerate(before) if each in AUXILIARIES]
    permitted = len(allowed) == 1 and before[allowed[0]] in ("may", "can")
    return permitted and set(alignment.quotation.modals) == {"power"}
