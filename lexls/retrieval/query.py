"""Build the query for a sentence, a question or a narrative in a draft.

Legal terms related to a narrative's words link plain facts to the terms of a provision.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Literal

from lexls.citations.concordance import Concordance
from lexls.citations.entities import find_entities
from lexls.citations.model import Citation, CitationKind
from lexls.index.tokens import Tokenizer
from lexls.text.sentences import cut_sentences
from lexls.text.spans import leave_out

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


QueryKind = Literal["sentence", "question", "narrative", "citation"]
"""``narrative``: a statement of facts, too long for all its words to matter. ``question``: ends with a
question mark. ``citation``: consists of citations only. ``sentence``: any other prose, including a long
argument.
"""
NARRATIVE_WORDS = 110
"""Minimum number of words in a narrative. Sentences with their citations have at most about eighty."""
KEYWORD_WEIGHT = 2.0
"""Weight of a keyword's term, relative to a term of the text."""
ARGUMENT_WORDS = 200
"""Maximum number of words for each case cited by name, in a long text that counts as an argument instead of a
statement of facts.
"""
INCIDENTAL_WEIGHT = 0.75
"""Weight of a name, place, sum or date in a narrative, since a governing precedent has other parties."""

_POINTERS: frozenset[CitationKind] = frozenset({"case", "journal", "book", "other"})
_WORD = re.compile(r"[^\W_]")
_WORDS = re.compile(r"\S*[^\W_]\S*")
_QUESTION = re.compile(r"\?[\"'”’)\]\s]*\Z")


@dataclass(frozen=True, slots=True)
class Query:
    """A search query.

    ``text`` is the prose on one line. ``terms`` are its distinct index terms in order of appearance, then
    added terms: from keywords, and from other references to the provisions it cites. ``weights`` has each
    term's weight in BM25: 1 for a term of the text, however often it occurs, and less for incidental terms of
    a narrative. ``frequencies`` has each term's count in the text (0 if added), for ranking narratives.
    ``keys`` are the normalised keys of the citations if the query consists of citations only; otherwise it is
    empty. ``gist`` is a few sentences of a long text, for models with limited input; for a short text it is
    the text.
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
        """Return whether there is nothing to search for."""
        return not self.terms


def build_query(
    text: str,
    tokenizer: Tokenizer,
    citations: Sequence[Citation] = (),
    *,
    keywords: Sequence[str] = (),
    related: RelatedWords | None = None,
) -> Query:
    """Build the search query for ``text`` (masked: without markup). ``citations`` are those of ``text``.

    Cited cases and writings (names, citations, pinpoints) are not searched for, since a proposition is
    supported by statements on its subject, not by others that cite the same page. Statutes and rules are part
    of the subject and are kept. If a cited code replaced another or was replaced, the corresponding
    references in the other code are added with a lower weight. If nothing else remains, the citations
    themselves are searched for.

    ``keywords`` are words or phrases for the subject, with weight ``KEYWORD_WEIGHT``. With ``related``, a
    long text gets a gist, and incidental terms of a narrative count less.
    """
    prose = leave_out(text, [citation.span for citation in citations if citation.kind in _POINTERS])
    keys: tuple[str, ...] = ()
    if not _WORD.search(prose):
        prose = " ".join(text.split())
        keys = tuple(dict.fromkeys(citation.key for citation in citations if citation.key))
    frequencies = Counter(tokenizer.tokenize(prose))
    weights = dict.fromkeys(frequencies, 1.0)
    for reference, weight in find_other_references(citations) if frequencies else ():
        for term in tokenizer.tokenize(reference):
            weights.setdefault(term, weight)
    kind = _kind(prose, keys, citations)
    gist = summarize(prose, tokenizer, related.rarity) if related is not None else ""
    if kind == "narrative" and related is not None:
        for term in find_incidental_terms(prose, tokenizer, lambda term: related.rarity(term) > 0):
            weights[term] = INCIDENTAL_WEIGHT
    for keyword in keywords:
        for term in tokenizer.tokenize(keyword):
            weights[term] = KEYWORD_WEIGHT
    counts = tuple(frequencies[term] for term in weights)
    return Query(prose, tuple(weights), keys, tuple(weights.values()), counts, kind, gist)


def count_own_terms(query: Query) -> Mapping[str, int]:
    """Return how often each term of the query's own text occurs in it, without added terms."""
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


_LAW = re.compile(
    r"§|\b(?:sections?|ss?|articles?|arts?|rules?|regulations?|chapters?|acts?|codes?|constitution|sanhita|"
    r"adhiniyam|ordinance|order|court|tribunal)\b",
    re.IGNORECASE,
)
"""Match words that show that an entity is a law or a court."""


def find_incidental_terms(text: str, tokenizer: Tokenizer, legal: Callable[[str], bool]) -> frozenset[str]:
    """Return the terms of ``text`` that occur only in names of persons, firms and places, in sums and in
    dates.

    ``legal`` returns whether a term is a word of law or of common language, which is not incidental even in a
    name ("Bank", "Carriers"). Terms that also occur outside such names are not incidental either.
    """
    found: set[str] = set()
    said = ""
    for span in cut_sentences(text):
        sentence = span.of(text)
        for entity in find_entities(sentence):
            if not _LAW.search(entity):
                found.update(term for term in tokenizer.tokenize(entity) if not legal(term))
                sentence = sentence.replace(entity, " ")
        said += " " + sentence
    return frozenset(found.difference(tokenizer.tokenize(said)))


OTHER_CODE = 0.3
"""Weight of a term from the corresponding reference in another code, since most texts on the subject still
cite the code that the query cites.
"""
OTHER_WORD = 0.5
"""Weight of another word for the same provision ("article" instead of "section")."""
MOST_LABELS = 20
"""Number of other references after which no more are searched for."""


