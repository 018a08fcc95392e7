from __future__ import annotations

from collections import Counter

import pytest

from lexls.index.tokens import Tokenizer
from lexls.retrieval.among import bm25_among
from lexls.retrieval.sentences import rank_sentences, said_of


@pytest.mark.parametrize(
    ("sentence", "signs"),
    [
        ("A “tidal weir” means a barrier that the sea covers twice a day.", 2),
        ("A tidal weir is not a bridge.", 1),
        ('The Act speaks of a "tidal weir" without more.', 1),
        ("The boat struck the tidal weir at night.", 0),
        ("The tide rose over the weir.", 0),
    ],
)
def test_signs_of_speaking_about_a_term_are_counted(sentence: str, signs: int) -> None:
    assert said_of("tidal weir", sentence) == signs


def test_a_sentence_that_defines_comes_before_one_that_mentions() -> None:
    sentences = [
        "The boat struck the tidal weir at night and sank.",
        "A “tidal weir” means a barrier that the sea covers twice a day.",
        "Nothing was said.",
    ]
    assert rank_sentences("tidal weir", sentences, Tokenizer(), None) == [1, 0, 2]


def test_no_sentences_give_no_ranking() -> None:
    assert rank_sentences("weir", [], Tokenizer(), None) == []


def test_bm25_among_a_few_texts_by_hand() -> None:
    # Two texts of length 2 and 4, mean 3; "weir" is in both, "tide" in the second only.
    texts = [Counter({"weir": 1, "boat": 1}), Counter({"weir": 2, "tide": 1, "boat": 1})]
    weir, tide = 0.182321557, 0.693147181  # ln(1.2), ln(2)
    first = weir * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 2 / 3))
    norm = 1.5 * (0.25 + 0.75 * 4 / 3)
    second = weir * 2 * 2.5 / (2 + norm) + tide * 2.5 / (1 + norm)
    assert bm25_among(["weir", "tide", "weir"], texts) == pytest.approx([first, second])


def test_bm25_among_empty_texts_is_zero() -> None:
    assert bm25_among(["weir"], [Counter(), Counter()]) == [0.0, 0.0]
    assert bm25_among(["weir"], []) == []
