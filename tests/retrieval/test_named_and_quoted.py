"""The court that a proposition names and the words that it quotes decide between judgments that fit alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.model import Filters
from lexls.retrieval.query import build_query
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.reranking.candidates import Asked, Column, find_courts, match_courts
from lexls.retrieval.reranking.features import (
    compute_features,
    find_quoted_words,
    keep_letters,
    measure_quoted_share,
)
from lexls.retrieval.reranking.reranker import load_learnt, take_candidates
from lexls.retrieval.search import Searcher
from lexls.retrieval.stages import Scope, run_stages
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken

COURTS = (
    "United States Court of Appeals for the Ninth Circuit",
    "United States Court of Appeals for the Fifth Circuit",
    "United States Court of Appeals for the District of Columbia Circuit",
    "United States District Court for the District of Oregon",
    "Supreme Court of the United States",
    "Supreme Court of New Jersey",
    "New South Wales Supreme Court",
    "Commonwealth Court of Pennsylvania",
    "High Court of Delhi",
    "High Court of Judicature at Bombay",
    "High Court of Australia",
    "Court of Appeal for Ontario",
    "House of Lords",
    "Judicial Committee of the Privy Council",
    "Employment Appeal Tribunal",
    "High Court of Justice, Queen's Bench Division",
    "",
)

OTHERS = {
    "Beck v Fen": ("", "[1] A ferryman carries trunks over the river at his own risk."),
    "Lark v Mull": ("", "[1] Hedges along the highway stay as they are until autumn."),
    "Tarn v Usk": ("", "[1] A miller grinds rye in the order in which sacks arrive."),
    "Vale v Wick": ("", "[1] Lanterns on a moored barge burn from dusk to dawn."),
}
"""Judgments on other matters: without them every word would be common."""

Build = Callable[[Mapping[str, tuple[str, str]]], Library]


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    """Makes a library of judgments, given as court and text by title."""
    opened: list[Library] = []

    def make(judgments: Mapping[str, tuple[str, str]]) -> Library:
        folder = tmp_path / "cases"
        folder.mkdir()
        for title, (court, text) in {**OTHERS, **judgments}.items():
            head = f'---\ntitle: {title}\ncourt: "{court}"\nkind: case\n---\n\n'
            (folder / f"{title}.md").write_text(head + text, encoding="utf-8")
        library, report = open_library(
            [folder], tmp_path / "index.sqlite", Settings(embeddings_model=""), lexical_only=True
        )
        assert not report.failed
        opened.append(library)
        return library

    yield make
    for library in opened:
        library.close()


def titles(library: Library, question: str) -> list[str]:
    hits = Searcher(library).search(question, 10, Filters(), CancelToken())
    return [hit.authority.title for hit in hits]


def found(library: Library, question: str) -> tuple[list[str], dict[str, Column]]:
    """The candidates' titles and their features."""
    tokenizer = Tokenizer()
    query = build_query(question, tokenizer)
    stages = run_stages(library, query, None, Ranking(), Scope(None, None), CancelToken())
    sequence = tuple(tokenizer.tokenize(query.text))
    asked = Asked(query.text, query.terms, sequence, None, None, tokenizer.tokenize)
    fused = stages.fuse(Ranking())
    columns = compute_features(library, asked, stages, take_candidates(fused, {}), CancelToken())
    known = {each.id: each.title for each in library.catalogue.all()}
    return [known[document] for document, _ in fused], columns


def column(library: Library, question: str, name: str) -> dict[str, float]:
    """One feature of each candidate, by title."""
    candidates, columns = found(library, question)
    return dict(zip(candidates, columns[name].tolist(), strict=True))


@pytest.mark.parametrize(
    ("said", "court"),
    [
        ("The Ninth Circuit has held that a lien survives.", COURTS[0]),
        ("That is the rule since a decision of the 9th Cir. in 1987.", COURTS[0]),
        ("The Fifth Circuit Court of Appeals, Congress having spoken, agreed.", COURTS[1]),
        ("The D.C. Circuit's own view is another one.", COURTS[2]),
        ("So the United States District Court for the District of Oregon ruled.", COURTS[3]),
        ("Although the Supreme Court observed that liens pass,", COURTS[4]),
        ("the U. S. Supreme Court observed", COURTS[4]),
        ("New Jersey's Supreme Court; the New Jersey Supreme Court held", COURTS[5]),
        ("the Supreme Court of New South Wales refused it", COURTS[6]),
        ("The Commonwealth Court denied the motion.", COURTS[7]),
        ("The Delhi High Court has held that", COURTS[8]),
        ("as the Hon'ble High Court of Bombay held", COURTS[9]),
        ("in the High Court of Australia,", COURTS[10]),
        ("The Ontario Court of Appeal has said", COURTS[11]),
        ("the House of Lords, per Lord Rook, thought", COURTS[12]),
        ("advice of the Privy Council on the point", COURTS[13]),
        ("The Employment Appeal Tribunal differed.", COURTS[14]),
        ("A judge of the Queen’s Bench Division granted it.", COURTS[15]),
    ],
)
def test_a_court_is_found_by_the_name_that_lawyers_use(said: str, court: str) -> None:
    fitting = match_courts(find_courts(said), COURTS)
    assert [COURTS[row] for row in np.flatnonzero(fitting == fitting.max())] == [court]
    assert fitting.max() == 1.0


