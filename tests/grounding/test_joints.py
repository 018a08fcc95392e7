"""Sentences with no word of their own that cut what joins the clauses of a quotation, or join two of them."""

from __future__ import annotations

import pytest

from tests.grounding.standing import check

MILL = "What must a miller or the carter of the mill do?"


@pytest.mark.parametrize(
    ("quotation", "sentence", "stands"),
    [
        ("So does everyone who keeps a weir.", "Everyone keeps a weir.", False),
        ("A miller who wets the grain forfeits his toll.",
         "A miller wets the grain forfeits his toll.", False),
        ("A miller who wets the grain forfeits his toll.",
         "The miller who wets the grain forfeits his toll.", True),
        ("A mill which grinds by night and draws from the weir owes a toll to the bridge.",
         "A mill grinds by night and draws from the weir owes a toll to the bridge.", False),
        ("A mill which grinds by night owes a toll to the bridge.",
         "A mill that grinds by night owes a toll to the bridge.", True),
        ("A mill which grinds by night owes a toll to the bridge.",
         "A mill grinding by night owes a toll to the bridge.", True),
        ("The sluices which are needed to drain the meadow were never built.",
         "The sluices needed to drain the meadow were never built.", True),
        ("The sluices that are closed at harvest must be opened by the miller.",
         "The sluices are closed at harvest must be opened by the miller.", False),
        ("A claim to which the custom of the weir applies must be brought by harvest.",
         "A claim to the custom of the weir applies must be brought by harvest.", False),
        ("The grain which the miller wetted was sold.", "The grain the miller wetted was sold.", True),
        ("We hold that a miller must grind in turn.", "A miller must grind in turn.", True),
        ("A rule that rewards the idle over the busy needs a reason.",
         "A rule rewards the idle over the busy needs a reason.", False),
    ],
)  # fmt: skip
def test_what_defines_is_not_what_is_said(quotation: str, sentence: str, stands: bool) -> None:
    check(quotation, sentence, stands, MILL)


@pytest.mark.parametrize(
    ("quotation", "sentence", "stands"),
    [
        ("That is a question of the custom of the weir; it is presumed at harvest.",
         "The question of the custom of the weir is presumed at harvest.", False),
        ("Every carter has such a choice, and it is made at the gate.",
         "Every carter has such a choice is made at the gate.", False),
        ("The toll is due to the keeper of the weir. Grain is due at harvest.",
         "The toll is due to the keeper of the weir grain is due at harvest.", False),
        ("The toll is due to the keeper of the weir; grain is due at harvest.",
         "The toll is due to the keeper of the weir, and grain is due at harvest.", True),
        ("The miller keeps the weir, and the carter keeps the gate.",
         "The miller keeps the weir, the carter keeps the gate.", True),
    ],
)  # fmt: skip
def test_two_clauses_are_not_welded(quotation: str, sentence: str, stands: bool) -> None:
    check(quotation, sentence, stands, MILL)


@pytest.mark.parametrize(
    ("quotation", "sentence", "stands"),
    [
        ("It is not a breach of the old custom of the weir and of the meadow for the carter to wait.",
         "The carter is not a breach of the old custom of the weir and of the meadow for the carter to wait.",
         False),
        ("(ii) it is duly founded under the custom of the mill.",
         "The mill is duly founded under the custom of the mill.", False),
        ("They were ground at night by the servants of the miller.",
         "The servants were ground at night by the servants of the miller.", False),
        ("He was the best of those who kept the weir and gave his reasons.",
         "The reasons was the best of those who kept the weir and gave his reasons.", False),
        ("It is not a general sense of what is convenient in a case before the court.",
         "The case is not a general sense of what is convenient in a case before the court.", False),
        ("A wheel was broken. The miller must pay for it.", "The miller must pay for the wheel.", True),
    ],
)  # fmt: skip
def test_a_pronoun_stands_for_what_goes_before(quotation: str, sentence: str, stands: bool) -> None:
    check(quotation, sentence, stands, MILL)


