"""Explanations made of an authority's own sentences; no model writes a word of them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lexls.grounding.reading import prose, statements_in
from lexls.grounding.relevance import Tokens, Weights, bm25, content_terms, weigh
from lexls.grounding.statements import Explanation, Statement, verified
from lexls.index.records import Authority, PassageRecord, Place
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to unit vectors, a row each."""

_FIRST_LOOK = 12
"""Passages read sentence by sentence besides those of the pinpoint."""
_ENCODED = 12
"""Sentences that get a vector: a dozen takes a few tenths of a second with a small encoder."""


@dataclass(frozen=True, slots=True)
class Standards:
    """When a sentence counts as bearing on a proposition.

    A sentence bears when it has at least ``coverage`` of the proposition's weighted words and two of them
    (one for a proposition of one word), or when their cosine is ``similarity`` or more. The pinpoint's own
    sentences need only ``pinpoint_coverage`` of the words, weighted or not, since the drafter has already
    said that they bear. Where nothing at the pinpoint bears, one sentence must reach ``enough``.

    Measured on 120 propositions of American judgments, without pinpoints and by words alone: the authority
    that was cited answered 53, another one taken at random 3. With 0.16 for both shares it was 87 and 15,
    with 0.34 it was 33 and 0.
    """

    coverage: float = 0.2
    enough: float = 0.24
    pinpoint_coverage: float = 0.2
    similarity: float = 0.55
    most: int = 5
    shortest: int = 25
    longest: int = 1200


@dataclass(frozen=True, slots=True)
class Source:
    """An authority to be read: its whole text, its passages, and where the citation points.

    ``pinpoint`` is how the citation writes its pinpoint ("[23]", "s 12(2)"; "" if it has none) and
    ``places`` what the authority has there (empty if it has no such place).
    """

    authority: Authority
    text: str
    passages: Sequence[PassageRecord]
    pinpoint: str = ""
    places: Sequence[Place] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    statement: Statement
    terms: Counter[str]
    score: float


def explain(
    proposition: str,
    source: Source,
    tokens: Tokens,
    token: CancelToken,
    encode: Encode | None = None,
    standards: Standards | None = None,
) -> Explanation:
    """Select the sentences of an authority that bear on ``proposition``, two to five where there are so many.

    The score of a sentence is its BM25 score over the sentences read (as a share of the best one), with
    the cosine of the vectors added where ``encode`` is given, and a bonus that falls with the distance
    from the pinpoint. Sentences that repeat what a better one says are passed over. ``proposition`` is the
    drafter's sentence without its citations. Raises ``Cancelled`` when ``token`` says so.
    """
    standards = standards or Standards()
    asked = content_terms(proposition, tokens)
    if not asked or not source.passages:
        return _nothing(proposition, source, asked)
    read = _passages_to_read(asked, source, tokens)
    token.raise_if_cancelled()
    cut = _sentences_of(read, source, standards, token)
    if not cut:
        return _nothing(proposition, source, asked)
    counts = [Counter(tokens(statement.text)) for statement in cut]
    weights = weigh(asked, counts)
    token.raise_if_cancelled()
    candidates = _scored(cut, counts, weights, source)
    if encode is not None:
        candidates = _with_vectors(proposition, candidates, encode)
        token.raise_if_cancelled()
    bearing = [each for each in candidates if _bears(each, weights, standards)]
    if not any(_convinces(each, standards) for each in bearing):
        return _nothing(proposition, source, asked)
    chosen = _chosen(bearing, weights, standards)
    statements = verified((each.statement for each in chosen), source.text)
    if not statements:
        return _nothing(proposition, source, asked)
    return _explanation(proposition, source, statements, asked, tokens)


def _passages_to_read(asked: dict[str, str], source: Source, tokens: Tokens) -> list[PassageRecord]:
    """The passages of the pinpoint and those that have most of the proposition's words, in text order."""
    counts = [Counter(tokens(passage.text)) for passage in source.passages]
    scores = bm25(weigh(asked, counts), counts)
    ranked = sorted(range(len(scores)), key=lambda number: -scores[number])
    wanted = {number for number in ranked[:_FIRST_LOOK] if scores[number] > 0}
    for number, passage in enumerate(source.passages):
        if any(passage.start < place.end and place.start < passage.end for place in source.places):
            wanted.add(number)
    return [source.passages[number] for number in sorted(wanted)]


def _sentences_of(
    read: Sequence[PassageRecord], source: Source, standards: Standards, token: CancelToken
) -> list[Statement]:
    found: list[Statement] = []
    seen: set[Span] = set()
    for passage in read:
        token.raise_if_cancelled()
        for local in statements_in(prose(source.authority, passage.text)):
            span = local.shift(passage.start)
            text = local.of(passage.text)
            if span in seen or not standards.shortest <= len(text) <= standards.longest:
                continue
            seen.add(span)
            place = _place_of(span, source.places)
            found.append(
                Statement(
                    text=text,
                    document=source.authority.id,
                    start=span.start,
                    end=span.end,
                    label=passage.paragraph or (place.label if place else ""),
                    page=passage.page,
                    at_pinpoint=place is not None,
                    coverage=0.0,
                    similarity=None,
                )
            )
    return found


def _place_of(span: Span, places: Sequence[Place]) -> Place | None:
    for place in places:
        if place.start < span.end and span.start < place.end:
            return place
    return None


