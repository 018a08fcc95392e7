"""Learn which words clauses of each kind use, and measure it by cross-validation over contracts.

    python benchmarks/train_clause_types.py ../shared/data/contracts ../shared/benchmarks/contracts.dev.jsonl
    python benchmarks/train_clause_types.py … --folds 5        # measure only, nothing is written

The recipe. Every contract is cut into passages as the index does, and these into windows (about a sentence
each). A question with spans is given its kind of clause by ``ClauseTypes.recognise``; the windows that lie
half in a span, or hold most of one, are examples of that kind, all other windows of all contracts are
counterexamples. For the kinds that no question asks for, the examples are the windows under a heading that
the table of kinds names. One logistic regression a kind (L2, liblinear) over the terms and pairs of terms
that stand in enough contracts is fitted twice: on all features, then on those with the largest weights
alone, which are kept, rounded. Names do not get in, since a feature must stand in many contracts.

Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from lexls.citations.grammar import Grammar
from lexls.evaluation.measures import measure_spans
from lexls.index.tokens import Tokenizer
from lexls.library.passages import cut_passages
from lexls.library.readers import read
from lexls.retrieval.clauses import (
    ClauseModel,
    ClauseTypes,
    CountedWindows,
    LearnedClause,
    Source,
    compute_norm,
    cut_windows,
    find_features,
    find_headed_spans,
)
from lexls.retrieval.named_documents import split_naming
from lexls.retrieval.passage_search import score_by_bm25
from lexls.text.spans import Span

LEAST_CONTRACTS = 12
LEAST_EXAMPLES = 12
KEPT = 250
C: Mapping[Source, float] = {"spans": 3.0, "headings": 1.0}
"""The inverse strength of the penalty; sections under a heading are poorer examples."""
OUT = Path(__file__).resolve().parent.parent / "lexls/retrieval/data/clause_weights.json"


@dataclass(frozen=True)
class Contract:
    """``rows`` are the numbers of its first and last+1 window; ``cut`` its passages."""

    name: str
    text: str
    cut: tuple[Span, ...]
    rows: tuple[int, int]


@dataclass(frozen=True)
class Question:
    contract: str
    kind: str
    asked: str
    spans: tuple[Span, ...]


class Data:
    """All windows of all contracts as a sparse matrix, with the examples of each kind."""

    def __init__(self, folder: Path, benchmark: Path, max_chars: int, overlap: int) -> None:
        self.tokenizer = Tokenizer()
        self.types = ClauseTypes(self.tokenizer)
        self.questions = self._questions(benchmark)
        names = sorted({each.contract for each in self.questions})
        grammar = Grammar.load()
        self.contracts: dict[str, Contract] = {}
        found: list[set[str]] = []
        norms: list[float] = []
        self.places: list[tuple[int, int]] = []
        seen: dict[str, set[str]] = defaultdict(set)
        for name in names:
            source = read(folder / name, grammar)
            first = len(found)
            for piece in cut_passages(source, max_chars):
                text = source.text[piece.start : piece.end]
                for start, end in cut_windows(text):
                    terms = self.tokenizer.tokenize(text[start:end])
                    found.append(find_features(terms))
                    norms.append(compute_norm(terms))
                    self.places.append((piece.start + start, piece.start + end))
                    for feature in found[-1]:
                        seen[feature].add(name)
            cut = tuple(Span(p.start, p.end) for p in cut_passages(source, max_chars, overlap))
            self.contracts[name] = Contract(name, source.text, cut, (first, len(found)))
        self.vocabulary = sorted(f for f, where in seen.items() if len(where) >= LEAST_CONTRACTS)
        number = {feature: column for column, feature in enumerate(self.vocabulary)}
        columns = [[number[f] for f in each if f in number] for each in found]
        lengths = [len(each) for each in columns]
        self.matrix = sparse.csr_matrix(
            (
                np.repeat(1 / np.asarray(norms), lengths),
                np.concatenate([np.asarray(each, dtype=np.int64) for each in columns]),
                np.concatenate(([0], np.cumsum(lengths))),
            ),
            shape=(len(found), len(self.vocabulary)),
        )
        self.owner = np.concatenate(
            [np.full(c.rows[1] - c.rows[0], n) for n, c in enumerate(self.contracts.values())]
        )
        self.from_spans = self._examples_of_spans()
        self.from_headings = self._examples_of_headings()

    def _questions(self, benchmark: Path) -> list[Question]:
        found = []
        with open(benchmark, encoding="utf-8") as lines:
            for line in map(json.loads, lines):
                asked = split_naming(line["text"]).rest
                kinds = self.types.recognise(asked)
                kind = kinds[0].name if kinds else ""
                found.append(Question(line["file"], kind, asked, tuple(Span(*s) for s in line["spans"])))
        return found

    def _examples_of_spans(self) -> dict[str, NDArray[np.bool_]]:
        examples: dict[str, NDArray[np.bool_]] = {}
        places = np.asarray(self.places)
        for question in self.questions:
            if not question.kind:
                continue
            mark = examples.setdefault(question.kind, np.zeros(len(places), dtype=bool))
            first, last = self.contracts[question.contract].rows
            start, end = places[first:last].T
            for span in question.spans:
                shared = np.minimum(end, span.end) - np.maximum(start, span.start)
                mark[first:last] |= (shared >= 0.5 * (end - start)) | (shared >= 0.6 * len(span))
        return examples

    def _examples_of_headings(self) -> dict[str, NDArray[np.bool_]]:
        examples: dict[str, NDArray[np.bool_]] = {}
        for contract in self.contracts.values():
            headed = find_headed_spans(contract.text)
            for heading, span in headed:
                terms = tuple(self.tokenizer.tokenize(heading))
                for kind in self.types.types:
                    if terms in kind.headings:
                        mark = examples.setdefault(kind.name, np.zeros(len(self.places), dtype=bool))
                        for row in range(*contract.rows):
                            mark[row] |= span.start <= self.places[row][0] < span.end
        return examples


def learn(
    data: Data, source: Source, mark: NDArray[np.bool_], rows: NDArray[np.bool_]
) -> LearnedClause | None:
    """The weights of a kind from these rows; None if there are too few examples."""
    if mark[rows].sum() < LEAST_EXAMPLES:
        return None
    matrix, labels = data.matrix[rows], mark[rows]
    full = LogisticRegression(C=C[source], solver="liblinear", tol=1e-2).fit(matrix, labels)
    share = np.asarray((matrix > 0).mean(axis=0)).ravel()
    kept = np.sort(np.argsort(-np.abs(full.coef_[0]) * np.sqrt(share))[:KEPT])
    few = LogisticRegression(C=C[source], solver="liblinear", tol=1e-2).fit(matrix[:, kept], labels)
    weights = {data.vocabulary[n]: round(float(w), 1) for n, w in zip(kept, few.coef_[0], strict=True)}
    return LearnedClause(source, round(float(few.intercept_[0]), 2), {t: w for t, w in weights.items() if w})


def learn_all(
    data: Data, rows: NDArray[np.bool_], source: Source | None = None, asked_only: bool = False
) -> dict[str, LearnedClause]:
    """The weights of all kinds, or of those that a question asks for, from ``source`` (None: spans where
    there are any, otherwise headings)."""
    learned: dict[str, LearnedClause] = {}
    for kind in data.types.types:
        if asked_only and kind.name not in data.from_spans:
            continue
        sources: tuple[tuple[Source, dict[str, NDArray[np.bool_]]], ...] = (
            ("spans", data.from_spans),
            ("headings", data.from_headings),
        )
        for name, examples in sources:
            if source in (name, None) and kind.name in examples and kind.name not in learned:
                found = learn(data, name, examples[kind.name], rows)
                if found is not None:
                    learned[kind.name] = found
    return learned


def fold_of(contract: str, folds: int) -> int:
    """Contracts of one company, which file names begin with, come into the same part."""
    company = "".join(c for c in contract.casefold() if c.isalnum())[:8]
    return int(hashlib.sha256(company.encode()).hexdigest(), 16) % folds


def measure(
    data: Data, questions: Sequence[Question], model: ClauseModel | None, words: float
) -> list[dict[str, float]]:
    """The figures of each question: by kinds of clauses plus ``words`` times BM25, or by BM25 alone."""
    kept: dict[str, tuple[CountedWindows, list[Counter[str]]]] = {}
    counter = model or ClauseModel(data.types.types, {}, data.tokenizer)
    found = []
    for question in questions:
        contract = data.contracts[question.contract]
        if contract.name not in kept:
            counted, terms = counter.count([span.of(contract.text) for span in contract.cut])
            kept[contract.name] = counted, [Counter(each) for each in terms]
        counted, counts = kept[contract.name]
        lexical = np.asarray(score_by_bm25(data.tokenizer.tokenize(question.asked), counts))
        lexical = lexical / (lexical.max() or 1.0)
        kinds = data.types.recognise(question.asked) if model is not None else ()
        scores = lexical
        if model is not None and kinds:
            scores = np.max([model.scores(kind, counted) for kind in kinds], axis=0) + words * lexical
        order = np.argsort(-scores, kind="stable")
        passages_found = [(1, contract.cut[n].start, contract.cut[n].end) for n in order]
        found.append(measure_spans(passages_found, 1, question.spans, contract.text))
    return found


def show(name: str, figures: Sequence[Mapping[str, float]]) -> None:
    means = {key: float(np.mean([each[key] for each in figures])) for key in figures[0]}
    keys = ("recall@10", "hit@1", "hit@3", "hit@5", "fully_covered", "mrr")
    shown = " ".join(f"{key} {means[key]:.3f}" for key in keys if key in means)
    print(f"{name:44s} {shown} {len(figures)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("contracts", type=Path)
    parser.add_argument("benchmark", type=Path)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--max-chars", type=int, default=2000)
    parser.add_argument("--overlap", type=int, default=400)
    options = parser.parse_args()
    data = Data(options.contracts, options.benchmark, options.max_chars, options.overlap)
    print(f"{len(data.contracts)} contracts, {len(data.places)} windows, {len(data.vocabulary)} features")
    everything = np.ones(len(data.places), dtype=bool)
    if not options.folds:
        learned = learn_all(data, everything)
        content = {
            name: {"source": each.source, "bias": each.bias, "terms": dict(each.terms)}
            for name, each in learned.items()
        }
        lines = (f"{json.dumps(name)}: {json.dumps(each, sort_keys=True)}" for name, each in content.items())
        OUT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        print(f"{len(learned)} kinds written")
        return
    folds = np.asarray([fold_of(name, options.folds) for name in data.contracts])[data.owner]
    parts: dict[str, list[tuple[Question, dict[str, float]]]] = defaultdict(list)
    for fold in range(options.folds):
        asked = [q for q in data.questions if fold_of(q.contract, options.folds) == fold]
        rows = folds != fold
        variants: dict[str, tuple[ClauseModel | None, float]] = {
            "BM25 on the question without the name": (None, 1.0),
            "declared phrases alone": (ClauseModel(data.types.types, {}, data.tokenizer), 0.0),
        }
        compared: tuple[tuple[Source, tuple[float, ...]], ...] = (
            ("headings", (1.0,)),
            ("spans", (0.0, 1.0, 2.0)),
        )
        for source, weights in compared:
            learned = learn_all(data, rows, source, asked_only=True)
            model = ClauseModel(data.types.types, learned, data.tokenizer)
            for words in weights:
                variants[f"learned from {source}, {words} of BM25"] = (model, words)
        for name, (model, words) in variants.items():
            parts[name] += list(zip(asked, measure(data, asked, model, words), strict=True))
        print(f"part {fold + 1} done", flush=True)
    for name, results in parts.items():
        show(name, [each for _, each in results])
    print()
    for kind in sorted({q.kind for q in data.questions}):
        show(kind, [each for q, each in parts["learned from spans, 1.0 of BM25"] if q.kind == kind])


if __name__ == "__main__":
    main()
