"""What a cross-encoder is worth on a library, measured on sentences of the library itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_models import write_cross_encoder

from lexls.evaluation.model_trial import (
    FEWEST_QUESTIONS,
    CitingQuestion,
    TriedQuestion,
    ask,
    draw_questions,
    judge,
)
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.index.tokens import Tokenizer
from lexls.models.encoder_clients import CrossEncoderClient
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.reranking.kept_with_library import MOST, MeasuredModel, find_measured, keep_measured
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import Cancelled, CancelToken

MATTERS = (
    "a carrier keeps his lien on the goods until the freight and the demurrage are paid",
    "the tenant of a mill must give notice of a broken weir before the winter floods come",
    "the tidal barrier twice a day binds every owner of a boat that lies behind it",
    "no toll is due from a drover whose herd was turned back at the northern bridge",
)
CITED = [f"[20{number:02}] ASC {number + 1}" for number in range(len(MATTERS))]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("authorities")
    for number, (matter, citation) in enumerate(zip(MATTERS, CITED, strict=True)):
        head = f'---\ntitle: Alder{number} v Birch{number}\ncitation: "{citation}"\nkind: case\n---\n\n'
        (folder / f"held{number}.md").write_text(f"{head}[1] We hold that {matter}.\n", "utf-8")
    for number in range(6):
        said = "\n\n".join(
            f"[{place}] It was settled long ago that {matter}, as matter {number} shows: {CITED[place]}."
            for place, matter in enumerate(MATTERS)
        )
        head = f'---\ntitle: Cedar{number} v Elm\ncitation: "[2030] ASC {number + 50}"\nkind: case\n---\n\n'
        (folder / f"citing{number}.md").write_text(f"{head}{said}\n", "utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    opened, report = open_library([folder], index, Settings(embeddings_model=""), lexical_only=True)
    assert not report.failed
    yield opened
    opened.close()


def test_questions_are_citing_sentences_without_their_citations(library: Library) -> None:
    drawn = draw_questions(library, Tokenizer(), 100, CancelToken())
    assert drawn == draw_questions(library, Tokenizer(), 100, CancelToken())
    assert len(drawn) == 24
    assert len({each.citing for each in drawn[:6]}) == 6
    for each in drawn:
        assert "ASC" not in each.text
        [cited] = each.cites
        authority = library.catalogue.get(cited)
        assert authority is not None
        assert MATTERS[int(authority.title[5])] in each.text
    assert draw_questions(library, Tokenizer(), 5, CancelToken()) == drawn[:5]


def test_questions_are_asked_without_their_own_document(library: Library, tmp_path: Path) -> None:
    client = CrossEncoderClient(str(write_cross_encoder(tmp_path / "model")))
    searcher = Searcher(library, ranking=Ranking(cross_encoder=3))
    questions = draw_questions(library, Tokenizer(), 8, CancelToken())
    done: list[tuple[int, int]] = []
    tried = ask(searcher, client, questions, 3, CancelToken(), lambda *each: done.append(each))
    assert [each.question for each in tried] == questions
    assert all(len(each.scores) == 3 and sum(each.cited) == 1 for each in tried)
    assert done[-1] == (8, 8)
    assert searcher.ranking.cross_encoder == 3
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        ask(searcher, client, questions, 3, token)
    client.close()


def questions_for(told: float, count: int, apart: bool = True) -> list[TriedQuestion]:
    """Questions whose answer stands anywhere among ten hits, with a model that tells it from the others by
    ``told`` standard deviations; all for one authority unless ``apart``."""
    chance = random.Random(7)
    made = []
    for number in range(count):
        right = min(int(chance.expovariate(0.5)), 9)
        scores = tuple(chance.gauss(told if place == right else 0.0, 1.0) for place in range(10))
        question = CitingQuestion(number, "", frozenset((number if apart else 0,)))
        made.append(TriedQuestion(question, tuple(place == right for place in range(10)), scores, 0.01))
    return made


def test_a_model_that_tells_is_trusted_and_one_that_guesses_is_not() -> None:
    good = judge(questions_for(2.5, 100))
    assert good.weight > 0.3
    assert good.with_it[0] > good.without[0] + 0.1
    assert good.with_it[1] > good.without[1]
    guessing = judge(questions_for(0.0, 100))
    assert guessing.weight == 0.0
    assert guessing.questions == 100
    assert judge(questions_for(-2.5, 100)).weight == 0.0
    assert judge(questions_for(2.5, 100, apart=False)).weight == 0.0


def test_few_questions_tell_nothing() -> None:
    assert judge(questions_for(2.5, FEWEST_QUESTIONS - 1)).weight == 0.0
    nothing = judge([])
    assert (nothing.questions, nothing.weight, nothing.without) == (0, 0.0, (0.0, 0.0))


def test_what_was_measured_is_kept_for_each_model_of_each_index(tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite3"
    assert find_measured(index, "one") is None
    one, two = MeasuredModel("one", 0.5, 100, 0.4, 0.45, 9), MeasuredModel("two", 0.0, 80, 0.4, 0.4, 9)
    keep_measured(index, one)
    keep_measured(index, two)
    assert (find_measured(index, "one"), find_measured(index, "two")) == (one, two)
    keep_measured(index, MeasuredModel("one", 99.0, 100, 0.4, 0.5, 9))
    kept = find_measured(index, "one")
    assert kept is not None
    assert kept.weight == MOST
    assert find_measured(tmp_path / "other.sqlite3", "one") is None
    [file] = tmp_path.iterdir()
    for damaged in ("", "[]", '{"one": 3}', '{"one": {"weight": 1}}', "\x00\xff"):
        file.write_text(damaged, "utf-8")
        assert find_measured(index, "one") is None


def test_a_folder_is_one_model_however_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models" / "one").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    index, whole = tmp_path / "index.sqlite3", str((tmp_path / "models" / "one").resolve())
    measured = MeasuredModel(whole, 0.5, 100, 0.4, 0.45, 9)
    keep_measured(index, measured)
    assert find_measured(index, "models/one") == find_measured(index, "models/../models/one/") == measured
    assert find_measured(index, f"{whole}:fp32") is None
    assert find_measured(index, "cross-encoder/one") is None
    assert find_measured(index, "") is None
