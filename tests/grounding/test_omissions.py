"""Sentences of a small model beside the quotation that they were written on: which of them stand above it."""

from __future__ import annotations

import pytest
from standing import check


@pytest.mark.parametrize(
    ("quotation", "sentence"),
    [
        ("It is settled law that a ferryman may refuse a horse.", "A ferryman may refuse a horse."),
        ("We hold that a ferryman may refuse a horse.", "A ferryman may refuse a horse."),
        (
            "A ferryman, who keeps a common calling, must carry all that offer.",
            "A ferryman must carry all that offer.",
        ),
        (
            "A ferryman may refuse a horse, and is bound to carry its rider.",
            "A ferryman is bound to carry its rider.",
        ),
        (
            "A ferryman is liable for a drowned horse because he chose the hour.",
            "A ferryman is liable for a drowned horse.",
        ),
        ("A ferryman has no right to refuse a horse.", "A ferryman cannot refuse a horse."),
        ("A ferryman is entitled to refuse a horse.", "A ferryman may refuse a horse."),
        (
            "The burden of proving that the rope was sound lies on the ferryman.",
            "The ferryman bears the burden of proving that the rope was sound.",
        ),
        ("A horse may be carried only with the consent of its owner.",
         "A horse may not be carried without the consent of its owner."),
        ("A ferryman under no circumstance is liable for a swimming horse.",
         "A ferryman is not liable for a swimming horse."),
        ("A horse was drowned. The ferryman must pay for it.", "The ferryman must pay for the horse."),
    ],
)  # fmt: skip
def test_parts_that_limit_nothing_may_be_left_out(quotation: str, sentence: str) -> None:
    check(quotation, sentence, True)


@pytest.mark.parametrize(
    ("quotation", "sentence"),
    [
        ("Whether a ferryman may refuse a horse depends on the weather.", "A ferryman may refuse a horse."),
        ("The plaintiff argued that a ferryman may refuse a horse.", "A ferryman may refuse a horse."),
        ("The witness said that the ferryman was drunk.", "The ferryman was drunk."),
        ("There is no evidence that a ferryman may refuse a horse.", "A ferryman may refuse a horse."),
        ("The court below held that a ferryman may refuse a horse.", "A ferryman may refuse a horse."),
        ("The second premise of the appeal is that a horse is freight.", "A horse is freight."),
        ("A horse which is lame cannot be carried.", "A horse cannot be carried."),
        ("A horse with a rider cannot be carried.", "A horse cannot be carried."),
        ("A ferryman may refuse a horse if the river is high.", "A ferryman may refuse a horse."),
        ("In such cases, a ferryman may refuse a horse.", "A ferryman may refuse a horse."),
        ("A ferryman is liable for a horse drowned by his neglect.", "A ferryman is liable for a horse."),
        ("Some ferrymen may refuse a horse.", "Ferrymen may refuse a horse."),
        ("Not all ferrymen are liable.", "Ferrymen are not liable."),
        ("A ferryman may refuse a horse, but only on a Sunday.", "A ferryman may refuse a horse."),
        ("A ferryman must carry the rider or return the fare.", "A ferryman must carry the rider."),
        ("The owner of a horse must warn the ferryman.", "The ferryman must warn the owner of a horse."),
        ("The ferryman must feed and water a horse.", "The ferryman must feed or water a horse."),
        (
            "It was not, however, drowned under the Ferries Code.",
            "It was, however, drowned under the Ferries Code.",
        ),
        ("Hull filed an opinion, which Dask joined.", "Hull joined an opinion, which Dask filed."),
        ("Such a ferryman may refuse a horse.", "A ferryman may refuse a horse."),
        ("Two witnesses must see the horse.", "Witnesses must see the horse."),
        ("Goods go from the ferry to the inn.", "Goods go to the ferry from the inn."),
        (
            "A ferryman answers for a horse if it is proved that the loss came of what he did— (a) meaning "
            "to cause the loss; or (b) not caring whether it came.",
            "A ferryman answers for a horse if it is proved that the loss came of what he did.",
        ),
        ("It is not a breach to turn back.", "To refuse a horse is not a breach to turn back."),
        ("The ferryman must carry the rider and", "The ferryman must carry the rider and"),
    ],
)
def test_what_limits_or_turns_may_not(quotation: str, sentence: str) -> None:
    check(quotation, sentence, False)


