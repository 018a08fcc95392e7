"""Whether sentences of an authority bear out a proposition, and one of its words turned."""

from __future__ import annotations

import pytest

from lexls.grounding.verification.bearing import Statement, find_bearing
from lexls.index.tokens import Tokenizer
from lexls.text.spans import Span

TOKENS = Tokenizer().tokenize
OPINION = (
    "Before the Tide Court may appoint a receiver of a wharf, the lessor must prove that the lessee let the"
    " pilings rot.",
    "The harbour master shall hear all owners of moored vessels before he closes a basin.",
    "We affirm the order by which the Board of Tides granted 14 berths to the ferry company.",
    "It was not argued that the levy on wool was unlawful when the Board of Tides made it.",
    "We review the grant or the refusal of a licence for oysters with deference to the assessor.",
    "The motion to moor barges was granted as to coal and denied as to salt by the wharfinger.",
)
STATEMENTS = [Statement(Span(at * 1000, at * 1000 + len(text)), text) for at, text in enumerate(OPINION)]


def judge(proposition: str) -> str:
    bearing = find_bearing(proposition, STATEMENTS, TOKENS)
    assert bearing is not None
    return bearing.verdict


@pytest.mark.parametrize(
    "proposition",
    [
        *OPINION,
        "For a receiver of a wharf, the lessor must prove that the lessee let the pilings rot.",
        "The harbour master shall hear all owners of moored vessels before a basin is closed.",
        "The court affirmed the grant of 14 berths to the ferry company by the Board of Tides.",
        "This court reviews the grant of a licence for oysters with deference to the assessor.",
        "This court reviews the refusal of a licence for oysters with deference to the assessor.",
    ],
)
def test_what_an_opinion_says_is_supported(proposition: str) -> None:
    assert judge(proposition) == "supported"


@pytest.mark.parametrize(
    ("true", "turned"),
    [
        ("the lessor must prove that the lessee", "the lessee must prove that the lessor"),
        ("the lessor must prove", "the lessor may prove"),
        ("hear all owners", "hear some owners"),
        ("before he closes", "after he closes"),
        ("We affirm the order", "We reverse the order"),
        ("granted 14 berths", "denied 14 berths"),
        ("14 berths", "15 berths"),
        ("Board of Tides granted", "Tides of Board granted"),
        ("was unlawful", "was lawful"),
        ("It was not argued", "It was argued"),
        ("granted as to coal and denied as to salt", "granted as to coal and salt"),
    ],
)
def test_a_turned_word_is_not_supported(true: str, turned: str) -> None:
    said = next(each for each in OPINION if true in each)
    assert judge(said.replace(true, turned)) != "supported"


@pytest.mark.parametrize(
    "proposition",
    [
        "It has never been held that the lessor must prove that the lessee let the pilings rot.",
        "The pilings of a wharf that a lessee let rot were inadmissible.",
        "The order of the Board of Tides on berths for the ferry company was reversed.",
        "An owner of a moored vessel must hear the harbour master.",
    ],
)
def test_what_an_opinion_says_of_another_is_not_supported(proposition: str) -> None:
    assert judge(proposition) != "supported"
