"""What an encoder learns from a library: sentences with what they cite, and sentences that cite alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np
from answered_sentences import read_benchmark_lines
from draw_support import find_sentences
from numpy.typing import NDArray

from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.model import fuse
from lexls.retrieval.query import build_query
from lexls.text.cancel import CancelToken

Rows = NDArray[np.int64]
FOUND = 150
"""Passages that words find for a question."""
MOST_CITING = 40
"""What more documents cite is cited for too many things to say what they have in common."""
RRF_K = 20


@dataclass(frozen=True, slots=True)
class Question:
    """A citing sentence without its citation, in rows of its library.

    ``citing`` is the document that is left out, ``cites`` what it cites, ``names`` what it names and is
    therefore neither looked for nor in the way. ``by_words`` are passages, best first; ``cited_by_words``
    those of the cited documents; ``whole`` are documents by all their words.
    """

    text: str
    asked: bool
    citing: int
    cites: frozenset[int]
    names: frozenset[int]
    by_words: Rows
    cited_by_words: Rows
    whole: tuple[int, ...]

    @property
    def barred(self) -> frozenset[int]:
        """The documents that are no wrong answers."""
        return self.cites | self.names | {self.citing}


@dataclass(frozen=True, slots=True)
class CitingAlike:
    """A sentence of ``document`` that cites ``keys``, as other documents do."""

    document: int
    text: str
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The passages of a library with the rows of their documents, questions, and sentences citing alike."""

    name: str
    passages: tuple[str, ...]
    documents: Rows
    questions: tuple[Question, ...]
    alike: tuple[CitingAlike, ...]

    @property
    def document_count(self) -> int:
        return int(self.documents.max()) + 1


def read_corpus(name: str, index: Path, benchmark: Path | None) -> Corpus:
    """Read the index of a library; the lines of ``benchmark`` are questions, too."""
    library, token = Library(index), CancelToken()
    ids, owners, passages = _read_passages(index)
    rows = {passage: row for row, passage in enumerate(ids)}
    places = {document: row for row, document in enumerate(sorted(set(owners)))}
    lines = list(read_benchmark_lines(benchmark, library)) if benchmark is not None else []
    told = {line.text for line in lines}
    asked = [(line, True, frozenset[int]()) for line in lines]
    asked += [
        (each.question, False, each.names)
        for each in find_sentences(library, Tokenizer())
        if each.question.text not in told
    ]
    tokenizer, grammar = Tokenizer(), Grammar.load(())
    everything = frozenset(each.id for each in library.catalogue.all())
    questions = []
    for question, of_benchmark, names in asked:
        query = build_query(question.text, tokenizer, grammar.find(question.text))
        others = everything - {question.citing}
        found, _ = library.lexical(query.terms, FOUND, others, token, weights=query.weights)
        cited, _ = library.lexical(query.terms, 20, frozenset(question.cites), token, weights=query.weights)
        whole, _ = library.lexical_documents(query.terms, 2 * FOUND, others, token)
        questions.append(
            Question(
                query.text,
                of_benchmark,
                places.get(question.citing, -1),
                frozenset(places[each] for each in question.cites if each in places),
                frozenset(places[each] for each in names if each in places),
                np.array([rows[int(each)] for each in found], np.int64),
                np.array([rows[int(each)] for each in cited], np.int64),
                tuple(places[int(each)] for each in whole if int(each) in places),
            )
        )
    library.close()
    alike = _read_alike(index, places)
    documents = np.array([places[owner] for owner in owners], np.int64)
    return Corpus(name, tuple(passages), documents, tuple(questions), alike)


def _read_passages(index: Path) -> tuple[list[int], list[int], list[str]]:
    connection = apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)
    ids, owners, passages = [], [], []
    owner, text = 0, ""
    for passage, document, start, end in connection.execute(
        'SELECT id, document, "start", "end" FROM passages ORDER BY document, id'
    ):
        if document != owner:
            owner = document
            ((text,),) = connection.execute("SELECT text FROM texts WHERE document = ?", (document,))
        ids.append(passage)
        owners.append(document)
        passages.append(text[start:end])
    return ids, owners, passages


def _read_alike(index: Path, places: Mapping[int, int]) -> tuple[CitingAlike, ...]:
    connection = apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)
    found = connection.execute(
        """SELECT p.id, p.document, p.proposition, k.key
           FROM precedents AS p JOIN precedent_keys AS k ON k.precedent = p.id"""
    ).fetchall()
    citing: defaultdict[str, set[int]] = defaultdict(set)
    for _, document, _, key in found:
        citing[key].add(document)
    kept: dict[int, tuple[int, str, set[str]]] = {}
    for sentence, document, text, key in found:
        if 2 <= len(citing[key]) <= MOST_CITING and len(text) > 50:
            kept.setdefault(sentence, (places[document], text[:700], set()))[2].add(key)
    return tuple(CitingAlike(document, text, frozenset(keys)) for document, text, keys in kept.values())


def rank_by_words(corpus: Corpus, question: Question) -> list[tuple[int, ...]]:
    """The documents in the order of their best passages by words, and of all their words."""
    skipped = question.barred - question.cites
    best = dict.fromkeys(corpus.documents[question.by_words].tolist())
    return [
        tuple(each for each in best if each not in skipped),
        tuple(each for each in question.whole[:100] if each not in skipped),
    ]


def fuse_with_words(corpus: Corpus, question: Question, nearest: Sequence[int]) -> list[int]:
    """The documents by words and by similarity together."""
    rankings = [*rank_by_words(corpus, question), nearest]
    return [document for document, _ in fuse(rankings, [1.0] * len(rankings), RRF_K)]


def measure(ranked: Sequence[int], question: Question) -> tuple[float, float, float]:
    """The reciprocal rank among the first 100, recall@10 and recall@100."""
    places = [place for place, document in enumerate(ranked) if document in question.cites]
    first = 1 / (places[0] + 1) if places and places[0] < 100 else 0.0
    within_10, within_100 = (sum(place < k for place in places) / len(question.cites) for k in (10, 100))
    return first, within_10, within_100
