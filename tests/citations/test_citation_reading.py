from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.citations.grammar import Grammar, cut
from lexls.citations.model import Citation
from lexls.citations.reading import Citations, _moved
from lexls.text.spans import Span

CARROW = "[2014] UKSC 12"
PARAGRAPHS = (
    f"In Carrow Shipping Ltd v Dunne {CARROW} the carrier lost.\n\n",
    "So Carrow at [14], and Ibid at [15].\n\n",
    "Nothing is cited in these words at all.\n\n",
    "Pell v Ryle [2009] UKSC 31, [2010] 1 AC 50 is of no help.\n\n",
    "Id. at 60. See section 9.\n\n",
    'The Carriage of Goods Act 1994 ("the Act") and the Pilotage Act 1988, s 4.\n\n',
    "By section 3 of the Act and the said Act, and the Carrow case.\n\n",
    "A stranger: Merrow v Poole. Ibid. Then (1990) 2 SCR 117 and 2023 SCC 2.\n\n",
    "As AIR 1973 SC 1461 has it; Carrow, supra, at 14; 2023 INSC 1043.\n\n",
    "Rao v. Das, (1973) 4 SCC 225 (“Dunne”). Dunne at [7].\n\n",
    "Carrow (n 2) [4] and Pell, above n 5, [6], but Merrow, supra note 8. Ibid.\n\n",
    "Hale v. Orr, 10 F.3d 5; Poole v. Gore, 12 F.3d 3, aff'd, 531 U.S. 98 (2000). Id. at 4.\n\n",
    "Smith v. Jones, 531 U.S. 98, 99-100 (2000). Jones, 531 U.S., at 104.\n\n",
)


def fresh(grammar: Grammar, pieces: Sequence[str], jurisdiction: str) -> tuple[Citation, ...]:
    return tuple(grammar.reader(jurisdiction).read(pieces, notes_of(pieces)))


def notes_of(pieces: Sequence[str]) -> dict[str, Span]:
    """Every third paragraph as a footnote called by its number."""
    starts = list(accumulate(map(len, pieces), initial=0))
    return {str(number): Span(starts[number], starts[number + 1] - 2) for number in range(2, len(pieces), 3)}


def of_pieces(read: Citations) -> list[str]:
    return [citation.text for piece in read.pieces for citation in piece.citations]


edits = st.lists(
    st.tuples(
        st.sampled_from(["replace", "insert", "delete", "type", "swap"]),
        st.integers(0, 30),
        st.integers(0, 30),
        st.sampled_from(PARAGRAPHS),
        st.sampled_from(["", " ", "x", "1", "Act", " v ", "[", "Carrow", "“", ". ", "Merrow", "\n"]),
    ),
    max_size=8,
)


def edited(pieces: list[str], edit: tuple[str, int, int, str, str]) -> list[str]:
    kind, one, other, paragraph, typed = edit
    pieces = list(pieces)
    if not pieces:
        return [paragraph]
    one, other = one % len(pieces), other % len(pieces)
    if kind == "replace":
        pieces[one] = paragraph
    elif kind == "insert":
        pieces.insert(one, paragraph)
    elif kind == "delete":
        del pieces[one]
    elif kind == "swap":
        pieces[one], pieces[other] = pieces[other], pieces[one]
    else:
        at = (other * 7) % len(pieces[one])
        pieces[one] = pieces[one][:at] + typed + pieces[one][at:]
    return pieces


@settings(max_examples=150, deadline=None)
@given(
    start=st.lists(st.sampled_from(PARAGRAPHS), max_size=10),
    changes=edits,
    jurisdiction=st.sampled_from(["", "UK", "IN", "US"]),
)
def test_a_text_read_again_after_edits_is_as_if_read_for_the_first_time(
    grammar: Grammar, start: list[str], changes: list[tuple[str, int, int, str, str]], jurisdiction: str
) -> None:
    reader = grammar.reader(jurisdiction)
    pieces = start
    reader.read(pieces, notes_of(pieces))
    for change in changes:
        pieces = edited(pieces, change)
        again = reader.read(pieces, notes_of(pieces))
        assert again == fresh(grammar, pieces, jurisdiction)
        text = "".join(pieces)
        assert [piece.text for piece in again.pieces] == pieces
        assert of_pieces(again) == [citation.span.of(text) for citation in again]


