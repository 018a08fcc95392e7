"""Select the sentences of the evidence that are relevant to a question; no model is involved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from lexls.grounding.answer import Request
from lexls.grounding.evidence import Evidence
from lexls.grounding.sought import (
    Sought,
    are_contracts_asked,
    find_headings,
    find_sought,
    name_clauses,
)
from lexls.retrieval.named_documents import CONTRACTS
from lexls.retrieval.relevance import Tokens, Weights, score_by_bm25, weigh
from lexls.text.cancel import CancelToken
from lexls.text.sentences import find_paragraphs
from lexls.text.spans import Span
from lexls.wording.prose import blank_markup, find_statements, remove_label, remove_strays

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Encodes texts as unit vectors, one per row."""

_READ = 30_000
"""Maximum number of characters of the best-matching paragraphs to split into sentences, which takes 5 ms. The
paragraphs of the pinpoint are split in addition.
"""
ENCODED, ENCODED_FOR_ANSWER = 8, 24
_ENCODED_LENGTH = 300
"""Maximum number of characters encoded per sentence. ``ENCODED_FOR_ANSWER`` is the maximum number of
sentences encoded to answer a question, and ``ENCODED`` that for all other tasks. Encoding twelve whole
sentences takes 50 ms longer and finds no more of the cited ones.
"""
_PASSAGE = 800
"""Length of a typical passage in characters, the unit for distances from the pinpoint."""
_SAME = 0.85
"""Minimum share of the shorter sentence's words that both sentences have, if they say the same."""


_COVERAGE = 0.2
"""Minimum share of a proposition's weighted words in a relevant sentence.

It must also have two of the words (one if the proposition has only one). A cosine of ``_SIMILARITY`` or more
is enough on its own.

Measured on 120 propositions of American judgments, without pinpoints and by words alone: the cited authority
had a relevant sentence for 53 propositions, a random authority for 3. With 0.16 for this and ``ENOUGH`` it
was 87 and 15, with 0.34 it was 33 and 0.
"""
ENOUGH = 0.24
"""Minimum share that one sentence needs if nothing at the pinpoint is relevant."""
_PINPOINT_COVERAGE = 0.2
"""Minimum share of words, weighted or not, in a sentence at the pinpoint. The drafter's citation already
shows that it is relevant.
"""
_SIMILARITY = 0.55
_LENGTHS = range(25, 1201)
"""Range of lengths in characters of the sentences considered, except in contracts."""
_LENGTHS_OF_CLAUSES = range(25, 2501)
"""Range of lengths in characters of the sentences considered in contracts."""
_TITLED = r"(?:[A-Z][\w’'/-]*|of|and|the|or|to|in|on|for|by|with|[&/-])"
_HEADING = re.compile(
    r"\W{0,3}(?:(?:\d{1,3}(?:\.\d{1,3}){0,3}|[A-Z]|[IVXivx]{1,5})[.)]?\W{1,3}){0,2}"
    rf"{_TITLED}(?:[\s,]+{_TITLED}){{0,8}}[.:]?\W{{0,3}}"
)
"""Match a contract's line that is only a heading."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of the evidence, with ``text`` at ``span`` (code points) of the authority's text.

    ``coverage`` is its share of the question's weighted words and ``similarity`` the cosine with the question
    (None if not computed). ``clause`` is true if it is recognised as the clause asked for. ``says`` is true
    if it states what is asked for, such as a time or an amount. ``score`` ranks the candidates of one
    request.
    """

    evidence: Evidence
    span: Span
    text: str
    terms: Counter[str]
    at_pinpoint: bool
    coverage: float = 0.0
    similarity: float | None = None
    clause: bool = False
    says: bool = False
    score: float = 0.0


def find_candidates(
    request: Request, asked: Sequence[str], tokens: Tokens, token: CancelToken
) -> tuple[list[Candidate], Weights]:
    """Return the sentences of the evidence with their keyword scores, and the term weights.

    ``asked`` are the question's terms. A sentence's score is its BM25 score over the sentences read, relative
    to the best one, plus a bonus that falls with the distance from the pinpoint.
    """
    cut = list(_sentences(request, asked, tokens, token))
    sought = find_sought(request.question, measured=False) if request.task == "ask" else None
    if sought is not None and asks_for_clause(request):
        # The words of a question for a clause type ("the term") also occur in the clause itself.
        cut = [replace(each, says=sought.says.search(each.text) is not None) for each in cut]
    elif sought is not None:
        asking = sought.find_asking(tokens).intersection(asked)
        subject = frozenset(asked) - asking
        cut = [_answer_sought(each, sought, asking, subject) for each in cut] if subject else cut
    weights = weigh(asked, [each.terms for each in cut])
    scores = score_by_bm25(weights, [each.terms for each in cut])
    best = max(scores, default=0.0) or 1.0
    return [
        replace(each, coverage=weights.coverage(each.terms), score=score / best + _nearness(each, request))
        for each, score in zip(cut, scores, strict=True)
    ], weights


