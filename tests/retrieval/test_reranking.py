"""Putting candidates into the order that was learnt from citing sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.model import Filters
from lexls.retrieval.query import build_query
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.reranking.candidates import Asked, Column
from lexls.retrieval.reranking.features import RankedProposition, compute_features
from lexls.retrieval.reranking.reranker import describe, load_learnt, read_weights, rerank, take_candidates
from lexls.retrieval.search import Searcher
from lexls.retrieval.stages import Scope, Stages, run_stages
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken

QUESTION = "A warehouse keeper answers for furs that moths have spoiled in his cold store."
RIGHT, DECOY = "Sable v Rook", "Ermine v Wick"
CITED = f"{RIGHT} [2010] UKSC 1"
JUDGMENTS = {
    RIGHT: "[1] The keeper of a warehouse must give back the furs as he took them, moths or no moths.",
    DECOY: "[1] Moths have spoiled furs in the cold store. The cold store keeper answers a warehouse letter.",
    "Tarn v Usk": f"[1] A warehouse keeper answers for furs that moths spoiled in his store: {CITED}.",
    "Vale v Yew": f"[1] For furs spoiled by moths in a cold store its keeper answers: {CITED}.",
    "Zeal v Ash": f"[1] Who keeps a cold store answers for moths in the furs: {CITED}.",
    "Beck v Fen": "[1] A ferryman carries trunks over the river at his own risk.",
    "Lark v Mull": "[1] Hedges along the highway stay as they are in spring.",
}


@pytest.fixture
def furs(tmp_path: Path) -> Iterator[Library]:
    folder = tmp_path / "cases"
    folder.mkdir()
    for number, (title, text) in enumerate(JUDGMENTS.items(), 1):
        head = f'---\ntitle: {title}\ncitation: "[20{9 + number:02}] UKSC {number}"\nkind: case\n---\n\n'
        (folder / f"{title}.md").write_text(head + text, encoding="utf-8")
    (folder / "act.md").write_text(
        "---\ntitle: Furs Act 1999\nkind: statute\n---\n\n1. Moths in a cold store."
    )
    library, report = open_library(
        [folder], tmp_path / "index.sqlite", Settings(embeddings_model=""), lexical_only=True
    )
    assert not report.failed
    yield library
    library.close()


def named(library: Library, title: str) -> int:
    (document,) = library.catalogue.find_name(title)
    return document


def asked(library: Library, without: frozenset[str] = frozenset()) -> tuple[Asked, Stages]:
    tokenizer = Tokenizer()
    query = build_query(QUESTION, tokenizer)
    speaking = frozenset(each.id for each in library.catalogue.all() if each.title not in without)
    stages = run_stages(library, query, None, Ranking(), Scope(None, speaking), CancelToken())
    sequence = tuple(tokenizer.tokenize(query.text))
    return Asked(query.text, query.terms, sequence, None, speaking, tokenizer.tokenize), stages


def found(library: Library, without: frozenset[str] = frozenset()) -> tuple[list[int], dict[str, Column]]:
    question, stages = asked(library, without)
    fused = stages.fuse(Ranking())
    columns = compute_features(library, question, stages, take_candidates(fused, {}), CancelToken())
    return [document for document, _ in fused], columns


def titles(library: Library, ranking: Ranking) -> list[str]:
    searcher = Searcher(library, ranking=ranking)
    return [hit.authority.title for hit in searcher.search(QUESTION, 10, Filters(), CancelToken())]


def test_what_others_cite_for_the_sentence_is_lifted_over_what_has_its_words(
    furs: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As in a large library; in a small one it counts less what others cite.
    monkeypatch.setattr("lexls.retrieval.stages.VOUCHING_FROM", 1)
    words = Ranking(citing=0.0, precedents=0.0)
    plain, learned = titles(furs, replace(words, rerank=0.0)), titles(furs, words)
    assert plain.index(DECOY) < plain.index(RIGHT)
    assert sorted(plain) == sorted(learned)
    assert titles(furs, Ranking()).index(RIGHT) < titles(furs, Ranking()).index(DECOY)


def test_documents_that_may_not_speak_do_not_vouch(furs: Library) -> None:
    citing = frozenset({"Tarn v Usk", "Vale v Yew", "Zeal v Ash"})
    documents, heard = found(furs)
    row = documents.index(named(furs, RIGHT))
    assert heard["cited_for_share"][row] > 0.5
    assert heard["cited_lexical_best"][row] > 0
    assert heard["citers"][row] == pytest.approx(np.log(4))
    documents, unheard = found(furs, citing)
    row = documents.index(named(furs, RIGHT))
    for name in unheard:
        if name.startswith(("cited_for_", "precedent_", "cited_", "citers")):
            assert not unheard[name].any(), name
    assert unheard["passage_best"][row] > 0


def test_only_kinds_that_were_learnt_change_places_and_scores_still_fall(furs: Library) -> None:
    question, stages = asked(furs)
    kinds = {each.id: each.kind for each in furs.catalogue.all()}
    act = named(furs, "Furs Act 1999")
    fused = stages.fuse(Ranking())
    order = [(act, 9.0), *(entry for entry in fused if entry[0] != act)]
    described = describe(furs, question, stages, order, {}, kinds.__getitem__, CancelToken())
    ranked = rerank(order, described, load_learnt())
    assert ranked[0] == (act, 9.0)
    assert sorted(document for document, _ in ranked) == sorted(document for document, _ in order)
    assert [score for _, score in ranked] == [score for _, score in order]


def test_the_weights_are_of_the_features_that_are_computed(furs: Library) -> None:
    _, columns = found(furs)
    names = list(columns)
    for weights in (load_learnt().with_vectors, load_learnt().by_words):
        assert [name for name in names if name in weights.names] == list(weights.names)
        assert np.isfinite(weights.scores(columns)).all()
    assert "train_reranker" in load_learnt().recipe
    assert not any(name.startswith("similarity_") for name in load_learnt().by_words.names)


def test_a_score_is_the_sum_of_weighted_features_in_standard_deviations(tmp_path: Path) -> None:
    two = {"a": [0.5, 2.0, 3.0], "b": [1.0, 1.0, -1.0]}
    (tmp_path / "w.json").write_text(json.dumps({"recipe": "by hand", "with_vectors": two, "by_words": two}))
    read = read_weights(tmp_path / "w.json").with_vectors
    columns = {"b": np.array([1.0, 2.0]), "a": np.array([0.5, 2.5])}
    assert read.scores(columns).tolist() == [0.0, 2.0]


def test_words_in_order_and_close_together_count() -> None:
    weights = {"moth": 2.0, "spoil": 1.0, "fur": 3.0}
    proposition = RankedProposition(["moth", "spoil", "fur"], weights)
    same = proposition.measure_overlap(["the", "moth", "spoil", "fur"])
    assert (same.pairs, same.triples, same.window, same.all) == (1.0, 1.0, 1.0, 1.0)
    turned = proposition.measure_overlap(["fur", "spoil", "moth"])
    assert (turned.pairs, turned.triples, turned.window) == (0.0, 0.0, 1.0)
    far = proposition.measure_overlap(["moth", *["x"] * 40, "fur"])
    assert far.window == pytest.approx(3 / 6)
    assert far.all == pytest.approx(5 / 6)
    assert proposition.measure_overlap(["x"]).all == 0.0
