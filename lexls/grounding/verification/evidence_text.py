"""The evidence of one request as the checks read it: prose, words, sentences, and what each word weighs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from lexls.grounding.evidence import Evidence, Pin
from lexls.grounding.markdown import one_line
from lexls.grounding.quotations.authority_text import AuthorityText
from lexls.grounding.reading import prose, without_headings
from lexls.grounding.relevance import Tokens, Weights, content_terms, weigh
from lexls.grounding.request import Request
from lexls.text.sentences import sentences
from lexls.text.spans import Span

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


class ReadEvidence:
    """One passage. Offsets of its methods are code points of ``evidence.text``."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.prose = prose(evidence.authority, evidence.text)

    @cached_property
    def words(self) -> AuthorityText:
        """Its prose as words that quotations are looked for in."""
        return AuthorityText(self.prose)

    @cached_property
    def sentences(self) -> Sequence[Span]:
        """Its sentences, in order, without the headings above them."""
        return [without_headings(self.prose, each) for each in sentences(self.prose)]

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
        starts = [each.start - evidence.start for each in evidence.stretches]
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
        return one_line(unseen_removed(_GAP.sub(" ", _BEFORE_STOP.sub("", marked)).replace("\0", " ")))


class ReadRequest:
    """A request with its evidence read, each passage when it is first needed."""

    def __init__(self, request: Request, tokens: Tokens) -> None:
        self.request = request
        self.tokens = tokens
        self._read: dict[str, ReadEvidence] = {}

    def find(self, identifier: str) -> ReadEvidence | None:
        """The passage that ``identifier`` names, None if it names none."""
        found = self._read.get(identifier)
        if found is None:
            evidence = self.request.find(identifier)
            if evidence is None:
                return None
            found = self._read[identifier] = ReadEvidence(evidence)
        return found

    @cached_property
    def asked(self) -> dict[str, str]:
        """The terms of the question, each with its word."""
        return content_terms(self.request.question, self.tokens)

    @cached_property
    def pieces(self) -> list[Counter[str]]:
        """The terms of each paragraph of the evidence, by which terms are weighed."""
        found = []
        for each in self.request.evidence:
            for piece in re.split(r"\n[ \t]*\r?\n", each.text):
                counted = Counter(self.tokens(piece))
                if counted:
                    found.append(counted)
        return found

    def weigh(self, terms: Sequence[str]) -> Weights:
        """What each of ``terms`` weighs among the paragraphs of the evidence."""
        return weigh(terms, self.pieces)


def unseen_removed(text: str) -> str:
    """``text`` without control characters and without those that take no room on the page."""
    return _UNSEEN.sub("", text)


def hides_characters(text: str) -> bool:
    """Whether ``text`` has control characters, or such as take no room on the page."""
    return _UNSEEN.search(text) is not None
