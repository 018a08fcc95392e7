"""Find the authorities that may support a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexls.features.cited_for import filter_support
from lexls.grounding import sufficiency
from lexls.grounding.evidence import Pin, quote_pin
from lexls.grounding.opposition import denies
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.library.speakers import label_sentence
from lexls.reading.propositions import find_proposition, write_query
from lexls.reading.resolve import resolve, settle_hits
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.cited_for import CitedFor
from lexls.retrieval.model import EVERYTHING, Filters, Hit
from lexls.retrieval.relevance import find_best_sentence, find_terms
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.descriptions import describe_treatment, write_place
from lexls.wording.prose import blank_markup
from lexls.writing.placement import find_supporting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONTRARY = "contrary: says the opposite of the sentence"
"""Warning for an option whose sentence denies the proposition."""
_FEWEST_TERMS = 3
_LEAST_WORDS = 0.35
_LEAST_SIMILARITY = 0.45
"""Minimum score of every hit except the first: its BM25 score relative to the best, or its cosine.

In a small library, relevant authorities run out soon. On 141 citing sentences of American opinions these
limits lost none of the cited authorities that were among the first eight (``benchmarks/RESULTS.md`` describes
the data).
"""


@dataclass(frozen=True, slots=True)
class SupportOption:
    """An authority that may support the sentence.

    ``proposition`` is the supported text, as a span of the draft. ``sentence`` is the sentence to quote, as a
    span of the passage's text. ``place`` is the pinpoint of the passage ("[23]", "s 12(2)", "page 4", or an
    empty string). ``cited_for`` has sentences of other documents that cite it for the same proposition, or is
    None. ``warning`` describes negative treatment in the library ("overruled in Carrow v Luff [2014] ASC 12
    at [23]"); otherwise it is empty. If the sentence denies the proposition, ``contrary`` is true and
    ``warning`` begins with ``CONTRARY``.
    """

    hit: Hit
    proposition: Span
    sentence: Span
    place: str
    cited_for: CitedFor | None = None
    warning: str = ""
    contrary: bool = False

    @property
    def role(self) -> str:
        """Return the label of the sentence ("holding", "dissenting opinion of Quill J."), or an empty string
        if uncertain.
        """
        passage = self.hit.passage
        return label_sentence(passage.speaker, passage.label, self.sentence.of(passage.text))

    @property
    def pin(self) -> Pin:
        """Return a pin for ``sentence``."""
        passage = self.hit.passage
        span = self.sentence.shift(passage.start)
        text, label = self.sentence.of(passage.text), passage.paragraph
        return Pin("", self.hit.authority, span.start, span.end, text, label, passage.page, False)

    @property
    def quote(self) -> str:
        """Return the words of ``sentence`` on one line, without markup and paragraph number."""
        return quote_pin(self.pin)


def find_support(
    snapshot: Snapshot, span: Span, k: int, token: CancelToken, chosen: Filters = EVERYTHING
) -> list[SupportOption]:
    """Return the best ``k`` authorities for the selection or sentence, without those it already cites.

    ``chosen`` filters them; its kinds, if any, replace those of the settings. A sentence of fewer than three
    content words ("So it is here.") is combined with the one before it. The result is empty if there is no
    sentence. The draft itself is never returned.
    """
    target = find_proposition(snapshot.draft, span)
    if target is None:
        return []
    query = write_support_query(snapshot, target)
    if not query:
        return []
    cited: set[int] = set()
    for citation in find_supporting(snapshot.draft, target):
        cited.update(resolve(snapshot.library, snapshot.draft, citation).authorities)
    token.raise_if_cancelled()
    found = search_support(snapshot, query, target, k + len(cited), filter_support(snapshot, chosen), token)
    return [each for each in _relevant(found) if each.hit.authority.id not in cited][:k]


def search_support(
    snapshot: Snapshot, query: str, target: Span, k: int, chosen: Filters, token: CancelToken
) -> list[SupportOption]:
    """Return the ``k`` authorities that ``query`` finds for the proposition ``target`` of the draft. Raises
    ``Cancelled``.
    """
    precedents = snapshot.settings.precedents_enabled
    hits, known = snapshot.searcher.search_support(query, k, chosen, token, precedents=precedents)
    hits = settle_hits(snapshot.library, hits, snapshot.draft.jurisdiction)
    return [offer_hit(snapshot, hit, target, query, known.get(hit.authority.id)) for hit in hits]


def offer_hit(
    snapshot: Snapshot, hit: Hit, target: Span, query: str, known: CitedFor | None = None
) -> SupportOption:
    """Return a hit of ``query`` for the proposition ``target`` as an option, with its warnings and the
    sentence to quote.
    """
    sentence = hit.sentence
    if sentence is None:
        terms = find_terms(query, snapshot.tokens)
        sentence = find_best_sentence(terms, hit.authority, hit.passage.text, snapshot.tokens)
    said = " ".join(sentence.of(blank_markup(hit.authority, hit.passage.text)).split())
    contrary = denies(said, query, snapshot.tokens, snapshot.library.rarity)
    warnings = [CONTRARY] if contrary else []
    warnings += filter(None, [describe_warning(snapshot.library, hit.authority)])
    return SupportOption(
        hit,
        target,
        sentence,
        write_place(hit.authority, hit.passage),
        known,
        "; ".join(warnings),
        contrary,
    )


def describe_distance(snapshot: Snapshot, found: Sequence[SupportOption]) -> str:
    """Return the reason why everything found is too far from a proposition, as a sentence for the user, or an
    empty string.

    It is empty if nothing was found, or if another document cites an option for the same proposition. If the
    proposition has several sentences, only one of them must be close to what was found.
    """
    if not found or any(each.cited_for is not None for each in found):
        return ""
    target = found[0].proposition
    hits = [each.hit for each in found]

    def tell(query: str, vector: NDArray[np.float32] | None = None) -> str:
        return sufficiency.describe_distance(query, snapshot.tokens, snapshot.library, hits, vector)

    query = write_support_query(snapshot, target)
    distance = tell(query, snapshot.encode(query))
    if not distance:
        return ""
    queries = [write_query(snapshot.draft, each) for each in snapshot.draft.sentences_in(target)]
    full = [each for each in queries if len(find_terms(each, snapshot.tokens)) >= _FEWEST_TERMS]
    return distance if len(queries) < 2 or all(map(tell, full)) else ""


def describe_warning(library: Library, authority: Authority) -> str:
    """Return the worst treatment of an authority in the library, in words, or an empty string."""
    worst = library.graph.find_worst_treatment(authority.id)
    return describe_treatment(library, worst) if worst is not None else ""


def _relevant(found: Sequence[SupportOption]) -> list[SupportOption]:
    """Return the relevant options, always including those cited for the same proposition."""
    best = max((each.hit.lexical or 0.0 for each in found), default=0.0)
    return [
        each
        for each in found
        if each.hit.rank == 1
        or each.cited_for is not None
        or (each.hit.lexical or 0.0) >= _LEAST_WORDS * best
        or (each.hit.similarity or 0.0) >= _LEAST_SIMILARITY
    ]


def write_support_query(snapshot: Snapshot, target: Span) -> str:
    """Return the search text to support ``target``; if it has few words, the preceding sentence is
    included.
    """
    draft = snapshot.draft
    query = write_query(draft, target)
    paragraph = draft.paragraph_at(target.start)
    if paragraph is None or len(find_terms(query, snapshot.tokens)) >= _FEWEST_TERMS:
        return query
    before = [each for each in draft.sentences_of(paragraph) if each.end <= target.start]
    return f"{write_query(draft, before[-1])} {query}".strip() if before else query
