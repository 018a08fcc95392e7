"""From a sentence, a question or a narrative of a draft to what is searched for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lexls.citations.model import Citation, CitationKind
from lexls.index.tokens import Tokenizer
from lexls.retrieval.incidental import incidental_terms
from lexls.retrieval.references import other_references
from lexls.retrieval.related_words import RelatedWords
from lexls.retrieval.summary import summary
from lexls.text.spans import Span

QueryKind = Literal["sentence", "question", "narrative", "citation"]
"""``narrative``: a statement of facts, long enough that its words cannot all matter; ``question``: ends with
a question mark; ``citation``: nothing but citations; ``sentence``: any other prose, also a long argument."""
NARRATIVE_WORDS = 110
"""A text of so many words is a narrative. Sentences with their citations have at most some eighty."""
KEYWORD_WEIGHT = 2.0
"""What a term of a keyword counts beside one of the text."""
ARGUMENT_WORDS = 200
"""A long text that cites a case by its name in every so many words argues, and does not state facts."""
INCIDENTAL_WEIGHT = 0.75
"""What a name, a place, a sum or a date of a narrative counts: its parties are not those of a precedent."""

_POINTERS: frozenset[CitationKind] = frozenset({"case", "journal", "book", "other"})
_WORD = re.compile(r"[^\W_]")
_WORDS = re.compile(r"\S*[^\W_]\S*")
_QUESTION = re.compile(r"\?[\"'”’)\]\s]*\Z")


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for.

    ``text`` is the prose on one line. ``terms`` are its distinct index terms in order of appearance, then
    those that were added: of keywords, and of other references to the provisions it cites. ``weights`` has
    what each term counts in BM25 (1 for a term of the text: a word that is said again says no more; less for
    what is incidental to a narrative), ``frequencies`` how often each stands in the text (0 for one that was
    added), for those who rank narratives. ``keys`` are the normal keys of the citations it consists of, empty
    when there is prose beside them. ``gist`` is what a model reads that has no room for a long text: a few of
    its sentences; of a short one the text.
    """

    text: str
    terms: tuple[str, ...]
    keys: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    frequencies: tuple[int, ...] = ()
    kind: QueryKind = "sentence"
    gist: str = ""

    def __post_init__(self) -> None:
        if not self.gist:
            object.__setattr__(self, "gist", self.text)
        for name, default in (("weights", 1.0), ("frequencies", 1)):
            given = getattr(self, name)
            if not given:
                object.__setattr__(self, name, (default,) * len(self.terms))
            elif len(given) != len(self.terms):
                raise ValueError(f"{len(self.terms)} terms but {len(given)} {name}")

    @property
    def empty(self) -> bool:
        """Whether there is nothing to search for."""
        return not self.terms


def build_query(
    text: str,
    tokenizer: Tokenizer,
    citations: Sequence[Citation] = (),
    *,
    keywords: Sequence[str] = (),
    related: RelatedWords | None = None,
) -> Query:
    """The query that ``text`` (masked: without markup) asks.

    ``citations`` are those of ``text``. Cited cases and writings — names, citations, pinpoints — are not
    searched for, since a proposition is supported by what is said about its matter and not by who else
    cites the same page. Statutes and rules are the matter itself, and stay; what a replaced code or its
    successor calls the same provision is searched for too, at a lower weight. Only when nothing else remains
    are the citations themselves the question. ``keywords`` are words or phrases that say what the text is
    about; they count ``KEYWORD_WEIGHT``. With ``related`` a long text has a gist, and what is incidental in
    a narrative counts less.
    """
    prose = _without(text, [citation.span for citation in citations if citation.kind in _POINTERS])
    keys: tuple[str, ...] = ()
    if not _WORD.search(prose):
        prose = text
        keys = tuple(dict.fromkeys(citation.key for citation in citations if citation.key))
    prose = " ".join(prose.split())
    frequencies = Counter(tokenizer.tokenize(prose))
    weights = dict.fromkeys(frequencies, 1.0)
    if frequencies:
        for reference, weight in other_references(citations):
            for term in tokenizer.tokenize(reference):
                weights.setdefault(term, weight)
    kind = _kind(prose, keys, citations)
    gist = summary(prose, tokenizer, related.rarity) if related is not None else ""
    if kind == "narrative" and related is not None:
        for term in incidental_terms(prose, tokenizer, lambda term: related.rarity(term) > 0):
            weights[term] = INCIDENTAL_WEIGHT
    for keyword in keywords:
        for term in tokenizer.tokenize(keyword):
            weights[term] = KEYWORD_WEIGHT
    return Query(
        prose,
        tuple(weights),
        keys,
        tuple(weights.values()),
        tuple(frequencies[term] for term in weights),
        kind,
        gist,
    )


def frequencies_of(query: Query) -> Mapping[str, int]:
    """How often each term of the query's own text stands in it; what was added is left out."""
    pairs = zip(query.terms, query.frequencies, strict=True)
    return {term: frequency for term, frequency in pairs if frequency}


def _kind(prose: str, keys: Sequence[str], citations: Sequence[Citation]) -> QueryKind:
    if keys:
        return "citation"
    words = sum(1 for _ in _WORDS.finditer(prose))
    named = sum(1 for each in citations if each.kind == "case" and each.form == "full" and each.name)
    if words >= NARRATIVE_WORDS and named * ARGUMENT_WORDS <= words:
        return "narrative"
    return "question" if _QUESTION.search(prose) else "sentence"


def _without(text: str, spans: Sequence[Span]) -> str:
    """``text`` with these spans (which may overlap) cut out, a space in place of each."""
    pieces = []
    position = 0
    for span in sorted(spans):
        pieces.append(text[position : max(position, span.start)])
        position = max(position, span.end)
    pieces.append(text[position:])
    return " ".join(pieces)
