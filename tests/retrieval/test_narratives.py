"""Narratives: what is taken from them, and how documents are ranked for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.model import Filters
from lexls.retrieval.narratives import NarrativeRanking, rank_narrative
from lexls.retrieval.query import (
    INCIDENTAL_WEIGHT,
    NARRATIVE_WORDS,
    Query,
    RelatedWords,
    build_query,
    find_incidental_terms,
    summarize,
)
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken

TOKENIZER = Tokenizer()
RELATED = RelatedWords()
GRAMMAR = Grammar.load()
NARRATIVE = (
    "The prosecution alleges that on the evening of 4 March 2003 the accused and his brother waited for the "
    "deceased beside the mill at Wold Ferry. A quarrel about the boundary of a field had gone on for a year. "
    "The accused struck the deceased on the head with an axe, and the brother stabbed him twice in the chest "
    "with a knife. The widow, who saw it from the door, cried for help. The deceased was carried to the "
    "dispensary and died of his injuries before a statement could be written down. The doctor who held the "
    "post mortem found the skull broken. The axe was recovered from a well on what the accused told the "
    "police. The trial court believed the widow, convicted both of them and passed a sentence of life "
    "imprisonment. The defence says that Quenby Marsh was never at the mill and that the blow was struck in "
    "anger after abuse, without any intention to kill."
)
DOCUMENTS = {
    "cases/a.md": (
        "case", "Tarn v The State", "[2001] ASC 1",
        "The accused struck the deceased with an axe at the mill. The widow saw the blow. It is governed by "
        "Mull v. Wold, 412 U.S. 55 (1973).",
    ),
    "cases/b.md": ("case", "Mull v Wold", "412 U.S. 55", "Umbrellas are luggage, whatever porters think."),
    "cases/c.md": (
        "case", "Barrow v Quenby Marsh", "[1995] ASC 2",
        "The lessee of the ferry had not paid the rent which fell due at Michaelmas.",
    ),
    "acts/murder.md": (
        "statute", "Punishment for murder", "",
        "Whoever commits murder shall be punished with death or imprisonment for life and be liable to fine.",
    ),
    "acts/stamps.md": (
        "statute", "Stamps on conveyances", "",
        "A conveyance that is not duly stamped is not received in evidence until the duty is paid.",
    ),
    "acts/mills.md": (
        "statute", "Licensing of mills", "",
        "Nobody keeps a mill beside a ferry without the licence of the collector of the district.",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("narratives")
    for name, (kind, title, citation, text) in DOCUMENTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        cited = f'citation: "{citation}"\n' if citation else ""
        path.write_text(f"---\ntitle: {title}\n{cited}kind: {kind}\n---\n\n{text}\n", encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    library, report = open_library([folder], index, Settings(embeddings_model=""), lexical_only=True)
    assert not report.failed
    yield library
    library.close()


def query(text: str = NARRATIVE, jurisdiction: str = "") -> Query:
    return build_query(text, TOKENIZER, GRAMMAR.find(text, jurisdiction), related=RELATED)


def titles(library: Library, ranking: NarrativeRanking) -> list[str]:
    ranked = rank_narrative(library, query(), None, None, RELATED, CancelToken(), ranking)
    return [authority.title for each, _ in ranked if (authority := library.catalogue.get(each)) is not None]


def test_a_long_statement_of_facts_is_a_narrative() -> None:
    assert len(NARRATIVE.split()) >= NARRATIVE_WORDS
    assert query().kind == "narrative"
    assert query(NARRATIVE[:300]).kind == "sentence"
    assert query("Who answers for luggage on a ferry?").kind == "question"


def test_a_long_argument_is_no_narrative() -> None:
    argued = NARRATIVE + " On such facts the offence is murder: Mull v. Wold, 412 U.S. 55 (1973)."
    assert query(argued, "US").kind == "sentence"
    assert query(argued + NARRATIVE * 2, "US").kind == "narrative"


def test_a_repeated_word_of_a_narrative_keeps_its_frequency() -> None:
    asked = query()
    assert dict(zip(asked.terms, asked.frequencies, strict=True))["deceas"] == NARRATIVE.count("deceased")


def test_names_and_dates_of_a_narrative_count_less() -> None:
    asked = query()
    weights = dict(zip(asked.terms, asked.weights, strict=True))
    assert weights["quenbi"] == weights["2003"] == INCIDENTAL_WEIGHT
    assert weights["widow"] == weights["axe"] == 1


def test_a_name_that_is_also_said_in_small_letters_is_no_name() -> None:
    text = "He sold the estate to Wold Zorkin. The zorkin was broken when Mr Quorle opened it."
    found = find_incidental_terms(text, TOKENIZER, lambda term: False)
    assert "quorl" in found
    assert "zorkin" not in found


def test_law_and_courts_are_not_incidental() -> None:
    text = "He was charged under Section 302 of the Wold Penal Code and heard by the High Court of Wold."
    assert not find_incidental_terms(text, TOKENIZER, lambda term: False)


def test_the_gist_is_some_of_the_sentences_in_their_order() -> None:
    gist = summarize(NARRATIVE, TOKENIZER, RELATED.rarity, 60)
    assert len(gist.split()) <= 60
    assert "axe" in gist
    places = [NARRATIVE.index(sentence) for sentence in gist.replace(". ", ".|").split("|")]
    assert places == sorted(places)
    assert query().gist == summarize(NARRATIVE, TOKENIZER, RELATED.rarity)


def test_a_short_text_is_its_own_gist() -> None:
    assert query("A carrier answers for the luggage.").gist == "A carrier answers for the luggage."


def test_one_sentence_comes_however_long_it_is() -> None:
    endless = "and the ferryman said that the widow knew of it " * 40
    assert summarize(endless, TOKENIZER, RELATED.rarity, 20).strip() == endless.strip()


def test_facts_are_related_to_the_name_of_the_offence() -> None:
    asked = query()
    frequencies = dict(zip(asked.terms, asked.frequencies, strict=True))
    related = dict(RELATED.find_related(frequencies, 200))
    assert "murder" in related
    assert "murder" not in frequencies
    ordered = list(related.values())
    assert ordered == sorted(ordered, reverse=True)
    assert set(dict(RELATED.find_related(frequencies, 5, {"murder", "stamp"}))) <= {"murder", "stamp"}


def test_nothing_is_related_to_words_that_the_table_does_not_hold() -> None:
    assert RELATED.find_related({"zorkin": 3}, 10) == []
    assert RELATED.find_related({}, 10) == []
    assert RELATED.rarity("zorkin") == 0


def test_a_provision_is_found_by_words_that_the_narrative_does_not_have(library: Library) -> None:
    words_alone = NarrativeRanking(related=0.0, titles=0.0)
    provisions = {"Punishment for murder", "Stamps on conveyances", "Licensing of mills"}
    own = [title for title in titles(library, words_alone) if title in provisions]
    related = [title for title in titles(library, NarrativeRanking()) if title in provisions]
    assert own[0] == "Licensing of mills"
    assert related[0] == "Punishment for murder"


def test_what_the_most_like_judgment_cites_is_lifted(library: Library) -> None:
    alone = titles(library, NarrativeRanking(citing=0.0))
    cited = titles(library, NarrativeRanking())
    assert cited[0] == "Tarn v The State"
    assert "Mull v Wold" not in alone
    assert cited.index("Mull v Wold") < cited.index("Barrow v Quenby Marsh")


def test_what_may_not_speak_lifts_nothing_and_what_may_not_answer_is_left_out(library: Library) -> None:
    of_title = {authority.title: authority.id for authority in library.catalogue.all()}
    others = frozenset(of_title.values()) - {of_title["Tarn v The State"]}
    ranked = [each for each, _ in rank_narrative(library, query(), others, others, RELATED, CancelToken())]
    assert of_title["Tarn v The State"] not in ranked
    assert of_title["Mull v Wold"] not in ranked
    speaking = [each for each, _ in rank_narrative(library, query(), others, None, RELATED, CancelToken())]
    assert of_title["Tarn v The State"] not in speaking
    assert speaking.index(of_title["Mull v Wold"]) < speaking.index(of_title["Barrow v Quenby Marsh"])


def test_judgments_and_provisions_alternate(library: Library) -> None:
    assert titles(library, NarrativeRanking())[:2] == ["Tarn v The State", "Punishment for murder"]


def test_a_searcher_ranks_narratives_so_unless_it_is_switched_off(library: Library) -> None:
    def first(ranking: Ranking) -> list[str]:
        hits = Searcher(library, ranking=ranking).search(NARRATIVE, 3, Filters(), CancelToken())
        return [hit.authority.title for hit in hits]

    assert first(Ranking())[1] == "Punishment for murder"
    assert "Punishment for murder" not in first(Ranking().without("narratives"))[:2]


def test_titles_are_searched_by_themselves(library: Library) -> None:
    ids, _ = library.lexical_titles(["murder", "stamp"], 10, None, None)
    found = [
        authority.title for each in ids.tolist() if (authority := library.catalogue.get(each)) is not None
    ]
    assert sorted(found) == ["Punishment for murder", "Stamps on conveyances"]
    ids, _ = library.lexical_titles(["murder", "stamp"], 10, None, None, [0.1, 1.0])
    assert library.catalogue.get(int(ids[0])).title == "Stamps on conveyances"  # type: ignore[union-attr]
    assert len(library.lexical_titles(["murder"], 10, frozenset(), None)[0]) == 0
    assert "murder" in library.title_terms()
    with pytest.raises(ValueError, match=r"shorter|longer"):
        library.lexical_titles(["murder"], 10, None, None, [])


def test_keywords_that_are_given_count_most() -> None:
    asked = build_query("The ferryman lost the trunk.", TOKENIZER, keywords=("bailment", "lost luggage"))
    weights = dict(zip(asked.terms, asked.weights, strict=True))
    assert weights["bailment"] == weights["lost"] > weights["trunk"] == 1


def test_a_section_of_a_replaced_code_is_also_its_successor() -> None:
    text = "He was convicted under section 302 of the Indian Penal Code, 1860."
    asked = build_query(text, TOKENIZER, GRAMMAR.find(text, "IN"))
    weights = dict(zip(asked.terms, asked.weights, strict=True))
    assert weights["302"] == 1
    assert 0 < weights["103(1)"] < 1
    assert 0 < weights["nyaya"] < 1
    back = "He was convicted under section 103(1) of the Bharatiya Nyaya Sanhita, 2023."
    asked = build_query(back, TOKENIZER, GRAMMAR.find(back, "IN"))
    assert "302" in asked.terms


def test_a_query_has_a_weight_for_each_term() -> None:
    with pytest.raises(ValueError, match="2 terms but 1 weights"):
        Query("a b", ("a", "b"), weights=(1.0,))
