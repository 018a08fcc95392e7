"""What in the library may stand against a proposition: what a search for it and for its denial finds."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.citations.treatment import NEGATIVE
from lexls.features.placement import supporting
from lexls.features.resolve import resolve
from lexls.features.snapshot import Snapshot
from lexls.grounding.bearing_passages import bearing_passages
from lexls.grounding.evidence import Evidence
from lexls.grounding.generator import Claim, Quoted
from lexls.grounding.opposition import Proposition, opposition
from lexls.grounding.reading import prose, statements_in
from lexls.grounding.relevance import content_terms
from lexls.index.records import TreatedIn
from lexls.retrieval.model import Filters, Hit
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

_SEARCHED = 4
"""So many passages are looked at for each that is wanted: few of those found stand against a proposition."""
_LEAST_SHARED = 0.25
"""A sentence stands against a proposition only if it has this share of its words with a meaning."""
_MOST_TREATMENTS = 3


def bad_treatments(snapshot: Snapshot, span: Span) -> list[TreatedIn]:
    """How the authorities that ``span`` cites are treated badly by others, the worst first."""
    found: list[TreatedIn] = []
    seen: set[int] = set()
    for citation in supporting(snapshot.draft, span):
        for document in resolve(snapshot.library, snapshot.draft, citation).authorities:
            if document not in seen:
                seen.add(document)
                treatments = snapshot.library.treatments(document)
                found += [each for each in treatments if each.treatment in NEGATIVE]
    return found[:_MOST_TREATMENTS]


def contrary_passages(
    snapshot: Snapshot, proposition: str, most: int, filters: Filters, token: CancelToken
) -> list[Hit]:
    """The ``most`` passages that are likeliest to stand against ``proposition``, best first.

    What the library has on the proposition and on its denial is looked at sentence by sentence: a passage
    with one that denies or limits it comes before those that only speak of the same, the more of the
    proposition's words that sentence has the sooner. Raises ``Cancelled``.
    """
    held = Proposition.of(proposition, snapshot.tokens)
    asked = content_terms(proposition, snapshot.tokens)
    worth: dict[int, float] = {}
    hits: dict[int, Hit] = {}
    for query in (proposition, denial(proposition, held)):
        for hit in bearing_passages(snapshot.searcher, query, most * _SEARCHED, filters, token):
            if hit.passage.id not in hits:
                hits[hit.passage.id] = hit
                worth[hit.passage.id] = _against(snapshot, hit, held, asked) + 0.1 / hit.rank
        token.raise_if_cancelled()
    return sorted(hits.values(), key=lambda hit: -worth[hit.passage.id])[:most]


def denial(proposition: str, held: Proposition) -> str:
    """Words to search for what denies a proposition, not to be read by anyone."""
    if held.denied:
        return proposition.replace(" not ", " ").replace(" no ", " ").replace("cannot", "can")
    return f"it is not so, with an exception, that {proposition}"


def treatment_hits(snapshot: Snapshot, treatments: list[TreatedIn]) -> Iterator[Hit]:
    """The passages in which authorities are treated."""
    for each in treatments:
        authority = snapshot.library.authority(each.citing)
        passage = snapshot.library.passage_at(each.citing, each.start)
        if authority is not None and passage is not None:
            yield Hit(1, authority, passage, 1.0, None, None)


def treatment_claims(treatments: list[TreatedIn], evidence: tuple[Evidence, ...]) -> Iterator[Claim]:
    """The sentences that treat authorities badly, as extracts of the evidence that holds them."""
    for each in treatments:
        for piece in evidence:
            inside = piece.start <= each.sentence_start and each.sentence_end <= piece.end
            if piece.authority.id == each.citing and inside:
                words = piece.text[each.sentence_start - piece.start : each.sentence_end - piece.start]
                yield Claim("", (Quoted(piece.identifier, words.strip()),))
                break


def _against(snapshot: Snapshot, hit: Hit, held: Proposition, asked: dict[str, str]) -> float:
    """How much the passage's best sentence stands against the proposition, times the words it shares."""
    text = prose(hit.authority, hit.passage.text)
    best = 0.0
    for span in statements_in(text):
        sentence = span.of(text)
        share = len(asked.keys() & set(snapshot.tokens(sentence))) / max(1, len(asked))
        if share >= _LEAST_SHARED:
            best = max(best, share * opposition(sentence, held, snapshot.tokens))
    return best