def find_other_references(citations: Sequence[Citation]) -> list[tuple[str, float]]:
    """Return other references to the provisions that these citations name, each with its weight (below 1).

    Each reference is a text such as "section 103(1) Bharatiya Nyaya Sanhita". The list is empty if no
    equivalent is known.
    """
    found: dict[str, float] = {}
    for citation in citations:
        for text, weight in _others(citation):
            found.setdefault(text, weight)
        if len(found) >= MOST_LABELS:
            break
    return list(found.items())


def _others(citation: Citation) -> Iterator[tuple[str, float]]:
    pinpoint = citation.pinpoint
    if pinpoint is None:
        return
    if citation.kind in ("constitution", "treaty") and pinpoint.kind == "section":
        for label in pinpoint.labels:
            yield f"article {label}", OTHER_WORD
    if citation.kind != "statute" or not citation.key:
        return
    concordance = _concordance()
    for label in pinpoint.labels:
        become = concordance.successors(citation.key, label) or concordance.predecessors(citation.key, label)
        if become is None or not become.labels:
            continue
        name = become.other_name.partition(",")[0]
        for other in become.labels[:3]:
            yield f"section {other} {name}", OTHER_CODE


@lru_cache(maxsize=1)
def _concordance() -> Concordance:
    return Concordance.load()


SUMMARY_WORDS = 160
"""Approximate number of words that a model with 256 word pieces reads."""


def summarize(
    text: str,
    tokenizer: Tokenizer,
    rarity: Callable[[str], float],
    words: int = SUMMARY_WORDS,
) -> str:
    """Return the sentences of ``text`` with most of its informative terms, in their order, at most ``words``
    words.

    ``rarity`` returns the idf of a term, or 0 for an uninformative one. A term is weighted by its idf and its
    frequency in the text, but counts only once, so that each sentence adds something new. A long sentence
    must have more such terms than a short one. A text that is short enough is returned unchanged. At least
    one sentence is returned.
    """
    if len(text.split()) <= words:
        return text
    spans = cut_sentences(text)
    cut = [span.of(text) for span in spans]
    terms = [frozenset(tokenizer.tokenize(sentence)) for sentence in cut]
    lengths = [len(sentence.split()) for sentence in cut]
    said: Mapping[str, int] = Counter(tokenizer.tokenize(text))
    worth = {term: (1 + math.log(count)) * rarity(term) for term, count in said.items()}
    covered: set[str] = set()

    def gain(number: int) -> float:
        return sum(worth.get(term, 0.0) for term in terms[number] - covered) / math.sqrt(lengths[number] + 5)

    # A sentence's gain only falls as others are chosen, so the first with a current gain is the best.
    waiting = [(-gain(number), number, 0) for number in range(len(cut))]
    heapq.heapify(waiting)
    chosen: list[int] = []
    room = words
    while waiting and room > 0:
        _, best, seen = heapq.heappop(waiting)
        if lengths[best] > room and chosen:
            continue
        if seen < len(chosen):
            heapq.heappush(waiting, (-gain(best), best, len(chosen)))
            continue
        chosen.append(best)
        covered |= terms[best]
        room -= lengths[best]
    return " ".join(cut[number] for number in sorted(chosen))


_TABLE = "data/related_words.npz"


class RelatedWords:
    """The table that ``benchmarks/learn_related_words.py`` learned from judgments, loaded on first use.

    Every term has a vector; terms that judgments use together have similar directions. A narrative is the sum
    of its terms' vectors, and terms in its direction are related to it.
    """

    @cached_property
    def _table(self) -> tuple[dict[str, int], NDArray[np.float32], NDArray[np.float32]]:
        """Return three values: the row of each term; the idf of each row in the judgments; and the rows, with
        columns of unit length.
        """
        import io

        import numpy as np

        with np.load(
            io.BytesIO((resources.files("lexls.retrieval") / _TABLE).read_bytes()), allow_pickle=False
        ) as table:
            words = table["words"].tobytes().decode().split("\n")
            rows = table["vectors"].astype(np.float32)
            idf = table["idf"].astype(np.float32)
        rows /= np.maximum(np.linalg.norm(rows, axis=0), 1e-9)
        return {word: row for row, word in enumerate(words)}, idf, rows

    def rarity(self, term: str) -> float:
        """Return the idf of a term among the judgments, or 0 if the table lacks it.

        The table has words of law and of common language, but no names, and no words that occur in half of
        the judgments.
        """
        numbers, idf, _ = self._table
        row = numbers.get(term)
        return 0.0 if row is None else float(idf[row])

    def find_related(
        self, frequencies: Mapping[str, float], count: int, among: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """Return the ``count`` terms most related to a text with these term frequencies, most related first.

        Each is returned with its degree of relation, above 0. The text's own terms may be included. ``among``
        limits the terms returned. Terms missing from the table are ignored; if all are missing, the result is
        empty.
        """
        import numpy as np

        numbers, idf, rows = self._table
        held = [(numbers[term], frequency) for term, frequency in frequencies.items() if term in numbers]
        if not held:
            return []
        at = np.array([row for row, _ in held])
        weights = np.array([1 + math.log(max(frequency, 1.0)) for _, frequency in held]) * idf[at]
        fits = rows @ (weights @ rows[at])
        if among is None:
            terms, wanted = list(numbers), np.arange(len(numbers))
        else:
            terms = [term for term in among if term in numbers]
            wanted = np.array([numbers[term] for term in terms], dtype=np.int64)
        best = sorted(
            ((terms[place], float(fits[row])) for place, row in enumerate(wanted) if fits[row] > 0),
            key=lambda entry: (-entry[1], entry[0]),
        )
        return best[:count]
