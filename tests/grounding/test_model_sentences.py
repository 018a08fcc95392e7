"""The rows of the benchmark of small models' sentences: what each says, and whether it stands."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from lexls.grounding.evidence import Evidence, TextSegment
from lexls.grounding.generator import Claim, Quoted
from lexls.grounding.request import Request
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.records import Authority
from lexls.index.tokens import Tokenizer
from lexls.text.cancel import CancelToken

Row = dict[str, str]
LEAST = 0.95
"""The share of the true sentences that stand."""


def read_rows() -> list[Row]:
    path = Path(__file__).parents[2] / "benchmarks" / "model_sentences.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


ROWS = read_rows()


def stands(row: Row) -> bool:
    text = row["quotation"]
    case = Authority(1, Path("a.txt"), Path(), "a.txt", row["title"], "", (), "", "", "case", "", True)
    evidence = Evidence("P1", case, 0, len(text), text, (TextSegment(0),), (0, len(text)))
    claim = Claim(row["sentence"], (Quoted("P1", text),))
    verifier = EvidenceVerifier(Tokenizer().tokenize, 0.6)
    verdict = verifier.verify(claim, Request("ask", row["question"], (evidence,)), CancelToken())
    return verdict.sentence is not None and not verdict.sentence.is_extract


@pytest.mark.parametrize(
    "row", [each for each in ROWS if each["label"] != "true"], ids=lambda row: row["sentence"]
)
def test_what_the_quotation_does_not_say_never_stands(row: Row) -> None:
    assert not stands(row)


def test_nearly_all_that_it_says_stands() -> None:
    true = [each for each in ROWS if each["label"] == "true"]
    missed = [each["sentence"] for each in true if not stands(each)]
    assert len(missed) <= (1 - LEAST) * len(true), missed
