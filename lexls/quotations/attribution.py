"""Attribute a quotation to one of the draft's citations."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from lexls.reading.quotations import Quotation
from lexls.reading.resolve import Resolution
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
_LEANING = compile_pattern(_PHRASES["leaning"], _PARTS)
_PARTY_SPEAKS = compile_pattern(_PHRASES["party_speaks"], _PARTS)
_HOLDS = compile_pattern(_PHRASES["holds"], _PARTS)
_ACT_SPEAKS = compile_pattern(_PHRASES["act_speaks"], _PARTS)
_SENTENCE_END = re.compile(r"[.?!]['\"”’)\]]{0,3}\s+['\"“‘`(\[]{0,3}[A-Z_]")
_ABBREVIATED = re.compile(rf"(?:\b(?:{STOPPED}|Arts|Hon|Rev|Stat|Const|[A-Z])|\b[A-Za-z]\.[A-Za-z])\.$")
_CITATION_SENTENCE = re.compile(rf"[\s”’\"'(\[“]*(?:{_PARTS['signals']})?[\s(\[]*$", re.IGNORECASE)
_RECORD = re.compile(
    r"[\s,.;(]{0,4}[^.;”“]{0,60}(?:\bat|\bp\.|\bpp\.|¶|§|\bTr\.|\bEx\.|\bDkt\.?|\bDoc\.|\bNo\.)\s?\d"
)
"""A reference to a record behind a quotation, which is no citation of an authority."""
_REFERENCE = re.compile(r"[\s.,;:!?…”’\"']{0,6}[(\[][^()]{0,80}\d")
"""A reference in brackets behind a quotation, of whatever it may be."""
_QUOTED_THERE = re.compile(r"\b(?:quoting|citing|quoted in)\s[^();]{0,80}$")
_GOES_ON = compile_pattern(_PHRASES["goes_on"], _PARTS, re.NOFLAG)
_BRACKET = re.compile(r"[()]")
_NO_WORD = re.compile(r"\W*")
_OWNED = re.compile(r"[^();]{0,40}(?:\([^()]{0,60}\)[\s,.]{0,3}){0,3}")
"""What may stand between a citation and the bracket that tells what it says: pages, "(per curiam)"."""
_ENACTED = frozenset(("statute", "regulation", "rule", "constitution", "treaty"))
_MOST_CHAINED = 6
_MOST_OTHERS = 60
"""Citations of one paragraph, on either side, from which a quotation may come after all."""
_MOST_SENTENCES = 3
"""Sentences from a citation on in which a quotation may still be of the authority cited."""
_MOST_RUN_ON = 60
"""Words of a quotation that a sentence takes up without a colon; longer ones are none, or not closed."""
_NEAR = 40
"""Code points between a quotation and a citation behind its sentence, of which the citation may be."""
_LONGEST_BRACKET = 3000
"""Code points; what is open for longer was never closed."""
_FAR = 160
"""Code points between a quotation and a citation, beyond which only a sentence ties them."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """The citations that a quotation may come from.

    ``cited`` are those that it is attributed to; ``strong`` says that the draft leaves no doubt about it: the
    citation follows at once, or introduces the words. ``alone`` says that it is not as plain, but that the
    sentence cites nothing else, and nothing parts the two. ``others`` are further citations near by, any of
    which may be where the words come from after all. ``elsewhere`` says that the citation stands in the
    sentence before ("… at [14]. The court went on: “…”"): its pinpoint need not be that of the words.
    """

    cited: tuple[Resolution, ...]
    strong: bool
    others: tuple[Resolution, ...]
    elsewhere: bool = False
    alone: bool = False


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
        self._marked_at = [each.start for each in marks]
        self._noted = cited_in_notes
        self._noting = [place for place, each in enumerate(cited_in_notes) if each]
        self._first_noted = list(islice(chain.from_iterable(cited_in_notes), _MOST_OTHERS))
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
            start, end = self._begin(resolution) - self._start, resolution.citation.span.end - self._start
            text[start:end] = "_" * (end - start)
        self._ends = _sentence_ends("".join(text), self._start)
        self._brackets, self._closed_at = _find_brackets("".join(text), self._start)
        self._opened_at = [each.start for each in self._brackets]

    def attribute(self, quotation: Quotation) -> Attribution | None:
        """What one of the quotations belongs to; None if the draft does not say."""
        outer = quotation.outer
        next_place = bisect_left(self._cited_at, outer.end)
        behind = self._cited[next_place : next_place + 2 * _MOST_CHAINED]
        before = self._cited[max(0, next_place - _MOST_CHAINED) : next_place]
        held = self._find_holder(outer, before)
        if held is not None:
            return self._found_in_brackets(quotation, held, behind)
        gap = self._between(outer.end, self._begin(behind[0])) if behind else ""
        if behind and len(gap) < _FAR and not self._quotes_between(outer.end, behind[0].citation.core.start):
            match = _BEHIND.fullmatch(gap) or _NAME_BEHIND.fullmatch(gap)
            if (
                match is not None
                and not self._is_out_of_brackets(outer, self._begin(behind[0]))
                and (
                    match.groupdict().get("said")
                    or not _OTHER_SENTENCE.search(self._between(outer.end - 2, self._begin(behind[0])))
                )
                and not self._is_subject(outer.end, gap, _find_last_parallel(behind).citation.span)
            ):
                strung = self._chain(behind)
                return self._found(strung, not match["signal"] and not self._is_partys(quotation, strung))
        mark = self._mark_behind(quotation)
        if mark is not None and self._noted[mark]:
            return self._found(self._noted[mark], True)
        if before:
            near = before[-1].citation.span.end
            own = [
                each for each in before if not self._sentences_between(each.citation.span.end, outer.start)
            ]
            if not self._sentences_between(near, outer.start) and not self._is_named_act(own, outer, behind):
                words = self._between(max(near, outer.start - _FAR), outer.start)
                speaks = introduces(words) and not is_partys(words, own)
                noted_after = _RECORD.match(self._between(outer.end, outer.end + _FAR)) is not None
                ruled = not noted_after and not self._leans(self._begin(own[0]))
                strong = ruled and speaks and outer.start - near < _FAR
                alone = ruled and quotation.words <= _MOST_RUN_ON and self._is_alone(own, near, outer.start)
                return replace(self._found(own, strong), alone=alone)
        noted = self._noted_behind(outer)
        if noted:
            return self._found(noted, False)
        if behind and not self._is_closed_off(outer, self._begin(behind[0])):
            ends = self._sentences_between(outer.end - 2, self._begin(behind[0]))
            strung = self._chain(behind)
            if not ends:
                return self._found(strung, False)
            if self._has_citation_sentence(outer, behind):
                alone = self._is_alone(strung, outer.end, self._begin(behind[0]))
                alone = alone and self._ends[ends[0]] > outer.end and not self._is_partys(quotation, strung)
                return replace(self._found(strung, False), alone=alone)
        earlier = self._find_earlier(before, outer)
        if not earlier or self._is_partys(quotation, earlier):
            return None
        return replace(self._found(earlier, False), elsewhere=True)

    def _found(self, chosen: Sequence[Resolution], strong: bool) -> Attribution:
        chosen_ids = {id(each) for each in chosen}
        others: dict[tuple[tuple[int, ...], tuple[str, ...]], Resolution] = {}
        place = bisect_left(self._cited_at, chosen[0].citation.core.start) if chosen else 0
        near = self._cited[max(0, place - _MOST_OTHERS) : place + _MOST_OTHERS]
        for each in chain(near, self._first_noted):
            if id(each) not in chosen_ids and each.authorities:
                pinpoint = each.citation.pinpoint
                others.setdefault((each.authorities, pinpoint.labels if pinpoint is not None else ()), each)
        return Attribution(tuple(chosen), strong, tuple(others.values()))

    def _is_named_act(self, named: Sequence[Resolution], outer: Span, behind: Sequence[Resolution]) -> bool:
        """Whether a sentence names the Act that is cited behind it, which the library does not know so."""
        if any(each.authorities or each.citation.kind != "statute" for each in named):
            return False
        return self._has_citation_sentence(outer, behind) and any(
            each.citation.kind == "statute" for each in self._chain(behind)
        )

    def _has_citation_sentence(self, outer: Span, behind: Sequence[Resolution]) -> bool:
        """Whether the sentence of a quotation is followed by one that is a citation alone."""
        if not behind or self._is_closed_off(outer, self._begin(behind[0])):
            return False
        cited = self._begin(behind[0])
        ends = self._sentences_between(outer.end - 2, cited)
        head = self._between(self._ends[ends[0]], cited) if ends else ""
        return (
            bool(ends)
            and len(head) < _FAR
            and any(each.fullmatch(head) is not None for each in (_CITATION_SENTENCE, _NAME_BEHIND))
        )

    def _is_alone(self, chosen: Sequence[Resolution], start: int, end: int) -> bool:
        """Whether what was chosen is one authority, and nothing between parts the words from it.

        That is another clause, brackets, another quotation, somebody who speaks.
        """
        between = self._between(start, end)
        return (
            len({each.citation.group or each.citation.core for each in chosen}) == 1
            and len(between) < _FAR
            and not self._quotes_between(start, end)
            and not re.search(r"[;()]", between)
            and _PARTY_SPEAKS.search(between) is None
            and _OTHER_SENTENCE.search(self._between(start - 2, end)) is None
        )

    def _is_partys(self, quotation: Quotation, cited: Sequence[Resolution]) -> bool:
        """Whether the words before a quotation say that somebody else speaks it than what is cited for it.

        An enactment speaks its own words, and not those of a case.
        """
        start = quotation.outer.start
        ends = self._sentences_between(start - _FAR, start)
        words = self._between(self._ends[ends[-1]] if ends else start - _FAR, start)
        return _is_anothers(_PARTY_SPEAKS, words, cited)

    def _leans(self, cited: int) -> bool:
        """Whether the words before a citation say that somebody else speaks, who only leans on it.

        "The tribunal, relying on *Carrow*, held: “…”"
        """
        ends = self._sentences_between(cited - _FAR, cited)
        since = self._ends[ends[-1]] if ends else cited - _FAR
        return _LEANING.search(self._between(since, cited)) is not None

    def _is_subject(self, end: int, gap: str, citation: Span) -> bool:
        """Whether the citation behind a quotation that ends at ``end`` begins a sentence of its own.

        "“… of the route.” *Carrow* at [4] held otherwise."
        """
        if self._between(end - 2, end)[:1] not in (".", "?", "!") and not re.search("[.?!]", gap):
            return False
        behind = self._between(citation.end, citation.end + 40)
        return _GOES_ON.match(behind) is not None

    def _find_earlier(self, before: Sequence[Resolution], outer: Span) -> Sequence[Resolution]:
        """What a quotation may go on from: the authority cited last, a few sentences before.

        If that is only what another authority quotes, both. None if a reference that was not read, or the
        citation of the next quotation, stands behind the words.
        """
        if not before:
            return ()
        if not 0 < len(self._sentences_between(before[-1].citation.span.end, outer.start)) <= _MOST_SENTENCES:
            return ()
        behind = self._between(outer.end, outer.end + _FAR)
        ends = self._sentences_between(outer.end, outer.end + _FAR)
        last = self._ends[ends[0]] if ends else outer.end + _FAR
        if bisect_left(self._cited_at, outer.end) < bisect_left(self._cited_at, last + _NEAR):
            return ()
        if _REFERENCE.match(behind) is not None or _RECORD.match(behind) is not None:
            return ()
        first = len(before) - 1
        start = self._begin(before[first])
        while _QUOTED_THERE.search(self._between(start - _FAR, start)):
            if not first or self._sentences_between(before[first - 1].citation.span.end, start):
                return ()
            first -= 1
            start = self._begin(before[first])
        return before[first:]

    def _is_out_of_brackets(self, outer: Span, cited: int) -> bool:
        """Whether brackets around a quotation end before ``cited``, which is of something else."""
        if any(each.end <= cited for each in self._brackets_around(outer)):
            return True
        return bisect_left(self._closed_at, outer.end) < bisect_right(self._closed_at, cited)

    def _brackets_around(self, outer: Span) -> list[Span]:
        """The brackets that are opened before a quotation and closed behind it, the outer first."""
        first = bisect_left(self._opened_at, outer.start - _LONGEST_BRACKET)
        last = bisect_left(self._opened_at, outer.start)
        return [each for each in self._brackets[first:last] if outer.end <= each.end]

    def _is_closed_off(self, outer: Span, cited: int) -> bool:
        """Whether brackets around a quotation, or its item of a string, end before ``cited``."""
        if self._is_out_of_brackets(outer, cited):
            return True
        return ";" in self._between(outer.end, cited) and not self._quotes_between(outer.end, cited)

    def _find_holder(
        self, outer: Span, before: Sequence[Resolution]
    ) -> tuple[Sequence[Resolution], Span] | None:
        """The parallel citations that a bracket around a quotation belongs to, and the bracket.

        "*Carrow* at [4] (holding that “…”); *Thornby* at 213": the words are Carrow's.
        """
        for bracket in reversed(self._brackets_around(outer)):
            last = next((each for each in reversed(before) if each.citation.span.end <= bracket.start), None)
            if last is None:
                return None
            cited = last.citation
            gap = self._between(cited.span.end, bracket.start)
            if _OWNED.fullmatch(gap) and not self._sentences_between(cited.span.end, bracket.start):
                return self._find_parallels(before, last), bracket
        return None

    def _find_parallels(self, before: Sequence[Resolution], last: Resolution) -> Sequence[Resolution]:
        """A citation and those right before it that have its name, if it has none itself."""
        first = place = before.index(last)
        while first and (
            (last.citation.group and before[first - 1].citation.group == last.citation.group)
            or not (
                before[first].citation.name
                or self._between(before[first - 1].citation.span.end, self._begin(before[first])).strip(
                    " ,;\n"
                )
            )
        ):
            first -= 1
        return before[first : place + 1]

    def _found_in_brackets(
        self,
        quotation: Quotation,
        held: tuple[Sequence[Resolution], Span],
        behind: Sequence[Resolution],
    ) -> Attribution:
        """What a quotation in brackets belongs to: the citation before them, and what it quotes there."""
        holder, bracket = held
        inside = [each for each in behind if self._begin(each) < bracket.end]
        gap = self._between(quotation.outer.end, self._begin(inside[0])) if inside else ""
        quoted = self._chain(inside) if inside and _QUOTING.search(gap) and len(gap) < _FAR else []
        words = self._between(bracket.start + 1, quotation.outer.start).strip()
        plain = re.search("[A-Za-z]", self._between(holder[-1].citation.span.end, bracket.start)) is None
        speaks = not words or (introduces(words) and not is_partys(words, holder))
        strong = plain and not inside and speaks
        alone = plain and not inside and _HOLDS.match(words) is not None
        return replace(self._found([*holder, *quoted], strong), alone=alone)

    def _begin(self, cited: Resolution) -> int:
        """Where a citation begins: not before the end of a quotation, whose words were read as its name."""
        place = bisect_right(self._quoted_at, cited.citation.core.start) - 1
        end = self._quotations[place].outer.end if place >= 0 else 0
        if end <= cited.citation.span.start:
            return cited.citation.span.start
        after = _NO_WORD.match(self._text, end - self._start)
        return self._start + after.end() if after is not None else end

    def _is_quoted(self, offset: int) -> bool:
        place = bisect_right(self._quoted_at, offset) - 1
        return place >= 0 and offset < self._quotations[place].outer.end

    def _quotes_between(self, start: int, end: int) -> bool:
        return bisect_left(self._quoted_at, end) > bisect_left(self._quoted_at, start)

    def _between(self, start: int, end: int) -> str:
        return self._text[max(0, start - self._start) : max(0, end - self._start)]

    def _sentences_between(self, start: int, end: int) -> range:
        """The sentences, by their numbers, that end from ``start`` on, before ``end``."""
        return range(bisect_left(self._ends, start), bisect_left(self._ends, end))

    def _chain(self, behind: Sequence[Resolution]) -> list[Resolution]:
        """The first citation and those strung to it: parallel ones, "quoting …", further authorities."""
        strung = [behind[0]]
        end = behind[0].citation.span.end
        for each in behind[1:]:
            gap = self._between(end, max(end, self._begin(each)))
            if len(gap) > _FAR or not (_CHAIN.fullmatch(gap) or _QUOTING.search(gap)):
                break
            strung.append(each)
            end = max(end, each.citation.span.end)
        return strung

    def _mark_behind(self, quotation: Quotation) -> int | None:
        """The footnote mark that stands right behind a quotation."""
        for place in range(bisect_right(self._marked_at, quotation.inner.start), len(self._marks)):
            mark = self._marks[place]
            if mark.start >= quotation.outer.end:
                gap = self._between(quotation.outer.end, mark.start)
                return place if len(gap) <= 4 and not gap.strip(" .,;:!?)") else None
            if mark.end >= quotation.inner.end - 2:
                return place
        return None

    def _noted_behind(self, outer: Span) -> list[Resolution]:
        """What the footnotes cite whose marks stand in the rest of a quotation's sentence."""
        first = bisect_left(self._noting, bisect_left(self._marked_at, outer.start))
        noted: list[Resolution] = []
        for place in islice(self._noting, first, None):
            mark = self._marks[place]
            if len(noted) >= _MOST_CHAINED or self._sentences_between(outer.end, mark.start - 1):
                break
            noted.extend(self._noted[place])
        return noted[:_MOST_CHAINED]