def test_several_circuits_are_found_in_one_phrase() -> None:
    fitting = match_courts(find_courts("The Fifth and the Ninth Circuits disagree."), COURTS)
    assert {COURTS[row] for row in np.flatnonzero(fitting)} == {COURTS[0], COURTS[1]}


@pytest.mark.parametrize(
    "said",
    [
        "This Court has held that the trial court and the court below erred, as the Court said.",
        "We disagree with our Court and with the Chicago Board of Trade.",
        "reversing the Ninth Circuit, it was held that liens pass",
        "on an appeal from the High Court of Delhi",
        "bankruptcy courts in the Ninth Circuit differ",
        "The Supreme Court of Canada has left the question open.",
    ],
)
def test_no_court_is_found_where_none_of_the_library_speaks(said: str) -> None:
    assert not match_courts(find_courts(said), COURTS).any()


def test_a_name_that_fits_many_courts_tells_little() -> None:
    fitting = match_courts(
        find_courts("The High Court dismissed the petition."), [*COURTS[8:10], "Patna High Court"]
    )
    assert fitting.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize(
    ("one", "other", "calls"),
    [
        ("High Court of Delhi", "High Court of Judicature at Bombay",
         ("Delhi High Court", "Bombay High Court")),
        ("House of Lords", "Court of Session", ("House of Lords", "Court of Session")),
        ("Court of Appeal for Ontario", "Quebec Court of Appeal",
         ("Ontario Court of Appeal", "Court of Appeal of Quebec")),
        ("Federal Court of Australia", "Supreme Court of Victoria",
         ("Federal Court", "Supreme Court of Victoria")),
        ("United States Court of Appeals for the Third Circuit",
         "United States Court of Appeals for the Sixth Circuit", ("Third Circuit", "Sixth Cir.")),
    ],
)  # fmt: skip
def test_the_judgment_of_the_court_that_is_named_leads(
    build: Build, one: str, other: str, calls: tuple[str, str]
) -> None:
    text = "[1] A keeper of bees answers for swarms that settle on a neighbour's orchard in spring."
    library = build({"Ash v Elm": (one, text), "Fir v Oak": (other, text), "Yew v Box": ("", text)})
    said = "The {} has held that a keeper of bees answers for swarms in a neighbour's orchard."
    assert titles(library, said.format(calls[0]))[0] == "Ash v Elm"
    assert titles(library, said.format(calls[1]))[0] == "Fir v Oak"
    assert set(column(library, said.format("court below"), "named_court").values()) == {0.0}


def test_only_four_words_or_more_make_a_quotation_and_what_was_put_in_parts_it() -> None:
    assert find_quoted_words("It asks for “good faith” and an “honest belief.”") == []
    assert find_quoted_words('He must "keep the hive shut at night" or pay.') == [
        "keep the hive shut at night"
    ]
    assert find_quoted_words("per Lord Rook: ‘no keeper’s duty ends at his hedge’, he said") == [
        "no keeper’s duty ends at his hedge"
    ]
    assert find_quoted_words("“[t]he swarm that settles there ... is his who first hives it") == [
        "[t]he swarm that settles there",
        "is his who first hives it",
    ]
    assert find_quoted_words("“a swarm [of bees] is his who hives it") == ["is his who hives it"]


def test_only_letters_and_digits_of_a_quotation_are_compared() -> None:
    wanted = [keep_letters("[T]he swarm — once settled — is his"), keep_letters("who first hives it")]
    assert measure_quoted_share(wanted, ["… the swarm once\nsettled, is HIS, if"]) == pytest.approx(
        23 / 38, abs=0.03
    )
    assert measure_quoted_share(wanted, ["the swarm once settled is his", "who first hives it"]) == 1.0
    assert measure_quoted_share(wanted, ["his is the swarm, settled once"]) == 0.0


def test_the_judgment_that_holds_the_quoted_words_leads(build: Build) -> None:
    holding = "[1] Bees are wild. Each swarm that leaves the hive is lost to him who kept it, says the rule."
    turned = (
        "[1] A keeper follows his bees over a brook. By the rule of the hive a swarm that leaves is lost, and"
        " he who kept each swarm lost it. The keeper of bees who follows a swarm over the brook is late."
    )
    library = build({"Ash v Elm": ("", turned), "Fir v Oak": ("", holding), "Yew v Box": ("", turned)})
    said = "A keeper follows bees over a brook: “each swarm that leaves the hive is lost to him who kept it.”"
    held = column(library, said, "quoted")
    assert {title for title, share in held.items() if share} == {"Fir v Oak"}
    assert held["Fir v Oak"] == 1.0
    assert set(column(library, said.replace("“", "").replace("”", ""), "quoted").values()) == {0.0}
    candidates, columns = found(library, said)
    for weights in (load_learnt().with_vectors, load_learnt().by_words):
        unheard = {**columns, "quoted": np.zeros(len(candidates))}
        assert candidates[int(np.argmax(weights.scores(columns)))] == "Fir v Oak"
        assert candidates[int(np.argmax(weights.scores(unheard)))] != "Fir v Oak"
    assert titles(library, said)[0] == "Fir v Oak"
