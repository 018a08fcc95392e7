from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lexls.evaluation.benchmark import (
    BenchmarkError,
    DocumentQuestion,
    GradedSentence,
    SpanQuestion,
    TermQuestion,
    read_benchmark,
)
from lexls.text.spans import Span

SHARED = Path(__file__).parents[2] / ".." / "shared" / "benchmarks"
DOCUMENTS = {"id": "q1", "text": "A ferryman.", "gold": ["barrow.md"]}
SPANS = {"id": "q2", "file": "act.txt", "text": "Who pays?", "spans": [[3, 9]]}
TERM = {
    "id": "q3",
    "term": "weir",
    "sentences": [{"file": "a.md", "text": "A weir is.", "grade": "high value"}],
}


def benchmark(folder: Path, *lines: Any) -> Path:
    path = folder / "questions.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def test_each_kind_of_line_is_read(tmp_path: Path) -> None:
    assert read_benchmark(benchmark(tmp_path, {**DOCUMENTS, "citing": "self.md"}, "", DOCUMENTS)) == [
        DocumentQuestion(1, "q1", "A ferryman.", ("barrow.md",), "self.md"),
        DocumentQuestion(3, "q1", "A ferryman.", ("barrow.md",), ""),
    ]
    assert read_benchmark(benchmark(tmp_path, SPANS)) == [
        SpanQuestion(1, "q2", "Who pays?", "act.txt", (Span(3, 9),))
    ]
    assert read_benchmark(benchmark(tmp_path, TERM)) == [
        TermQuestion(1, "q3", "weir", (GradedSentence("a.md", "A weir is.", 3),))
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": "q"', "not JSON"),
        ("[1]", "not a JSON object"),
        ({"id": "q", "text": "x"}, "none of the fields"),
        ({**DOCUMENTS, "id": 7}, "`id`"),
        ({**DOCUMENTS, "text": " "}, "`text`"),
        ({**DOCUMENTS, "gold": []}, "`gold`"),
        ({**DOCUMENTS, "gold": "barrow.md"}, "`gold`"),
        ({**DOCUMENTS, "gold": [1]}, "`gold`"),
        ({**DOCUMENTS, "citing": 1}, "`citing`"),
        ({**SPANS, "file": None}, "`file`"),
        ({**SPANS, "spans": [[9, 3]]}, "`spans`"),
        ({**SPANS, "spans": [[0, True]]}, "`spans`"),
        ({**SPANS, "spans": [3, 9]}, "`spans`"),
        ({**TERM, "sentences": ["A weir."]}, "`sentences`"),
        ({**TERM, "sentences": [{"file": "a.md", "text": "x", "grade": "fine"}]}, "`grade`"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: Any, reason: str) -> None:
    path = benchmark(tmp_path, "", line)
    with pytest.raises(BenchmarkError, match=reason) as caught:
        read_benchmark(path)
    assert f"{path}:2:" in str(caught.value)


def test_questions_of_two_kinds_do_not_mix(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"questions.jsonl:2: another kind"):
        read_benchmark(benchmark(tmp_path, DOCUMENTS, SPANS))


def test_a_file_that_is_no_benchmark_is_named(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="no questions"):
        read_benchmark(benchmark(tmp_path, ""))
    with pytest.raises(BenchmarkError, match=r"absent\.jsonl"):
        read_benchmark(tmp_path / "absent.jsonl")
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes(b'{"id": "\xe9"}')
    with pytest.raises(BenchmarkError, match="not UTF-8"):
        read_benchmark(latin)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the benchmarks are not on this machine")
def test_every_shared_benchmark_is_read() -> None:
    paths = sorted(SHARED.glob("*.jsonl"))
    assert paths
    for path in paths:
        lines = sum(1 for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
        assert len(read_benchmark(path)) == lines
