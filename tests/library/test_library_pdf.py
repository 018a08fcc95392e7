"""PDF: paragraphs, pages, running heads; and what cannot be read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

import fpdf
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lexls.library.document import SourceDocument, UnreadableFile
from lexls.library.readers.opening import PDF_PAGES
from lexls.library.readers.pdf import extract

Reader = Callable[[str, str | bytes], SourceDocument]

BODY = (
    "The carrier must exercise due diligence before and at the beginning of the voyage to make the ship "
    "seaworthy and properly to man, equip and supply her, and it must care for the goods in its charge, "
    "whatever the bill of lading may say."
)


def made(
    pages: Sequence[Sequence[str]],
    head: Callable[[int], str] = lambda _: "",
    foot: Callable[[int], str] = lambda _: "",
) -> bytes:
    """A PDF with those paragraphs on each page; head and foot get the page's number from 1."""
    document = fpdf.FPDF()
    document.set_auto_page_break(False)
    document.set_font("Times", size=12)
    for number, paragraphs in enumerate(pages, start=1):
        document.add_page()
        if words := head(number):
            document.cell(0, 6, words)
            document.ln(14)
        for paragraph in paragraphs:
            document.multi_cell(0, 6, paragraph, new_x="LMARGIN", new_y="NEXT")
            document.ln(4)
        if words := foot(number):
            document.set_y(-15)
            document.cell(0, 6, words, align="C")
    return bytes(document.output())


def pieces(data: bytes) -> list[str]:
    found = extract(data)
    return [found.text[piece.start : piece.end] for piece in found.pieces]


def test_lines_are_joined_into_paragraphs() -> None:
    assert pieces(made([["Carrow v Meridian", f"1. {BODY}", f"2. {BODY} {BODY}"]])) == [
        "Carrow v Meridian",
        f"1. {BODY}",
        f"2. {BODY} {BODY}",
    ]


def test_words_divided_at_the_ends_of_lines_are_mended() -> None:
    text = "The ship was sea-\nworthy and her long-\nterm charter ran. It was a long-term one."
    assert pieces(made([[text]])) == [
        "The ship was seaworthy and her long-term charter ran. It was a long-term one."
    ]


def test_running_heads_and_page_numbers_are_left_out_and_pages_kept() -> None:
    pages = [[f"{2 * page + 1}. {BODY}", f"{2 * page + 2}. {BODY}"] for page in range(6)]
    data = made(
        pages, lambda number: f"Carrow v Meridian [2014] ASC 12 page {number}", lambda number: f"- {number} -"
    )
    found = extract(data)
    assert "ASC 12" not in found.text
    assert [found.text[piece.start : piece.end] for piece in found.pieces] == [
        text for page in pages for text in page
    ]
    assert [found.text[start:].split()[0] for start in found.page_starts] == [
        "1.",
        "3.",
        "5.",
        "7.",
        "9.",
        "11.",
    ]
    assert found.page_numbers == ()


def test_printed_page_numbers_that_differ_are_kept() -> None:
    heads = {
        0: lambda number: f"Carrow v Meridian {number + 211}",
        1: lambda number: f"{number + 211} Court of Appeal",
    }
    data = made([[BODY]] * 5, lambda number: heads[number % 2](number))
    assert extract(data).page_numbers == ("212", "213", "214", "215", "216")
    assert "Carrow" not in extract(data).text


def test_numbered_paragraphs_at_the_top_of_pages_are_no_page_numbers() -> None:
    pages = [[f"{number}. {BODY}"] for number in range(1, 6)]
    assert pieces(made(pages)) == [text for page in pages for text in page]


def test_a_paragraph_runs_over_the_end_of_a_page(read_as: Reader) -> None:
    first, second = (
        "1. The carrier lost the goods because the ship had",
        "taken water in the forward hold. 2 of 3 were wet.",
    )
    document = read_as("a.pdf", made([[BODY, BODY, first], [second, f"2. {BODY}"]]))
    assert f"{first} {second}" in document.text
    at = document.text.index(second)
    assert document.page_starts == (0, at)


