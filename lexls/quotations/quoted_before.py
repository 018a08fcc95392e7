"""Find other library documents that quote an authority's words as a draft does."""

from __future__ import annotations

import re

from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.quotations.comparison import Difference
from lexls.reading.quotations import Quotation
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span

Words = re.Pattern[str]
"""A pattern for consecutive words with any punctuation between them."""
_WORD = re.compile(r"[^\W_]+")
_AROUND = 3
"""Number of words on either side of a difference that another document must have in common with the text."""
_FEWEST = 5
_REACH = 120
"""Code points on either side of a difference, or before a quotation, in which these words are
searched for.
"""
_INTRODUCED = 6
"""Number of words before a quotation by which a copy of the draft is recognised."""
_MOST_READ = 60


def is_quoted_so(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, difference: Difference
) -> bool:
    """Return whether more citing documents have the draft's words than the words of the library's copy. If
    so, the copy has an error, or the draft quotes another edition. Cached until the library changes.
    """
    library = snapshot.library
    here = _write_pattern(quotation.text, difference.quoted)
    there = _write_pattern(library.contents.text(authority.id), difference.original)
    if here is None or there is None:
        return False
    before = quotation.outer.start
    words = _WORD.findall(snapshot.draft.masked[max(0, before - 2 * _REACH) : before])[-_INTRODUCED:]
    introduced = _compile([*words, *_WORD.findall(quotation.text[:_REACH])[:2]])
    key = (library.path, library.generation, authority.id, here, there, introduced)
    found: bool = snapshot.judged.recall(
        key, lambda: _balance(snapshot.library, authority, here, there, introduced) > 0
    )
    return found


def _balance(library: Library, authority: Authority, here: Words, there: Words, introduced: Words) -> int:
    """Return the number of citing documents that match ``here``, minus the number that match ``there``. A
    document that matches ``here`` and also ``introduced`` is the draft itself, or a copy of it, and is not
    counted.
    """
    balance = 0
    citing = sorted({each.citing for each in library.graph.find_citing(authority.id)})
    for document in citing[:_MOST_READ]:
        text = library.contents.text(document)
        if document == authority.id or (
            here.search(text) is not None and introduced.search(text) is not None
        ):
            continue
        balance += (here.search(text) is not None) - (there.search(text) is not None)
    return balance


def _write_pattern(text: str, span: Span) -> Words | None:
    """Return a pattern for the words of a span and the words around it; None if these are too few to identify
    a passage.
    """
    before = _WORD.findall(text[max(0, span.start - _REACH) : span.start])[-_AROUND:]
    behind = _WORD.findall(text[span.end : span.end + _REACH])[:_AROUND]
    words = [*before, *_WORD.findall(span.of(text)), *behind]
    return _compile(words) if len(words) >= _FEWEST else None


def _compile(words: list[str]) -> Words:
    return re.compile(
        r"(?<![^\W_])" + r"[\W_]{1,8}".join(map(re.escape, words)) + r"(?![^\W_])", re.IGNORECASE
    )
