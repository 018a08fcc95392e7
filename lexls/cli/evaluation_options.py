"""The options of ``lexls eval`` and ``lexls tune``."""

from __future__ import annotations

import argparse
from pathlib import Path

from lexls.cli.generators import GENERATORS

SAMPLERS = ("tpe", "random", "grid")
OBJECTIVES = ("map", "mrr", "ndcg@10", "recall@10", "hit@5", "quality")


def add_evaluation_options(parser: argparse.ArgumentParser) -> None:
    """What ``lexls eval`` takes beside library and ranking."""
    parser.add_argument("benchmark", metavar="BENCHMARK.jsonl", type=Path, nargs="?")
    parser.add_argument(
        "--corpus", action="store_true", help="search the whole library where a line names a file"
    )
    parser.add_argument(
        "--case-base", metavar="CASES.jsonl", type=Path, help="the cases that the lines' questions ask for"
    )
    group = parser.add_argument_group("what is measured")
    group.add_argument(
        "--stages", action="store_true", help="also each stage alone and all without each, side by side"
    )
    group.add_argument(
        "--embedders",
        metavar="MODEL",
        nargs="+",
        help="compare embedding models; each gets an index of its own in the cache folder",
    )
    group.add_argument(
        "--sample",
        metavar="N",
        type=_positive,
        help="with --embedders: embed N documents only, the relevant and the most easily mistaken first",
    )
    group = parser.add_argument_group("answers")
    group.add_argument(
        "--explain",
        action="store_true",
        help="measure the answers to the questions: what they cite, whether it bears them out",
    )
    group.add_argument(
        "--generator",
        choices=[each for each in GENERATORS if each != "dry-run"],
        help="what answers (otherwise explain.generator of the settings)",
    )
    group.add_argument(
        "--bert-model",
        metavar="MODEL",
        help="the sentence-transformers model of BERTScore against reference answers",
    )
    group = parser.add_argument_group("runs")
    group.add_argument(
        "--save",
        metavar="FILE",
        type=Path,
        help="keep the ranked lists; a name that ends in .run gets TREC's format",
    )
    group.add_argument(
        "--compare",
        metavar=("RUN", "OTHER"),
        type=Path,
        nargs=2,
        help="test two saved runs against each other",
    )
    group.add_argument("--runs", metavar="RUN", type=Path, nargs="+", help="show saved runs side by side")
    group.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw the figures with their intervals (.png, .svg, .pdf)"
    )


def add_tuning_options(parser: argparse.ArgumentParser) -> None:
    """What ``lexls tune`` takes beside library and ranking."""
    parser.add_argument("benchmark", metavar="BENCHMARK.jsonl", type=Path)
    parser.add_argument(
        "--corpus", action="store_true", help="search the whole library where a line names a file"
    )
    group = parser.add_argument_group("search")
    group.add_argument(
        "--parameters", metavar="NAME", nargs="+", help="what is tuned (otherwise RRF's k and the weights)"
    )
    group.add_argument("--objective", choices=OBJECTIVES, help="what to strive for (map; of spans, quality)")
    group.add_argument("--sampler", choices=SAMPLERS, default="tpe", help="how values are chosen (tpe)")
    group.add_argument(
        "--trials", metavar="N", type=_positive, default=30, help="how many values each study tries (30)"
    )
    group.add_argument("--folds", metavar="N", type=_positive, default=5, help="for cross-validation (5)")
    group.add_argument(
        "--questions", metavar="N", type=_positive, help="only N of the questions, drawn once for all"
    )
    group.add_argument("--study", metavar="FILE", type=Path, help="keep the trials, or go on with them")
    group.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw the objective over pairs of parameters (.png, .svg)"
    )


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 10**9:
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number above 0')
    return int(text)
