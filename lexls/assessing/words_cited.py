"""Compare the words that a citation is given for with those at its pinpoint."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lexls.assessing.decisions import is_enacted
from lexls.assessing.excerpt import Excerpt, excerpt_at, list_referring
from lexls.assessing.fact import Fact
from lexls.assessing.pinpoints import CHECKED_KINDS, find_label, name_cited
from lexls.assessing.quotations import (
    assess_quotation,
    describe_misplaced,
    find_attributions,
    find_block_attributions,
    is_at_pinpoint,
)
from lexls.citations.model import Pinpoint
from lexls.index.records import Authority
from lexls.quotations.attribution import Attribution
from lexls.quotations.authority_texts import prepare_text
from lexls.quotations.compare import find_places
from lexls.reading.cited_part import find_cited_part
from lexls.reading.quotations import Quotation
from lexls.reading.resolve import Resolution
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span
from lexls.wording.place_words import write_pinpoint

_RUN = 10
"""Words of a proposition side by side in an authority that are the authority's own, and no turn of phrase."""
_SHARE = 0.5
"""The share of a proposition's words that such a run must be."""


def compare_words_cited(
    excerpt: Excerpt, mention: Sequence[Resolution], authority: Authority, places: Sequence[Fact]
) -> Iterator[Fact]:
    """Compare the words that a mention is cited for with its places; ``places`` are the facts about these."""
    agreeing = any(each.status == "agrees" for each in places)
    moved = _find_misplaced(excerpt, mention, authority) if agreeing else None
    for fact in places:
        if moved is not None and fact.status == "agrees" and fact.element == "pinpoint":
            recorded, reason, place = moved
            yield replace(
                fact, status="differs", recorded=recorded, reason=reason, fault="words-elsewhere", place=place
            )
        else:
            yield fact


def _find_misplaced(
    excerpt: Excerpt, mention: Sequence[Resolution], authority: Authority
) -> tuple[str, str, Span] | None:
    """Where the words stand that a mention is cited for, if not at its pinpoint: label, reason, place."""
    pinned = [each for each in mention if each.citation.pinpoint is not None]
    if not pinned or all(
        each.citation.pinpoint.kind not in CHECKED_KINDS for each in pinned if each.citation.pinpoint
    ):
        return None
    for quotation, attributed in _find_quotations(excerpt, mention):
        found = assess_quotation(excerpt.snapshot, quotation, attributed).misplaced
        if found is not None and any(each.citation.pinpoint is found.pinpoint for each in pinned):
            return found.labels[0], describe_misplaced(found), found.places[0]
    return _find_misplaced_proposition(excerpt.snapshot, pinned[0], authority)


def _is_compared(pinpoint: Pinpoint | None) -> bool:
    return pinpoint is not None and pinpoint.kind in CHECKED_KINDS


def _find_quotations(
    excerpt: Excerpt, mention: Sequence[Resolution]
) -> Iterator[tuple[Quotation, Attribution]]:
    """The quotations that are attributed to a mention: of its paragraph, of one whose mark refers to it, and
    of the blocks set off beside it."""
    snapshot = excerpt.snapshot
    cores = {each.citation.core for each in mention}
    referring = list_referring(snapshot, excerpt.paragraph.start)
    around = [excerpt, *(excerpt_at(snapshot, each) for each in referring)]
    blocks = find_block_attributions(snapshot, [each.paragraph for each in around])
    for source in (*map(find_attributions, around), blocks):
        for quotation, attributed in source:
            if attributed is not None and any(each.citation.core in cores for each in attributed.cited):
                yield quotation, attributed


def _find_misplaced_proposition(
    snapshot: Snapshot, resolution: Resolution, authority: Authority
) -> tuple[str, str, Span] | None:
    """Where an authority has the very words of a sentence that cites it for them, if not at the pinpoint."""
    pinpoint = resolution.citation.pinpoint
    if pinpoint is None or not resolution.is_comparable or is_enacted(authority):
        return None
    part = find_cited_part(snapshot.draft, resolution.citation)
    if part is None or part.against:
        return None
    found = _find_run(snapshot, authority, part.text)
    if not found or is_at_pinpoint(snapshot, resolution, authority, found):
        return None
    label = find_label(snapshot, authority, pinpoint.kind, found[0].start)
    if not label or label in pinpoint.labels:
        return None
    right = write_pinpoint(pinpoint.kind, label, authority.jurisdiction)
    given = ", ".join(write_pinpoint(pinpoint.kind, each, authority.jurisdiction) for each in pinpoint.labels)
    return label, f"these words are at {right} of {name_cited(authority)}, not at {given}", found[0]


_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
_STAR_PAGE = re.compile(r"\*\d+")
_NEAR = 400
"""Code points around a word in which the words beside it stand."""
_MOST_OCCURRENCES = 20


def _find_run(snapshot: Snapshot, authority: Authority, proposition: str) -> list[Span]:
    """Where an authority has a long run of a proposition's words: half of them, and ten at least; or [].

    Any such run holds a whole block of half its length. Most blocks are not in the text, as the longest
    of their words shows; only then are the words of the text cut.
    """
    words = [match.span() for match in _WORD.finditer(proposition)]
    length = max(_RUN, int(_SHARE * len(words)))
    if len(words) < length:
        return []
    source = snapshot.library.contents.text(authority.id)
    half = length // 2
    starts = range(0, len(words) - half + 1, half)
    written = [proposition[start:end] for start, end in words]
    if not any(_has_words(source, written[at : at + half]) for at in starts):
        return []
    text = prepare_text(snapshot.quoted, snapshot.library, authority)
    for first in range(len(words) - length + 1):
        found = find_places(text, proposition[words[first][0] : words[first + length - 1][1]])
        if found:
            return found
    return []


def _has_words(source: str, words: Sequence[str]) -> bool:
    """Whether a text has some words side by side, but for marks of its format and star pages."""
    longest, wanted = max(words, key=len), f" {' '.join(words)} "
    at = source.find(longest)
    for _ in range(_MOST_OCCURRENCES):
        if at < 0:
            return False
        around = _STAR_PAGE.sub(" ", source[max(0, at - _NEAR) : at + _NEAR])
        if wanted in f" {' '.join(_WORD.findall(around))} ":
            return True
        at = source.find(longest, at + 1)
    return False
