"""What each sentence and passage of a judgment does there."""

from __future__ import annotations

import io

import numpy as np
import pytest

from lexls.library.roles.indicators import IndicatorError, IndicatorFinder, load_indicators, parse_indicators
from lexls.library.roles.reader import RoleReader, load_weights, read_weights, smooth, softmax
from lexls.library.roles.role import ROLE_WORDS, ROLES, find_roles
from lexls.library.roles.words import Vocabulary, cut, find_sentence_spans
from lexls.settings.declaration import SETTINGS

INDIAN = [
    (
        "PREAMBLE",
        "Ramesh Tarapore v State of Konkan\nSupreme Court of India\n\n4 May 1999\nThe Judgment was "
        "delivered by: A. B. Kulkarni, J.",
    ),
    (
        "FAC",
        "1. The prosecution case, briefly stated, is that on 3 June 1991 at about 9 p.m. the "
        "deceased was returning from the market to his village. The accused came out of a house "
        "armed with sticks and assaulted him. He was taken to the hospital and succumbed to his "
        "injuries on the same day. A first information report was lodged by his brother at the "
        "police station.",
    ),
    (
        "RLC",
        "2. The learned Sessions Judge convicted the appellant and sentenced him to undergo "
        "rigorous imprisonment for seven years. The High Court dismissed the appeal and held that "
        "the evidence of the eyewitnesses was consistent.",
    ),
    (
        "ARG_PETITIONER",
        "3. Learned counsel appearing for the appellant submitted that the witnesses were related "
        "to the deceased. It was next contended on behalf of the appellant that no independent "
        "witness had been examined.",
    ),
    (
        "ARG_RESPONDENT",
        "4. Per contra, learned counsel for the respondent submitted that the report was prompt. "
        "Learned counsel for the State supported the impugned judgment and contended that the "
        "injuries agree with the account of the eyewitnesses.",
    ),
    (
        "ISSUE",
        "5. The short question that arises for consideration is whether the evidence of related "
        "witnesses can be the basis of a conviction.",
    ),
    (
        "RATIO",
        "8. We are, therefore, of the opinion that the High Court rightly held the charge to be "
        "proved. We accordingly hold that the conviction is well founded.",
    ),
    (
        "RPC",
        "9. In the result, the appeal is dismissed. There shall be no order as to costs.\nAppeal dismissed.",
    ),
]

AMERICAN = [
    (
        "PREAMBLE",
        "Harlow Mills v. Dunmore\n\nmajority (OKAFOR, Circuit Judge.)\n\nOKAFOR, Circuit Judge.",
    ),
    (
        "FAC",
        "Plaintiff was hired by the mill in 1994. In 1996 she was injured when a loom fell on her "
        "hand. She filed this suit in March 1997. The defendant moved for summary judgment.",
    ),
    (
        "ISSUE",
        "The issue is whether a worker paid by the piece is an employee.",
    ),
    (
        "ARG_PETITIONER",
        "Appellant argues that the contract named her an independent contractor. The plaintiff "
        "also contends that the mill set her hours.",
    ),
    (
        "ARG_RESPONDENT",
        "The appellee responds that she chose her own hours. The government argues that the "
        "statute reaches every worker.",
    ),
    (
        "STA",
        "The statute provides that “any person who is suffered to work shall be deemed an "
        "employee.” Section 12 of the Act defines “work” as service for pay.",
    ),
    (
        "PRE_RELIED",
        "See Brackley v. Ostrander, 412 F.2d 118, 121 (9th Cir. 1970). In Vane v. Loring, 300 U.S. "
        "12 (1937), the Court held that the label does not decide.",
    ),
    (
        "PRE_NOT_RELIED",
        "That case is distinguishable. Loring has no application here, and reliance on it is misplaced.",
    ),
    (
        "RATIO",
        "We hold that a worker paid by the piece is an employee. We therefore conclude that the "
        "district court erred in granting summary judgment.",
    ),
    (
        "RPC",
        "The judgment of the district court is reversed, and the case is remanded for further "
        "proceedings. It is so ordered.",
    ),
]

BRITISH = [
    (
        "FAC",
        "On 4 March 2010 the parties entered into a contract for the sale of a house. The claimant "
        "paid a deposit. By a letter dated 9 May 2010 the defendant refused to complete.",
    ),
    (
        "ARG_PETITIONER",
        "Mr Penhallow, counsel for the claimant, submitted that time was not of the essence. The "
        "submission of the claimant was that notice had to be given.",
    ),
    (
        "ARG_RESPONDENT",
        "Counsel for the defendant argued that the notice had expired. On behalf of the respondent "
        "it was submitted that the deposit was forfeit.",
    ),
    (
        "RPC",
        "For these reasons I would dismiss the appeal. The appeal is accordingly dismissed, with costs.",
    ),
]

