"""The fact about a case's name: what agrees, differs, is not stated or cannot be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from lexls.assessing.check import Finding
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.fact import Fact
from lexls.assessing.names import compare_names
from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import resolve
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import PLAIN
from lexls.text.spans import Span

FILES = {
    "marl.md": ("Marl v Toll", "[2014] EWCA Civ 912", "", "The lock was shut before the tide."),
    "hollow.md": ("Hollow Properties Ltd v Dorritt", "[2015] EWCA Civ 31", "case", "Property is a word."),
    "velusami.md": ("Velusami v Quorn", "[2016] EWCA Civ 44", "case", "Mr Velusamy appeals against Quorn."),
    "pelham.md": ("Pelham v Garrick", "[2017] EWCA Civ 55", "case", "The lock was open."),
    "first.md": (
        "Orr v Kane",
        "[2018] EWCA Civ 66",
        "case",
        "See Pelhem v Garrick [2017] EWCA Civ 55.",
    ),
    "second.md": ("Ryle v Kane", "[2018] EWCA Civ 67", "case", "See Pelhem v Garrick [2017] EWCA Civ 55."),
    "joint.md": (
        "Osric v Harbour Master",
        "[2019] EWCA Civ 88",
        "case",
        "LAMBERT LJ: This governs the appeal of Tamworth v Harbour Master too.",
    ),
    "order.md": ("Lock (Tides) Order 2013", "[2013] EWCA Civ 77", "regulation", "Locks are shut."),
}
_TEXT = """\
---
title: {title}
citation: "{citation}"
date: {year}-03-09
jurisdiction: UK
{kind}---

[1] {text}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("library")
    for name, (title, citation, kind, text) in FILES.items():
        kind = f"kind: {kind}\n" if kind else ""
        written = _TEXT.format(title=title, citation=citation, year=citation[1:5], kind=kind, text=text)
        (folder / name).write_text(written, encoding="utf-8")
    index = tmp_path_factory.mktemp("index") / "index.sqlite"
    settings = Settings(jurisdiction="UK", embeddings_model="")
    opened, report = open_library([folder], index, settings, lexical_only=True)
    assert not report.failed
    yield opened
    opened.close()


@pytest.fixture
def snapshot_of(library: Library) -> Callable[[str], Snapshot]:
    def snapshot_of(text: str) -> Snapshot:
        grammar = Grammar.load()
        draft = DraftParser(grammar, "UK").parse("file:///draft", text, PLAIN)
        return Snapshot(draft, library, Searcher(library, grammar=grammar), Settings(jurisdiction="UK"))

    return snapshot_of


def _find_fact(snapshot: Snapshot) -> Fact:
    (citation,) = snapshot.draft.citations
    found = resolve(snapshot.library, snapshot.draft, citation)
    assert found.authority is not None
    authority = snapshot.library.catalogue.get(found.authority)
    assert authority is not None
    excerpt = Excerpt(snapshot, Span(0, len(snapshot.draft.source)), (found,))
    (fact,) = compare_names(excerpt, (found,), authority, CancelToken())
    return fact


@pytest.mark.parametrize(
    ("written", "status", "fault"),
    [
        ("Marl v Toll [2014] EWCA Civ 912", "agrees", ""),
        ("MARL V TOLL [2014] EWCA Civ 912", "agrees", ""),
        # The file does not say that it is a case, but its citation is a case's.
        ("Spoon v Glass [2014] EWCA Civ 912", "differs", "misnamed"),
        ("Marle v Toll [2014] EWCA Civ 912", "differs", "misspelt"),
        ("Hollow Properties v Dorritt [2015] EWCA Civ 31", "agrees", ""),
        ("Hollow Props. Ltd v Dorritt [2015] EWCA Civ 31", "agrees", ""),
        ("Hollow Property Ltd v Dorritt [2015] EWCA Civ 31", "differs", "misspelt"),
        ("Hollow Properties Ltd v Dorrit [2015] EWCA Civ 31", "differs", "misspelt"),
        ("Hollow Properties Ltd v Spoon [2015] EWCA Civ 31", "differs", "misnamed"),
        ("Hollow Properties Inc v Dorritt [2015] EWCA Civ 31", "not-compared", ""),
        ("Velusamy v Quorn [2016] EWCA Civ 44", "agrees", ""),
        ("Velusammy v Quorn [2016] EWCA Civ 44", "differs", "misspelt"),
        ("Pelhem v Garrick [2017] EWCA Civ 55", "not-compared", ""),
        ("Pelhan v Garrick [2017] EWCA Civ 55", "differs", "misspelt"),
        # An appeal heard together with the one in the title; but a judge is no party.
        ("Tamworth v Harbour Master [2019] EWCA Civ 88", "agrees", ""),
        ("Lambert v Harbour Master [2019] EWCA Civ 88", "not-compared", ""),
        ("Spoon v Glass [2013] EWCA Civ 77", "not-compared", ""),
    ],
)
def test_the_fact_about_a_name(
    snapshot_of: Callable[[str], Snapshot], written: str, status: str, fault: str
) -> None:
    fact = _find_fact(snapshot_of(f"See {written}."))
    assert (fact.element, fact.status, fact.fault) == ("name", status, fault)
    assert fact.span.of(f"See {written}.") == fact.stated == written[: written.index(" [")]
    assert bool(fact.reason) == (status != "agrees")


def test_what_a_common_spelling_differs_from_is_said(snapshot_of: Callable[[str], Snapshot]) -> None:
    fact = _find_fact(snapshot_of("See Pelhem v Garrick [2017] EWCA Civ 55."))
    assert fact.reason == "the file spells it Pelham, not Pelhem"


@pytest.mark.parametrize(
    ("written", "code", "fixed"),
    [
        ("Marle v. Toll", "name-spelling", "Marl v. Toll"),
        ("MARLE V TOLL", "name-spelling", "MARL V TOLL"),
        ("Spoon v. Glass", "name-mismatch", "Marl v. Toll"),
    ],
)
def test_the_fix_writes_the_name_of_the_file(
    snapshot_of: Callable[[str], Snapshot], written: str, code: str, fixed: str
) -> None:
    found: list[Finding] = check(snapshot_of(f"See {written} [2014] EWCA Civ 912."), CancelToken())
    (finding,) = found
    ((edit,),) = (fix.edits for fix in finding.fixes)
    assert (finding.code, edit.text) == (code, fixed)
    assert edit.span.of(f"See {written} [2014]") == written
