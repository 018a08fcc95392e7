"""Gathering: what an answer may rest on, for a place in the draft or a question about the library."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from lexls.features.cited_for import cited_for_it, own_file
from lexls.features.contrary import (
    bad_treatments,
    contrary_passages,
    treatment_claims,
    treatment_hits,
)
from lexls.features.explain import as_cited, citation_near, supported_sentence
from lexls.features.find_support import proposition_at
from lexls.features.fitting import best_sentence
from lexls.features.follow_ups import matter, searched
from lexls.features.propositions import worded
from lexls.features.resolve import authority_of, places_of, resolve
from lexls.features.snapshot import Snapshot
from lexls.features.wording import not_in_library
from lexls.grounding.answer import Nearest
from lexls.grounding.answering import Gathered
from lexls.grounding.bearing_passages import bearing_passages
from lexls.grounding.context import ContextWidth, evidence_of_authority, gather_evidence
from lexls.grounding.evidence import Evidence
from lexls.grounding.place_words import named, pinpoint_words
from lexls.grounding.relevance import content_terms
from lexls.grounding.request import Request, Turn
from lexls.grounding.sufficiency import weakness
from lexls.index.records import Authority, Place
from lexls.retrieval.model import Filters, Hit
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Keywords = Callable[[str, CancelToken], Sequence[str]]
"""Words or phrases that say what a question is about."""
_MOST_NEAREST = 3
_OF_COURTS = re.compile(
    r"\b(?:cases?|courts?|judges?|judgments?|decisions?|authorit(?:y|ies)|held|interpreted|applied)\b",
    re.IGNORECASE,
)
_ALONE = "There is no sentence here to explain: the citation stands alone."
_DRAFTED = 2
"""Sentences that a drafted one may become at most."""


def gather_explanation(
    snapshot: Snapshot,
    offset: int,
    room: int,
    token: CancelToken,
    authority: int | None = None,
) -> Gathered | None:
    """What explains the citation at ``offset`` of the draft, else the first one of its sentence.

    With ``authority``, why that one would support the sentence there, whether it is cited or not. ``room`` is
    how many characters of evidence the generator takes. None where there is nothing to explain. Raises
    ``Cancelled``.
    """
    if authority is not None:
        found = snapshot.library.authority(authority)
        sentence = proposition_at(snapshot, Span(offset, offset))
        if found is None or sentence is None:
            return None
        return _explained(snapshot, worded(snapshot.draft, sentence), found, (), "", room, token)
    citation = citation_near(snapshot, offset)
    if citation is None:
        return None
    draft, library = snapshot.draft, snapshot.library
    sentence = supported_sentence(snapshot, citation)
    question = worded(draft, sentence, citation) if sentence is not None else ""
    resolution = resolve(library, draft, citation)
    cited = authority_of(library, resolution)
    if cited is None:
        absent = f"{as_cited(draft, citation)} {not_in_library(library.complete)}."
        nearest = _nearest_found(snapshot, question, token)
        return Gathered(Request("explain", question, ()), nearest, absent)
    pinpoint = citation.pinpoint
    words = ""
    if pinpoint is not None:
        labels = (pinpoint_words(pinpoint.kind, each, cited.jurisdiction) for each in pinpoint.labels)
        words = ", ".join(labels)
    places = places_of(library, resolution, or_enclosing=True)
    return _explained(snapshot, question, cited, places, words, room, token)


def gather_answer(
    snapshot: Snapshot,
    question: str,
    history: Sequence[Turn],
    room: int,
    token: CancelToken,
    excluded: Sequence[Path] = (),
    keywords: Keywords | None = None,
) -> Gathered:
    """What answers a question about the library, without what lies in ``excluded`` (files or folders).

    ``history`` are the turns before it, the oldest first: a follow-up is searched for with the questions
    that it needs. A document that the question names is looked into alone. ``keywords`` adds words by which
    the whole library is searched. Raises ``Cancelled``.
    """
    question = " ".join(question.split())
    own = _filters(snapshot)
    filters = replace(own, excluded=(*own.excluded, *excluded))
    asked = searched(question, history, snapshot.tokens)
    hits, sought = _asked(snapshot, asked, filters, token, keywords)
    evidence = _evidence(snapshot, hits, sought, room, token)
    request = Request(
        "ask",
        question,
        evidence,
        tuple(history),
        snapshot.settings.explain_sentences,
        sought=sought if sought != question else "",
    )
    return _judged(snapshot, request, hits)


def gather_draft(snapshot: Snapshot, span: Span, room: int, token: CancelToken) -> Gathered | None:
    """What a sentence in place of the proposition at ``span`` may say; None where there is no sentence.

    Raises ``Cancelled``.
    """
    target = proposition_at(snapshot, span)
    if target is None:
        return None
    question = worded(snapshot.draft, target)
    settings = snapshot.settings
    kinds, roles = frozenset(settings.support_kinds), frozenset(settings.support_roles)
    hits = bearing_passages(
        snapshot.searcher, question, settings.explain_passages, _filters(snapshot, kinds, roles), token
    )
    evidence = _evidence(snapshot, hits, question, room, token)
    request = Request("draft", question, evidence, sentences=min(_DRAFTED, settings.explain_sentences))
    return _judged(snapshot, request, hits)


def gather_contrary(snapshot: Snapshot, span: Span, room: int, token: CancelToken) -> Gathered | None:
    """What stands against the proposition at ``span``; None where there is no sentence.

    Where an authority that it cites was treated badly, the answer begins with that. Raises ``Cancelled``.
    """
    target = proposition_at(snapshot, span)
    if target is None:
        return None
    question = worded(snapshot.draft, target)
    settings = snapshot.settings
    treatments = bad_treatments(snapshot, target)
    most = settings.explain_passages
    against = contrary_passages(snapshot, question, most, _filters(snapshot), token)
    hits = [*treatment_hits(snapshot, treatments), *against]
    evidence = gather_evidence(
        snapshot.library, hits, _width(snapshot), room, most + len(treatments), token=token
    )
    request = Request("contrary", question, evidence, sentences=settings.explain_sentences)
    first = tuple(treatment_claims(treatments, evidence))
    judged = _judged(snapshot, request, against)
    return Gathered(request, judged.nearest, "" if first else judged.weak, first)


def _explained(
    snapshot: Snapshot,
    question: str,
    authority: Authority,
    places: Sequence[Place],
    pinpoint: str,
    room: int,
    token: CancelToken,
) -> Gathered:
    """What one authority says on a sentence."""
    token.raise_if_cancelled()
    width = _width(snapshot)
    known = cited_for_it(snapshot, question, token).get(authority.id) if width == "full" else None
    evidence = evidence_of_authority(
        snapshot.library,
        authority,
        question,
        snapshot.tokens,
        width,
        room,
        places=places,
        vector=_vector(snapshot, question),
        cited=known,
        token=token,
    )
    request = Request(
        "explain",
        question,
        evidence,
        sentences=snapshot.settings.explain_sentences,
        pinpoint=pinpoint,
        pinpoint_found=bool(places),
    )
    if not content_terms(question, snapshot.tokens):
        return Gathered(request, weak=_ALONE)
    if not evidence:
        return Gathered(request, weak=f"No passage of {named(authority)} bears on this sentence.")
    return _judged(snapshot, request, ())


def _asked(
    snapshot: Snapshot, question: str, filters: Filters, token: CancelToken, keywords: Keywords | None
) -> tuple[list[Hit], str]:
    """The passages for a question and the words that they must bear on.

    Where the question cites or names documents, those of them alone, and not the words that name them.
    """
    searcher, most = snapshot.searcher, snapshot.settings.explain_passages
    cited = _cited(snapshot, question)
    if cited:
        asked = searcher.query(question).text
        return searcher.search_passages(question, most, replace(filters, within=cited), token), matter(asked)
    asked_of = searcher.asked_of_named(question, filters, token)
    if asked_of is not None:
        return searcher.search_passages(question, most, filters, token), matter(asked_of)
    asked = matter(question)
    added = keywords(question, token) if keywords is not None else ()
    return bearing_passages(searcher, asked, most, filters, token, added), asked


def _cited(snapshot: Snapshot, question: str) -> frozenset[int]:
    """The authorities of the library that a question cites and that are to answer it.

    Who asks what courts make of a provision does not ask the provision.
    """
    grammar = snapshot.searcher.grammar
    found = grammar.find(question) if grammar is not None else ()
    kinds = ("case",) if _OF_COURTS.search(question) else ("case", "statute", "regulation", "treaty")
    return frozenset(
        document
        for citation in found
        if citation.kind in kinds and citation.key
        for document in snapshot.library.find_key(citation.key)
    )


def _evidence(
    snapshot: Snapshot, hits: Sequence[Hit], question: str, room: int, token: CancelToken
) -> tuple[Evidence, ...]:
    width = _width(snapshot)
    known = cited_for_it(snapshot, question, token) if width == "full" else None
    most = snapshot.settings.explain_passages
    return gather_evidence(snapshot.library, hits, width, room, most, cited=known, token=token)


def _judged(snapshot: Snapshot, request: Request, hits: Sequence[Hit]) -> Gathered:
    """The request with what is nearest to it, and why it is not worth asking, if it is not."""
    subject = request.subject
    weak = weakness(request, snapshot.tokens, snapshot.library, hits, _vector(snapshot, subject))
    return Gathered(request, _nearest(snapshot, subject, request.evidence), weak)


def _nearest(snapshot: Snapshot, question: str, evidence: Iterable[Evidence]) -> tuple[Nearest, ...]:
    """The authorities of the evidence, each with the sentence of its best piece that is nearest."""
    terms = content_terms(question, snapshot.tokens)
    found: dict[int, Nearest] = {}
    for each in evidence:
        if each.authority.id in found:
            continue
        start, end = each.core
        core = each.text[start - each.start : end - each.start]
        best = best_sentence(terms, each.authority, core, snapshot.tokens).shift(start)
        found[each.authority.id] = Nearest(each.authority, each.pin(best.start, best.end))
    return tuple(found.values())[:_MOST_NEAREST]


def _nearest_found(snapshot: Snapshot, question: str, token: CancelToken) -> tuple[Nearest, ...]:
    """The authorities of the library that come nearest to a sentence."""
    if not content_terms(question, snapshot.tokens):
        return ()
    hits = bearing_passages(snapshot.searcher, question, _MOST_NEAREST, _filters(snapshot), token)
    evidence = gather_evidence(
        snapshot.library, hits, "support", sum(len(hit.passage.text) + 1000 for hit in hits), len(hits)
    )
    return _nearest(snapshot, question, evidence)


def _filters(
    snapshot: Snapshot, kinds: frozenset[str] = frozenset(), roles: frozenset[str] = frozenset()
) -> Filters:
    own = own_file(snapshot)
    return Filters(kinds=kinds, roles=roles, excluded=(own,) if own else ())


def _width(snapshot: Snapshot) -> ContextWidth:
    return cast("ContextWidth", snapshot.settings.explain_context)


def _vector(snapshot: Snapshot, question: str) -> NDArray[np.float32] | None:
    """The vector of a question as the search has it; None where words alone decide."""
    if not snapshot.library.has_vectors:
        return None
    return snapshot.searcher.vector_of(snapshot.searcher.query(question))
