"""Pages that are pictures are read by OCR: real scans of printed pages, the real models."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from made_documents.invented import JUDGMENT as INVENTED
from made_documents.invented import leave_notes_out, without_ligatures, write_lines
from made_documents.typesetter import Design, make_pdf
from rapidfuzz.distance import Levenshtein
from scans import CLEAN, Print, Scanner, draw_stamp, join_files, print_pages, scan

from lexls.library.document import SourceDocument, UnreadableFile
from lexls.library.readers.ocr import read_picture
from lexls.library.readers.picture_marks import describe_reading

Reader = Callable[[str, str | bytes], SourceDocument]

JUDGMENT = (
    "IN THE HIGH COURT OF MERROW",
    "Ashgrove Canal Company v Teal [2016] MEHC 41",
    "1. The claimant lets moorings on the Ashgrove canal. By a licence dated 4 June 2012 it let berth 17 to "
    "Mr Teal for £1,250 a year, on terms that he would keep the towpath “free of rope, fuel and timber”.",
    "2. Mr Teal’s barge was moored across the lock for nine days. He says that the lock-keeper told him to "
    "do so; the keeper, whom I found a careful witness, denies it. I prefer the keeper’s account: see "
    "section 12(3)(b) of the Waterways Act 1968.",
    "3. It follows that the licence was broken and that the claimant may end it on 28 days’ notice. There "
    "will be judgment for the claimant for £340.65 and costs.",
)
TEXT = " ".join(JUDGMENT)


def fold(text: str) -> str:
    """One kind of quotation marks, one space."""
    return " ".join(text.translate(str.maketrans("“”‘’", "\"\"''")).split())


def error_rate(found: str, expected: str) -> float:
    return Levenshtein.distance(fold(expected), fold(found)) / len(fold(expected))


def test_a_clean_scan_is_read_as_what_was_printed(read_as: Reader) -> None:
    document = read_as("scan.pdf", scan(print_pages(JUDGMENT)))
    assert error_rate(document.text, TEXT) <= 0.005
    assert [block.label for block in document.blocks if block.kind == "paragraph"] == ["1", "2", "3"]
    assert document.metadata.title == "Ashgrove Canal Company v Teal"
    assert list(document.scanned) == [1]
    assert 0.95 < document.scanned[1] <= 1


@pytest.mark.parametrize(
    ("scanner", "most"),
    [
        pytest.param(Scanner(150, skew=2.5, quality=50), 0.01, id="skewed"),
        pytest.param(Scanner(200, noise=0.02), 0.02, id="noise", marks=pytest.mark.slow),
        pytest.param(Scanner(200, watermark="CERTIFIED COPY"), 0.005, id="watermark", marks=pytest.mark.slow),
        pytest.param(Scanner(150, turned=1), 0.01, id="on its side", marks=pytest.mark.slow),
        pytest.param(Scanner(150, turned=2), 0.01, id="upside down", marks=pytest.mark.slow),
    ],
)
def test_poor_scans_are_read(scanner: Scanner, most: float, read_as: Reader) -> None:
    document = read_as("scan.pdf", scan(print_pages(JUDGMENT), scanner))
    assert error_rate(document.text, TEXT) <= most
    assert [block.label for block in document.blocks if block.kind == "paragraph"] == ["1", "2", "3"]


def test_columns_are_read_one_after_the_other(read_as: Reader) -> None:
    printed = print_pages(JUDGMENT[2:], Print(size=9, columns=2))
    document = read_as("scan.pdf", scan(printed, Scanner(200)))
    assert error_rate(document.text, " ".join(JUDGMENT[2:])) <= 0.01


def test_only_pages_without_text_are_read_by_ocr(read_as: Reader) -> None:
    printed = print_pages(JUDGMENT[:4])
    document = read_as("mixed.pdf", join_files(printed, scan(print_pages(JUDGMENT[4:])), printed))
    assert list(document.scanned) == [2]
    assert document.text.count(JUDGMENT[2]) == 2
    start, end = document.page_starts[1:]
    assert error_rate(document.text[start:end], JUDGMENT[4]) <= 0.01
    assert document.warnings == ()


@pytest.mark.parametrize(
    ("pages", "warnings", "reason"),
    [
        ([True], (), "no text layer (a scan): install lexls[ocr] to read it"),
        ([False, True], ("page 2 has no text (a scan): install lexls[ocr] to read it",), ""),
    ],
)
def test_without_the_extra_a_scan_says_what_to_install(
    pages: Sequence[bool],
    warnings: tuple[str, ...],
    reason: str,
    read_as: Reader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)  # as where it is not installed
    printed = print_pages(JUDGMENT)
    file = join_files(*(scan(printed, Scanner(72)) if is_scan else printed for is_scan in pages))
    if reason:
        with pytest.raises(UnreadableFile) as refused:
            read_as("scan.pdf", file)
        assert str(refused.value) == reason
    else:
        assert read_as("scan.pdf", file).warnings == warnings


def test_a_picture_without_words_is_no_text(read_as: Reader) -> None:
    with pytest.raises(UnreadableFile, match="no text layer, and OCR found no words"):
        read_as("blank.pdf", scan(print_pages([" "]), CLEAN))


def test_a_text_layer_that_is_no_words_is_told(read_as: Reader) -> None:
    garbage = " ".join(["~|i1'", "=;j", "tlI\\e", "}{aw", "c0}rt", "?.?", "~~", "1l|"] * 20)
    assert read_as("bad.pdf", print_pages([garbage])).warnings == (
        "most of its text layer is no words (poor OCR by another program?)",
    )


def test_notes_of_a_scan_follow_the_paragraph_that_refers_to_them(read_as: Reader) -> None:
    [part, *_] = [part for part in without_ligatures(INVENTED) if part.note]
    printed, _ = make_pdf([part])
    document = read_as("notes.pdf", scan(printed, Scanner(200)))
    assert error_rate(document.text, " ".join(write_lines([part]))) <= 0.01


def test_pictures_that_pages_repeat_are_left_out(read_as: Reader) -> None:
    printed = join_files(*(print_pages([words]) for words in JUDGMENT[2:]))
    stamped = Scanner(100, stamp=draw_stamp())
    assert "REGISTRY" not in read_as("stamped.pdf", scan(printed, stamped)).text
    assert "REGISTRY" in read_as("once.pdf", scan(print_pages(JUDGMENT[2:3]), stamped)).text


def test_what_looks_like_a_sample_is_left_out(tmp_path: Path) -> None:
    draw_stamp().save(tmp_path / "stamp.png")
    (tmp_path / "broken.png").write_bytes(b"no picture")
    stamp = draw_stamp().resize((300, 300)).rotate(12, expand=True, fillcolor=255)
    page = scan(print_pages(JUDGMENT[2:3]), Scanner(150, stamp=stamp))
    found = read_picture(page, 1, str(tmp_path))
    assert error_rate(" ".join(box.text for box in found.boxes), JUDGMENT[2]) <= 0.02
    assert describe_reading(str(tmp_path)) != describe_reading()


def test_numbers_of_lines_are_left_out(read_as: Reader) -> None:
    parts = leave_notes_out(without_ligatures(INVENTED))[:20]
    printed, _ = make_pdf(parts, design=Design(leading=24, line_numbers=True))
    document = read_as("pleading.pdf", scan(printed, Scanner(150)))
    assert error_rate(document.text, " ".join(write_lines(parts))) <= 0.005
