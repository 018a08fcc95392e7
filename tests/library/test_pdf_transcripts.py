"""Transcripts in PDFs: one page a sheet or four, lines by the numbers beside them; pleadings are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from sheets import Sheet

from lexls.citations.grammar import Grammar
from lexls.library.document import SourceDocument
from lexls.library.readers import parse
from lexls.library.readers.pdf_transcripts import read_transcript_pages

SAID = (
    "Q.  Did you look at the moorings that night?",
    "A.  I looked once before supper and not again.",
    "Q.  Why did you not look again?",
    "A.  The rain had set in, and at 12 I was in bed.",
    "    MR. VANE:  Objection to the form.",
    "A.  She lay easy at the north quay.",
    "Q.  Who held the key of the lock?",
)


def said(page: int, line: int) -> str:
    return SAID[(3 * page + line) % len(SAID)]


def read(sheet: Sheet) -> SourceDocument | None:
    data = bytes(sheet.pdf.output())
    return read_transcript_pages(parse(Path("paper.pdf"), data, Grammar.load()), data)


def lines_of(found: SourceDocument) -> dict[str, str]:
    return {
        each.label: found.text[each.start : each.end] for each in found.blocks if each.kind == "paragraph"
    }


def draw(
    sheet: Sheet,
    page: int,
    left: float = 72,
    top: float = 96,
    *,
    step: float = 24,
    size: float = 12,
    lines: int = 25,
    numbers_first: bool = False,
) -> None:
    """A page of a transcript whose first line is at ``top``."""
    for line in range(1, lines + 1):
        if numbers_first or line not in (7, 8):
            sheet.text(left, top + step * (line - 1), f"{line:>2}", size, "Courier")
        if not numbers_first:
            if line in (7, 8):
                sheet.text(left, top + step * (line - 1), f"{line:>2}  {said(page, line)}", size, "Courier")
            else:
                sheet.text(left + 3 * size, top + step * (line - 1), said(page, line), size, "Courier")
    for line in range(1, lines + 1) if numbers_first else ():
        sheet.text(left + 3 * size, top + step * (line - 1), said(page, line), size, "Courier")


@pytest.mark.parametrize("numbers_first", [False, True])
def test_each_line_of_a_page_is_known_by_page_and_line(numbers_first: bool) -> None:
    sheet = Sheet()
    for page in (44, 45, 46):
        sheet.page()
        sheet.text(72, 40, f"Case 2:10-cv-00123-ABC  Document 31-2  Filed 03/04/21  Page {page - 40} of 9", 9)
        sheet.text(500, 60, str(page), 12, "Courier")
        draw(sheet, page, numbers_first=numbers_first)
        sheet.text(220, 760, "Tollen Reporting, 555-0100", 9)
    found = read(sheet)
    assert found is not None
    assert len(lines_of(found)) == 75
    for page in (44, 45, 46):
        for line in range(1, 26):
            assert lines_of(found)[f"{page}:{line}"].split() == said(page, line).split()
    assert found.page_numbers == ("44", "45", "46")
    assert "Tollen Reporting" not in found.text


@pytest.mark.parametrize("by_rows", [False, True], ids=["down the columns", "along the rows"])
def test_four_pages_on_a_sheet_are_read_one_after_the_other(by_rows: bool) -> None:
    places = (
        [(40, 70), (310, 70), (40, 400), (310, 400)]
        if by_rows
        else [(40, 70), (40, 400), (310, 70), (310, 400)]
    )
    sheet = Sheet()
    for first in (41, 45):
        sheet.page()
        sheet.text(60, 30, "OAKES v. MARLOW            Deposition of Ruth Oakes", 9)
        for page, (left, top) in enumerate(places, first):
            sheet.text(left + 90, top - 16, f"Page {page}", 7)
            draw(sheet, page, left, top, step=12, size=7)
        sheet.text(250, 760, f"({first // 4}) Pages {first} - {first + 3}", 7)
    found = read(sheet)
    assert found is not None
    assert list(dict.fromkeys(label.partition(":")[0] for label in lines_of(found))) == [
        str(page) for page in range(41, 49)
    ]
    for page in range(41, 49):
        for line in (1, 8, 25):
            assert lines_of(found)[f"{page}:{line}"].split() == said(page, line).split()
    assert found.page_numbers == ("41–44", "45–48")
    assert len(found.page_starts) == 2
    assert set(found.boxes.pages) == {1, 2}


def test_sheets_without_numbered_lines_stay_as_they_were() -> None:
    sheet = Sheet()
    sheet.page()
    sheet.paragraph(
        72, 100, "The deposition of Ruth Oakes was taken at the harbour office on the ninth of May."
    )
    for page in (2, 3, 4):
        sheet.page()
        sheet.text(500, 60, str(page), 12, "Courier")
        draw(sheet, page)
    sheet.page()
    sheet.paragraph(72, 100, "I certify that the foregoing is a true record of what was said before me.")
    found = read(sheet)
    assert found is not None
    assert "at the harbour office on the ninth of May" in found.text[: found.page_starts[1]]
    assert "I certify that the foregoing" in found.text[found.page_starts[4] :]
    assert found.page_numbers[1:4] == ("2", "3", "4")
    assert len(lines_of(found)) == 75


def test_a_pleading_on_numbered_paper_is_no_transcript() -> None:
    sheet = Sheet()
    for _ in range(3):
        sheet.page()
        for line in range(1, 29):
            sheet.text(50, 60 + 24 * line, str(line), 12)
            sheet.text(
                90, 60 + 24 * line, "The plaintiff moored the barge at the north quay for the night and", 12
            )
    assert read(sheet) is None


def test_a_letter_is_no_transcript() -> None:
    sheet = Sheet()
    sheet.page()
    sheet.paragraph(72, 100, "Q. is for question, and A. is for answer; 1 and 2 are numbers. " * 20)
    assert read(sheet) is None
