"""A real model over the sample library: it adds to the extracts and never takes from them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from real_models import SMALLEST, find_real_model

from lexls.citations.grammar import Grammar
from lexls.features.build import Writer, build_writer
from lexls.features.gathering import gather_answer
from lexls.grounding.answer import Answer
from lexls.index.session import open_library
from lexls.models.process import ModelProcess
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import Cancelled, CancelToken
from lexls.text.formats import PLAIN

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow
QUESTIONS = (
    "Who bears the burden of proving that a deviation was reasonable?",
    "Who is liable for damage to goods carried by sea?",
    "What does the duty of care require of a carrier?",
    "When must a claim in respect of cargo be brought?",
    "Does a breach of the duty to provide a fit ship deprive the carrier of the limit of liability?",
)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    settings = Settings(jurisdiction="Aldmoor", embeddings_model="")
    index = tmp_path_factory.mktemp("index") / "index.sqlite3"
    library, _ = open_library([ROOT / "examples" / "library"], index, settings, lexical_only=True)
    grammar = Grammar.load()
    draft = DraftParser(grammar, settings.jurisdiction).parse("", "", PLAIN)
    yield Snapshot(draft, library, Searcher(library, grammar=grammar), settings)
    library.close()


@pytest.fixture(scope="module")
def process() -> Iterator[ModelProcess]:
    process = ModelProcess()
    yield process
    process.close()


def open_writer(snapshot: Snapshot, process: ModelProcess) -> Writer:
    pytest.importorskip("lexls.models.llama_conversation")
    settings = Settings(
        explain_generator="llama", llama_model=str(find_real_model(SMALLEST)), llama_threads=1
    )
    return build_writer(settings, snapshot.tokens, lambda: process, None)


def test_every_extract_stays_and_some_are_put_in_words(snapshot: Snapshot, process: ModelProcess) -> None:
    writer = open_writer(snapshot, process)
    written = 0
    for question in QUESTIONS:
        gathered = gather_answer(snapshot, question, (), CancelToken())
        first, *_, last = writer.write(gathered, CancelToken())
        assert first.sentences
        assert all(each.is_extract for each in first.sentences)
        assert last.complete
        assert_nothing_lost(first, last)
        written += sum(not each.is_extract for each in last.sentences)
        for pin in (pin for each in last.sentences for pin in each.pins):
            assert snapshot.library.contents.text(pin.authority.id)[pin.start : pin.end] == pin.text
    assert written > 0


def assert_nothing_lost(first: Answer, last: Answer) -> None:
    kept = [pin for each in last.sentences for pin in each.pins]
    for pin in (pin for each in first.sentences for pin in each.pins):
        assert any(pin == each for each in kept)


def test_cancelling_ends_it_and_the_next_question_is_answered(
    snapshot: Snapshot, process: ModelProcess
) -> None:
    writer, token = open_writer(snapshot, process), CancelToken()
    gathered = gather_answer(snapshot, QUESTIONS[1], (), token)
    answers = writer.write(gathered, token)
    next(answers)
    token.cancel()
    with pytest.raises(Cancelled):
        list(answers)
    *_, last = writer.write(gathered, CancelToken())
    assert last.sentences
    assert not last.failed
