# ruff: noqa: E501 (drafts stand on one line, with marks beneath them)
"""A file that does not say which case it is, or two that fit, are named, and the user can say which it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from lexls.assessing.assess import assess
from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import check as run
from lexls.assessing.verdicts import decide
from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.index.unclear import NAMED_FILES, ask_which, list_unclear
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import resolve
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

SUPREME = "Supreme Court of the United States"
FILES = {
    "twin": f'title: "Orrin v. Pell"\ncourt: {SUPREME}\ndate: 2011-05-02\ndocket: "10-5"\nkind: case',
    "later": f'title: "Thomas Orrin v. Pell"\ncourt: {SUPREME}\ndate: 2011-06-02\ndocket: "10-88"\nkind: case',
    "clear": f'title: "Quill v. Thornby"\ncourt: {SUPREME}\ndate: 2009-12-07\nkind: case',
    "cited": 'title: "Wray v. Keel"\ncitation: "601 U.S. 7"\nkind: case',
    "no court": 'title: "Marlow v. Tench"\ndate: 2012-03-21\nkind: case',
    "no date": f'title: "Ostler v. Luff"\ncourt: {SUPREME}\nkind: case',
    "Hobbs_v_Fane_order": "date: 2015-04-02\nkind: case",
    "Tull v. Crane": f"date: 2015-04-02\ncourt: {SUPREME}\nkind: case",
    "0012": f"date: 2015-04-02\ncourt: {SUPREME}\nkind: case",
    "scan of Vance v Dole 12": "note: a scan",
    "Gant Ode order": 'citation: "563 U.S. 40"\nkind: case',
    "memo": "title: Notes on scan of Vance v Dole 12",
}
UNCLEAR = {
    "no court": "court and citation",
    "no date": "date and citation",
    "Hobbs_v_Fane_order": "court and citation",
    "0012": "title and citation",
    "Gant Ode order": "title, court and date",
    "scan of Vance v Dole 12": "court, date and citation",
}
Check = Callable[[str], list[Finding]]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("unclear")
    for name, head in FILES.items():
        (folder / f"{name}.md").write_text(
            f"---\n{head}\njurisdiction: US\n---\n\nthe motion is denied, and the order below stands.\n"
        )
    settings = Settings(jurisdiction="US", embeddings_model="")
    library, _ = open_library([folder], folder / "index.sqlite", settings, lexical_only=True)
    yield library
    library.close()


@pytest.fixture
def ask(library: Library, grammar: Grammar) -> Callable[[str], Snapshot]:
    def ask(source: str) -> Snapshot:
        draft = DraftParser(grammar, "US").parse("file:///draft", source, FORMATS["markdown"])
        return Snapshot(draft, library, Searcher(library, grammar=grammar), Settings(jurisdiction="US"))

    return ask


@pytest.fixture
def check(ask: Callable[[str], Snapshot]) -> Callable[[str], None]:
    """A draft with ``^^^`` under what is reported, and behind it the codes with the files of the fixes."""

    def check(marked: str) -> None:
        draft, marks = marked.rstrip("\n").split("\n")
        said = []
        for each in run(ask(draft), CancelToken()):
            files = [fix.title for fix in each.fixes]
            line = " " * each.span.start + "^" * len(each.span)
            said.append(f"{line} {each.code}: {'; '.join(files)}".rstrip(": "))
        assert said == [marks]

    return check


def test_the_files_that_are_unclear_are_listed_with_what_is_unknown(library: Library) -> None:
    asked = {each.path.stem: ask_which(each) for each in library.catalogue.list_unclear()}
    assert asked == {name: f"Which case is this? Unknown: {missing}" for name, missing in UNCLEAR.items()}
    assert {(each.path.stem, each.reason) for each in library.status.unclear()} == set(asked.items())


def test_many_are_counted(library: Library) -> None:
    (unclear, *_) = library.catalogue.list_unclear()
    *named, last = list_unclear([unclear] * (NAMED_FILES + 3))
    assert (len(named), last.reason) == (NAMED_FILES, "3 more files are as unclear")


@pytest.mark.parametrize(
    "draft",
    [
        """\
So it is. *Orrin v. Pell*, 563 U.S. 12 (2011).
                           ^^^^^^^^^^^ which-file: Say that later.md is 563 U.S. 12; Say that twin.md is 563 U.S. 12
""",
        """\
So it is. *Marlow v. Tench*, 566 U.S. 9 (2012).
                             ^^^^^^^^^^ which-file: Say that no court.md is 566 U.S. 9
""",
        """\
So it is. *Ostler v. Luff*, 565 U.S. 469 (2012).
                            ^^^^^^^^^^^^ which-file: Say that no date.md is 565 U.S. 469
""",
        """\
So it is. *Hobbs v. Fane*, 575 U.S. 33 (2015).
                           ^^^^^^^^^^^ which-file: Say that Hobbs_v_Fane_order.md is 575 U.S. 33
""",
        """\
So it is. *Vance v. Dole*, 31 F.3d 9 (5th Cir. 1994).
                           ^^^^^^^^^ which-file: Say that scan of Vance v Dole 12.md is 31 F.3d 9
""",
        """\
So it is. *Hobbs v. Fane*, 585 U.S. 33 (2018).
                           ^^^^^^^^^^^ not-in-library
""",
        """\
So it is. *Ostler v. Luff*, 780 F.3d 33 (5th Cir. 2015).
                            ^^^^^^^^^^^ not-in-library
""",
        """\
So it is. *Hobbs v. Crane*, 575 U.S. 33 (2015).
                            ^^^^^^^^^^^ not-in-library
""",
    ],
)
def test_a_citation_that_a_file_may_be_is_reported_with_the_file(check, draft: str) -> None:  # type: ignore[no-untyped-def]
    check(draft)


def test_what_may_be_the_case_is_neither_held_nor_missing(ask: Callable[[str], Snapshot]) -> None:
    snapshot = ask("So it is. *Vance v. Dole*, 31 F.3d 9 (5th Cir. 1994).")
    assessed = assess(snapshot, snapshot.draft.citations[0], CancelToken())
    assert (decide(assessed), assessed.absence) == ("not-checkable", "unclear")
    assert assessed.reason.startswith(
        "it may be scan of Vance v Dole 12.md (unknown: court, date and citation)"
    )
    snapshot = ask("So it is. *Hobbs v. Fane*, 575 U.S. 33 (2015).")
    (named,) = snapshot.draft.citations
    assert resolve(snapshot.library, snapshot.draft, named).by == "name"


@pytest.mark.parametrize(("cited", "verdict"), [("563 U.S. 40", "partly"), ("563 U.S. 99", "not-in-library")])
def test_a_file_with_another_number_of_the_report_is_not_asked_about(
    ask: Callable[[str], Snapshot], cited: str, verdict: str
) -> None:
    snapshot = ask(f"So it is. *Gant v. Ode*, {cited} (2011).")
    assert decide(assess(snapshot, snapshot.draft.citations[0], CancelToken())) == verdict


def test_a_clear_file_is_not_asked_about(ask: Callable[[str], Snapshot]) -> None:
    for draft in (
        "*Quill v. Thornby*, 558 U.S. 45 (2009).",
        "*Tull v. Crane*, 575 U.S. 9 (2015).",
        "*Wray v. Keel*, 601 U.S. 7 (2024).",
    ):
        assert "which-file" not in {each.code for each in run(ask(f"So it is. {draft}"), CancelToken())}
