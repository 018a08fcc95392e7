"""``lexls eval`` end to end on a small library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

Run = Any
"""``Run`` of conftest.py."""
QUESTIONS = (
    {"id": "pontoon", "text": "The board knew of the sunken pontoon.", "gold": ["ash-mooring"]},
    {"id": "expert", "text": "An expert owes a duty to the court.", "gold": ["lorne"], "citing": "rook"},
    {"id": "gift", "text": "A gift to a class closes.", "gold": ["dunlin", "not-there"]},
)


@pytest.fixture
def benchmark(matter: Path) -> str:
    write(matter / "questions.jsonl", *QUESTIONS)
    return "questions.jsonl"


def write(path: Path, *lines: dict[str, Any]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def test_figures_have_intervals(lexls: Run, benchmark: str) -> None:
    told = lexls("eval", benchmark, "--json").json
    assert told["figures"]["mrr"] == 1.0
    assert told["figures"]["map"] == pytest.approx((1 + 1 + 0.5) / 3, abs=1e-4)
    assert told["intervals"]["map"] == [0.5, 1.0]
    text = lexls("eval", benchmark).out
    assert "questions.jsonl: 3 queries" in text
    assert "map                   0.8333  [0.5000, 1.0000]" in text


def test_stages_stand_side_by_side(lexls: Run, benchmark: str) -> None:
    told = lexls("eval", benchmark, "--stages", "--json").json
    rows = {row["stage"]: row for row in told["stages"]}
    assert {"all", "only passages", "only vectors", "without documents"} <= set(rows)
    assert rows["all"]["figures"]["mrr"] == 1.0
    assert rows["only vectors"]["figures"]["mrr"] == 0.0, "there are no vectors here"
    assert rows["without vectors"]["unchanged"]
    assert not rows["only vectors"]["unchanged"]
    text = lexls("eval", benchmark, "--stages").out.splitlines()
    [vectors] = [line for line in text if line.startswith("without vectors")]
    assert vectors.endswith("changes nothing")


def test_stages_of_spans_and_terms(lexls: Run, matter: Path) -> None:
    text = (matter / "library" / "cases" / "lorne.md").read_text(encoding="utf-8")
    start = text.index("An expert witness")
    write(
        matter / "spans.jsonl",
        {"id": "a", "file": "lorne.md", "text": "expert witness", "spans": [[start, start + 10]]},
    )
    rows = lexls("eval", "spans.jsonl", "--stages", "--json").json["stages"]
    assert rows[0]["figures"]["recall@10"] == 1.0
    graded = [
        {"file": "lorne.md", "text": "A weir was passed.", "grade": "no value"},
        {"file": "lorne.md", "text": "“Weir” means a low dam.", "grade": "high value"},
        {"file": "lorne.md", "text": "He spoke of boats.", "grade": "no value"},
    ]
    write(matter / "terms.jsonl", {"id": "t", "term": "weir", "sentences": graded})
    rows = lexls("eval", "terms.jsonl", "--stages", "--json").json["stages"]
    assert [row["stage"] for row in rows] == ["all", "words alone", "random order", "BM25"]
    assert rows[1]["unchanged"], "there are no vectors here"
    ours, _, by_chance, _ = (row["figures"]["ndcg@10"] for row in rows)
    # The place of the one good sentence among three is equally often each.
    assert by_chance == pytest.approx((1 + 0.6309 + 0.5) / 3, abs=0.05)
    assert ours == 1.0


def test_runs_are_saved_shown_and_compared(lexls: Run, benchmark: str, matter: Path) -> None:
    assert lexls("eval", benchmark, "--save", "a.jsonl").code == 0
    assert lexls("eval", benchmark, "--kind", "statute", "--save", "b.jsonl").code == 0
    saved = (matter / "a.jsonl").read_text(encoding="utf-8")
    assert "pontoon" in saved
    assert "sunken" not in saved, "no text is kept"
    told = lexls("eval", "--compare", "a.jsonl", "b.jsonl", "--json").json
    differences = {each["measure"]: each for each in told["differences"]}
    assert differences["mrr"]["difference"] == -1.0
    assert differences["mrr"]["p_randomization"] == 2 / 8
    assert differences["bpref"]["first"] == pytest.approx(2.5 / 3, abs=1e-4)
    text = lexls("eval", "--compare", "a.jsonl", "b.jsonl").out
    assert "mrr" in text
    assert "-1.0000" in text
    shown = lexls("eval", "--runs", "a.jsonl", "b.jsonl", "--json").json["runs"]
    assert [each["figures"]["mrr"] for each in shown] == [1.0, 0.0]
    assert "b.jsonl" in lexls("eval", "--runs", "a.jsonl", "b.jsonl").out


def test_trec_run_and_the_runs_of_stages(lexls: Run, benchmark: str, matter: Path) -> None:
    lexls("eval", benchmark, "--save", "x.run")
    first = (matter / "x.run").read_text(encoding="utf-8").splitlines()[0].split()
    assert first[:4] == ["pontoon", "Q0", "ash-mooring", "1"]
    lexls("eval", benchmark, "--stages", "--save", "s.jsonl")
    assert (matter / "s.only-passages.jsonl").is_file()
    assert lexls("eval", "--compare", "s.all.jsonl", "s.only-passages.jsonl").code == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["figures.png", "figures.svg"])
def test_figures_are_drawn(lexls: Run, benchmark: str, matter: Path, name: str) -> None:
    magic = b"\x89PNG" if name.endswith("png") else b"<?xml"
    for arguments in ([benchmark], [benchmark, "--stages"]):
        assert lexls("eval", *arguments, "--plot", name).code == 0
        assert (matter / name).read_bytes().startswith(magic)
        (matter / name).unlink()
    lexls("eval", benchmark, "--save", "a.jsonl")
    assert lexls("eval", "--compare", "a.jsonl", "a.jsonl", "--plot", name).code == 0
    assert (matter / name).read_bytes().startswith(magic)


def test_drawn_text_names_measures_and_runs(lexls: Run, benchmark: str, matter: Path) -> None:
    lexls("eval", benchmark, "--stages", "--plot", "figures.svg")
    drawn = (matter / "figures.svg").read_text(encoding="utf-8")
    assert "<!-- only passages -->" in drawn
    assert "<!-- recall@10 -->" in drawn


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "give a benchmark, or --compare"),
        (["questions.jsonl", "--compare", "a", "b"], 2, "give a benchmark, or --compare"),
        (["--runs", "a", "--stages"], 2, "only shown and compared"),
        (["gone.jsonl"], 3, "gone.jsonl: "),
        (["--compare", "questions.jsonl", "questions.jsonl"], 3, "not a run saved by"),
        (["questions.jsonl", "--plot", "figures.bmp"], 3, "ends in .png, .svg, .pdf"),
        (["questions.jsonl", "--plot", "gone/figures.png"], 3, "no such folder"),
        (["questions.jsonl", "--save", "gone/run.jsonl"], 3, "cannot be written: there is no folder gone"),
        (["questions.jsonl", "--save", "library"], 3, "cannot be written: is a folder"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    lexls: Run, benchmark: str, arguments: list[str], code: int, message: str
) -> None:
    result = lexls("eval", *arguments)
    assert result.code == code
    assert message in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_runs_of_two_benchmarks_are_not_compared(lexls: Run, benchmark: str, matter: Path) -> None:
    write(matter / "others.jsonl", *QUESTIONS[:2])
    lexls("eval", benchmark, "--save", "a.jsonl")
    lexls("eval", "others.jsonl", "--save", "b.jsonl")
    result = lexls("eval", "--compare", "a.jsonl", "b.jsonl")
    assert result.code == 3
    assert "different benchmarks: questions.jsonl and others.jsonl" in result.err


def test_without_the_extra_it_is_said_what_to_install(
    lexls: Run, benchmark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "matplotlib" else real(name, *rest)
    )
    result = lexls("eval", benchmark, "--plot", "figures.png")
    assert result.code == 3
    assert "matplotlib" in result.err
    assert "pip install 'lexls[eval]'" in result.err


def test_a_case_base_is_measured_by_f1(lexls: Run, matter: Path) -> None:
    cases = (
        {"id": "weir", "question": "Who owns the weir?", "support": "A weir is a low dam."},
        {"id": "eels", "question": "Who owns the eels?", "support": "Eels are fish."},
    )
    write(matter / "cases.jsonl", *cases)
    write(matter / "asked.jsonl", {"id": "a", "question": "whose eels?", "gold": ["eels"]})
    told = lexls("eval", "asked.jsonl", "--case-base", "cases.jsonl", "--json").json
    assert told["figures"]["f1@1"] == 1.0
    assert told["figures"]["f1@2"] == pytest.approx(2 / 3, abs=1e-4)
    rows = lexls("eval", "asked.jsonl", "--case-base", "cases.jsonl", "--stages", "--json").json["stages"]
    assert [row["stage"] for row in rows] == ["words alone"], "there is no model here"
    text = lexls("eval", "asked.jsonl", "--case-base", "cases.jsonl", "--stages").out
    assert "f1@3" in text


def test_a_case_base_goes_with_questions_for_it(lexls: Run, benchmark: str, matter: Path) -> None:
    write(matter / "asked.jsonl", {"id": "a", "question": "whose eels?", "gold": ["eels"]})
    write(matter / "cases.jsonl", {"id": "eels", "question": "Who owns the eels?"})
    for arguments in (["asked.jsonl"], [benchmark, "--case-base", "cases.jsonl"]):
        result = lexls("eval", *arguments)
        assert result.code == 2
        assert "need --case-base" in result.err
