from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from lexls.citations.grammar import Grammar
from lexls.features.gathering import gather_answer, gather_contrary, gather_draft, gather_explanation
from lexls.grounding.answer import Answer, Turn
from lexls.grounding.answering import Gathered, write_answer
from lexls.grounding.generators.extractive import ExtractiveGenerator
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.propositions import find_words_supported
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import Cancelled, CancelToken
from lexls.text.formats import PLAIN
from lexls.text.spans import Span


def answered(marked: Any, gathered: Gathered | None, *expected: str) -> Answer:
    """The answer of the extractive generator; each expected text is in a sentence, in order."""
    assert gathered is not None
    tokens = marked.snapshot.tokens
    *_, answer = write_answer(
        gathered, ExtractiveGenerator(tokens), EvidenceVerifier(tokens, 0.6), CancelToken()
    )
    texts = [sentence.text for sentence in answer.sentences]
    assert len(texts) >= len(expected), answer.notes
    for text, part in zip(texts, expected, strict=False):
        assert part in text
    for pin in (pin for sentence in answer.sentences for pin in sentence.pins):
        assert marked.snapshot.library.contents.text(pin.authority.id)[pin.start : pin.end] == pin.text
    return answer


def explained(marked: Any, *expected: str, authority: int | None = None) -> Answer:
    gathered = gather_explanation(marked.snapshot, marked.start, CancelToken(), authority)
    return answered(marked, gathered, *expected)


def asked(marked: Any, question: str, *expected: str, history: Sequence[Turn] = ()) -> Answer:
    gathered = gather_answer(marked.snapshot, question, history, CancelToken())
    return answered(marked, gathered, *expected)


def opposed(marked: Any, *expected: str) -> Answer:
    span = Span(marked.start, marked.end)
    return answered(marked, gather_contrary(marked.snapshot, span, CancelToken()), *expected)


def titles(answer: Answer) -> set[str]:
    return {pin.authority.title for sentence in answer.sentences for pin in sentence.pins}


# -- explaining --------------------------------------------------------------------------------------------


def test_the_words_of_the_pinpoint_come_first(read) -> None:
    answer = explained(
        read(
            "A carrier who leaves the route answers for every loss, and necessity is no hindsight: "
            "*Carrow v Luff* [2014] A|SC 12 at [4]."
        ),
        "Necessity is judged",
        "A carrier who leaves the agreed route",
    )
    assert [sentence.pins[0].at_pinpoint for sentence in answer.sentences[:2]] == [True, False]


def test_words_that_no_statement_has_are_named(read) -> None:
    answer = explained(
        read(
            "A carrier who leaves the route answers for demurrage and for every loss: "
            "*Carrow v Luff* [2014] A|SC 12."
        ),
        "A carrier",
    )
    assert "demurrage" in answer.missing


def test_it_abstains_where_no_passage_bears_on_the_sentence(read) -> None:
    answer = explained(read("Trade marks lapse without genuine use: *Carrow v Luff* [2014] A|SC 12."))
    assert answer.abstained
    assert answer.notes == ("No passage of Carrow v Luff [2014] ASC 12 bears on this sentence.",)


def test_a_citation_sentence_explains_the_sentence_before_it(read) -> None:
    marked = read(
        "A carrier who leaves the route answers for every loss. See *Carrow v Luff* [2014] A|SC 12."
    )
    citation = marked.draft.citation_at(marked.start)
    proposition = "A carrier who leaves the route answers for every loss."
    assert find_words_supported(marked.snapshot.draft, citation) == proposition
    assert explained(marked, "A carrier who leaves the agreed route").question == proposition


def test_anywhere_in_the_sentence_will_do(read) -> None:
    explained(
        read("A carrier who leaves the ro|ute answers for every loss: *Carrow v Luff* [2014] ASC 12."),
        "A carrier who leaves the agreed route",
    )


def test_the_name_of_a_case_is_not_taken_for_what_is_said(read) -> None:
    answer = explained(
        read(
            "*Carrow v Luff* [2014] A|SC 12; (2014) 31 AldLR 5 holds that a carrier answers for every loss."
        ),
        "A carrier",
    )
    assert answer.question == "it holds that a carrier answers for every loss."
    assert "Luff" not in answer.missing


def test_an_authority_outside_the_library_is_said_to_be_that_with_what_comes_nearest(read) -> None:
    marked = read("A warehouse keeper must guard against damp and vermin: Nobody v Someone [2013] A|CA 77.")
    answer = explained(marked)
    assert answer.notes == ("[2013] ACA 77 is not in your library.",)
    assert answer.nearest[0].authority.title == "Pell v Stark"
    assert answer.nearest[0].pin is not None
    assert "guard against damp" in answer.nearest[0].pin.text


def test_without_a_citation_there_is_nothing_to_explain(read, token) -> None:
    marked = read("Plain wor|ds.")
    assert gather_explanation(marked.snapshot, marked.start, token) is None


