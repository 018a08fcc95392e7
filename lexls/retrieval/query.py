"""From a sentence of a draft to what is searched for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.citations.model import Citation, CitationKind
from lexls.index.tokens import Tokenizer
from lexls.text.spans import Span

_POINTERS: frozenset[CitationKind] = frozenset({"case", "journal", "book", "other"})
_WORD = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for.

    ``text`` is the prose on one line, for the embedder and for people; of a long narrative an embedder
    reads the beginning, which fused with BM25 did as well as pooled windows of all of it. ``terms`` are its
    distinct index terms in order of appearance: a word that a long narrative repeats says no more than one
    said once, and counting it again would let "appellant" or "petition" decide. ``keys`` are the normal
    keys of the citations it consists of, empty when there is prose beside them.
    """

    text: str
    terms: tuple[str, ...]
    keys: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to search for."""
        return not self.terms


def build_query(text: str, tokenizer: Tokenizer, citations: Sequence[Citation] = ()) -> Query:
    """The query that ``text`` (masked: without markup) asks.

    ``citations`` are those of ``text``. Cited cases and writings — names, citations, pinpoints — are not
    searched for, since a proposition is supported by what is said about its matter and not by who else
    cites the same page. Statutes and rules are the matter itself, and stay. Only when nothing else remains
    are the citations themselves the question.
    """
    prose = _without(text, [citation.span for citation in citations if citation.kind in _POINTERS])
    keys: tuple[str, ...] = ()
    if not _WORD.search(prose):
        prose = text
        keys = tuple(dict.fromkeys(citation.key for citation in citations if citation.key))
    prose = " ".join(prose.split())
    return Query(prose, tuple(dict.fromkeys(tokenizer.tokenize(prose))), keys)


def _without(text: str, spans: Sequence[Span]) -> str:
    """``text`` with these spans (which may overlap) cut out, a space in place of each."""
    pieces = []
    position = 0
    for span in sorted(spans):
        pieces.append(text[position : max(position, span.start)])
        position = max(position, span.end)
    pieces.append(text[position:])
    return " ".join(pieces)
