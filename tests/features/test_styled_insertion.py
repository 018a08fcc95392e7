"""What is inserted when the settings name a style: in full first, and then as the style points back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lexls.citations.grammar import Grammar
from lexls.features.completion import complete
from lexls.features.find_support import find_support
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.spans import Span
from tests.features.proposition_edits import find_edits

DAMP = "A warehouse keeper must guard against damp and vermin"
PELL = """\
---
title: Pell v Stark
citation: "[2019] UKSC 41"
parallel_citations: ["[2020] AC 100"]
court: Supreme Court
date: 2019-05-14
kind: case
jurisdiction: UK
---

[1] The respondent kept a warehouse for grain at the north quay.

[2] A warehouse keeper must guard against damp and vermin, and bears the burden of showing that he did.

[3] The demand for storage charges fails, because no bill was ever rendered to the merchant.
"""
FULL = "_Pell v Stark_ [2019] UKSC 41, [2020] AC 100"
OTHER = "_Hale v Ryle_ [2018] UKSC 7"


@pytest.fixture(scope="module")
def quay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("quay")
    (folder / "pell.md").write_text(PELL, encoding="utf-8")
    settings = Settings(jurisdiction="UK", embeddings_model="")
    index = tmp_path_factory.mktemp("index") / "index.sqlite"
    library, report = open_library([folder], index, settings, lexical_only=True)
    assert not report.failed
    yield library
    library.close()


def snapshot_of(source: str, library: Library, style: str) -> Snapshot:
    settings = Settings(jurisdiction="UK", citations_style=style)
    draft = DraftParser(Grammar.load(), "UK").parse(Path("/draft.md").as_uri(), source, FORMATS["markdown"])
    return Snapshot(draft, library, Searcher(library), settings)


def inserted(marked: str, library: Library, style: str) -> str:
    """The draft after the one authority is cited for the sentence at the bar."""
    at = marked.index("|")
    source = marked.replace("|", "")
    snapshot = snapshot_of(source, library, style)
    option = find_support(snapshot, Span(at, at), 5, CancelToken())[0]
    edits = find_edits(snapshot, Span(at, at), option.hit.authority, option.hit.passage)
    for edit in sorted(edits, key=lambda each: each.span, reverse=True):
        source = source[: edit.span.start] + edit.text + source[edit.span.end :]
    return source


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("oscola", f"{DAMP}: {FULL} [2]."),
        ("aglc4", f"{DAMP}: _Pell v Stark_ [2019] UKSC 41, [2]."),
        ("mcgill", f"{DAMP}: _Pell v Stark_, [2019] UKSC 41 at para 2, [2020] AC 100."),
        ("silc", f"{DAMP}: _Pell v. Stark_, [2020] AC 100, ¶ 2, [2019] UKSC 41."),
        # What the style cannot write is written as the draft does it.
        ("bluebook", f"{DAMP}: _Pell v Stark_ [2019] UKSC 41 at [2]."),
        ("", f"{DAMP}: _Pell v Stark_ [2019] UKSC 41 at [2]."),
    ],
)
def test_the_style_of_the_settings_is_inserted(quay: Library, style: str, expected: str) -> None:
    assert inserted(f"{DAMP}|.", quay, style) == expected


NOTED = "It binds.[^1] So it was held.[^2] " + DAMP + "|.\n\n"


@pytest.mark.parametrize(
    ("notes", "written"),
    [
        # The footnote right before cites it, and nothing else.
        ([f"{OTHER}.", f"{FULL} [1]."], "Ibid [2]."),
        ([f"{OTHER}.", f"{FULL} [1]; {OTHER}."], "_Pell_ (n 2) [2]."),
        ([f"{FULL} [1].", f"{OTHER}."], "_Pell_ (n 1) [2]."),
        ([f"{OTHER}.", f"{OTHER}."], f"{FULL} [2]."),
    ],
)
def test_a_new_footnote_points_back(quay: Library, notes: list[str], written: str) -> None:
    ends = "\n".join(f"[^{number}]: {note}" for number, note in enumerate(notes, start=1))
    source = inserted(NOTED + ends + "\n", quay, "oscola")
    label = "[^3]: "
    assert source[source.rindex(label) + len(label) :].strip() == written


def test_without_footnotes_every_citation_is_in_full(quay: Library) -> None:
    source = f"It binds: {FULL} [1].\n\n{DAMP}|."
    assert inserted(source, quay, "oscola").endswith(f"{DAMP}: {FULL} [2].")


def completed(source: str, library: Library, style: str) -> list[Any]:
    at = source.index("|")
    return [
        (each.text, each.plain)
        for each in complete(snapshot_of(source.replace("|", ""), library, style), at, CancelToken())
    ]


def test_completion_writes_the_style(quay: Library) -> None:
    assert completed("It was held in Pell v St|", quay, "oscola") == [(f"{FULL} [n]", FULL)]
    assert completed("It was held in Pell v St|", quay, "silc")[0][1] == (
        "_Pell v. Stark_, [2020] AC 100, [2019] UKSC 41"
    )


def test_completion_points_back_in_a_footnote(quay: Library) -> None:
    source = f"It binds.[^1] So it does.[^2]\n\n[^1]: {FULL} [1]; {OTHER}.\n[^2]: Pell v St|\n"
    assert completed(source, quay, "oscola") == [("_Pell_ (n 1) [n]", "_Pell_ (n 1)")]
