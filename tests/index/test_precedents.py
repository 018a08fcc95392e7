"""Precedents in the index: what documents cite authorities for, kept current with the documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from small_law import judgment

from lexls.index.indexer import Indexer, encode_precedents
from lexls.index.library import Library
from lexls.index.precedents import MOST_AT_ONCE
from lexls.index.tokens import Tokenizer
from lexls.models.messages import Prompts
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher
from lexls.text.cancel import Cancelled, CancelToken

Open = Callable[[], Library]

SAID = "A ferryman answers for the luggage that he takes aboard: Ostler v Harbour Board (No 1) [2015] UKSC 1"
TERMS = ("ferryman", "luggag")


def terms(text: str) -> list[str]:
    return Tokenizer().tokenize(text)


def said(library: Library, text: str, speaking: list[int] | None = None) -> list[str]:
    found, _ = library.precedents.lexical(terms(text), 10, speaking)
    return [each.proposition for each in library.precedents.records(found.tolist())]


def document(library: Library, name: str) -> int:
    return next(each.id for each in library.catalogue.all() if each.relative == name)


@pytest.fixture
def filled(folder: Path, indexer: Indexer) -> Indexer:
    (folder / "a.md").write_text(judgment(1, "The ferry sank in the night and nobody answered for it."))
    (folder / "b.md").write_text(judgment(2, f"{SAID}.", "The lessee burned the hedges: [2099] UKSC 77."))
    (folder / "c.md").write_text(judgment(3, f"{SAID} at [1]. But see [2015] UKSC 2 on that."))
    indexer.reconcile()
    return indexer


def test_a_sentence_is_found_with_the_authority_that_it_cites(filled: Indexer, open_library: Open) -> None:
    library = open_library()
    found, scores = library.precedents.lexical(terms("the ferryman's luggage"), 10)
    assert len(found) == len(scores) == 2
    a, b, c = (document(library, name) for name in ("a.md", "b.md", "c.md"))
    assert sorted(library.precedents.find_citations(found.tolist())) == [(b, (a,)), (c, (a,))]
    records = library.precedents.records(found.tolist())
    assert {each.proposition for each in records} == {
        "A ferryman answers for the luggage that he takes aboard."
    }
    assert {each.authorities for each in records} == {((a, ""),), ((a, "1"),)}
    one = records[0]
    assert "ferryman" in library.contents.text(one.citing)[one.start : one.end]


def test_what_cites_nothing_of_the_library_waits_until_it_comes(
    folder: Path, filled: Indexer, open_library: Open
) -> None:
    library = open_library()
    assert said(library, "the lessee burned the hedges") == []
    (folder / "new.md").write_text(judgment(1, "On hedges.").replace("[2015] UKSC 1", "[2099] UKSC 77"))
    filled.reconcile()
    library.refresh()
    assert said(library, "the lessee burned the hedges") == ["The lessee burned the hedges."]


def test_precedents_go_with_their_document_and_with_what_they_cite(
    folder: Path, filled: Indexer, open_library: Open
) -> None:
    library = open_library()
    assert len(said(library, "ferryman luggage")) == 2
    (folder / "b.md").unlink()
    filled.reconcile()
    library.refresh()
    assert len(said(library, "ferryman luggage")) == 1
    (folder / "a.md").unlink()
    filled.reconcile()
    library.refresh()
    assert said(library, "ferryman luggage") == []


def test_a_changed_sentence_takes_the_place_of_the_old_one(
    folder: Path, filled: Indexer, open_library: Open
) -> None:
    library = open_library()
    assert len(said(library, "ferryman luggage")) == 2
    (folder / "b.md").write_text(judgment(2, f"{SAID.replace('ferryman', 'carter')}."))
    filled.reconcile()
    library.refresh()
    assert len(said(library, "ferryman")) == 1
    assert said(library, "carter") == ["A carter answers for the luggage that he takes aboard."]


def test_what_is_cited_against_a_proposition_is_not_cited_for_it(filled: Indexer, open_library: Open) -> None:
    library = open_library()
    b = document(library, "b.md")
    assert library.precedents.find_citing([b])[0].tolist() == []
    assert library.graph.citers(b) == {document(library, "c.md")}


def test_what_is_prepared_needs_no_reading_when_somebody_asks(
    folder: Path, filled: Indexer, open_library: Open
) -> None:
    library = open_library()
    library.precedents.prepare()
    (folder / "b.md").write_text(judgment(2, f"{SAID.replace('ferryman', 'carter')}."))
    filled.reconcile()
    library.refresh()
    library.precedents.prepare()
    library.close()
    library.path.unlink()
    assert len(library.precedents.lexical(terms("carter"), 10)[0]) == 1


def test_many_changes_wait_to_be_prepared_where_somebody_prepares(
    folder: Path, filled: Indexer, open_library: Open
) -> None:
    prepared, unprepared = open_library(), open_library()
    prepared.precedents.prepare()
    assert len(unprepared.precedents.lexical(terms("ferryman"), 20)[0]) == 2

    def write(count: int, who: str) -> None:
        for number in range(count):
            text = judgment(10 + number, f"{SAID.replace('ferryman', who)}.")
            (folder / f"more{number}.md").write_text(text)
        filled.reconcile()
        prepared.refresh()
        unprepared.refresh()

    write(MOST_AT_ONCE, "carter")
    assert len(prepared.precedents.lexical(terms("carter"), 20)[0]) == MOST_AT_ONCE
    write(MOST_AT_ONCE + 1, "drover")
    assert len(unprepared.precedents.lexical(terms("drover"), 20)[0]) == MOST_AT_ONCE + 1
    assert len(prepared.precedents.lexical(terms("drover"), 20)[0]) == 0
    prepared.precedents.prepare()
    assert len(prepared.precedents.lexical(terms("drover"), 20)[0]) == MOST_AT_ONCE + 1


def test_what_was_asked_before_they_were_ready_is_looked_up_anew(
    folder: Path, filled: Indexer, open_library: Open
) -> None:
    library = open_library()
    library.precedents.prepare()
    searcher = Searcher(library)
    text = "A carter answers for the luggage that he takes aboard."

    def ask() -> int:
        found = searcher.find_cited_for(text, Filters(), CancelToken())
        return found[document(library, "a.md")].count

    before = ask()
    for number in range(MOST_AT_ONCE + 1):
        said = judgment(10 + number, f"{SAID.replace('ferryman', 'carter')}.")
        (folder / f"more{number}.md").write_text(said)
    filled.reconcile()
    library.refresh()
    assert ask() == before
    library.precedents.prepare()
    assert ask() == before + MOST_AT_ONCE + 1


def test_only_documents_that_may_speak_do(filled: Indexer, open_library: Open) -> None:
    library = open_library()
    b = document(library, "b.md")
    found, _ = library.precedents.lexical(terms("ferryman luggage"), 10, [b])
    assert [citing for citing, _ in library.precedents.find_citations(found.tolist())] == [b]


def test_citers_are_the_other_documents(filled: Indexer, open_library: Open) -> None:
    library = open_library()
    a, b, c = (document(library, name) for name in ("a.md", "b.md", "c.md"))
    assert library.graph.citers(a) == {b, c}
    assert library.graph.citers(c) == frozenset()


def embed(indexer: Indexer, dimension: int = 8) -> dict[int, np.ndarray]:
    """Give all passages and waiting precedents vectors; those of the precedents."""
    store = indexer._store
    store.use_embedder("test", dimension)
    random = np.random.default_rng(5)

    def unit(count: int) -> np.ndarray:
        rows = random.normal(size=(count, dimension)).astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    passages = store.pending(100)
    if passages:
        store.put_vectors([passage for passage, _ in passages], unit(len(passages)))
    waiting = store.pending_precedents(100)
    vectors = unit(len(waiting))
    names = [unit(1)[0] if entities else None for _, _, entities in waiting]
    store.put_precedent_vectors([precedent for precedent, _, _ in waiting], vectors, names)
    return {precedent: vector for (precedent, _, _), vector in zip(waiting, vectors, strict=True)}


def test_only_precedents_that_resolve_get_vectors(folder: Path, filled: Indexer, open_library: Open) -> None:
    library = open_library()
    assert not library.precedents._now(None).propositions
    vectors = embed(filled)
    assert len(vectors) == 2
    assert filled._store.pending_precedents(100) == []
    library.refresh()
    precedent, vector = next(iter(vectors.items()))
    found, cosines = library.precedents.nearest(vector, 1)
    assert found.tolist() == [precedent]
    assert cosines[0] == pytest.approx(1, abs=1e-3)
    (folder / "new.md").write_text(judgment(1, "On hedges.").replace("[2015] UKSC 1", "[2099] UKSC 77"))
    filled.reconcile()
    assert len(filled._store.pending_precedents(100)) == 1


def test_vectors_of_unchanged_sentences_survive_an_edit(
    folder: Path, filled: Indexer, open_library: Open
) -> None:
    vectors = embed(filled)
    (folder / "b.md").write_text(judgment(2, "A new beginning.", f"{SAID}."))
    filled.reconcile()
    assert filled._store.pending_precedents(100) == []
    library = open_library()
    for vector in vectors.values():
        _, cosines = library.precedents.nearest(vector, 1)
        assert cosines[0] == pytest.approx(1, abs=1e-3)


def test_another_model_makes_new_vectors(filled: Indexer, open_library: Open) -> None:
    first = embed(filled)
    library = open_library()
    second = embed(filled, dimension=4)
    assert second.keys() == first.keys()
    library.refresh()
    vector = next(iter(second.values()))
    assert len(library.precedents.nearest(vector, 5)[0]) == 2
    assert len(library.precedents.nearest(next(iter(first.values())), 5)[0]) == 0


def test_the_support_is_the_passage_at_the_pinpoint_or_the_one_most_alike(
    folder: Path, indexer: Indexer, open_library: Open
) -> None:
    (folder / "a.md").write_text(
        judgment(1, "The ferry sank in the night.", "Nobody answered for the loss of it.")
    )
    (folder / "b.md").write_text(judgment(2, f"{SAID} at [2].", f"Again, {SAID}."))
    indexer.reconcile()
    embed(indexer)
    library = open_library()
    a = document(library, "a.md")
    passages = {each.paragraph: each.id for each in library.contents.passages(a)}
    pointed, free = (
        next(each.id for each in records if each.authorities[0][1] == label)
        for records in [library.precedents.records(library.precedents.find_citing([a])[0])]
        for label in ("2", "")
    )
    supports = library.precedents.supports([(pointed, a), (free, a)])
    assert supports[0] == passages["2"]
    # What it is most like, as its vector says.
    own = library.precedents._now(None).propositions
    assert own is not None
    vector = own.get(free)
    assert vector is not None
    assert supports[1] == library.nearest(vector, 1, [a])[0][0]
    likeness = library.precedents.compare_supports(vector, [(free, a)])
    assert likeness[0] == pytest.approx(library.nearest(vector, 1, [a])[1][0], abs=1e-4)


def test_a_cancelled_question_is_not_answered(filled: Indexer, open_library: Open) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        open_library().precedents.lexical(["ferryman"], 5, None, token)


def test_entities_are_encoded_once_for_all_precedents_that_share_them() -> None:
    class Counting:
        name, dimension, prompts = "counting", 2, Prompts("ask ", "tell ")

        def __init__(self) -> None:
            self.texts: list[str] = []

        def encode(self, texts: list[str], prompt: str = "") -> np.ndarray:
            self.texts += [prompt + text for text in texts]
            return np.array([[len(text), 1] for text in texts], dtype=np.float32)

    embedder = Counting()
    batch = ((1, "one", "Aldmoor\nPell"), (2, "two", "Aldmoor\nPell"), (3, "three", ""))
    precedents, propositions, entities = encode_precedents(embedder, batch)
    assert embedder.texts == ["ask one", "ask two", "ask three", "tell Aldmoor Pell"]
    assert propositions.tolist() == [[3, 1], [3, 1], [5, 1]]
    assert precedents == (1, 2, 3)
    assert entities[2] is None
    assert entities[0] is not None
    assert entities[0].tolist() == [12, 1]
