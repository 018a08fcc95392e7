"""Find what a sentence leaves out of its quotation, or brings into it, so that it says something else.

A sentence rests on a quotation if it is the quotation with parts left out that neither limit nor turn the
rest, and with nothing brought in but what the quotation points to ("it", "this Agreement").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lexls.grounding.verification.additions import find_added
from lexls.grounding.verification.cited_provisions import (
    find_application,
    find_missing_provisions,
    is_asked_for,
    remove_acts,
)
from lexls.grounding.verification.clauses import locate_pieces, read_clauses
from lexls.grounding.verification.cuts import find_cut, find_numbers_aside
from lexls.grounding.verification.framing import list_framed
from lexls.grounding.verification.gaps import ASIDE, CUES, ENDS, JOINING, Alignment, Gap, lay_beside
from lexls.grounding.verification.joints import find_lost_joints
from lexls.grounding.verification.lists import find_missing_items
from lexls.grounding.verification.particulars import find_numbers, remove_provisions
from lexls.grounding.verification.vocabulary import COUNTING, NEGATIONS
from lexls.retrieval.relevance import Tokens
from lexls.text.dates import find_mentioned_dates
from lexls.text.lexicon import split_words
from lexls.text.spans import Span
from lexls.wording.prose import remove_label

_PARTING = ENDS | ASIDE | JOINING | {"or"}
_ALL = frozenset(("all", "every", "each"))
_DANGLING = split_words("and or but the a an when how as than which who whose if unless because")
"""Words with which no sentence ends."""
_SPACES = re.compile(r"[ \t]{2,}")
_LISTED = re.compile(r"[(\[]\s?\d{1,4}\s?[)\]]")
"""The number of an item, which is no number that the quotation says."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a sentence comes from its quotation: the pieces of the quotation that it ``dropped``, by their
    places; the words that are ``lost`` though they limit or turn the rest, and those ``added`` to it; the
    terms that it says where the quotation has a pronoun (``pointed``)."""

    dropped: frozenset[int]
    lost: tuple[str, ...]
    added: tuple[str, ...]
    pointed: frozenset[str]


def derive(
    sentence: str, quotation: str, question: str, around: str, tokens: Tokens
) -> tuple[Derivation, str]:
    """How ``sentence`` comes from ``quotation``, and what it kept of that.

    In place of a pronoun it may have words of the ``question`` that stand ``around`` the quotation too. What
    frames the quotation may be left out of it.
    """
    derivation, kept = _derive(sentence, quotation, question, around, tokens)
    if derivation.lost or derivation.added:
        for framed in list_framed(quotation):
            bare = _derive(sentence, _blank(quotation, framed), question, around, tokens)
            if not bare[0].lost and not bare[0].added:
                return bare
    return derivation, kept


def _derive(
    sentence: str, quotation: str, question: str, around: str, tokens: Tokens
) -> tuple[Derivation, str]:
    """How ``sentence`` comes from ``quotation`` as it is written, and what it kept of that."""
    sentence = remove_label(sentence)
    dates = find_mentioned_dates(sentence)
    told = [
        each for each in find_mentioned_dates(quotation) if any(date.is_supported_by(each) for date in dates)
    ]
    application = find_application(quotation, sentence)
    kept_back = application is not None and not is_asked_for(application, question)
    if application is not None and not kept_back:
        quotation = _blank(quotation, [Span(*application.span())])
    lost = list(find_missing_provisions(sentence, quotation))
    if application is not None and kept_back:
        lost.append(application[1])
    sentence = remove_provisions(_blank(sentence, [each.span for each in dates]))
    quotation = remove_provisions(_blank(quotation, [each.span for each in told]))
    sentence, quotation = remove_acts(sentence, quotation), remove_acts(quotation, sentence)
    mine, theirs = read_clauses(sentence, tokens), read_clauses(quotation, tokens)
    alignment = lay_beside(mine, theirs, read_clauses(question, tokens), frozenset(tokens(around)))
    derivation = _compare(alignment)
    pieces = locate_pieces(quotation)
    kept = _SPACES.sub(" ", _blank(quotation, [pieces[place] for place in derivation.dropped]))
    joints = find_lost_joints(alignment)
    numbers = () if alignment.tells else _find_missing_numbers(sentence, kept)
    return replace(derivation, lost=(*derivation.lost, *joints, *numbers, *lost)), kept


def _blank(text: str, spans: Sequence[Span]) -> str:
    """``text`` with spaces in place of ``spans``."""
    for span in spans:
        text = f"{text[: span.start]}{' ' * len(span)}{text[span.end :]}"
    return text


def _find_missing_numbers(sentence: str, kept: str) -> Iterator[str]:
    """The numbers of what a sentence kept of its quotation that it does not say."""
    said = {each.value for each in find_numbers(sentence)}
    there = _LISTED.sub(" ", kept)
    return (each.span.of(there).strip() for each in find_numbers(there) if each.value not in said)


def _compare(alignment: Alignment) -> Derivation:
    """What is dropped, lost, added and pointed to, gap by gap and then in the whole."""
    quotation = alignment.quotation
    lost: dict[str, None] = {}
    added: dict[str, None] = {}
    dropped: set[int] = set()
    pointed: set[str] = set()
    for gap in alignment.gaps:
        said = alignment.read_said(gap)
        words, terms = find_added(alignment, gap)
        added |= dict.fromkeys(words)
        pointed |= terms
        lost |= dict.fromkeys(_find_run_together(alignment, gap))
        for low, high in _cut(quotation.pieces, gap):
            left = alignment.list_left(low, high)
            if not left:
                lost |= dict.fromkeys(() if terms else _find_missed(alignment, low, high, said))
                dropped |= find_numbers_aside(quotation.pieces, low, high, said)
            elif places := find_cut(alignment, low, high, left, said):
                dropped |= set(range(*places))
            else:
                cues = [each for each in quotation.pieces[low:high] if each in CUES or each in NEGATIONS]
                lost |= dict.fromkeys(cues or [alignment.left[left[0]].written])
    last = next((each for each in reversed(alignment.sentence.pieces) if each not in ASIDE | ENDS), "")
    if last in _DANGLING:
        added[last] = None
    lost |= dict.fromkeys(find_missing_items(alignment))
    if not alignment.said_at:
        lost = dict.fromkeys(word.written for word in quotation.words)
    return Derivation(frozenset(dropped), tuple(lost), tuple(added), frozenset(pointed))


def _find_run_together(alignment: Alignment, gap: Gap) -> Iterator[str]:
    """The last piece of a gap in which the subject of one clause gets the verb of another; and "by"."""
    first, last = alignment.gaps[0], alignment.gaps[-1]
    said, there = alignment.read_said(gap), alignment.read_there(gap)
    if gap not in (first, last) and not ENDS.isdisjoint(there) and _PARTING.isdisjoint(said):
        yield from there[-1:]
    if gap is first or alignment.list_left(*gap.there) or (alignment.moves and alignment.extra):
        return
    if there[:1] == ("by",) and said[:1] != ("by",):
        yield "by"  # who is paid pays nobody


def _cut(pieces: Sequence[str], gap: Gap) -> Iterator[tuple[int, int]]:
    """The parts of the quotation in a gap: up to the end of a sentence or a clause in it, the sentences
    after it, and from the end of the last."""
    low, high = gap.there
    for place in range(low, high):
        if pieces[place] in ENDS:
            yield low, place + 1
            low = place + 1
    if low < high:
        yield low, high


def _find_missed(alignment: Alignment, low: int, high: int, said: Sequence[str]) -> Iterator[str]:
    """The small words between two places that limit or count and are not ``said``."""
    denied = bool(alignment.sentence.negations)
    for piece in alignment.quotation.pieces[low:high]:
        if piece not in said and (piece in CUES or piece in COUNTING or (denied and piece in _ALL)):
            yield piece
