from __future__ import annotations

import pytest

from lexls.retrieval.named_documents import LONGEST, split_naming


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Consider the Supply Agreement between Tarn Ltd; Quenby, Inc.; Who may end it?", "Who may end it?"),
        ("Consider the Hire Agreement between May Mills Ltd; Vale; ; What is owed?", "What is owed?"),
        ("Under the lease between Vale Ltd and Tarn plc, can the tenant sublet?", "can the tenant sublet?"),
        (
            "In Barrow v Quenby, what did the court say about luggage?",
            "what did the court say about luggage?",
        ),
        ("Which law governs the agreement between Quenby and Tarn?", "Which law governs ?"),
        ("Is there a cap on liability in the Quenby ferry agreement?", "Is there a cap on liability ?"),
        (
            "What did the court hold in Rookery v. Vale about privacy?",
            "What did the court hold about privacy?",
        ),
    ],
)
def test_what_names_a_document_is_taken_from_what_is_asked(text: str, rest: str) -> None:
    found = split_naming(text)
    assert found.rest == rest
    assert found.certain
    assert found.naming


@pytest.mark.parametrize(
    "text",
    [
        "can the tenant sublet?",
        "What is the expiration date of this contract?",
        "The lessee burned the hedges, which the lease did not allow.",
        "A right under the Fourth Amendment may be waived.",
    ],
)
def test_a_text_that_names_no_document_is_asked_whole(text: str) -> None:
    found = split_naming(text)
    assert found.rest == text
    assert not found.certain


def test_a_name_alone_stays_the_question() -> None:
    assert split_naming("the Supply Agreement between Tarn and Quenby").rest


def test_names_in_a_sentence_are_kept_apart_without_being_certain() -> None:
    found = split_naming("May the ferry Wexcombe carry hand baggage to Tarn?")
    assert found.naming == "Wexcombe Tarn"
    assert not found.certain


def test_a_narrative_names_no_document() -> None:
    text = "Under the lease between Vale and Tarn, what is owed? " * (LONGEST // 40)
    assert split_naming(text).naming == ""


def test_long_runs_of_names_are_read_at_once() -> None:
    # Would take minutes if the patterns tried all ways to part the names.
    assert split_naming("Consider " + "Alpha And Of The " * 100 + "x")
    assert split_naming(("A and " * 300)[:LONGEST])
    assert split_naming(("between A of the " * 110)[:LONGEST])
