from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from lexls.citations.grammar import Grammar
from lexls.grounding.context import find_parent
from lexls.index.library import Library
from lexls.models.messages import NO_PROMPTS, ModelUnavailable, Prompts
from lexls.retrieval.model import Filters, Hit
from lexls.retrieval.ranking import RANKINGS, Ranking
from lexls.retrieval.search import Searcher
from lexls.retrieval.stages import PassageRanking, Stages
from lexls.text.cancel import Cancelled, CancelToken

LUGGAGE = "The operator of a ferry is liable for the luggage of its passengers."


def titles(hits: list[Hit]) -> list[str]:
    return [hit.authority.title for hit in hits]


def search(library: Library, text: str, filters: Filters | None = None, k: int = 5) -> list[Hit]:
    return Searcher(library).search(text, k, filters or Filters(), CancelToken())


def test_the_authority_on_the_matter_comes_first_with_its_best_passage(library: Library) -> None:
    first = search(library, LUGGAGE)[0]
    assert first.authority.title == "Barrow v Quenby"
    assert first.passage.paragraph == "1"
    assert "luggage" in first.passage.text
    assert first.rank == 1
    assert first.lexical is not None
    assert first.lexical > 0
    assert first.similarity is None


def test_every_document_answers_once_in_the_order_of_scores(library: Library) -> None:
    hits = search(library, "A landlord, a hedge, a ferryman and his passenger.")
    assert len(hits) >= 3
    assert len({hit.authority.id for hit in hits}) == len(hits)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_no_more_hits_than_asked_for(library: Library) -> None:
    assert len(search(library, "hedge rent luggage", k=1)) == 1
    assert search(library, "hedge", k=0) == []


def test_a_case_that_says_nothing_itself_is_found_through_what_cites_it(library: Library) -> None:
    baggage = "Custody of hand baggage on river crossings"
    found = {hit.authority.title: hit for hit in search(library, baggage)}
    assert "Rookery v Vale" in found
    assert "narrow point" in found["Rookery v Vale"].passage.text
    alone = Searcher(library, ranking=Ranking(citing=0, precedents=0)).search(
        baggage, 5, Filters(), CancelToken()
    )
    assert "Rookery v Vale" not in titles(alone)


def test_a_document_left_out_does_not_vouch_for_what_it_cites(library: Library) -> None:
    citing = next(each for each in library.catalogue.all() if each.title == "Wexcombe v Tarn")
    hits = search(library, "Custody of hand baggage on river crossings", Filters(excluded=(citing.path,)))
    assert "Wexcombe v Tarn" not in titles(hits)
    assert "Rookery v Vale" not in titles(hits)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(kinds=frozenset({"statute"})), {"Hedges Act 1951"}),
        (Filters(courts=("court of appeal",)), {"Ironside v Mull", "Wexcombe v Tarn"}),
        (Filters(date_from="2018-06"), {"Ironside v Mull", "Wexcombe v Tarn"}),
        (Filters(date_to="2012"), {"Barrow v Quenby", "Rookery v Vale", "Hedges Act 1951"}),
        (Filters(kinds=frozenset({"treaty"})), set()),
    ],
)
def test_only_documents_that_pass_the_filters_answer(
    library: Library, filters: Filters, expected: set[str]
) -> None:
    everything = "ferryman luggage hedge rent lease river duty appeal point field"
    assert set(titles(search(library, everything, filters))) <= expected
    assert bool(titles(search(library, everything, filters))) is bool(expected)


def test_nothing_is_found_for_nothing(library: Library) -> None:
    assert search(library, " \n…") == []


def test_words_of_no_authority_find_nothing(library: Library) -> None:
    assert search(library, "zygote photosynthesis") == []


def test_a_citation_alone_finds_the_authority_that_has_it(library: Library) -> None:
    searcher = Searcher(library, grammar=Grammar.load())
    hits = searcher.search("412 U.S. 55", 3, Filters(), CancelToken())
    assert titles(hits)[0] == "Rookery v Vale"


