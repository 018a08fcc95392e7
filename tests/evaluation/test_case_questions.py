from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lexls.evaluation.asking import open_benchmark
from lexls.evaluation.benchmark import BenchmarkError
from lexls.evaluation.case_bases import evaluate_cases, list_ways_of_comparing, open_case_base
from lexls.models.messages import NO_PROMPTS, Prompts
from lexls.retrieval.precedents import CaseWeights
from lexls.text.cancel import CancelToken

CASES = (
    {"id": "weir", "question": "Who owns the weir?", "support": "low dams", "entities": "Moss"},
    {"id": "eels", "question": "Who owns the eels?", "support": "fish", "entities": ["Pike", "Moss"]},
    {"question": "May bells be rung at night?", "support": "low bells", "answer": "After six."},
)


class Letters:
    """An embedder that counts letters: texts of the same letters are alike."""

    name = "letters"
    dimension = 26

    def __init__(self, prompts: Prompts = NO_PROMPTS) -> None:
        self.prompts = prompts

    def encode(self, texts: Any, prompt: str = "") -> NDArray[np.float32]:
        read = [(prompt + text).lower() for text in texts]
        rows = np.array([[text.count(chr(97 + n)) for n in range(26)] for text in read], dtype=np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)


def write(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def ask(folder: Path, *questions: dict[str, Any], **options: Any) -> Any:
    benchmark = open_benchmark(write(folder / "questions.jsonl", *questions))
    cases = open_case_base(write(folder / "cases.jsonl", *CASES))
    weights = options.pop("weights", CaseWeights())
    embedder = options.pop("embedder", None)
    return evaluate_cases(benchmark, cases, weights, embedder, CancelToken(), **options)


def test_cases_are_found_by_their_words_and_named_by_id_or_line(tmp_path: Path) -> None:
    run = ask(
        tmp_path,
        {"id": "a", "question": "The eels: whose?", "gold": ["eels", "not-there"]},
        {"id": "b", "question": "bells at night", "gold": ["3"]},
    )
    assert run.header.kind == "cases"
    assert run.answers[0].items[0].name == "eels"
    assert run.answers[1].items[0].name == "3"
    first, second = run.figures
    assert first["f1@1"] == pytest.approx(2 * 1 * 0.5 / 1.5)
    assert second["f1@1"] == second["mrr"] == 1.0
    assert second["f1@3"] == pytest.approx(2 * (1 / 3) / (1 / 3 + 1))


def test_each_part_alone_ranks_by_itself(tmp_path: Path) -> None:
    question = {"id": "a", "question": "low bells", "gold": ["3"]}
    ways = list_ways_of_comparing()
    found = {
        name: [
            item.name for item in ask(tmp_path, question, weights=each, embedder=Letters()).answers[0].items
        ]
        for name, each in ways.items()
    }
    assert list(ways) == ["all", "only question", "only support", "only entities"]
    assert found["only support"][0] == "3", "the very letters of its support"
    assert "3" not in found["only entities"], "it has no entities"
    assert ways["all"] == CaseWeights()


def test_a_cue_stands_before_what_is_compared_with_support(tmp_path: Path) -> None:
    question = {"id": "a", "question": "x", "gold": ["eels"]}
    plain = ask(tmp_path, question, embedder=Letters(), weights=CaseWeights("support"))
    fish = Letters(Prompts("fish fish "))
    cued = ask(tmp_path, question, embedder=fish, weights=CaseWeights("support"))
    assert cued.answers[0].items[0].name == "eels"
    assert cued.answers[0].items[0].score > plain.answers[0].items[0].score
    assert cued.header.settings["cue"] == "fish fish "


def test_faults_are_named(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"questions.jsonl: the case base has none .* such as gone"):
        ask(tmp_path, {"id": "a", "question": "weir", "gold": ["gone"]})
    with pytest.raises(BenchmarkError, match=r"twice.jsonl:2: the id weir is also that of line 1"):
        open_case_base(write(tmp_path / "twice.jsonl", CASES[0], CASES[0]))
    with pytest.raises(BenchmarkError, match=r"bad.jsonl:1: no question"):
        open_case_base(write(tmp_path / "bad.jsonl", {"id": "x"}))
    with pytest.raises(BenchmarkError, match=r"empty.jsonl: "):
        open_case_base(write(tmp_path / "empty.jsonl"))
    with pytest.raises(BenchmarkError, match=r"gone.jsonl"):
        open_case_base(tmp_path / "gone.jsonl")
