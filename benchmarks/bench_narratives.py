"""What each part of the ranking of narratives is worth, and what its numbers earn when others are held out.

    python benchmarks/bench_narratives.py cases ../shared/benchmarks/aila2019_cases.dev.jsonl in.sqlite3
    python benchmarks/bench_narratives.py statutes ../shared/benchmarks/aila2019_statutes.dev.jsonl st.sqlite3

Prints tables of mean average precision over the narratives: the default, the default without each part and
with its numbers moved, with 90% bootstrap intervals; and cross-validation: the settings of a grid that are
best on the other narratives, asked of the one left out (and of a fifth left out, a hundred times over).
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.narratives import NarrativeRanking, rank_narrative
from lexls.retrieval.query import Query, RelatedWords, build_query
from lexls.text.cancel import CancelToken

DEFAULT = NarrativeRanking()
Precisions = NDArray[np.float64]

CASES: Mapping[str, NarrativeRanking] = {
    "default": DEFAULT,
    "own words alone (citing 0)": replace(DEFAULT, citing=0.0),
    "own words alone, k1 = 2, b = 0.9": replace(DEFAULT, citing=0.0, k1=2.0, b=0.9),
    "k1 = 2, b = 0.9": replace(DEFAULT, k1=2.0, b=0.9),
    "citing 0.4": replace(DEFAULT, citing=0.4),
    "citing 1.2": replace(DEFAULT, citing=1.2),
    "steepness 3": replace(DEFAULT, steepness=3.0),
    "steepness 8": replace(DEFAULT, steepness=8.0),
    "50 neighbours": replace(DEFAULT, neighbours=50),
    "500 neighbours": replace(DEFAULT, neighbours=500),
}
STATUTES: Mapping[str, NarrativeRanking] = {
    "default": DEFAULT,
    "rare words alone": replace(DEFAULT, related=0.0, titles=0.0),
    "all words alone": replace(DEFAULT, related=0.0, titles=0.0, rare_share=1.0),
    "related words alone": replace(DEFAULT, rare=0.0, titles=0.0),
    "titles alone": replace(DEFAULT, rare=0.0, related=0.0),
    "without rare words": replace(DEFAULT, rare=0.0),
    "without related words": replace(DEFAULT, related=0.0),
    "without titles": replace(DEFAULT, titles=0.0),
    "rare words 1": replace(DEFAULT, rare=1.0),
    "a third of the words": replace(DEFAULT, rare_share=0.35),
    "two thirds of the words": replace(DEFAULT, rare_share=0.65),
    "100 related words": replace(DEFAULT, related_terms=100),
    "400 related words": replace(DEFAULT, related_terms=400),
    "k1 = 2, b = 0.9": replace(DEFAULT, provision_k1=2.0, provision_b=0.9),
    "titles 2": replace(DEFAULT, titles=2.0),
}


def grid(which: str) -> list[NarrativeRanking]:
    """The settings among which cross-validation chooses."""
    if which == "cases":
        return [
            replace(DEFAULT, k1=k1, b=b, citing=citing, steepness=steepness)
            for (k1, b), citing, steepness in itertools.product(
                ((2.0, 0.9), (3.0, 1.0), (6.0, 0.8)), (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2), (3.0, 5.0, 8.0)
            )
        ]
    return [
        replace(DEFAULT, rare=rare, rare_share=share, related=related, titles=titles, provision_k1=k1)
        for rare, share, related, titles, k1 in itertools.product(
            (0.5, 1.0), (0.35, 0.5, 0.65), (0.0, 0.5, 1.0), (0.0, 0.5, 1.0, 1.5), (3.0, 5.0)
        )
    ]


class Asked:
    """The narratives of a benchmark, asked of a library."""

    def __init__(self, benchmark: Path, index: Path) -> None:
        self.library = Library(index)
        self.related = RelatedWords()
        lines = benchmark.read_text(encoding="utf-8").splitlines()
        questions = [json.loads(line) for line in lines if line.strip()]
        tokenizer, grammar = Tokenizer(), Grammar.load()
        self.queries: list[Query] = [
            build_query(each["text"], tokenizer, grammar.find(each["text"]), related=self.related)
            for each in questions
        ]
        of_name = {Path(each.relative).stem: each.id for each in self.library.catalogue.all()}
        # A document without a file counts and cannot be found.
        self.gold = [{of_name.get(name, name) for name in each["gold"]} for each in questions]

    def precisions(self, ranking: NarrativeRanking) -> Precisions:
        """The average precision of each narrative over the first 1,000 documents."""
        found = []
        for query, gold in zip(self.queries, self.gold, strict=True):
            ranked = rank_narrative(self.library, query, None, None, self.related, CancelToken(), ranking)
            hits = [rank for rank, (document, _) in enumerate(ranked[:1000], 1) if document in gold]
            found.append(sum(n / rank for n, rank in enumerate(hits, 1)) / len(gold))
        return np.array(found)


def interval(precisions: Precisions) -> str:
    chance = np.random.default_rng(0)
    means = precisions[chance.integers(0, len(precisions), (10_000, len(precisions)))].mean(axis=1)
    low, high = np.percentile(means, (5, 95))
    return f"{precisions.mean():.3f} [{low:.3f}, {high:.3f}]"


def left_one_out(table: Precisions) -> Precisions:
    """Rows are settings, columns narratives: each narrative by the settings best on the others."""
    others = table.sum(axis=1, keepdims=True) - table
    return table[others.argmax(axis=0), np.arange(table.shape[1])]


def folds_left_out(table: Precisions, folds: int = 5, times: int = 100) -> Precisions:
    """As ``left_one_out`` with whole folds, the mean over divisions at random."""
    chance = np.random.default_rng(0)
    total = np.zeros(table.shape[1])
    for _ in range(times):
        for fold in np.array_split(chance.permutation(table.shape[1]), folds):
            kept = np.delete(table, fold, axis=1)
            total[fold] += table[kept.sum(axis=1).argmax(), fold]
    return total / times


def main() -> None:
    """Ask, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("which", choices=("cases", "statutes"))
    parser.add_argument("benchmark", type=Path)
    parser.add_argument("index", type=Path)
    given = parser.parse_args()
    asked = Asked(given.benchmark, given.index)
    print(f"{len(asked.queries)} narratives, {len(asked.library.catalogue.all())} documents\n")
    print("| setting | MAP [90%] |\n| --- | --- |")
    for name, ranking in (CASES if given.which == "cases" else STATUTES).items():
        print(f"| {name} | {interval(asked.precisions(ranking))} |", flush=True)
    settings = grid(given.which)
    table = np.array([asked.precisions(ranking) for ranking in settings])
    print(f"\nCross-validation among {len(settings)} settings:\n")
    print("| way | MAP [90%] |\n| --- | --- |")
    print(f"| leave one out | {interval(left_one_out(table))} |")
    print(f"| five folds, 100 times | {interval(folds_left_out(table))} |")
    means = table.mean(axis=1)
    print(f"| the grid: worst, median, best | {means.min():.3f}, {np.median(means):.3f}, {means.max():.3f} |")


if __name__ == "__main__":
    main()
