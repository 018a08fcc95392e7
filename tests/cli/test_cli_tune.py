"""``lexls tune`` end to end on a small library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_cli_docs import example, shape

from lexls.cli.tune import find_setting, write_settings
from lexls.retrieval.reranking.kept_with_library import find_order, keep_order, read_order
from lexls.retrieval.reranking.reranker import load_learnt
from lexls.settings.declaration import SETTINGS

Run = Any
"""``Run`` of conftest.py."""
QUESTIONS = (
    ("The board knew of the sunken pontoon.", "ash-mooring"),
    ("An expert owes a duty to the court.", "lorne"),
    ("A gift to a class closes.", "dunlin"),
    ("Who pays a contractor who dredges?", "rook"),
)


@pytest.fixture
def benchmark(matter: Path) -> str:
    lines = [{"id": f"q{n}", "text": text, "gold": [gold]} for n, (text, gold) in enumerate(QUESTIONS)]
    (matter / "questions.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return "questions.jsonl"


@pytest.mark.slow
def test_best_values_are_told_with_what_they_are_worth(lexls: Run, benchmark: str, matter: Path) -> None:
    arguments = ["tune", benchmark, "--trials", "4", "--folds", "2", "--study", "a.study", "--plot", "a.png"]
    told = lexls(*arguments, "--json").json
    assert told["start"] == told["cross_validated"] == told["best"] == 1.0
    assert set(told["values"]) >= {"rrf_k", "passages", "documents", "vectors", "citing"}
    assert len(told["folds"]) == 2
    assert (matter / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (matter / "a.study").stat().st_size > 0
    text = lexls(*arguments).out
    assert "tuned, on unseen   1.0000" in text
    assert "these parameters have no part in this search" in text
    assert "rrfK" in told["settings"]
    assert "rrfK" not in text, "what gains nothing is not proposed"


def test_passages_are_cut_anew_in_the_cache_folder(lexls: Run, benchmark: str, matter: Path) -> None:
    arguments = ["--parameters", "max_chars", "overlap", "--sampler", "grid", "--trials", "3", "--folds", "2"]
    result = lexls("tune", benchmark, *arguments, "--json")
    assert result.code == 0, result.err
    assert "words alone" in result.err
    assert "the grid has 12 points; 3 of them are tried" in result.err
    made = {path.name for path in (matter.parent / "home").rglob("*.sqlite3")}
    assert any(name.endswith("-1500-0.sqlite3") for name in made)
    assert len([name for name in made if "-0.sqlite3" in name or "00.sqlite3" in name]) >= 3
    settings = tomllib.loads(result.json["settings"])
    assert settings["passages"]["maxChars"] == result.json["values"]["max_chars"]


@pytest.mark.slow
def test_a_study_of_several_kinds_goes_on_in_another_process(benchmark: str, matter: Path) -> None:
    arguments = ["tune", benchmark, "--trials", "1", "--folds", "2", "--study", "a.study", "--lexical"]
    kinds = [word for kind in ("case", "statute", "regulation", "contract") for word in ("--kind", kind)]
    for seed in ("1", "2", "3"):  # the order of a set of texts differs between them
        done = subprocess.run(
            [sys.executable, "-m", "lexls", *arguments, *kinds],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr


def test_spans_are_tuned_for_quality(lexls: Run, matter: Path) -> None:
    lines = []
    for name, words in (("lorne", "An expert witness"), ("rook", "A contractor who dredges")):
        text = (matter / "library" / "cases" / f"{name}.md").read_text(encoding="utf-8")
        start = text.index(words)
        lines.append({"id": name, "file": name, "text": words, "spans": [[start, start + len(words)]]})
    (matter / "spans.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    told = lexls("tune", "spans.jsonl", "--trials", "2", "--folds", "2", "--json").json
    assert told["objective"] == "quality"
    assert told["start"] > 0.9


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["questions.jsonl", "--parameters", "zebra"], 2, "zebra is none of max_chars, overlap"),
        (["questions.jsonl", "--folds", "1"], 2, "at least 2 folds"),
        (["questions.jsonl", "--folds", "9"], 3, "questions.jsonl: 9 folds need at least 9 groups"),
        (
            ["questions.jsonl", "--objective", "quality", "--trials", "1", "--folds", "2"],
            3,
            "quality is a score",
        ),
        (["terms.jsonl"], 3, "ranked by none of these parameters"),
        (["gone.jsonl"], 3, "gone.jsonl: No such file"),
        (["questions.jsonl", "--plot", "a.bmp"], 3, "ends in .png"),
        (["questions.jsonl", "--folds", "2", "--study", "gone/a.study"], 3, "cannot be used"),
    ],
)
def test_what_cannot_be_tuned_is_said_in_a_line(
    lexls: Run, benchmark: str, matter: Path, arguments: list[str], code: int, message: str
) -> None:
    graded = [{"file": "lorne.md", "text": "“Weir” means a dam.", "grade": "high value"}]
    line = {"id": "t", "term": "weir", "sentences": graded}
    (matter / "terms.jsonl").write_text(json.dumps(line), encoding="utf-8")
    result = lexls("tune", *arguments)
    assert result.code == code, result.err
    assert message in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_only_values_that_are_settings_become_lines() -> None:
    assert find_setting("max_chars") == "passages.maxChars"
    assert find_setting("zebra") == ""
    assert tomllib.loads(write_settings({"max_chars": 900, "zebra": 1})) == {"passages": {"maxChars": 900}}
    assert find_setting("overlap") in SETTINGS


def test_without_the_extra_it_is_said_what_to_install(
    lexls: Run, benchmark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "optuna" else real(name, *rest)
    )
    result = lexls("tune", benchmark)
    assert result.code == 3
    assert "this needs optuna; run `pip install 'lexls[eval]'`" in result.err


RULES = ("dredging", "pilotage", "moorings", "lighterage", "salvage", "ballast", "towage", "wharfage")
SHIPS = ("Alder", "Birch", "Cedar", "Elder", "Hazel", "Larch", "Maple", "Rowan")
SAID = "a board that has taken the dues of a harbour answers to the owner of a ship for its"


@pytest.fixture
def harbour(matter: Path) -> Path:
    """A library in which judgments cite what nobody else cites, though something else says the same and is
    cited often."""
    library = matter / "harbour"
    library.mkdir()

    def write(name: str, text: str) -> str:
        number = len(list(library.iterdir())) + 1
        head = f'---\ntitle: {name}\ncitation: "[2041] EWHC {number} (Ch)"\nkind: case\n---\n\n'
        (library / f"{number}.md").write_text(f"{head}{text}\n", encoding="utf-8")
        return f"[2041] EWHC {number} (Ch)"

    def cite(name: str, signal: str, cited: list[str]) -> None:
        said = (f"[{n}] {signal} {SAID} {RULES[n - 1]}: {each}." for n, each in enumerate(cited, 1))
        write(name, "\n\n".join(said))

    often = [write("Ermine v Wick", f"[1] We hold that {SAID} {rule}.") for rule in RULES]
    for name in ("Usk v Fen", "Tarn v Fen", "Beck v Fen"):
        cite(name, "It is settled that", often)
    for ship in SHIPS:
        said = f"[1] The {ship} was not insured. The board is liable for"
        cite("Vale v Yew", f"As to the {ship},", [write("Sable v Rook", f"{said} {rule}.") for rule in RULES])
    return library


def test_the_order_is_learnt_from_the_librarys_own_sentences(lexls: Run, harbour: Path) -> None:
    library = ["--library", str(harbour), "--lexical"]

    def prefers_what_is_cited_once() -> bool:
        question = f"The Hazel lay in the fairway, and {SAID} salvage."
        hits = lexls("search", question, *library, "-k", "60", "--json").json["hits"]
        titles = [hit["title"] for hit in hits]
        return titles.index("Sable v Rook") < titles.index("Ermine v Wick")

    assert not prefers_what_is_cited_once()
    told = lexls("tune", "--learn", *library, "--json").json
    assert shape(told) == shape(example("tune", 1, of=2))
    learnt = told["by_words"]
    assert learnt["helps"]
    assert learnt["after"]["mrr"] > learnt["before"]["mrr"] + 0.3
    assert prefers_what_is_cited_once()
    assert f"Order       learnt from {learnt['sentences']} citing sentences of this library" in (
        lexls("doctor", str(harbour)).out
    )
    text = lexls("tune", "--learn", *library).out
    assert f"It is kept in {told['file']}; delete that to go back." in text
    Path(told["file"]).unlink()
    assert not prefers_what_is_cited_once()
    few = lexls("tune", "--learn", *library, "--questions", "60", "--json").json
    assert few["by_words"]["sentences"] == 60


def test_what_no_longer_helps_is_forgotten(lexls: Run, harbour: Path) -> None:
    library = ["--library", str(harbour), "--lexical"]
    kept = Path(lexls("tune", "--learn", *library, "--json").json["file"])
    assert kept.is_file()
    for path in harbour.glob("*.md"):
        if "Vale v Yew" in path.read_text(encoding="utf-8"):
            path.unlink()
    for number in range(7):
        often = (harbour / "9.md").read_text(encoding="utf-8")
        (harbour / f"more{number}.md").write_text(
            often.replace("EWHC 9 ", f"EWHC 9{number}0 ").replace("settled", f"settled {number} times"),
            "utf-8",
        )
    result = lexls("tune", "--learn", *library)
    assert "That is no sure gain" in result.out
    assert not kept.exists()


def test_what_was_learnt_with_vectors_stays_when_only_words_are_tried(lexls: Run, harbour: Path) -> None:
    library = ["--library", str(harbour), "--lexical"]
    assert lexls("index", str(harbour), "--lexical").code == 0
    index = Path(lexls("doctor", str(harbour), "--json").json["library"]["index"])
    brought = load_learnt()
    taught = replace(brought.with_vectors, weights=-brought.with_vectors.weights)
    keep_order(index, replace(brought, with_vectors=taught))
    assert lexls("tune", "--learn", *library, "--json").json["by_words"]["helps"]
    kept = read_order(index)
    assert kept is not None
    assert kept.with_vectors.weights.tolist() == taught.weights.tolist()
    assert kept.by_words.weights.tolist() != brought.by_words.weights.tolist()
    assert kept.recipe.startswith("sentences asked earlier with vectors; ")


def test_only_what_cites_judgments_teaches(lexls: Run, harbour: Path) -> None:
    (harbour / "act.md").write_text(
        "---\ntitle: Harbour Dues Act 1990\nkind: statute\n---\n\n1 The dues are payable.\n"
    )
    library = ["--library", str(harbour), "--lexical", "--json"]
    before = lexls("tune", "--learn", *library).json["by_words"]["sentences"]
    said = "\n\n".join(
        f"[{n}] The {ship} lay at the quay for {n} weeks and owed its dues: Harbour Dues Act 1990, s 1."
        for n, ship in enumerate(SHIPS, 1)
    )
    (harbour / "citing.md").write_text(f"---\ntitle: Ouse v Fen\nkind: case\n---\n\n{said}\n")
    assert lexls("tune", "--learn", *library).json["by_words"]["sentences"] == before


def test_an_order_that_no_search_would_use_is_not_learnt(lexls: Run, matter: Path) -> None:
    (matter / "lexls.toml").write_text("rerank.learned = false\n")
    result = lexls("tune", "--learn", "--lexical", "--library", "library")
    assert result.code == 3
    assert "rerank.learned is false" in result.err


def test_a_library_that_cites_itself_too_little_teaches_nothing(lexls: Run, matter: Path) -> None:
    result = lexls("tune", "--learn", "--lexical", "--library", "library")
    assert result.code == 3
    assert "sentences that cite a judgment of it; learning needs 50" in result.err


def test_either_a_benchmark_or_learning(lexls: Run, benchmark: str) -> None:
    for arguments in (["tune"], ["tune", benchmark, "--learn"]):
        result = lexls(*arguments)
        assert result.code == 2
        assert "give a BENCHMARK.jsonl, or --learn without one" in result.err
    result = lexls("tune", "--learn", "--plot", "plot.svg")
    assert (result.code, "--plot cannot be used with --learn" in result.err) == (2, True)


def test_an_order_that_cannot_be_used_is_told_and_does_not_count(
    lexls: Run, harbour: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert lexls("index", str(harbour), "--lexical").code == 0
    index = Path(lexls("doctor", str(harbour), "--json").json["library"]["index"])
    find_order(index).write_text("{}", encoding="utf-8")
    result = lexls("search", "the dues of a harbour", "--library", str(harbour), "--lexical")
    assert result.code == 0
    assert "no order that `lexls tune --learn` has written" in caplog.text
    assert "no order that `lexls tune --learn` has written" in lexls("doctor", str(harbour)).out
