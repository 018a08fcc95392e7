"""Find the author and title that a draft writes before an article in a journal."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexls.citations.citing_sentences import SIGNALS
from lexls.citations.model import Citation
from lexls.reading.citation_order import note_at
from lexls.reading.draft import Draft
from lexls.text.lexicon import PARTICLES
from lexls.text.spans import Span

_LONGEST = 300
"""Maximum distance of an author from the citation, in code points."""
_PARTICLES = "|".join(sorted(PARTICLES | {"der", "du", "di", "del"}))
_NAME = rf"(?:(?:{_PARTICLES})\s+){{0,2}}[^\W\d_a-z](?:[\w.’'-]|\.(?=[A-Z]))*"
# "Oliver Wendell Holmes, Jr.,", "A. Orr & B. Hale,", "Cass R. Sunstein et al.,".
_AUTHORS = re.compile(
    rf"(?<![\w.’'-])(?P<first>{_NAME}(?:\s+{_NAME}){{0,4}})"
    rf"(?:(?:,?\s+(?:&|and)\s+|,\s+){_NAME}(?:\s+{_NAME}){{0,4}}){{0,5}}(?:\s+et\s+al\.?)?\s*,\s*\Z"
)
_LEADING_SIGNAL = re.compile(rf"(?:(?:{SIGNALS})\W{{1,3}})+", re.IGNORECASE)
# "Oliver Holmes, The Path of the Law," if nothing marks the title.
_UNMARKED = re.compile(
    rf"(?<![\w.’'-]){_NAME}(?:\s+{_NAME}){{1,4}},\s+(?P<title>[A-Z][^(),.;]{{3,120}}),?\s*\Z"
)


@dataclass(frozen=True, slots=True)
class CitedWork:
    """The author and title of an article: they reach from ``start`` to its citation.

    ``surname`` is the first author's, "" if no author is given.
    """

    start: int
    surname: str


def find_work(draft: Draft, citation: Citation) -> CitedWork | None:
    """Return the author and title before an article's citation; None if there is no title."""
    note = note_at(draft, citation.core.start)
    around = note.content if note is not None else draft.paragraph_at(citation.core.start)
    low = max(around.start if around is not None else 0, citation.core.start - _LONGEST)
    before = draft.citations_in(Span(low, citation.span.start)) if low < citation.span.start else []
    low = max([low, *(each.span.end for each in before if each.span.end <= citation.span.start)])
    title = _find_title(draft, citation, low)
    if title is None:
        return None
    written = draft.masked[low:title]
    authors = _AUTHORS.search(written)
    if authors is None:
        return CitedWork(title, "")
    start, first = authors.start("first"), authors["first"]
    signal = _LEADING_SIGNAL.match(first)
    if signal is not None:
        start, first = start + signal.end(), first[signal.end() :]
    return CitedWork(low + start, first.split()[-1] if first else "")


def _find_title(draft: Draft, citation: Citation, low: int) -> int | None:
    """Return the start of the title: in quotation marks, in italics, or after an author's comma."""
    if citation.name and citation.span.start < citation.core.start:
        return citation.span.start
    source, masked = draft.source, draft.masked
    end = low + len(source[low : citation.core.start].rstrip(" \t\r\n,~"))
    for opening, closing in draft.format.italics:
        if source.endswith(closing, low, end) and not masked[end - len(closing) : end].strip():
            at = source.rfind(opening, low, end - len(closing))
            if at >= 0 and not masked[at : at + len(opening)].strip():
                return at
    unmarked = _UNMARKED.search(masked[low : citation.core.start])
    return low + unmarked.start("title") if unmarked is not None else None
