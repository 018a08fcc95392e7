"""Lists of provisions as one statement."""

from __future__ import annotations

import pytest

from lexls.grounding.selection import LONGEST, join_enumerations
from lexls.text.sentences import find_paragraphs
from lexls.text.spans import Span
from lexls.wording.prose import find_statements


def statements(text: str) -> list[str]:
    """What is read from a text: paragraph by paragraph, with lists joined."""
    cut = [
        found.shift(piece.start)
        for piece in find_paragraphs(text)
        for found in find_statements(piece.of(text))
    ]
    return [" ".join(each.of(text).split()) for each in join_enumerations(cut, text)]


def test_what_opens_a_list_is_read_with_its_items() -> None:
    text = """\
(1) It is no breach for a ferry to wait—

(a) in order to save a life on the river; or

(b) where the keeper of the lock orders it.

(2) The burden of proving an order lies on the ferry."""
    assert statements(text) == [
        "(1) It is no breach for a ferry to wait— (a) in order to save a life on the river; or (b) where the "
        "keeper of the lock orders it.",
        "(2) The burden of proving an order lies on the ferry.",
    ]


def test_an_item_too_short_to_state_anything_is_in_it() -> None:
    text = (
        "It ends if the holder—\n\n(a) dies;\n\n(b) ceases to live within the parish; or\n\n(c) asks.\n\nNo."
    )
    assert statements(text) == [
        "It ends if the holder— (a) dies; (b) ceases to live within the parish; or (c) asks."
    ]


def test_what_is_no_list_stays_as_it_is() -> None:
    text = (
        "The rule is this: no ferry waits.\n\nA ferry that waits must pay—\n\nThe keeper shall keep a book."
    )
    assert len(statements(text)) == len(
        [found for piece in find_paragraphs(text) for found in find_statements(piece.of(text))]
    )


def test_a_long_list_is_read_item_by_item() -> None:
    items = [
        f"({letter}) a vessel that carries more than {number} tons of grain;"
        for number, letter in enumerate("abcdefghijklmnopqrstuvwxyz")
    ]
    text = "\n\n".join(["Every keeper shall enter into the book—", *items])
    assert len(text) > LONGEST
    assert len(statements(text)) == 27


@pytest.mark.parametrize("text", ["", "(a) " * 5000, "—\n\n" * 2000])
def test_odd_text_is_read_too(text: str) -> None:
    assert join_enumerations([Span(0, len(text))] if text else [], text) == (
        [Span(0, len(text))] if text else []
    )