AUSTRALIAN = [
    (
        "RLC",
        "The primary judge found that the trustee had acted in good faith. The Full Court held "
        "that the primary judge erred and set aside the orders.",
    ),
    (
        "ISSUE",
        "The question for determination is whether the trustee was bound to inquire.",
    ),
    (
        "RPC",
        "The appeal should be allowed. Orders of the Full Court set aside. The respondent is to "
        "pay the costs of this appeal.",
    ),
]


@pytest.fixture(scope="module")
def reader() -> RoleReader:
    return RoleReader.load()


@pytest.mark.parametrize(
    "judgment", [INDIAN, AMERICAN, BRITISH, AUSTRALIAN], ids=["indian", "american", "british", "australian"]
)
def test_passages_of_a_judgment_have_the_roles_a_lawyer_gives_them(
    reader: RoleReader, judgment: list[tuple[str, str]]
) -> None:
    # Discussion around them, as in a judgment, so that positions are those of one.
    filler = "We have considered the evidence with care. It is clear that the account is credible."
    texts = [text for _, text in judgment]
    if len(texts) < 6:
        texts = [filler, *texts, filler]
    roles = list(reader.passage_roles(texts, [""] * len(texts)))
    found = roles if len(judgment) >= 6 else roles[1:-1]
    assert found == [role for role, _ in judgment]


def test_every_sentence_has_a_span_of_its_passage_and_a_role(reader: RoleReader) -> None:
    texts = [text for _, text in INDIAN]
    assert texts
    for text, sentences in zip(texts, reader.sentence_roles(texts, [""] * len(texts)), strict=True):
        assert sentences
        for each in sentences:
            assert each.span.of(text).strip() == each.span.of(text) != ""
            assert each.role in ROLES
            assert 0 < each.probability <= 1


def test_one_telling_sentence_makes_its_passage(reader: RoleReader) -> None:
    text = (
        "The evidence of the clerk was not shaken. It is true that he was late. We hold that the notice was "
        "good and that the plaintiff is entitled to possession."
    )
    before = [passage for _, passage in AMERICAN[:6]]
    roles = reader.passage_roles([*before, text], [""] * 7)
    assert roles[-1] == "RATIO"


def test_a_heading_speaks_for_what_stands_under_it(reader: RoleReader) -> None:
    text = "The loom stood near the window. Two weavers worked at it. It had been mended twice."
    texts = [AMERICAN[0][1], text, text, text]
    under = reader.passage_roles(texts, ["", "FACTS", "FACTS", "Factual background"])
    bare = reader.sentence_roles(texts, [""] * 4)
    told = reader.sentence_roles(texts, ["", "FACTS", "FACTS", "Factual background"])
    assert under[1:] == ("FAC", "FAC", "FAC")
    facts_bare = sum(each.probability for part in bare[1:] for each in part if each.role == "FAC")
    facts_told = sum(each.probability for part in told[1:] for each in part if each.role == "FAC")
    assert facts_told > facts_bare


def test_a_document_without_words_has_no_role_and_an_empty_one_no_passages(reader: RoleReader) -> None:
    assert reader.passage_roles([], []) == ()
    assert reader.sentence_roles([], []) == ()
    assert reader.passage_roles(["—", "   "], ["", ""]) == ("NONE", "NONE")
    assert reader.sentence_roles(["—"], [""]) == ((),)


@pytest.mark.parametrize("method", ["rules", "classifier", "both"])
def test_rules_and_classifier_each_find_the_order_of_the_court(method: str) -> None:
    alone = RoleReader.load(method)  # type: ignore[arg-type]
    texts = [text for _, text in INDIAN]
    assert alone.passage_roles(texts, [""] * len(texts))[-1] == "RPC"


# -- sentences ---------------------------------------------------------------------------------------------


def test_abbreviations_and_paragraph_numbers_end_no_sentence() -> None:
    text = "12. Mr. Vane relied on s. 9 of the Act. See Loring v. Vane, 12 U.S. 4.\n\n13. The appeal fails."
    vocabulary = Vocabulary([])
    assert [span.of(text) for span in find_sentence_spans(text, vocabulary)] == [
        "12. Mr. Vane relied on s. 9 of the Act.",
        "See Loring v. Vane, 12 U.S. 4.",
        "13. The appeal fails.",
    ]


def test_sentences_stay_within_their_passage() -> None:
    sentences = cut(["The first has no end", "and the second. It has two."], Vocabulary(["second"]))
    assert sentences.passages.tolist() == [0, 1, 1]
    assert sentences.starts[-1] == len(sentences.numbers)


