"""Whose words a judgment's sentence tells."""

from __future__ import annotations

import pytest

from lexls.grounding.reading import reports_a_party


@pytest.mark.parametrize(
    "sentence",
    [
        "The appellant says that the barge was late without excuse.",
        "[4] Mr Tarn for the respondent submitted that the notice was bad.",
        "Learned counsel appearing for the State, relying on the schedule, contended that none was needed.",
        "Counsel next argued that the clause is a penalty.",
        "It was further submitted that the tribunal had no power.",
        "It has been contended that the weir was never licensed.",
        "The plaintiffs’ second argument was that a crate is not a package.",
        "His second is that clause 9 is void.",
        "Plaintiff finally contends that the terms are unconscionable.",
        "Quenby’s answer was that the risk had passed.",
        "Mrs Calder KC, for the owners, says the hull was sound.",
    ],
)
def test_what_a_party_says_is_a_partys(sentence: str) -> None:
    assert reports_a_party(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We reject the submission that the clause is a penalty.",
        "The appellant contended that leave was needed, but that argument fails.",
        "I accept that the respondent said nothing of the leak.",
        "The claimant must show a good arguable case on the merits of the claim.",
        "If the defendant knows the fact, then to say nothing is to hide it.",
        "A sum is a penalty only if it is extravagant.",
        "The first is whether the obligation arises on a breach.",
        "A plaintiff may rely on section 4.",
    ],
)
def test_what_the_court_says_is_the_courts(sentence: str) -> None:
    assert not reports_a_party(sentence)