def _find_brackets(text: str, start: int) -> tuple[list[Span], list[int]]:
    """The round brackets of ``text``, which begins at ``start``, the outer first, with their signs.

    Beside them the ends of those that are closed behind a quotation and were opened in the paragraph before,
    as on the page before.
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


def _find_last_parallel(cited: Sequence[Resolution]) -> Resolution:
    """The last of the parallel citations that a series begins with."""
    group = cited[0].citation.group
    return next((each for each in reversed(cited) if group and each.citation.group == group), cited[0])


def _sentence_ends(text: str, start: int) -> list[int]:
    """Where the sentences of ``text`` end, which begins at ``start``."""
    stops = (match.start() for match in _SENTENCE_END.finditer(text + " A"))
    return [
        start + min(len(text), at + 1)
        for at in stops
        if not _ABBREVIATED.search(text[max(0, at - 12) : at + 1])
    ]


def introduces(words: str) -> bool:
    """Whether a sentence ends as one does that introduces a quotation: "The court said", "It reads:"."""
    return _SPEAKS.search(words.rstrip()[-_FAR:]) is not None


def is_partys(words: str, cited: Sequence[Resolution] = ()) -> bool:
    """Whether a sentence that introduces a quotation says that somebody else speaks than what is cited."""
    return _is_anothers(_PARTY, words, cited)


def _is_anothers(pattern: re.Pattern[str], words: str, cited: Sequence[Resolution]) -> bool:
    """Whether words name somebody else who speaks; an enactment speaks its own words, not those of a case."""
    if cited and cited[0].citation.kind == "record":
        return False  # a party, a witness
    enacted = bool(cited) and cited[0].citation.kind in _ENACTED
    return any(not (enacted and match["enactment"]) for match in pattern.finditer(words))


def is_of_an_act(words: str) -> bool:
    """Whether the words between an Act and a quotation say that the Act speaks: " provides that "."""
    return _ACT_SPEAKS.search(words) is not None


def refers_to_what_was_quoted(words: str) -> bool:
    """Whether a sentence that introduces a quotation goes on with a court named before: "It went on:"."""
    return introduces(words) and not is_partys(words)
