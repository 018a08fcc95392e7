"""What a text cites authorities for: its citing sentences, each with what is cited for it.

A citation stands in the sentence it supports, or in one of its own behind it ("Carrow v. Vale, 1 U.S. 1
(1900)."), which then belongs to the sentence before. What a parenthesis says of an authority ("(holding that
…)") is a proposition of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lexls.citations.model import Citation
from lexls.citations.signals import cleaned, signal_before
from lexls.text.sentences import sentences
from lexls.text.spans import Span

FEWEST_WORDS = 5
"""Words from which on a sentence is a proposition."""
_LONGEST = 3000
"""Code points of the longest sentence that is read; longer ones are tables and lists of citations."""
_FARTHEST = 400
"""Code points between a proposition and the citation sentence that follows it, at most."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_HISTORY = re.compile(
    r"\b(?:aff['’]d|rev['’]d|affirmed|reversed|vacated|modified|overruled|cert(?:\.|iorari)|denied|dismissed|"
    r"granted|reh['’]g|rehearing|en banc|per curiam|sub nom|mem|citing|quoting|quoted in|cited in|see|also|"
    r"accord|compare|contra|but|cf|e\.g|generally|with|and|id|ibid|supra|infra|on other grounds|in part|by|"
    r"at|hereinafter|same|as amended|inserted|through|note|notes)\b",
    re.IGNORECASE,
)
# An explanation behind a citation; one level of brackets inside.
_ASIDE = re.compile(r"[\s,]{0,4}\((?P<words>[^()]{1,900}(?:\([^()]{0,200}\)[^()]{0,500}){0,3})\)")
_NO_EXPLANATION = re.compile(
    r"(?:quoting|citing|quoted|cited|citations?|emphasis|internal|footnotes?|per curiam|en banc|plurality|"
    r"opinion|same|hereinafter|alterations?|overrul|revers|affirm|[A-Z][\w.]{1,40},? (?:C\.?)?J\.|\d)",
    re.IGNORECASE,
)
_SAYING = re.compile(
    r"^(?:(?:expressly|specifically|also|again|further|similarly)\s+)?"
    r"(?:hold|not|stat|conclud|find|explain|recogni[sz]|rul|observ|reason|reject|affirm|say|agree|indicat|"
    r"suggest|declar|determin|interpret|discuss|describ|applying|remark|reiterat|emphasi[sz])\w*ing\s+that\s+",
    re.IGNORECASE,
)
_CITED_ONLY = frozenset({"case", "journal", "book", "other"})
"""Kinds that are only support; an Act that a sentence names is its matter too."""


@dataclass(frozen=True, slots=True)
class CitedFor:
    """An authority that a sentence cites: the citation and the signal before it ("" if none)."""

    citation: Citation
    signal: str


@dataclass(frozen=True, slots=True)
class CitingSentence:
    """A proposition and what is cited for it.

    ``span`` is the sentence (or parenthesis) in the text, ``proposition`` its words on one line without
    citations of cases and writings, ``cited`` the citations in it and in citation sentences behind it.
    """

    span: Span
    proposition: str
    cited: tuple[CitedFor, ...]


def citing_sentences(text: str, citations: Sequence[Citation]) -> tuple[CitingSentence, ...]:
    """The propositions of a masked text for which something is cited, in order.

    ``citations`` are all that the grammar found in ``text``, in order. Those without key count as words that
    are no proposition, and are cited for nothing.
    """
    found: list[_Pending] = []
    last: _Pending | None = None
    starts = [each.span.start for each in citations]
    for span in sentences(text, [each.span for each in citations]):
        if len(span) > _LONGEST:
            last = None
            continue
        low = max(0, bisect_left(starts, span.start) - 1)
        inside = [each for each in citations[low : bisect_left(starts, span.end)] if each.span.overlaps(span)]
        if not inside:
            last = _Pending(span, span.end, (), [])
            found.append(last)
            continue
        cited = _cited_for(text, inside, span)
        asides = list(_asides(text, inside, span))
        taken = [aside for _, aside in asides]
        if _is_citation_sentence(text, span, inside, taken):
            if last is not None and span.start - last.end < _FARTHEST:
                last.cited.extend(cited)
                last.end = span.end
        else:
            cut = (*(each.span for each in inside if each.kind in _CITED_ONLY), *taken)
            last = _Pending(span, span.end, cut, cited)
            found.append(last)
        for citation, aside in asides:
            mine = [each for each in cited if each.citation is citation]
            if mine and not _NO_EXPLANATION.match(text, aside.start + 1):
                found.append(_Pending(aside, aside.end, (), mine))
    return tuple(_finished(text, found))


@dataclass(slots=True)
class _Pending:
    """A sentence or parenthesis that something may be cited for.

    ``end`` is where the last citation sentence behind it ends, ``cut`` are the spans that are no part of the
    proposition.
    """

    span: Span
    end: int
    cut: tuple[Span, ...]
    cited: list[CitedFor]


def _finished(text: str, found: Sequence[_Pending]) -> Iterator[CitingSentence]:
    for each in sorted(found, key=lambda each: each.span):
        if not each.cited:
            continue
        words = cleaned(_without(text, each.span, each.cut))
        if words.startswith("("):
            words = _SAYING.sub("", words.strip("() "))
        if len(_WORD.findall(words)) >= FEWEST_WORDS:
            yield CitingSentence(each.span, words, tuple(each.cited))


def _cited_for(text: str, inside: Sequence[Citation], span: Span) -> list[CitedFor]:
    """The citations of a sentence with their signals; one behind a semicolon has that of the one before."""
    found: list[CitedFor] = []
    signal, end = "", span.start
    for each in inside:
        own = signal_before(text, each.span.start) if each.span.start > span.start else ""
        follows = not text[end : each.span.start].strip(" \t\n;,)")
        signal = own or (signal if follows else "")
        end = each.span.end
        if each.key and each.form != "defined":
            found.append(CitedFor(each, signal))
    return found


def _asides(text: str, inside: Sequence[Citation], span: Span) -> Iterator[tuple[Citation, Span]]:
    """The parentheses right behind citations, each with its citation; those that hold a citation go too."""
    for each in inside:
        match = _ASIDE.match(text, each.span.end, span.end)
        if match is not None:
            yield each, Span(match.start("words") - 1, match.end("words") + 1)


def _is_citation_sentence(text: str, span: Span, inside: Sequence[Citation], taken: Sequence[Span]) -> bool:
    """Whether a sentence is no more than citations, signals and their history."""
    rest = _without(text, span, [*(each.span for each in inside), *taken])
    return len(_WORD.findall(_HISTORY.sub(" ", rest))) < FEWEST_WORDS - 2


def _without(text: str, span: Span, cut: Sequence[Span]) -> str:
    """The words of ``span`` on one line without what is cut."""
    pieces = []
    position = span.start
    for each in sorted(cut):
        if each.start > position:
            pieces.append(text[position : each.start])
        position = max(position, min(each.end, span.end))
    pieces.append(text[position : span.end])
    return " ".join(" ".join(pieces).split())
