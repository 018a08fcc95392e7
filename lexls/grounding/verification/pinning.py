"""Finding the exact place of a quotation in the evidence that it is said to come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from lexls.grounding.markdown import one_line
from lexls.grounding.quotations.compare import compare
from lexls.grounding.quotations.locate import Placed, exactly
from lexls.grounding.quotations.quotation import items_of
from lexls.grounding.quotations.sense import brackets_of, ellipses_of
from lexls.grounding.quotations.vocabulary import NEGATIONS
from lexls.grounding.verification.evidence_text import ReadEvidence
from lexls.text.spans import Span

_Words = Callable[[int, int], Sequence[str]]

LONGEST = 1600
"""Characters of a pin: one that is longer would point at everything."""
_SHORTEST_WORDS = 4
_SHORTEST = 20
_LEFT_OUT = 60
"""Words that one ellipsis may leave out."""
_MOST_LEFT_OUT = 6
"""Ellipses and brackets of one quotation: one with more is put together."""
_PIECE = 2
"""Words that stand between two ellipses at least."""
_BRACKET = 6
"""Words that one bracket may stand for."""
_MOST = 40
"""Places of one quotation that are looked at."""
_CLOSING = ".,;:?!…\"'”’)]"
_STOPS = ".;:?!…"


def place_of(read: ReadEvidence, quotation: str) -> Span | None:
    """Where ``quotation`` stands in the passage (code points of its text), None if it does not.

    Case, quotation marks, dashes and spaces apart it must stand there word for word; an ellipsis may leave
    words out and a bracket may stand for some, unless a negation, an exception, a modal verb or a number goes
    with them. Of several places the first in what retrieval found counts; one longer than
    ``LONGEST`` is none.
    """
    return min(_places(read, quotation), key=lambda span: _preference(read, span), default=None)


def too_short(read: ReadEvidence, span: Span) -> bool:
    """Whether a place has too few words to bear out anything: less than a short sentence of its own."""
    text = span.of(read.prose)
    if len(text.split()) >= _SHORTEST_WORDS and len(one_line(text)) >= _SHORTEST:
        return False
    whole = read.widened(span).of(read.prose)
    return len(whole.split()) > len(text.split()) + 1


def _preference(read: ReadEvidence, span: Span) -> tuple[int, int]:
    start = read.evidence.start + span.start
    inside = read.evidence.core[0] <= start < read.evidence.core[1]
    return (0 if inside else 1, span.start)


def _places(read: ReadEvidence, quotation: str) -> Iterator[Span]:
    quotation = quotation.strip()
    found = list(_literally(read, quotation))
    yield from found
    if found:
        return
    if len(quotation) > 2 * LONGEST:
        return
    items = items_of(quotation)
    if not any(item.kind == "word" for item in items):
        return
    if sum(item.kind != "word" for item in items) > _MOST_LEFT_OUT:
        return
    words = read.words
    for placed in exactly(words, items, _MOST):
        if any(ellipses_of(words, items, placed)) or _bends(words.words, placed):
            continue
        if any(each.grade != "lawful" for each in brackets_of(words, items, placed)):
            continue
        if not _holds_together(placed, len(items)):
            continue
        span = _with_stop(read, words.span(placed.low, placed.high), quotation)
        if span.end - span.start <= LONGEST:
            found.append(span)
            yield span
    if not found and any(item.pattern is not None for item in items):
        # "hold[s]": a bracket in a word stands for another ending, which the slower comparison knows.
        compared = compare(words, quotation)
        plain = all(item.kind == "word" for item in items)
        if plain and compared.place is not None and not compared.differences and compared.share == 1.0:
            yield compared.place


def _literally(read: ReadEvidence, quotation: str) -> Iterator[Span]:
    """The places where every character of the quotation stands."""
    text = read.evidence.text
    if not quotation or len(quotation) > LONGEST or not any(map(str.isalnum, quotation)):
        return
    at = -1
    for _ in range(_MOST):
        at = text.find(quotation, at + 1)
        if at < 0:
            return
        end = at + len(quotation)
        inside = (at and text[at - 1].isalnum() and text[at].isalnum()) or (
            end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
        )
        if not inside and read.prose[at:end].strip():
            yield Span(at, end)


def _bends(words: _Words, placed: Placed) -> bool:
    """Whether what ellipses and brackets leave out holds a word that turns or limits what is said."""
    left_out = [(low, high) for _, low, high in placed.gaps]
    left_out += [(step.a_low, step.a_high) for step in placed.steps if step.kind == "bracket"]
    return any(word in NEGATIONS for low, high in left_out for word in words(low, high))


def _holds_together(placed: Placed, items: int) -> bool:
    """Whether the pieces of the quotation are long enough, and what is left out between them short enough."""
    if any(high - low > _LEFT_OUT for _, low, high in placed.gaps):
        return False
    if any(step.kind == "bracket" and step.a_high - step.a_low > _BRACKET for step in placed.steps):
        return False
    if not placed.gaps:
        return True
    edges = [-1, *(at for at, _, _ in placed.gaps), items]
    for low, high in pairwise(edges):
        said = sum(step.kind == "same" for step in placed.steps if low < step.q_low < high)
        if 0 < said < _PIECE:
            return False
    return True


def _with_stop(read: ReadEvidence, span: Span, quotation: str) -> Span:
    """With the stop and the closing marks behind it, if the quotation ends in a stop too."""
    end = span.end
    if quotation.rstrip("\"'”’)]")[-1:] in _STOPS:
        while end < len(read.prose) and read.prose[end] in _CLOSING and end - span.end < 4:
            end += 1
    return Span(span.start, end)