def _scored(
    cut: Sequence[Statement], counts: Sequence[Counter[str]], weights: Weights, source: Source
) -> list[_Candidate]:
    scores = bm25(weights, counts)
    best = max(scores) or 1.0
    order = [passage.start for passage in source.passages]
    pins = [bisect_right(order, place.start) for place in source.places]
    candidates = []
    for statement, terms, score in zip(cut, counts, scores, strict=True):
        near = 0.0
        if pins:
            here = bisect_right(order, statement.start)
            distance = min(abs(here - pin) for pin in pins)
            near = 0.3 if statement.at_pinpoint else 0.15 / (1 + distance)
        kept = replace(statement, coverage=round(weights.coverage(terms), 4))
        candidates.append(_Candidate(kept, terms, score / best + near))
    return candidates


def _with_vectors(proposition: str, candidates: Sequence[_Candidate], encode: Encode) -> list[_Candidate]:
    """The candidates with the cosine of the best ones added to their scores."""
    ranked = sorted(candidates, key=lambda each: -each.score)
    looked = ranked[:_ENCODED]
    vectors = encode([proposition, *(each.statement.text for each in looked)])
    cosines = vectors[1:] @ vectors[0]
    found = []
    for each, cosine in zip(looked, cosines, strict=True):
        similarity = round(float(cosine), 4)
        statement = replace(each.statement, similarity=similarity)
        found.append(_Candidate(statement, each.terms, each.score + max(0.0, similarity)))
    return found + ranked[_ENCODED:]


def _bears(candidate: _Candidate, weights: Weights, standards: Standards) -> bool:
    statement = candidate.statement
    if statement.similarity is not None and statement.similarity >= standards.similarity:
        return True
    shared = sum(1 for term in weights.terms if term in candidate.terms)
    if statement.at_pinpoint:
        return max(statement.coverage, shared / len(weights.terms)) >= standards.pinpoint_coverage
    return shared >= min(2, len(weights.terms)) and statement.coverage >= standards.coverage


def _convinces(candidate: _Candidate, standards: Standards) -> bool:
    """Whether a sentence that bears is enough for an explanation."""
    statement = candidate.statement
    likeness = statement.similarity if statement.similarity is not None else 0.0
    return statement.at_pinpoint or statement.coverage >= standards.enough or likeness >= standards.similarity


def _chosen(bearing: Sequence[_Candidate], weights: Weights, standards: Standards) -> list[_Candidate]:
    """The best candidates, each new one valued by what the others do not already say."""
    if not bearing:
        return []
    rest = sorted(bearing, key=lambda each: -each.score)
    floor = rest[0].score * 0.45
    chosen: list[_Candidate] = []
    while rest and len(chosen) < standards.most:
        said = {term for each in chosen for term in each.terms if term in weights.terms}
        values = [
            each.score * (1.0 if not chosen else 0.6 + 0.4 * _novelty(each, said, weights)) for each in rest
        ]
        place = max(range(len(rest)), key=values.__getitem__)
        if len(chosen) >= 2 and values[place] < floor:
            break
        best = rest.pop(place)
        if not any(_same(best, each) for each in chosen):
            chosen.append(best)
    chosen.sort(key=lambda each: (not each.statement.at_pinpoint, -each.score))
    return chosen


def _novelty(candidate: _Candidate, said: set[str], weights: Weights) -> float:
    new = {term for term in candidate.terms if term in weights.terms and term not in said}
    return weights.coverage(new)


def _same(one: _Candidate, other: _Candidate) -> bool:
    """Whether two sentences say the same in nearly the same words (a passage quoted twice)."""
    first, second = ({term for term in each.terms if not term.isdigit()} for each in (one, other))
    return len(first & second) >= 0.85 * min(len(first), len(second))


def _explanation(
    proposition: str,
    source: Source,
    statements: tuple[Statement, ...],
    asked: dict[str, str],
    tokens: Tokens,
) -> Explanation:
    said = {term for statement in statements for term in tokens(statement.text)}
    missing = tuple(word for term, word in asked.items() if term not in said)
    notes: list[str] = []
    pinpoint = _pinpoint_note(source, any(statement.at_pinpoint for statement in statements))
    if pinpoint:
        notes.append(pinpoint)
    if missing:
        notes.append("These passages do not mention " + _listed(missing) + ".")
    return Explanation(proposition, source.authority, statements, tuple(notes), missing)


def _nothing(proposition: str, source: Source, asked: dict[str, str]) -> Explanation:
    if not asked:
        note = "There is no sentence here to explain: the citation stands alone."
    else:
        note = f"No passage of {named(source.authority)} bears on this sentence."
    return Explanation(proposition, source.authority, (), (note,), tuple(asked.values()))


def _pinpoint_note(source: Source, bears: bool) -> str:
    if not source.pinpoint or bears:
        return ""
    if source.places:
        return f"Nothing at {source.pinpoint} bears on this sentence; these passages stand elsewhere."
    return f"The library's copy has no {source.pinpoint} that could be read; these passages stand elsewhere."


def _listed(words: Sequence[str], most: int = 8) -> str:
    shown = [f"“{word}”" for word in words[:most]]
    if len(words) > most:
        return ", ".join(shown) + f" and {len(words) - most} more of its words"
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1]


def named(authority: Authority) -> str:
    """The authority in words: its title with its preferred citation, as far as they are known."""
    if authority.citation and authority.citation not in authority.title:
        return f"{authority.title} {authority.citation}".strip()
    return authority.title or authority.relative
