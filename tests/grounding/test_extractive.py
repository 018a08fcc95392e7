from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lexls.grounding.extractive import Source, explain
from lexls.grounding.render import to_markdown
from lexls.grounding.statements import Statement, verified
from lexls.index.records import Authority, PassageRecord, Place
from lexls.index.tokens import Tokenizer
from lexls.text.cancel import Cancelled, CancelToken

PARAGRAPHS = [
    "[1] The claimant bought a mill on the river Aske. The price was paid in two parts.",
    "[2] A riparian owner may take water for ordinary domestic use without asking anybody. "
    "He may not stop the stream for a mill further down.",
    "[3] Use of the stream for a mill is extraordinary and must leave the flow undiminished. "
    "The owner below may sue without proof of damage.",
    "[4] The costs follow the event. The registrar will tax them.",
    "[5] A riparian owner may take water for ordinary domestic use without asking anyone.",
]
AUTHORITY = Authority(
    id=7,
    path=Path("mill.txt"),
    library=Path(),
    relative="mill.txt",
    title="Aske Mills v Underhill",
    short_title="",
    citations=("[2011] ACA 4",),
    court="",
    date="2011",
    kind="case",
    jurisdiction="Aldmoor",
    is_text=True,
)


def source(pinpoint: int | None = None, paragraphs: list[str] = PARAGRAPHS) -> Source:
    text = "\n\n".join(paragraphs)
    passages = []
    for number, paragraph in enumerate(paragraphs, start=1):
        start = text.index(paragraph)
        passages.append(
            PassageRecord(number, 7, start, start + len(paragraph), str(number), 0, "", paragraph)
        )
    places = []
    if pinpoint is not None and pinpoint <= len(passages):
        there = passages[pinpoint - 1]
        places = [Place(7, there.start, there.end, str(pinpoint), 0, there.text)]
    return Source(AUTHORITY, text, passages, f"[{pinpoint}]" if pinpoint else "", places)


def run(proposition: str, authority: Source, encode=None):  # type: ignore[no-untyped-def]
    return explain(proposition, authority, Tokenizer().tokenize, CancelToken(), encode)


def check(proposition: str, authority: Source, *labels: str):  # type: ignore[no-untyped-def]
    found = run(proposition, authority)
    assert [statement.label for statement in found.statements] == list(labels)
    for statement in found.statements:
        assert authority.text[statement.start : statement.end] == statement.text
    return found


def test_the_sentences_that_bear_on_the_proposition_are_selected() -> None:
    found = check(
        "A mill is an extraordinary use of a stream and must leave its flow undiminished.", source(), "3", "2"
    )
    assert found.statements[0].text.startswith("[3] Use of the stream for a mill")


def test_the_pinpoint_comes_first_even_where_another_place_says_more() -> None:
    found = check("A mill is an extraordinary use of a stream and must leave its flow.", source(2), "2", "3")
    assert [each.at_pinpoint for each in found.statements] == [True, False]


def test_the_same_sentence_is_not_given_twice() -> None:
    found = run("A riparian owner may take water for ordinary domestic use.", source())
    assert [each.label for each in found.statements if "domestic" in each.text] in (["2"], ["5"])


@pytest.mark.parametrize(
    "proposition",
    ["Directors must avoid conflicts of interest with their company.", "The and of it.", ""],
)
def test_it_abstains_where_nothing_bears(proposition: str) -> None:
    found = run(proposition, source())
    assert found.abstained
    assert len(found.notes) == 1


def test_a_pinpoint_that_does_not_bear_is_said_so() -> None:
    found = check("The owner below may sue for the stream without proof of damage.", source(4), "3")
    assert any("Nothing at [4] bears on this sentence" in note for note in found.notes)


def test_a_pinpoint_that_the_copy_lacks_is_said_so() -> None:
    found = run("The owner below may sue for the stream without proof of damage.", source(44))
    assert any("no [44]" in note for note in found.notes)


def test_words_without_support_are_listed() -> None:
    found = run("The owner below may sue for nuisance without proof of damage.", source())
    assert found.missing == ("nuisance",)


def test_vectors_find_what_words_do_not() -> None:
    def encode(texts) -> NDArray[np.float32]:  # type: ignore[no-untyped-def]
        # A model that knows that being charged for a suit is what "costs" means.
        rows = [[1.0, 0.0] if "costs" in text or "loser" in text else [0.0, 1.0] for text in texts]
        return np.array(rows, dtype=np.float32)

    proposition = "Whoever is the loser of the event pays."
    assert run(proposition, source()).abstained
    found = run(proposition, source(), encode)
    assert [each.label for each in found.statements] == ["4"]
    assert found.statements[0].similarity == 1.0


def test_words_that_do_not_stand_in_the_text_are_dropped() -> None:
    true = Statement("The costs", 7, 4, 13, "4", 0, False, 1.0, None)
    false = Statement("The gains", 7, 4, 13, "4", 0, False, 1.0, None)
    assert verified([true, false], "[4] The costs follow") == (true,)


def test_an_index_that_disagrees_with_the_text_yields_no_statement() -> None:
    authority = source()
    moved = Source(AUTHORITY, "x" + authority.text, authority.passages)
    assert run("The owner below may sue for the stream without proof of damage.", moved).abstained


def test_cancellation_is_heard() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        explain("The owner below may sue.", source(), Tokenizer().tokenize, token)


def test_the_rendering_quotes_each_statement_with_a_link_to_its_place() -> None:
    found = run("The owner below may sue for nuisance without proof of damage.", source(3))
    shown = to_markdown(found, lambda statement: f"lexls:{statement.document}#{statement.start}")
    assert shown.startswith("**Aske Mills v Underhill [2011] ACA 4**")
    assert "> The owner below may sue without proof of damage." in shown
    start = found.statements[0].start
    assert f"— [\\[3\\]](<lexls:7#{start}>) · the place cited" in shown
    assert "do not mention “nuisance”" in shown
    assert "](<" not in to_markdown(found)