def asks_for_clause(request: Request) -> bool:
    """Return whether the evidence is contracts and the question asks for a known clause type."""
    return are_contracts_asked(each.authority for each in request.evidence) and bool(
        name_clauses(request.subject)
    )


def _answer_sought(
    candidate: Candidate, sought: Sought, asking: frozenset[str], subject: frozenset[str]
) -> Candidate:
    """Add the words that only ask ("how long") to the candidate's terms if it states what is asked about
    ``subject``; otherwise remove them.
    """
    terms = Counter({term: count for term, count in candidate.terms.items() if term not in asking})
    says = not subject.isdisjoint(terms) and sought.says.search(candidate.text) is not None
    if says:
        terms.update(asking)
    return replace(candidate, terms=terms, says=says)


def add_similarity(
    question: str, found: Sequence[Candidate], encode: Encode, most: int = ENCODED
) -> list[Candidate]:
    """Return the candidates with the cosine added to the scores of the ``most`` best ones."""
    ranked = sorted(found, key=lambda each: -each.score)
    looked = ranked[:most]
    if not looked:
        return ranked
    vectors = encode([question, *(" ".join(each.text.split())[:_ENCODED_LENGTH] for each in looked)])
    cosines = vectors[1:] @ vectors[0]
    return [
        replace(each, similarity=float(cosine), score=each.score + max(0.0, float(cosine)))
        for each, cosine in zip(looked, cosines, strict=True)
    ] + ranked[most:]


def is_relevant(candidate: Candidate, weights: Weights) -> bool:
    """Return whether a sentence is relevant to the question."""
    if candidate.similarity is not None and candidate.similarity >= _SIMILARITY:
        return True
    if candidate.clause:
        return True
    shared = sum(1 for term in weights.terms if term in candidate.terms)
    if candidate.at_pinpoint:
        return max(candidate.coverage, shared / len(weights.terms)) >= _PINPOINT_COVERAGE
    return shared >= min(2, len(weights.terms)) and candidate.coverage >= _COVERAGE


def is_convincing(candidate: Candidate) -> bool:
    """Return whether a relevant sentence is enough for an answer."""
    similarity = candidate.similarity if candidate.similarity is not None else 0.0
    by_meaning = similarity >= _SIMILARITY or candidate.clause
    return by_meaning or candidate.at_pinpoint or candidate.coverage >= ENOUGH


def choose_best(bearing: Sequence[Candidate], weights: Weights, most: int) -> Iterator[Candidate]:
    """Yield the best candidates, best first, each scored by what it adds to those already chosen.

    Clauses of different contracts never repeat each other.
    """
    rest = sorted(bearing, key=lambda each: -each.score)
    floor = rest[0].score * 0.45 if rest else 0.0
    taken: list[Candidate] = []
    while rest and len(taken) < most:
        values = [each.score * _value(each, taken, weights) for each in rest]
        place = max(range(len(rest)), key=values.__getitem__)
        if len(taken) >= 2 and values[place] < floor:
            return
        best = rest.pop(place)
        if not any(_same(best, each) for each in taken if _speak_alike(best, each)):
            taken.append(best)
            yield best


def _sentences(
    request: Request, asked: Sequence[str], tokens: Tokens, token: CancelToken
) -> Iterator[Candidate]:
    seen: set[tuple[int, Span]] = set()
    for evidence, pieces in groupby(_to_read(request, asked, tokens), key=itemgetter(0)):
        headed = find_headings(evidence.authority, evidence.text)
        is_contract = evidence.authority.kind in CONTRACTS
        lengths = _LENGTHS_OF_CLAUSES if is_contract else _LENGTHS
        found: list[Span] = []
        for _, piece, text in pieces:
            token.raise_if_cancelled()
            for local in find_statements(text):
                found.append(remove_strays(text, local).shift(piece.start))
        for local in join_enumerations(found, evidence.text):
            span, words = local.shift(evidence.start), local.of(evidence.text)
            key = (evidence.authority.id, span)
            if key in seen or len(words) not in lengths or (is_contract and _HEADING.fullmatch(words)):
                continue
            seen.add(key)
            heading = next((each for each, clause in headed if clause.start < local.end <= clause.end), "")
            if heading and remove_label(words).rstrip(" .:") == heading:
                continue
            terms = Counter(tokens(words))
            # A clause headed "Term" is about the term, even if its sentences do not use the word.
            terms.update(set(tokens(heading)) - terms.keys())
            pinned = evidence.reaches_pinpoint(span.start, span.end)
            yield Candidate(evidence, span, words, terms, pinned)


