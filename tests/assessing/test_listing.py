"""What the user's catalogue says of citations that the library does not hold, from lists of every form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from made_case_lists import FORMS, PACKED, write_lists

from lexls.assessing.assess import assess_excerpt
from lexls.assessing.excerpt import excerpt_at
from lexls.assessing.rules.engine import check
from lexls.assessing.verdicts import decide
from lexls.citations.grammar import Grammar
from lexls.citations.report_places import PlaceReader
from lexls.index.case_catalogue import CaseCatalogue
from lexls.index.case_catalogue_update import add_list
from lexls.index.court_listener import add_bulk_tables, find_bulk_tables
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.library.case_lists import find_list
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

SETTINGS = Settings(jurisdiction="US", embeddings_model="")
Ask = Callable[[str], Snapshot]


def add_lists(path: Path, files: list[Path]) -> None:
    """Add lists to the catalogue at ``path``."""
    places = PlaceReader(Grammar.load(), "US")
    lists = [find_list(each) for each in files]
    tables = find_bulk_tables(lists)
    if tables is not None:
        add_bulk_tables(path, tables, places, lambda count: None)
        return
    for each in lists:
        add_list(path, each, places, lambda count: None)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("library")
    head = "title: Elm v. Ash\ncitation: 1 F.3d 1\ndate: 1993-01-02\nkind: case\njurisdiction: US"
    (folder / "elm.md").write_text(f"---\n{head}\n---\n\nThe order below stands.\n", encoding="utf-8")
    opened, _ = open_library([folder], folder / "index.sqlite", SETTINGS, lexical_only=True)
    yield opened
    opened.close()


@pytest.fixture(scope="module", params=[(form, packed) for form in FORMS for packed in PACKED], ids="".join)
def ask(
    request: pytest.FixtureRequest, library: Library, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ask]:
    """A draft with the catalogue made of each form of list."""
    folder = tmp_path_factory.mktemp("catalogue")
    add_lists(folder / "catalogue.sqlite3", write_lists(folder, *request.param))
    cases = CaseCatalogue(folder / "catalogue.sqlite3")
    grammar = Grammar.load()

    def ask(source: str) -> Snapshot:
        draft = DraftParser(grammar, "US").parse("file:///draft", source, FORMATS["markdown"])
        return Snapshot(draft, library, Searcher(library, grammar=grammar), SETTINGS, cases=cases)

    yield ask
    cases.close()


OUTCOMES = {
    # The case that is cited, however it is written.
    "*Carrow v. Luff*, 712 F.3d 1184 (3d Cir. 2013).": ("same", "in-catalogue", ""),
    "*Carrow v. Luff*, 712 F. 3d 1184, 1187 (CA3 2013).": ("same", "in-catalogue", ""),
    "*CARROW v. LUFF*, 712 F3d 1184 (3d Cir. 2013).": ("same", "in-catalogue", ""),
    "*Ayre v. Holt*, 400 S.W.3d 10 (Tex. 2013).": ("same", "in-catalogue", ""),
    "*Ayre v. Holt*, 400 S.W.3d 10, 12, 56 Tex. Sup. Ct. J. 700 (Tex. 2013).": ("same", "in-catalogue", ""),
    "*In re Vane*, 712 F.3d 1200 (3d Cir. 2013).": ("same", "in-catalogue", ""),
    "*U.S. v. Moss*, 713 F.3d 5 (3d Cir. 2013).": ("same", "in-catalogue", ""),
    # Another case begins there.
    "*Bell v. Dole*, 712 F.3d 1184 (3d Cir. 2013).": ("other", "wrong", ""),
    "*Bell v. Dole*, 400 S.W.3d 20 (Tex. 2013).": ("other", "wrong", ""),
    "*Carrow v. Luff*, 712 F.3d 1190 (3d Cir. 2013).": ("other", "wrong", "712 F.3d 1184"),
    "*Ayre v. Holt*, 400 S.W.3d 20 (Tex. 2013).": ("other", "wrong", "400 S.W.3d 10"),
    # Its year or court is another.
    "*Carrow v. Luff*, 712 F.3d 1184 (5th Cir. 2013).": ("differs", "wrong", ""),
    "*Ayre v. Holt*, 400 S.W.3d 10 (Tex. 2011).": ("differs", "wrong", ""),
    # A case without a name in the draft, or of the year before, may be the one.
    "See 712 F.3d 1184 (3d Cir. 2013).": ("unclear", "not-in-library", ""),
    "*Ayre v. Holt*, 400 S.W.3d 10 (Tex. 2014).": ("unclear", "not-in-library", ""),
    # A page within the case.
    "*Carrow v. Luff*, 712 F.3d 1186 (3d Cir. 2013).": ("within", "not-in-library", "712 F.3d 1184"),
    "*Tarn v. Quorn*, 400 S.W.3d 25 (Tex. 2013).": ("within", "not-in-library", "400 S.W.3d 20"),
    # The case is elsewhere.
    "*Pell v. Stark*, 721 F.3d 1190 (3d Cir. 2013).": ("elsewhere", "not-in-library", "712 F.3d 1190"),
    "*Orr v. Kane*, 402 S.W.3d 32 (Tex. 2013).": ("elsewhere", "not-in-library", "400 S.W.3d 32"),
    # None of these.
    "*Bell v. Dole*, 712 F.3d 1300 (3d Cir. 2013).": ("unlisted", "not-in-library", ""),
    "*Bell v. Dole*, 401 S.W.3d 20 (Tex. 2013).": ("unlisted", "not-in-library", ""),
}
CODES = {"same": "in-catalogue", "other": "catalogue-mismatch", "differs": "catalogue-mismatch"}


@pytest.mark.parametrize("source", OUTCOMES)
def test_each_outcome(ask: Ask, source: str) -> None:
    outcome, verdict, offered = OUTCOMES[source]
    snapshot = ask(source)
    (assessment,) = assess_excerpt(excerpt_at(snapshot, 10), CancelToken())
    assert assessment.listing is not None
    assert (assessment.listing.outcome, decide(assessment)) == (outcome, verdict), assessment.reason
    (finding,) = check(snapshot, CancelToken())
    assert finding.code == CODES.get(outcome, "not-in-library")
    written = [edit.text for fix in finding.fixes for edit in fix.edits]
    assert written == ([offered] if offered else [])
    assert "does not exist" not in finding.message


SAID = {
    "*Carrow v. Luff*, 712 F.3d 1184 (3d Cir. 2013).": "Carrow v. Luff, 712 F.3d 1184 is in your catalogue, "
    "but its text is not in your library",
    "*Bell v. Dole*, 712 F.3d 1184 (3d Cir. 2013).": "712 F.3d 1184 is Carrow v. Luff (3d Cir. 2013) in your "
    "catalogue, not Bell v. Dole",
    "*Orr v. Kane*, 400 S.W.3d 20 (Tex. 2013).": "400 S.W.3d 20 is Tarn v. Quorn (Tex. 2013) in your "
    "catalogue, not Orr v. Kane; your catalogue has Orr v. Kane as 400 S.W.3d 32",
    "*Carrow v. Luff*, 712 F.3d 1184 (5th Cir. 2013).": "712 F.3d 1184, Carrow v. Luff, is of the 3d Cir. in "
    "your catalogue, not 5th Cir.",
    "*Carrow v. Luff*, 712 F.3d 1186 (3d Cir. 2013).": "Carrow v. Luff, 712 F.3d 1186 is not in your library"
    "; it is a page within Carrow v. Luff (3d Cir. 2013), which begins at 712 F.3d 1184 in your catalogue",
    "*Pell v. Stark*, 721 F.3d 1190 (3d Cir. 2013).": "Pell v. Stark, 721 F.3d 1190 is not in your library; "
    "your catalogue has Pell v. Stark as 712 F.3d 1190",
    "*Bell v. Dole*, 713 F.3d 3 (3d Cir. 2013).": "Bell v. Dole, 713 F.3d 3 is not in your library; your "
    "catalogue has a case at 1 place of 713 F.3d, and none begins there: after it is United States v. Moss "
    "(3d Cir. 2013), 713 F.3d 5",
    "*Bell v. Dole*, 401 S.W.3d 20 (Tex. 2013).": "Bell v. Dole, 401 S.W.3d 20 is not in your library; your "
    "catalogue has no cases of 401 S.W.3d",
    # The catalogue has nothing of these reports.
    "*Bell v. Dole*, 90 A.3d 20 (Pa. 2013).": "Bell v. Dole, 90 A.3d 20 is not in your library",
}


@pytest.mark.parametrize("source", SAID)
def test_each_message(ask: Ask, source: str) -> None:
    (finding,) = check(ask(source), CancelToken())
    assert finding.message == SAID[source]


def test_years_of_a_volume_come_from_the_catalogue(ask: Ask) -> None:
    # 712 F.3d is of 2012 to 2015 for lexls, and so it is for the catalogue.
    (finding,) = check(ask("*Bell v. Dole*, 712 F.3d 1300 (3d Cir. 2003)."), CancelToken())
    assert finding.code == "impossible-citation"


def test_a_volume_of_other_years_in_the_catalogue_is_not_called_impossible(
    library: Library, tmp_path: Path
) -> None:
    listed = tmp_path / "cases.csv"
    listed.write_text("name,citation,date\nElm v. Oak,712 F.3d 3,2003\nAyre v. Holt,711 F.3d 3,2012\n")
    add_lists(tmp_path / "catalogue.sqlite3", [listed])
    cases = CaseCatalogue(tmp_path / "catalogue.sqlite3")
    grammar = Grammar.load()
    for source, codes in {
        "*Elm v. Oak*, 712 F.3d 3 (3d Cir. 2003).": ["in-catalogue"],
        "*Bell v. Dole*, 712 F.3d 1300 (3d Cir. 2003).": ["not-in-library"],
        "*Bell v. Dole*, 712 F.3d 1300 (3d Cir. 1995).": ["not-in-library"],
        "*Bell v. Dole*, 711 F.3d 1300 (3d Cir. 2003).": ["impossible-citation"],
        "*Bell v. Dole*, 713 F.3d 1300 (3d Cir. 2003).": ["impossible-citation"],
    }.items():
        draft = DraftParser(grammar, "US").parse("file:///draft", source, FORMATS["markdown"])
        searcher = Searcher(library, grammar=grammar)
        snapshot = Snapshot(draft, library, searcher, SETTINGS, cases=cases)
        assert [each.code for each in check(snapshot, CancelToken())] == codes, source
    cases.close()
