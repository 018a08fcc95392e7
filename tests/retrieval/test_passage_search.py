from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.model import Filters, Hit
from lexls.retrieval.named_documents import NamedDocuments, split_naming
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken

BOILERPLATE = """\
1. Goods. {seller} sells and {buyer} buys barley of the first grade, cleaned and dried, as the
schedule says, and the parties agree that samples of every contract lot are drawn at the mill.

2. Duration. This Agreement shall continue in full force and effect until the third anniversary of
the day on which it was made, unless earlier terminated as hereinafter provided.

3. Transfer. Neither party may assign this Agreement or delegate its duties hereunder without the
prior written consent of the other, and any attempt to do so is null and void.

4. Losses. In no event shall {seller} be liable for lost profits or any consequential damages, and
its aggregate liability shall not exceed the price of the lot in question.

5. Rules. This Agreement is governed by and construed in accordance with the laws of {place},
without regard to its conflict of laws principles.
"""


def contract(title: str, seller: str, buyer: str, place: str) -> str:
    opening = f"This {title} is made by and between {seller} and {buyer}, each a corporation.\n\n"
    return f"{title.upper()}\n\n" + opening + BOILERPLATE.format(seller=seller, buyer=buyer, place=place)


CONTRACTS = {
    "QuenbyMills_supply.txt": contract("Supply Agreement", "Quenby Mills Ltd", "Tarn Brewers plc", "Aldmoor"),
    "QuenbyMills_supply_2.txt": contract("Supply Agreement", "Quenby Mills Ltd", "Vale Maltings", "Aldmoor"),
    "amendment.txt": contract(
        "First Amendment to Supply Agreement", "Quenby Mills Ltd", "Vale Maltings", "Orr"
    ),
    "harrow.txt": contract("Purchase Agreement", "Harrow Growers", "Ostler and Sons", "Orr"),
}
JUDGMENT = """\
---
title: Ostler v Harrow
kind: case
---

[1] The appellant asks which law governs a letter of credit that a bank in Orr has opened for barley.

[2] A barley lot is governed by custom where the parties were silent.
"""


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("contracts")
    for name, text in CONTRACTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "ostler.md").write_text(JUDGMENT, encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    settings = Settings(embeddings_model="", passages_max_chars=300)
    library, report = open_library([folder], index, settings, lexical_only=True)
    assert not report.failed
    yield library
    library.close()


def search(library: Library, text: str, k: int = 20, within: str = "") -> list[Hit]:
    ids = frozenset(each.id for each in library.catalogue.all() if each.relative == within)
    filters = Filters(within=ids or None)
    return Searcher(library).search_passages(text, k, filters, CancelToken())


def files(hits: list[Hit]) -> list[str]:
    return [hit.authority.relative for hit in hits]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which law applies?", "governed by and construed"),
        ("What is the expiration date of this contract?", "third anniversary"),
        ("Can one of them hand it over to a stranger, or transfer the contract?", "may assign"),
        ("How much can we recover in damages?", "aggregate"),
    ],
)
def test_a_clause_is_found_though_the_question_has_none_of_its_words(
    contracts: Library, question: str, said: str
) -> None:
    hits = search(contracts, question, within="harrow.txt")
    assert said in hits[0].passage.text
    assert set(files(hits)) == {"harrow.txt"}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_question_of_no_kind_goes_by_its_words(contracts: Library) -> None:
    hits = search(contracts, "Where are the samples drawn?", within="harrow.txt")
    assert "samples" in hits[0].passage.text
    assert hits[0].lexical is not None


def test_a_search_stays_in_the_contract_that_the_query_names(contracts: Library) -> None:
    hits = search(
        contracts,
        "Consider the Purchase Agreement between Harrow Growers; Ostler and Sons; Which law applies?",
    )
    assert set(files(hits)) == {"harrow.txt"}
    assert "laws of Orr" in hits[0].passage.text


def test_contracts_of_one_party_are_told_apart_by_the_other(contracts: Library) -> None:
    hits = search(
        contracts, "Under the Supply Agreement between Quenby Mills and Tarn Brewers, who may assign?"
    )
    assert set(files(hits)) == {"QuenbyMills_supply.txt"}


def test_an_amendment_is_told_from_what_it_amends(contracts: Library) -> None:
    parties = "between Quenby Mills Ltd; Vale Maltings; Which law applies?"
    hits = search(contracts, f"Consider the Supply Agreement {parties}")
    assert set(files(hits)) == {"QuenbyMills_supply_2.txt"}
    hits = search(contracts, f"Consider the First Amendment to Supply Agreement {parties}")
    assert set(files(hits)) == {"amendment.txt"}


