"""PDFs as courts print them: columns, line numbers, notes, watermarks, page labels, places of lines."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Iterator, Sequence

import pypdfium2
import pytest
from fpdf.enums import PageLabelStyle
from sheets import WORDS, Sheet, words

from lexls.library.document import Extract, SourceDocument, find_boxes
from lexls.library.readers.pdf import extract


def pieces(found: Extract) -> list[str]:
    return [found.text[piece.start : piece.end] for piece in found.pieces]


# -- columns -------------------------------------------------------------------------------------------------

Columns = Sequence[Sequence[tuple[float, float, str]]]
"""The lines of columns: left edge, base line, text."""
Lines = Iterator[tuple[float, float, str]]
LEFT, RIGHT = [f"1. {words(60)}", f"2. {words(50, 7)}"], [f"3. {words(55, 13)}", f"4. {words(52, 20)}"]


def columns(
    sheet: Sheet, sides: Sequence[Sequence[str]], top: float, lefts: Sequence[float], width: float
) -> list[list[tuple[float, float, str]]]:
    """The lines of columns: left, base line, text."""
    found = []
    for left, paragraphs in zip(lefts, sides, strict=True):
        y, lines = top, []
        for paragraph in paragraphs:
            for line in sheet.wrap(paragraph, width, 9):
                lines.append((left, y, line))
                y += 11
            y += 6
        found.append(lines)
    return found


def by_columns(found: Columns) -> Lines:
    return itertools.chain.from_iterable(found)


def by_rows(found: Columns) -> Lines:
    return iter(sorted(itertools.chain.from_iterable(found), key=lambda line: (line[1], line[0])))


def backwards(found: Columns) -> Lines:
    return itertools.chain.from_iterable(reversed(found))


ORDERS = [by_columns, by_rows, backwards]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("number", [2, 3])
def test_columns_are_read_one_after_the_other(order: Callable[[Columns], Lines], number: int) -> None:
    sides = [LEFT, RIGHT, [f"5. {words(70, 3)}"]][:number]
    width = (468 - 18 * (number - 1)) / number
    sheet = Sheet()
    sheet.page()
    sheet.text(180, 90, "CARROW SHIPPING LTD v MERIDIAN GRAIN TRADERS LTD")
    end = sheet.paragraph(72, 120, f"Headnote. {words(80, 5)}")
    lefts = [72 + place * (width + 18) for place in range(number)]
    for x, y, line in order(columns(sheet, sides, end + 20, lefts, width)):
        sheet.text(x, y, line, 9)
    expected = [paragraph for side in sides for paragraph in side]
    assert pieces(sheet.read())[-len(expected) :] == expected
    assert "Headnote." in pieces(sheet.read())[1]


def test_a_paragraph_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    sheet = Sheet()
    long = f"1. {words(700)}"
    lines = sheet.wrap(long, 225, 9)
    assert len(lines) > 60
    for page in (lines[:40], lines[40:]):
        sheet.page()
        for place, line in enumerate(page):
            sheet.text(72 + 243 * (place // 20), 100 + 12 * (place % 20), line, 9)
    assert pieces(sheet.read()) == [long]


def test_words_divided_at_the_end_of_columns_and_pages_are_mended() -> None:
    sheet = Sheet()
    first, second, third = (sheet.wrap(words(100, start), 225, 9) for start in (0, 11, 23))
    for page in ([first, second], [third]):
        sheet.page()
        for column, lines in enumerate(page):
            shown = [*lines[:-1], "the master waited for the bert-"] if lines is not third else lines
            shown = (
                ["hing orders and then sailed away from it"[: 36 + 9], *shown]
                if lines is not first
                else shown
            )
            for place, line in enumerate(shown):
                sheet.text(72 + 243 * column, 100 + 12 * place, line, 9)
    text = sheet.read().text
    assert text.count("waited for the berthing orders and then sailed") == 2


def test_a_caption_beside_its_docket_is_no_column() -> None:
    sheet = Sheet()
    sheet.page()
    left = ["CARROW SHIPPING LTD,", "Plaintiff,", "v.", "MERIDIAN GRAIN", "TRADERS LTD,", "Defendant."]
    for place, line in enumerate(left):
        sheet.text(72 + 20 * (place % 2), 120 + 14 * place, line)
        sheet.text(300, 120 + 14 * place, ")")
        if place == 1:
            sheet.text(330, 134, "No. 19-cv-123")
    sheet.paragraph(72, 240, words(90))
    found = sheet.read().text
    assert found.index("CARROW") < found.index("No. 19-cv-123") < found.index("MERIDIAN")


def test_notes_below_columns_stay_behind_them() -> None:
    sheet = Sheet()
    sheet.page()
    marked = columns(sheet, [LEFT, RIGHT], 100, [72, 315], 225)
    for x, y, line in by_rows(marked):
        end = sheet.text(x, y, line, 9)
        if line == marked[1][2][2]:
            sheet.text(end, y - 3.5, "1", 5.5)
    sheet.text(72, 596, "1", 5)
    sheet.paragraph(76, 600, f"See Hale on ships. {words(40)}", 460, 7.5, 9)
    found = pieces(sheet.read())
    assert found[:2] == LEFT
    assert found[2].replace(" [note 1]", "") == RIGHT[0]
    assert found[3] == f"Note 1: See Hale on ships. {words(40)}"
    assert found[4] == RIGHT[1]


# -- margins -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["with the line", "before all", "behind all", "in the words"])
def test_numbers_of_lines_are_left_out(order: str) -> None:
    sheet = Sheet()
    texts = [f"{words(150, start)}" for start in (0, 5, 9)]
    for text in texts:
        sheet.page()
        lines = sheet.wrap(text, 420)
        numbers = [(72 if number > 9 else 77, 100 + 24 * number, str(number)) for number in range(1, 26)]
        if order == "before all":
            for x, y, number in numbers:
                sheet.text(x, y, number)
        for place, line in enumerate(lines):
            x, y, number = numbers[place]
            if order == "with the line":
                sheet.text(x, y, number)
            sheet.text(110, y, f"{number}   {line}" if order == "in the words" else line)
        for place, (x, y, number) in enumerate(numbers):
            if order == "behind all" or (order == "with the line" and place >= len(lines)):
                sheet.text(x, y, number)
    found = sheet.read()
    assert found.text == "\n\n".join(texts)


def test_letters_in_both_margins_are_left_out() -> None:
    sheet = Sheet()
    texts = [words(230, start) for start in (0, 4)]
    for text in texts:
        sheet.page()
        for place, line in enumerate(sheet.wrap(text, 380)):
            sheet.text(110, 100 + 16 * place, line)
        for place, letter in enumerate("ABCDEFGHIJKLMNOP"):
            sheet.text(72, 100 + 40 * place, letter)
            sheet.text(530, 100 + 40 * place, letter)
    assert sheet.read().text == "\n\n".join(texts)


def test_numbers_of_paragraphs_and_rows_stay() -> None:
    sheet = Sheet()
    sheet.page()
    sheet.paragraph(72, 80, words(40))
    for number in range(1, 11):
        sheet.text(72, 130 + 16 * number, str(number))
        sheet.text(110, 130 + 16 * number, f"Item {WORDS[number]}")
        sheet.text(300, 130 + 16 * number, f"{number * 37}.00")
    y = 340.0
    for number in range(11, 15):
        sheet.text(72, y, str(number))
        y = 10 + sheet.paragraph(110, y, words(45, number), 400)
    found = " ".join(sheet.read().text.split())
    assert all(f"{number} Item {WORDS[number]} {number * 37}.00" in found for number in range(1, 11))
    assert all(f"{number} {words(45, number)}" in found for number in range(11, 15))


def test_the_gap_of_double_spaced_lines_ends_no_paragraph() -> None:
    sheet = Sheet()
    sheet.page()
    first, quoted, second = words(60), words(40, 8), f"{words(50, 3)}"
    y = sheet.paragraph(72, 100, first, leading=28)
    y = sheet.paragraph(108, y, quoted, 400) + 14
    sheet.paragraph(72, y, second, leading=28)
    assert pieces(sheet.read()) == [first, quoted, second]


# -- notes ---------------------------------------------------------------------------------------------------


def noted(sheet: Sheet, y: float, before: str, mark: str, after: str) -> None:
    """A line with a raised mark in it."""
    x = sheet.text(72, y, before)
    x = sheet.text(x, y - 4, mark, 7)
    sheet.text(x, y, after)


def test_a_paragraph_over_the_page_is_not_cut_by_the_notes() -> None:
    sheet = Sheet()
    sheet.page()
    sheet.paragraph(72, 100, f"1. {words(60)}")
    noted(
        sheet,
        300,
        "2. The carrier is bound by the bill",
        "1",
        " that its master signed before the ship left, and",
    )
    sheet.text(
        72,
        314,
        "the holder may sue on it although the charterer has not paid the freight that was due when she",
    )
    sheet.text(72, 650, "1", 6)
    sheet.text(76, 653, "Hale, Ships (2nd ed) 14; but see Orr, who thinks that the owner's", 8.5)
    sheet.text(72, 663, "hand binds nobody.", 8.5)
    sheet.page()
    sheet.text(72, 100, "sailed, or a bond was given for it.")
    found = sheet.read()
    assert pieces(found)[1:] == [
        "2. The carrier is bound by the bill [note 1] that its master signed before the ship left, and the "
        "holder may sue on it although the charterer has not paid the freight that was due when she sailed, "
        "or a bond was given for it.",
        "Note 1: Hale, Ships (2nd ed) 14; but see Orr, who thinks that the owner's hand binds nobody.",
    ]
    assert found.notes == {1: 2}
    assert found.pieces[2].quoted
    assert found.text[found.page_starts[1] :].startswith("sailed, or a bond")


def test_a_note_that_goes_on_at_the_next_foot_is_one() -> None:
    sheet = Sheet()
    sheet.page()
    sheet.paragraph(72, 100, words(60))
    noted(sheet, 300, "The rest was paid", "7", ".")
    sheet.text(72, 697, "7", 6)
    sheet.text(76, 700, "The receipt is lost, but nobody has said that the money was not", 8.5)
    sheet.page()
    sheet.paragraph(72, 100, words(70))
    noted(sheet, 300, "The goods were not", "8", ".")
    sheet.text(72, 680, "handed over at noon.", 8.5)
    sheet.text(72, 697, "8", 6)
    sheet.text(76, 700, "Orr thinks otherwise.", 8.5)
    assert pieces(sheet.read())[1:] == [
        "The rest was paid [note 7].",
        "Note 7: The receipt is lost, but nobody has said that the money was not handed over at noon.",
        words(70),
        "The goods were not [note 8].",
        "Note 8: Orr thinks otherwise.",
    ]


def test_a_note_to_the_caption_is_no_part_of_the_title(
    read_as: Callable[[str, bytes], SourceDocument],
) -> None:
    sheet = Sheet()
    sheet.page()
    sheet.text(200, 80, "SUPREME COURT OF ALDMOOR")
    x = sheet.text(200, 110, "CARROW SHIPPING LTD,")
    x = sheet.text(x, 106, "1", 7)
    sheet.text(x + 3, 110, "Appellant v.")
    sheet.text(200, 124, "MERIDIAN GRAIN TRADERS LTD, Respondent")
    sheet.paragraph(72, 160, words(100))
    sheet.text(72, 697, "1", 6)
    sheet.text(76, 700, "Two appeals are heard together here.", 8.5)
    document = read_as("a.pdf", bytes(sheet.pdf.output()))
    assert document.metadata.title.replace("v.", "v") == "Carrow Shipping Ltd v Meridian Grain Traders Ltd"
    assert "[note 1]" in document.text


def test_numbers_in_the_text_are_no_marks() -> None:
    sheet = Sheet()
    sheet.page()
    sheet.text(72, 100, "The carrier owed 3 sums under clause 1 of the bill, and the holder 2.")
    sheet.paragraph(72, 130, f"1. {words(60)}")
    sheet.paragraph(72, 230, f"2. {words(60)}", size=9)
    found = sheet.read()
    assert not found.notes
    assert "[note" not in found.text
    assert "owed 3 sums under clause 1 of the bill, and the holder 2." in found.text


def test_squares_and_ordinals_are_no_marks() -> None:
    sheet = Sheet()
    sheet.page()
    noted(sheet, 100, "The hold has 40 m", "2", " and the 5")
    sheet.text(72, 120, "On the 5")
    noted(sheet, 140, "The area of 12 m", "3", " was wet.")
    text = sheet.read().text
    assert "40 m2 and the 5" in text
    assert "12 m3 was wet." in text


# -- pages ---------------------------------------------------------------------------------------------------


def test_labels_of_pages_are_taken_where_none_are_printed() -> None:
    sheet = Sheet()
    sheet.page(label_style=PageLabelStyle.LOWER_ROMAN, label_start=1)
    sheet.paragraph(72, 100, words(30))
    sheet.page()
    sheet.paragraph(72, 100, words(30, 3))
    sheet.page(label_style=PageLabelStyle.NUMBER, label_start=1)
    sheet.paragraph(72, 100, words(30, 5))
    assert sheet.read().page_numbers == ("i", "ii", "1")


def test_printed_numbers_win_over_labels_and_stamps() -> None:
    sheet = Sheet()
    for number in range(1, 7):
        sheet.page(**({"label_style": PageLabelStyle.NUMBER, "label_start": 900} if number == 1 else {}))
        sheet.text(150, 30, f"Case 2:19-cv-00123 Document 45 Filed 03/04/20 Page {number} of 6", 9)
        sheet.paragraph(72, 100, words(150, number))
        sheet.text(300, 760, str(number + 30))
    found = sheet.read()
    assert found.page_numbers == ("31", "32", "33", "34", "35", "36")
    assert "Document 45" not in found.text


def test_pages_before_page_one_have_no_number() -> None:
    sheet = Sheet()
    for number in range(-1, 6):
        sheet.page()
        sheet.paragraph(72, 100, words(150, number + 2))
        sheet.text(300, 760, str(number) if number > 0 else "iiiii"[: number + 2])
    found = sheet.read()
    assert found.page_numbers == ("i", "ii", "1", "2", "3", "4", "5")


def test_heads_of_slip_opinions_with_wide_margins_are_left_out() -> None:
    sheet = Sheet()
    texts = [words(260, number) for number in range(6)]
    for number, text in enumerate(texts, start=1):
        sheet.page()
        head = (
            f"{number}    CARROW v. MERIDIAN"
            if number % 2 == 0
            else f"Cite as: 580 A. S. ____ (2031)    {number}"
        )
        sheet.text(170, 125, head, 10)
        sheet.text(270, 150, "Opinion of the Court", 9)
        sheet.paragraph(156, 175, text, 300)
    found = sheet.read()
    assert found.text == "\n\n".join(texts)


# -- watermarks ----------------------------------------------------------------------------------------------


def stamp_aslant(sheet: Sheet) -> None:
    sheet.pdf.set_text_color(200)
    with sheet.pdf.rotation(45, 306, 396):
        sheet.text(180, 400, "DRAFT", 90, "Helvetica")
    sheet.pdf.set_text_color(0)


def stamp_light(sheet: Sheet) -> None:
    with sheet.pdf.local_context(fill_opacity=0.25):
        sheet.text(200, 404, "CONFIDENTIAL", 14, "Helvetica")


def stamp_margin(sheet: Sheet) -> None:
    with sheet.pdf.rotation(90, 30, 500):
        sheet.text(30, 500, "Downloaded from the library of Aldmoor on 3 May 2031", 8)


@pytest.mark.parametrize("stamp", [stamp_aslant, stamp_light, stamp_margin])
@pytest.mark.parametrize("last", [False, True])
def test_watermarks_are_left_out(stamp: Callable[[Sheet], None], last: bool) -> None:
    sheet = Sheet()
    texts = [words(400, number) for number in range(3)]
    for text in texts:
        sheet.page()
        if not last:
            stamp(sheet)
        sheet.paragraph(72, 100, text)
        if last:
            stamp(sheet)
    assert sheet.read().text == "\n\n".join(texts)


def test_a_watermark_of_one_page_is_left_out() -> None:
    sheet = Sheet()
    sheet.page()
    stamp_aslant(sheet)
    sheet.paragraph(72, 100, words(300))
    assert sheet.read().text == words(300)


def test_large_headings_and_tables_on_their_side_stay() -> None:
    sheet = Sheet()
    sheet.page()
    sheet.text(72, 130, "THE CARROW", 40)
    sheet.paragraph(72, 180, words(200))
    sheet.page()
    for row in range(6):
        with sheet.pdf.rotation(90, 100 + 20 * row, 700):
            sheet.text(100 + 20 * row, 700, f"Row {row} of the table with {row * 40} tons of {WORDS[row]}")
    sheet.page()
    sheet.paragraph(72, 100, words(200, 5))
    text = sheet.read().text
    assert text.startswith("THE CARROW")
    assert all(f"Row {row} of the table with {row * 40} tons of {WORDS[row]}" in text for row in range(6))


# -- boxes ---------------------------------------------------------------------------------------------------


def test_the_boxes_of_a_text_are_those_of_its_lines() -> None:
    sheet = Sheet()
    sheet.page()
    sheet.text(72, 100, "Carrow v Meridian", 16)
    lines = sheet.wrap(words(60), 468)
    end = sheet.paragraph(72, 140, words(60))
    found = sheet.read()
    widest = max(float(sheet.pdf.get_string_width(line)) for line in lines)
    [(page, box)] = find_boxes(found.boxes, found.text.index(words(60)), len(found.text))
    assert page == 1
    # Times reaches about 0.9 of its size above the base line and 0.22 below.
    expected = (72, 792 - (end - 14) - 0.22 * 11, 72 + widest, 792 - 140 + 0.9 * 11)
    assert box == pytest.approx(expected, abs=2)


def test_a_text_over_columns_and_pages_has_a_box_in_each() -> None:
    sheet = Sheet()
    lines = sheet.wrap(words(700), 225, 9)
    for page in (lines[:40], lines[40:]):
        sheet.page()
        for place, line in enumerate(page):
            sheet.text(72 + 243 * (place // 20), 100 + 12 * (place % 20), line, 9)
    found = sheet.read()
    boxes = find_boxes(found.boxes, 0, len(found.text))
    assert [page for page, _ in boxes] == [1, 1, *([2] * (len(boxes) - 2))]
    assert [round(box[0]) for _, box in boxes[:3]] == [72, 315, 72]
    assert boxes[0][1][3] == pytest.approx(792 - 100 + 0.9 * 9, abs=2)
    assert boxes[0][1][1] == pytest.approx(792 - 100 - 19 * 12 - 0.22 * 9, abs=2)


@pytest.mark.parametrize("turn", [0, 90, 180])
def test_boxes_are_those_of_the_page_as_it_is_shown(turn: int) -> None:
    sheet = Sheet()
    sheet.page()
    end = sheet.text(100, 200, "The carrier lost the goods, as the bill of lading says.")
    document = pypdfium2.PdfDocument(bytes(sheet.pdf.output()))
    page = document[0]
    page.set_cropbox(20, 20, 552, 772)
    page.set_rotation(turn)
    data = io.BytesIO()
    document.save(data)
    page.close()
    found = extract(data.getvalue())
    assert found.text == "The carrier lost the goods, as the bill of lading says."
    [(_, box)] = find_boxes(found.boxes, 0, len(found.text))
    low, high = 592 - 20 - 0.22 * 11, 592 - 20 + 0.9 * 11
    expected = {
        0: (80, low, end - 20, high),
        90: (low, 532 - (end - 20), high, 532 - 80),
        180: (532 - (end - 20), 752 - high, 532 - 80, 752 - low),
    }
    assert box == pytest.approx(expected[turn], abs=2)