def test_a_citation_that_stands_alone_is_said_to(read) -> None:
    assert explained(read("[2014] A|SC 12")).notes == (
        "There is no sentence here to explain: the citation stands alone.",
    )


@pytest.mark.parametrize(
    ("pinpoint", "note"),
    [
        ("[5]", "Nothing at [5] bears on this sentence; these passages are elsewhere in it."),
        ("[77]", "The library's copy has no [77] that could be read; these passages are elsewhere in it."),
    ],
)
def test_what_stands_elsewhere_than_the_pinpoint_is_said_to(read, pinpoint: str, note: str) -> None:
    answer = explained(
        read(f"A carrier who leaves the route answers for every loss: [2014] A|SC 12 at {pinpoint}."),
        "A carrier who leaves the agreed route",
    )
    assert note in answer.notes


def test_an_authority_that_is_not_cited_yet_is_explained_for_the_sentence(read) -> None:
    marked = read("A warehouse keeper must guard aga|inst damp and vermin.")
    [pell] = [each for each in marked.snapshot.library.catalogue.all() if each.title == "Pell v Stark"]
    answer = explained(marked, "must guard against damp and vermin", authority=pell.id)
    assert titles(answer) == {"Pell v Stark"}


def test_an_authority_that_is_gone_cannot_be_explained(read, token) -> None:
    marked = read("A warehouse keeper must guard aga|inst damp and vermin.")
    assert gather_explanation(marked.snapshot, marked.start, token, 9999) is None


# -- asking ------------------------------------------------------------------------------------------------


def test_a_question_is_answered_from_what_fits_it(read) -> None:
    answer = asked(
        read("|"), "What must a warehouse keeper guard against?", "must guard against damp and vermin"
    )
    assert titles(answer) == {"Pell v Stark"}


def test_a_question_that_nothing_fits_abstains_with_the_nearest(read) -> None:
    answer = asked(read("|"), "Which tax falls on the transfer of shares in a company?")
    assert answer.abstained
    assert answer.notes


def test_a_follow_up_is_read_with_the_question_before_it(read) -> None:
    before = (Turn("Who answers for loss when a carrier leaves the agreed route?", ("…",)),)
    answer = asked(read("|"), "And if the weather was fair?", history=before)
    assert any("weather was fair" in " ".join(sentence.text.split()) for sentence in answer.sentences)
    assert titles(answer) == {"Carrow v Luff"}


def test_a_question_of_its_own_is_not_mixed_with_the_one_before_it(read) -> None:
    before = (Turn("Who answers for loss when a carrier leaves the agreed route?", ("…",)),)
    question = "Can the registrar of tides extend a licence to take seaweed after its term has run out?"
    answer = asked(read("|"), question, "no power to extend a licence", history=before)
    assert titles(answer) == {"Thornby Estates Ltd v Registrar of Tides"}


def test_a_named_authority_answers_alone_and_its_name_is_not_what_is_asked(read) -> None:
    answer = asked(read("|"), "What did Carrow v Luff say about the weather and the cargo?", "It is no")
    assert titles(answer) == {"Carrow v Luff"}
    assert "Luff" not in answer.missing


def test_a_cited_authority_answers_alone(read, grammar) -> None:
    marked = read("|")
    searcher = Searcher(marked.snapshot.library, grammar=grammar)
    object.__setattr__(marked.snapshot, "searcher", searcher)
    answer = asked(
        marked, "What does [2014] ASC 12 say about necessity at the time of departure?", "Necessity is judged"
    )
    assert titles(answer) == {"Carrow v Luff"}


def test_what_is_cancelled_stops(read) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        gather_answer(read("|").snapshot, "Who answers for loss?", (), token)


# -- drafting ----------------------------------------------------------------------------------------------


def test_a_draft_rests_on_what_supports_the_sentence(read, token) -> None:
    marked = read("A warehouse keeper must guard aga|inst damp and vermin.")
    gathered = gather_draft(marked.snapshot, Span(marked.start, marked.start), token)
    answer = answered(marked, gathered, "must guard against damp and vermin")
    assert answer.task == "draft"
    assert answer.question == "A warehouse keeper must guard against damp and vermin."


def test_there_is_nothing_to_draft_or_oppose_without_a_sentence(read, token) -> None:
    marked = read("# Head|ing\n\nText.")
    span = Span(marked.start, marked.start)
    assert gather_draft(marked.snapshot, span, token) is None
    assert gather_contrary(marked.snapshot, span, token) is None


# -- contrary authority ------------------------------------------------------------------------------------


def test_what_denies_the_sentence_stands_against_it(read) -> None:
    answer = opposed(read("A licence to take sea|weed is an easement."), "is not an easement")
    assert titles(answer) == {"Thornby Estates Ltd v Registrar of Tides"}


def test_what_says_the_same_does_not_stand_against_it(read) -> None:
    answer = opposed(read("A warehouse keeper must guard aga|inst damp and vermin."))
    assert answer.abstained
    assert answer.notes == ("Nothing in the passages found contradicts this.",)
    assert answer.nearest == ()