def test_a_search_that_names_nothing_looks_into_several_documents(contracts: Library) -> None:
    hits = search(contracts, "Which law applies to barley?")
    assert len(set(files(hits))) > 2


def test_a_contract_may_be_described_in_place_of_its_name(contracts: Library) -> None:
    hits = search(contracts, "How long is the term of the purchase agreement?")
    assert set(files(hits)) == {"harrow.txt"}
    assert "third anniversary" in hits[0].passage.text


def test_of_several_contracts_that_are_described_each_answers_first(contracts: Library) -> None:
    hits = search(contracts, "How long does our supply agreement last?")
    assert set(files(hits)) == {"QuenbyMills_supply.txt", "QuenbyMills_supply_2.txt", "amendment.txt"}
    assert len(set(files(hits[:3]))) == 3
    assert all("third anniversary" in hit.passage.text for hit in hits[:3])


@pytest.mark.parametrize(
    "question",
    [
        # No kind of clause is asked for; no title has the words; any contract may be meant.
        "Who drew the samples for the supply agreement?",
        "How long is the term of the charter agreement?",
        "How long is the term of the agreement?",
        # A story asks for more than a clause.
        "How long is the term of the purchase agreement? "
        + " ".join(f"Carter number{each} carried grain{each} to mill{each}." for each in range(30)),
    ],
)
def test_a_description_that_tells_too_little_names_no_document(contracts: Library, question: str) -> None:
    found = Searcher(contracts).find_named(question, Filters(), CancelToken())
    assert found.documents == ()


def test_a_description_means_what_is_spoken_of(contracts: Library) -> None:
    ids = {each.relative: each.id for each in contracts.catalogue.all()}
    searcher, token = Searcher(contracts), CancelToken()
    for question, meant, expected in (
        ("How long is the term of the supply agreement?", "QuenbyMills_supply.txt", "QuenbyMills_supply.txt"),
        ("How long is the term of the agreement?", "harrow.txt", "harrow.txt"),
        ("How long is the term of the purchase agreement?", "amendment.txt", "harrow.txt"),
    ):
        found = searcher.find_named(question, Filters(), token, frozenset({ids[meant]}))
        assert found.documents == (ids[expected],)
        assert found.asked == "How long is the term ?"


@pytest.mark.parametrize(
    ("question", "expected", "asked"),
    [
        (
            "May Harrow Growers sell the barley lots to anybody but Ostler?",
            {"harrow.txt"},
            "May sell the barley lots to anybody but ?",
        ),
        ("Can Quenby Mills buy from others than Tarn Brewers?", {"QuenbyMills_supply.txt"}, None),
        ("Can Quenby Mills buy from others than Unheard Millers?", set(), None),
        ("Must the Buyer and the Seller insure?", set(), None),
    ],
)
def test_a_contract_is_named_by_its_parties(
    contracts: Library, question: str, expected: set[str], asked: str | None
) -> None:
    names = {each.id: each.relative for each in contracts.catalogue.all()}
    found = Searcher(contracts).find_named(question, Filters(), CancelToken())
    assert {names[each] for each in found.documents} == expected
    assert asked is None or found.asked == asked


def test_passages_of_a_judgment_are_not_taken_for_clauses(contracts: Library) -> None:
    hits = search(contracts, "Which law governs a letter of credit?", within="ostler.md")
    assert "letter of credit" in hits[0].passage.text


def test_only_documents_that_may_answer_are_named(contracts: Library, token: CancelToken) -> None:
    names = NamedDocuments(contracts, Tokenizer())
    naming = split_naming(
        "Under the Purchase Agreement between Harrow Growers and Ostler, which law applies?"
    )
    harrow = next(each.id for each in contracts.catalogue.all() if each.relative == "harrow.txt")
    assert list(names.find(naming, None, token)) == [harrow]
    others = frozenset(each.id for each in contracts.catalogue.all()) - {harrow}
    assert harrow not in names.find(naming, others, token)


def test_a_stranger_to_the_library_is_not_found_by_half_its_name(
    contracts: Library, token: CancelToken
) -> None:
    names = NamedDocuments(contracts, Tokenizer())
    naming = split_naming("Consider the Charter Agreement between Zephyr Airships; Nimbus Pilots; Who pays?")
    assert names.find(naming, None, token) == {}


def test_a_word_with_a_capital_names_no_document(contracts: Library, token: CancelToken) -> None:
    names = NamedDocuments(contracts, Tokenizer())
    assert names.find(split_naming("The custom of the trade at Orr is strict."), None, token) == {}
