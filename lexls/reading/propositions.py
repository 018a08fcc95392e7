"""Find what a sentence says apart from its citations, and which part of it each citation supports."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from lexls.citations.citing_sentences import (
    AGAINST,
    FEWEST_WORDS,
    SIGNALS,
    clean_sentence,
    find_signal,
    has_only_signals,
)
from lexls.citations.model import Citation, CitationKind
from lexls.reading.draft import Draft
from lexls.reading.quotations import find_quotations
from lexls.text.phrases import load_patterns
from lexls.text.spans import Span, leave_out
from lexls.wording.prose import reports_a_party

_PATTERNS = load_patterns(__package__, "cited_part.toml")
_WORD = re.compile(r"[^\W\d_]{2,}")
_DIRECT = re.compile(r"(?:see|accord)?(?:,? ?(?:also|e\.? ?g))*\.?", re.IGNORECASE)
"""Pattern of the signals of a citation that supports the sentence directly."""
_BEFORE = 3
"""Number of sentences before a citation sentence that are examined; more than one, since some may be citation
sentences too.
"""
_STRUNG = re.compile(r"\s*[;,]?\s*(?:and\s*)?$")


@dataclass(frozen=True, slots=True)
class CitedPart:
    """The proposition for which an authority is cited: ``text`` on one line, without citations. ``told`` is
    true if the draft reports what the authority does or says ("(holding that …)", "In Carrow the court
    held …"), instead of stating the law or the facts. ``against`` is true if the authority is cited as
    contrary to it.
    """

    text: str
    told: bool
    against: bool = False


@dataclass(frozen=True, slots=True)
class _Cited:
    """One authority cited in a sentence: its mention, and the parenthetical after it (empty if there is
    none).
    """

    span: Span
    aside: Span

    @property
    def end(self) -> int:
        return max(self.span.end, self.aside.end)


def find_cited_part(draft: Draft, citation: Citation) -> CitedPart | None:
    """Return what a citation is cited for: the parenthetical after it, its part of the sentence, or, for a
    citation sentence, the sentence before it. None if this is nothing that the authority's text could
    support: it is cited only by name, for someone else's argument, or only for a quotation.
    """
    paragraph = draft.paragraph_at(citation.core.start)
    if paragraph is None or draft.heading_at(paragraph.start) is not None:
        return None
    sentences = draft.sentences_of(paragraph)
    place = next((n for n, each in enumerate(sentences) if citation.core.start < each.end), None)
    if place is None:
        return None
    signal = _signal(draft, citation, sentences[place])
    against = signal in AGAINST
    if not against and not _DIRECT.fullmatch(signal):
        return None
    found = _in_sentence(draft, citation, sentences[place])
    if found is None and _cites_only(draft, sentences[place]):
        before = next(
            (
                each
                for each in reversed(sentences[max(0, place - _BEFORE) : place])
                if not _cites_only(draft, each)
            ),
            None,
        )
        found = (before, False) if before is not None else None
    return _read(draft, *found, against) if found is not None else None


def _read(draft: Draft, span: Span, told: bool, against: bool) -> CitedPart | None:
    """Return what a part says without its citations; None if it says nothing that an authority could
    support.
    """
    pointers = [each.span for each in draft.citations_in(span) if each.kind in _POINTERS]
    asides = [each.aside for each in _cited(draft, span) if len(each.aside)]
    cited = pointers if any(each.touches(span.start + 1) for each in asides) else [*pointers, *asides]
    text = leave_out(draft.masked, sorted(cited), span).strip(" ,;:()—–")
    text = clean_sentence(_PATTERNS["saying"].sub("", text) if told else text)
    quoted = _quoted(draft, span)
    if len(_WORD.findall(leave_out(draft.masked, sorted([*cited, *quoted]), span))) < FEWEST_WORDS:
        return None
    if len(_WORD.findall(text)) < FEWEST_WORDS or reports_a_party(text):
        return None
    if _PATTERNS["about"].search(text) or _PATTERNS["named"].search(text):
        return None
    return CitedPart(text, told, against)


def _quoted(draft: Draft, span: Span) -> list[Span]:
    paragraph = draft.paragraph_at(span.start)
    if paragraph is None:
        return []
    found = draft.once(("quotations", paragraph), lambda: find_quotations(draft, paragraph))
    return [each.outer for each in found if each.outer.overlaps(span) and each.words >= FEWEST_WORDS]


def _cited(draft: Draft, span: Span) -> list[_Cited]:
    """Return the mentions that begin in ``span``, in order, each with its parenthetical."""
    found: list[_Cited] = []
    for citation in draft.citations_in(span):
        mention = draft.mention_of(citation)
        if found and mention.start < found[-1].end:
            continue
        match = _PATTERNS["aside"].match(draft.masked, mention.end, max(mention.end, span.end))
        aside = Span(match.start("words") - 1, match.end("words") + 1) if match else Span(0, 0)
        found.append(_Cited(mention, aside))
    return found


def _signal(draft: Draft, citation: Citation, sentence: Span) -> str:
    """Return a citation's signal. If it has none, return the signal of the string of citations to which it
    belongs.
    """
    start = draft.mention_of(citation).start
    signal = find_signal(draft.masked, start)
    for one, other in reversed(list(pairwise(_cited(draft, sentence)))):
        if signal or other.span.start != start or not _STRUNG.fullmatch(draft.masked[one.end : start]):
            continue
        start = one.span.start
        signal = find_signal(draft.masked, start)
    return signal


def _cites_only(draft: Draft, sentence: Span) -> bool:
    """Return whether a sentence consists only of citations, with their signals and parentheticals."""
    cited = [each for one in _cited(draft, sentence) for each in (one.span, one.aside) if len(each)]
    return bool(cited) and bool(_PATTERNS["strings"].match(leave_out(draft.masked, sorted(cited), sentence)))


def _in_sentence(draft: Draft, citation: Citation, sentence: Span) -> tuple[Span, bool] | None:
    """Return the span of the part of its own sentence for which a citation is cited, and whether that part
    reports what the authority says; None if there is no such part.
    """
    masked = draft.masked
    cited = _cited(draft, sentence)
    mine = next((n for n, each in enumerate(cited) if each.span.touches(citation.core.start)), None)
    if mine is None:
        return None
    aside = cited[mine].aside
    if len(aside):
        explains = not _PATTERNS["no_explanation"].match(masked, aside.start + 1)
        if explains and _read(draft, aside, True, False) is not None:
            return aside, True
    for place in range(mine, -1, -1):
        start = cited[place - 1].end if place else sentence.start
        gap = masked[start : max(start, cited[place].span.start)]
        if place and _PATTERNS["strings"].match(gap):
            continue
        if _PATTERNS["leads"].match(gap):
            break
        if _PATTERNS["attached"].search(gap):
            return Span(start, cited[place].span.start), False
        break
    else:
        return None
    following = cited[mine + 1].span.start if mine + 1 < len(cited) else sentence.end
    behind = Span(cited[mine].end, max(cited[mine].end, following))
    said = _PATTERNS["says"].match(behind.of(masked)) is not None
    led = _PATTERNS["leads"].match(gap) is not None and len(gap.strip()) > 1
    return (behind, True) if said or (led and behind.of(masked).startswith(",")) else None


_OPENING = re.compile(
    rf"(?P<sign>[:;,(–—])?[ \t\r\n]*(?P<bracket>\()?[ \t]*(?P<signal>{SIGNALS}\s+)?$", re.IGNORECASE
)

_POINTERS: frozenset[CitationKind] = frozenset({"case", "journal", "book", "other"})
"""Kinds of citation that only name a source. Provisions are not among them, since they may be the subject of
a sentence.
"""
_FEWEST_WORDS = 4
"""Number of words besides citations from which a sentence is not a citation sentence."""


def find_opening(text: str) -> tuple[str, str] | None:
    """Return how a supporting citation is attached to a proposition: the text before the citation and the
    text after it, such as (": ", "") or (" (see ", ")"). None if the citation is part of the sentence ("…
    held in").
    """
    match = _OPENING.search(text)
    if match is None or not (match["sign"] or match["bracket"]):
        return None
    signal = " ".join(match["signal"].split()).lower() + " " if match["signal"] else ""
    if match["bracket"] or match["sign"] == "(":
        return f" ({signal}", ")"
    space = " " if match["sign"] in "–—" else ""
    return f"{space}{match['sign']} {signal}", ""


def is_attached(draft: Draft, sentence: Span, citation: Citation) -> bool:
    """Return whether a citation follows the words that it supports and is not grammatically part of the
    sentence.
    """
    mention = draft.mention_of(citation)
    before = draft.masked[sentence.start : max(sentence.start, mention.start)]
    return find_opening(before) is not None or has_only_signals(write_bare(draft, sentence))


def write_query(draft: Draft, span: Span) -> str:
    """Return the words of ``span`` as a search query, without numbering and without cited cases and writings.
    Statutes that the sentence discusses remain, since they are its subject.
    """
    return _without(draft, span, lambda each: each.kind in _POINTERS)


def write_shown(draft: Draft, span: Span) -> str:
    """Return the words of ``span`` for display, without numbering and without attached citations."""
    return _without(draft, span, lambda each: is_attached(draft, span, each))


def retell(draft: Draft, span: Span, cited: Citation | None = None) -> str:
    """Return the words of ``span`` for a text generator. As in ``write_shown``, attached citations are
    removed. A case that is part of the sentence is replaced by "it" ("as it holds"), so that its name and
    numbers are not read as content. So is ``cited``, the citation being explained, whatever its kind.
    """
    same = draft.group_of(cited) if cited is not None else []
    pieces = []
    position = span.start
    group = 0
    for citation in draft.citations_in(span):
        beside = is_attached(draft, span, citation)
        if not beside and citation not in same and citation.kind not in _POINTERS:
            continue
        start = max(span.start, citation.span.start)
        if start >= position and not (citation.group and citation.group == group):
            pieces += [draft.masked[position:start], "" if beside else "it"]
        group = citation.group
        position = max(position, min(citation.span.end, span.end))
    pieces.append(draft.masked[position : span.end])
    return clean_sentence(" ".join(" ".join(pieces).split()))


def write_bare(draft: Draft, span: Span) -> str:
    """Return the words of ``span`` without numbering and citations."""
    return clean_sentence(draft.prose(span))


def _without(draft: Draft, span: Span, left_out: Callable[[Citation], bool]) -> str:
    cited = (each.span for each in draft.citations_in(span) if left_out(each))
    return clean_sentence(leave_out(draft.masked, cited, span))


def find_proposition(draft: Draft, span: Span) -> Span | None:
    """Return the span to be supported: the selection or, if it is empty, the sentence around it. None if
    there are no words, or in a heading.
    """
    if span.of(draft.masked).strip():
        return span
    sentence = draft.sentence_at(span.start)
    return None if sentence is None or draft.heading_at(span.start) is not None else sentence


def find_words_supported(draft: Draft, citation: Citation) -> str:
    """Return the words that a citation supports: its sentence without attached citations or, for a citation
    sentence, the sentence before it; "" if there is none.
    """
    sentence = find_sentence_supported(draft, citation)
    return write_shown(draft, sentence) if sentence is not None else ""


def find_sentence_supported(draft: Draft, citation: Citation) -> Span | None:
    """Return the sentence that a citation supports: its own or, for a citation sentence, the last one before
    it that is not a citation sentence. If there is none before it, return its own sentence. None outside
    sentences.
    """
    sentence = draft.sentence_at(citation.core.start)
    if sentence is None or len(write_bare(draft, sentence).split()) >= _FEWEST_WORDS:
        return sentence
    paragraph = draft.paragraph_at(citation.core.start)
    sentences = draft.sentences_of(paragraph) if paragraph is not None else ()
    before = [each for each in sentences if each.end <= sentence.start]
    long = (each for each in reversed(before) if len(write_bare(draft, each).split()) >= _FEWEST_WORDS)
    return next(long, sentence)


def find_citation_near(draft: Draft, offset: int) -> Citation | None:
    """Return the citation at ``offset``. If there is none, return the first citation of the sentence there,
    or None.
    """
    found = draft.citation_at(offset)
    if found is not None:
        return found
    sentence = draft.sentence_at(offset)
    inside = draft.citations_in(sentence) if sentence is not None else []
    return inside[0] if inside else None
