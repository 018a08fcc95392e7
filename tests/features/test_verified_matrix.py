"""A part of ``benchmarks/bench_verified.py``: what is altered is not verified, what is right is not wrong."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from bench_verified import Counted, Fault, run
from invented_authorities import Invented, invent, is_unseen

from lexls.citations.grammar import Grammar

LIBRARIES = ("complete", "title and citation")
CHOSEN = {"UK": 2, "US": 2, "CA": 1, "AU": 1, "EU": 1, "us-neutral": 6, "us-code": 5}
"""How many authorities of each jurisdiction or form are looked at."""
OPEN = {"See 42 U.S.C. §§ 1981, 1983."}
"""What is still called wrong: the second of two sections that lie in two files."""


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Fault]:
    grammar = Grammar.load()
    counted: dict[tuple[str, str, bool], Counted] = {}
    found = list(run(choose(grammar), LIBRARIES, tmp_path_factory.mktemp("matrix"), grammar, counted))
    assert sum(each.altered for each in counted.values()) > 400
    assert sum(each.unaltered for each in counted.values()) > 100
    return found


def choose(grammar: Grammar) -> list[Invented]:
    """A case of each of some jurisdictions, and more of the forms whose keys were once too short."""
    chosen: dict[str, list[Invented]] = {}
    for each in invent(grammar):
        form = each.core.form
        named = form.id if form.id in ("us-neutral", "us-code") else each.home if form.kind == "case" else ""
        if not is_unseen(form):
            chosen.setdefault(named, []).append(each)
    return [each for named, most in CHOSEN.items() for each in chosen[named][:most]]


def describe(faults: Sequence[Fault]) -> list[str]:
    return [f"{each.library}: {each.cell.kind}: {each.cell.text.strip()}" for each in faults]


def test_no_altered_number_is_verified(faults: Sequence[Fault]) -> None:
    wrong = [each for each in faults if each.fault == "altered, verified" and each.cell.element == "citation"]
    assert describe(wrong) == []


def test_nothing_right_is_called_wrong(faults: Sequence[Fault]) -> None:
    wrong = [each for each in faults if each.fault == "unaltered, wrong"]
    assert describe([each for each in wrong if not any(known in each.cell.text for known in OPEN)]) == []
