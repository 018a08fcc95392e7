"""Read the evidence of one request for the checks, and find the place of a quotation in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise

from lexls.grounding.answer import Request
from lexls.grounding.evidence import Evidence, Pin
from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.compare import compare
from lexls.quotations.locate import Placed, find_exact
from lexls.quotations.quotation import read_items
from lexls.quotations.sense import find_changed_brackets, find_changed_ellipses
from lexls.quotations.vocabulary import NEGATIONS
from lexls.retrieval.relevance import Tokens, Weights, find_terms, weigh
from lexls.text.sentences import cut_sentences
from lexls.text.spans import Span
from lexls.wording.markdown import fold
from lexls.wording.prose import blank_markup, remove_headings, remove_strays

_HIDDEN = (
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f]"
)
_UNSEEN = re.compile(rf"(?:{_HIDDEN}|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f])+")
_BEFORE_STOP = re.compile(r"\0+(?=[\s,.;:?!)\]’”'\"]|$)|(?:(?<=\s)|(?<=^))\0+")
_NUMBERING = re.compile(
    r"\s{0,40}(?:[\[(]?\d{1,5}[A-Za-z]?[\])]?[.)]?|[\[(]?[A-Za-z]{1,5}[\])][.)]?|[A-Za-z]\.)\s{0,40}"
)
"""The number of a paragraph or of an item in front of a sentence."""
_GAP = re.compile(r"\0+")
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


class ReadEvidence:
    """One passage. Offsets of its methods are code points of ``evidence.text``."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.prose = blank_markup(evidence.authority, evidence.text)

    @cached_property
    def words(self) -> AuthorityText:
        """Its prose as words that quotations are looked for in."""
        return AuthorityText(self.prose)

    @cached_property
    def sentences(self) -> Sequence[Span]:
        """Its sentences, in order, without the headings above them and what is left of their neighbours."""
        prose = self.prose
        return [remove_strays(prose, remove_headings(prose, each)) for each in cut_sentences(prose)]

    def widened(self, span: Span) -> Span:
        """From the beginning of the sentence in which ``span`` begins to the end of that in which it ends;
        the number of a paragraph in front of it is no part of it."""
        cut = self.sentences
        starts = [each.start for each in cut]
        first = bisect_right(starts, span.start) - 1
        last = bisect_right(starts, max(span.start, span.end - 1)) - 1
        low = cut[first].start if first >= 0 and cut[first].end > span.start else span.start
        high = cut[last].end if last >= 0 and cut[last].end > low else span.end
        if _NUMBERING.fullmatch(self.prose, min(low, span.start), span.start):
            low = span.start
        return Span(min(low, span.start), max(high, span.end))

    def before(self, span: Span) -> str:
        """The sentence before the one that ``span`` begins in, if it stands in the same paragraph."""
        wide = self.widened(span)
        place = bisect_right([each.end for each in self.sentences], wide.start) - 1
        if place < 0:
            return ""
        found = self.sentences[place]
        return "" if "\n\n" in self.prose[found.end : wide.start] else found.of(self.evidence.text)

    def around(self, span: Span) -> str:
        """The numbered paragraphs or sections that ``span`` touches, with what retrieval found, as prose."""
        evidence = self.evidence
        starts = [each.start - evidence.start for each in evidence.segments]
        first = max(0, bisect_right(starts, span.start) - 1)
        last = bisect_right(starts, max(span.start, span.end - 1))
        low = min(starts[first] if starts else 0, span.start)
        high = starts[last] if last < len(starts) else len(self.prose)
        core = Span(evidence.core[0] - evidence.start, evidence.core[1] - evidence.start)
        return f"{self.prose[max(0, low) : high]}\n\n{core.of(self.prose)}"

    def pin(self, span: Span) -> Pin:
        """The piece ``span`` of it."""
        return self.evidence.pin(self.evidence.start + span.start, self.evidence.start + span.end)

    def shown(self, span: Span) -> str:
        """``span`` as plain text on one line: without the marks of its format and characters that nobody
        sees."""
        marked = "".join(
            "\0" if char == " " and not written.isspace() else char
            for char, written in zip(span.of(self.prose), span.of(self.evidence.text), strict=True)
        )
        return fold(_UNSEEN.sub("", _GAP.sub(" ", _BEFORE_STOP.sub("", marked)).replace("\0", " ")))


