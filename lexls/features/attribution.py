"""Attribute a quotation to one of the draft's citations."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from lexls.features.quotations import Quotation
from lexls.features.resolve import Resolution
from lexls.text.lexicon import STOPPED
from lexls.text.phrases import compile_pattern, define_parts, load_phrases
from lexls.text.spans import Span

_PHRASES = load_phrases(__package__, "attribution.toml")
_PARTS = define_parts(_PHRASES["parts"])
_BEHIND = compile_pattern(_PHRASES["behind"], _PARTS)
_NAME_BEHIND = compile_pattern(_PHRASES["name_behind"], _PARTS, re.NOFLAG)
_OTHER_SENTENCE = compile_pattern(_PHRASES["other_sentence"], _PARTS, re.NOFLAG)
_CHAIN = compile_pattern(_PHRASES["chain"], _PARTS)
_QUOTING = re.compile(r"\b(?:quoting|quoted|citing|cited)\b", re.IGNORECASE)
_SPEAKS = compile_pattern(_PHRASES["speaks"], _PARTS)
_PARTY = compile_pattern(_PHRASES["party"], _PARTS)
_SENTENCE_END = re.compile(r"[.?!]['\"”’)\]]{0,3}\s+['\"“‘(\[]{0,3}[A-Z_]")
_ABBREVIATED = re.compile(rf"(?:\b(?:{STOPPED}|Arts|Hon|Rev|Stat|Const|[A-Z])|\b[A-Za-z]\.[A-Za-z])\.$")
_CITATION_SENTENCE = re.compile(rf"[\s(\[“]*(?:{_PARTS['signals']})?[\s(\[]*$", re.IGNORECASE)
_RECORD = re.compile(
    r"[\s,.;(]{0,4}[^.;”“]{0,60}(?:\bat|\bp\.|\bpp\.|¶|§|\bTr\.|\bEx\.|\bDkt\.?|\bDoc\.|\bNo\.)\s?\d"
)
"""A reference to a record behind a quotation, which is no citation of an authority."""
_REFERENCE = re.compile(r"[\s.,;:!?…”’\"']{0,6}[(\[][^()]{0,80}\d")
"""A reference in brackets behind a quotation, of whatever it may be."""
_QUOTED_THERE = re.compile(r"\b(?:quoting|citing|quoted in)\s[^();]{0,80}$")
_CLOSED = re.compile(r"[\s.,;:!?…”’\"']{0,8}(?:\([^()]{0,80}\)[\s.,;]{0,3}){0,2}\)")
_GOES_ON = re.compile(
    r"[\s,]*(?:\([^()]{1,40}\))?[\s,]*(?!(?:and|see|at|cf|per|with|citing|quoting|affd)\b)[a-z]{2,}"
)
_MOST_CHAINED = 6
_NEAR = 40
"""Code points between a citation and the bracket behind it that belong to the citation."""
_FAR = 160
"""Code points between a quotation and a citation, beyond which only a sentence ties them."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """The citations that a quotation may come from.

    ``cited`` are those that it is attributed to; ``strong`` says that the draft leaves no doubt about it: the
    citation follows at once, or introduces the words. ``others`` are further citations near by, any of which
    may be where the words come from after all. ``elsewhere`` says that the citation stands in the sentence
    before ("… at [14]. The court went on: “…”"): its pinpoint need not be that of the words.
    """

    cited: tuple[Resolution, ...]
    strong: bool
    others: tuple[Resolution, ...]
    elsewhere: bool = False


class Paragraph:
    """A paragraph with its quotations, citations and footnotes, read once for all its quotations.

    ``masked`` is the whole masked draft; ``quotations`` and ``cited`` are the paragraph's, in order.
    ``marks`` are those of footnotes, with what each note cites.
    """

    def __init__(
        self,
        masked: str,
        paragraph: Span,
        quotations: Sequence[Quotation],
        cited: Sequence[Resolution],
        marks: Sequence[Span] = (),
        cited_in_notes: Sequence[Sequence[Resolution]] = (),
    ) -> None:
        self._quotations = quotations
        self._quoted_at = [each.outer.start for each in quotations]
        self._cited = [each for each in cited if not self._is_quoted(each.citation.core.start)]
        self._cited_at = [each.citation.core.start for each in self._cited]
        self._marks = marks
        self._noted = cited_in_notes
        self._start = paragraph.start
        text = list(paragraph.of(masked))
        for each in quotations:
            # A command that quotes may reach beyond the words of the paragraph.
            start, end = max(0, each.outer.start - self._start), min(len(text), each.outer.end - self._start)
            # A stop that ends the quotation may end the sentence.
            kept = 2 if end - start > 2 and text[end - 2] in ".?!" else 0
            text[start : end - kept] = "_" * max(0, end - kept - start)
        self._text = "".join(text)
        for resolution in self._cited:
            span = resolution.citation.span
            text[span.start - self._start : span.end - self._start] = "_" * len(span)
        self._ends = _sentence_ends("".join(text), self._start)

    def attribute(self, quotation: Quotation) -> Attribution | None:
        """What one of the quotations belongs to; None if the draft does not say."""
        outer = quotation.outer
        next_place = bisect_left(self._cited_at, outer.end)
        behind = self._cited[next_place : next_place + 2 * _MOST_CHAINED]
        before = self._cited[max(0, next_place - _MOST_CHAINED) : next_place]
        gap = self._between(outer.end, behind[0].citation.span.start) if behind else ""
        if behind and len(gap) < _FAR and not self._quotes_between(outer.end, behind[0].citation.core.start):
            match = _BEHIND.fullmatch(gap) or _NAME_BEHIND.fullmatch(gap)
            if (
                match is not None
                and not self._within_brackets(outer)
                and not _OTHER_SENTENCE.search(self._between(outer.end - 2, behind[0].citation.span.start))
                and not self._is_subject(outer.end, gap, behind[0].citation.span)
            ):
                return self._found(
                    self._chain(behind), not match["signal"] and not self._is_partys(quotation)
                )
        mark = self._mark_behind(quotation)
        if mark is not None and self._noted[mark]:
            return self._found(self._noted[mark], True)
        if before and self._within_brackets(outer):
            last = before[-1].citation
            gap = self._between(last.span.end, outer.start)
            if len(gap) < _NEAR and ";" not in gap:
                same = [each for each in before if last.group and each.citation.group == last.group]
                return self._found(same or before[-1:], False)
        if before:
            near = before[-1].citation.span.end
            if not self._sentences_between(near, outer.start):
                own = [
                    each
                    for each in before
                    if not self._sentences_between(each.citation.span.end, outer.start)
                ]
                words = self._between(max(near, outer.start - _FAR), outer.start)
                speaks = _SPEAKS.search(words) is not None and _PARTY.search(words) is None
                noted_after = _RECORD.match(self._between(outer.end, outer.end + _FAR)) is not None
                return self._found(own, speaks and outer.start - near < _FAR and not noted_after)
        noted = [
            each
            for place, mark_span in enumerate(self._marks)
            if mark_span.start >= outer.start and not self._sentences_between(outer.end, mark_span.start - 1)
            for each in self._noted[place]
        ]
        if noted:
            return self._found(noted[:_MOST_CHAINED], False)
        if behind:
            ends = self._sentences_between(outer.end - 2, behind[0].citation.span.start)
            if not ends:
                return self._found(self._chain(behind), False)
            head = self._between(ends[-1], behind[0].citation.span.start)
            if len(ends) == 1 and _CITATION_SENTENCE.fullmatch(head[:_FAR]) and len(head) < _FAR:
                return self._found(self._chain(behind), False)
        if before and self._goes_on_from(before[-1].citation.span, outer):
            return replace(self._found(before[-1:], False), elsewhere=True)
        return None

    def _found(self, chosen: Sequence[Resolution], strong: bool) -> Attribution:
        chosen_ids = {id(each) for each in chosen}
        others: dict[tuple[int, ...], Resolution] = {}
        for each in chain(self._cited, *self._noted):
            if id(each) not in chosen_ids and each.authorities:
                others.setdefault(each.authorities, each)
        return Attribution(tuple(chosen), strong, tuple(others.values()))

    def _is_partys(self, quotation: Quotation) -> bool:
        """Whether the words before a quotation say that somebody else than a court speaks."""
        start = quotation.outer.start
        ends = self._sentences_between(start - _FAR, start)
        return _PARTY.search(self._between(ends[-1] if ends else start - _FAR, start)) is not None

    def _is_subject(self, end: int, gap: str, citation: Span) -> bool:
        """Whether the citation behind a quotation that ends at ``end`` begins a sentence of its own.

        "“… of the route.” *Carrow* at [4] held otherwise."
        """
        if self._between(end - 2, end)[:1] not in (".", "?", "!") and not re.search("[.?!]", gap):
            return False
        behind = self._between(citation.end, citation.end + 40)
        return _GOES_ON.match(behind) is not None

    def _goes_on_from(self, cited: Span, outer: Span) -> bool:
        """Whether a quotation may be of the authority that the sentence before cites.

        Not if that citation is only what another authority quotes, nor if a reference that was not read, or
        the citation of the next quotation, stands behind the words.
        """
        if len(self._sentences_between(cited.end, outer.start)) != 1:
            return False
        if _QUOTED_THERE.search(self._between(cited.start - _FAR, cited.start)):
            return False
        behind = self._between(outer.end, outer.end + _FAR)
        ends = self._sentences_between(outer.end, outer.end + _FAR)
        last = ends[0] if ends else outer.end + _FAR
        if any(outer.end <= each.citation.core.start < last + _NEAR for each in self._cited):
            return False
        return _REFERENCE.match(behind) is None and _RECORD.match(behind) is None

    def _within_brackets(self, outer: Span) -> bool:
        """Whether a quotation stands in brackets that a citation before it opened and that close behind it.

        "*Carrow* at [4] (“…”); *Thornby* at 213": the words are Carrow's.
        """
        before = self._between(outer.start - _FAR, outer.start)
        opened = before.rstrip(" \t\n").endswith("(")
        behind = self._between(outer.end, outer.end + _FAR)
        return opened and _CLOSED.match(behind) is not None

    def _is_quoted(self, offset: int) -> bool:
        place = bisect_right(self._quoted_at, offset) - 1
        return place >= 0 and offset < self._quotations[place].outer.end

    def _quotes_between(self, start: int, end: int) -> bool:
        return bisect_left(self._quoted_at, end) > bisect_left(self._quoted_at, start)

    def _between(self, start: int, end: int) -> str:
        return self._text[max(0, start - self._start) : max(0, end - self._start)]

    def _sentences_between(self, start: int, end: int) -> list[int]:
        """Where sentences end from ``start`` on, before ``end``."""
        return self._ends[bisect_left(self._ends, start) : bisect_left(self._ends, end)]

    def _chain(self, behind: Sequence[Resolution]) -> list[Resolution]:
        """The first citation and those strung to it: parallel ones, "quoting …", further authorities."""
        strung = [behind[0]]
        end = behind[0].citation.span.end
        for each in behind[1:]:
            gap = self._between(end, max(end, each.citation.span.start))
            if len(gap) > _FAR or not (_CHAIN.fullmatch(gap) or _QUOTING.search(gap)):
                break
            strung.append(each)
            end = max(end, each.citation.span.end)
        return strung

    def _mark_behind(self, quotation: Quotation) -> int | None:
        """The footnote mark that stands right behind a quotation."""
        for place, mark in enumerate(self._marks):
            if mark.start >= quotation.outer.end:
                gap = self._between(quotation.outer.end, mark.start)
                return place if len(gap) <= 4 and not gap.strip(" .,;:!?)") else None
            if quotation.inner.start < mark.start and mark.end >= quotation.inner.end - 2:
                return place
        return None


def _sentence_ends(text: str, start: int) -> list[int]:
    """Where the sentences of ``text`` end, which begins at ``start``."""
    stops = (match.start() for match in _SENTENCE_END.finditer(text + " A"))
    return [
        start + min(len(text), at + 1)
        for at in stops
        if not _ABBREVIATED.search(text[max(0, at - 12) : at + 1])
    ]