def test_that_what_is_cited_was_overruled_comes_first(read, reported, grammar) -> None:
    marked = read("A ferryman who refuses a passenger owes a b|ed: Stark v Dunmore [2003] ACA 8.")
    object.__setattr__(marked.snapshot, "library", reported)
    object.__setattr__(marked.snapshot, "searcher", Searcher(reported, grammar=grammar))
    answer = opposed(marked, "We overrule Stark v Dunmore")
    assert answer.sentences[0].pins[0].authority.title == "Harrow v Ketch"


def test_words_that_a_model_adds_are_searched_for_too(read) -> None:
    snapshot = read("|").snapshot
    question = "May a master turn off for reasons of his own?"

    def first(*added: str) -> str:
        seen: list[str] = []

        def keywords(asked: str, token: CancelToken) -> Sequence[str]:
            seen.append(asked)
            return added

        gathered = gather_answer(snapshot, question, (), CancelToken(), keywords=keywords)
        assert seen == [question]
        return gathered.request.evidence[0].text

    assert first("necessity judged at departure", "hindsight") != first("bales of wool", "sea water", "Heron")


# -- asking a case for its parts ---------------------------------------------------------------------------

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "library"
HOLDING = {
    "Carrow": "an unjustified deviation is a breach of the contract of carriage and no more",
    "Hollin": "owes to those vessels a duty to take reasonable care to discover dangers",
    "Sable Point": "there is no general duty in the law of Aldmoor to perform a contract",
    "Northshore Lighterage Ltd v Quay Cranes (Aldmoor) Ltd": "is a penalty only if it is extravagant",
    "Corvane": "must give reasons that are sufficient",
}
ORDER = {
    "Carrow": "Appeal allowed in part.",
    "*Hollin*": "The appeal is allowed and the order of Aldis J restored.",
    "Estate of Penhallick v Ostler": "The appeal is allowed and the judgment of Fenner J restored.",
    "Dask v Pilotage Licensing Tribunal": "The appeal is allowed.",
}
FACTS = {
    "Carrow": "left her course to do a favour for a sister ship",
    "Abery v Coldrake": "In July 1993 Mrs Abery bought a motor yacht",
}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    settings = Settings(embeddings_model="")
    library, _ = open_library(
        [SAMPLE], tmp_path_factory.mktemp("parts") / "index.sqlite3", settings, lexical_only=True
    )
    grammar = Grammar.load()
    draft = DraftParser(grammar, "").parse("", "", PLAIN)
    yield Snapshot(draft, library, Searcher(library, grammar=grammar), settings)
    library.close()


def ask_sample(sample: Snapshot, question: str) -> Answer:
    gathered = gather_answer(sample, question, (), CancelToken())
    tokens = sample.tokens
    *_, answer = write_answer(
        gathered, ExtractiveGenerator(tokens), EvidenceVerifier(tokens, 0.6), CancelToken()
    )
    return answer


@pytest.mark.parametrize(
    ("ways", "cases"),
    [
        (
            (
                "What did the court hold in {}?",
                "What was held in {}?",
                "what is the ratio of {}",
                "What does {} decide?",
            ),
            HOLDING,
        ),
        (
            (
                "What was the outcome of {}?",
                "How was {} decided?",
                "Who won in {}?",
                "What order was made in {}?",
            ),
            ORDER,
        ),
        (("What are the facts of {}?", "What happened in {}?", "Summarise the facts in {}."), FACTS),
    ],
)
def test_a_case_is_asked_for_its_facts_holding_and_order(
    sample: Snapshot, ways: Sequence[str], cases: dict[str, str]
) -> None:
    for way in ways:
        for case, said in cases.items():
            answer = ask_sample(sample, way.format(case))
            assert said in answer.sentences[0].text, (way, case)
            assert len(titles(answer)) == 1
            assert not {"ratio", "outcome", "facts"} & set(answer.missing)


@pytest.mark.parametrize(
    "question",
    [
        "What was held in Nowhere v Nobody?",  # no such case
        "What is the rule in Pell Line?",  # a party of several
        "What did the court hold in Carrow about the price of tin?",  # nothing of it
        "What happens in winter?",
        "What is the law of Aldmoor?",  # a word of one title
        "What is the law of salvage?",
    ],
)
def test_other_questions_are_searched_for(sample: Snapshot, question: str) -> None:
    assert not gather_answer(sample, question, (), CancelToken()).first


@pytest.mark.parametrize(
    "question",
    [
        "What did the court hold in Carrow about section 9?",
        "What was decided in Carrow regarding section 9?",
        "Why was section 9 of no use in Carrow v Luff?",
    ],
)
def test_a_case_is_asked_for_what_it_holds_on_a_topic(sample: Snapshot, question: str) -> None:
    answer = ask_sample(sample, question)
    assert "section 9" in answer.sentences[0].text
    assert len(titles(answer)) == 1
