"""Explain: why the authority cited at the cursor supports its sentence, in the authority's own words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lexls.citations.model import Citation
from lexls.features.draft import Draft
from lexls.features.propositions import bare, shown
from lexls.features.resolve import authority_of, places_of, resolve
from lexls.features.snapshot import Snapshot
from lexls.features.wording import not_in_library
from lexls.grounding.extractive import Encode, Source, explain
from lexls.grounding.place_words import pinpoint_words
from lexls.grounding.statements import Explanation
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_FEWEST_WORDS = 4
"""A sentence with fewer words beside its citations is a citation sentence."""


@dataclass(frozen=True, slots=True)
class CitationExplanation:
    """An explanation of the citation at ``span`` of the draft; or, in ``reason``, why there is none."""

    span: Span
    explanation: Explanation | None
    reason: str = ""


def explain_at(
    snapshot: Snapshot, offset: int, token: CancelToken, encode: Encode | None = None
) -> CitationExplanation | None:
    """Explain the citation at ``offset``, else the first one of its sentence; None where there is none.

    ``encode`` makes vectors of texts; without it words alone decide.
    """
    citation = citation_near(snapshot, offset)
    if citation is None:
        return None
    draft, library = snapshot.draft, snapshot.library
    resolution = resolve(library, draft, citation)
    authority = authority_of(library, resolution)
    if authority is None:
        absent = f"{as_cited(draft, citation)} {not_in_library(library.complete)}"
        return CitationExplanation(citation.span, None, absent)
    token.raise_if_cancelled()
    pinpoint = citation.pinpoint
    source = Source(
        authority=authority,
        text=library.text(authority.id),
        passages=library.passages(authority.id),
        pinpoint=", ".join(pinpoint_words(pinpoint.kind, label) for label in pinpoint.labels)
        if pinpoint
        else "",
        places=places_of(library, resolution, or_enclosing=True),
    )
    sentence = supported_sentence(snapshot, citation)
    words = bare(draft, sentence) if sentence is not None else ""
    found = explain(words, source, snapshot.tokens, token, encode)
    return CitationExplanation(citation.span, replace(found, proposition=proposition_of(snapshot, citation)))


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
    if paragraph is not None:
        for before in reversed(
            [each for each in draft.sentences_of(paragraph) if each.end <= sentence.start]
        ):
            if len(bare(draft, before).split()) >= _FEWEST_WORDS:
                return before
    return sentence


def citation_near(snapshot: Snapshot, offset: int) -> Citation | None:
    """The citation at ``offset``, else the first one of its sentence; None where there is none."""
    found = snapshot.draft.citation_at(offset)
    if found is not None:
        return found
    sentence = snapshot.draft.sentence_at(offset)
    inside = snapshot.draft.citations_in(sentence) if sentence is not None else []
    return inside[0] if inside else None
