"""Ask a library its citing sentences, and keep each one's candidates with their features.

A question is a citing sentence, without its citations, asked with its document left out altogether; what it
cites is to come first. The candidates are the first of the fused ranking.
"""

from __future__ import annotations

import json
import pickle
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
from draw_support import CitedSentence, find_sentences
from numpy.typing import NDArray

from lexls.citations.grammar import Grammar
from lexls.evaluation.model_trial import CitingQuestion
from lexls.evaluation.order_learning import measure_order
from lexls.index.embedding import open_embedder
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.query import build_query
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.reranking.candidates import Asked
from lexls.retrieval.reranking.features import compute_features
from lexls.retrieval.reranking.reranker import DEPTH, take_candidates
from lexls.retrieval.stages import Scope, run_stages
from lexls.text.cancel import CancelToken

MEASURES = ("MRR", "recall@1", "recall@5", "recall@10")
SEED = 0
SAMPLES = 10_000

Figures = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Answer:
    """The candidates of a question in their fused order, with their features (candidates × names).

    ``asked`` says that the question is a line of a benchmark, which nothing is learnt from.
    """

    question: CitingQuestion
    asked: bool
    with_vectors: bool
    documents: tuple[int, ...]
    rows: NDArray[np.float32]

    @property
    def cited(self) -> NDArray[np.bool_]:
        """Which candidates were cited."""
        return np.array([document in self.question.cites for document in self.documents], np.bool_)

    def measure(self, scores: Figures) -> Figures:
        """The ``MEASURES`` of the candidates in the order of ``scores``."""
        return measure_order(scores, self.cited, len(self.question.cites))

    def measure_fused(self) -> Figures:
        """The ``MEASURES`` of the fused order."""
        return self.measure(-np.arange(len(self.documents), dtype=np.float64))


@dataclass(frozen=True, slots=True)
class AnsweredSentences:
    """The answers of one library, and the names of their features."""

    names: tuple[str, ...]
    answers: tuple[Answer, ...]


def read_benchmark_lines(path: Path, library: Library) -> Iterator[CitingQuestion]:
    """The questions of a file like ``support_us``."""
    ids = {PurePosixPath(each.relative).name: each.id for each in library.catalogue.all()}
    for line in path.read_text("utf-8").splitlines():
        read = json.loads(line)
        cites = frozenset(ids[name] for name in read["gold"] if name in ids)
        yield CitingQuestion(ids[read["citing"]], read["text"], cites)


def open_answers(
    index: Path, benchmark: Path | None, cache: Path | None, *, by_words: bool
) -> AnsweredSentences:
    """Ask the library of ``index`` all its citing sentences and the lines of ``benchmark``, with ``by_words``
    by words alone, or read what ``cache`` keeps of that."""
    if cache is not None and cache.is_file():
        found: AnsweredSentences = pickle.loads(cache.read_bytes())
        return found
    library = Library(index)
    asked = list(read_benchmark_lines(benchmark, library)) if benchmark is not None else []
    told = {question.text for question in asked}
    learnt = [each for each in find_sentences(library, Tokenizer()) if each.question.text not in told]
    lines = [CitedSentence(question, frozenset()) for question in asked]
    found = _ask(library, lines, learnt, by_words)
    library.close()
    if cache is not None:
        cache.write_bytes(pickle.dumps(found))
    return found


def _ask(
    library: Library, lines: Sequence[CitedSentence], learnt: Sequence[CitedSentence], by_words: bool
) -> AnsweredSentences:
    tokenizer, grammar = Tokenizer(), Grammar.load(())
    embedder = None if by_words else open_embedder(threads=1)
    ranking, token = Ranking(), CancelToken()
    everything = frozenset(authority.id for authority in library.catalogue.all())
    found: list[Answer] = []
    names: tuple[str, ...] = ()
    started = time.monotonic()
    for number, each in enumerate((*lines, *learnt)):
        question = each.question
        query = build_query(question.text, tokenizer, grammar.find(question.text))
        others = everything - {question.citing}
        vectors = [] if embedder is None else [embedder.encode([query.text])[0]]
        sequence = tuple(tokenizer.tokenize(query.text))
        for given in [*vectors, None]:
            stages = run_stages(library, query, given, ranking, Scope(others, others), token)
            first = stages.fuse(ranking)[:DEPTH]
            candidates = take_candidates(first, stages.find_best_passages(ranking))
            posed = Asked(query.text, query.terms, sequence, given, others, tokenizer.tokenize)
            columns = compute_features(library, posed, stages, candidates, token)
            names = tuple(columns)
            rows = np.stack(list(columns.values()), axis=1).astype(np.float32)
            kept = [
                row
                for row, document in enumerate(candidates.documents)
                if document not in each.names or document in question.cites
            ]
            documents = tuple(candidates.documents[row] for row in kept)
            found.append(Answer(question, number < len(lines), given is not None, documents, rows[kept]))
        if number % 100 == 99:
            print(
                f"{number + 1}/{len(lines) + len(learnt)}: {time.monotonic() - started:.0f} s",
                file=sys.stderr,
            )
    return AnsweredSentences(names, tuple(found))


def compute_interval(citing: Sequence[int], gains: Figures) -> tuple[float, float]:
    """The 95% interval of the mean of ``gains``, citing documents drawn anew."""
    documents, group = np.unique(citing, return_inverse=True)
    sums = np.bincount(group, gains)
    counts = np.bincount(group)
    drawn = np.random.default_rng(SEED).integers(0, len(documents), (SAMPLES, len(documents)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)
