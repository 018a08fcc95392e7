"""Find what a sentence says without the citations that support it, and what a citation supports."""

from __future__ import annotations

import re
from collections.abc import Callable

from lexls.citations.citing_sentences import SIGNALS, clean_sentence, has_only_signals
from lexls.citations.model import Citation, CitationKind
from lexls.reading.draft import Draft
from lexls.text.spans import Span, leave_out

_OPENING = re.compile(
    rf"(?P<sign>[:;,(–—])?[ \t\r\n]*(?P<bracket>\()?[ \t]*(?P<signal>{SIGNALS}\s+)?$", re.IGNORECASE
)

_POINTERS: frozenset[CitationKind] = frozenset({"case", "journal", "book", "other"})
"""What is cited for what it says; provisions are the matter of a sentence themselves."""
_FEWEST_WORDS = 4
"""A sentence with fewer words beside its citations is a citation sentence."""


def find_opening(text: str) -> tuple[str, str] | None:
    """What stands between a proposition (``text``) and a citation that supports it, and what closes it again.

    (": ", ""), (" (see ", ")") and the like; None if the citation is a part of the sentence ("… held in").
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
    """Whether a citation stands behind what it supports and is not a part of the sentence's grammar."""
    mention = draft.mention_of(citation)
    before = draft.masked[sentence.start : max(sentence.start, mention.start)]
    return find_opening(before) is not None or has_only_signals(write_bare(draft, sentence))


def write_query(draft: Draft, span: Span) -> str:
    """What to search for: the words of ``span`` without numbering and without cited cases and writings.

    Statutes stay where the sentence speaks of them: they are its matter, and not only its support.
    """
    return _without(draft, span, lambda each: each.kind in _POINTERS)


def write_shown(draft: Draft, span: Span) -> str:
    """The words of ``span`` for people, without numbering and without the citations attached to it."""
    return _without(draft, span, lambda each: is_attached(draft, span, each))


def retell(draft: Draft, span: Span, cited: Citation | None = None) -> str:
    """What ``span`` says, as a generator is told of it: as ``write_shown``, but a case that is a part of the
    sentence is "it" ("as it holds"), so that its name and numbers are not taken for what is said.

    So is ``cited``, the citation that is explained, whatever it is of.
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
    """The words of ``span`` without numbering and without any citation."""
    return clean_sentence(draft.prose(span))


def _without(draft: Draft, span: Span, left_out: Callable[[Citation], bool]) -> str:
    cited = (each.span for each in draft.citations_in(span) if left_out(each))
    return clean_sentence(leave_out(draft.masked, cited, span))


def find_proposition(draft: Draft, span: Span) -> Span | None:
    """What is to be supported: the selection, or for an empty span its sentence; None without words."""
    if span.of(draft.masked).strip():
        return span
    sentence = draft.sentence_at(span.start)
    return None if sentence is None or draft.heading_at(span.start) is not None else sentence


def find_words_supported(draft: Draft, citation: Citation) -> str:
    """The words that a citation supports: its sentence without the citations attached to it.

    For a citation sentence, the sentence before it; "" where there is none.
    """
    sentence = find_sentence_supported(draft, citation)
    return write_shown(draft, sentence) if sentence is not None else ""


def find_sentence_supported(draft: Draft, citation: Citation) -> Span | None:
    """The sentence that a citation supports: its own, or for a citation sentence the one before it."""
    sentence = draft.sentence_at(citation.core.start)
    if sentence is None or len(write_bare(draft, sentence).split()) >= _FEWEST_WORDS:
        return sentence
    paragraph = draft.paragraph_at(citation.core.start)
    sentences = draft.sentences_of(paragraph) if paragraph is not None else ()
    before = [each for each in sentences if each.end <= sentence.start]
    long = (each for each in reversed(before) if len(write_bare(draft, each).split()) >= _FEWEST_WORDS)
    return next(long, sentence)


def find_citation_near(draft: Draft, offset: int) -> Citation | None:
    """The citation at ``offset``, else the first one of its sentence; None where there is none."""
    found = draft.citation_at(offset)
    if found is not None:
        return found
    sentence = draft.sentence_at(offset)
    inside = draft.citations_in(sentence) if sentence is not None else []
    return inside[0] if inside else None