def test_a_cancelled_search_stops(library: Library, token: CancelToken) -> None:
    token.cancel()
    with pytest.raises(Cancelled):
        Searcher(library).search(LUGGAGE, 3, Filters(), token)


def test_passages_of_one_document_are_ranked_inside_it(library: Library, token: CancelToken) -> None:
    barrow = next(each for each in library.catalogue.all() if each.title == "Barrow v Quenby")
    within = Filters(within=frozenset({barrow.id}))
    hits = Searcher(library).search_passages(
        "In Barrow v Quenby, what became of the umbrella?", 5, within, token
    )
    assert {hit.authority.id for hit in hits} == {barrow.id}
    assert hits[0].passage.paragraph == "3"


def test_passages_of_the_best_documents_are_ranked_together(library: Library, token: CancelToken) -> None:
    hits = Searcher(library).search_passages("Burning a hedge between March and August", 10, Filters(), token)
    assert hits[0].authority.title == "Hedges Act 1951"
    assert "March" in hits[0].passage.text
    assert len({hit.passage.id for hit in hits}) == len(hits)
    assert len({hit.authority.id for hit in hits}) > 1


def test_the_parent_of_a_hit_is_cut_from_its_document(library: Library) -> None:
    hit = search(library, LUGGAGE)[0]
    outline, text = library.contents.outline(hit.authority.id), library.contents.text(hit.authority.id)
    start, end = hit.passage.start, hit.passage.end
    assert find_parent(outline, len(text), start, end, "passage").of(text) == hit.passage.text
    section = find_parent(outline, len(text), start, end, "section").of(text)
    assert "tempest" in section
    assert "umbrella" not in section


def test_searches_on_several_threads_agree(library: Library) -> None:
    searcher = Searcher(library)
    expected = titles(searcher.search(LUGGAGE, 3, Filters(), CancelToken()))
    found: list[list[str]] = []

    def run() -> None:
        found.append(titles(searcher.search(LUGGAGE, 3, Filters(), CancelToken())))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


class LetterEmbedder:
    """An embedder that needs no weights: a vector of how often each letter occurs."""

    name = "letters"
    dimension = 26
    prompts = NO_PROMPTS

    def encode(self, texts: Sequence[str], prompt: str = "") -> NDArray[np.float32]:
        read = [(prompt + text).casefold() for text in texts]
        counts = np.array([[text.count(chr(97 + n)) for n in range(26)] for text in read])
        rows = counts.astype(np.float32) + 1e-6
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def test_without_vectors_an_embedder_changes_nothing_but_what_is_embedded_first(library: Library) -> None:
    searcher = Searcher(library, LetterEmbedder)
    hits = searcher.search(LUGGAGE, 3, Filters(), CancelToken())
    assert titles(hits) == titles(search(library, LUGGAGE, k=3))
    from lexls.index.wanted import WantedReader

    wanted = WantedReader(library.path).take()
    assert hits[0].passage.id in wanted


class LostEmbedder(LetterEmbedder):
    """An embedder whose model has gone."""

    def encode(self, texts: Sequence[str], prompt: str = "") -> NDArray[np.float32]:
        raise ModelUnavailable("the model process ended")


def test_a_model_that_fails_leaves_a_search_by_words(
    library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    hits = Searcher(library, LostEmbedder).search(LUGGAGE, 3, Filters(), CancelToken())
    assert titles(hits) == titles(search(library, LUGGAGE, k=3))
    assert "the model process ended" in caplog.text
    assert "luggage" not in caplog.text


class CountingEmbedder(LetterEmbedder):
    """An embedder that remembers what it was asked for."""

    def __init__(self, prompts: Prompts = NO_PROMPTS) -> None:
        self.prompts = prompts
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str], prompt: str = "") -> NDArray[np.float32]:
        self.asked += [prompt + text for text in texts]
        return super().encode(texts, prompt)


