"""Find a paragraph's quotations, citations, footnotes, sentences and brackets."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.citations.model import Citation
from lexls.quotations.introductions import FAR, PATTERNS
from lexls.reading.quotations import Quotation
from lexls.reading.resolve import Resolution
from lexls.text.lexicon import STOPPED
from lexls.text.spans import Span

_SENTENCE_END = re.compile(r"[.?!]['\"”’)\]]{0,3}\s+['\"“‘`(\[]{0,3}[A-Z_]")
_ABBREVIATED = re.compile(rf"(?:\b(?:{STOPPED}|Arts|Hon|Rev|Stat|Const|[A-Z])|\b[A-Za-z]\.[A-Za-z])\.$")
_BRACKET = re.compile(r"[()]")
_NO_WORD = re.compile(r"\W*")
_QUOTING = re.compile(r"\b(?:quoting|quoted|citing|cited)\b", re.IGNORECASE)
_FEW = 4
"""Maximum number of sentence ends returned by `ends_between`; no caller needs more."""
MOST_CHAINED = 6
"""Maximum number of citations on either side of a quotation to which it may be attributed."""
_LONGEST_BRACKET = 3000
"""Maximum length of a bracket, in code points; a longer one was never closed."""


@dataclass(frozen=True, slots=True)
class CitedInParagraph:
    """A citation in a paragraph, with offsets in the draft. It starts after any quotation whose words were
    misread as part of its name.
    """

    resolution: Resolution
    start: int
    end: int
    core: int

    @property
    def citation(self) -> Citation:
        """The citation, as in the resolution."""
        return self.resolution.citation


@dataclass(frozen=True, slots=True)
class ParagraphFacts:
    """The parts of a paragraph, with offsets in code points of the draft.

    ``text`` is the paragraph with "_" for each code point of a quotation; ``quoted_at`` are the offsets where
    quotations begin. ``cited`` are the citations outside quotations, and ``cores`` the offsets where their
    core citations begin. ``notes`` are the marks of footnotes that cite authorities, with their citations.
    ``ends`` are the offsets of sentence ends. ``brackets`` are the round brackets, outer ones first;
    ``closed_at`` are the offsets of closing brackets without an opening one.
    """

    start: int
    text: str
    quoted_at: Sequence[int]
    cited: Sequence[CitedInParagraph]
    cores: Sequence[int]
    notes: Sequence[tuple[Span, Sequence[Resolution]]]
    ends: Sequence[int]
    brackets: Sequence[Span]
    closed_at: Sequence[int]

    def between(self, start: int, end: int) -> str:
        """Return the text from ``start`` to ``end``, clipped to the paragraph."""
        return self.text[max(0, start - self.start) : max(0, end - self.start)]

    def ends_between(self, start: int, end: int) -> Sequence[int]:
        """Return the first few sentence ends from ``start`` on and before ``end``."""
        first = bisect_left(self.ends, start)
        return self.ends[first : min(first + _FEW, bisect_left(self.ends, end))]

    def sentence_before(self, at: int) -> str:
        """Return the part of the sentence before an offset, at most ``FAR`` code points."""
        place = bisect_left(self.ends, at)
        return self.between(max(at - FAR, self.ends[place - 1] if place else 0), at)

    def quotes_between(self, start: int, end: int) -> bool:
        """Return whether a quotation begins at or after ``start`` and before ``end``."""
        return bisect_left(self.quoted_at, end) > bisect_left(self.quoted_at, start)

    def cited_after(self, at: int) -> Sequence[CitedInParagraph]:
        """Return the next citations from an offset on, at most twice ``MOST_CHAINED``."""
        place = bisect_left(self.cores, at)
        return self.cited[place : place + 2 * MOST_CHAINED]

    def cited_before(self, at: int) -> Sequence[CitedInParagraph]:
        """Return the last citations before an offset, in order."""
        place = bisect_left(self.cores, at)
        return self.cited[max(0, place - MOST_CHAINED) : place]

    def brackets_around(self, outer: Span) -> Sequence[Span]:
        """Return the brackets that enclose a quotation, outer ones first."""
        first, last = (
            bisect_left(self.brackets, at, key=lambda each: each.start)
            for at in (outer.start - _LONGEST_BRACKET, outer.start)
        )
        return [each for each in self.brackets[first:last] if outer.end <= each.end]

    def is_out_of_brackets(self, outer: Span, cited: int) -> bool:
        """Return whether brackets around a quotation close before the offset ``cited``, so that the citation
        there belongs to something else.
        """
        if any(each.end <= cited for each in self.brackets_around(outer)):
            return True
        return bisect_left(self.closed_at, outer.end) < bisect_right(self.closed_at, cited)

    def is_closed_off(self, outer: Span, cited: int) -> bool:
        """Return whether a citation at the offset ``cited`` cannot belong to a quotation, because brackets
        close or a semicolon separates the two.
        """
        if self.is_out_of_brackets(outer, cited):
            return True
        return ";" in self.between(outer.end, cited) and not self.quotes_between(outer.end, cited)

    def chain(self, after: Sequence[CitedInParagraph]) -> Sequence[CitedInParagraph]:
        """Return the first of the citations, with those that continue it: parallel citations, "quoting …", or
        further authorities.
        """
        strung = [after[0]]
        end = after[0].end
        for each in after[1:]:
            gap = self.between(end, max(end, each.start))
            if len(gap) > FAR or not (PATTERNS["chain"].fullmatch(gap) or _QUOTING.search(gap)):
                break
            strung.append(each)
            end = max(end, each.end)
        return strung

    def with_parallels(self, last: CitedInParagraph) -> Sequence[CitedInParagraph]:
        """Return the parallel citations directly before a citation, from the one that has the name, and then
        the citation itself.
        """
        before = [*self.cited_before(last.core), last]
        first = len(before) - 1
        while first:
            one, other = before[first - 1], before[first]
            parallel = last.citation.group and one.citation.group == last.citation.group
            if not parallel and (other.citation.name or self.between(one.end, other.start).strip(" ,;\n")):
                break
            first -= 1
        return before[first:]


def read_paragraph(
    masked: str,
    paragraph: Span,
    quotations: Sequence[Quotation],
    cited: Sequence[Resolution],
    marks: Sequence[Span] = (),
    cited_in_notes: Sequence[Sequence[Resolution]] = (),
) -> ParagraphFacts:
    """Return the facts about a paragraph of the masked draft. ``quotations`` and ``cited`` are the
    paragraph's, in order. ``marks`` are its footnote marks, and ``cited_in_notes`` the citations in the
    footnote of each mark.
    """
    start, quoted_at = paragraph.start, [each.outer.start for each in quotations]
    letters = list(paragraph.of(masked))
    for each in quotations:
        # A quoting command may extend beyond the paragraph's words.
        low, high = max(0, each.outer.start - start), min(len(letters), each.outer.end - start)
        # A full stop that ends the quotation may also end the sentence.
        kept = 2 if high - low > 2 and letters[high - 2] in ".?!" else 0
        letters[low : high - kept] = "_" * max(0, high - kept - low)
    text = "".join(letters)
    placed = []
    for resolution in cited:
        span, core = resolution.citation.span, resolution.citation.core.start
        place = bisect_right(quoted_at, core) - 1
        quoted = quotations[place].outer.end if place >= 0 else 0
        if core < quoted:
            continue
        after = _NO_WORD.match(text, quoted - start) if span.start < quoted else None
        begin = start + after.end() if after is not None else span.start
        placed.append(CitedInParagraph(resolution, begin, span.end, core))
        letters[begin - start : span.end - start] = "_" * (span.end - begin)
    bare = "".join(letters)
    notes = [(mark, noted) for mark, noted in zip(marks, cited_in_notes, strict=False) if noted]
    ends = _find_sentence_ends(bare, start)
    cores = [each.core for each in placed]
    return ParagraphFacts(start, text, quoted_at, placed, cores, notes, ends, *_find_brackets(bare, start))


def _find_brackets(text: str, start: int) -> tuple[list[Span], list[int]]:
    """Return the round brackets of ``text``, outer ones first, and the offsets of brackets that close
    directly after a quotation and do not open in the text. The text begins at offset ``start``.
    """
    found: list[Span] = []
    closed: list[int] = []
    opened: list[int] = []
    for match in _BRACKET.finditer(text):
        if match.group() == "(":
            opened.append(match.start())
        elif opened:
            at = opened.pop()
            if match.start() - at <= _LONGEST_BRACKET:
                found.append(Span(start + at, start + match.end()))
        elif text[max(0, match.start() - 1) : match.start()] == "_":
            closed.append(start + match.end())
    return sorted(found), closed


def _find_sentence_ends(text: str, start: int) -> list[int]:
    """Return the offsets of the sentence ends in ``text``, which begins at offset ``start``."""
    stops = (match.start() for match in _SENTENCE_END.finditer(text + " A"))
    return [
        start + min(len(text), at + 1)
        for at in stops
        if not _ABBREVIATED.search(text[max(0, at - 12) : at + 1])
    ]
