"""Books of authorities that are PDFs: turned, cropped, with links and scripts, locked, damaged."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pypdfium2
import pytest
from fpdf import FPDF
from PIL.Image import Image
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import FreeText
from pypdf.generic import DictionaryObject, NameObject, RectangleObject, TextStringObject
from scans import Scanner, join_files, print_pages, scan

from lexls.citations.grammar import Grammar
from lexls.export.book.making import Book, make_book
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

WORDS = "the harbour master owes no duty to a vessel that he has never been told of"
BRIEF = f"""# Brief

So it was held: “{WORDS}”: *Tern v Gannet Harbour Board* [2021] UKSC 12 at [2].

See also *Gull v Heron* [1987] UKHL 3.
"""
HEAD = ["Tern v Gannet Harbour Board", "[2021] UKSC 12", "Supreme Court", "3 March 2021"]
PARAGRAPHS = [
    "[1] The claimant's yacht struck a pontoon that had broken away in the night and lay in the channel.",
    f"[2] We hold that {WORDS}. The claim was rightly dismissed by the judge, whose order we affirm.",
    "[3] The appeal is dismissed with costs, to be assessed on the standard basis if they are not agreed.",
]

Change = Callable[[PdfWriter], None]


def write_pdf(change: Change = lambda writer: None) -> bytes:
    """The authority as PDF: two pages, the second with paragraph 2."""
    document = FPDF(format=(148, 210))
    for lines in (HEAD + PARAGRAPHS[:1], PARAGRAPHS[1:]):
        document.add_page()
        for line in lines:
            document.set_font("times", size=12)
            document.multi_cell(0, 6, line)
            document.ln(9)
    writer = PdfWriter(clone_from=io.BytesIO(bytes(document.output())))
    change(writer)
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def turn(degrees: int) -> Change:
    """Draw the pages turned, and let them be shown upright."""

    def change(writer: PdfWriter) -> None:
        for page in writer.pages:
            page.rotate(degrees).transfer_rotation_to_content()
            page.rotate(-degrees)

    return change


def crop(writer: PdfWriter) -> None:
    for page in writer.pages:
        page.mediabox = RectangleObject(
            (-40, -30, float(page.mediabox.right) + 60, float(page.mediabox.top) + 25)
        )
        page.cropbox = RectangleObject(
            (10, 15, float(page.mediabox.right) - 70, float(page.mediabox.top) - 30)
        )


def act(writer: PdfWriter) -> None:
    script = {NameObject("/S"): NameObject("/JavaScript"), NameObject("/JS"): TextStringObject("acted()")}
    writer.root_object[NameObject("/OpenAction")] = DictionaryObject(script)
    writer.add_uri(1, "https://example.test/acted", RectangleObject((50, 50, 200, 200)))
    writer.add_outline_item(title="acted", page_number=0)
    writer.add_attachment("acted.txt", b"acted")
    note = FreeText(text="noted", rect=(50, 100, 200, 150))
    writer.add_annotation(1, note)


KINDS: dict[str, Change] = {
    "plain": lambda writer: None,
    "turned by 90": turn(90),
    "turned by 180": turn(180),
    "turned by 270": turn(270),
    "cropped": crop,
    "cropped and turned": lambda writer: (crop(writer), turn(90)(writer))[0],
    "acting": act,
}


def make(folder: Path, files: dict[str, bytes], brief: str = BRIEF) -> Book:
    """The book of a brief, with a library of these files."""
    library = folder / "library"
    library.mkdir()
    for name, data in files.items():
        (library / name).write_bytes(data)
    grammar = Grammar.load(())
    settings = Settings(jurisdiction="UK")
    draft = DraftParser(grammar, "UK").parse((folder / "brief.md").as_uri(), brief, FORMATS["markdown"])
    opened, _ = open_library([library], folder / "index.sqlite3", settings, lexical_only=True)
    with closing(opened):
        return make_book(
            Snapshot(draft, opened, Searcher(opened, grammar=grammar), settings), "brief", CancelToken()
        )


def page_texts(data: bytes) -> list[str]:
    return [" ".join(page.get_textpage().get_text_range().split()) for page in pypdfium2.PdfDocument(data)]


def read_coloured(data: bytes, number: int) -> str:
    """The words of a page (from 1) that stand on yellow, read from its picture and its letters."""
    page = pypdfium2.PdfDocument(data)[number - 1]
    scale = 2.0
    picture = page.render(scale=scale).to_pil().convert("RGB")
    words = page.get_textpage()
    found = ""
    for index in range(words.count_chars()):
        char = words.get_text_range(index, 1)
        left, bottom, right, top = words.get_charbox(index)
        if not char.strip() or right <= left:
            continue
        x, y = (left + right) / 2 * scale, (page.get_height() - (bottom + top) / 2) * scale
        around = {
            picture.getpixel(
                (min(max(int(x + dx), 0), picture.width - 1), min(max(int(y + dy), 0), picture.height - 1))
            )
            for dx in range(-8, 9, 2)
            for dy in range(-8, 9, 2)
        }
        if any(r > 200 and g > 180 and b < 150 for r, g, b in around):
            found += char
    return found


def test_a_pdf_whose_pages_stand_on_their_head_is_in_the_book(tmp_path: Path) -> None:
    def stand_on_head(writer: PdfWriter) -> None:
        for page in writer.pages:
            page.rotate(180)

    book = make(tmp_path, {"Tern v Gannet Harbour Board [2021] UKSC 12.pdf": write_pdf(stand_on_head)})
    assert len(page_texts(book.data)) == book.pages


@pytest.mark.parametrize("kind", KINDS)
def test_the_words_quoted_are_coloured_on_the_page_that_the_link_opens(kind: str, tmp_path: Path) -> None:
    book = make(tmp_path, {"tern.pdf": write_pdf(KINDS[kind])})
    tern = next(each for each in book.tabs if each.tab.authority is not None)
    assert tern.links == (tern.page + 2,)  # behind the sheet the second page
    texts = page_texts(book.data)
    assert WORDS.replace(" ", "") in texts[tern.page + 1].replace(" ", "")
    coloured = read_coloured(book.data, tern.page + 2)
    assert WORDS.replace(" ", "") in coloured
    assert len(coloured) < len(WORDS) + 30


def test_nothing_of_a_pdf_can_act_in_the_book(tmp_path: Path) -> None:
    book = make(tmp_path, {"tern.pdf": write_pdf(act)})
    reader = PdfReader(io.BytesIO(book.data))
    assert not reader.attachments
    assert not {"/AA", "/Names", "/AcroForm"} & set(reader.root_object)
    assert isinstance(reader.root_object.get("/OpenAction", []), list)  # how a viewer shows the first page
    contents = (page.get_contents() for page in reader.pages)
    assert not any(b"acted" in each.get_data() for each in contents if each is not None)
    kinds = {note.get_object()["/Subtype"] for page in reader.pages for note in page.get("/Annots", ())}
    assert kinds == {"/Link"}
    assert all("/A" not in note.get_object() for page in reader.pages for note in page.get("/Annots", ()))
    assert "acted" not in str(reader.outline)


def test_a_locked_pdf_has_a_sheet_that_says_so(tmp_path: Path) -> None:
    locked = write_pdf(lambda writer: writer.encrypt("secret"))
    book = make(tmp_path, {"tern v gannet harbour board [2021] uksc 12.pdf": locked})
    assert [each.tab.authority for each in book.tabs] == [None, None]
    sheet = next(text for text in page_texts(book.data) if "Tab 2" in text and "Index" not in text)
    assert "Not in the library; cited at" in sheet
    assert "password" in sheet or "encrypted" in sheet


@pytest.mark.parametrize("damage", ["gone", "locked", "cut off", "no PDF"])
def test_a_pdf_that_is_lost_after_it_was_read_is_replaced_by_its_text(damage: str, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    file = library / "tern.pdf"
    file.write_bytes(write_pdf())
    grammar, settings = Grammar.load(()), Settings(jurisdiction="UK")
    draft = DraftParser(grammar, "UK").parse((tmp_path / "brief.md").as_uri(), BRIEF, FORMATS["markdown"])
    opened, _ = open_library([library], tmp_path / "index.sqlite3", settings, lexical_only=True)
    with closing(opened):
        if damage == "gone":
            file.unlink()
        elif damage == "locked":
            file.write_bytes(write_pdf(lambda writer: writer.encrypt("secret")))
        else:
            file.write_bytes(write_pdf()[:400] if damage == "cut off" else b"no PDF at all")
        snapshot = Snapshot(draft, opened, Searcher(opened, grammar=grammar), settings)
        book = make_book(snapshot, "brief", CancelToken())
    tern = next(each for each in book.tabs if each.tab.authority is not None)
    texts = page_texts(book.data)
    assert "Its PDF cannot be shown (" in texts[tern.page - 1]
    assert WORDS in texts[tern.links[0] - 1]


def test_the_same_brief_makes_the_same_bytes(tmp_path: Path) -> None:
    books = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        books.append(make(tmp_path / name, {"tern.pdf": write_pdf(act)}).data)
    assert books[0] == books[1]


def test_words_on_a_scan_are_coloured_by_their_lines(tmp_path: Path) -> None:
    pages = [(*HEAD, PARAGRAPHS[0]), (PARAGRAPHS[0], PARAGRAPHS[1], PARAGRAPHS[2])]
    file = join_files(print_pages(pages[0]), scan(print_pages(pages[1]), Scanner(150)))
    book = make(tmp_path, {"tern.pdf": file})
    tern = next(each for each in book.tabs if each.tab.authority is not None)
    assert tern.links == (tern.page + 2,)
    picture = pypdfium2.PdfDocument(book.data)[tern.page + 1].render(scale=1).to_pil().convert("RGB")
    rows = range(60, picture.height)  # below the head
    coloured = [row for row in rows if any(blue < 170 < green for _, green, blue in read_row(picture, row))]
    inked = [row for row in rows if min(map(sum, read_row(picture, row))) < 500]
    assert inked[0] + 20 < coloured[0] < coloured[-1] < inked[-1] - 20


def read_row(picture: Image, row: int) -> list[tuple[int, int, int]]:
    return [picture.getpixel((column, row)) for column in range(picture.width)]