def _to_read(request: Request, asked: Sequence[str], tokens: Tokens) -> list[tuple[Evidence, Span, str]]:
    """Return the paragraphs to split into sentences: (evidence, span of its text, prose).

    These are the pinpoint's paragraphs and as many of those that best match the question as the limit allows,
    in the order of the evidence.
    """
    pieces: list[tuple[Evidence, Span, str]] = []
    for evidence in request.evidence:
        text = blank_markup(evidence.authority, evidence.text)
        pieces += [(evidence, span, span.of(text)) for span in find_paragraphs(text)]
    if sum(len(text) for _, _, text in pieces) <= _READ or asks_for_clause(request):
        return pieces
    counts = [Counter(tokens(text)) for _, _, text in pieces]
    scores = score_by_bm25(weigh(asked, counts), counts)
    wanted: set[int] = set()
    room = _READ
    for number in sorted(range(len(pieces)), key=lambda each: -scores[each]):
        evidence, span, text = pieces[number]
        whole = span.shift(evidence.start)
        pinned = evidence.reaches_pinpoint(whole.start, whole.end)
        if pinned or (room > 0 and scores[number] > 0):
            wanted.add(number)
            room -= 0 if pinned else len(text)
    return [pieces[number] for number in sorted(wanted)]


def _nearness(candidate: Candidate, request: Request) -> float:
    """Return the score bonus for a sentence's distance from the pinpoint."""
    if candidate.at_pinpoint:
        return 0.3
    distances = [
        abs(candidate.span.start - segment.start) // _PASSAGE
        for evidence in request.evidence
        if evidence.authority.id == candidate.evidence.authority.id
        for segment in evidence.segments
        if segment.at_pinpoint
    ]
    return 0.15 / (1 + min(distances)) if distances else 0.0


def _value(candidate: Candidate, taken: Sequence[Candidate], weights: Weights) -> float:
    """Return the factor, from 0.6 to 1, by which a candidate's score is multiplied. It is lower the more of
    the candidate's words are in those already ``taken``.
    """
    before = [each for each in taken if _speak_alike(candidate, each)]
    if not before:
        return 1.0
    said = {term for each in before for term in each.terms}
    return 0.6 + 0.4 * weights.coverage(candidate.terms.keys() - said)


def _speak_alike(one: Candidate, other: Candidate) -> bool:
    """Return whether one candidate may repeat the other. Clauses of two different contracts never do."""
    first, second = one.evidence.authority, other.evidence.authority
    return first.id == second.id or not {first.kind, second.kind} <= CONTRACTS


def _same(one: Candidate, other: Candidate) -> bool:
    """Return whether two sentences have nearly the same words, such as a passage quoted twice."""
    first, second = ({term for term in each.terms if not term.isdigit()} for each in (one, other))
    return len(first & second) >= _SAME * min(len(first), len(second))


LONGEST = 900
"""Maximum length in characters of an enumeration treated as one statement; longer ones are split into
items.
"""
_OPENS = re.compile(r"[—–:]\s*$|,\s*-\s*$")
_ITEM = re.compile(r"^\W{0,2}\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s")
_NEXT = re.compile(r"\s{0,9}\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s[^\n]{1,200}")
_ENDS = re.compile(r"\.[\"”’)\]]{0,3}\s*$")
_MOST_SHORT = 6
"""Maximum number of items that may follow the last statement of a list. They are too short to be statements
themselves.
"""
_GAP = 400
"""Maximum number of characters between two items; an item too short to be a statement may be between them."""


def join_enumerations(statements: Sequence[Span], text: str) -> list[Span]:
    """Return ``statements`` of ``text``, in order, with short lists joined to their introductions.

    A list extends from a statement that ends with a dash or a colon to the item that ends with a full stop,
    or else to the last consecutive item.
    """
    joined: list[Span] = []
    place = 0
    while place < len(statements):
        last = _last_item(statements, text, place)
        whole = Span(statements[place].start, _end(statements[last].end, text))
        short = last > place and len(whole) <= LONGEST
        joined.append(whole if short else statements[place])
        place = last + 1 if short else place + 1
    return joined


def _end(end: int, text: str) -> int:
    """Return the end of the list whose last statement ends at ``end``. Items too short to be statements may
    follow it.
    """
    for _ in range(_MOST_SHORT):
        following = _NEXT.match(text, end)
        if following is None or _ENDS.search(text, max(0, end - 6), end) is not None:
            break
        end = following.end()
    return end


def _last_item(statements: Sequence[Span], text: str, opening: int) -> int:
    """Return the last item of the list opened by statement ``opening``, or ``opening`` itself if it opens
    none.
    """
    last = opening
    if _OPENS.search(statements[opening].of(text)[-4:]) is None:
        return last
    for number in range(opening + 1, len(statements)):
        here = statements[number]
        if here.start - statements[number - 1].end > _GAP or _ITEM.match(here.of(text)) is None:
            break
        last = number
        if _ENDS.search(here.of(text)[-6:]) is not None:
            break
    return last
