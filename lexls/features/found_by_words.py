"""Find the passage on which a citing sentence rests if the library's copy does not mark the pinpoint."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import exp, log

from lexls.assessing.pinpoints import has_pages_cited
from lexls.citations.model import Citation
from lexls.features.cited_for import find_proposition
from lexls.index.records import Authority, PassageRecord
from lexls.quotations.authority_texts import compare_with
from lexls.reading.quotations import Quotation, find_quotations
from lexls.reading.resolve import Resolution, find_authority
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.relevance import find_best_sentence, find_terms
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_FEWEST_WORDS = 4
"""Minimum number of words in a quotation; shorter ones occur in many places."""
_LOOKED_AT = 8
"""Number of the authority's passages compared with the sentence."""
_FEWEST_TERMS, _FEWEST_SHARED, _SHARE = 6, 3, 1 / 3
"""Minimum number of content terms in a sentence, and minimum number and share of them in a matching
passage.
"""
_PAGE = 2200
"""Approximate number of code points of a judgment per page of a report. At twelve pinpoints of a brief it was
mostly 1,900 to 2,500, but 860 where the report's first pages contain headnotes, which copies lack.
"""
_NUMBER, _LAST_NUMBER = re.compile(r"\d+"), re.compile(r"\d+$")


@dataclass(frozen=True, slots=True)
class FoundByWords:
    """The matching sentence or quotation in an authority's text, and its passage."""

    span: Span
    passage: PassageRecord


def find_by_words(snapshot: Snapshot, resolution: Resolution, token: CancelToken) -> FoundByWords | None:
    """Return the passage on which a citing sentence rests, if the case's copy does not mark the cited page or
    paragraph.

    It is the passage with the sentence's quotation, or else the closest match in words. Use it for pinpoints
    for which ``find_places`` finds nothing. Returns None if the copy marks such places, or if no passage is
    close enough.
    """
    citation, authority = resolution.citation, find_authority(snapshot.library, resolution)
    if authority is None or authority.kind != "case" or citation.pinpoint is None:
        return None
    kind = citation.pinpoint.kind
    labels = snapshot.library.contents.list_labels(authority.id, kind) if kind != "note" else ()
    if labels and not (kind == "page" and not has_pages_cited(snapshot, resolution, labels)):
        return None
    token.raise_if_cancelled()
    span = _find_quotation(snapshot, citation, authority) or _find_sentence(
        snapshot, citation, authority, token
    )
    if span is None:
        return None
    passage = snapshot.library.contents.find_passage(authority.id, span.start)
    return FoundByWords(span, passage) if passage is not None else None


def _find_quotation(snapshot: Snapshot, citation: Citation, authority: Authority) -> Span | None:
    """Return the span of the last quotation before the citation, in its sentence or the one before,
    or None.
    """
    draft = snapshot.draft
    paragraph = draft.paragraph_at(citation.span.start)
    if paragraph is None:
        return None
    sentences = [each for each in draft.sentences_of(paragraph) if each.start < citation.span.end][-2:]

    def near(quotation: Quotation) -> bool:
        return any(quotation.outer.overlaps(each) for each in sentences) and quotation.words >= _FEWEST_WORDS

    for quotation in reversed([each for each in find_quotations(draft, paragraph) if near(each)]):
        compared = compare_with(snapshot.quoted, snapshot.library, authority, quotation.text)
        if compared.verdict != "absent" and compared.place is not None:
            return compared.place
    return None


def _find_sentence(
    snapshot: Snapshot, citation: Citation, authority: Authority, token: CancelToken
) -> Span | None:
    """Return the authority's sentence closest to the cited proposition, preferring those near the expected
    page, or None.
    """
    proposition = find_proposition(snapshot, citation)
    terms = find_terms(proposition, snapshot.tokens)
    if len(terms) < _FEWEST_TERMS:
        return None
    expected = _expect_offset(citation)
    best: tuple[float, Span] | None = None
    for hit in snapshot.find_passages_on(proposition, _LOOKED_AT, token, within=authority.id):
        shared = len(terms.keys() & set(snapshot.tokens(hit.passage.text)))
        if shared < max(_FEWEST_SHARED, _SHARE * len(terms)):
            continue
        sentence = find_best_sentence(terms, authority, hit.passage.text, snapshot.tokens)
        sentence = sentence.shift(hit.passage.start)
        score = hit.score
        if expected:  # less the further away it is, by the ratio of the offsets
            score *= exp(-abs(log((sentence.start + _PAGE) / (expected + _PAGE))) / 2)
        if best is None or score > best[0]:
            best = score, sentence
    return best[1] if best is not None else None


def _expect_offset(citation: Citation) -> int:
    """Return the approximate offset of the cited page in its authority's text, or 0 if unknown."""
    place = citation.pinpoint
    if place is None or place.kind != "page":
        return 0
    first, page = _LAST_NUMBER.search(citation.key), _NUMBER.match(place.labels[0])
    if first is None or page is None:
        return 0
    return max(0, int(page[0]) - int(first[0])) * _PAGE
