"""Small files that grow are refused with the reason, before they take time or memory; long ones are read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from drawn_pdfs import draw_lines, make_drawing
from growing_files import GROWING, GrowingFile, make_entities, make_parts
from mutants import judge_apart

from lexls.index.config import PrepareOptions
from lexls.index.prepare import Preparer
from lexls.library.document import Extract
from lexls.library.readers import html, page_bundles, pdf
from lexls.library.readers.opening import MAIL_HEADER


@pytest.fixture(scope="module")
def preparer() -> Preparer:
    return Preparer(PrepareOptions(jurisdiction="UK"))


@pytest.mark.parametrize("growing", GROWING, ids=lambda growing: growing.name)
def test_a_small_file_that_grows_is_refused_with_the_reason(
    preparer: Preparer, tmp_path: Path, growing: GrowingFile
) -> None:
    path = tmp_path / growing.name
    path.write_bytes(growing.make(growing.count))
    assert growing.reason in judge_apart(preparer, path)


@pytest.mark.parametrize(
    "read",
    [
        lambda: pdf.extract(make_drawing(draw_lines(10_000))),
        lambda: pdf.extract(make_drawing(draw_lines(60), pages=700)),
        lambda: html.extract(make_entities(200_000)),
        lambda: page_bundles.extract(make_parts(2_000)),
    ],
    ids=["lines of a page", "pages", "entities", "parts"],
)
def test_what_is_long_but_does_not_grow_is_read(read: Callable[[], Extract]) -> None:
    assert "oats" in read().text.casefold()


@pytest.mark.parametrize("header", ["To", "CC", "subject"])
@pytest.mark.parametrize("written", ["a@b.example, ", "=?utf-8?q?a?= ", "(", '"'])
def test_the_beginning_of_a_long_header_is_read(header: str, written: str) -> None:
    data = f"From: a@b.test\n{header}: {written * 200_000}\n\nOats and hay.\n".encode()
    found = page_bundles.extract(data)
    assert "Oats and hay." in found.text
    assert len(found.text) < 2 * MAIL_HEADER
    assert any(
        f"{MAIL_HEADER:,} characters of its {header.title()} header" in each for each in found.warnings
    )
