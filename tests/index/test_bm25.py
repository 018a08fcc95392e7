"""IncrementalBM25 against rank_bm25 itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from lexls.index import postings
from lexls.index.bm25 import IncrementalBM25
from lexls.index.postings import MAX_TERMS, DocumentPostings

WORDS = ["deviation", "carrier", "lien", "notice", "tenant", "repair", "estoppel", "costs"]
TERMS = {word: 3 * number + 1 for number, word in enumerate(WORDS)}

Passages = list[list[str]]


def forward(document: int, passages: Passages, first_id: int) -> DocumentPostings:
    """The document's postings, its passages numbered from ``first_id``."""
    counts = [Counter(TERMS[word] for word in passage) for passage in passages]
    return DocumentPostings(
        document,
        list(range(first_id, first_id + len(passages))),
        np.cumsum([0] + [len(each) for each in counts]).astype(np.int32),
        np.array([term for each in counts for term in each], np.int32),
        np.array([frequency for each in counts for frequency in each.values()], np.uint16),
    )


class Model:
    """The surviving passages as lists of words, in the order of addition."""

    def __init__(self) -> None:
        self.documents: dict[int, tuple[int, Passages]] = {}
        self.next_id = 100

    def add(self, document: int, passages: Passages) -> DocumentPostings:
        self.documents.pop(document, None)
        self.documents[document] = self.next_id, passages
        postings = forward(document, passages, self.next_id)
        self.next_id += len(passages)
        return postings

    @property
    def corpus(self) -> Passages:
        return [passage for _, passages in self.documents.values() for passage in passages]

    @property
    def ids(self) -> list[int]:
        return [first + n for first, passages in self.documents.values() for n in range(len(passages))]


def indexed(documents: Iterable[DocumentPostings]) -> IncrementalBM25:
    index = IncrementalBM25(terms=TERMS)
    index.add_documents(documents)
    return index


def expected_scores(corpus: Passages, query: Sequence[str], **parameters: float) -> list[float]:
    if not any(corpus):
        # rank_bm25 divides by zero without texts and without words.
        return [0.0] * len(corpus)
    return list(BM25Okapi(corpus, **parameters).get_scores(query))


def check(index: IncrementalBM25, model: Model, query: Sequence[str], **parameters: float) -> None:
    """Scores, order and bookkeeping are those of a fresh index over what survived."""
    expected = expected_scores(model.corpus, query, **parameters)
    np.testing.assert_allclose(index.get_scores(query), expected, rtol=1e-9, atol=1e-12)
    assert index.slots.ids[index.slots.alive].tolist() == model.ids
    assert index.corpus_size == len(model.ids)
    assert index.slots.document_count == len(model.documents)
    matching = {
        i: score
        for i, score, passage in zip(model.ids, expected, model.corpus, strict=True)
        if set(passage) & set(query)
    }
    ids, scores = index.top(index.numbers(query), len(model.ids) + 1)
    assert set(ids.tolist()) == set(matching)
    np.testing.assert_allclose(scores, [matching[i] for i in ids.tolist()], rtol=1e-9, atol=1e-12)
    assert np.all(np.diff(scores) <= 0)
    slots = index.slots.of(model.ids)
    assert index.slots.ids[slots].tolist() == model.ids
    assert index.slots.of([1, 99]).tolist() == [-1, -1]
    assert {
        document: index.slots.document_ids[index.slots.rows[list(index.slots.of_document(document))]].tolist()
        for document in model.documents
    } == {document: [document] * len(passages) for document, (_, passages) in model.documents.items()}


passages_of_words = st.lists(st.lists(st.sampled_from(WORDS[:6]), max_size=8), max_size=4)
changes = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(0, 6), passages_of_words),
        st.tuples(st.just("add many"), st.integers(0, 6), passages_of_words),
        st.tuples(st.just("remove"), st.integers(0, 6), st.none()),
        st.tuples(st.just("compact"), st.none(), st.none()),
    ),
    max_size=14,
)
queries = st.lists(st.sampled_from([*WORDS, "unheard"]), max_size=8)


@settings(max_examples=300, deadline=None)
@given(changes, queries, st.sampled_from([(1.5, 0.75), (2.0, 0.9), (1.2, 0.0)]))
def test_scores_are_those_of_rank_bm25_after_any_additions_and_removals(
    changes: list[tuple[str, int | None, Passages | None]], query: list[str], parameters: tuple[float, float]
) -> None:
    index, model = IncrementalBM25(terms=TERMS), Model()
    index.k1, index.b = parameters
    for change, document, passages in changes:
        if change == "add" and document is not None and passages is not None:
            index.add_document(model.add(document, passages))
        elif change == "add many" and document is not None and passages is not None:
            index.add_documents([model.add(document + n, passages) for n in range(3)])
        elif change == "remove" and document is not None:
            assert index.remove_document(document) == (model.documents.pop(document, None) is not None)
        else:
            index.compact()
    check(index, model, query, k1=parameters[0], b=parameters[1])
    index.compact()
    check(index, model, query, k1=parameters[0], b=parameters[1])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), min_size=1, max_size=12), queries)
