"""Bringing evidence down to what a model can read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_samples import BRIDGE, FERRY, evidence

from lexls.grounding.evidence import TextSegment
from lexls.grounding.generators.remote import LEAST_CHARS, fit_evidence, shorten_evidence

LONG = " ".join(f"word{number}" for number in range(300))


def test_what_fits_is_left_as_it_is() -> None:
    pieces = (evidence(1, BRIDGE), evidence(2, FERRY))
    assert fit_evidence(pieces, len(BRIDGE) + len(FERRY)) == pieces


def test_last_passages_go_first_and_the_one_at_the_edge_is_cut() -> None:
    pieces = tuple(evidence(number, LONG) for number in (1, 2, 3))
    first, second = fit_evidence(pieces, len(LONG) + 600)
    assert first == pieces[0]
    assert second.identifier == "P2"
    assert LEAST_CHARS < len(second.text) <= 600


def test_passage_that_would_be_cut_to_nothing_is_left_out() -> None:
    pieces = (evidence(1, LONG), evidence(2, LONG))
    assert fit_evidence(pieces, len(LONG) + LEAST_CHARS - 1) == pieces[:1]
    assert fit_evidence(pieces, LEAST_CHARS - 1) == ()
    assert fit_evidence((), 100) == ()


def test_cut_passage_keeps_its_core_and_what_is_around_it() -> None:
    at = LONG.index("word150 ")
    piece = evidence(1, LONG, start=5000, core=(5000 + at, 5000 + at + 24))
    cut = shorten_evidence(piece, 400)
    assert "word150 word151 word152" in cut.text
    assert cut.text.index("word150") > 100
    assert len(cut.text) - cut.text.index("word152") > 100
    assert cut.core == piece.core


def test_core_at_an_edge_leaves_the_room_to_the_other_side() -> None:
    piece = evidence(1, LONG, core=(0, 20))
    assert len(shorten_evidence(piece, 400).text) > 380
    piece = evidence(1, LONG, core=(len(LONG) - 20, len(LONG)))
    assert shorten_evidence(piece, 400).text == LONG[-400:].partition(" ")[2]


def test_core_longer_than_the_room_keeps_its_beginning() -> None:
    cut = shorten_evidence(evidence(1, LONG, core=(100, 2000)), 300)
    assert cut.start <= 110
    assert cut.core[0] >= 100


def test_segments_stay_true() -> None:
    text = LONG
    segments = tuple(
        TextSegment(at, str(number)) for number, at in enumerate(range(0, len(text), 100), start=1)
    )
    piece = replace(evidence(1, text, core=(1000, 1100)), segments=segments)
    cut = shorten_evidence(piece, 350)
    assert cut.segments[0].start == cut.start
    for offset in range(cut.start, cut.end):
        assert cut.segment_at(offset).label == piece.segment_at(offset).label


@given(
    st.text(alphabet="ab \n", min_size=1, max_size=300),
    st.integers(0, 300),
    st.integers(0, 300),
    st.integers(1, 300),
)
@settings(deadline=None)
def test_cut_is_always_a_piece_of_the_same_text(text: str, one: int, other: int, chars: int) -> None:
    low, high = sorted((min(one, len(text)), min(other, len(text))))
    piece = evidence(1, text, start=40, core=(40 + low, 40 + high))
    cut = shorten_evidence(piece, chars)
    assert len(cut.text) <= max(chars, 0)
    assert cut.text == text[cut.start - 40 : cut.end - 40]
    assert 40 <= cut.start <= cut.core[0] <= cut.core[1] <= cut.end
    assert cut.segments[0].start == cut.start
    assert cut.pin(cut.start, cut.end).text == cut.text


@pytest.mark.parametrize("chars", [200, 500])
def test_words_are_not_cut_in_two(chars: int) -> None:
    cut = shorten_evidence(evidence(1, LONG, core=(700, 720)), chars)
    assert set(cut.text.split()) <= set(LONG.split())


def test_text_without_spaces_is_cut_all_the_same() -> None:
    assert shorten_evidence(evidence(1, "x" * 900, core=(300, 310)), 100).text == "x" * 100
