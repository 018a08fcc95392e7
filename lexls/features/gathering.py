"""Collect the evidence for an answer about a place in the draft or a question about the library."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import cast

from lexls.assessing.check import as_cited
from lexls.citations.treatment import NEGATIVE
from lexls.features.case_questions import find_case, list_sentences, read_case_question
from lexls.features.cited_for import filter_support, find_cited_for, find_own_files
from lexls.grounding.answer import Claim, Nearest, Quoted, Request, Turn
from lexls.grounding.answering import Gathered
from lexls.grounding.context import ContextWidth, gather_evidence, gather_from_authority
from lexls.grounding.evidence import Evidence
from lexls.grounding.opposition import LEAST_SHARED, Proposition, is_against, measure_opposition
from lexls.grounding.relevant_passages import find_relevant_passages
from lexls.grounding.sufficiency import find_weakness
from lexls.index.records import Authority, Place, TreatedIn
from lexls.reading.propositions import find_citation_near, find_proposition, find_sentence_supported, retell
from lexls.reading.resolve import (
    find_authority,
    find_cited_documents,
    find_country,
    find_places,
    resolve,
    settle,
    settle_hits,
)
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.model import Filters, Hit
from lexls.retrieval.named_documents import find_description
from lexls.retrieval.relevance import Tokens, Weights, find_best_sentence, find_terms
from lexls.text.cancel import CancelToken
from lexls.text.phrases import compile_pattern, load_phrases
from lexls.text.spans import Span
from lexls.wording.descriptions import describe_absence
from lexls.wording.place_words import cite_authority, write_pinpoint
from lexls.wording.prose import (
    blank_markup,
    find_statements,
)
from lexls.writing.placement import find_supporting

_PHRASES = load_phrases(__package__, "gathering.toml")
_FEW = 4
"""Minimum number of content words in a question; a shorter one is combined with the one before it."""
_GOES_ON = compile_pattern(_PHRASES["goes_on"], {})
_UP_TO = 9
"""Maximum number of content words in a question beginning with "and if …" that depends on the one before."""
_POINTS_BACK = compile_pattern(_PHRASES["points_back"], {})
_UP_TO_POINTING = 6
"""Maximum number of content words in a question with a pronoun that depends on the one before. In a longer
question, "it" usually refers to something in the question itself.
"""
_ASKING = compile_pattern(_PHRASES["asking"], _PHRASES["parts"])
_FURTHEST = 3
"""Maximum number of earlier questions considered."""


def write_search(question: str, history: Sequence[Turn], tokens: Tokens) -> str:
    """Return the search text: the question, preceded by earlier ones if it depends on them.

    A question depends on the one before it if it has few content words or refers back ("and if it was
    late?"). Earlier questions are added, latest first, as long as the last one added also depends on the one
    before.
    """
    asked = [question]
    for turn in reversed(history[-_FURTHEST:]):
        if not _needs_more(asked[0], tokens):
            break
        asked.insert(0, turn.question)
    return " ".join(" ".join(each.split()) for each in asked)


def trim(question: str) -> str:
    """Return the question without words that only ask ("what does it say about …", "is there a case on").

    Returns it unchanged if nothing else would remain.
    """
    rest = " ".join(_ASKING.sub(" ", question).split())
    return rest if re.search(r"[^\W\d_]{3}", rest) else question


def _needs_more(question: str, tokens: Tokens) -> bool:
    count = len(find_terms(question, tokens))
    if count < _FEW or (count <= _UP_TO and _GOES_ON.match(question)):
        return True
    return count <= _UP_TO_POINTING and _POINTS_BACK.search(question) is not None


Keywords = Callable[[str, CancelToken], Sequence[str]]
"""Returns words or phrases for the subject of a question."""
ROOM = 120_000
"""Maximum number of characters of evidence; selecting extracts from them takes 50 ms."""
_MOST_NEAREST = 3
_OF_COURTS = re.compile(
    r"\b(?:cases?|courts?|judges?|judgments?|decisions?|authorit(?:y|ies)|held|interpreted|applied)\b",
    re.IGNORECASE,
)
_ALONE = "There is no sentence here to explain: the citation stands alone."
_DRAFTED = 2
"""Maximum number of sentences in a draft."""


def gather_explanation(
    snapshot: Snapshot,
    offset: int,
    token: CancelToken,
    authority: int | None = None,
) -> Gathered | None:
    """Return the evidence for explaining the citation at ``offset`` of the draft, or else the first citation
    of its sentence.

    If ``authority`` is given, the evidence is for explaining why that authority would support the sentence,
    whether the sentence cites it or not. Returns None if there is nothing to explain. Raises ``Cancelled``.
    """
    draft, library = snapshot.draft, snapshot.library
    places: Sequence[Place] = ()
    words = ""
    cited: Authority | None
    if authority is not None:
        held = library.catalogue.get(authority)
        sentence = find_proposition(draft, Span(offset, offset))
        if held is None or sentence is None:
            return None
        cited = settle(held, find_country(library, draft.jurisdiction))
        question = retell(draft, sentence)
    else:
        citation = find_citation_near(draft, offset)
        if citation is None:
            return None
        sentence = find_sentence_supported(draft, citation)
        question = retell(draft, sentence, citation) if sentence is not None else ""
        resolution = resolve(library, draft, citation)
        cited = find_authority(library, resolution)
        if cited is None:
            absent = f"{as_cited(snapshot, citation)} {describe_absence(library.complete)}."
            nearest = _nearest_found(snapshot, question, token)
            return Gathered(Request("explain", question, ()), nearest, absent)
        pinpoint = citation.pinpoint
        if pinpoint is not None:
            labels = (write_pinpoint(pinpoint.kind, each, cited.jurisdiction) for each in pinpoint.labels)
            words = ", ".join(labels)
        places = find_places(library, resolution)
    token.raise_if_cancelled()
    width = _width(snapshot)
    known = find_cited_for(snapshot, question, token).get(cited.id) if width == "full" else None
    evidence = gather_from_authority(
        library,
        cited,
        question,
        snapshot.tokens,
        width,
        ROOM,
        places=places,
        vector=snapshot.encode(question),
        cited=known,
        token=token,
    )
    request = Request(
        "explain",
        question,
        evidence,
        sentences=snapshot.settings.explain_sentences,
        pinpoint=words,
        pinpoint_found=bool(places),
    )
    if not find_terms(question, snapshot.tokens):
        return Gathered(request, weak=_ALONE)
    if not evidence:
        return Gathered(request, weak=f"No passage of {cite_authority(cited)} bears on this sentence.")
    return _judged(snapshot, request, ())


def gather_answer(
    snapshot: Snapshot,
    question: str,
    history: Sequence[Turn],
    token: CancelToken,
    excluded: Sequence[Path] = (),
    keywords: Keywords | None = None,
) -> Gathered:
    """Return the evidence for answering a question about the library, without ``excluded`` files or folders.

    ``history`` has the earlier turns, oldest first: a follow-up is searched for together with the questions
    on which it depends. If the question names documents, only those are searched. Otherwise ``keywords`` adds
    search words. Raises ``Cancelled``.
    """
    question = " ".join(question.split())
    filters = Filters(excluded=(*find_own_files(snapshot), *excluded))
    part = _gather_part(snapshot, question, filters, token)
    if part is not None:
        return part
    asked = write_search(question, history, snapshot.tokens)
    hits, sought, named = _asked(snapshot, asked, filters, token, keywords)
    evidence = _evidence(snapshot, hits, sought, token)
    request = Request(
        "ask",
        question,
        evidence,
        tuple(history),
        snapshot.settings.explain_sentences,
        sought=sought if sought != question else "",
        named=named,
    )
    return _judged(snapshot, request, hits)


def _gather_part(snapshot: Snapshot, question: str, filters: Filters, token: CancelToken) -> Gathered | None:
    """Return the answer to a question about a part of a named case, from that case only.

    Returns None for other questions, and if no sentence of the case answers the question.
    """
    asked = read_case_question(question)
    case = find_case(snapshot, asked.case, _cited(snapshot, asked.case), filters) if asked else None
    if asked is None or case is None:
        return None
    sentences = list_sentences(snapshot, case, asked, snapshot.settings.explain_sentences)
    hits = [Hit(1, case, passage, 1.0, None, None) for passage, _ in sentences]
    evidence = gather_evidence(snapshot.library, hits, "support", ROOM, len(hits), token=token)
    claims = [
        Claim("", (Quoted(piece.identifier, words),))
        for _, words in sentences
        for piece in evidence
        if words in piece.text
    ]
    if not claims:
        return None
    said = " ".join(words for _, words in sentences)
    request = Request("ask", question, evidence, sentences=len(claims), sought=said)
    return Gathered(request, first=tuple(claims))


def gather_draft(snapshot: Snapshot, span: Span, token: CancelToken) -> Gathered | None:
    """Return the evidence for a sentence to replace the proposition at ``span``, or None if there is no
    sentence.

    Raises ``Cancelled``.
    """
    target = find_proposition(snapshot.draft, span)
    if target is None:
        return None
    question = retell(snapshot.draft, target)
    settings = snapshot.settings
    filters = filter_support(snapshot)
    hits = find_relevant_passages(snapshot.searcher, question, settings.explain_passages, filters, token)
    evidence = _evidence(snapshot, hits, question, token)
    request = Request("draft", question, evidence, sentences=min(_DRAFTED, settings.explain_sentences))
    return _judged(snapshot, request, hits)


def gather_contrary(snapshot: Snapshot, span: Span, token: CancelToken) -> Gathered | None:
    """Return the evidence against the proposition at ``span``, or None if there is no sentence. If an
    authority that the proposition cites was treated negatively, the answer begins with that treatment.
    Raises ``Cancelled``.
    """
    target = find_proposition(snapshot.draft, span)
    if target is None:
        return None
    question = retell(snapshot.draft, target)
    settings = snapshot.settings
    treatments = find_bad_treatments(snapshot, target)
    most = settings.explain_passages
    against = find_contrary(snapshot, question, most, Filters(excluded=find_own_files(snapshot)), token)
    hits = _settled(snapshot, (*find_treatment_hits(snapshot, treatments), *against))
    evidence = gather_evidence(
        snapshot.library, hits, _width(snapshot), ROOM, most + len(treatments), token=token
    )
    request = Request("contrary", question, evidence, sentences=settings.explain_sentences)
    first = tuple(quote_treatments(treatments, evidence))
    # The nearest passages may agree with the sentence, so they are not shown.
    judged = _judged(snapshot, request, against)
    return Gathered(request, weak="" if first else judged.weak, first=first)


def _asked(
    snapshot: Snapshot, question: str, filters: Filters, token: CancelToken, keywords: Keywords | None
) -> tuple[list[Hit], str, bool]:
    """Return three values: the passages for a question, the words that they must address, and whether the
    question names their documents.

    If the question cites or names documents, only those are searched, without the words that name them. If it
    only describes one ("the lease"), matching documents cited in the draft are preferred.
    """
    searcher, most = snapshot.searcher, snapshot.settings.explain_passages
    cited = _cited(snapshot, question)
    if cited:
        asked = searcher.query(question).text
        return (
            searcher.search_passages(question, most, replace(filters, within=cited), token),
            trim(asked),
            True,
        )
    meant = find_cited_documents(snapshot) if find_description(question) is not None else frozenset[int]()
    named = searcher.find_named(question, filters, token, meant)
    if named.documents:
        within = replace(filters, within=frozenset(named.documents))
        return searcher.search_passages(question, most, within, token), trim(named.asked), True
    asked = trim(question)
    added = keywords(question, token) if keywords is not None else ()
    return find_relevant_passages(searcher, asked, most, filters, token, added), asked, False


def _cited(snapshot: Snapshot, question: str) -> frozenset[int]:
    """Return the authorities of the library that a question cites and that should answer it.

    A question about how courts treat a provision is not answered from the provision itself.
    """
    grammar = snapshot.searcher.grammar
    found = grammar.find(question) if grammar is not None else ()
    kinds = ("case",) if _OF_COURTS.search(question) else ("case", "statute", "regulation", "treaty")
    return frozenset(
        document
        for citation in found
        if citation.kind in kinds and citation.key
        for document in snapshot.library.catalogue.find_key(citation.key)
    )


def _evidence(
    snapshot: Snapshot, hits: Sequence[Hit], question: str, token: CancelToken
) -> tuple[Evidence, ...]:
    width = _width(snapshot)
    known = find_cited_for(snapshot, question, token) if width == "full" else None
    most = snapshot.settings.explain_passages
    settled = _settled(snapshot, hits)
    return gather_evidence(snapshot.library, settled, width, ROOM, most, cited=known, token=token)


def _settled(snapshot: Snapshot, hits: Iterable[Hit]) -> list[Hit]:
    return settle_hits(snapshot.library, hits, snapshot.draft.jurisdiction)


def _judged(snapshot: Snapshot, request: Request, hits: Sequence[Hit]) -> Gathered:
    """Return the request with its nearest authorities and the reason, if any, why the evidence is too
    weak.
    """
    subject = request.subject
    weak = find_weakness(request, snapshot.tokens, snapshot.library, hits, snapshot.encode(subject))
    return Gathered(request, _nearest(snapshot, subject, request.evidence), weak)


def _nearest(snapshot: Snapshot, question: str, evidence: Iterable[Evidence]) -> tuple[Nearest, ...]:
    """Return the authorities of the evidence, each with the closest sentence of its best piece."""
    terms = find_terms(question, snapshot.tokens)
    found: dict[int, Nearest] = {}
    for each in evidence:
        if each.authority.id in found:
            continue
        start, end = each.core
        core = each.text[start - each.start : end - each.start]
        best = find_best_sentence(terms, each.authority, core, snapshot.tokens).shift(start)
        found[each.authority.id] = Nearest(each.authority, each.pin(best.start, best.end))
    return tuple(found.values())[:_MOST_NEAREST]


def _nearest_found(snapshot: Snapshot, question: str, token: CancelToken) -> tuple[Nearest, ...]:
    """Return the authorities of the library closest to a sentence."""
    if not find_terms(question, snapshot.tokens):
        return ()
    hits = find_relevant_passages(
        snapshot.searcher, question, _MOST_NEAREST, Filters(excluded=find_own_files(snapshot)), token
    )
    room = sum(len(hit.passage.text) + 1000 for hit in hits)
    evidence = gather_evidence(snapshot.library, _settled(snapshot, hits), "support", room, len(hits))
    return _nearest(snapshot, question, evidence)


def _width(snapshot: Snapshot) -> ContextWidth:
    return cast("ContextWidth", snapshot.settings.explain_context)


_SEARCHED = 4
"""Number of passages examined for each passage returned, since few of those found oppose a proposition."""
_MOST_TREATMENTS = 3


def find_bad_treatments(snapshot: Snapshot, span: Span) -> list[TreatedIn]:
    """Return the negative treatments of the authorities that ``span`` cites, worst first."""
    cited = dict.fromkeys(
        document
        for citation in find_supporting(snapshot.draft, span)
        for document in resolve(snapshot.library, snapshot.draft, citation).authorities
    )
    treatments = chain.from_iterable(map(snapshot.library.graph.find_treatments, cited))
    return list(islice((each for each in treatments if each.treatment in NEGATIVE), _MOST_TREATMENTS))


def find_contrary(
    snapshot: Snapshot, proposition: str, most: int, filters: Filters, token: CancelToken
) -> list[Hit]:
    """Return the ``most`` passages likeliest to oppose ``proposition``, best first.

    Passages on the proposition and on its denial are examined sentence by sentence. Passages with a sentence
    that denies or limits the proposition come first, ranked by how strongly it does so and by its share of
    the proposition's words. Passages merely on the same subject follow. Raises ``Cancelled``.
    """
    held = Proposition.of(proposition, snapshot.tokens)
    asked = list(find_terms(proposition, snapshot.tokens))
    weights = Weights(dict(zip(asked, snapshot.library.rarity(asked), strict=True)))
    worth: dict[int, float] = {}
    hits: dict[int, Hit] = {}
    for query in (proposition, deny(proposition, held)):
        for hit in find_relevant_passages(snapshot.searcher, query, most * _SEARCHED, filters, token):
            if hit.passage.id not in hits:
                hits[hit.passage.id] = hit
                worth[hit.passage.id] = _against(snapshot, hit, held, weights) + 0.1 / hit.rank
        token.raise_if_cancelled()
    return sorted(hits.values(), key=lambda hit: -worth[hit.passage.id])[:most]


def deny(proposition: str, held: Proposition) -> str:
    """Return search words that find denials of a proposition; they are not shown to readers."""
    if held.denied:
        return proposition.replace(" not ", " ").replace(" no ", " ").replace("cannot", "can")
    return f"it is not so, with an exception, that {proposition}"


def find_treatment_hits(snapshot: Snapshot, treatments: list[TreatedIn]) -> Iterator[Hit]:
    """Yield the passages in which authorities are treated."""
    for each in treatments:
        authority = snapshot.library.catalogue.get(each.citing)
        passage = snapshot.library.contents.find_passage(each.citing, each.start)
        if authority is not None and passage is not None:
            yield Hit(1, authority, passage, 1.0, None, None)


def quote_treatments(treatments: list[TreatedIn], evidence: tuple[Evidence, ...]) -> Iterator[Claim]:
    """Yield the sentences that treat authorities negatively, as extracts of the evidence that
    contains them.
    """
    for each in treatments:
        for piece in evidence:
            inside = piece.start <= each.sentence_start and each.sentence_end <= piece.end
            if piece.authority.id == each.citing and inside:
                words = piece.text[each.sentence_start - piece.start : each.sentence_end - piece.start]
                yield Claim("", (Quoted(piece.identifier, words.strip()),))
                break


def _against(snapshot: Snapshot, hit: Hit, held: Proposition, weights: Weights) -> float:
    """Return how strongly a sentence of the passage opposes the proposition, times its share of the
    proposition's words: the highest value of all sentences.
    """
    text = blank_markup(hit.authority, hit.passage.text)
    if held.limit_share(snapshot.tokens(text), weights) < LEAST_SHARED:
        return 0.0
    best = 0.0
    for span in find_statements(text):
        sentence = span.of(text)
        share = held.measure_share(sentence, snapshot.tokens(sentence), weights)
        if share >= LEAST_SHARED and share > best:
            strength = measure_opposition(sentence, held, snapshot.tokens)
            if is_against(sentence, strength, share):
                best = max(best, share * strength)
    return best
