"""Semantic tokens: the parts of a citation, for syntax colouring."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lexls.assessing.assess import find_absence
from lexls.citations.model import Citation
from lexls.reading.defined_terms import find_terms_in
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

TokenKind = Literal["caseName", "citation", "statute", "pinpoint", "shortForm"]
"""``caseName`` is the name before a case's citation and ``citation`` the citation itself. ``statute`` is the
title of any enactment. ``shortForm`` refers to an authority cited before, or defines a term for one.
"""
_ENACTED = frozenset({"statute", "regulation", "rule", "constitution", "treaty"})
_PUNCTUATION = " \t\r\n,;:(\u2029"


@dataclass(frozen=True, slots=True)
class SemanticToken:
    """A piece of the draft's source on one line. ``missing`` is true if the library is fully read and lacks
    the cited authority, ``defines`` if a term is defined here.
    """

    span: Span
    kind: TokenKind
    missing: bool = False
    defines: bool = False


def find_tokens(snapshot: Snapshot, span: Span, token: CancelToken) -> list[SemanticToken]:
    """Return the tokens that overlap ``span``, in order. The tokens do not overlap each other."""
    draft, found = snapshot.draft, []
    definitions = [each.words for each in find_terms_in(draft, span)]
    holes = iter(definitions)
    hole = next(holes, None)
    for citation in draft.citations_in(span):
        token.raise_if_cancelled()
        missing = find_absence(snapshot, citation) == "missing"
        for piece, kind in _pieces(draft.masked, citation):
            while hole is not None and hole.end <= piece.start:
                hole = next(holes, None)
            for rest in piece.without(() if hole is None else (hole,)):
                found.append(SemanticToken(rest, kind, missing=missing))
    found += [SemanticToken(words, "shortForm", defines=True) for words in definitions]
    found.sort(key=lambda each: each.span)
    return [part for each in found if each.span.overlaps(span) for part in _lines(draft.source, each)]


def _pieces(text: str, citation: Citation) -> Iterator[tuple[Span, TokenKind]]:
    """Yield the pieces of a citation in order: name, core, pinpoint."""
    enacted = citation.kind in _ENACTED
    pinpoint = citation.pinpoint.span if citation.pinpoint is not None else None
    places = [pinpoint] if pinpoint else []
    kind: TokenKind = "shortForm" if citation.form != "full" else "statute" if enacted else "citation"
    name = Span(citation.span.start, citation.core.start)
    found: list[tuple[Span, TokenKind]] = [(each, "pinpoint") for each in places]
    if citation.name and citation.form in ("full", "short", "supra") and not enacted:
        bare = _trimmed(text, name)
        if len(bare) and not (pinpoint is not None and pinpoint.overlaps(bare)):
            found.append((bare, "caseName"))
    found += [(core, kind) for core in citation.core.without(places)]
    yield from sorted(found)


def _trimmed(text: str, span: Span) -> Span:
    """Return ``span`` without spaces, commas and opening brackets at either end."""
    words = span.of(text)
    start = span.start + len(words) - len(words.lstrip(_PUNCTUATION))
    end = span.end - (len(words) - len(words.rstrip(_PUNCTUATION)))
    return Span(start, max(start, end))


def _lines(source: str, token: SemanticToken) -> Iterator[SemanticToken]:
    """Yield a token split at line ends and trimmed, since few editors accept multi-line tokens."""
    start = token.span.start
    for line in token.span.of(source).splitlines(keepends=True):
        words = line.strip()
        left = start + len(line) - len(line.lstrip())
        if words:
            yield SemanticToken(Span(left, left + len(words)), token.kind, token.missing, token.defines)
        start += len(line)