class ReadRequest:
    """A request with its evidence read, each passage when it is first needed."""

    def __init__(self, request: Request, tokens: Tokens) -> None:
        self.request = request
        self.tokens = tokens
        self._read: dict[str, ReadEvidence] = {}

    def find(self, identifier: str) -> ReadEvidence | None:
        """The passage that ``identifier`` names, None if it names none."""
        if identifier not in self._read and (evidence := self.request.find(identifier)) is not None:
            self._read[identifier] = ReadEvidence(evidence)
        return self._read.get(identifier)

    @cached_property
    def asked(self) -> dict[str, str]:
        """The terms of the question, each with its word."""
        return find_terms(self.request.question, self.tokens)

    @cached_property
    def pieces(self) -> list[Counter[str]]:
        """The terms of each paragraph of the evidence, by which terms are weighed."""
        pieces = (re.split(r"\n[ \t]*\r?\n", each.text) for each in self.request.evidence)
        return [counted for each in chain.from_iterable(pieces) if (counted := Counter(self.tokens(each)))]

    def weigh(self, terms: Sequence[str]) -> Weights:
        """Return what each of ``terms`` weighs among the paragraphs of the evidence."""
        return weigh(terms, self.pieces)


def hides_characters(text: str) -> bool:
    """Return whether ``text`` has control characters, or such as take no room on the page."""
    return _UNSEEN.search(text) is not None


def find_quotation(read: ReadEvidence, quotation: str) -> Span | None:
    """Return where ``quotation`` stands in the passage (code points of its text), None if it does not.

    Case, quotation marks, dashes and spaces apart it must stand there word for word; an ellipsis may leave
    words out and a bracket may stand for some, unless a negation, an exception, a modal verb or a number goes
    with them. Of several places the first in what retrieval found counts; one longer than
    ``LONGEST`` is none.
    """
    core = Span(*read.evidence.core).shift(-read.evidence.start)
    return min(
        _places(read, quotation),
        key=lambda span: (not core.start <= span.start < core.end, span.start),
        default=None,
    )


def is_too_short(read: ReadEvidence, span: Span) -> bool:
    """Return whether a place has too few words to bear out anything: less than a short sentence of its
    own."""
    text = span.of(read.prose)
    if len(text.split()) >= _SHORTEST_WORDS and len(fold(text)) >= _SHORTEST:
        return False
    whole = read.widened(span).of(read.prose)
    return len(whole.split()) > len(text.split()) + 1


def _places(read: ReadEvidence, quotation: str) -> Iterator[Span]:
    quotation = quotation.strip()
    found = list(_literally(read, quotation))
    yield from found
    if found or len(quotation) > 2 * LONGEST:
        return
    items = read_items(quotation)
    words_said = sum(item.kind == "word" for item in items)
    if not words_said or len(items) - words_said > _MOST_LEFT_OUT:
        return
    words = read.words
    for placed in find_exact(words, items, _MOST):
        if (
            any(find_changed_ellipses(words, items, placed))
            or any(find_changed_brackets(words, items, placed))
            or _bends(words, placed)
            or not _holds_together(placed, len(items))
        ):
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


def _bends(words: AuthorityText, placed: Placed) -> bool:
    """Return whether what ellipses and brackets leave out holds a word that turns or limits what is said."""
    left_out = [(low, high) for _, low, high in placed.gaps]
    left_out += [(step.a_low, step.a_high) for step in placed.steps if step.kind == "bracket"]
    return any(word in NEGATIONS for low, high in left_out for word in words.words(low, high))


def _holds_together(placed: Placed, items: int) -> bool:
    """Return whether the pieces of the quotation are long enough, and what is left out between them short
    enough."""
    if any(high - low > _LEFT_OUT for _, low, high in placed.gaps):
        return False
    if any(step.kind == "bracket" and step.a_high - step.a_low > _BRACKET for step in placed.steps):
        return False
    edges = [-1, *(at for at, _, _ in placed.gaps), items]
    said = (
        sum(step.kind == "same" for step in placed.steps if low < step.q_low < high)
        for low, high in pairwise(edges)
    )
    return not placed.gaps or not any(0 < count < _PIECE for count in said)


def _with_stop(read: ReadEvidence, span: Span, quotation: str) -> Span:
    """With the stop and the closing marks behind it, if the quotation ends in a stop too."""
    end = span.end
    if quotation.rstrip("\"'”’)]")[-1:] in _STOPS:
        while end < len(read.prose) and read.prose[end] in _CLOSING and end - span.end < 4:
            end += 1
    return Span(span.start, end)