@pytest.mark.parametrize(
    ("quotation", "sentence", "stands"),
    [
        ("A ferryman has no right to refuse a horse.", "No, a ferryman cannot refuse a horse.", True),
        ("A ferryman may refuse a horse.", "Yes, a ferryman may refuse a horse.", True),
        ("A ferryman may refuse a horse.", "No. A ferryman may refuse a horse.", False),
        ("A ferryman may not refuse a horse.", "Yes, a ferryman may not refuse a horse.", False),
        ("A ferryman may not carry a horse.", "No, a ferryman may not carry a horse.", False),
        ("A ferryman may not drink.", "No, a ferryman may not drink.", False),
        ("A ferryman may refuse it.", "A ferryman may refuse a fishing horse.", False),
        ("A ferryman of the town may refuse it.", "A ferryman may refuse it.", False),
    ],
)
def test_yes_and_no_need_the_answer_behind_them(quotation: str, sentence: str, stands: bool) -> None:
    check(quotation, sentence, stands)


def test_what_the_question_says_need_not_be_said_again() -> None:
    quotation = "The keeper of a toll bridge must keep its planks sound."
    check(quotation, "The keeper must keep its planks sound.", False)
    check(
        quotation, "The keeper must keep its planks sound.", True, "What must the keeper of a toll bridge do?"
    )


def test_words_of_the_question_are_no_evidence() -> None:
    sentence = "A carrier who breaks the rule breaks a covenant and owes nothing."
    check("A carter who breaks the rule breaks a covenant.", sentence, False, sentence)


@pytest.mark.parametrize(
    ("quotation", "sentence"),
    [
        (
            "There is no general duty to carry a horse, or to carry its rider, in good faith.",
            "There is no general duty to carry a horse.",
        ),
        ("A passage cannot be claimed as a matter of right.", "A passage cannot be claimed."),
        ("It is the duty of the court to find that the rope was sound.", "The rope was sound."),
        ("A court may hold that the rope was sound.", "The rope was sound."),
        (
            "The court may stop the ferry only if (a) the owner was heard; and (b) the river is in flood.",
            "The court may stop the ferry only if the owner was heard.",
        ),
        (
            "A ferryman must show that (1) the rope held, (2) the deck was dry, and (3) he was sober.",
            "A ferryman must show that (1) the rope held, (2) the deck was dry.",
        ),
    ],
)
def test_what_is_denied_or_required_as_a_whole_is_not_cut(quotation: str, sentence: str) -> None:
    check(quotation, sentence, stands=False, question="Can a passage be claimed as a matter of right?")


@pytest.mark.parametrize("conceding", ["Although", "Though", "While", "Even though"])
def test_what_is_conceded_does_not_stand_without_what_is_held_against_it(conceding: str) -> None:
    quotation = f"{conceding} the toll is higher than that of the bridge, the difference is small."
    check(quotation, "The toll is higher than that of the bridge.", stands=False)


def test_what_is_held_stands_without_what_was_conceded() -> None:
    quotation = "Although the toll is higher than that of the bridge, the difference is small."
    check(quotation, "The difference is small.", stands=True)


@pytest.mark.parametrize(
    ("quotation", "sentence"),
    [
        (
            "A second horse, to count against the owner, must be as strong as the first.",
            "A second horse must be as strong as the first.",
        ),
        (
            "A ferryman who finds a chest that seems locked, and to have been left by mistake, must keep it.",
            "A ferryman who finds a chest that seems locked must keep it.",
        ),
    ],
)
def test_no_aside_is_cut_that_says_for_what_or_of_which(quotation: str, sentence: str) -> None:
    check(quotation, sentence, stands=False)
