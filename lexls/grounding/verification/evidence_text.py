"""Parse the evidence of a request for verification, and locate quotations in it."""

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
"""Match the number of a paragraph or an item before a sentence."""
_GAP = re.compile(r"\0+")
LONGEST = 1600
"""Maximum length of a pin in characters; a longer one would not be specific."""
_SHORTEST_WORDS = 4
_SHORTEST = 20
_LEFT_OUT = 60
"""Maximum number of words that one ellipsis may omit."""
_MOST_LEFT_OUT = 6
"""Maximum number of ellipses and brackets in a quotation. With more, it counts as pieced together and is
rejected.
"""
_PIECE = 2
"""Minimum number of words between two ellipses."""
_BRACKET = 6
"""Maximum number of words that a bracket may replace."""
_MOST = 40
"""Maximum number of places checked for one quotation."""
_CLOSING = ".,;:?!…\"'”’)]"
_STOPS = ".;:?!…"


class ReadEvidence:
    """A parsed passage. Its methods use code point offsets in ``evidence.text``."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.prose = blank_markup(evidence.authority, evidence.text)

    @cached_property
    def words(self) -> AuthorityText:
        """Return the passage's prose as words, in which quotations are searched for."""
        return AuthorityText(self.prose)

    @cached_property
    def sentences(self) -> Sequence[Span]:
        """Return the spans of the passage's sentences in order, without headings and fragments of adjacent
        text.
        """
        prose = self.prose
        return [remove_strays(prose, remove_headings(prose, each)) for each in cut_sentences(prose)]

    def widened(self, span: Span) -> Span:
        """Return ``span`` extended to whole sentences, without a paragraph number at its start."""
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
        """Return the sentence before the one in which ``span`` begins if it is in the same paragraph, or an
        empty string.
        """
        wide = self.widened(span)
        place = bisect_right([each.end for each in self.sentences], wide.start) - 1
        if place < 0:
            return ""
        found = self.sentences[place]
        return "" if "\n\n" in self.prose[found.end : wide.start] else found.of(self.evidence.text)

    def around(self, span: Span) -> str:
        """Return the prose of the numbered paragraphs or sections that ``span`` overlaps, and of the part
        found by retrieval.
        """
        evidence = self.evidence
        starts = [each.start - evidence.start for each in evidence.segments]
        first = max(0, bisect_right(starts, span.start) - 1)
        last = bisect_right(starts, max(span.start, span.end - 1))
        low = min(starts[first] if starts else 0, span.start)
        high = starts[last] if last < len(starts) else len(self.prose)
        core = Span(evidence.core[0] - evidence.start, evidence.core[1] - evidence.start)
        return f"{self.prose[max(0, low) : high]}\n\n{core.of(self.prose)}"

    def pin(self, span: Span) -> Pin:
        """Return a pin for ``span``."""
        return self.evidence.pin(self.evidence.start + span.start, self.evidence.start + span.end)

    def shown(self, span: Span) -> str:
        """Return ``span`` as plain text on one line, without markup and invisible characters."""
        marked = "".join(
            "\0" if char == " " and not written.isspace() else char
            for char, written in zip(span.of(self.prose), span.of(self.evidence.text), strict=True)
        )
        return fold(_UNSEEN.sub("", _GAP.sub(" ", _BEFORE_STOP.sub("", marked)).replace("\0", " ")))


class ReadRequest:
    """A request whose passages are parsed when first needed."""

    def __init__(self, request: Request, tokens: Tokens) -> None:
        self.request = request
        self.tokens = tokens
        self._read: dict[str, ReadEvidence] = {}

    def find(self, identifier: str) -> ReadEvidence | None:
        """Return the passage with this identifier, or None."""
        if identifier not in self._read and (evidence := self.request.find(identifier)) is not None:
            self._read[identifier] = ReadEvidence(evidence)
        return self._read.get(identifier)

    @cached_property
    def asked(self) -> dict[str, str]:
        """Return the question's terms, each with its word."""
        return find_terms(self.request.question, self.tokens)

    @cached_property
    def pieces(self) -> list[Counter[str]]:
        """Return the term counts of each paragraph of the evidence, used to weight terms."""
        pieces = (re.split(r"\n[ \t]*\r?\n", each.text) for each in self.request.evidence)
        return [counted for each in chain.from_iterable(pieces) if (counted := Counter(self.tokens(each)))]

    def weigh(self, terms: Sequence[str]) -> Weights:
        """Return the weights of ``terms`` among the paragraphs of the evidence."""
        return weigh(terms, self.pieces)


def hides_characters(text: str) -> bool:
    """Return whether ``text`` has control characters or invisible characters."""
    return _UNSEEN.search(text) is not None


def find_quotation(read: ReadEvidence, quotation: str) -> Span | None:
    """Return the span of ``quotation`` in the passage's text (code points), or None if it is not there.

    It must match word for word, ignoring case, quotation marks, dashes and spaces. An ellipsis may omit words
    and a bracket may replace some, but not a negation, an exception, a modal verb or a number. Of several
    matches, the first within the part found by retrieval is returned. Matches longer than ``LONGEST`` are
    ignored.
    """
    core = Span(*read.evidence.core).shift(-read.evidence.start)
    return min(
        _places(read, quotation),
        key=lambda span: (not core.start <= span.start < core.end, span.start),
        default=None,
    )


def is_too_short(read: ReadEvidence, span: Span) -> bool:
    """Return whether the text at a place has too few words for evidence. A short text is accepted if it is a
    whole sentence.
    """
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
        # "hold[s]": a bracket in a word marks a changed ending, which only the slower comparison handles.
        compared = compare(words, quotation)
        plain = all(item.kind == "word" for item in items)
        if plain and compared.place is not None and not compared.differences and compared.share == 1.0:
            yield compared.place


def _literally(read: ReadEvidence, quotation: str) -> Iterator[Span]:
    """Yield the places that match the quotation character for character."""
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
    """Return whether ellipses or brackets omit a negation."""
    left_out = [(low, high) for _, low, high in placed.gaps]
    left_out += [(step.a_low, step.a_high) for step in placed.steps if step.kind == "bracket"]
    return any(word in NEGATIONS for low, high in left_out for word in words.words(low, high))


def _holds_together(placed: Placed, items: int) -> bool:
    """Return whether the quotation's pieces are long enough, and the words omitted between them few
    enough.
    """
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
    """Extend the span over the punctuation and closing marks after it, if the quotation ends with
    punctuation.
    """
    end = span.end
    if quotation.rstrip("\"'”’)]")[-1:] in _STOPS:
        while end < len(read.prose) and read.prose[end] in _CLOSING and end - span.end < 4:
            end += 1
    return Span(span.start, end)
