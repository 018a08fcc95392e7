"""The proposition of a sentence: what it says, without the citations that stand for its support."""

from __future__ import annotations

import re
from collections.abc import Callable

from lexls.citations.model import Citation
from lexls.features.draft import Draft
from lexls.text.spans import Span

_SIGNALS = r"(?:(?:but )?(?:see|compare|accord|contra)(?:,? (?:also|e\.g\.|eg|generally|further))?,?|cf\.?)"
_OPENING = re.compile(
    rf"(?P<sign>[:;,(–—])?[ \t\r\n]*(?P<bracket>\()?[ \t]*(?P<signal>{_SIGNALS}\s+)?$", re.IGNORECASE
)
_NUMBERING = re.compile(r"^(?:[\[(]?\d{1,4}[\])]?[.)]?|\(?[a-zA-Z][.)]|\(?[ivx]{1,5}[.)])\s+(?=\S)")
_LEFTOVER = re.compile(
    r"\s*[(\[:;,–—-]*\s*(?:" + _SIGNALS + r"\s*)?[\s:;,()\[\]]*(?=[.?!…\"”’]*$)", re.IGNORECASE
)
_SPACE_BEFORE_SIGN = re.compile(r"\s+(?=[,;:.?!)])")


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
    return opening_before(before) is not None or _only_signals(bare(draft, sentence))


def _only_signals(words: str) -> bool:
    """Whether nothing but signals is left of a sentence without its citations: a citation sentence."""
    return not re.sub(rf"\b{_SIGNALS}|\W|\band\b", "", words, flags=re.IGNORECASE)


def asked(draft: Draft, span: Span) -> str:
    """What to search for: the words of ``span`` without numbering and without cited cases and writings.

    Statutes stay where the sentence speaks of them: they are its matter, and not only its support.
    """
    return _cleaned(_kept(draft, span, lambda each: each.kind not in ("case", "journal", "book", "other")))


def shown(draft: Draft, span: Span) -> str:
    """The words of ``span`` for people, without numbering and without the citations attached to it."""
    return _cleaned(_kept(draft, span, lambda each: not attached(draft, span, each)))


def bare(draft: Draft, span: Span) -> str:
    """The words of ``span`` without numbering and without any citation."""
    return _cleaned(_kept(draft, span, lambda each: False))


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


def _cleaned(text: str) -> str:
    text = _NUMBERING.sub("", text)
    text = _LEFTOVER.sub("", text, count=1)
    return _SPACE_BEFORE_SIGN.sub("", text).strip()
