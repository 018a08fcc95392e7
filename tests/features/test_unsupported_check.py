"""Propositions of law without authority, which are only told of when asked for."""

from __future__ import annotations

import pytest

ALSO = ("no-authority",)


def test_a_proposition_without_authority(check_draft) -> None:
    check_draft(
        """\
A carrier who leaves the agreed route must answer for every loss that follows.
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no-authority: nothing is \
cited for this proposition of law
""",
        also=ALSO,
    )


def test_it_is_off_by_default(check_draft) -> None:
    check_draft("A carrier who leaves the agreed route must answer for every loss that follows.")


@pytest.mark.parametrize(
    "draft",
    [
        "A carrier who leaves it must answer for each loss: *Carrow v Luff* [2014] ASC 12 at [3].",
        "A carrier who leaves it must answer for each loss. See *Carrow v Luff* [2014] ASC 12 at [3].",
        "A carrier who leaves it must answer for each loss.[^1]\n\n[^1]: *Carrow v Luff* [2014] ASC 12.",
        "A carrier who leaves it must answer for each loss. That is clear. It is also fair. See *Carrow v "
        "Luff* [2014] ASC 12 at [3].",
        "The claimant must prove that the carrier left the route without any necessity.",
        "The brig Heron arrived at Tollen in the evening with forty bales of wet wool.",
        "# Every carrier must answer for every loss that follows from his departure.",
    ],
)
def test_what_is_supported_or_no_law_is_left_alone(check_draft, draft: str) -> None:
    check_draft(draft, also=ALSO)