def test_a_sentence_is_encoded_once_however_often_it_is_asked_about(library: Library) -> None:
    embedder = CountingEmbedder()
    searcher = Searcher(library, lambda: embedder)
    first = searcher.search(LUGGAGE, 3, Filters(), CancelToken())
    searcher.find_cited_for(LUGGAGE, Filters(), CancelToken())
    assert searcher.search(LUGGAGE, 3, Filters(), CancelToken()) == first
    assert embedder.asked == [LUGGAGE]


@pytest.mark.parametrize(
    ("prompts", "asked"),
    [
        (Prompts("find: "), [f"find: {LUGGAGE}", LUGGAGE]),
        (Prompts("query: ", "passage: "), [f"query: {LUGGAGE}"]),
        (Prompts("", "passage: "), [LUGGAGE]),
    ],
)
def test_a_sentence_is_encoded_as_a_question_and_as_propositions_are(
    library: Library, prompts: Prompts, asked: list[str]
) -> None:
    embedder = CountingEmbedder(prompts)
    searcher = Searcher(library, lambda: embedder)
    searcher.search(LUGGAGE, 3, Filters(), CancelToken())
    assert embedder.asked == asked
    question = searcher.encode_query(searcher.query(LUGGAGE))
    assert embedder.asked == asked
    np.testing.assert_array_equal(question, LetterEmbedder().encode([LUGGAGE], prompts.question)[0])


def test_likeness_and_its_citations_take_part_with_their_weights() -> None:
    stages = Stages(
        lexical=PassageRanking((11, 12, 21), (1, 1, 2), (3.0, 2.0, 1.0)),
        nearest=PassageRanking((31, 12), (3, 1), (0.9, 0.8)),
        documents=(2,),
        cited_by_lexical=(4,),
        cited_by_nearest=(5,),
    )
    weights = Ranking(passages=1.0, documents=2.0, vectors=0.5, citing=0.5, rrf_k=60)
    assert dict(stages.fuse(weights)) == pytest.approx(
        {
            1: 1 / 61 + 0.5 / 62,
            2: 1 / 62 + 2 / 61,
            3: 0.5 / 61,
            4: 0.5 / 61,
            5: 0.25 / 61,
        }
    )
    assert stages.find_best_passages(weights) == {1: 12, 2: 21, 3: 31}


def test_likeness_counts_less_while_few_passages_have_vectors() -> None:
    lexical = PassageRanking((11, 21), (1, 2), (2.0, 1.0))
    nearest = PassageRanking((21,), (2,), (0.9,))
    assert Stages(lexical=lexical, nearest=nearest).fuse(Ranking())[0][0] == 2
    early = Stages(lexical=lexical, nearest=nearest, vector_share=0.1)
    assert early.vector_weight(Ranking(vectors=0.5)) == pytest.approx(0.005)
    assert early.fuse(Ranking())[0][0] == 1


def test_a_document_is_ranked_by_its_best_passage() -> None:
    found = PassageRanking((11, 21, 22, 23), (1, 2, 2, 2), (3.0, 2.0, 1.5, 1.0))
    assert found.rank_documents() == [1, 2]


def test_stages_are_switched_one_by_one() -> None:
    ranking = replace(Ranking(), diversity=0.5)
    alone = ranking.only("documents")
    assert [stage for stage in RANKINGS if getattr(alone, stage)] == ["documents"]
    assert (alone.diversity, alone.rerank, alone.cross_encoder) == (0, 0, 0)
    assert ranking.without("documents") == replace(ranking, documents=0.0)
    varied = ranking.only("diversity")
    assert [stage for stage in RANKINGS if getattr(varied, stage)] == list(RANKINGS)
    assert (varied.diversity, varied.rerank, varied.cross_encoder) == (0.5, 0, 0)
    with pytest.raises(KeyError):
        ranking.without("spelling")


def test_documents_that_may_not_answer_still_vouch_for_those_that_may(library: Library) -> None:
    narrow = Filters(courts=("high court",))
    hits = search(library, "Custody of hand baggage on river crossings", narrow)
    assert "Rookery v Vale" in titles(hits)
