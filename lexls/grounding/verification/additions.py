"""Find what a sentence adds that its quotation neither says nor refers to.

A sentence may replace "it" or "this Agreement" with what is meant. It may report a single event in another
order, and apply a general statement to the question's subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lexls.grounding.verification.clauses import Word
from lexls.grounding.verification.gaps import CONDITIONS, CUES, ENDS, PRESENT, Alignment, Gap, find_beginning
from lexls.grounding.verification.vocabulary import AUXILIARIES, DIRECTIONS, POINTING, REPORTING

_NOW, _THEN = frozenset(("is", "are")), frozenset(("was", "were"))
_PERSONAL = frozenset(("it", "he", "she", "they"))
_OF_SOMEBODY = frozenset(
    ("satisfied", "convinced", "sure", "aware", "able", "entitled", "liable", "prepared")
)
"""Words that describe a person, so that "it is" before them refers to a court or a company."""
_LOOSE = frozenset(("of", "in", "on", "by"))
"""Prepositions that a sentence may have where its quotation has none."""
_ANY = frozenset(("a", "an", "any", "every", "each", "no"))
_ARTICLES = frozenset(("the", "a", "an", "any", "this", "that", "his", "her", "its", "their"))
_REACH = 9
"""Maximum number of words and punctuation marks after an expletive "it" before the clause it anticipates."""


def find_added(alignment: Alignment, gap: Gap) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the words that a sentence adds in a gap, and the terms with which it replaces a pronoun
    there.
    """
    extra = _list_extra(alignment, gap)
    pointed = bool(extra) and _is_pointed_to(alignment, gap, extra)
    added: dict[str, None] = {}
    if extra and not pointed and not _may_add(alignment, gap, extra):
        added |= dict.fromkeys(word.written for word in extra)
    said, there = alignment.read_said(gap), alignment.read_there(gap)
    cues = CUES - _list_own(alignment, gap)
    added |= dict.fromkeys(each for each in said if each in cues and each not in there)
    if _NOW.isdisjoint(there) and not _THEN.isdisjoint(there):
        added |= dict.fromkeys(_NOW.intersection(said))
    if gap is not alignment.gaps[0]:
        added |= dict.fromkeys(_find_turned(said, there, bool(extra), bool(alignment.extra)))
    return tuple(added), frozenset(word.term for word in extra) if pointed else frozenset()


def _list_own(alignment: Alignment, gap: Gap) -> frozenset[str]:
    """Return the words that a sentence may add in a gap: reporting words, if the gap is the first or the
    last.
    """
    return REPORTING if gap in (alignment.gaps[0], alignment.gaps[-1]) else frozenset()


def _list_extra(alignment: Alignment, gap: Gap) -> Sequence[Word]:
    """Return the words that only the sentence has in a gap, except those it may add."""
    extra = [word for word in alignment.extra if gap.said[0] <= word.place < gap.said[1]]
    if _replaces_pronoun(alignment, gap):
        return extra
    own = _list_own(alignment, gap)
    return [word for word in extra if word.written.casefold() not in own]


def _find_turned(said: Sequence[str], there: Sequence[str], inside: bool, anywhere: bool) -> Iterator[str]:
    """Yield the prepositions, "and", "or" and "but" in ``said`` that replace different ones of the quotation
    or are added.

    ``inside`` is true if other words are added in this gap, ``anywhere`` if they are added anywhere in the
    sentence.
    """
    mine, theirs = DIRECTIONS.intersection(said), DIRECTIONS.intersection(there)
    if mine and theirs and not mine & theirs:
        yield min(mine)
    if "or" in said and "or" not in there:
        yield "or"
    if "and" in said and "or" in there and "and" not in there:
        yield "and"
    if "but" in said and "or" in there and "but" not in there:
        yield "but"  # "not drunk but rude" for "not drunk or rude"
    if not theirs and not inside and mine - _LOOSE:
        yield min(mine - _LOOSE)
    if "by" in mine - theirs and not anywhere:
        yield "by"


