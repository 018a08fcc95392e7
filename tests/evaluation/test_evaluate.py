from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lexls.evaluation.asking import evaluate, identify_index, open_benchmark
from lexls.evaluation.benchmark import BenchmarkError
from lexls.evaluation.statistics import summarize_run
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import Cancelled, CancelToken

WEIR = "The weir belongs to the miller."
DOCUMENTS = {
    "weir.txt": f"Moss v Reed\n\n1. {WEIR}\n\n2. The eels belong to whoever catches them below it.\n",
    "eels.txt": "Pike v Crown\n\n1. Eels are fish, and the law of fish applies to eels.\n",
    "bells.txt": "Toll v Parish\n\n1. Bells may be rung on feast days after the sixth hour.\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("authorities")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    index = tmp_path_factory.mktemp("index") / "index.sqlite"
    library, _ = open_library([folder], index, Settings(embeddings_model=""), lexical_only=True)
    yield library
    library.close()


def ask(library: Library, folder: Path, *lines: dict[str, Any], **options: Any) -> dict[str, Any]:
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    token = options.pop("token", CancelToken())
    return summarize_run(evaluate(open_benchmark(path), Searcher(library), token, **options))


def test_documents_are_named_with_or_without_suffix(library: Library, tmp_path: Path) -> None:
    told = ask(
        library,
        tmp_path,
        {"id": "a", "text": "Who owns the weir and the eels?", "gold": ["weir"]},
        {"id": "b", "text": "The law of fish and eels", "gold": ["eels.txt", "not-in-the-library.txt"]},
    )
    assert told["benchmark"] == "questions.jsonl"
    assert told["queries"] == 2
    assert told["figures"]["mrr"] == 1.0
    assert told["figures"]["map"] == pytest.approx((1 + 1 / 2) / 2)
    assert told["figures"]["recall@10"] == pytest.approx((1 + 1 / 2) / 2)
    assert told["figures"]["hit@5"] == 1.0
    assert 0 <= told["latency_ms"]["p50"] <= told["latency_ms"]["p95"]
    assert {"map", "mrr", "ndcg@10", "bpref", "p@5", "p@10", "recall@10", "hit@5"} <= told["figures"].keys()
    # Of two queries with 1 and ½ the draws reach from ½ to 1.
    assert told["intervals"]["recall@10"] == [0.5, 1.0]


def test_the_citing_document_is_left_out(library: Library, tmp_path: Path) -> None:
    line = {"id": "a", "text": "The weir and the eels", "gold": ["eels.txt"]}
    assert ask(library, tmp_path, line)["figures"]["mrr"] == 1 / 2
    assert ask(library, tmp_path, {**line, "citing": "weir.txt"})["figures"]["mrr"] == 1.0


def test_a_line_with_a_file_is_searched_inside_it_or_in_the_corpus(library: Library, tmp_path: Path) -> None:
    text = DOCUMENTS["weir.txt"]
    start = text.index(WEIR)
    line = {
        "id": "a",
        "file": "weir.txt",
        "text": "the law of fish applies: whose is the weir?",
        "spans": [[start, start + len(WEIR)]],
    }
    inside = ask(library, tmp_path, line)["figures"]
    assert inside["hit@1"] == inside["mrr"] == inside["recall@10"] == inside["fully_covered"] == 1.0
    corpus = ask(library, tmp_path, line, corpus=True)["figures"]
    assert corpus["char_precision@10"] < inside["char_precision@10"]
    assert corpus["recall@10"] == 1.0


def test_sentences_of_a_term_are_ranked(library: Library, tmp_path: Path) -> None:
    graded = [
        ("The boat passed the weir.", "no value"),
        ("“Weir” means a low dam across a river.", "high value"),
    ]
    sentences = [{"file": "weir.txt", "text": text, "grade": grade} for text, grade in graded]
    told = ask(library, tmp_path, {"id": "a", "term": "weir", "sentences": sentences})
    assert told["figures"] == {"ndcg@10": 1.0, "ndcg@100": 1.0}


def test_a_file_that_is_not_in_the_library_is_named_with_its_line(library: Library, tmp_path: Path) -> None:
    line = {"id": "a", "file": "gone.txt", "text": "What?", "spans": [[0, 1]]}
    with pytest.raises(BenchmarkError, match=r"questions.jsonl:1: gone.txt is not in the library"):
        ask(library, tmp_path, line)


def test_a_benchmark_of_another_library_is_refused(library: Library, tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="none of its documents, such as gone"):
        ask(library, tmp_path, {"id": "a", "text": "What?", "gold": ["gone"]})


def test_an_evaluation_can_be_cancelled_and_watched(library: Library, tmp_path: Path) -> None:
    token = CancelToken()
    seen: list[tuple[int, int]] = []

    def watch(done: int, total: int) -> None:
        seen.append((done, total))
        token.cancel()

    line = {"id": "a", "text": "weir", "gold": ["weir"]}
    with pytest.raises(Cancelled):
        ask(library, tmp_path, line, line, token=token, on_question=watch)
    assert seen == [(1, 2)]


def test_one_document_under_two_names_is_one(library: Library, tmp_path: Path) -> None:
    line = {"id": "a", "text": "The law of fish and eels", "gold": ["eels.txt", "eels"]}
    assert ask(library, tmp_path, line)["figures"]["map"] == 1.0


def test_a_run_knows_what_it_was(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    line = {"id": "a", "text": "The law of fish and eels", "gold": ["eels"]}
    path.write_text(json.dumps(line), encoding="utf-8")
    run = evaluate(open_benchmark(path), Searcher(library), CancelToken())
    assert run.answers[0].items[0].name == "eels"
    assert run.answers[0].seconds > 0
    assert run.header.kind == "documents"
    assert run.header.index == identify_index(library)
    assert run.header.benchmark_hash == hashlib.sha256(path.read_bytes()).hexdigest()
    assert run.header.settings["ranking"]["rrf_k"] == Ranking().rrf_k
    assert json.loads(json.dumps(run.header.settings)) == run.header.settings


def test_passages_are_named_with_their_place(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    line = {"id": "a", "file": "weir", "text": "Whose is the weir?", "spans": [[0, 4]]}
    path.write_text(json.dumps(line), encoding="utf-8")
    run = evaluate(open_benchmark(path), Searcher(library), CancelToken())
    first = run.answers[0].items[0]
    assert first.name == "weir"
    assert "weir" in DOCUMENTS["weir.txt"][first.start : first.end]


def test_fingerprint_follows_the_files_and_how_they_are_read(tmp_path: Path) -> None:
    def fingerprint_of(text: str, name: str = "a.txt", max_chars: int = 1500) -> str:
        folder = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
        settings = Settings(embeddings_model="", passages_max_chars=max_chars)
        opened, _ = open_library([folder], folder.with_suffix(".sqlite"), settings, lexical_only=True)
        try:
            return identify_index(opened)
        finally:
            opened.close()

    same = fingerprint_of("The weir.")
    assert fingerprint_of("The weir.") == same
    others = {
        fingerprint_of("The mill."),
        fingerprint_of("The weir.", "b.txt"),
        fingerprint_of("The weir.", max_chars=900),
    }
    assert len(others | {same}) == 4
