"""Find what a text cites authorities for: its citing sentences, each with what is cited for it.

A citation stands in the sentence it supports, or in one of its own behind it ("Carrow v. Vale, 1 U.S. 1
(1900)."), which then belongs to the sentence before. What a parenthesis says of an authority ("(holding that
…)") is a proposition of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lexls.citations.model import Citation
from lexls.citations.tables import load_patterns
from lexls.text.spans import Span

SIGNALS = r"(?:(?:but )?(?:see|compare|accord|contra)(?:,? (?:also|e\.g\.|eg|generally|further))?,?|cf\.?)"
"""A pattern of the words that introduce a citation ("see also"), to be used without regard to case."""
AGAINST = frozenset({"but see", "but cf", "contra", "but compare"})
"""The signals, as ``find_signal`` gives them, of what is cited against the proposition."""

_PATTERNS = load_patterns("citing_sentences.toml")
_REACH = 40
"""Code points before a citation in which its signal stands."""
_LEFTOVER = re.compile(
    r"\s{0,9}+[(\[:;,–—-]{0,9}+\s{0,9}+(?:(?<!\w)" + SIGNALS + r"\s{0,9})?"
    r"[\s:;,()\[\]]{0,20}(?=[.?!…\"”’]{0,9}$)",
    re.IGNORECASE,
)
_TAIL = 120
"""Code points at the end of a sentence in which signs are left of citations."""
_ENDS_OF_SIGNALS = ("see", "compare", "accord", "contra", "also", "e.g", "eg", "generally", "further", "cf")


def find_signal(text: str, start: int) -> str:
    """The signal right before the citation at ``start`` of ``text``: "see", "but see", "cf" …, "" if none."""
    match = _PATTERNS["before"].search(text[max(0, start - _REACH) : start])
    return " ".join(match["signal"].lower().rstrip(".").split()) if match else ""


def has_only_signals(words: str) -> bool:
    """Return whether nothing but signals is left of a sentence without its citations: a citation sentence."""
    return not re.sub(rf"\b{SIGNALS}|\W|\band\b", "", words, flags=re.IGNORECASE)


def clean_sentence(text: str) -> str:
    """The words of a sentence out of which citations were cut, without numbering and what is left of them."""
    numbering = _PATTERNS["numbering"].match(text)
    text = text[numbering.end() :] if numbering is not None else text
    words = text.rstrip('.?!…"”’')
    # Mostly a word of the sentence itself ends it, and nothing is left.
    if words[-1:].isalnum() and not words[-12:].casefold().endswith(_ENDS_OF_SIGNALS):
        left = None
    else:
        left = _LEFTOVER.search(text, max(0, len(text) - _TAIL))
    # What closes a bracket of the sentence itself ("s 12(1).") is nothing left of a citation.
    if left is not None:
        before = text[: left.start()]
        if ")" not in left.group() or before.count("(") <= before.count(")"):
            text = before + text[left.end() :]
    return _PATTERNS["space_before_sign"].sub("", text).strip()


FEWEST_WORDS = 5
"""Words from which on a sentence is a proposition."""
_LONGEST = 3000
"""Code points of the longest sentence that is read; longer ones are tables and lists of citations."""
_FARTHEST = 400
"""Code points between a proposition and the citation sentence that follows it, at most."""
_CITED_ONLY = frozenset({"case", "journal", "book", "other"})
"""Kinds that are only support; an Act that a sentence names is its matter too."""


@dataclass(frozen=True, slots=True)
class SignalledCitation:
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
    cited: tuple[SignalledCitation, ...]


def find_citing_sentences(
    text: str, citations: Sequence[Citation], cut: Sequence[Span]
) -> tuple[CitingSentence, ...]:
    """The propositions of a masked text for which something is cited, in order.

    ``citations`` are all that the grammar found in ``text``, in order, ``cut`` its sentences, which keep them
    whole. Those without key count as words that
    are no proposition, and are cited for nothing.
    """
    found: list[_Pending] = []
    last: _Pending | None = None
    starts = [each.span.start for each in citations]
    low = 0
    for span in cut:
        if span.end - span.start > _LONGEST:
            last = None
            continue
        # From the last citation before the sentence on, which may reach into it.
        low = max(0, bisect_left(starts, span.start, low) - 1)
        high = bisect_left(starts, span.end, low)
        inside = [each for each in citations[low:high] if each.span.overlaps(span)]
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
            cited_only = (each.span for each in inside if each.kind in _CITED_ONLY)
            last = _Pending(span, span.end, (*cited_only, *taken), cited)
            found.append(last)
        for citation, aside in asides:
            mine = [each for each in cited if each.citation is citation]
            if mine and not _PATTERNS["no_explanation"].match(text, aside.start + 1):
                found.append(_Pending(aside, aside.end, (), mine))
    return tuple(_finished(text, (each for each in found if each.cited)))


@dataclass(slots=True)
class _Pending:
    """A sentence or parenthesis that something may be cited for.

    ``end`` is where the last citation sentence behind it ends, ``cut`` are the spans that are no part of the
    proposition.
    """

    span: Span
    end: int
    cut: tuple[Span, ...]
    cited: list[SignalledCitation]


def _finished(text: str, found: Iterable[_Pending]) -> Iterator[CitingSentence]:
    for each in sorted(found, key=lambda each: each.span):
        words = clean_sentence(_without(text, each.span, each.cut))
        if words.startswith("("):
            words = _PATTERNS["saying"].sub("", words.strip("() "))
        if len(_PATTERNS["word"].findall(words)) >= FEWEST_WORDS:
            yield CitingSentence(each.span, words, tuple(each.cited))


def _cited_for(text: str, inside: Sequence[Citation], span: Span) -> list[SignalledCitation]:
    """The citations of a sentence with their signals; one behind a semicolon has that of the one before."""
    found: list[SignalledCitation] = []
    signal, end = "", span.start
    for each in inside:
        own = find_signal(text, each.span.start) if each.span.start > span.start else ""
        follows = not text[end : each.span.start].strip(" \t\n;,)")
        signal = own or (signal if follows else "")
        end = each.span.end
        if each.key and each.form != "defined":
            found.append(SignalledCitation(each, signal))
    return found


def _asides(text: str, inside: Sequence[Citation], span: Span) -> Iterator[tuple[Citation, Span]]:
    """The parentheses right behind citations, each with its citation; those that hold a citation go too."""
    for each in inside:
        match = _PATTERNS["aside"].match(text, each.span.end, span.end)
        if match is not None:
            yield each, Span(match.start("words") - 1, match.end("words") + 1)


def _is_citation_sentence(text: str, span: Span, inside: Sequence[Citation], taken: Sequence[Span]) -> bool:
    """Return whether a sentence is no more than citations, signals and their history."""
    rest = _without(text, span, [*(each.span for each in inside), *taken])
    others = (match for match in _PATTERNS["history_or_word"].finditer(rest) if match["word"])
    return len(list(islice(others, FEWEST_WORDS - 2))) < FEWEST_WORDS - 2


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


_BETWEEN = 40
"""How far behind a quotation its citation may stand."""


def find_quotations(text: str, citations: Sequence[Span]) -> list[tuple[int, int]]:
    """For each citation (sorted spans of ``text``) the range of the quotation right before it, else (0, 0).

    The citation must follow at once: a quotation further back may be of something else.
    """
    found: list[tuple[int, int]] = [(0, 0)] * len(citations)
    if not citations:
        return found
    starts = [span.start for span in citations]
    for match in _PATTERNS["quotation"].finditer(text):
        place = bisect_left(starts, match.end())
        if place == len(starts) or starts[place] - match.end() > _BETWEEN:
            continue
        if "\n\n" not in text[match.end() : starts[place]]:
            found[place] = match.span(match.lastindex or 0)
    return found
