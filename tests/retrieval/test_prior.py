from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.retrieval.model import Filters
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.refinements import compute_priors
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken

HEAD = '---\ntitle: {title}\ncitation: "[20{year:02}] UKSC {number}"\nkind: case\n---\n\n'
JUDGMENTS = [
    ("Rook v Sable", 10, 1, "[1] A bailee of furs keeps them dry."),
    ("Moss v Nettle", 9, 5, "[1] A bailee of furs keeps them dry, insures them and airs them."),
    ("Tarn v Usk", 11, 2, "[1] A bailee of furs keeps them dry, and insures them."),
    ("Vale v Wick", 12, 3, "[1] As to storage see Rook v Sable [2010] UKSC 1."),
    (
        "Yarrow v Zeal",
        13,
        4,
        "[1] On moths: Rook v Sable [2010] UKSC 1. We overrule Tarn v Usk [2011] UKSC 2.",
    ),
]


@pytest.fixture
def furs(tmp_path: Path) -> Iterator[Library]:
    folder = tmp_path / "cases"
    folder.mkdir()
    for title, year, number, text in JUDGMENTS:
        head = HEAD.format(title=title, year=year, number=number)
        (folder / f"{title}.md").write_text(head + text, encoding="utf-8")
    library, report = open_library(
        [folder], tmp_path / "index.sqlite", Settings(embeddings_model=""), lexical_only=True
    )
    assert not report.failed
    yield library
    library.close()


def named(library: Library, title: str) -> int:
    (document,) = library.catalogue.find_name(title)
    return document


def test_an_authority_counts_by_those_that_cite_it_and_may_speak(furs: Library) -> None:
    rook, vale = named(furs, "Rook v Sable"), named(furs, "Vale v Wick")
    assert compute_priors(furs, [rook, vale], None) == pytest.approx({rook: math.log(3), vale: 0.0})
    assert compute_priors(furs, [rook], frozenset({vale})) == pytest.approx({rook: math.log(2)})


def test_an_authority_that_was_overruled_gets_nothing_for_being_cited(furs: Library) -> None:
    tarn = named(furs, "Tarn v Usk")
    assert furs.graph.citers(tarn)
    assert compute_priors(furs, [tarn], None) == {tarn: 0.0}


def test_what_is_cited_often_can_be_let_come_first(furs: Library) -> None:
    def titles(ranking: Ranking) -> list[str]:
        hits = Searcher(furs, ranking=ranking).search(
            "A bailee insures furs, airs them and keeps them dry.", 2, Filters(), CancelToken()
        )
        return [hit.authority.title for hit in hits]

    plain = Ranking(citing=0, precedents=0, rerank=0)
    assert titles(plain) == ["Moss v Nettle", "Rook v Sable"]
    assert titles(replace(plain, prior=1.0)) == ["Rook v Sable", "Moss v Nettle"]


def test_an_authority_that_was_overruled_stands_behind_others_that_fit_less(furs: Library) -> None:
    searcher = Searcher(furs, ranking=Ranking(rerank=0))
    hits = searcher.search("Furs that the bailee insures.", 5, Filters(), CancelToken())
    titles = [hit.authority.title for hit in hits]
    assert titles[0] == "Moss v Nettle"
    assert titles.index("Tarn v Usk") > titles.index("Rook v Sable")