@pytest.mark.parametrize(
    ("quotation", "sentence", "stands"),
    [
        ("In this case, the Court of Appeals held that a wet sack forfeits the toll.",
         "A wet sack forfeits the toll.", False),
        ("It was observed by the trial judge that a wet sack forfeits the toll.",
         "A wet sack forfeits the toll.", False),
        ("It is further stated that a wet sack forfeits the toll.", "A wet sack forfeits the toll.", False),
        ("It held that a wet sack forfeits the toll.", "A wet sack forfeits the toll.", False),
        ("A wet sack, the carter argues, forfeits the toll.", "A wet sack forfeits the toll.", False),
        ("A wet sack, as the carter contends, forfeits the toll.", "A wet sack forfeits the toll.", False),
        ("A wet sack, it was held, forfeits the toll.", "A wet sack forfeits the toll.", False),
        ("A wet sack forfeits the toll, according to the miller.", "A wet sack forfeits the toll.", False),
        ("A wet sack forfeits the toll, the trial court found.", "A wet sack forfeits the toll.", False),
        ("A county officer testified that B.L.S. wetted the sack and sold it.",
         "B.L.S. wetted the sack and sold it.", False),
        ("This rule of ours is shown by the clerk of the mill, who stated that a wet sack forfeits the toll.",
         "A wet sack forfeits the toll.", False),
        ("In this case we hold that a wet sack forfeits the toll.", "A wet sack forfeits the toll.", True),
        ("This Court held that a wet sack forfeits the toll.", "A wet sack forfeits the toll.", True),
        ("It is settled that a wet sack forfeits the toll.", "A wet sack forfeits the toll.", True),
        ("A wet sack, it is well known, forfeits the toll.", "A wet sack forfeits the toll.", True),
        ("A wet sack, as we have said, forfeits the toll.", "A wet sack forfeits the toll.", True),
        ("We agree with the plaintiff and find that a wet sack forfeits the toll.",
         "A wet sack forfeits the toll.", True),
    ],
)  # fmt: skip
def test_what_another_said_is_not_so(quotation: str, sentence: str, stands: bool) -> None:
    check(quotation, sentence, stands, MILL)


@pytest.mark.parametrize(
    ("quotation", "sentence", "stands"),
    [
        ("The miller must show a sound wheel, a risk of flood, and that in all weathers the sluice is open.",
         "The miller must show a sound wheel, a risk of flood.", False),
        ("The miller must prove that the wheel is sound, and that the sluice is open.",
         "The miller must prove that the wheel is sound.", False),
        ("A carter can recover by showing that the sack was wet and the miller was warned.",
         "A carter can recover by showing that the sack was wet.", False),
        ("The miller may stop the wheel if the river is high and the sluice is open.",
         "The miller may stop the wheel if the river is high.", False),
        ("The miller may stop the wheel where the river is high, and where the sluice is open.",
         "The miller may stop the wheel where the river is high.", False),
        ("The miller may stop the wheel if the river is high, and the carter must wait.",
         "The miller may stop the wheel if the river is high.", True),
        ("Where the wheel is found to be sound and the sluice is open, it will be for the carter to wait.",
         "Where the wheel is found to be sound.", False),
        ("A carter can wait for as long as, and no longer than, the miller.",
         "A carter can wait for as long as.", False),
        ("If the river is high, the miller must stop the wheel, and open the sluice.",
         "If the river is high, the miller must stop the wheel.", True),
    ],
)  # fmt: skip
def test_no_element_is_left_out(quotation: str, sentence: str, stands: bool) -> None:
    check(quotation, sentence, stands, MILL)


@pytest.mark.parametrize(
    ("quotation", "sentence", "stands"),
    [
        ("To grind at night would be a breach of the custom.",
         "To grind at night is a breach of the custom.", False),
        ("To grind at night would be a breach of the custom.",
         "To grind at night will be a breach of the custom.", False),
        ("To grind at night would be a breach of the custom.",
         "To grind at night would breach the custom.", True),
    ],
)  # fmt: skip
def test_what_would_be_is_not_what_is(quotation: str, sentence: str, stands: bool) -> None:
    check(quotation, sentence, stands, MILL)


@pytest.mark.parametrize(
    ("quotation", "sentence", "stands"),
    [
        ("A wet sack does not by itself take the miller out of the limit in section 10; the limit is lost "
         "only if the facts required by section 11 are proved.",
         "A wet sack does not by itself take the miller out of the limit in section 11.", False),
        ("A wet sack does not by itself take the miller out of the limit in section 10; the limit is lost "
         "only if the facts required by section 11 are proved.",
         "A wet sack does not by itself take the miller out of the limit in section 10.", True),
        ("Clause 3 governs the toll of the miller and clause 5 governs the hire of the carter.",
         "Clause 5 governs the toll of the miller and clause 3 governs the hire of the carter.", False),
        ("Clause 3 governs the toll of the miller; clause 5 governs the hire of the carter.",
         "Clause 5 governs the hire of the carter.", True),
        ("The miller must answer within 14 days and the carter must pay within 28 days.",
         "The miller must answer within 28 days and the carter must pay within 14 days.", False),
        ("The miller must answer within 14 days and the carter must pay within 28 days.",
         "The carter must pay within 28 days.", True),
        ("The mill was let on 3 May 1910 and sold on 9 June 1912.",
         "The mill was let on 9 June 1912 and sold on 3 May 1910.", False),
        ("The miller took five of the sacks and left nine of them.",
         "The miller took nine of the sacks and left five of them.", False),
        ("The miller took five (5) of the sacks and left nine of them.",
         "The miller took five of the sacks and left nine of them.", True),
    ],
)  # fmt: skip
def test_numbers_do_not_change_places(quotation: str, sentence: str, stands: bool) -> None:
    check(quotation, sentence, stands, MILL)
