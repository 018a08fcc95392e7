"""Tell what stands together in a list, so that a sentence has all of it or none, and what stands alone there.

Numbered items, and what must all be shown or be so, stand together. What is denied of one or the other, and
what somebody may do in one way or another, is so of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from lexls.grounding.verification.gaps import CUES, ENDS, JOINING, RELATIVE, Alignment, find_beginning
from lexls.grounding.verification.vocabulary import (
    AUXILIARIES,
    ELEMENTS,
    LIMITING,
    NEGATIONS,
    PREPOSITIONS,
)
from lexls.quotations.vocabulary import NUMBER_WORDS
from lexls.text.lexicon import split_words

CONDITIONS = frozenset(("if", "when", "where", "unless", "once", "until", "provided", "whenever"))
"""How a condition begins."""
_SUBORDINATE = frozenset(("that", *CONDITIONS))
"""How another condition begins, or another part of what must be shown."""
_APART = RELATIVE | split_words("other than but both")
"""Words behind which "or" may join parts of what is only described, or of what is excepted."""
_OF_EACH = frozenset((("liable", "for"), ("does", "survive")))
"""What is so of each of two things if it is so of "one or the other"."""
_DUTIES = frozenset(("must", "shall", "may", "can", "will", "should", "need"))
_LISTING = frozenset(("that", "whether", "to", "which", "who"))
"""Words with which a further part begins of what was announced: "three facts: that …; and that …"."""
_NARROWING = LIMITING | split_words("between both together jointly joint combined who whose whom which with")
"""Words behind which two things belong together, or which say of what something is so."""
_LONGEST_MARK = 4
"""Characters of an item's number: "viii"."""


def find_missing_items(alignment: Alignment) -> Iterator[str]:
    """The numbers of items of a list of which the sentence has others: conditions stand together."""
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
    """Whether the sentence, or the part up to a semicolon, from ``low`` up to ``high`` is one of a list."""
    listed = pieces[high - 1] == ";" and (":" in pieces[low:high] or _goes_on(pieces[high : high + 3]))
    further = _goes_on(pieces[low : low + 3]) and pieces[low - 1] == ";"
    return listed or (further and not ELEMENTS.isdisjoint(pieces[:low]))


def _goes_on(pieces: Sequence[str]) -> bool:
    """Whether a part behind a semicolon is a further one of what was announced: "; and that he …"."""
    words = pieces[1:] if pieces[:1] == ("and",) else pieces
    return bool(words[:1] and words[0] in _LISTING and words[1:2] and words[1] not in AUXILIARIES)


def lists_elements(before: Sequence[str], pieces: Sequence[str]) -> bool:
    """Whether the end of a sentence, behind what stands ``before`` it, goes on with what must all be shown,
    must all be so, or belongs together."""
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
    """Whether the end of a sentence says something by itself: ", and the master must …", ", which must …"."""
    joined = any(each in JOINING for each in pieces[:2]) and not AUXILIARIES.isdisjoint(pieces)
    return joined or (pieces[0] == "," and is_further_duty(pieces[1:]))


def is_further_duty(pieces: Sequence[str]) -> bool:
    """Whether a part lays another duty on what stands before it: consent, "which must not be withheld"."""
    return pieces[:1] == ("which",) and not {*pieces[1:2]}.isdisjoint(("must", "shall", "can"))


def find_alternative(
    alignment: Alignment, low: int, high: int, left: Sequence[int], said: Sequence[str]
) -> tuple[int, int] | None:
    """From where to where one of two things stands that "or" joins, if what is so of either is so of each.

    The quotation leaves out the words at the places ``left``, all from ``low`` up to ``high``, where the
    sentence has what is ``said``.
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
    """Whether what stands at a place is denied once, or allowed, with nothing that turns or limits it."""
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
