"""Lines of double-spaced text are one paragraph, and every offset stays what it was."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.citations.grammar import Grammar
from lexls.quotations.quotation import read_items
from lexls.reading.draft_parser import DraftParser
from lexls.reading.quotations import find_quotations
from lexls.text.double_spaced import close_gaps, join_double_spaced
from lexls.text.formats import FORMATS
from lexls.text.remask import remask
from lexls.text.sentences import find_paragraphs

PLAIN = FORMATS["plain"]
LINES = (
    "The carrier kept the goods in the hold while the ship lay",
    "at the quay, and nobody asked for them. See Carrow v. Dunne, 531",
    "U.S. 98, 99 (2000). The mer-",
    "chant paid nothing.",
)
TEXT = "\n\n".join(LINES)


def paragraphs(text: str) -> list[str]:
    masked = PLAIN.mask(text)
    assert len(masked) == len(text)
    return [" ".join(span.of(masked).split()) for span in find_paragraphs(masked)]


@pytest.mark.parametrize("gap", ["\n\n", "\n \n\n", "\r\n\r\n", "\n\n\n"])
def test_lines_between_blank_lines_are_one_paragraph(gap: str) -> None:
    assert paragraphs(gap.join(LINES[:3])) == [" ".join(LINES[:3])]


@pytest.mark.parametrize(
    "page",
    [
        "- 5 -",
        "                 12",
        "Page 7",
        "Case: 20-1 Document: 0011 Page: 4 Date Filed: 12/22/2020\n\n- 5 -",
        "Cite as: 531 U. S. ____ (2000) 3\n\nOpinion of the Court",
        "4 CARROW v. DUNNE\n\nTHORNE, J., dissenting",
        "4\n\nCARROW v. DUNNE\n\nSyllabus",
    ],
)
def test_the_heads_of_a_page_are_left_out(page: str) -> None:
    assert paragraphs(f"{LINES[0]}\n\n{page}\n\n{LINES[1]}") == [f"{LINES[0]} {LINES[1]}"]


def test_the_numbers_of_lines_are_left_out() -> None:
    text = "\n\n".join(f"{number:2}  {line}" for number, line in enumerate(LINES[:2], 1))
    assert paragraphs(text) == [" ".join(LINES[:2])]


def test_a_sentence_that_ends_with_its_line_is_followed_by_the_next() -> None:
    text = "\n\n".join(
        (
            LINES[0],
            "at the quay for a year and a day, as everyone knew.",
            "The merchant paid nothing for them until the summer, when",
            *LINES[:2],
        )
    )
    assert len(paragraphs(text)) == 1


def test_a_line_may_hold_an_abbreviation_alone() -> None:
    text = "\n\n".join((*LINES[:2], LINES[0], "18 U.S.C.", "§ 924(c). Nobody asked."))
    assert len(paragraphs(text)) == 1


def test_a_note_below_a_page_is_a_paragraph_of_its_own() -> None:
    text = "\n\n".join(
        (LINES[0], LINES[1], "3See Thorne v. Yard, 98 F.3d 12 (9th Cir.", "1996).", "- 5 -", "U.S. 98.")
    )
    assert [each[:5] for each in paragraphs(text)] == ["The c", "3See ", "- 5 -", "U.S. "]


@pytest.mark.parametrize(
    "text",
    [
        "The goods were kept in the hold for a year.\n\nThe carrier said nothing of it.",
        "The goods were kept in the hold for a year, as long as nobody asked for them, which is " * 3
        + "\n\nso",
        "THE CARRIER KEPT THE GOODS IN THE HOLD\n\nThe carrier said nothing of it.",
        "The carrier kept these goods in the hold:\n\n- salt\n\n- tin",
        "the carrier, if the goods are lost in the hold;\n\nthe owner, if they are lost there; or\n\nboth",
        "the carrier, if the goods are lost in the hold, and\n\nthe owner, if they are lost on the quay",
        "The carrier kept the goods in the hold for a year.\n\n7.1 The quay is shut.\n\n7.2 The hold is dry.",
        "    b) the source of the goods in the hold\n\n    c) their owner",
        "short line\n\nanother one",
        "The carrier kept the goods in the hold while the ship\nlay there\n\nand\nnobody asked for them.",
        "For the appellant: Mr Thorne of Thorne and Yard\n\nFor the respondent: Ms Dunne of Carrow and Son",
    ],
)
def test_other_paragraphs_stay_apart(text: str) -> None:
    assert join_double_spaced(text) == text


def test_a_citation_over_two_lines_has_its_place_in_the_source() -> None:
    draft = DraftParser(Grammar.load(), "US").parse("draft", TEXT, PLAIN)
    (found,) = draft.citations
    assert (found.key, found.name, found.year) == ("531 U.S. 98", "Carrow v. Dunne", 2000)
    assert found.text == found.span.of(draft.masked)
    assert found.span.of(TEXT) == "Carrow v. Dunne, 531\n\nU.S. 98, 99 (2000)"
    assert found.core.of(TEXT) == "531\n\nU.S. 98"
    assert found.pinpoint is not None
    assert found.pinpoint.span.of(TEXT) == "99"


def test_a_name_that_a_line_divides() -> None:
    text = "It was so held at length in the case of Carrow v. Har-\n\n    bourmaster, 531 U.S. 98 (2000)."
    (found,) = DraftParser(Grammar.load(), "US").parse("draft", text, PLAIN).citations
    assert found.name == "Carrow v. Harbourmaster"
    assert found.span.of(text).startswith("Carrow v. Har-\n\n    bour")


def test_citations_are_those_of_the_same_text_with_its_lines_together() -> None:
    parser = DraftParser(Grammar.load(), "US")
    together = parser.parse("one", TEXT.replace("\n\n", "\n"), PLAIN).citations
    apart = parser.parse("two", TEXT, PLAIN).citations
    assert [(each.key, each.name, each.text.split()) for each in apart] == [
        (each.key, each.name, each.text.split()) for each in together
    ]


def test_a_quotation_over_lines_and_a_page() -> None:
    said = (
        "The court said: “the carrier must keep the goods in the hold of\n\n- 4 -\n\nthe ship until the mer-"
    )
    text = f"{said}\n\nchant pays” in {LINES[0]}"
    draft = DraftParser(Grammar.load(), "US").parse("draft", text, PLAIN)
    (quotation,) = find_quotations(draft, draft.paragraphs[0])
    words = " ".join(item.norm for item in read_items(quotation.text))
    assert words == "the carrier must keep the goods in the hold of the ship until the merchant pays"
    last = read_items(quotation.text)[-1]
    assert quotation.in_source(last.span).of(text) == "pays"


def test_places_are_found_again() -> None:
    closed = close_gaps("one\u2028   two thr\u00ad\u2028ee 4-\u2028 5")
    assert closed is not None
    assert closed.text == "one\ntwo three 4-5"
    assert close_gaps("one   two") is None


_PIECES = st.sampled_from(
    [
        *("\n", "\n\n", "\n\n\n", "\r\n\r\n", "\n\n- 5 -\n\n", "\n\n7\n\n", " ", "  ", "."),
        *("3 See it", "The ", "- ", "1 a", "2 b", "x" * 200, "TABLE OF AUTHORITIES"),
        *LINES,
        *(f"{line}\n\n" for line in LINES),
    ]
)
_TEXTS = st.lists(_PIECES, max_size=60).map("".join)


@settings(max_examples=500, deadline=None)
@given(source=_TEXTS, where=st.tuples(st.integers(0, 2000), st.integers(0, 12)), typed=_TEXTS)
def test_masking_again_is_masking(source: str, where: tuple[int, int], typed: str) -> None:
    at, length = min(where[0], len(source)), where[1]
    after = source[:at] + typed + source[at + length :]
    assert remask(source, PLAIN.mask(source), after, PLAIN)[0] == PLAIN.mask(after)


@settings(max_examples=300, deadline=None)
@given(
    line=st.integers(0, 80),
    at=st.integers(0, 60),
    typed=st.sampled_from(["x", ".", "\n\n", "\n", " ", "3 See "]),
)
def test_masking_a_long_pasted_text_again(line: int, at: int, typed: str) -> None:
    source = ("\n\n".join((*LINES[:2], *LINES[:2], "- 6 -", *LINES)) + "\n\n") * 9
    place = min(len(source), line * 50 + at)
    after = source[:place] + typed + source[place:]
    masked, was, now = remask(source, PLAIN.mask(source), after, PLAIN)
    assert masked == PLAIN.mask(after)
    assert len(was) < len(source) or len(now) == len(after)