# -- indicators --------------------------------------------------------------------------------------------


def _found(indicators: dict[str, dict[str, list[str]]], text: str) -> dict[str, float]:
    parsed = parse_indicators({"lists": {"party": ["owner", "ship owner"]}, "roles": indicators})
    vocabulary = Vocabulary(parsed.words())
    scores, _ = IndicatorFinder(parsed.indicators, vocabulary).scores(cut([text], vocabulary))
    total = scores.sum(axis=0)
    return {ROLES[place]: float(total[place]) for place in np.flatnonzero(total)}


def test_choices_and_lists_are_written_out() -> None:
    indicators = {"ARG_PETITIONER": {"strong": ["(the|) {party} (says|said) that"]}}
    assert _found(indicators, "And the ship owner said that it was late.") == {"ARG_PETITIONER": 3.0}
    assert _found(indicators, "Owner says that it was late.") == {"ARG_PETITIONER": 3.0}
    assert _found(indicators, "The owner was late.") == {}


def test_parts_stand_in_one_sentence_in_their_order() -> None:
    indicators = {"ISSUE": {"strong": ["the point … whether"]}}
    assert _found(indicators, "The point taken here is whether it sank.") == {"ISSUE": 3.0}
    assert _found(indicators, "Whether it sank is the point.") == {}
    assert _found(indicators, "The point is taken. Ask whether it sank.") == {}


def test_an_anchored_cue_stands_at_the_beginning_only() -> None:
    indicators = {"RPC": {"strong": ["^affirmed"]}}
    assert _found(indicators, "Affirmed.") == {"RPC": 3.0}
    assert _found(indicators, "4. Affirmed.") == {"RPC": 3.0}
    assert _found(indicators, "It was affirmed.") == {}


@pytest.mark.parametrize(
    ("indicators", "said"),
    [
        ({"OPINION": {"strong": ["we"]}}, "no such role"),
        ({"ISSUE": {"strong": ["{judges} ask"]}}, "no list"),
        ({"ISSUE": {"strong": ["(whether|)"]}}, "may be empty"),
    ],
)
def test_a_wrong_cue_file_is_refused_with_its_reason(
    indicators: dict[str, dict[str, list[str]]], said: str
) -> None:
    with pytest.raises(IndicatorError, match=said):
        parse_indicators({"roles": indicators})


def test_each_role_but_none_has_strong_indicators() -> None:
    strong = {
        ROLES[indicator.role] for indicator in load_indicators().indicators if indicator.strength == "strong"
    }
    assert strong >= set(ROLES) - {"NONE"}


# -- numbers -----------------------------------------------------------------------------------------------


def test_a_sentence_between_two_of_a_role_leans_to_it() -> None:
    scores = np.zeros((3, 2))
    scores[0, 1] = scores[2, 1] = 3.0
    scores[1, 0] = 0.2
    alone, together = softmax(scores), smooth(scores, np.eye(2), 1.0)
    assert alone[1, 0] > 0.5 > together[1, 0]
    assert together.sum(axis=1) == pytest.approx(1.0)


def test_weights_survive_being_written() -> None:
    weights = load_weights()
    stream = io.BytesIO()
    weights.save(stream)
    assert len(stream.getvalue()) < 300_000
    stream.seek(0)
    again = read_weights(stream)
    assert again.words == weights.words
    assert np.allclose(again.by_word, weights.by_word, atol=1e-6)
    assert np.array_equal(again.pairs, weights.pairs)


def test_every_role_has_words_and_a_place_in_the_settings() -> None:
    assert len(ROLES) == 13
    assert set(ROLE_WORDS) == set(ROLES)
    assert set(SETTINGS["support.roles"].choices) == set(ROLES) - {"NONE"}
    assert (ROLE_WORDS["RATIO"], ROLE_WORDS["FAC"], ROLE_WORDS["NONE"]) == ("holding", "facts", "")


def test_what_is_shown_of_a_role_can_be_asked_for() -> None:
    for role, words in ROLE_WORDS.items():
        assert role in find_roles(role.lower())
        assert not words or role in find_roles(words.upper())
    assert find_roles("argument") == ("ARG_PETITIONER", "ARG_RESPONDENT")
    assert find_roles("") == find_roles("dicta") == ()


def test_a_numbered_paragraph_is_no_part_of_the_head(reader: RoleReader) -> None:
    texts = ["A witness owes a duty to the court.", "The duty lasts as long as the suit."]
    assert "PREAMBLE" in reader.passage_roles(texts, ["", ""])
    assert "PREAMBLE" not in reader.passage_roles(texts, ["", ""], [True, True])
