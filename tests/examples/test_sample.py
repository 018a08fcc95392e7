"""The sample is what its README says: what is planted is where the table says, and the rest is correct."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from rank_bm25 import BM25Okapi

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation, fold
from lexls.library.document import SourceDocument
from lexls.library.passages import cut_passages
from lexls.library.places import NumberedPlaces, find_places
from lexls.library.readers import read
from lexls.text.formats import FORMATS, format_of

SAMPLE = Path(__file__).parents[2] / "examples"
LIBRARY = SAMPLE / "library"
DRAFTS = ("drafts/skeleton-argument.md", "drafts/memorandum.tex")
FAULTS = ("a wrong pinpoint", "an authority that is not in the library")
ABSENT_IN_AUTHORITIES = {
    # Judgments and Acts that the sample's judges mention and that no one needs to read.
    "(1934) 1 AldLR 51",
    "[2001] AHC 19",
    "[2009] ACA 70",
    "[2012] AHC 61",
    "[2013] ACA 40",
    "Inshore Fisheries Act 1966",
    "Law of Contract (Damages) Act 1931",
    "Sea Carriers Act 1952",
}


@dataclass(frozen=True)
class Planted:
    """A row of a table of the README."""

    draft: str
    line: int
    words: str
    what: str
    shows: str


@cache
def grammar() -> Grammar:
    return Grammar.load(tomllib.loads((SAMPLE / "lexls.toml").read_text())["citations"]["forms"])


@cache
def library() -> dict[Path, SourceDocument]:
    files = sorted(path for path in LIBRARY.rglob("*") if path.is_file())
    assert files
    return {path: read(path, grammar()) for path in files}


@cache
def by_key() -> dict[str, Path]:
    found = {}
    for path, document in library().items():
        known = document.metadata
        for citation in (known.citation or known.title, *known.parallel_citations):
            found[fold(grammar().key_of(citation, known.jurisdiction or "Aldmoor"))] = path
    return found


@cache
def planted() -> tuple[Planted, ...]:
    rows = []
    draft = ""
    for line in (SAMPLE / "README.md").read_text().splitlines():
        if line.startswith("## "):
            draft = line[3:]
        elif row := re.match(r"\| (\d+) \| `(.+?)` \| (.+?) \| (.+) \|$", line):
            rows.append(Planted(draft, int(row[1]), row[2], row[3], row[4]))
    return tuple(rows)


def rows(what: str) -> list[pytest.ParameterSet]:
    found = [row for row in planted() if row.what.startswith(what)]
    return [pytest.param(row, id=f"{Path(row.draft).name}:{row.line}") for row in found]


def citations(text: str) -> tuple[Citation, ...]:
    return grammar().find(text, "Aldmoor")


@cache
def masked(draft: str) -> str:
    path = SAMPLE / draft
    return format_of("", str(path)).mask(path.read_text())


@cache
def draft_citations(draft: str) -> tuple[Citation, ...]:
    return citations(masked(draft))


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def citation_at(row: Planted) -> Citation:
    """The citation of a row: the one whose end lies in, or at the end of, the row's words."""
    source = (SAMPLE / row.draft).read_text()
    start = source.index(row.words, sum(len(line) + 1 for line in source.split("\n")[: row.line - 1]))
    ends = start, start + len(row.words)
    found = [c for c in draft_citations(row.draft) if ends[0] < c.span.end <= ends[1] + 1]
    assert len(found) == 1, (row.words, [c.text for c in found])
    return found[0]


def places(citation: Citation) -> list[str]:
    """The text of the places that a citation's pinpoint names; none if one of them is not there."""
    document = library()[by_key()[fold(citation.key)]]
    assert citation.pinpoint is not None
    found = find_places(
        NumberedPlaces(document.blocks),
        document.page_starts,
        document.page_numbers,
        len(document.text),
        citation.pinpoint,
    )
    return [document.text[start:end] for _, start, end in found]


def plain(text: str) -> str:
    """Text for comparing words: one kind of quotation mark, single spaces, no emphasis."""
    text = text.replace("“", '"').replace("”", '"').replace("’", "'").replace("‘", "'").replace("*", "")
    return " ".join(text.split())


def test_formats_and_kinds_are_those_of_the_readme() -> None:
    assert Counter(path.suffix for path in library()) == {
        ".md": 19,
        ".txt": 5,
        ".html": 3,
        ".docx": 3,
        ".pdf": 3,
    }
    assert Counter(document.metadata.kind for document in library().values()) == {
        "case": 21,
        "statute": 8,
        "regulation": 2,
        "contract": 2,
    }