def test_a_text_and_its_paragraphs_have_the_same_citations(grammar: Grammar) -> None:
    text = "".join(PARAGRAPHS)
    assert cut(text) == list(PARAGRAPHS)
    assert grammar.reader("UK").read(PARAGRAPHS) == grammar.find(text, "UK")


def test_pieces_stay_the_same_objects_while_they_say_the_same(grammar: Grammar) -> None:
    reader = grammar.reader("UK")
    before = reader.read(PARAGRAPHS)
    changed = [*PARAGRAPHS[:2], "Quite other words.\n\n", *PARAGRAPHS[3:]]
    after = reader.read(changed)
    same = [one is other for one, other in zip(before.pieces, after.pieces, strict=True)]
    assert same == [number != 2 for number in range(len(PARAGRAPHS))]


def test_a_piece_is_another_when_its_short_forms_stand_for_another_authority(grammar: Grammar) -> None:
    reader = grammar.reader("UK")
    before = reader.read(PARAGRAPHS[:3])
    after = reader.read([PARAGRAPHS[0].replace("UKSC 12", "UKSC 13"), *PARAGRAPHS[1:3]])
    assert after.pieces[1] is not before.pieces[1]
    assert {citation.key for citation in after} == {"[2014] UKSC 13"}
    assert after.pieces[2] is before.pieces[2]


def test_a_piece_is_another_when_the_case_it_stands_for_gets_another_parallel_citation(
    grammar: Grammar,
) -> None:
    reader = grammar.reader("UK")
    before = reader.read([PARAGRAPHS[3], PARAGRAPHS[4]])
    after = reader.read([PARAGRAPHS[3].replace("1 AC 50", "1 AC 51"), PARAGRAPHS[4]])
    assert before[2].key == after[2].key == "[2009] UKSC 31"
    assert after.pieces[1] is not before.pieces[1]


def test_spans_move_with_the_text_before_them(grammar: Grammar) -> None:
    reader = grammar.reader("UK")
    reader.read(PARAGRAPHS)
    pieces = ["A new beginning.\n\n", *PARAGRAPHS]
    text = "".join(pieces)
    again = reader.read(pieces)
    assert again
    for citation in again:
        assert citation.span.of(text) == citation.text
        if citation.pinpoint is not None:
            assert re.search(r"\d", citation.pinpoint.span.of(text))


def test_citations_between_offsets(grammar: Grammar) -> None:
    read = grammar.reader("UK").read(PARAGRAPHS)
    every = tuple(read)
    assert every
    for start in range(0, len("".join(PARAGRAPHS)), 11):
        for end in (start, start + 1, start + 40, start + 400):
            expected = [each for each in every if each.span.start < end and each.span.end > start]
            assert read.between(start, end) == expected


def test_citations_are_a_sequence(grammar: Grammar) -> None:
    read = grammar.reader("UK").read(PARAGRAPHS)
    every = tuple(read)
    assert read == every
    assert len(read) == len(every) > 15
    assert (read[0], read[-1], read[2:5]) == (every[0], every[-1], every[2:5])
    assert [read.place_of(each) for each in every] == list(range(len(every)))
    assert [each for number in range(len(read.pieces)) for each in read.in_piece(number)] == list(every)
    assert read[1].antecedent == 0
    assert not grammar.reader("UK").read([])


def test_two_threads_are_given_the_same_citation(grammar: Grammar, monkeypatch: pytest.MonkeyPatch) -> None:
    read = grammar.reader("UK").read(PARAGRAPHS)
    both = threading.Barrier(2, timeout=10)

    def move_together(*told: Any) -> Citation:
        both.wait()  # each thread has seen that nobody has made the citation
        return _moved(*told)

    monkeypatch.setattr("lexls.citations.reading._moved", move_together)
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(lambda _: read[0], range(2))
    assert one is other is read[0]


def test_parallel_citations_have_a_group_of_their_own_in_the_text(grammar: Grammar) -> None:
    read = grammar.reader("UK").read([PARAGRAPHS[0], PARAGRAPHS[3], PARAGRAPHS[3]])
    assert len({each.group for each in read}) == 3
    assert read[1].group == read[2].group
