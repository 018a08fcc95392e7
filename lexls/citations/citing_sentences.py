"""Find the propositions of a text and the authorities cited for each.

A citation is either in the sentence that it supports, or in a citation sentence after it ("Carrow v. Vale, 1
U.S. 1 (1900)."), which is then read as part of the sentence before. A parenthetical about an authority
("(holding that …)") is a separate proposition.
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
"""Pattern of the signals that introduce a citation ("see also"). It needs the flag to ignore case."""
AGAINST = frozenset({"but see", "but cf", "contra", "but compare"})
"""Signals, as returned by ``find_signal``, for authorities cited against the proposition."""

_PATTERNS = load_patterns("citing_sentences.toml")
_REACH = 40
"""Maximum length, in code points, of a signal and the text between it and its citation."""
_LEFTOVER = re.compile(
    r"\s{0,9}+[(\[:;,–—-]{0,9}+\s{0,9}+(?:(?<!\w)" + SIGNALS + r"\s{0,9})?"
    r"[\s:;,()\[\]]{0,20}(?=[.?!…\"”’]{0,9}$)",
    re.IGNORECASE,
)
_TAIL = 120
"""Number of code points at the end of a sentence in which traces of removed citations are looked for."""
_ENDS_OF_SIGNALS = ("see", "compare", "accord", "contra", "also", "e.g", "eg", "generally", "further", "cf")


def find_signal(text: str, start: int) -> str:
    """Return the signal immediately before the citation at ``start`` ("see", "but see", "cf" …), or ""."""
    match = _PATTERNS["before"].search(text[max(0, start - _REACH) : start])
    return " ".join(match["signal"].lower().rstrip(".").split()) if match else ""


def has_only_signals(words: str) -> bool:
    """Return whether only signals remain of a sentence without its citations, so that it is a citation
    sentence.
    """
    return not re.sub(rf"\b{SIGNALS}|\W|\band\b", "", words, flags=re.IGNORECASE)


def clean_sentence(text: str) -> str:
    """Return a sentence from which citations were removed, without its numbering and traces of the
    citations.
    """
    numbering = _PATTERNS["numbering"].match(text)
    text = text[numbering.end() :] if numbering is not None else text
    words = text.rstrip('.?!…"”’')
    # Usually the sentence ends with its own word, and nothing remains of a citation.
    if words[-1:].isalnum() and not words[-12:].casefold().endswith(_ENDS_OF_SIGNALS):
        left = None
    else:
        left = _LEFTOVER.search(text, max(0, len(text) - _TAIL))
    # A bracket that closes one of the sentence's own ("s 12(1).") does not remain from a citation.
    if left is not None:
        before = text[: left.start()]
        if ")" not in left.group() or before.count("(") <= before.count(")"):
            text = before + text[left.end() :]
    return _PATTERNS["space_before_sign"].sub("", text).strip()


FEWEST_WORDS = 5
"""Minimum number of words in a proposition."""
_LONGEST = 3000
"""Maximum length of a sentence in code points. Longer ones are skipped, since they are tables and lists of
citations.
"""
_FARTHEST = 400
"""Maximum distance, in code points, from a proposition to the citation sentence after it."""
_CITED_ONLY = frozenset({"case", "journal", "book", "other"})
"""Kinds of authority that are cited only as support; an Act named in a sentence is also part of its
subject.
"""


@dataclass(frozen=True, slots=True)
class SignalledCitation:
    """A citation in a sentence and the signal before it ("" if none)."""

    citation: Citation
    signal: str


@dataclass(frozen=True, slots=True)
class CitingSentence:
    """A proposition and the citations that support it.

    ``span`` is the sentence or parenthetical in the text. ``proposition`` is its words on one line, without
    citations of cases and writings. ``cited`` are the citations in it and in citation sentences after it.
    """

    span: Span
    proposition: str
    cited: tuple[SignalledCitation, ...]


def find_citing_sentences(
    text: str, citations: Sequence[Citation], cut: Sequence[Span]
) -> tuple[CitingSentence, ...]:
    """Return the propositions of a masked text for which something is cited, in order.

    ``citations`` are all citations that the grammar found in ``text``, in order. ``cut`` are the text's
    sentences, none of which ends inside a citation. Citations without a key support nothing, and their words
    are not part of a proposition.
    """
    found: list[_Pending] = []
    last: _Pending | None = None
    starts = [each.span.start for each in citations]
    low = 0
    for span in cut:
        if span.end - span.start > _LONGEST:
            last = None
            continue
        # Start at the last citation before the sentence, which may extend into it.
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
    """A sentence or parenthetical for which something may be cited.

    ``end`` is the end of the last citation sentence after it. ``cut`` are the spans that are not part of the
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
    """Return a sentence's citations with their signals. A signal also applies to further citations in the
    same string.
    """
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
    """Yield each citation that has a parenthetical immediately after it, and the parenthetical's span."""
    for each in inside:
        match = _PATTERNS["aside"].match(text, each.span.end, span.end)
        if match is not None:
            yield each, Span(match.start("words") - 1, match.end("words") + 1)


def _is_citation_sentence(text: str, span: Span, inside: Sequence[Citation], taken: Sequence[Span]) -> bool:
    """Return whether a sentence consists only of citations, signals and subsequent history."""
    rest = _without(text, span, [*(each.span for each in inside), *taken])
    others = (match for match in _PATTERNS["history_or_word"].finditer(rest) if match["word"])
    return len(list(islice(others, FEWEST_WORDS - 2))) < FEWEST_WORDS - 2


def _without(text: str, span: Span, cut: Sequence[Span]) -> str:
    """Return the words of ``span`` on one line without the spans ``cut``."""
    pieces = []
    position = span.start
    for each in sorted(cut):
        if each.start > position:
            pieces.append(text[position : each.start])
        position = max(position, min(each.end, span.end))
    pieces.append(text[position : span.end])
    return " ".join(" ".join(pieces).split())


_BETWEEN = 40
"""Maximum distance, in code points, from a quotation to its citation."""


def find_quotations(text: str, citations: Sequence[Span]) -> list[tuple[int, int]]:
    """Return the range of the quotation immediately before each citation, or (0, 0).

    ``citations`` are sorted spans of ``text``. Earlier quotations are ignored, since they may be from another
    source.
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
