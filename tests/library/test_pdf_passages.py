"""Where passages stand on the pages of PDFs: what is read under the boxes is the passage."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pypdfium2
import pytest
from sheets import Sheet, words
from shown_pages import read_under

from lexls.library.document import PagePassage
from lexls.library.readers.pdf import extract, find_passage

POINTS = 2.0
SINGLE = (
    "Underwriters who have paid may ask what became of every bale, from the quay at Tollen to the shed where "
    "it was last seen, and nobody may answer that a bale is but a bale; those who guarded it must say when "
    "it was weighed, by whom, and what the scales then showed."
)


def find(data: bytes, passage: str) -> Sequence[PagePassage]:
    text = extract(data).text
    return find_passage(data, passage, text.index(passage))


def is_covered(data: bytes, pages: Sequence[PagePassage], passage: str) -> None:
    signs, furthest = read_under(data, pages)
    assert signs.replace("-", "") == "".join(passage.split())
    assert furthest <= POINTS


def save(sheet: Sheet) -> bytes:
    return bytes(sheet.pdf.output())


def sentence(number: int) -> str:
    return words(17, 3 * number)


def test_a_sentence_within_a_paragraph() -> None:
    sheet = Sheet()
    sheet.page()
    sheet.paragraph(72, 140, f"{words(23)} {sentence(2)} {words(31, 9)}")
    data = save(sheet)
    [page] = found = find(data, sentence(2))
    assert (page.page, page.width, page.height) == (1, 612, 792)
    assert len(page.boxes) == 2  # the sentence begins within a line and ends in the next
    is_covered(data, found, sentence(2))


@pytest.mark.parametrize("by_rows", [False, True])
def test_a_passage_over_two_columns(by_rows: bool) -> None:
    sheet = Sheet()
    lines = sheet.wrap(f"{words(130)} {sentence(1)} {words(120, 4)}", 225, 9)
    half = len(lines) // 2
    sheet.page()
    placed = [
        (72.0 + 243 * (place // half), 100.0 + 12 * (place % half), line)
        for place, line in enumerate(lines[: 2 * half])
    ]
    for left, y, line in sorted(placed, key=lambda each: each[1::-1]) if by_rows else placed:
        sheet.text(left, y, line, 9)
    data = save(sheet)
    [page] = found = find(data, sentence(1))
    assert {box[0] < 300 for box in page.boxes} == {True, False}
    is_covered(data, found, sentence(1))


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_page_that_is_turned_and_cut(turn: int) -> None:
    sheet = Sheet()
    sheet.page()
    height, width = (612, 792) if turn % 180 else (792, 612)
    for place, line in enumerate(sheet.wrap(f"{words(20)} {sentence(3)} {words(20, 5)}", 380)):
        right, down = 100, 200 + 14 * place  # as it is shown
        x, y = {
            0: (right, down),
            90: (down, width - right),
            180: (width - right, height - down),
            270: (height - down, right),
        }[turn]
        with sheet.pdf.rotation(turn, x, y):
            sheet.text(x, y, line)
    document = pypdfium2.PdfDocument(save(sheet))
    page = document[0]
    page.set_cropbox(20, 40, 552, 772)
    page.set_rotation(turn)
    saved = io.BytesIO()
    document.save(saved)
    page.close()
    [found] = pages = find(saved.getvalue(), sentence(3))
    assert (found.width, found.height) == ((732, 532) if turn % 180 else (532, 732))
    is_covered(saved.getvalue(), pages, sentence(3))


def test_words_divided_at_the_ends_of_lines() -> None:
    sheet = Sheet()
    sheet.page()
    sheet.text(72, 100, "The appointment of the receiver was void, since the in-")
    sheet.text(72, 114, "strument named nobody; a later one is no amend-")
    sheet.text(72, 128, "ment of it. The instrument is an amendment only where it says so.")
    data = save(sheet)
    passage = "since the instrument named nobody; a later one is no amendment of it."
    found = find(data, passage)
    assert len(found[0].boxes) == 3
    is_covered(data, found, passage)


def test_a_passage_over_two_pages_with_running_heads() -> None:
    sheet = Sheet()
    lines = sheet.wrap(f"{words(190)} {SINGLE} {words(200)}", 468)
    rows = next(place for place, line in enumerate(lines) if "Underwriters" in line) + 2
    for first in range(0, len(lines), rows):
        sheet.page()
        sheet.text(72, 40, "Carrow v Meridian Lines")
        sheet.text(300, 760, str(first // rows + 1))
        for place, line in enumerate(lines[first : first + rows]):
            sheet.text(72, 100 + 14 * place, line)
    data = save(sheet)
    found = find(data, SINGLE)
    assert [(page.page, len(page.boxes)) for page in found] == [(1, 2), (2, 1)]
    is_covered(data, found, SINGLE)


def test_a_passage_that_the_file_has_elsewhere_now_or_not_at_all() -> None:
    sheet = Sheet()
    sheet.page()
    sheet.paragraph(72, 140, f"{words(23)} {sentence(2)}")
    data = save(sheet)
    moved = find_passage(data, sentence(2), 3)
    assert moved == find(data, sentence(2))
    assert find_passage(data, "The charterer may cancel.", 3) == ()
