"""Searching among passages of some rhetorical roles only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lexls.index.config import IndexerConfig, PrepareOptions
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.retrieval.model import Filters, Hit
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken

FERRY = """\
---
title: Okafor v Lune Ferries
citation: "[2031] UKSC 12"
court: Supreme Court
date: 2031-05-02
kind: case
---

# Okafor v Lune Ferries

## The facts

[1] On 3 June 2027 the claimant was taken aboard the ferry. Her trunk was lost overboard in a storm.
She filed this suit in the county court on 4 July 2027.

## Argument

[2] Learned counsel for the appellant submitted that the ferry was bound to carry the trunk. It was next
contended on behalf of the appellant that the trunk had been paid for.

## Conclusion

[3] We hold that a ferry answers for a trunk that is lost overboard. We therefore conclude that the judge
erred in dismissing the claim.

## Order

[4] The appeal is allowed. The respondent is to pay the costs of this appeal.
"""
FACTS_ONLY = """\
---
title: Pell v Stark
citation: "[2029] UKSC 3"
court: Supreme Court
date: 2029-01-02
kind: case
---

# Pell v Stark

## The facts

[1] On 9 May 2024 the claimant was injured when a trunk fell on the ferry. He was taken to the hospital.

[2] In June 2024 the claimant filed this action. The trunk was sold to a dealer on 2 July 2024.
"""
ACT = """\
---
title: Ferries Act 1994
kind: statute
---

# Ferries Act 1994

1. A ferry shall carry a trunk of a passenger.

2. A trunk that is lost overboard shall be paid for by the ferry.
"""
QUESTION = "Does a ferry answer for a trunk that is lost overboard?"


@pytest.fixture(scope="module")
def law(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("law")
    for name, text in (("okafor.md", FERRY), ("pell.md", FACTS_ONLY), ("act.md", ACT)):
        (folder / name).write_text(text, encoding="utf-8")
    index = tmp_path_factory.mktemp("index") / "library.sqlite3"
    config = IndexerConfig(index, (Path(folder).resolve(),), (), PrepareOptions(jurisdiction="UK"), "")
    indexer = Indexer(config)
    indexer.reconcile()
    indexer.close()
    library = Library(index)
    yield library
    library.close()


def _ask(library: Library, *roles: str, ranking: Ranking | None = None) -> list[Hit]:
    searcher = Searcher(library, ranking=ranking)
    return searcher.search(QUESTION, 5, Filters(roles=frozenset(roles)), CancelToken())


def _by_title(library: Library, title: str) -> dict[str, str]:
    authority = next(each for each in library.catalogue.all() if each.title == title)
    return {each.paragraph: each.role for each in library.contents.passages(authority.id)}


def test_indexing_gives_each_passage_of_a_judgment_its_role(law: Library) -> None:
    assert _by_title(law, "Okafor v Lune Ferries") == {
        "1": "FAC",
        "2": "ARG_PETITIONER",
        "3": "RATIO",
        "4": "RPC",
    }


def test_what_is_no_judgment_has_no_roles(law: Library) -> None:
    assert set(_by_title(law, "Ferries Act 1994").values()) == {""}


def test_all_answer_without_the_filter(law: Library) -> None:
    assert {hit.authority.title for hit in _ask(law)} == {
        "Okafor v Lune Ferries",
        "Pell v Stark",
        "Ferries Act 1994",
    }


@pytest.mark.parametrize(
    "ranking",
    [Ranking(), Ranking().only("passages"), Ranking().only("documents")],
    ids=["all", "passages", "documents"],
)
def test_only_passages_of_the_role_answer(law: Library, ranking: Ranking) -> None:
    hits = _ask(law, "RATIO", ranking=ranking)
    assert [(hit.authority.title, hit.passage.paragraph) for hit in hits] == [("Okafor v Lune Ferries", "3")]


def test_a_document_may_answer_with_its_passage_of_the_role_though_another_fits_better(law: Library) -> None:
    hits = _ask(law, "RPC")
    assert [(hit.authority.title, hit.passage.paragraph) for hit in hits] == [("Okafor v Lune Ferries", "4")]


def test_several_roles_may_answer(law: Library) -> None:
    hits = _ask(law, "FAC", "RATIO")
    assert {hit.authority.title for hit in hits} == {"Okafor v Lune Ferries", "Pell v Stark"}
    assert {hit.passage.role for hit in hits} <= {"FAC", "RATIO"}


def test_a_role_that_nothing_has_answers_nothing(law: Library) -> None:
    assert _ask(law, "PRE_NOT_RELIED") == []


def test_passages_are_searched_in_roles_too(law: Library) -> None:
    searcher = Searcher(law)
    everything = searcher.search_passages(QUESTION, 20, Filters(), CancelToken())
    facts = searcher.search_passages(QUESTION, 20, Filters(roles=frozenset({"FAC"})), CancelToken())
    assert {hit.passage.role for hit in facts} == {"FAC"}
    assert len(everything) > len(facts) >= 2


def test_the_search_goes_as_deep_as_the_role_needs(law: Library) -> None:
    terms = ["ferri", "trunk", "appeal", "cost"]
    every, _ = law.lexical(terms, 100)
    orders = law.role_passages(frozenset({"RPC"}))
    wanted = [passage for passage in every.tolist() if passage in orders]
    found, scores = law.lexical(terms, 1, roles=frozenset({"RPC"}))
    assert found.tolist() == wanted[:1]
    assert len(scores) == 1


def test_a_role_can_weigh_more_or_less(law: Library) -> None:
    passages = Ranking().only("passages")
    plain = _ask(law, ranking=passages)
    best = next(hit.passage for hit in plain if hit.authority.title == "Okafor v Lune Ferries")
    assert best.role == "RATIO"
    weighed = _ask(law, ranking=replace(passages, role_weights={"RATIO": 0.01, "FAC": 100.0}))
    assert {hit.passage.role for hit in weighed if hit.authority.kind == "case"} == {"FAC"}
    assert weighed[-1].authority.title == "Ferries Act 1994"
