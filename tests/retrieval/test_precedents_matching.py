"""Matching a sentence with what authorities were cited for before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from lexls.index.config import IndexerConfig, PrepareOptions
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.cited_for import find_cited_for
from lexls.retrieval.precedents import CaseWeights, MatchedPrecedents, PrecedentMatch, rank_authorities
from lexls.text.cancel import CancelToken

FERRY, HEDGE = "[2011] UKSC 7", "[2012] UKSC 8"
SENTENCES = {
    "c.md": f"A ferryman answers for the luggage that passengers bring aboard his boat: {FERRY}.",
    "d.md": f"For luggage that passengers bring aboard his boat a ferryman answers: {FERRY}.",
    "e.md": f"Nobody may burn a hedge along the highway between March and August: {HEDGE}.",
    "f.md": f"The umbrella of Mr Quenby was lost in the river at Aldmoor Bridge: {HEDGE}.",
}
DIMENSION = 16


def case(name: str, citation: str, *paragraphs: str) -> str:
    body = "\n\n".join(f"[{n}] {text}" for n, text in enumerate(paragraphs, 1))
    return f'---\ntitle: "{name}"\ncitation: "{citation}"\nkind: case\njurisdiction: UK\n---\n\n{body}\n'


def vector_of(text: str) -> np.ndarray:
    """A vector in which texts of the same words lie close: each word is one of the directions."""
    found = np.zeros(DIMENSION, np.float32)
    for word in Tokenizer().tokenize(text):
        found[sum(map(ord, word)) % DIMENSION] += 1
    return found / np.linalg.norm(found)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[tuple[Library, Indexer]]:
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "a.md").write_text(case("Barrow v Quenby", FERRY, "He carries trunks over the river."))
    (folder / "b.md").write_text(case("Rook v Vale", HEDGE, "Hedges stay as they are in spring."))
    for number, (name, sentence) in enumerate(SENTENCES.items(), 20):
        (folder / name).write_text(case(f"Case {number} v Crown", f"[2019] UKSC {number}", sentence))
    index = tmp_path / "index.sqlite3"
    indexer = Indexer(IndexerConfig(index, (folder,), (), PrepareOptions(jurisdiction="UK"), ""))
    indexer.reconcile()
    library = Library(index)
    yield library, indexer
    library.close()
    indexer.close()


def embed(library: Library, indexer: Indexer) -> None:
    store = indexer._store
    store.use_embedder("test", DIMENSION)
    passages = store.pending(100)
    store.put_vectors([each for each, _ in passages], np.stack([vector_of(text) for _, text in passages]))
    waiting = store.pending_precedents(100)
    store.put_precedent_vectors(
        [each for each, _, _ in waiting],
        np.stack([vector_of(text) for _, text, _ in waiting]),
        [vector_of(entities) if entities else None for _, _, entities in waiting],
    )
    library.refresh()


def match(
    library: Library,
    text: str,
    *,
    vectors: bool,
    options: CaseWeights | None = None,
    speaking: frozenset[int] | None = None,
    answering: frozenset[int] | None = None,
) -> list[PrecedentMatch]:
    token = CancelToken()
    vector = vector_of(text) if vectors else None
    matched = MatchedPrecedents(library, Tokenizer().tokenize(text), vector, speaking, token)
    return matched.rank(10, options or CaseWeights(), answering, token)


def file(library: Library, document: int) -> str:
    found = library.catalogue.get(document)
    assert found is not None
    return found.relative


QUESTION = "A ferryman answers for luggage that passengers bring aboard."


def test_the_authority_cited_for_the_like_comes_first(made: tuple[Library, Indexer]) -> None:
    library, indexer = made
    by_words = match(library, QUESTION, vectors=False)
    assert file(library, by_words[0].authority) == "a.md"
    assert by_words[0].question is by_words[0].support is None
    embed(library, indexer)
    found = match(library, QUESTION, vectors=True)
    assert file(library, rank_authorities(found)[0][0]) == "a.md"
    best = found[0]
    assert best.question is not None
    assert best.support is not None
    assert best.lexical is not None
    expected = (0.25 * best.question + 0.40 * best.support) / 0.65
    assert best.entities is None
    assert best.score == pytest.approx(expected)


def test_all_three_parts_count_with_their_weights(made: tuple[Library, Indexer]) -> None:
    library, indexer = made
    embed(library, indexer)
    text = "The umbrella of Mr Quenby was lost at Aldmoor Bridge."
    found = next(m for m in match(library, text, vectors=True) if m.entities is not None)
    assert found.question is not None
    assert found.support is not None
    assert found.entities is not None
    assert found.score == pytest.approx(0.25 * found.question + 0.40 * found.support + 0.35 * found.entities)
    own = CaseWeights(weights=(2, 0, 2))
    again = next(m for m in match(library, text, vectors=True, options=own) if m.entities is not None)
    assert again.score == pytest.approx((found.question + found.entities) / 2)


@pytest.mark.parametrize("mode", ["question", "support", "entities"])
def test_a_mode_compares_one_part_alone(made: tuple[Library, Indexer], mode: str) -> None:
    library, indexer = made
    embed(library, indexer)
    text = "The umbrella of Mr Quenby was lost at Aldmoor Bridge."
    found = match(library, text, vectors=True, options=CaseWeights(mode))  # type: ignore[arg-type]
    assert found
    assert all(each.score == getattr(each, mode) for each in found)


def test_only_those_who_may_speak_speak_and_those_who_may_answer_answer(
    made: tuple[Library, Indexer],
) -> None:
    library, _ = made
    ids = {each.relative: each.id for each in library.catalogue.all()}
    found = match(library, QUESTION, vectors=False, speaking=frozenset({ids["d.md"]}))
    assert {file(library, each.citing) for each in found} == {"d.md"}
    found = match(library, QUESTION, vectors=False, answering=frozenset({ids["b.md"]}))
    assert {file(library, each.authority) for each in found} <= {"b.md"}


def test_a_document_counts_once_however_often_it_repeats_itself() -> None:
    def one(precedent: int, citing: int, authority: int, score: float) -> PrecedentMatch:
        return PrecedentMatch(precedent, citing, authority, score, score, None, None, None)

    repeated = [one(n, 50, 1, 0.6) for n in range(9)]
    twice = [one(20, 51, 2, 0.6), one(21, 52, 2, 0.5)]
    assert [authority for authority, _ in rank_authorities([*repeated, *twice])] == [2, 1]
    assert dict(rank_authorities(repeated))[1] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("mode", "weights", "reason"),
    [
        ("answer", (1, 1, 1), "unknown mode"),
        ("hybrid", (0, 0, 0), "one of them above 0"),
        ("hybrid", (1, -1, 1), "not negative"),
        ("hybrid", (1, 1), "three numbers"),
    ],
)
def test_wrong_weights_are_refused(mode: str, weights: tuple[float, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        CaseWeights(mode, weights)  # type: ignore[arg-type]


@pytest.mark.parametrize("vectors", [True, False])
def test_only_documents_that_say_the_same_are_counted(made: tuple[Library, Indexer], vectors: bool) -> None:
    library, indexer = made
    if vectors:
        embed(library, indexer)
    text = "A ferryman answers for the luggage that passengers bring aboard his boat."

    def count(text: str, speaking: frozenset[int] | None = None) -> dict[str, list[str]]:
        vector = vector_of(text) if vectors else None
        tokenize = Tokenizer().tokenize
        token = CancelToken()
        matched = MatchedPrecedents(library, tokenize(text), vector, speaking, token)
        found = find_cited_for(library, tokenize(text), vector, matched, tokenize, token)
        return {
            file(library, authority): sorted(file(library, each.citing) for each in said.precedents)
            for authority, said in found.items()
        }

    assert count(text) == {"a.md": ["c.md", "d.md"]}
    ids = {each.relative: each.id for each in library.catalogue.all()}
    assert count(text, frozenset(ids.values()) - {ids["c.md"]}) == {"a.md": ["d.md"]}
    assert count("A ferryman paints his boat green before the regatta of passengers.") == {}
    assert count("He answers.") == {}
