import pytest

from lexls.index.tokens import Tokenizer
from lexls.retrieval.everyday import find_alternatives, find_words_of_law


@pytest.mark.parametrize(
    ("question", "law", "everyday"),
    [
        ("Can a miller sue the ferry?", "suit", "sue"),
        ("Who pays when a cheque has bounced?", "dishonoured", "bounced"),
        ("May a worker be sacked for singing?", "dismissal", "sacked"),
        ("Is lack of money an excuse?", "insufficiency", "money"),
    ],
)
def test_everyday_words_stand_for_words_of_law(question: str, law: str, everyday: str) -> None:
    tokens = Tokenizer().tokenize
    assert law in find_words_of_law(question).split()
    (term,) = tokens(everyday)
    assert set(tokens(law)) <= find_alternatives(question, tokens)[term]


def test_words_of_law_stand_for_themselves() -> None:
    question = "Does the covenant run with the land?"
    assert find_words_of_law(question) == ""
    assert find_alternatives(question, Tokenizer().tokenize) == {}
