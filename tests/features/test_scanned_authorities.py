"""What is said of authorities that were read by OCR: how sure it is, and no accusation for a letter."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from scans import Scanner, join_files, print_pages, scan

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.features.hover import hover
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.authority_names import NameIndexes
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

HEAD = (
    "Carrow v Luff [2014] UKSC 12",
    "1. The brig Heron sailed for Tollen in March with forty bales of wool.",
)
SCANNED = (
    "2. A carrier who leaves the agreed route without necessity answers now for every loss that follows, and "
    "it is no defence that the weather was fair.",
    "3. Necessity is judged at the time of the departure from the route and not with hindsight.",
)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A judgment whose second page is a scan."""
    folder = tmp_path_factory.mktemp("scans")
    file = join_files(print_pages(HEAD), scan(print_pages(SCANNED), Scanner(150)))
    (folder / "carrow.pdf").write_bytes(file)
    index = tmp_path_factory.mktemp("index") / "index.sqlite"
    library, report = open_library([folder], index, SETTINGS, lexical_only=True)
    assert not report.failed
    yield library
    library.close()


SETTINGS = Settings(jurisdiction="UK", embeddings_model="")


def read(library: Library, draft: str) -> Snapshot:
    parsed = DraftParser(Grammar.load(), "UK").parse("file:///draft", draft, FORMATS["markdown"])
    return Snapshot(parsed, library, Searcher(library), SETTINGS, NameIndexes())


def find(library: Library, draft: str) -> list[Finding]:
    found = check(read(library, draft), CancelToken())
    return [each for each in found if each.code.startswith(("misquotation", "quotation"))]


def test_the_index_knows_which_pages_were_read_by_ocr(scanned: Library) -> None:
    [authority] = scanned.catalogue.all()
    text = scanned.contents.text(authority.id)
    assert scanned.contents.find_scan(authority.id, text.index("brig Heron")) is None
    place = scanned.contents.find_scan(authority.id, text.index("hindsight"))
    assert place is not None
    assert place.page == 2
    assert 0.9 < place.confidence <= 1


def test_hover_says_so_and_offers_the_page(scanned: Library) -> None:
    draft = "It is judged at the time: Carrow v Luff [2014] UKSC 12 [3]. See also [2014] UKSC 12 [1]."
    snapshot = read(scanned, draft)
    shown = hover(snapshot, draft.index("UKSC"), CancelToken())
    assert shown is not None
    before, _, address = shown.markdown.partition("% sure; check [the page](<")
    assert before.splitlines()[-1].startswith("_Read by OCR, 9")
    image = Path(unquote(urlparse(address.partition(">")[0]).path))
    until = time.monotonic() + 30
    while not image.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert image.read_bytes().startswith(b"\x89PNG")
    other = hover(snapshot, draft.rindex("UKSC"), CancelToken())
    assert other is not None
    assert "OCR" not in other.markdown


def test_a_letter_is_no_misquotation(scanned: Library) -> None:
    quotation = SCANNED[0][3:-1].replace("now", "not")
    [finding] = find(scanned, f"“{quotation}”: Carrow v Luff [2014] UKSC 12 [2].")
    assert finding.code == "quotation-spelling"
    assert finding.message.startswith("“not” — the judgment has “now” ([2014] UKSC 12 at [2]; read by OCR, 9")
    assert finding.message.endswith("% sure: check the page)")


def test_another_word_is_one_and_the_scan_is_named(scanned: Library) -> None:
    quotation = SCANNED[0][3:-1].replace("necessity", "permission")
    [finding] = find(scanned, f"“{quotation}”: Carrow v Luff [2014] UKSC 12 [2].")
    assert finding.code == "misquotation"
    assert "the judgment says “necessity”" in finding.message
    assert "read by OCR" in finding.message


def test_of_a_page_with_text_every_letter_counts(scanned: Library) -> None:
    quotation = HEAD[1][3:-1].replace("March", "Match")
    [finding] = find(scanned, f"“{quotation}”: Carrow v Luff [2014] UKSC 12 [1].")
    assert "OCR" not in finding.message
