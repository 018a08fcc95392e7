"""The proposition of a sentence: what it says, without the citations that stand for its support."""

from __future__ import annotations

import re
from collections.abc import Callable

from lexls.citations.model import Citation
from lexls.citations.signals import SIGNALS, cleaned, only_signals
from lexls.features.draft import Draft
from lexls.text.spans import Span

_OPENING = re.compile(
    rf"(?P<sign>[:;,(–—])?[ \t\r\n]*(?P<bracket>\()?[ \t]*(?P<signal>{SIGNALS}\s+)?$", re.IGNORECASE
)


def opening_before(text: str) -> tuple[str, str] | None:
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


def attached(draft: Draft, sentence: Span, citation: Citation) -> bool:
    """Whether a citation stands behind what it supports and is not a part of the sentence's grammar."""
    mention = draft.mention_of(citation)
    before = draft.masked[sentence.start : max(sentence.start, mention.start)]
    return opening_before(before) is not None or only_signals(bare(draft, sentence))


def asked(draft: Draft, span: Span) -> str:
    """What to search for: the words of ``span`` without numbering and without cited cases and writings.

    Statutes stay where the sentence speaks of them: they are its matter, and not only its support.
    """
    return cleaned(_kept(draft, span, lambda each: each.kind not in ("case", "journal", "book", "other")))


def shown(draft: Draft, span: Span) -> str:
    """The words of ``span`` for people, without numbering and without the citations attached to it."""
    return cleaned(_kept(draft, span, lambda each: not attached(draft, span, each)))


def bare(draft: Draft, span: Span) -> str:
    """The words of ``span`` without numbering and without any citation."""
    return cleaned(_kept(draft, span, lambda each: False))


def _kept(draft: Draft, span: Span, keep: Callable[[Citation], bool]) -> str:
    pieces = []
    position = span.start
    for citation in draft.citations_in(span):
        if keep(citation):
            continue
        mention = citation.span
        if mention.start > position:
            pieces.append(draft.masked[position : mention.start])
        position = max(position, min(mention.end, span.end))
    pieces.append(draft.masked[position : span.end])
    return " ".join(" ".join(pieces).split())
