"""The rows of the benchmark of small models' sentences: what each says, and whether it stands."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.grounding.standing import judge, stood

Row = dict[str, str]
LEAST = 0.95
"""The share of the true sentences that stand."""


def read_rows() -> list[Row]:
    path = Path(__file__).parents[2] / "benchmarks" / "model_sentences.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


ROWS = read_rows()


def stands(row: Row) -> bool:
    return stood(judge(row["quotation"], row["sentence"], row["question"], row["title"]))


@pytest.mark.parametrize(
    "row", [each for each in ROWS if each["label"] != "true"], ids=lambda row: row["sentence"]
)
def test_what_the_quotation_does_not_say_never_stands(row: Row) -> None:
    assert not stands(row)


def test_nearly_all_that_it_says_stands() -> None:
    true = [each for each in ROWS if each["label"] == "true"]
    missed = [each["sentence"] for each in true if not stands(each)]
    assert len(missed) <= (1 - LEAST) * len(true), missed
