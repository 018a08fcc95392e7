"""A condition turned round: what the pronoun stands for, and what is another statement."""

from __future__ import annotations

import pytest
from standing import check

SAME = [
    (
        "If the ferryman pays the toll, he may refuse a horse on any day.",
        "The ferryman may refuse a horse on any day if he pays the toll.",
    ),
    (
        "If the ferryman has paid the toll for the month, he qualifies for the shelter of the charter.",
        "The ferryman qualifies for the shelter of the charter if he has paid the toll for the month.",
    ),
    (
        "Where a ferryman is ill, he may refuse a horse.",
        "A ferryman may refuse a horse where he is ill.",
    ),
    (
        "When the old ferryman is ill, she may refuse a horse.",
        "The old ferryman may refuse a horse when she is ill.",
    ),
    (
        "Unless the ferryman is ill, he must carry the horse.",
        "The ferryman must carry the horse unless he is ill.",
    ),
    (
        "The ferryman may refuse a horse if he pays the toll.",
        "If the ferryman pays the toll, he may refuse a horse.",
    ),
    (
        "But where the river is high, there is a right to refuse a horse.",
        "There is a right to refuse a horse where the river is high.",
    ),
    (
        "However, if the river is high, the ferryman may refuse a horse.",
        "The ferryman may refuse a horse if the river is high.",
    ),
    ("If a ferry sinks, it must be raised.", "A ferry must be raised if it sinks."),
    (
        "The ferryman may, if the river is high, refuse a horse.",
        "The ferryman may refuse a horse if the river is high.",
    ),
    (
        "The ferryman, if the river is high, may refuse a horse.",
        "The ferryman may refuse a horse if the river is high.",
    ),
    (
        "The ferryman may not, unless the river is high, refuse a horse.",
        "The ferryman may not refuse a horse unless the river is high.",
    ),
    (
        "The ferryman must, before the landing, warn the owner, and must feed the horse.",
        "The ferryman must warn the owner before the landing.",
    ),
    (
        "The two tests of the charter, before a toll could be fixed must be met.",
        "The two tests of the charter must be met before a toll could be fixed.",
    ),
    (
        "If the ferryman warns the owner, he may refuse a horse.",
        "If the ferryman warns the owner, the ferryman may refuse a horse.",
    ),
    (
        "If the owner of the ferry warns the ferryman, he may refuse a horse.",
        "If the owner of the ferry warns the ferryman, the owner of the ferry may refuse a horse.",
    ),
]
OTHER = [
    (
        "If the ferryman warns the owner, he may refuse a horse.",
        "If the ferryman warns the owner, the owner may refuse a horse.",
    ),
    # somebody else of the clause
    (
        "If the ferryman warns the owner, he may refuse a horse.",
        "The owner may refuse a horse if he warns the ferryman.",
    ),
    (
        "If the ferryman warns the owner, he may refuse a horse.",
        "The ferryman may refuse a horse if he warns the owner.",
    ),
    (
        "If the ferryman is paid by the owner, he may refuse a horse.",
        "The ferryman may refuse a horse if he is paid by the owner.",
    ),
    (
        "If the ferryman is warned by Orrin, he may refuse a horse.",
        "The ferryman may refuse a horse if he is warned by Orrin.",
    ),
    (
        "If the owner is ill, the ferryman may refuse a horse.",
        "The ferryman may refuse a horse if he is ill.",
    ),
    ("If the ferryman is ill, the owner may refuse a horse.", "The owner may refuse a horse if he is ill."),
    ("If the ferryman is ill, he may refuse a horse.", "The owner may refuse a horse if he is ill."),
    ("If the owner’s ferryman is ill, he may refuse a horse.", "The owner may refuse a horse if he is ill."),
    (
        "If the ferryman is ill, his owner may refuse a horse.",
        "The ferryman may refuse a horse if he is ill.",
    ),
    (
        "The ferryman must feed the horse of the owner if he asks for it.",
        "If the ferryman asks for it, he must feed the horse of the owner.",
    ),
    ("The ferryman must warn the owner if he is ill.", "If the ferryman is ill, he must warn the owner."),
    ("The ferryman must warn the owner if he is ill.", "If the owner is ill, he must warn the ferryman."),
    ("If the ferry strikes a rock, it must be raised.", "The ferry must be raised if it strikes a rock."),
    ("If a ferry sinks, it must be raised.", "It must be raised if a barge sinks."),
    # the condition shortened, or turned
    (
        "If the ferryman is ill and has paid the toll, he may refuse a horse.",
        "The ferryman may refuse a horse if he is ill.",
    ),
    (
        "If the ferryman is ill and has paid the toll, he may refuse a horse.",
        "The ferryman may refuse a horse if he has paid the toll.",
    ),
    ("If the ferryman is ill, he may refuse a horse.", "The ferryman may refuse a horse."),
    ("If the ferryman is ill, he may refuse a horse.", "The ferryman is ill if he may refuse a horse."),
    ("If the ferryman is ill, he may refuse a horse.", "The ferryman may refuse a horse only if he is ill."),
    ("If the ferryman is not ill, he must carry it.", "The ferryman must carry it if he is ill."),
    ("If the ferryman is ill, he may refuse a horse.", "The ferryman may refuse a horse unless he is ill."),
    ("If no ferryman is ill, he may refuse a horse.", "No ferryman may refuse a horse if he is ill."),
    ("If every ferryman is ill, he may refuse a horse.", "Every ferryman may refuse a horse if he is ill."),
    ("If the old ferryman is ill, he may refuse a horse.", "The ferryman may refuse a horse if he is ill."),
    (
        "If the ferryman is ill, he may refuse a horse if it is lame.",
        "The ferryman may refuse a horse if he is ill.",
    ),
    (
        "If the ferryman is ill on a Sunday, he may refuse a horse.",
        "The ferryman may refuse a horse if he is ill.",
    ),
    (
        "But where the river is high, there is a right to refuse a lame horse.",
        "There is a right to refuse a lame horse.",
    ),
    (
        "But where the river is high and wide, there is a right to refuse a horse.",
        "There is a right to refuse a horse where the river is high.",
    ),
    (
        "But even where the river is high, there is no right to refuse a horse.",
        "There is no right to refuse a horse unless the river is high.",
    ),
    ("The ferryman may, if the river is high, refuse a horse.", "The ferryman may refuse a horse."),
    (
        "The ferryman may, if the river is high and wide, refuse a horse.",
        "The ferryman may refuse a horse if the river is high.",
    ),
    (
        "A ferryman who, if he is asked, feeds a horse, may refuse a mule.",
        "A ferryman who feeds a horse may refuse a mule if he is asked.",
    ),
    (
        "The ferryman may, if the river is high, refuse a horse and must feed it if it is lame.",
        "The ferryman must feed it if the river is high.",
    ),
    (
        "The ferryman may, if the river is high, refuse a horse.",
        "The ferryman may refuse a horse only if the river is high.",
    ),
    (
        "The ferryman may, if the river is high, refuse a horse.",
        "The ferryman must refuse a horse if the river is high.",
    ),
    (
        "The ferryman may, if the river is high, refuse a horse.",
        "The ferryman may refuse a horse unless the river is high.",
    ),
    (
        "The ferryman may, if the river is high, refuse a horse.",
        "The river is high if the ferryman may refuse a horse.",
    ),
    (
        "The ferryman may, if the owner is ill, refuse a horse.",
        "The owner may refuse a horse if the ferryman is ill.",
    ),
    (
        "The owner says that the ferryman may, if the river is high, refuse a horse.",
        "The ferryman may refuse a horse if the river is high.",
    ),
    (
        "The ferryman must, if the owner asks, show that the horse is lame.",
        "The ferryman must show that the horse is lame.",
    ),
]


@pytest.mark.parametrize(("quotation", "sentence"), SAME)
def test_a_condition_may_stand_on_the_other_side(quotation: str, sentence: str) -> None:
    check(quotation, sentence, stands=True)


@pytest.mark.parametrize(("quotation", "sentence"), OTHER)
def test_a_condition_of_somebody_else_or_a_shorter_one_may_not(quotation: str, sentence: str) -> None:
    check(quotation, sentence, stands=False)
