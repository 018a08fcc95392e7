"""Learns what the signs of an explaining sentence count, and says what that is worth.

    python benchmarks/train_term_meaning.py --shared ../shared [--write]

Ridge regression of the grade (standardised within a term) on the signs that
``evaluation/explaining_sentences.py`` finds (their mean within the term taken out), every term counting the
same. Words beside the term take part if they stand there in at least 8 sentences and beside at least 8 terms,
so that no term's subject is learned. The figures leave one term out at a time. ``--write`` learns from all
terms and writes the weights.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexls.evaluation import explaining_sentences as sentences_module
from lexls.evaluation.benchmark import TermQuestion, read_benchmark
from lexls.evaluation.explaining_sentences import SIMILARITY, WEIGHTS_FILE, find_explaining_signs
from lexls.evaluation.measures import TERM_MEASURES, measure_rankings
from lexls.index.embedding import open_embedder
from lexls.index.tokens import Tokenizer
from lexls.retrieval.passage_search import score_by_bm25

RIDGE = 0.1
TERMS = 8
SENTENCES = 8
RANDOM_ORDERS = 200
RESAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Term:
    """One question: the signs and grade of each sentence, its BM25 score for the term."""

    name: str
    signs: list[dict[str, float]]
    grades: list[int]
    bm25: list[float]


def read_terms(path: Path) -> list[Term]:
    tokenizer, embedder = Tokenizer(), open_embedder()
    terms = []
    for question in read_benchmark(path):
        assert isinstance(question, TermQuestion)
        texts = [sentence.text for sentence in question.sentences]
        counted = [Counter(tokenizer.tokenize(text)) for text in texts]
        terms.append(
            Term(
                question.term,
                find_explaining_signs(question.term, texts, tokenizer, embedder),
                [int(sentence.grade) for sentence in question.sentences],
                score_by_bm25(tokenizer.tokenize(question.term), counted),
            )
        )
    return terms


def vocabulary(terms: Sequence[Term]) -> list[str]:
    """The signs that are common enough to be learned."""
    beside: dict[str, set[str]] = defaultdict(set)
    times: Counter[str] = Counter()
    for term in terms:
        for each in term.signs:
            for name in each:
                beside[name].add(term.name)
                times[name] += 1
    common = {name for name in beside if len(beside[name]) >= TERMS and times[name] >= SENTENCES}
    return sorted(common | {name for name in beside if " " not in name or name == "few words"} & set(times))


def matrix(term: Term, names: Sequence[str]) -> NDArray[np.float64]:
    """A row for each sentence, a column for each sign."""
    return np.array([[each.get(name, 0.0) for name in names] for each in term.signs])


def learn(terms: Sequence[Term], names: Sequence[str]) -> NDArray[np.float64]:
    """The weight of each sign."""
    products = np.zeros((len(names), len(names)))
    towards = np.zeros(len(names))
    for term in terms:
        rows, grades = matrix(term, names), np.array(term.grades, float)
        rows = rows - rows.mean(axis=0)
        # A term whose sentences are nearly all of one grade must not shout.
        wanted = (grades - grades.mean()) / max(float(grades.std()), 0.3)
        products += rows.T @ rows / len(grades)
        towards += rows.T @ wanted / len(grades)
    return np.linalg.solve(products / len(terms) + RIDGE * np.eye(len(names)), towards / len(terms))


def ordered(scores: Sequence[float]) -> list[str]:
    return [str(number) for number in sorted(range(len(scores)), key=lambda number: -scores[number])]


def figures(terms: Sequence[Term], orders: Sequence[list[str]]) -> NDArray[np.float64]:
    """nDCG@10 and @100, a row for each term."""
    judged = [{str(number): grade for number, grade in enumerate(term.grades)} for term in terms]
    return np.array([list(each.values()) for each in measure_rankings(judged, orders, TERM_MEASURES)])


def at_random(terms: Sequence[Term]) -> NDArray[np.float64]:
    chance = random.Random(0)
    return np.mean(
        [
            figures(terms, [ordered([chance.random() for _ in t.grades]) for t in terms])
            for _ in range(RANDOM_ORDERS)
        ],
        axis=0,
    )


def left_out(terms: Sequence[Term], without: frozenset[str] = frozenset()) -> NDArray[np.float64]:
    """The figures of each term by weights learned from the others."""
    orders = []
    for number, term in enumerate(terms):
        others = [*terms[:number], *terms[number + 1 :]]
        names = [name for name in vocabulary(others) if kind(name) not in without]
        orders.append(ordered((matrix(term, names) @ learn(others, names)).tolist()))
    return figures(terms, orders)


def kind(name: str) -> str:
    return "words beside the term" if name.split()[0] in ("left", "right", "starts", "ends") else name


def interval(rows: NDArray[np.float64]) -> str:
    """The mean with its 95% bootstrap interval over terms."""
    drawn = np.random.default_rng(0).integers(0, len(rows), (RESAMPLES, len(rows)))
    low, high = np.percentile(rows[drawn].mean(axis=1), [2.5, 97.5])
    return f"{rows.mean():.3f} ({low:.3f}–{high:.3f})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the weights learned from all terms")
    options = parser.parse_args()
    terms = read_terms(options.shared / "benchmarks/term_meaning_us.dev.jsonl")
    learned = left_out(terms)
    rows = {
        f"random order (mean of {RANDOM_ORDERS})": at_random(terms),
        "BM25 of the term among the sentences": figures(terms, [ordered(term.bm25) for term in terms]),
        "similarity alone": figures(
            terms, [ordered([s.get(SIMILARITY, 0.0) for s in t.signs]) for t in terms]
        ),
        "**signs, learned from the other terms**": learned,
    }
    rows |= {
        f"without {name}": left_out(terms, frozenset({name}))
        for name in (SIMILARITY, "words beside the term", "shared", "quoted", "listed", "in other definition",
                     "few words", "reasoning")
    }  # fmt: skip
    print("| ranking | nDCG@10 | nDCG@100 |\n| --- | --- | --- |")
    for name, each in rows.items():
        print(f"| {name} | {interval(each[:, 0])} | {interval(each[:, 1])} |")
    bm25 = rows["BM25 of the term among the sentences"]
    print(
        "\nGain over BM25:", " and ".join(interval((learned - bm25)[:, each : each + 1]) for each in (0, 1))
    )
    if options.write:
        names = vocabulary(terms)
        weights = {
            name: round(float(weight), 3) for name, weight in zip(names, learn(terms, names), strict=True)
        }
        path = Path(sentences_module.__file__).parent / "data" / WEIGHTS_FILE
        text = json.dumps({"made by": "benchmarks/train_term_meaning.py", "weights": weights}, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
        print(f"{path}: {len(weights)} weights")
    return 0


if __name__ == "__main__":
    sys.exit(main())
