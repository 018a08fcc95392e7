"""Document highlights: every mention in the draft of the authority at the cursor."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.features.cited import find_mentions
from lexls.features.defined_terms import defined_terms, term_at
from lexls.features.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Highlight:
    """A mention of the authority; ``defines`` says that it is where a term for it is defined."""

    span: Span
    defines: bool = False


def highlights(snapshot: Snapshot, offset: int, token: CancelToken) -> list[Highlight]:
    """The mentions of the authority at ``offset``, full, short or by a term, in the order of the draft.

    Where a term is defined for it, the term's words in the definition are one more. Empty where the cursor
    stands neither in a citation nor in a definition.
    """
    draft = snapshot.draft
    defined = term_at(draft, offset)
    citation = defined.citation if defined is not None else draft.citation_at(offset)
    if citation is None:
        return []
    found = find_mentions(snapshot, citation, token)
    spans = frozenset(found)
    definitions = [each.words for each in defined_terms(draft) if draft.mention_of(each.citation) in spans]
    token.raise_if_cancelled()
    # A definition may stand inside its mention, before an Act's sections; highlights must not overlap.
    highlighted = [Highlight(piece) for span in found for piece in _around(span, definitions)]
    highlighted += [Highlight(words, defines=True) for words in definitions]
    return sorted(highlighted, key=lambda each: each.span)


def _around(span: Span, cut: list[Span]) -> list[Span]:
    """The pieces of ``span`` that remain without ``cut``."""
    pieces = [span]
    for hole in cut:
        last = pieces[-1]
        if hole.overlaps(last):
            pieces[-1:] = [Span(last.start, hole.start), Span(hole.end, last.end)]
    return [piece for piece in pieces if len(piece)]