def test_numbered_paragraphs_of_a_pdf_get_labels_and_passages_pages(read_as: Reader) -> None:
    from lexls.library.passages import cut_passages

    pages = [[f"[{2 * page + 1}] {BODY}", f"[{2 * page + 2}] {BODY}"] for page in range(3)]
    document = read_as("a.pdf", made(pages))
    assert [(passage.paragraph, passage.page) for passage in cut_passages(document)] == [
        ("1", 1), ("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3),
    ]  # fmt: skip


def test_larger_type_makes_a_heading() -> None:
    document = fpdf.FPDF()
    document.add_page()
    for size, words in ((20, "Carrow v Meridian"), (11, BODY), (14, "The facts"), (11, BODY)):
        document.set_font("Times", size=size)
        document.multi_cell(0, size / 2, words, new_x="LMARGIN", new_y="NEXT")
        document.ln(3)
    assert [piece.heading for piece in extract(bytes(document.output())).pieces] == [1, 0, 2, 0]


def encrypted() -> bytes:
    document = fpdf.FPDF()
    document.set_encryption(owner_password="owner", user_password="user")
    document.add_page()
    document.set_font("Times", size=12)
    document.cell(text="secret")
    return bytes(document.output())


def scanned() -> bytes:
    document = fpdf.FPDF()
    for _ in range(2):
        document.add_page()
        document.rect(10, 10, 50, 50)
    return bytes(document.output())


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (encrypted(), "encrypted: needs a password"),
        (scanned(), "no text layer (scanned?)"),
        (made([[BODY]])[:700], "damaged PDF (cut off before its end)"),
        (b"%PDF-1.4\ngarbage\n%%EOF\n", "damaged PDF (PDFium cannot open it)"),
        (b"words", "not a PDF file"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        extract(data)
    assert str(caught.value) == reason


def test_a_page_without_text_is_a_warning() -> None:
    assert extract(made([[BODY], [], [BODY]])).warnings == ("page 2 has no text (scanned?)",)


def test_many_pages_keep_all_their_paragraphs() -> None:
    pages = [[f"{5 * page + n}. {BODY}" for n in range(1, 6)] for page in range(80)]
    found = extract(made(pages, foot=str))
    assert len(found.page_starts) == 80
    assert len(found.pieces) == 400


DAMAGED = made([[BODY], [BODY]])


@given(
    st.integers(0, len(DAMAGED)),
    st.integers(0, 40),
    st.lists(st.tuples(st.integers(0, len(DAMAGED) - 1), st.integers(0, 255)), max_size=8),
)
@example(start=0, lost=0, changes=[(403, 0), (950, 0)])
@settings(max_examples=150, deadline=None)
def test_whatever_bytes_are_lost_or_changed_only_a_reason_is_given(
    start: int, lost: int, changes: list[tuple[int, int]]
) -> None:
    data = bytearray(DAMAGED)
    for at, value in changes:
        data[at] = value
    del data[start : start + lost]
    with contextlib.suppress(UnreadableFile):
        extract(bytes(data))


def test_a_file_of_too_many_pages_is_refused_before_any_is_read() -> None:
    count = PDF_PAGES.most + 1
    kids = " ".join(f"{number} 0 R" for number in range(3, count + 3))
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {count}/Kids[{kids}]>>",
        *[page] * count,
    ]
    body = "".join(f"{number} 0 obj{each}endobj\n" for number, each in enumerate(objects, 1))
    with pytest.raises(UnreadableFile, match="20,001 pages"):
        extract(f"%PDF-1.4\n{body}trailer<</Root 1 0 R/Size {count + 3}>>\n%%EOF\n".encode())


@pytest.mark.parametrize(
    "stamp",
    [[], ["Case 1:21-cv-04471-AB Document 12 Filed 03/04/21 Page 1 of 3"], ["FILED 03/04/2021"]],
)
def test_a_first_page_that_is_a_picture_under_a_stamp_has_no_text(stamp: list[str]) -> None:
    assert extract(made([stamp, [BODY], [BODY]])).warnings == ("page 1 has no text (scanned?)",)
    assert extract(made([[*stamp, BODY], [BODY]])).warnings == ()
