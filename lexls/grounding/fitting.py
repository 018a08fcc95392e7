"""Fit the evidence of a request into what a model reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexls.grounding.evidence import Evidence
from lexls.grounding.request import Request

ROOM = 24_000
"""Characters of evidence sent to a model whose context is not known: some 6,000 tokens, which with the rules
and the answer fit a context of 8,192."""
LEAST_CHARS = 200
"""A passage is not cut to less than this: so little says nothing."""


def fit_request(request: Request) -> Request:
    """The request with no more evidence than a model reads."""
    return replace(request, evidence=fit_evidence(request.evidence, ROOM))


def fit_evidence(evidence: Sequence[Evidence], room: int) -> tuple[Evidence, ...]:
    """The first of ``evidence`` that fit into ``room`` characters, the last of them cut around its core.

    Identifiers stay. What does not fit is left out from the end, since the best passage comes first.
    """
    kept: list[Evidence] = []
    for each in evidence:
        if room < min(LEAST_CHARS, len(each.text)):
            break
        kept.append(shorten_evidence(each, room))
        room -= len(kept[-1].text)
    return tuple(kept)


def shorten_evidence(evidence: Evidence, chars: int) -> Evidence:
    """At most ``chars`` characters of it around its core, cut between words where there are some."""
    if len(evidence.text) <= chars:
        return evidence
    core_start = min(max(evidence.core[0], evidence.start), evidence.end)
    core_end = min(max(evidence.core[1], core_start), evidence.end)
    spare = chars - (core_end - core_start)
    # As much before the core as after it; a core that is too long keeps its beginning.
    start = core_start - max(0, spare) // 2
    start = max(evidence.start, min(start, evidence.end - chars))
    end = min(evidence.end, start + chars)
    first, last = _between_words(evidence.text, start - evidence.start, end - evidence.start)
    start, end = evidence.start + first, evidence.start + last
    here = evidence.segment_at(start)
    segments = (replace(here, start=start), *(s for s in evidence.segments if start < s.start < end))
    core = (min(max(core_start, start), end), min(max(core_end, start), end))
    return replace(
        evidence, start=start, end=end, text=evidence.text[first:last], segments=segments, core=core
    )


def _between_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The range without the words that it cuts in two, and without white space at its edges."""
    first, last = start, end
    if first and not text[first - 1].isspace():
        first = next((at for at in range(first, last) if text[at].isspace()), last)
    if last < len(text) and not text[last].isspace():
        last = next((at for at in range(last, first, -1) if text[at - 1].isspace()), first)
    inside = text[first:last]
    first, last = last - len(inside.lstrip()), first + len(inside.rstrip())
    return (first, last) if first < last else (start, end)  # a word without an end is cut all the same
