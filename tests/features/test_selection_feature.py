"""How a selection grows from the cursor."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lexls.features.structure import find_selections

CITED = "Carrow v Luff [2014] ASC 12, (2014) 31 AldLR 5 at 6; Pell v Stark [2009] ACA 31 at [2]"
SENTENCE = f"It is so: {CITED}."
PARAGRAPH = f"First words. {SENTENCE}"
SECTION = f"## Law\n\n{PARAGRAPH}\n\n"
PART = f"# One\n\nOpening.\n\n{SECTION}"
DRAFT = f"{PART}# Two\n\nEnd.\n"


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("AS|C 12", ["ASC", "[2014] ASC 12", "Carrow v Luff [2014] ASC 12"]),
        ("Lu|ff [2014]", ["Luff", "Carrow v Luff", "Carrow v Luff [2014] ASC 12"]),
        ("at |6;", ["6", "(2014) 31 AldLR 5 at 6"]),
    ],
)
def test_a_selection_grows_from_word_to_draft(read, at: str, expected: list[str]) -> None:
    marked = read(DRAFT.replace(at.replace("|", ""), at, 1))
    found = [span.of(DRAFT) for span in find_selections(marked.draft, marked.start)]
    assert found == [
        *expected,
        "Carrow v Luff [2014] ASC 12, (2014) 31 AldLR 5 at 6",
        CITED,
        SENTENCE,
        PARAGRAPH,
        SECTION,
        PART,
        DRAFT,
    ]


def test_a_pinpoint_is_a_part_of_its_own(read) -> None:
    marked = read("Under the Carriage of Goods Act 1994, s 12|(1), it is so.")
    found = [span.of(marked.draft.source) for span in find_selections(marked.draft, marked.start)]
    assert found == [
        "12",
        "s 12(1)",
        "Carriage of Goods Act 1994, s 12(1)",
        "Under the Carriage of Goods Act 1994, s 12(1), it is so.",
    ]


def test_words_of_a_heading_and_blank_lines(read) -> None:
    marked = read("# The la|w\n\nWords.\n")
    assert [span.of(marked.draft.source) for span in find_selections(marked.draft, marked.start)] == [
        "law",
        "The law",
        "# The law",
        "# The law\n\nWords.\n",
    ]
    marked = read("Words.\n\n|\n\nMore.")
    assert [span.of(marked.draft.source) for span in find_selections(marked.draft, marked.start)] == [
        marked.draft.source
    ]


@pytest.mark.parametrize("markup", ["markdown", "latex", "typst", "plain"])
def test_each_span_lies_in_the_next_wherever_the_cursor_stands(read, markup) -> None:
    marked = read(DRAFT + "*a* \\textit{b} _c_ #emph[d]\r\n|", markup)
    for offset in range(len(marked.draft.source) + 1):
        spans = find_selections(marked.draft, offset)
        assert spans[-1].start == 0
        assert spans[-1].end == len(marked.draft.source)
        for inner, outer in pairwise(spans):
            assert inner.touches(offset)
            assert outer.start <= inner.start <= inner.end <= outer.end
            assert inner != outer


def test_an_empty_draft_has_its_own_range(read) -> None:
    assert len(find_selections(read("|").draft, 0)) == 1
