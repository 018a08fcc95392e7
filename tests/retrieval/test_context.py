from __future__ import annotations

import pytest

from lexls.grounding.context import find_parent
from lexls.library.document import Block, BlockKind

# A document is written as its blocks, one a line: kind, label, level and text; "|" marks the passage.
KINDS: dict[str, BlockKind] = {"h": "heading", "p": "paragraph", "s": "section", "t": "text"}

JUDGMENT = """\
h  1 Title
h  2 Facts
p1 0 First.
p2 0 Second.
t  0 Quoted in the second.
p3 0 Third.
h  2 Law
p4 0 Fourth.
"""
ACT = """\
h  1 An Act
s1 1 One.
s1(1) 2 One one.
s1(2) 2 One two.
s2 1 Two.
s3 1 Three.
"""


def check(document: str, passage: str, width: str, expected: str, limit: int = 10_000) -> None:
    blocks = []
    text = ""
    for line in document.splitlines():
        head, level, words = line.split(maxsplit=2)
        blocks.append(Block(len(text), len(text) + len(words), KINDS[head[0]], head[1:], int(level)))
        text += words + "\n"
    start = text.index(passage)
    span = find_parent(blocks, len(text), start, start + len(passage), width, limit)  # type: ignore[arg-type]
    assert span.of(text).replace("\n", " ").strip() == expected


def test_a_passage_is_itself() -> None:
    check(JUDGMENT, "econ", "passage", "econ")


def test_a_part_of_a_paragraph_brings_all_of_it_with_its_quotation() -> None:
    check(JUDGMENT, "Quoted", "paragraph", "Second. Quoted in the second.")
    check(JUDGMENT, "econ", "paragraph", "Second. Quoted in the second.")


def test_a_subsection_brings_its_section() -> None:
    check(ACT, "One two.", "paragraph", "One. One one. One two.")


def test_neighbours_stop_at_a_heading() -> None:
    check(JUDGMENT, "Third.", "neighbours", "Second. Quoted in the second. Third.")
    check(JUDGMENT, "Fourth.", "neighbours", "Fourth.")
    check(JUDGMENT, "Second.", "neighbours", "First. Second. Quoted in the second. Third.")


def test_neighbours_of_a_section_are_whole_sections() -> None:
    check(ACT, "Two.", "neighbours", "One. One one. One two. Two. Three.")


def test_a_section_is_what_stands_under_the_heading() -> None:
    check(JUDGMENT, "Third.", "section", "Facts First. Second. Quoted in the second. Third.")
    check(JUDGMENT, "Fourth.", "section", "Law Fourth.")


def test_under_the_title_stand_also_the_headings_below_it() -> None:
    check(
        "h 1 Title\nt 0 Preamble.\nh 2 Law\np1 0 First.", "Preamble.", "section", "Title Preamble. Law First."
    )


def test_a_long_context_keeps_what_is_near() -> None:
    check(JUDGMENT, "Third.", "section", "d. Third.", limit=9)


def test_a_limit_never_cuts_the_passage() -> None:
    check(JUDGMENT, "Second.", "section", "Second.", limit=3)


def test_text_outside_all_blocks_is_its_own_context() -> None:
    assert find_parent((), 10, 2, 5, "section").start == 2


def test_an_unknown_width_is_named() -> None:
    with pytest.raises(ValueError, match="chapter"):
        find_parent((), 10, 2, 5, "chapter")  # type: ignore[arg-type]
