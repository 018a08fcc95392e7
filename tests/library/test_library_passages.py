"""Properties of blocks and passages, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lexls.library.document import AuthorityKind, Block, Metadata, SourceDocument
from lexls.library.lines import split_pieces
from lexls.library.passages import cut_passages, find_common_label
from lexls.library.structure import find_structure

WORDS = [
    "the carrier",
    "shall",
    "v.",
    "No. 5",
    "(a)",
    "“goods”",
    '"',
    "§ 12(2)",
    "e.g.",
    "1994.",
    "café 𝄞",
    "held:",
]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=40).map(
    lambda words: " ".join(words) + ". "
)
MARKS = [
    "",
    "",
    "",
    "1. ",
    "2. ",
    "3. ",
    "4. ",
    "[1] ",
    "[2] ",
    "(1) ",
    "(a) ",
    "(ii) ",
    "7.1 ",
    "12. ",
    "> ",
    "# ",
]
MARKS += [
    "## ",
    "Section 3. ",
    "Article 4 ",
    "PART II",
    "SCHEDULE 1",
    "Provided that ",
    "ANNEX A",
    "Explanation.—",
]
marks = st.sampled_from(MARKS)
ends = st.sampled_from(["\n", "\n\n", "\r\n", "\r", "\f", " \u2028", "\n\n\n \t\n", "\x85", "\u3000\n"])
lines = st.tuples(marks, st.lists(sentences, max_size=6).map("".join), ends).map("".join)
texts = st.lists(lines, max_size=25).map("".join)
kinds = st.sampled_from(["case", "statute", "regulation", "contract", "treaty", "article", "other"])


WORDS = "the carrier " * 10 + "the carrier."
OPENED_BY_A_LINE = (
    "Section 3. \nArticle e.g. held: the carrier shall No. 5 1994..\nANNEX\x0c1994. (a) e.g. (a) 1994. shall "
    "“goods” “goods”. “goods” No. e.g. 1994. the carrier e.g.. 1994. 1994."
)
"""The line that opens the annex goes with a part of it that is named by a number in brackets."""


def document_of(text: str, kind: AuthorityKind, *, markdown: bool = False) -> SourceDocument:
    blocks = find_structure(text, split_pieces(text, markdown=markdown), kind, "")
    return SourceDocument(text, Metadata(kind=kind), blocks)


def visible(text: str) -> set[int]:
    return {offset for offset, character in enumerate(text) if not character.isspace()}


@given(texts, kinds, st.booleans())
@settings(max_examples=150, deadline=None)
def test_blocks_are_in_order_apart_and_hold_all_that_is_visible(
    text: str, kind: AuthorityKind, markdown: bool
) -> None:
    blocks = document_of(text, kind, markdown=markdown).blocks
    covered: set[int] = set()
    end = 0
    for block in blocks:
        assert end <= block.start < block.end <= len(text)
        assert not text[block.start].isspace()
        assert not text[block.end - 1].isspace()
        covered.update(range(block.start, block.end))
        end = block.end
    assert visible(text) <= covered


@example(OPENED_BY_A_LINE, "contract", 20, 14)
@example(f"1. \n{WORDS} \nSCHEDULE 1\nANNEX A\n{WORDS} \n", "statute", 20, 0)
@given(texts, kinds, st.integers(20, 400), st.integers(0, 19))
@settings(max_examples=150, deadline=None)
def test_passages_hold_all_that_is_visible_and_never_two_numbered_paragraphs(
    text: str, kind: AuthorityKind, max_chars: int, overlap: int
) -> None:
    document = document_of(text, kind)
    found = cut_passages(document, max_chars, overlap)
    covered: set[int] = set()
    start = -1
    for passage in found:
        assert 0 <= passage.start < passage.end <= len(text)
        assert passage.end - passage.start <= max_chars
        assert passage.start > start
        start = passage.start
        assert not text[passage.start].isspace()
        assert not text[passage.end - 1].isspace()
        covered.update(range(passage.start, passage.end))
        touched = [
            block
            for block in document.blocks
            if block.kind in ("paragraph", "section")
            and block.start < passage.end
            and passage.start < block.end
        ]
        if touched and touched[0].kind == "paragraph":
            assert len(touched) == 1
            assert passage.paragraph == touched[0].label
        for block in touched:
            # The line that opens a schedule goes with the paragraph after it, as headings do.
            within = (f"{block.label} para ", f"{block.label}(")
            # So does that of a schedule that begins with an annex: both have letters for labels.
            alone = "\n" not in text[block.start : block.end].strip() and passage.paragraph[:1].isalpha()
            opens = block.label[:1].isalpha() and (alone or passage.paragraph.startswith(within))
            assert opens or block.label.startswith(passage.paragraph)
    assert visible(text) <= covered


@given(texts, kinds)
@settings(max_examples=60, deadline=None)
def test_without_overlap_passages_do_not_overlap(text: str, kind: AuthorityKind) -> None:
    end = 0
    found = cut_passages(document_of(text, kind), 120)
    assert found or not text.strip()
    for passage in found:
        assert passage.start >= end
        end = passage.end


def test_a_long_paragraph_is_cut_at_the_ends_of_sentences() -> None:
    text = (
        "1. " + "The carrier in Carrow v. Meridian took the goods under section 12. It lost them all. " * 40
    )
    document = SourceDocument(text.rstrip(), Metadata(), (Block(0, len(text.rstrip()), "paragraph", "1"),))
    found = cut_passages(document, 500)
    assert len(found) > 5
    assert {passage.paragraph for passage in found} == {"1"}
    assert all(text[passage.start : passage.end].endswith(("12.", "all.")) for passage in found)


def test_small_pieces_under_one_heading_are_joined_and_the_heading_goes_with_them() -> None:
    text = "# Title\n\n## Facts\n\nOne.\n\nTwo.\n\n## Law\n\nThree.\n"
    found = cut_passages(document_of(text, "other", markdown=True))
    assert [(" ".join(text[p.start : p.end].split()), p.heading) for p in found] == [
        ("# Title ## Facts One. Two.", "Facts"),
        ("## Law Three.", "Law"),
    ]


def test_the_parts_of_a_section_are_joined_and_a_long_one_tells_its_title() -> None:
    body = "The carrier shall take the care that a prudent owner of the goods would take of them. " * 3
    text = (
        f"## Part 1: Duties\n\n### 4 Care of goods\n\n(1) {body}\n\n(2) {body}\n\n"
        "### 5 Costs\n\n(1) Each.\n\n(2) All.\n"
    )
    found = cut_passages(document_of(text, "statute", markdown=True), 400)
    assert [(passage.paragraph, passage.heading) for passage in found] == [
        ("4", "Part 1: Duties"),
        ("4(2)", "Part 1: Duties › 4 Care of goods"),
        ("5", "Part 1: Duties"),
    ]


def test_pages_are_told_for_passages() -> None:
    text = "Heard in May.\fAllowed in June."
    document = SourceDocument(text, Metadata(), (Block(0, 13, "text"), Block(14, 30, "text")), (0, 14))
    assert [passage.page for passage in cut_passages(document, 16)] == [1, 2]


@pytest.mark.parametrize(
    ("labels", "common"),
    [
        (["12"], "12"),
        (["12(1)", "12(2)"], "12"),
        (["12(2)(a)", "12(2)(b)"], "12(2)"),
        (["7.1", "7.2(a)"], "7"),
        (["12", "12(1)(a)"], "12"),
        (["Sch 1 para 2(1)", "Sch 1 para 2(2)"], "Sch 1 para 2"),
        (["1", "2"], ""),
        ([], ""),
    ],
)
def test_the_label_that_holds_several(labels: list[str], common: str) -> None:
    assert find_common_label(labels) == common


@pytest.mark.parametrize(("max_chars", "overlap"), [(0, 0), (10, 10), (10, -1)])
def test_sizes_that_make_no_sense_are_refused(max_chars: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="max_chars"):
        cut_passages(document_of("words", "other"), max_chars, overlap)
