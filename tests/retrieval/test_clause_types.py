from __future__ import annotations

from itertools import pairwise

import pytest

from lexls.index.tokens import Tokenizer
from lexls.retrieval.clauses import (
    LONG,
    ClauseModel,
    ClauseType,
    ClauseTypes,
    LearnedClause,
    compute_norm,
    cut_windows,
    find_features,
    find_headed_spans,
)

CLAUSES = {
    "governing law": (
        "The substantive rules of Aldmoor shall govern this deed, which is construed in accordance "
        "with the laws of Aldmoor without regard to its conflict of laws principles."
    ),
    "anti-assignment": (
        "Neither party may assign its rights or delegate its duties hereunder unless the other has "
        "given its prior written consent, and an attempted assignment is null and void."
    ),
    "cap on liability": (
        "In no event shall the ferry company be liable for lost profits or consequential damages, and "
        "its aggregate liability shall not exceed the fares of one month."
    ),
    "insurance": (
        "The carrier shall maintain commercial general liability insurance of at least one million "
        "crowns per occurrence and name the shipper as an additional insured."
    ),
    "audit rights": (
        "On reasonable notice and during normal business hours the grower may have an accountant "
        "inspect and audit the books and records of the mill."
    ),
    "force majeure": (
        "No party answers for a delay that is caused by acts of God, strikes, floods or another event "
        "beyond its reasonable control."
    ),
    "warranty duration": (
        "The maker warrants that each oar is free from defects in material for a period of twelve "
        "months from the date of shipment and will repair or replace what fails."
    ),
    "third-party beneficiaries": ("Nothing herein makes any other person a third party beneficiary."),
}
FILLER = "The harbour at Tarn has two quays, of which the northern one is used for timber."


@pytest.fixture(scope="module")
def types() -> ClauseTypes:
    return ClauseTypes(Tokenizer())


@pytest.fixture(scope="module")
def model(types: ClauseTypes) -> ClauseModel:
    return ClauseModel.load(types, Tokenizer())


def kind(types: ClauseTypes, name: str) -> ClauseType:
    return next(each for each in types.types if each.name == name)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("can the tenant sublet?", "anti-assignment"),
        ("who owns the inventions?", "intellectual property ownership"),
        ("Which law applies?", "governing law"),
        ("How many days' notice must we give to stop it from renewing?", "notice to terminate renewal"),
        ("Does it renew automatically?", "renewal term"),
        ("until when does it run?", "expiration date"),
        ("may the customer cancel at any time without giving a reason?", "termination for convenience"),
        ("what happens if they go bankrupt?", "termination for cause"),
        ("how much can we sue them for at most?", "cap on liability"),
        ("for which losses is liability unlimited?", "uncapped liability"),
        ("may we hire their employees?", "no solicitation of employees"),
        ("can we approach their clients?", "no solicitation of customers"),
        ("are there carve-outs from the non-compete?", "competitive restriction exception"),
        ("how long is the guarantee on the goods?", "warranty duration"),
        ("is delay excused during a strike or a flood?", "force majeure"),
        ("who pays if a third party sues us?", "indemnification"),
        ("Is there a non-disparagement clause?", "non-disparagement"),
    ],
)
def test_a_question_in_free_words_names_its_kind_of_clause(
    types: ClauseTypes, question: str, name: str
) -> None:
    assert [each.name for each in types.recognise(question)] == [name]


EVERYDAY = {
    "rights of first refusal": ["who gets first crack at the mill?", "must they offer it to us first?"],
    "termination for convenience": ["can she walk away?", "may they drop out on a whim?"],
    "confidentiality": ["must we keep the recipe secret?", "can they tell outsiders about it?"],
    "cap on liability": ["what is the most they could owe us?"],
    "warranty duration": ["how long do they stand behind the looms?"],
    "product recall": ["who decides to pull the jam off the shelves?"],
    "no solicitation of employees": ["can they lure away our millers' staff?"],
}


@pytest.mark.parametrize(("kind", "questions"), EVERYDAY.items())
def test_an_everyday_question_names_its_kind_of_clause(
    types: ClauseTypes, kind: str, questions: list[str]
) -> None:
    for question in questions:
        assert [each.name for each in types.recognise(question)] == [kind], question


