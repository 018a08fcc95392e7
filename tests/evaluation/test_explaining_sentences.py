from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from lexls.evaluation.explaining_sentences import SIMILARITY, find_signs, load_weights, rank_sentences
from lexls.index.tokens import Tokenizer
from lexls.models.messages import Prompts
from lexls.retrieval.passage_search import score_by_bm25

SENTENCES = [
    "The boat struck the tidal weir at night and sank.",
    "A “tidal weir” means a barrier that the sea covers twice a day.",
    "The Act applies to any bridge, tidal weir, lock or landing stage.",
    "“Navigation work” means any lock, tidal weir or quay that an authority maintains.",
    "Tidal Weir Charges",
    "We hold that the structure is a tidal weir, because the sea covers it twice a day.",
]


def signs_of(sentence: str, term: str = "tidal weir") -> dict[str, float]:
    return find_signs(term, [sentence], Tokenizer())[0]


@pytest.mark.parametrize(
    ("name", "with_it"),
    [
        ("quoted", [1]),
        ("listed", [2, 3]),
        ("in other definition", [3]),
        ("few words", [4]),
        ("reasoning", [5]),
        ("left is", [5]),
        ("right means", [1]),
        ("starts", [4]),
    ],
)
def test_each_sign_is_found_where_it_is(name: str, with_it: list[int]) -> None:
    found = [name in signs_of(sentence) for sentence in SENTENCES]
    assert found == [number in with_it for number in range(len(SENTENCES))]


def test_a_term_is_found_in_other_numbers_and_across_a_line() -> None:
    assert "right stand" in signs_of("Such tidal\nweirs stand in the Solway.")
    assert "right stand" not in signs_of("Such tidal mills and weirs stand in the Solway.")


def test_words_count_as_beside_the_term_only_near_it() -> None:
    far = "That term means, as counsel for both sides told us at some length, a “tidal weir”."
    assert "left means" not in signs_of(far)
    assert "left a" in signs_of(far)


def test_what_many_sentences_share_is_noticed() -> None:
    recited = "No person shall obstruct a tidal weir without the consent of the conservators."
    texts = [f"{recited} So much is common ground.", recited, f"By section 4: {recited}", SENTENCES[0]]
    shared = [each.get("shared", 0.0) for each in find_signs("tidal weir", texts, Tokenizer())]
    assert max(shared) == shared[1]
    assert min(shared) == shared[3] < 0


def test_sentences_that_explain_come_before_those_that_mention_list_or_head() -> None:
    ranking = rank_sentences("tidal weir", SENTENCES, Tokenizer(), None)
    assert set(ranking[:2]) == {1, 5}


def test_every_sign_is_weighed_by_what_is_given() -> None:
    weights = {"left struck": 0.1, "quoted": 0.5}
    assert rank_sentences("tidal weir", SENTENCES, Tokenizer(), None, weights) == [1, 0, 2, 3, 4, 5]
    weights = {"left struck": 1.0, "quoted": 0.5}
    assert rank_sentences("tidal weir", SENTENCES, Tokenizer(), None, weights) == [0, 1, 2, 3, 4, 5]


class Likes:
    """An embedder that likes some texts as asked."""

    name, dimension, prompts = "likes", 2, Prompts("what ", "so ")

    def encode(self, texts: Sequence[str], prompt: str = "") -> NDArray[np.float32]:
        asked = prompt == self.prompts.question
        assert asked or prompt == self.prompts.passage
        angles = [0.0 if asked else 0.1 * len(text) for text in texts]
        return np.array([[math.cos(angle), math.sin(angle)] for angle in angles], dtype=np.float32)


def test_similarity_to_the_question_what_the_term_is_counts() -> None:
    texts = ["aaaaaaaaa weir", "aaa weir", "aaaaaa weir"]
    liking = rank_sentences("weir", texts, Tokenizer(), Likes(), {SIMILARITY: 1.0})
    assert liking == [1, 2, 0]
    assert rank_sentences("weir", texts, Tokenizer(), None, {SIMILARITY: 1.0}) == [0, 1, 2]


@pytest.mark.parametrize("term", ["", "§ ", "(a) [b] *c*", "x" * 500, "a.b|c"])
def test_odd_terms_and_texts_do_no_harm(term: str) -> None:
    texts = ["", "“" * 400, "a, " * 500, "(" * 300 + "b" * 300, "the " * 2000 + term]
    assert sorted(rank_sentences(term, texts, Tokenizer(), None)) == list(range(len(texts)))


def test_no_sentences_give_no_ranking() -> None:
    assert rank_sentences("weir", [], Tokenizer(), None) == []


def test_the_weights_that_come_with_lexls_know_no_subject() -> None:
    """Words beside a term were kept only if they stood beside many terms: these are small words."""
    weights = load_weights()
    assert weights[SIMILARITY] > 0 > weights["in other definition"]
    words = {name.split()[1] for name in weights if name.startswith(("left ", "right "))}
    assert len(words) > 20
    assert not {each for each in words if len(each) > 7}


def test_bm25_among_a_few_texts_by_hand() -> None:
    # Two texts of length 2 and 4, mean 3; "weir" is in both, "tide" in the second only.
    texts = [Counter({"weir": 1, "boat": 1}), Counter({"weir": 2, "tide": 1, "boat": 1})]
    weir, tide = 0.182321557, 0.693147181  # ln(1.2), ln(2)
    first = weir * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 2 / 3))
    norm = 1.5 * (0.25 + 0.75 * 4 / 3)
    second = weir * 2 * 2.5 / (2 + norm) + tide * 2.5 / (1 + norm)
    assert score_by_bm25(["weir", "tide", "weir"], texts) == pytest.approx([first, second])


def test_bm25_among_empty_texts_is_zero() -> None:
    assert score_by_bm25(["weir"], [Counter(), Counter()]) == [0.0, 0.0]
    assert score_by_bm25(["weir"], []) == []