def test_a_fresh_index_has_the_same_bits_as_rank_bm25(corpus: Passages, query: list[str]) -> None:
    distinct = list(dict.fromkeys(query))
    ours, theirs = IncrementalBM25(corpus), BM25Okapi(corpus)
    assert ours.get_scores(distinct).tolist() == theirs.get_scores(distinct).tolist()
    assert ours.idf == theirs.idf
    assert ours.avgdl == theirs.avgdl
    assert ours.get_top_n(distinct, corpus, 3) == theirs.get_top_n(distinct, corpus, 3)


def test_a_term_in_most_passages_has_the_floor_of_rank_bm25() -> None:
    corpus = [["carrier", "lien"], ["carrier", "notice"], ["carrier", "tenant"], ["repair"]]
    index = IncrementalBM25(corpus)
    assert index.idf["carrier"] == BM25Okapi(corpus).idf["carrier"]
    assert index.get_scores(["carrier"]).tolist() == list(BM25Okapi(corpus).get_scores(["carrier"]))


def test_a_corpus_that_becomes_empty_answers_nothing_and_can_be_filled_again() -> None:
    index, model = IncrementalBM25(terms=TERMS), Model()
    index.add_document(model.add(1, [["lien", "notice"]]))
    index.remove_document(1)
    model.documents.clear()
    check(index, model, ["lien"])
    index.add_document(model.add(1, [["lien"], ["notice"], ["costs"]]))
    check(index, model, ["lien"])


def test_many_small_additions_are_merged() -> None:
    index, model = IncrementalBM25(terms=TERMS), Model()
    for document in range(64):
        index.add_document(model.add(document, [[WORDS[document % 8], "carrier"]]))
    assert len(index._segments) < 10
    check(index, model, ["lien", "carrier"])


def test_a_compacted_copy_and_its_original_change_apart() -> None:
    index, model = IncrementalBM25(terms=TERMS), Model()
    for document in range(6):
        index.add_document(model.add(document, [[WORDS[document], "carrier"], ["lien"]]))
    index.remove_document(2)
    del model.documents[2]
    copied, copied_model = index.copy_compacted(), Model()
    copied_model.documents, copied_model.next_id = dict(model.documents), model.next_id
    assert (copied.dead_fraction, len(copied._segments)) == (0, 1)
    index.remove_document(3)
    del model.documents[3]
    copied.add_document(copied_model.add(7, [["costs", "lien"]]))
    check(index, model, ["lien", "carrier", "costs"])
    check(copied, copied_model, ["lien", "carrier", "costs"])


def test_a_filter_leaves_only_passages_of_its_documents() -> None:
    index = indexed(
        [forward(1, [["lien"], ["lien", "costs"]], 10), forward(2, [["lien"], ["tenant"], ["repair"]], 20)],
    )
    ids, _ = index.top(index.numbers(["lien"]), 5, [1])
    assert ids.tolist() == [10, 11]


def test_the_best_are_found_in_order_with_equal_scores_by_id() -> None:
    index = indexed(
        [forward(n, [["lien", "costs"]] if n % 2 else [["lien"]], 1000 - n) for n in range(20)]
        + [forward(n, [["tenant"]] * 9, 2000 + 10 * n) for n in range(20, 30)],
    )
    ids, scores = index.top(index.numbers(["lien"]), 4)
    assert ids.tolist() == [982, 984, 986, 988]
    assert len(set(scores.tolist())) == 1
    assert index.top(index.numbers(["lien"]), 0)[0].tolist() == []


