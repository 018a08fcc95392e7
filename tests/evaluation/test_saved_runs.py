from __future__ import annotations

import json
from pathlib import Path

import pytest

from lexls.evaluation.runs import RankedAnswer, RankedItem, Run, RunFileError, RunHeader, load_run, save_run

RUN = Run(
    RunHeader("0.1", "eels.jsonl", "ab12", "documents", "cd34", {"ranking": {"rrf_k": 60}, "corpus": False}),
    (
        RankedAnswer("q 1", (RankedItem("weir of ünx.txt", 2.5), RankedItem("eels", 1.25)), 0.5),
        RankedAnswer("q2", (RankedItem("lease", 0.75, 10, 90), RankedItem("lease", 0.75, 90, 120)), 0.25),
    ),
    ({"map": 1.0, "mrr": 0.5}, {"map": 0.0, "mrr": 0.25}),
)


def test_a_saved_run_is_loaded_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    save_run(path, RUN)
    assert load_run(path) == RUN
    assert [each.name for each in tmp_path.iterdir()] == ["run.jsonl"]


def test_trec_tools_read_a_run(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    save_run(path, RUN)
    assert path.read_text(encoding="utf-8").splitlines() == [
        "q%201 Q0 weir%20of%20ünx.txt 1 2.5 lexls",
        "q%201 Q0 eels 2 1.25 lexls",
        # Equal scores would be put in the order of their names.
        "q2 Q0 lease:10-90 1 2.0 lexls",
        "q2 Q0 lease:90-120 2 1.0 lexls",
    ]


def test_ir_measures_scores_the_trec_file_as_we_do(tmp_path: Path) -> None:
    import ir_measures

    path = tmp_path / "x.run"
    save_run(path, RUN)
    qrels = [ir_measures.Qrel("q%201", "eels", 1)]
    found = ir_measures.calc_aggregate([ir_measures.RR], qrels, ir_measures.read_trec_run(str(path)))
    assert found[ir_measures.RR] == 1 / 2


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("no json", "not a run"),
        ("[1]\n", "not a run"),
        ("", "not a run"),
        ('{"format": 99}\n', "another version"),
        ('{"format": 1, "lexls": "1"}\n', "not a run"),
    ],
)
def test_a_file_that_is_no_run_is_named(tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(RunFileError, match=rf"odd.jsonl: .*{reason}"):
        load_run(path)


def test_a_run_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    save_run(path, RUN)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text(lines[0] + "\n", encoding="utf-8")
    with pytest.raises(RunFileError, match="not complete"):
        load_run(path)
    row = json.loads(lines[2])
    del row["figures"]["mrr"]
    path.write_text("\n".join([*lines[:2], json.dumps(row)]), encoding="utf-8")
    with pytest.raises(RunFileError, match="not complete"):
        load_run(path)


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunFileError, match="cannot be written"):
        save_run(tmp_path / "gone" / "run.jsonl", RUN)
    with pytest.raises(RunFileError, match=r"gone.jsonl: "):
        load_run(tmp_path / "gone.jsonl")
