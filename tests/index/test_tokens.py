"""How text becomes terms."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexls.index.postings import count_terms
from lexls.index.tokens import Tokenizer


def check(text: str, expected: str) -> None:
    assert Tokenizer().tokenize(text) == expected.split()


def test_words_are_stemmed_without_case() -> None:
    check("Carriers CARRIER Negligently negligent", "carrier carrier neglig neglig")


@pytest.mark.parametrize("apostrophe", ["'", "\u2019", "\u02bc"])
def test_a_possessive_is_its_noun_whichever_apostrophe_is_typed(apostrophe: str) -> None:
    check(
        f"the plaintiff{apostrophe}s case, the plaintiffs{apostrophe} case",
        "plaintiff case plaintiff case",
    )


@pytest.mark.parametrize("apostrophe", ["'", "\u2019", "\u2018"])
def test_a_name_with_an_apostrophe_is_one_term(apostrophe: str) -> None:
    check(f"O{apostrophe}Brien", "obrien")


def test_the_party_separator_is_one_term_however_written() -> None:
    check("Carrow v. Dent; Carrow vs Dent; Carrow v Dent", " ".join(["carrow v dent"] * 3))


@pytest.mark.parametrize("written", ["section 7", "s. 7", "s 7", "ss 7", "Sec. 7", "§ 7", "§7", "s.7"])
def test_every_way_to_write_a_section_gives_the_same_terms(written: str) -> None:
    check(written, "section 7")


def test_other_abbreviations_in_front_of_a_number_are_written_out() -> None:
    check(
        "art. 5, reg 4, cl. 9, para 12",
        " ".join(Tokenizer().tokenize("article 5 regulation 4 clause 9 paragraph 12")),
    )


def test_an_abbreviation_without_a_number_stays_itself() -> None:
    check("S. Marle in the prior art", "s marl prior art")


def test_a_subdivided_number_gives_its_parts_and_its_wholes() -> None:
    check("s 12(2)(a) and 4A(1)", "section 12 2 4a 1 12(2) 12(2)(a) 4a(1)")


def test_accents_ligatures_and_soft_hyphens_do_not_matter() -> None:
    check("Müller con\ufb01rmed negli\u00adgent", "muller confirm neglig")


def test_function_words_are_left_out_and_those_that_carry_law_stay() -> None:
    check(
        "The tenant shall not have it, and if the landlord may, no will",
        "tenant shall not landlord may no will",
    )


def test_text_without_letters_or_digits_has_no_terms() -> None:
    check("  … — * _ () \n", "")


def test_letters_of_other_scripts_are_terms() -> None:
    check("Суд 東京", "суд 東京")


@given(st.lists(st.text(max_size=200)))
def test_counts_are_those_of_the_terms(texts: list[str]) -> None:
    tokenizer = Tokenizer()
    vocabulary, postings = count_terms(texts, tokenizer)
    for place, text in enumerate(texts):
        unit = postings.cut(place, place + 1)
        terms = [vocabulary[number] for number in unit.terms]
        counted = Counter(tokenizer.tokenize(text))
        assert list(zip(terms, unit.frequencies.tolist(), strict=True)) == list(counted.items())


@given(st.text(max_size=200))
def test_case_does_not_matter(text: str) -> None:
    tokenizer = Tokenizer()
    assert tokenizer.tokenize(text.casefold()) == tokenizer.tokenize(text)


def test_a_tokenizer_can_be_sent_to_another_process() -> None:
    tokenizer = Tokenizer()
    before = tokenizer.tokenize("Carriage of goods by sea")
    assert pickle.loads(pickle.dumps(tokenizer)).tokenize("Carriage of goods by sea") == before