def test_every_authority_says_what_it_is_and_where_it_is_from() -> None:
    for path, document in library().items():
        known = document.metadata
        assert known.title, path.name
        assert known.date or path.suffix in (".txt", ".html"), path.name
        if known.kind == "case":
            assert re.match(r"[\[(]\d{4}[\])]", known.citation), path.name
            assert re.search(r"Court of (Appeal of )?Aldmoor([, ].*|$)", known.court), path.name
            assert known.jurisdiction == "Aldmoor", path.name
            year = re.search(r"\d{4}", known.citation)
            assert year is not None
            assert known.date.startswith(year[0]), path.name


def test_judgments_are_numbered_and_acts_have_sections() -> None:
    for path, document in library().items():
        labels = [block.label for block in document.blocks if block.label]
        if document.metadata.kind == "case":
            assert labels == [str(number) for number in range(1, len(labels) + 1)], path.name
            assert 12 <= len(labels) <= 35, path.name
        elif document.metadata.kind == "statute":
            assert {"1", "4(1)"} <= set(labels) or {"1", "4"} <= set(labels), path.name
            assert len(labels) > 30, path.name


@pytest.mark.parametrize("draft", DRAFTS)
def test_a_planted_row_names_words_of_its_line(draft: str) -> None:
    lines = (SAMPLE / draft).read_text().splitlines()
    here = [row for row in planted() if row.draft == draft]
    assert len(here) >= 10
    for row in here:
        assert row.words in lines[row.line - 1], row


@pytest.mark.parametrize("draft", DRAFTS)
def test_each_draft_has_every_kind_of_plant(draft: str) -> None:
    kinds = {row.what.split(":")[0].split(",")[0] for row in planted() if row.draft == draft}
    for kind in (*FAULTS, "a misquotation", "a short form", "*ibid*", "a proposition without authority"):
        assert any(found.startswith(kind) for found in kinds), kind


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_citation_of_a_draft_but_the_planted_faults_leads_somewhere(draft: str) -> None:
    faults = {
        citation_at(row).span for row in planted() if row.draft == draft and row.what.startswith(FAULTS)
    }
    found = draft_citations(draft)
    assert len(found) >= 15
    for citation in found:
        if citation.span in faults:
            continue
        assert fold(citation.key) in by_key(), citation.text
        if citation.pinpoint is not None:
            assert len(places(citation)) >= len(citation.pinpoint.labels), citation.text


@pytest.mark.parametrize("row", rows("a wrong pinpoint"))
def test_a_wrong_pinpoint_is_in_a_known_authority_without_that_paragraph(row: Planted) -> None:
    citation = citation_at(row)
    assert fold(citation.key) in by_key()
    assert not places(citation)
    assert "pinpoint-not-found" in row.shows


@pytest.mark.parametrize("row", rows("an authority that is not in the library"))
def test_a_missing_authority_is_well_cited_and_missing(row: Planted) -> None:
    citation = citation_at(row)
    assert citation.form == "full"
    assert citation.pinpoint is not None
    assert fold(citation.key) not in by_key()
    assert "not-in-library" in row.shows or "missing-among-held" in row.shows


@pytest.mark.parametrize("row", rows("a misquotation"))
def test_a_misquotation_differs_from_words_that_are_in_the_authority(row: Planted) -> None:
    right = re.findall(r"`(.+?)`", row.what)[-1]
    texts = [plain(document.text) for document in library().values()]
    assert any(right in text for text in texts)
    assert not any(plain(row.words) in text for text in texts)


@pytest.mark.parametrize("draft", DRAFTS)
def test_every_other_quotation_from_an_authority_is_exact(draft: str) -> None:
    source = (SAMPLE / draft).read_text()
    pattern = r"“(.+?)”" if draft.endswith(".md") else r"``(.+?)''"
    texts = [plain(document.text) for document in library().values()]
    wrong = {row.words for row in planted() if row.what.startswith("a misquotation")}
    quotations = [plain(quotation) for quotation in re.findall(pattern, source, re.DOTALL)]
    exact = [quotation for quotation in quotations if any(quotation in text for text in texts)]
    assert len(exact) >= 2
    for quotation in quotations:
        of_a_letter = quotation in ("various breaches", "with immediate effect")
        assert quotation in exact or of_a_letter or any(quotation.startswith(plain(words)) for words in wrong)


@pytest.mark.parametrize("row", [*rows("an exact quotation"), *rows("the beginning of an exact quotation")])
def test_an_exact_quotation_is_at_the_pinpoint_after_it(row: Planted) -> None:
    source = (SAMPLE / row.draft).read_text()
    start = source.index(row.words)
    after = next(c for c in draft_citations(row.draft) if c.span.start > start)
    assert any(plain(row.words) in plain(place) for place in places(after))


