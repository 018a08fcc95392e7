"""What a text cites authorities for."""

from __future__ import annotations

import pytest

from lexls.citations.citing_sentences import (
    CitingSentence,
    clean_sentence,
    find_citing_sentences,
    find_signal,
)
from lexls.citations.entities import MOST, find_entities
from lexls.citations.grammar import Grammar
from lexls.text.sentences import cut_sentences

CARROW = "Carrow v. Luff, 412 U.S. 55 (1973)"
PELL = "Pell v. Stark, 398 U.S. 12, 14 (1970)"


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar.load()


def read(grammar: Grammar, text: str) -> tuple[CitingSentence, ...]:
    citations = grammar.find(text, "US")
    return find_citing_sentences(text, citations, cut_sentences(text, [each.span for each in citations]))


def keys(sentence: CitingSentence) -> list[str]:
    return [each.citation.key for each in sentence.cited]


def test_a_sentence_with_a_citation_is_a_proposition_without_it(grammar: Grammar) -> None:
    (found,) = read(grammar, f"A ferryman answers for luggage that he takes aboard, {CARROW}.")
    assert found.proposition == "A ferryman answers for luggage that he takes aboard."
    assert keys(found) == ["412 U.S. 55"]


def test_a_citation_sentence_belongs_to_the_sentence_before_it(grammar: Grammar) -> None:
    text = f"The river was high. A ferryman answers for luggage that he takes aboard. {CARROW}. He left."
    (found,) = read(grammar, text)
    assert found.proposition == "A ferryman answers for luggage that he takes aboard."
    assert found.span.of(text) == found.proposition
    assert keys(found) == ["412 U.S. 55"]


def test_citation_sentences_in_a_row_belong_to_the_same_proposition(grammar: Grammar) -> None:
    text = f"A ferryman answers for luggage that he takes aboard. See {CARROW}; {PELL}. Id. at 15."
    (found,) = read(grammar, text)
    assert keys(found) == ["412 U.S. 55", "398 U.S. 12", "398 U.S. 12"]
    assert [each.signal for each in found.cited] == ["see", "see", ""]


def test_what_is_cited_against_a_proposition_keeps_its_signal(grammar: Grammar) -> None:
    (found,) = read(grammar, f"A ferryman answers for luggage taken aboard. {PELL}. But see {CARROW}.")
    assert [(each.citation.key, each.signal) for each in found.cited] == [
        ("398 U.S. 12", ""),
        ("412 U.S. 55", "but see"),
    ]


def test_a_parenthesis_says_what_its_authority_holds(grammar: Grammar) -> None:
    text = (
        "The carrier of goods by water is an insurer of them. "
        f"{CARROW} (holding that the carrier of luggage is excused by tempest alone)."
    )
    whole, aside = read(grammar, text)
    assert whole.proposition == "The carrier of goods by water is an insurer of them."
    assert aside.proposition == "the carrier of luggage is excused by tempest alone"
    assert keys(whole) == keys(aside) == ["412 U.S. 55"]


@pytest.mark.parametrize("aside", ["emphasis added", "quoting the report of the commission", "1973 ed."])
def test_a_parenthesis_about_the_citation_says_nothing(grammar: Grammar, aside: str) -> None:
    found = read(grammar, f"The carrier of goods by water is an insurer of them. {CARROW} ({aside}).")
    assert [each.proposition for each in found] == ["The carrier of goods by water is an insurer of them."]


def test_a_statute_stays_in_the_proposition_and_is_cited_by_it(grammar: Grammar) -> None:
    (found,) = read(grammar, "Under 17 U.S.C. § 1201(a) nobody may pick the lock of a protected work.")
    assert "17 U.S.C. § 1201(a)" in found.proposition
    assert keys(found) == ["17 U.S.C."]


def test_sentences_without_citations_are_no_precedents(grammar: Grammar) -> None:
    assert (
        read(grammar, "A ferryman answers for luggage. He is excused by tempest and by nothing else.") == ()
    )
    assert find_citing_sentences("", (), ()) == ()


def test_a_citation_without_a_sentence_before_it_supports_nothing(grammar: Grammar) -> None:
    assert read(grammar, f"{CARROW}.") == ()


def test_a_citation_far_behind_a_sentence_does_not_reach_back_to_it(grammar: Grammar) -> None:
    gap = "\n\n" + " \n" * 500
    assert read(grammar, f"A ferryman answers for luggage taken aboard.{gap}{CARROW}.") == ()


@pytest.mark.parametrize(
    ("before", "signal"),
    [
        ("It is so. See ", "see"),
        ("It is so. See also, ", "see"),
        ("It is so. But see ", "but see"),
        ("It is so. Cf. ", "cf"),
        ("It is so; contra ", "contra"),
        ("Overseen by ", ""),
        ("The court held in ", ""),
    ],
)
def test_signals_are_read_before_citations(before: str, signal: str) -> None:
    assert find_signal(before + "X", len(before)) == signal


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Harbour Board of Aldmoor owed $1,250.", ["Harbour Board of Aldmoor", "$1,250"]),
        ("Under section 12(2) of the Hedges Act 1951, he pays.", ["section 12(2)", "Hedges Act 1951"]),
        ("However, the wool was lost.", []),
        ("“Wool was lost.” On 9 March 2014 it rained.", ["9 March 2014"]),
        ("A share of 12.5 % went to BAQ.", ["12.5 %", "BAQ"]),
        ("See § 17(b)).", ["§ 17(b)"]),
        ("", []),
    ],
)  # fmt: skip
def test_entities_are_names_acts_sums_and_dates(text: str, found: list[str]) -> None:
    assert list(find_entities(text)) == found


def test_a_sentence_has_so_many_entities_at_most() -> None:
    names = " and ".join(
        f"the Guild {chr(65 + n % 26)}{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(60)
    )
    assert len(find_entities(names)) == MOST


def test_a_word_that_ends_as_a_signal_does_stays() -> None:
    assert clean_sentence("The master must oversee.") == "The master must oversee."
    assert clean_sentence("The keeper is liable. See") == "The keeper is liable."