def test_whole_documents_are_ranked_as_if_each_were_one_passage() -> None:
    documents = {
        1: [["lien", "lien"], ["notice"], []],
        2: [["lien", "costs", "costs"], ["lien"]],
        3: [["tenant", "repair"]],
        4: [["notice", "notice", "lien"]],
    }
    index, model = IncrementalBM25(terms=TERMS), Model()
    for document, passages in documents.items():
        index.add_document(model.add(document, passages))
    index.add_document(model.add(5, [["lien"] * 7]))
    index.remove_document(5)
    terms = index.numbers(["lien", "notice", "lien"])
    ids, scores = index.top_documents(terms, 10, k1=2.0, b=0.9)
    whole = {
        document: [word for passage in passages for word in passage]
        for document, passages in documents.items()
    }
    average = sum(map(len, whole.values())) / len(whole)
    expected = {
        document: sum(
            np.log(1 + (4 - holding + 0.5) / (holding + 0.5))
            * text.count(word)
            * 3.0
            / (text.count(word) + 2.0 * (0.1 + 0.9 * len(text) / average))
            for word, holding in (("lien", 3), ("notice", 2), ("lien", 3))
        )
        for document, text in whole.items()
        if document != 3
    }
    assert ids.tolist() == sorted(expected, key=lambda document: -expected[document])
    np.testing.assert_allclose(scores, [expected[document] for document in ids.tolist()], rtol=1e-12)
    assert index.top_documents(terms, 1)[0].tolist() == ids.tolist()[:1]
    only = index.top_documents(terms, 10, [4])
    assert only[0].tolist() == [4]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS[:6]), max_size=8), min_size=1, max_size=12),
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([0.0, 0.5, 1.0, 3.0])), max_size=6),
)
def test_a_weight_multiplies_its_terms_part_of_the_score(
    corpus: Passages, query: list[tuple[str, float]]
) -> None:
    index = indexed([forward(7, corpus, 0)])
    terms, weights = index.find_weighted_numbers([word for word, _ in query], [weight for _, weight in query])
    assert weights is not None
    expected = sum(
        (weight * np.array(expected_scores(corpus, [word])) for word, weight in query),
        start=np.zeros(len(corpus)),
    )
    asked = {word for word, weight in query if weight}
    holding = [number for number, passage in enumerate(corpus) if asked & set(passage)]
    ids, scores = index.top(terms, len(corpus), weights=weights)
    assert sorted(ids.tolist()) == holding
    np.testing.assert_allclose(scores, expected[ids], rtol=1e-9, atol=1e-12)
    weighted = dict(zip(*map(np.ndarray.tolist, index.top_documents(terms, 1, weights=weights)), strict=True))
    single = [
        weight * index.top_documents(index.numbers([word]), 1)[1].sum() for word, weight in query if weight
    ]
    assert weighted == ({7: pytest.approx(sum(single))} if holding else {})


def test_weights_that_do_not_fit_are_refused() -> None:
    index = indexed([forward(1, [["lien", "costs"]], 10)])
    with pytest.raises(ValueError, match="zip"):
        index.find_weighted_numbers(["lien", "costs"], [1.0])
    with pytest.raises(ValueError, match="not negative"):
        index.top(index.numbers(["lien"]), 1, weights=[-1.0])


def test_postings_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ValueError, match="3 offsets for 1 passages"):
        DocumentPostings(1, [1], np.array([0, 1, 2]), np.zeros(2, np.int32), np.ones(2, np.uint16))
    with pytest.raises(ValueError, match="2 terms and 1 frequencies"):
        DocumentPostings(1, [1], np.array([0, 2]), np.zeros(2, np.int32), np.ones(1, np.uint16))


def test_term_numbers_beyond_sixteen_bits_are_found() -> None:
    numbers = {"lien": 70_000, "costs": 5, "notice": 70_000 - 65_536, "repair": 1_000_000, "tenant": 65_535}
    index = IncrementalBM25(terms=numbers)
    for document, words in enumerate(
        [["lien", "costs"], ["notice", "lien"], ["repair"], ["tenant", "costs"]]
    ):
        terms = np.array([numbers[word] for word in words], np.int32)
        index.add_document(
            DocumentPostings(
                document + 1,
                [document],
                np.array([0, len(terms)]),
                terms,
                np.ones(2, np.uint16)[: len(terms)],
            )
        )
    index.compact()
    found = {word: sorted(index.top(index.numbers([word]), 5)[0].tolist()) for word in numbers}
    assert found == {"lien": [0, 1], "costs": [0, 3], "notice": [1], "repair": [2], "tenant": [3]}
    whole = index.top_documents(index.numbers(["lien"]), 5)[0]
    assert sorted(whole.tolist()) == [1, 2]


def test_many_documents_are_sorted_in_chunks_that_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {n: [[WORDS[n % 8], WORDS[n % 3]], ["carrier"] * (1 + n % 4)] for n in range(1, 40)}
    expected = indexed((forward(n, t, 10 * n) for n, t in texts.items()))
    monkeypatch.setattr(postings, "CHUNK", 7)
    index = indexed((forward(n, t, 10 * n) for n, t in texts.items()))
    assert len(index._segments) == 1
    for words in (["carrier"], ["lien", "tenant", "carrier"]):
        for search in ("top", "top_documents"):
            found, wanted = (getattr(each, search)(each.numbers(words), 100) for each in (index, expected))
            assert found[0].tolist() == wanted[0].tolist()
            assert found[1].tolist() == wanted[1].tolist()


def test_a_term_number_out_of_range_is_refused_and_changes_nothing() -> None:
    index, model = IncrementalBM25(terms=TERMS), Model()
    index.add_document(model.add(1, [["lien"], ["costs"], ["repair"]]))
    bad = DocumentPostings(1, [7], np.array([0, 1]), np.array([MAX_TERMS], np.int64), np.ones(1, np.uint16))
    with pytest.raises(ValueError, match="term numbers"):
        index.add_document(bad)
    check(index, model, ["lien"])