@pytest.mark.parametrize("row", [*rows("a short form"), *rows("*ibid*")])
def test_a_short_form_stands_for_a_full_citation_before_it(row: Planted) -> None:
    citation = citation_at(row)
    assert citation.form in ("short", "id")
    assert citation.antecedent is not None
    before = draft_citations(row.draft)[citation.antecedent]
    assert before.span.end <= citation.span.start
    assert before.key == citation.key
    assert places(citation)


@pytest.mark.parametrize("row", rows("a proposition without authority"))
def test_the_library_supports_the_proposition_that_has_no_authority(row: Planted) -> None:
    source = masked(row.draft)
    start = source.index(plain(row.words))
    sentence = source[start : source.index(".", start) + 1]
    assert not citations(sentence)
    cited = citations(row.shows)[0]
    assert cited.pinpoint is not None
    expected = by_key()[fold(cited.key)], cited.pinpoint.labels[0]
    found = [
        (path, passage.paragraph, document.text[passage.start : passage.end])
        for path, document in library().items()
        for passage in cut_passages(document)
    ]
    index = BM25Okapi([_terms(text) for _, _, text in found])
    scores = index.get_scores(_terms(sentence))
    best = sorted(range(len(found)), key=lambda number: -scores[number])[:3]
    assert expected in [found[number][:2] for number in best]


@pytest.mark.parametrize("row", rows("a sentence that is not finished"))
def test_the_unfinished_sentence_ends_with_the_beginning_of_a_title(row: Planted) -> None:
    line = (SAMPLE / row.draft).read_text().splitlines()[row.line - 1]
    assert line.endswith(row.words)
    begun = row.words.split()[-1]
    titles = [document.metadata.title for document in library().values()]
    offered = [title for title in titles if title.startswith(begun)]
    assert re.findall(r"`(.+?)`", row.shows)[0] in offered


def test_every_judgment_but_the_oldest_cites_another_one() -> None:
    cases = [path for path in library() if path.parent.name == "cases"]
    assert len(cases) > 1
    for path in cases:
        assert _cited_cases(path) or path.name.startswith("1961"), path.name


def test_every_authority_is_cited_by_another_authority_or_draft_or_is_a_contract() -> None:
    cited = {other for path in library() for other in _cited(path)}
    cited |= {
        by_key()[fold(c.key)] for draft in DRAFTS for c in draft_citations(draft) if fold(c.key) in by_key()
    }
    assert {path.name for path in library() if path.parent.name != "contracts"} - {
        path.name for path in cited
    } <= {"2021-AHC-133-vantry-bunkers-v-esker.docx"}


def test_every_citation_in_the_library_leads_to_a_place_or_to_a_known_absence() -> None:
    wrong = []
    for path, document in library().items():
        for citation in citations(_text(path, document)):
            if citation.key in ABSENT_IN_AUTHORITIES or citation.form != "full":
                continue
            if fold(citation.key) not in by_key() or (citation.pinpoint and not places(citation)):
                wrong.append((path.name, citation.text))
    assert wrong == []


def test_one_judgment_is_doubted_distinguished_and_at_last_overruled() -> None:
    orrin = by_key()[fold("(1968) 1 AldLR 301")]
    for key, treatment in (
        ("(1987) 4 AldLR 212", "I doubt whether Orrin Grain was correctly decided"),
        ("[2009] ACA 31", "I would distinguish Orrin Grain"),
        ("[2014] ASC 12", "should be overruled"),
    ):
        path = by_key()[fold(key)]
        assert orrin in _cited(path)
        assert treatment in plain(library()[path].text)


def test_made_files_are_what_their_sources_make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SAMPLE / "sources"))
    build = _load(SAMPLE / "sources" / "build.py")
    monkeypatch.setattr(build, "LIBRARY", tmp_path)
    sources = sorted((SAMPLE / "sources").glob("*.txt"))
    assert len(sources) == 6
    for source in sources:
        made = build.build(source)
        kept = LIBRARY / made.relative_to(tmp_path)
        assert _words(made) == _words(kept), made.name


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("build", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["build"] = module
    spec.loader.exec_module(module)
    return module


def _words(path: Path) -> str:
    return read(path, grammar()).text


def _terms(text: str) -> list[str]:
    return [word for word in re.findall(r"[a-z]+", text.casefold()) if len(word) > 3]


def _text(path: Path, document: SourceDocument) -> str:
    return FORMATS["markdown"].mask(document.text) if path.suffix == ".md" else document.text


def _cited(path: Path) -> set[Path]:
    found = citations(_text(path, library()[path]))
    return {by_key()[fold(c.key)] for c in found if fold(c.key) in by_key()} - {path}


def _cited_cases(path: Path) -> set[Path]:
    return {other for other in _cited(path) if other.parent.name == "cases"}
