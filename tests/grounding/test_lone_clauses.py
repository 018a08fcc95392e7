"""The clauses of quotations that can stand alone."""

from __future__ import annotations

import pytest

from lexls.grounding.lone_clauses import list_clauses


@pytest.mark.parametrize(
    ("quotation", "clause"),
    [
        ("It is settled law that a ferryman may refuse a horse.", "A ferryman may refuse a horse."),
        ("[4] I would hold that the toll is a debt and no more.", "The toll is a debt and no more."),
        (
            "Held, dismissing the appeal, that the rope was old; that the owner bears the burden of proof; "
            "and that costs follow.",
            "The owner bears the burden of proof.",
        ),
        (
            "The duty is personal to the carrier and cannot be delegated, so that it answers for a repairer.",
            "The duty is personal to the carrier and cannot be delegated.",
        ),
    ],
)
def test_a_clause_is_found(quotation: str, clause: str) -> None:
    assert clause in list_clauses(quotation)


@pytest.mark.parametrize(
    "quotation",
    [
        "A ferryman may refuse a horse.",
        "[2031] ALC 7, 12, the ferry, the horse, and the rider in the rain on a Sunday.",
        "",
    ],
)
def test_what_is_one_clause_or_none_has_no_other(quotation: str) -> None:
    assert list_clauses(quotation) == []


def test_no_clause_runs_over_the_end_of_a_sentence() -> None:
    found = list_clauses(
        "The cloth was damaged by water in the port. The owner was told of it; he did nothing for a year."
    )
    assert "The owner was told of it." in found
    assert not any("port. The" in each for each in found)


def test_no_clause_runs_over_a_semicolon() -> None:
    found = list_clauses("It was held that the rope was old and worn through; that the owner bears the cost.")
    assert "The rope was old and worn through." in found
    assert not any(";" in each for each in found)


@pytest.mark.parametrize(
    "quotation",
    [
        'The remark, viz.: "It is clear that the rider must pay for the ferry" is in our judgment wrong.',
        "The clerk wrote that “the ferry sank and the rider is to pay” on the first page of the book.",
    ],
)
def test_no_clause_is_cut_out_of_what_is_quoted_or_out_of_its_end(quotation: str) -> None:
    assert list_clauses(quotation) == []
