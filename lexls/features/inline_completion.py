"""Propose the citation of a supporting authority at the end of a sentence without one."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.reading.propositions import find_proposition, write_bare
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.relevance import find_fitting
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.prose import states
from lexls.writing.citing import attach
from lexls.writing.placement import CitationPlace, find_habit, find_place
from lexls.writing.prescribed_form import write_citation

_LOOKED_FOR = 12


@dataclass(frozen=True, slots=True)
class InlineProposal:
    """``text`` to insert in place of ``replace``, which ends at the cursor, on the same line."""

    replace: Span
    text: str


def propose_citation(snapshot: Snapshot, offset: int, token: CancelToken) -> InlineProposal | None:
    """Return a citation for the sentence that ends at ``offset``, or None if in doubt.

    Only words are compared, not vectors, since this is called at every pause in typing. Raises ``Cancelled``.
    """
    draft = snapshot.draft
    line = draft.source.find("\n", offset)
    rest = draft.source[offset : line if line >= 0 else len(draft.source)]
    said = draft.source[:offset].rstrip(" ")
    if rest.strip() or offset - len(said) > 1 or not said.endswith((".", ".”", '."', ".’")):
        return None
    target = find_proposition(draft, Span(len(said) - 1, len(said) - 1))
    if target is None or target.end < len(said) - 1 or draft.citations_in(target):
        return None
    words = write_bare(draft, target)
    if not states(words):
        return None
    hits = snapshot.find_passages_on(words, _LOOKED_FOR, token)
    token.raise_if_cancelled()
    fits = find_fitting(words, hits, snapshot.tokens)
    if not fits:
        return None
    place = find_place(draft, target, find_habit(draft))
    if place.new_note:
        return None  # a footnote is made elsewhere, too
    if place.offset < len(said):
        # The full stop is already typed, and ghost text cannot show that it moves.
        place = CitationPlace(len(said), " ", stopped=True)
    (edit,) = attach(
        draft, place, write_citation(snapshot, place, fits[0].hit.authority, fits[0].hit.passage)
    )
    if edit.span.end > offset or "\n" in draft.source[edit.span.start : offset]:
        return None
    kept = draft.source[edit.span.end : offset]
    text = edit.text + kept
    # A space that is already typed is not added again.
    return InlineProposal(
        Span(edit.span.start, offset), text.removesuffix(" ") if kept.endswith(" ") else text
    )
