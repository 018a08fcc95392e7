"""``lexls models try``, with a real cross-encoder of random weights."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from small_models import write_cross_encoder
from test_cli_docs import example, shape

Run = Any
"""``Run`` of conftest.py."""

RULES = (
    "a harbour board answers for the knowledge of every servant who receives reports",
    "an expert witness owes the court a duty that overrides any obligation to whoever pays",
    "a contractor who dredges for a board is paid by the depth that is measured",
    "a gift to a class closes when the first of its members is entitled to a share",
)
CITED = ("[2031] UKSC 12", "[2033] EWCA Civ 210", "[2034] EWHC 18 (Comm)", "[2029] EWHC 611 (Ch)")


@pytest.fixture
def model(matter: Path) -> Path:
    """A model, in a matter whose library has 28 sentences that cite an authority of it."""
    for number in range(7):
        said = "\n\n".join(
            f"[{place}] In matter {number} it is settled that {rule}: {cited}."
            for place, (rule, cited) in enumerate(zip(RULES, CITED, strict=True), 1)
        )
        head = (
            f'---\ntitle: Teal{number} v Rail\ncitation: "[2040] EWHC {number + 1} (Ch)"\nkind: case\n'
            "jurisdiction: IE\n---\n\n"
        )
        (matter / "library" / f"teal{number}.md").write_text(head + said + "\n", encoding="utf-8")
    folder = write_cross_encoder(matter / "reranker")
    settings = f'library.folders = ["library"]\nrerank.model = "{folder.as_posix()}"\nembeddings.model = ""\n'
    (matter / "lexls.toml").write_text(settings, encoding="utf-8")
    return folder


def test_a_model_of_chance_does_not_help_and_is_left_off(lexls: Run, model: Path) -> None:
    told = lexls("models", "try", str(model), "--json").json
    assert shape(told) == shape(example("models try"))
    assert told["questions"] == 28
    assert told["without"]["mrr"] > 0.8
    assert (told["helps"], told["weight"]) == (False, 0.0)
    text = lexls("models", "try", str(model)).out
    assert "It does not help here: left off." in text
    assert "MRR" in text
    assert lexls("models", "try", str(model), "--questions", "5", "--json").json["questions"] == 5


def test_without_citing_sentences_it_says_that_there_are_too_few(lexls: Run, matter: Path) -> None:
    folder = write_cross_encoder(matter / "reranker")
    result = lexls("models", "try", str(folder), "--library", "library", "--json")
    assert (result.code, result.json["questions"], result.json["weight"]) == (0, 0, 0.0)
    assert "too few to tell" in result.err


def test_a_model_that_is_none_fails_with_the_reason(lexls: Run, matter: Path) -> None:
    assert lexls("models", "try", "--library", "library").code == 2
    result = lexls("models", "try", str(matter), "--library", "library")
    assert result.code == 3
    assert len(result.err.splitlines()) == 1


def test_search_and_doctor_go_by_what_was_measured(lexls: Run, model: Path) -> None:
    assert "not measured yet" in lexls("search", "harbour board").err
    assert "has not measured it" in lexls("doctor").out
    lexls("models", "try")
    assert lexls("search", "harbour board").err == ""
    assert "does not help here" in lexls("doctor").out
    assert lexls("doctor", "--json").json["reranker"]["weight"] == 0.0
    [kept] = (model.parent.parent / "home").rglob("*-models")
    known = json.loads(kept.read_text("utf-8"))
    kept.write_text(json.dumps({name: each | {"weight": 0.5} for name, each in known.items()}), "utf-8")
    assert lexls("doctor", "--json").json["reranker"]["weight"] == 0.5
    assert lexls("search", "harbour board").err == ""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are found in /proc")
def test_it_can_be_interrupted(lexls: Run, model: Path) -> None:
    lexls("index")
    command = [sys.executable, "-m", "lexls", "models", "try", str(model)]
    # What runs behind a shell without job control is born deaf to interrupts.
    hear = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, start_new_session=True, preexec_fn=hear)
    until = time.monotonic() + 60
    while not (children := find_children(process.pid)):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.01)
    for child in children:
        os.kill(child, signal.SIGSTOP)  # so that the trial has no end before it is interrupted
    os.killpg(process.pid, signal.SIGINT)
    os.killpg(process.pid, signal.SIGCONT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in err
    while any(Path(f"/proc/{child}/task").is_dir() for child in children):
        assert time.monotonic() < until
        time.sleep(0.01)


def find_children(process: int) -> list[int]:
    """The processes that a running process has started."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for each in lists for child in each.read_text().split()]
