"""Tell which citation is explained, and for which sentence."""

from __future__ import annotations

from lexls.citations.model import Citation
from lexls.features.draft import Draft
from lexls.features.propositions import bare, shown
from lexls.features.snapshot import Snapshot
from lexls.text.spans import Span

_FEWEST_WORDS = 4
"""A sentence with fewer words beside its citations is a citation sentence."""


def proposition_of(snapshot: Snapshot, citation: Citation) -> str:
    """The words that a citation supports: its sentence without the citations attached to it.

    For a citation sentence, the sentence before it; "" where there is none.
    """
    sentence = supported_sentence(snapshot, citation)
    return shown(snapshot.draft, sentence) if sentence is not None else ""


def as_cited(draft: Draft, citation: Citation) -> str:
    """What is cited, in the draft's own words; its citation where the draft has a key in its place."""
    keyed = draft.key_of(citation) is not None
    return citation.key if keyed else " ".join(citation.core.of(draft.masked).split()) or citation.key


def supported_sentence(snapshot: Snapshot, citation: Citation) -> Span | None:
    """The sentence that a citation supports: its own, or for a citation sentence the one before it."""
    draft = snapshot.draft
    sentence = draft.sentence_at(citation.core.start)
    if sentence is None or len(bare(draft, sentence).split()) >= _FEWEST_WORDS:
        return sentence
    paragraph = draft.paragraph_at(citation.core.start)
    sentences = draft.sentences_of(paragraph) if paragraph is not None else ()
    before = [each for each in sentences if each.end <= sentence.start]
    long = (each for each in reversed(before) if len(bare(draft, each).split()) >= _FEWEST_WORDS)
    return next(long, sentence)


def citation_near(snapshot: Snapshot, offset: int) -> Citation | None:
    """The citation at ``offset``, else the first one of its sentence; None where there is none."""
    found = snapshot.draft.citation_at(offset)
    if found is not None:
        return found
    sentence = snapshot.draft.sentence_at(offset)
    inside = snapshot.draft.citations_in(sentence) if sentence is not None else []
    return inside[0] if inside else None
