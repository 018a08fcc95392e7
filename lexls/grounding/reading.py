"""Reading an authority's text as prose: what its own markup hides, and its sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.index.records import Authority
from lexls.text.markup import markup_of, mask
from lexls.text.sentences import sentences
from lexls.text.spans import Span

_WORD = re.compile(r"[^\W_]+")
_FINISHED = re.compile(r"[.;:?!…—–][\"'”’)\]]*$|[,;]\s*(?:and|or)$")
_DASH = re.compile(r"\s[—–-]\s")
_STOP = re.compile(r"[.?!][\"'”’)\]]{0,3}\s+(?=[\"'“‘(\[]{0,3}[A-Z0-9§])|\n[ \t\r]*\n\s*")
_ENDED = re.compile(r"(?:[.?!:;][\"'”’)\]]{0,3}\s*|\n[ \t\r]*\n\s*|\A\s*)\Z")
_REACH = 600
"""Code points before and after a piece of text in which the sentence that it cuts begins and ends."""
_LONGEST_HEADING = 12
"""Words; a longer piece without a stop is text that was cut, not a heading."""


def prose(authority: Authority, text: str) -> str:
    """``text``, a piece of the authority, with the marks of its format blanked; of the same length.

    Only Markdown is indexed as it is written; every other format's text comes without marks.
    """
    return mask(text, "markdown" if markup_of("", authority.path.name) == "markdown" else "plain")


def statements_in(text: str) -> Sequence[Span]:
    """The sentences of prose that state something: no headings, no bare numbers."""
    return [span for span in sentences(text) if states(span.of(text))]


def states(sentence: str) -> bool:
    """Whether a piece of text is a statement rather than a heading, catchwords between dashes or a number."""
    count = len(_WORD.findall(sentence))
    if count < 4:
        return False
    if _FINISHED.search(sentence.rstrip()) is not None:
        return True
    return count > _LONGEST_HEADING and len(_DASH.findall(sentence)) < 3


def whole_sentences(text: str, span: Span) -> Span:
    """``span`` of ``text`` with the sentences that its ends cut, as far as they are not very long."""
    start, end = span.start, span.end
    before = text[max(0, start - _REACH) : start]
    if not _ENDED.search(before[-8:]):
        # One more character, since a stop is told by what follows it.
        stops = [each.end() for each in _STOP.finditer(text[start - len(before) : start + 1])]
        whole = [stop for stop in stops if stop <= len(before)]
        if whole:
            start -= len(before) - whole[-1]
        elif len(before) == start:
            start = 0
    last = text[max(start, end - 8) : end].rstrip()
    if last and not _ENDED.search(last):
        stop = _STOP.search(text, end, end + _REACH)
        if stop is not None:
            end = stop.start() + len(stop.group().rstrip())
        elif end + _REACH >= len(text):
            end = len(text.rstrip())
    return Span(start, end)
