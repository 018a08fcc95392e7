"""An American brief beside a library of opinions without page marks, a code and contracts: what it shows.

The matter is laid out from ../shared; what the rows show is proved on invented material in the other tests.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.export.table_of_authorities import edit_draft, find_usual_place
from lexls.features.build import build_searcher
from lexls.features.completion import complete
from lexls.features.find_support import find_support
from lexls.features.gathering import gather_answer, gather_contrary
from lexls.features.hover import hover
from lexls.features.inlays import find_hints
from lexls.grounding.answering import write_answer
from lexls.grounding.generators.extractive import ExtractiveGenerator
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.session import open_library
from lexls.index.tokens import Tokenizer
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.settings.load import load
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.spans import Span

MATTER = Path(__file__).parents[2] / ".." / "shared" / "matters" / "streamlocker"
pytestmark = pytest.mark.skipif(not MATTER.is_dir(), reason="no ../shared/matters")
BRITISH = ("p 0", " s 1201", "¶ ", "judgment says", " cl ", "clause ")
TOKEN = CancelToken()
Read = Callable[[str], Snapshot]


@pytest.fixture(scope="module")
def brief(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Read]]:
    """The brief's text, and a snapshot of a text beside its library."""
    root = tmp_path_factory.mktemp("matter") / "work"
    subprocess.run([MATTER.resolve() / "lay-out", root], check=True)
    own, problems = load(root / "brief.md", user_file=root / "none.toml")
    assert problems == []
    index = root.parent / "index.sqlite3"
    library, _ = open_library(list(own.library_folders), index, own, lexical_only=True)
    grammar, tokenizer = Grammar.load(), Tokenizer()
    searcher = build_searcher(own, library, grammar, tokenizer, lambda: None, lambda: None)
    parser = DraftParser(grammar, own.jurisdiction, lambda: tuple(library.catalogue.jurisdictions()))

    def read(source: str) -> Snapshot:
        draft = parser.parse("file:///brief.md", source, FORMATS["markdown"])
        return Snapshot(draft, library, searcher, own, tokenizer=tokenizer)

    yield (root / "brief.md").read_text(encoding="utf-8"), read
    library.close()


def shown(brief: tuple[str, Read], words: str) -> str:
    text, read = brief
    found = hover(read(text), text.index(words) + 2, TOKEN)
    assert found is not None
    return found.markdown


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("869 F.3d 848, 863", ("found by its words", "August 24, 2017", "page 863")),
        ("Joint Content License Agreement §", ("§ 3", "three (3) years", "February 1, 2018")),
        ("17 U.S.C. § 1201(a)(1)(A)", ("§ 1201(a)(1)(A)",)),
        (
            "307 F. Supp. 2d 1085",
            ("**321 Studios v. Metro Goldwyn Mayer Studios, Inc.**", "February 19, 2004"),
        ),
        ("Digital Millennium", ("17 U.S.C. §§ 512, 1201–1205, where it is codified, is",)),
        ("Feist", ("is not in your library",)),
    ],
)
def test_hovers_speak_american(brief: tuple[str, Read], words: str, expected: tuple[str, ...]) -> None:
    told = shown(brief, words)
    for each in expected:
        assert each in told
    for each in BRITISH:
        assert each not in told.replace("three (3)", "")


def test_what_is_wrong_is_found_and_nothing_else(brief: tuple[str, Read]) -> None:
    text, read = brief
    found = check(read(text), TOKEN)
    codes = {each.code for each in found}
    # What is missing is told by one who follows the library, which nobody does here.
    assert codes - {"missing-among-held", "not-in-library"} == {"misquotation", "quotation-wording"}
    messages = " ".join(each.message for each in found)
    assert "the opinion says “explicitly”" in messages
    assert not any(each in messages for each in BRITISH)


def test_no_hint_repeats_what_the_paragraph_says(brief: tuple[str, Read]) -> None:
    text, read = brief
    hints = find_hints(read(text), Span(0, len(text)), TOKEN)
    assert {each.label for each in hints} == {"= 17 U.S.C."}


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("*Vid", "VidAngel, 869 F.3d at"),
        ("*321", "321 Studios, 307 F. Supp. 2d at"),
        ("See ", "Corley, 273 F.3d at"),
    ],
)
def test_completion_offers_what_a_lawyer_types(brief: tuple[str, Read], typed: str, first: str) -> None:
    text, read = brief
    # Behind the first of the brief's paragraphs that cites nothing.
    at = text.index("\n", text.index("A technological"))
    source = f"{text[:at]} {typed}{text[at:]}"
    labels = [each.label for each in complete(read(source), at + 1 + len(typed), TOKEN)]
    assert labels[0] == first
    assert not [each for each in labels if each[:1].isdigit() and not each.startswith("321 Studios")]


def test_support_names_no_page_that_is_not_there(brief: tuple[str, Read]) -> None:
    text, read = brief
    for opening, name in (("Delay in", "VidAngel"), ("Fair use is", "")):
        at = text.index(opening)
        found = find_support(read(text), Span(at, at), 8, TOKEN)
        assert name in found[0].hit.authority.name
        assert not any(each.place in ("p 0", "page 0") or each.place.startswith(("¶", "[")) for each in found)


def test_contrary_authority_shows_nothing_that_agrees(brief: tuple[str, Read]) -> None:
    text, read = brief
    at = text.index("Fair use is")
    found = gather_contrary(read(text), Span(at, at), TOKEN)
    assert found is not None
    assert found.nearest == ()


def test_the_table_of_authorities_has_the_american_parts(brief: tuple[str, Read]) -> None:
    text, read = brief
    snapshot = read(text)
    (edit,) = edit_draft(snapshot, find_usual_place(snapshot.draft), TOKEN)
    parts = [line for line in edit.text.splitlines() if line.startswith("## ")]
    assert parts == ["## Cases", "## Statutes", "## Other Authorities"]
    assert "(9th Cir. 2010)" in edit.text
    assert edit.text.index("Joint Content") > edit.text.index("## Other Authorities")
    assert "*See Davidson" not in edit.text


@pytest.mark.parametrize("in_draft", [True, False])
def test_the_term_of_the_license_is_found(brief: tuple[str, Read], in_draft: bool) -> None:
    text, read = brief
    snapshot = read(text if in_draft else "")
    gathered = gather_answer(snapshot, "How long is the term of the content license?", (), TOKEN)
    verifier = EvidenceVerifier(snapshot.tokens, 0.6)
    *_, answer = write_answer(gathered, ExtractiveGenerator(snapshot.tokens), verifier, TOKEN)
    said = {each.pins[0].authority.title: each for each in answer.sentences}
    found = said["Joint Content License Agreement"]
    assert "three (3) years" in found.text
    assert found.pins[0].label == "3"
    if in_draft:
        assert len(said) == 1