def _is_pointed_to(alignment: Alignment, gap: Gap, extra: Sequence[Word]) -> bool:
    """Return whether the added words replace a pronoun of the quotation, or "this" and its noun."""
    there = alignment.read_there(gap)
    if not POINTING.intersection(there) or POINTING.intersection(alignment.read_said(gap)):
        return False
    if alignment.list_left(*gap.there) or _is_expletive(alignment, gap):
        return False
    words = alignment.quotation.words
    before = {word.term for word in words if word.place < gap.there[0]}
    known = alignment.known
    if not _PERSONAL.isdisjoint(there):
        # The antecedent of "it" comes before: "it is lawful under the custom".
        known -= {word.term for word in words if word.place >= gap.there[1]} - before
        others = set(_list_objects(alignment, _find_pronoun(alignment, gap)))
        known, before = known - others, before - others
    return all(word.term in known or word.term in before for word in extra)


def _find_pronoun(alignment: Alignment, gap: Gap) -> int:
    """Return the place of the first pronoun in the quotation's part of a gap, which must contain one."""
    return next(at for at in range(*gap.there) if alignment.quotation.pieces[at] in _PERSONAL)


def _list_objects(alignment: Alignment, place: int) -> Iterator[str]:
    """Yield the terms of a condition before ``place`` that are not part of the condition's subject: in "if
    the owner warns the miller, he …", "he" is not the miller.
    """
    pieces = alignment.quotation.pieces
    begin = find_beginning(pieces, place)
    opening = next((at for at in range(begin, min(begin + 2, place)) if pieces[at] in CONDITIONS), None)
    if opening is None or "," not in pieces[opening:place]:
        return
    articles = [at for at in range(opening, place) if pieces[at] in _ARTICLES and pieces[at - 1] != "of"]
    words = alignment.quotation.words
    if len(articles) > 1 and articles[0] == opening + 1:
        subject = {word.term for word in words if word.place < articles[1]}
        yield from (
            word.term for word in words if articles[1] < word.place < place and word.term not in subject
        )


def _replaces_pronoun(alignment: Alignment, gap: Gap) -> bool:
    """Return whether a sentence begins with other words in place of a pronoun such as "it", omitting nothing
    else there.
    """
    return (
        gap is alignment.gaps[0]
        and not alignment.list_left(*gap.there)
        and not _PERSONAL.isdisjoint(alignment.read_there(gap))
        and _PERSONAL.isdisjoint(alignment.read_said(gap))
    )


def _is_expletive(alignment: Alignment, gap: Gap) -> bool:
    """Return whether an "it" in a gap refers to what follows: "it is not a breach to deviate"."""
    pieces = alignment.quotation.pieces
    for place in range(*gap.there):
        rest = pieces[place + 1 :]
        end = next((at for at, each in enumerate(rest) if each in ENDS), len(rest))
        following = rest[: end if rest[:1] in (("is",), ("was",)) else _REACH]
        if following[1:2] and following[1] in _OF_SOMEBODY:
            continue
        if pieces[place] == "it" and following[:1] and following[0] in AUXILIARIES:
            return "to" in following or "that" in following
    return False


def _may_add(alignment: Alignment, gap: Gap, extra: Sequence[Word]) -> bool:
    """Return whether added words are allowed.

    A sentence may reorder the quotation's words about a single event, or narrow a general statement to the
    question's subject.
    """
    have = {word.term for word in alignment.quotation.words}
    named = alignment.moves or (alignment.tells and all(word.written[:1].isupper() for word in extra))
    if named and all(word.term in have for word in extra):
        return True
    general = alignment.sentence.modals or PRESENT.intersection(alignment.sentence.said)
    asked = all(word.term in alignment.terms for word in extra)
    if not general or not asked or gap.said[1] != extra[-1].place + 1:
        return False
    there, before = alignment.read_there(gap), alignment.quotation.pieces[: gap.there[1]]
    begin = find_beginning(before, len(before))
    subject = not AUXILIARIES.intersection(before[begin:]) or before[-2:-1] == ("that",)
    return subject and (not there or there[-1] in _ANY or not set(there) - ENDS)
