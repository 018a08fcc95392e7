"""``lexls book``: a brief and its authorities as one PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from fpdf import FPDF
from test_cli_docs import example, shape
from word_documents import write_word

Run = Any
"""``Run`` of conftest.py."""


def read_pages(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(path)
    return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


def test_the_book_lies_beside_the_brief_and_names_what_is_missing(lexls: Run, matter: Path) -> None:
    done = lexls("book", "draft.md")
    assert done.code == 0
    first, *others = done.out.splitlines()
    assert first == "draft-book.pdf: 5 pages, 2 tabs, 3 linked citations"
    assert others == ["Tab 2 (page 5): Gull v Heron [1987] UKHL 3 is not in the library"]
    pages = read_pages(matter / "draft-book.pdf")
    assert "The board knew of the pontoon" in pages[0]
    assert "Index of authorities draft" in pages[1]
    assert "Ash Mooring Ltd v Tern Harbour Board" in pages[2]
    assert "[2] The knowledge of each servant" in pages[3]
    assert "Not in the library; cited at Skeleton argument." in pages[-1]


def test_its_json_is_that_of_the_manual(lexls: Run, matter: Path) -> None:
    found = lexls("book", "draft.md", "-o", "out.pdf", "--json").json
    shown = example("book")
    assert found.keys() == shown.keys()
    assert shape(found["tabs"]) == shape(shown["tabs"])
    assert (found["file"], found["unlinked"], found["unplaced"]) == ("out.pdf", [], [])
    assert [each["in_library"] for each in found["tabs"]] == [True, False]


def test_a_brief_in_word_is_set_with_its_notes(lexls: Run, matter: Path) -> None:
    note = "See Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12 at [2].]"
    write_word(matter / "brief.docx", f"The board knew.^[{note}]")
    done = lexls("book", "brief.docx", "--plain")
    assert done.out.startswith("brief-book.pdf: 4 pages, 1 tab, 1 linked citation")
    assert "The board knew.¹ Notes ¹ See Ash Mooring" in read_pages(matter / "brief-book.pdf")[0]


def test_a_brief_that_is_a_pdf_keeps_its_pages(lexls: Run, matter: Path) -> None:
    document = FPDF()
    document.add_page()
    document.set_font("times", size=12)
    document.multi_cell(0, 6, "The board knew: Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12 at [2].")
    document.output(str(matter / "brief.pdf"))
    done = lexls("book", "brief.pdf")
    assert done.out == "brief-book.pdf: 4 pages, 1 tab, 1 linked citation\n"
    assert read_pages(matter / "brief-book.pdf")[0].startswith("The board knew: Ash Mooring Ltd")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["draft.md", "-o", "."], 2, ".: name a file that ends in .pdf"),
        (["draft.md", "-o", "book.docx"], 2, "book.docx: name a file that ends in .pdf"),
        (["draft.md", "-o", "nowhere/book.pdf"], 3, "nowhere/book.pdf: No such file or directory"),
        (["draft.md", "--pdf", "none.pdf"], 3, "none.pdf: No such file or directory"),
        (["draft.md", "--pdf", "draft.md"], 3, "draft.md: it is no PDF that can be read"),
        (["none.md"], 3, "none.md: "),
    ],
)
def test_what_is_wrong_is_said_with_the_name_of_the_file(
    lexls: Run, matter: Path, arguments: list[str], code: int, said: str
) -> None:
    done = lexls("book", *arguments)
    assert done.code == code
    assert said in done.err


def test_without_a_library_there_is_no_book(lexls: Run, matter: Path) -> None:
    (matter / "library").rename(matter / "elsewhere")
    done = lexls("book", "draft.md")
    assert done.code == 3
    assert "library" in done.err
    assert not (matter / "draft-book.pdf").exists()
