"""The libraries beside the checkout, where they are: what is found in them stays found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.library.document import SourceDocument
from lexls.library.passages import cut_passages
from lexls.library.readers import read

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="no ../shared/data")


def documents(folder: str, grammar: Grammar, every: int = 1) -> Iterator[tuple[Path, SourceDocument]]:
    paths = sorted((DATA / folder).iterdir())[::every]
    assert paths
    for path in paths:
        yield path, read(path, grammar)


def test_indian_judgments_have_title_court_date_and_numbered_paragraphs(grammar: Grammar) -> None:
    read_files = numbered = 0
    for path, document in documents("in-cases", grammar, every=5):
        found = document.metadata
        assert (found.kind, found.jurisdiction, found.court) == ("case", "IN", "Supreme Court of India"), (
            path.name
        )
        assert " v " in found.title, path.name
        assert len(found.date) == 10, path.name
        assert found.citation == "", path.name
        read_files += 1
        numbered += any(block.kind == "paragraph" for block in document.blocks)
    assert numbered >= read_files * 0.985


def test_passages_of_indian_judgments_stay_in_their_paragraphs(grammar: Grammar) -> None:
    for path, document in documents("in-cases", grammar, every=40):
        paragraphs = [block for block in document.blocks if block.kind == "paragraph"]
        for passage in cut_passages(document):
            assert passage.end - passage.start <= 1500, path.name
            touched = [
                block for block in paragraphs if block.start < passage.end and passage.start < block.end
            ]
            assert len(touched) <= 1, path.name


def test_front_matter_of_american_opinions_is_taken_as_it_is(grammar: Grammar) -> None:
    for path, document in documents("us-cases", grammar, every=25):
        found = document.metadata
        assert found.kind == "case", path.name
        assert found.jurisdiction == "US", path.name
        assert found.citation, path.name
        assert not document.warnings, path.name
        assert document.text[document.blocks[0].start] == "#", path.name


def test_slip_opinions_have_their_names_and_dates(grammar: Grammar) -> None:
    dated = count = 0
    for path, document in documents("scotus", grammar, every=4):
        found = document.metadata
        assert found.title.casefold() == path.stem.casefold(), path.name
        assert (found.kind, found.jurisdiction) == ("case", "US"), path.name
        count += 1
        dated += len(found.date) == 10
        assert not any(block.kind == "paragraph" for block in document.blocks), path.name
    assert dated >= count * 0.98


@pytest.mark.parametrize(
    ("name", "citation", "sections", "nested"),
    [
        ("Title_09.txt", "9 U.S.C.", 31, "10(a)"),
        ("Title_17.txt", "17 U.S.C.", 130, "110(5)(B)"),
        ("Title_35.txt", "35 U.S.C.", 150, "102(a)"),
    ],
)
def test_the_code_has_its_sections(
    grammar: Grammar, name: str, citation: str, sections: int, nested: str
) -> None:
    document = read(DATA / "us-code" / name, grammar)
    assert document.metadata.citation == citation
    labels = {block.label for block in document.blocks if block.kind == "section"}
    assert len({label for label in labels if "(" not in label}) >= sections
    assert nested in labels


def test_statute_files_take_their_titles(grammar: Grammar) -> None:
    for path, document in documents("in-statutes", grammar):
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert f"Title: {document.metadata.title}" == " ".join(first.split()), path.name
        assert document.metadata.kind == "statute", path.name


def test_contracts_are_contracts_and_mostly_have_clauses(grammar: Grammar) -> None:
    count = contracts = claused = 0
    for _, document in documents("contracts", grammar, every=6):
        count += 1
        contracts += document.metadata.kind == "contract"
        claused += any(block.kind == "section" for block in document.blocks)
    assert contracts >= count * 0.95
    assert claused >= count * 0.7


def test_contracts_as_pdf_are_read(grammar: Grammar) -> None:
    for path, document in documents("contract-pdfs", grammar, every=4):
        assert document.page_starts[0] == 0, path.name
        assert list(document.page_starts) == sorted(document.page_starts), path.name
        assert cut_passages(document), path.name