def test_a_circumstance_does_not_hide_what_is_asked(types: ClauseTypes) -> None:
    asked = "who must keep the recipes secret once the contract has ended?"
    assert [each.name for each in types.recognise(asked)] == ["confidentiality"]


@pytest.mark.parametrize("question", ["What colour is the boat?", "", "How deep is the harbour at low tide?"])
def test_a_question_about_something_else_names_none(types: ClauseTypes, question: str) -> None:
    assert types.recognise(question) == ()


def test_every_kind_has_triggers_and_phrases(types: ClauseTypes) -> None:
    assert len(types.types) > 50
    for each in types.types:
        assert each.asks, each.name
        assert each.says, each.name
        assert all(weight > 0 for weight in each.says.values()), each.name


@pytest.mark.parametrize("name", sorted(CLAUSES))
def test_the_clause_of_a_kind_comes_first_among_others(
    types: ClauseTypes, model: ClauseModel, name: str
) -> None:
    texts = [FILLER, *CLAUSES.values()]
    counted, _ = model.count(texts)
    scores = model.scores(kind(types, name), counted)
    assert texts[int(scores.argmax())] == CLAUSES[name]


def test_a_clause_is_found_in_a_long_passage_by_its_own_sentence(
    types: ClauseTypes, model: ClauseModel
) -> None:
    among = " ".join([FILLER] * 8 + [CLAUSES["insurance"]] + [FILLER] * 8)
    counted, _ = model.count([CLAUSES["insurance"], among, " ".join([FILLER] * 17)])
    alone, long, without = model.scores(kind(types, "insurance"), counted)
    assert long == pytest.approx(alone)
    assert without < long


def test_a_passage_without_words_scores_like_nothing(types: ClauseTypes, model: ClauseModel) -> None:
    counted, terms = model.count(["", CLAUSES["insurance"], "…"])
    scores = model.scores(kind(types, "insurance"), counted)
    assert terms[0] == []
    assert scores[0] == scores[2] < scores[1]


def test_learned_weights_are_divided_by_the_norm_of_a_window() -> None:
    tokenizer = Tokenizer()
    asked = ClauseType("mooring", (), {}, frozenset())
    model = ClauseModel(
        [asked], {"mooring": LearnedClause("spans", -1.0, {"moor": 6.0, "moor rope": 3.0})}, tokenizer
    )
    counted, _ = model.count(["moor rope", "a moor and a rope and a hull and a mast and a sail and an oar"])
    first, second = model.scores(asked, counted)
    assert first == pytest.approx(-1 + 9 / 6**0.5)
    # Words that the index leaves out do not part "moor" and "rope".
    assert second == pytest.approx(-1 + 9 / 6**0.5)


def test_windows_hold_every_character_and_are_neither_short_nor_long() -> None:
    text = "1. Term. " + "This deed lasts until the last ferry has sailed. " * 3 + "word " * 400
    cut = list(cut_windows(text))
    assert cut[0][0] == 0
    assert cut[-1][1] == len(text)
    assert all(end == start for (_, end), (start, _) in pairwise(cut))
    assert max(end - start for start, end in cut) <= 2 * LONG
    assert text[slice(*cut[0])].startswith("1. Term. This deed lasts")


def test_features_are_terms_and_pairs_without_numbers() -> None:
    assert find_features(["thirti", "day", "30", "notic"]) == {"thirti", "day", "notic", "thirti day"}
    assert compute_norm(["a"]) == compute_norm(list("abcdef")) < compute_norm(list("abcdefg"))


def test_headings_in_the_line_of_their_section_are_found_with_its_range() -> None:
    text = "Deed of Hire\n1. Hire. The hirer takes the boat.\n2. Notices. Letters go to the quay."
    found = find_headed_spans(text)
    assert [heading for heading, _ in found] == ["Hire", "Notices"]
    assert found[0][1].of(text).startswith("Hire. The hirer takes the boat.")
    assert found[1][1].end == len(text)
    assert find_headed_spans("no headings here") == []
