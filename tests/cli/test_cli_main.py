"""The frame of the command line: exit codes, failures, what is imported."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import lexls as package

Run = Any
"""``Run`` of conftest.py."""

HEAVY = (
    "onnxruntime",
    "onnx",
    "tokenizers",
    "torch",
    "sentence_transformers",
    "llama_cpp",
    "numpy",
    "apsw",
    "pygls",
    "yaml",
    "lxml",
)


def test_version_is_printed(lexls: Run) -> None:
    result = lexls("--version")
    assert (result.code, result.out) == (0, f"lexls {package.__version__}\n")


def test_module_runs_the_same_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lexls", "--version"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"lexls {package.__version__}\n")


@pytest.mark.parametrize(
    "code",
    [
        "from lexls.cli.main import main\ntry: main(['--version'])\nexcept SystemExit: pass",
        "from lexls.cli.main import main\ntry: main(['serve', '--help'])\nexcept SystemExit: pass",
        "import lexls.cli.main, lexls.cli.main",
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(code: str) -> None:
    probe = f"{code}\nimport sys, json\nprint(json.dumps(sorted(set(sys.modules) & set({HEAVY!r}))))"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == []


@pytest.mark.parametrize(("said", "threads"), [(None, "1"), ("2", "2")])
def test_products_of_matrices_take_one_thread_unless_the_user_says_otherwise(
    said: str | None, threads: str
) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    environment |= {} if said is None else {"OPENBLAS_NUM_THREADS": said}
    code = (
        "import os, sys\nfrom lexls.cli.main import main\nsys.argv = ['lexls', '--version']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "import numpy\nprint(os.environ['OPENBLAS_NUM_THREADS'])\n"
        "if sys.platform == 'linux': print(len(os.listdir('/proc/self/task')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True, env=environment
    )
    shown = done.stdout.splitlines()[1:]
    assert shown[0] == threads
    if said is None:
        assert shown[1:] in ([], ["1"])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "COMMAND"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        (["search"], "QUERY"),
        (["search", " "], "the text is empty"),
        (["search", "x", "-k", "0"], '"0" is not a whole number above 0'),
        (["search", "x", "--kind", "poem"], '"poem" is none of case, statute'),
        (["search", "x", "--from", "1998-13"], '"1998-13" is not a date'),
        (["support"], "give the proposition, or --file and --line"),
        (["support", "--file", "x.md"], "give the proposition, or --file and --line"),
        (["support", "x", "--line", "3"], "not both"),
        (["explain", "x.md"], "--line"),
        (["explain", "x.md", "--line", "²"], "is not a whole number"),
        (["serve", "--tcp=law.example:7443"], "start `ssh HOST lexls serve --client NAME`"),
        (["serve", "--client", "../x"], '"../x" is not a name'),
        (["connect", "law.example:7443"], "connect are gone"),
        (["models"], "ACTION"),
    ],
)
def test_wrong_command_line_is_explained(lexls: Run, arguments: list[str], reason: str) -> None:
    result = lexls(*arguments)
    assert (result.code, result.out) == (2, "")
    assert reason in result.err
    assert "--help" in result.err


@pytest.mark.parametrize("command", [["search", "x"], ["index"], ["check", "draft.md"]])
def test_missing_library_is_a_usage_error_and_json_says_it_too(
    lexls: Run, matter: Path, command: list[str]
) -> None:
    (matter / "library").rename(matter / "elsewhere")
    plain = lexls(*command)
    assert (plain.code, plain.out) == (2, "")
    assert "no library" in plain.err
    structured = lexls(*command, "--json")
    assert structured.code == 2
    assert "no library" in structured.json["error"]


def test_library_folder_that_is_not_there_is_named(lexls: Run, matter: Path) -> None:
    result = lexls("search", "x", "--library", "nowhere")
    assert (result.code, result.err) == (2, "lexls: nowhere: there is no such folder\n")


def test_settings_problems_are_warnings_on_standard_error(lexls: Run, matter: Path) -> None:
    toml = matter / "lexls.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + "hover.maxPassage = 1\n", encoding="utf-8")
    result = lexls("search", "harbour", "--json")
    assert result.code == 0
    assert result.json["hits"]
    assert (
        f'warning: {toml}: hover.maxPassage: is not a setting of lexls; did you mean "hover.maxP'
        in result.err
    )


def test_index_path_that_is_another_file_fails_with_the_reason(lexls: Run, matter: Path) -> None:
    other = matter / "notes.txt"
    other.write_text("These are notes and no index at all, whatever they are named.\n" * 40, encoding="utf-8")
    before = other.read_bytes()
    result = lexls("index", "--index", str(other), "--json")
    assert result.code == 3
    assert result.json == {"error": f"{other}: is not an index of lexls"}
    assert other.read_bytes() == before


def test_reader_that_stops_early_is_no_failure(matter: Path) -> None:
    command = f'"{sys.executable}" -m lexls index && "{sys.executable}" -m lexls search harbour | true'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
def test_index_draws_progress_on_a_terminal_and_nowhere_else(matter: Path) -> None:
    import pty

    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "lexls", "index", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, timeout=120, check=True)
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):  # how Linux says that the other side is closed
        while piece := os.read(screen, 65536):
            shown += piece
    os.close(screen)
    assert b"reading" in shown
    assert b"files" in shown
    assert json.loads(done.stdout)["added"] == 4
    again = subprocess.run(command, capture_output=True, timeout=120, check=True)
    assert again.stderr == b""


def test_cite_imports_only_what_a_draft_of_text_needs(tmp_path: Path) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text("The rule is settled: Vane v Rook [2019] UKSC 55.\n", encoding="utf-8")
    heavy = {"numpy", "lxml", "apsw", "lexls.index.library", "lexls.features", "reporters_db"}
    forms = {"lexls.citations.grammar", "lexls.reading.draft_parser"}
    for path, unwanted in ((draft, heavy), (tmp_path / "none.md", heavy | forms)):
        script = (
            "import sys; from lexls.cli.main import main\n"
            f"main(['cite', {str(path)!r}]); print({unwanted!r} & set(sys.modules))"
        )
        run = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=True
        )
        assert run.stdout.splitlines()[-1] == "set()"
