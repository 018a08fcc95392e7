"""``lexls book``: combine a brief and its authorities in one PDF, with each citation linked to the cited
passage.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from lexls.cli.context import find_workspace
from lexls.cli.drafts import read_brief
from lexls.cli.libraries import Libraries
from lexls.cli.output import FINE, USAGE, CommandFailed, emit, show_progress, using_files
from lexls.export.book.making import Book, make_book
from lexls.export.book.own_pdf import make_own_pdf
from lexls.export.book.pdf_pages import UnusablePdf
from lexls.reading.draft_places import name_places
from lexls.text.cancel import CancelToken
from lexls.text.terminal import note


def run_book(options: argparse.Namespace) -> int:
    """Create the book. The command succeeds even if authorities are missing from the library."""
    place = find_workspace(options, options.file)
    if not place.folders:
        raise CommandFailed("a book needs a library: name one with --library, or in lexls.toml")
    out: Path = options.output or options.file.with_name(f"{options.file.stem}-book.pdf")
    if out.is_dir() or out.suffix.lower() != ".pdf":
        raise CommandFailed(f"{out}: name a file that ends in .pdf", USAGE)
    if options.pdf is not None:
        with using_files(options.pdf), options.pdf.open("rb"):
            pass
    draft, places = read_brief(options.file, place.settings)
    with closing(Libraries()) as opened, tempfile.TemporaryDirectory(prefix="lexls-") as folder:
        snapshot = opened.snapshot(place, draft)
        pdf: Path | None = options.pdf or (options.file if options.file.suffix.lower() == ".pdf" else None)
        if pdf is None and not options.plain:
            pdf, reason = make_own_pdf(options.file, Path(folder))
            if reason:
                note(f"{options.file}: {reason}; its text is set on plain pages")
        with show_progress("book", "tabs") as show:
            try:
                book = make_book(snapshot, options.file.stem, CancelToken(), pdf, show)
            except UnusablePdf as error:
                raise CommandFailed(f"{pdf}: {error}") from error
    with using_files(out):
        out.write_bytes(book.data)
    where = name_places(places)
    lost = [[where(each) for each in spans] for spans in (book.unlinked, book.unplaced)]
    emit(options, _describe(out, book, *lost), _write(out, book, *lost))
    return FINE


def _write(out: Path, book: Book, unlinked: list[str], unplaced: list[str]) -> Iterator[str]:
    linked = sum(len(each.links) for each in book.tabs)
    missing = [each for each in book.tabs if each.tab.authority is None]
    numbers = ((book.pages, "page"), (len(book.tabs), "tab"), (linked, "linked citation"))
    counted = [f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in numbers]
    yield f"{out}: {', '.join(counted)}"
    for each in missing:
        yield f"Tab {each.tab.number} (page {each.page}): {each.tab.name} is not in the library"
    for place in unlinked:
        yield f"{place}: not linked, as it is not known what the citation stands for"
    for place in unplaced:
        yield f"{place}: not linked, as the citation was not certainly found on the pages of the PDF"


def _describe(out: Path, book: Book, unlinked: list[str], unplaced: list[str]) -> Mapping[str, Any]:
    return {
        "file": str(out),
        "pages": book.pages,
        "tabs": [
            {
                "tab": each.tab.number,
                "authority": each.tab.name,
                "in_library": each.tab.authority is not None,
                "page": each.page,
                "pages": each.pages,
                "links": list(each.links),
            }
            for each in book.tabs
        ],
        "unlinked": unlinked,
        "unplaced": unplaced,
    }
