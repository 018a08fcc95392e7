"""A quotation whose citation is wrong is reported as that, and not as one of an authority that is missing."""

from __future__ import annotations

import pytest

from lexls.assessing.excerpt import excerpt_at
from lexls.assessing.quotations import assess_quotation, find_attributions
from lexls.assessing.rules.engine import check_at_once
from lexls.assessing.verdicts import explain_quotation

WORDS = "A carrier who leaves the agreed route without necessity answers for every loss that follows"


@pytest.mark.parametrize(
    ("draft", "error", "uncompared"),
    [
        (
            f"*Carrow v Luff* [2014] ASC 21 at [3]: “{WORDS}”.",
            "Carrow v Luff is [2014] ASC 12, not [2014] ASC 21",
            [],
        ),
        (
            f"*Ostrander v Gull* [2013] ASC 40 at [3]: “{WORDS}”.",
            "Ostrander v Gull [2013] ASC 40 is not in your library",
            ["Quotation not compared: Ostrander v Gull [2013] ASC 40 is not in your library"],
        ),
    ],
)
def test_it_is_said_once_what_is_wrong(read, token, draft: str, error: str, uncompared: list[str]) -> None:  # type: ignore[no-untyped-def]
    snapshot = read(draft + "|", severities={"unverified": "warning"}).snapshot
    found = [each.message for each in check_at_once(snapshot, token, support=True).findings]
    assert error in found
    assert [each for each in found if each.startswith("Quotation not compared")] == uncompared
    ((quotation, attributed),) = find_attributions(excerpt_at(snapshot, 2))
    assert explain_quotation(assess_quotation(snapshot, quotation, attributed)) == error
