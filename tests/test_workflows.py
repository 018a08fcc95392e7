"""The workflows and the action: what a runner refuses, what a stranger may inject, what the sample gives."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
BIN = Path(sys.executable).parent
ACTION: Mapping[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))


def steps(part: Any) -> Iterator[Mapping[str, Any]]:
    """All steps below a part of a workflow or action, and jobs that call a workflow."""
    if isinstance(part, dict):
        if "uses" in part or "run" in part:
            yield part
        for each in part.values():
            yield from steps(each)
    elif isinstance(part, list):
        for each in part:
            yield from steps(each)


def lint(*command: str | Path) -> None:
    done = subprocess.run([BIN / command[0], *command[1:]], cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_workflows_and_action_have_the_form_that_a_runner_reads() -> None:
    lint("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml")
    lint("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)


def test_nothing_in_them_lets_a_stranger_in() -> None:
    lint(
        "zizmor",
        "--offline",
        "--no-progress",
        "--quiet",
        "--min-severity",
        "medium",
        "action.yml",
        ".github/workflows",
    )


@pytest.mark.parametrize("file", [ROOT / "action.yml", *WORKFLOWS], ids=lambda each: each.name)
def test_each_action_is_pinned_and_no_script_is_filled_in(file: Path) -> None:
    text = file.read_text("utf-8")
    used = [each["uses"] for each in steps(yaml.safe_load(text)) if "uses" in each]
    for each in used:
        pinned = re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", each)
        assert pinned or each.startswith("./"), each
        assert not pinned or re.search(rf"{each} # v\d+\.\d+\.\d+$", text, re.MULTILINE), (
            f"{each}: of which version?"
        )
    for each in steps(yaml.safe_load(text)):
        assert "${{" not in each.get("run", ""), "values come by the environment"


def test_workflows_call_what_there_is() -> None:
    runs = "\n".join(
        each.get("run", "") for file in WORKFLOWS for each in steps(yaml.safe_load(file.read_text("utf-8")))
    )
    for path in re.findall(r"(?<![\w/])((?:\.ci|tests)/[\w./]+)", runs):
        assert (ROOT / path).is_file(), path
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    called = re.findall(r"make (\w+)", runs)
    assert called
    assert set(called) <= set(targets)


def test_installs_are_tried_on_each_python_that_is_served() -> None:
    job = yaml.safe_load((ROOT / ".github/workflows/install.yml").read_text("utf-8"))["jobs"]["install"]
    classifiers = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text("utf-8"))
    assert job["strategy"]["matrix"]["python"] == classifiers
    served = re.search(
        r"^SERVED = \((.+)\)$", (ROOT / "tests/installing/try_wheel.py").read_text("utf-8"), re.MULTILINE
    )
    assert served
    assert re.findall(r'"(.+?)"', served[1]) == classifiers


def test_each_input_of_the_action_is_used_and_told() -> None:
    text, manual = (ROOT / "action.yml").read_text("utf-8"), (ROOT / "docs/ci.md").read_text("utf-8")
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])
    for name, declared in ACTION["inputs"].items():
        assert declared["description"]
        assert f"`{name}`" in manual, name


def resolve(value: str, inputs: Mapping[str, str]) -> str:
    """A value with its expressions filled in, as the runner does it."""
    known = {f"inputs.{name}": declared.get("default", "") for name, declared in ACTION["inputs"].items()}
    known |= {f"inputs.{name}": text for name, text in inputs.items()}
    known["steps.python.outputs.python-path"] = sys.executable
    return re.sub(r"\$\{\{ *(\S+) *\}\}", lambda found: known[found[1]], value)


def act(name: str, temp: Path, workspace: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the step of a name with bash, as the runner does."""
    inputs = {key.replace("_", "-"): value for key, value in inputs.items()}
    (step,) = (each for each in ACTION["runs"]["steps"] if each.get("name") == name)
    assert step["shell"] == "bash"
    own = {key: resolve(value, inputs) for key, value in step["env"].items()}
    homes = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(temp / "home"))
    runner = {"RUNNER_TEMP": str(temp), "GITHUB_ACTION_PATH": str(ROOT), "GITHUB_WORKSPACE": str(workspace)}
    script = temp / "step.sh"
    script.write_text(step["run"], "utf-8")
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script],
        cwd=workspace / resolve(step.get("working-directory", "."), inputs),
        env={**os.environ, **homes, **runner, **own},
        text=True,
        capture_output=True,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runner's folder after the action's first step of ours."""
    temp = tmp_path_factory.mktemp("runner with a blank")
    done = act("Install lexls", temp, ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return temp


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "work" / "examples")
    return tmp_path / "work"


@pytest.mark.slow
def test_the_action_sets_findings_beside_the_lines_and_fails(installed: Path, workspace: Path) -> None:
    done = act(
        "Check the drafts",
        installed,
        workspace,
        working_directory="examples",
        drafts="drafts\n",
        report="r.html",
    )
    assert done.returncode == 1, done.stderr
    found = [line for line in done.stdout.splitlines() if line.startswith("::")]
    assert any(
        re.match(r"::error file=drafts/memorandum\.tex,line=64,.*misquotation", line) for line in found
    ), found
    assert "Carrow" in (workspace / "examples/r.html").read_text("utf-8")


@pytest.mark.slow
def test_the_action_passes_a_draft_without_slips(installed: Path, workspace: Path) -> None:
    library = "examples/library/cases\nexamples/library/statutes"
    done = act("Check the drafts", installed, workspace, drafts="examples/drafts/advice.typ", library=library)
    assert (done.returncode, done.stdout) == (0, ""), done


@pytest.mark.slow
def test_the_action_writes_sarif_instead(installed: Path, workspace: Path) -> None:
    inputs = {"working_directory": "examples", "drafts": "drafts", "sarif": "lexls.sarif", "fail_on": "never"}
    done = act("Check the drafts", installed, workspace, **inputs)
    assert (done.returncode, done.stdout) == (0, ""), done
    log = json.loads((workspace / "examples/lexls.sarif").read_text("utf-8"))
    assert {each["ruleId"] for each in log["runs"][0]["results"]} >= {"misquotation"}


@pytest.mark.slow
def test_what_an_input_says_is_never_run_and_is_no_option(installed: Path, workspace: Path) -> None:
    hostile = "\"; touch pwned; $(touch pwned) `touch pwned` --output=pwned '"
    inputs = ("drafts", "library", "jurisdiction", "fail_on", "strict", "report", "sarif")
    assert act("Check the drafts", installed, workspace, **dict.fromkeys(inputs, hostile)).returncode == 2
    done = act("Check the drafts", installed, workspace, drafts="--output=pwned\nexamples/drafts/advice.typ")
    assert "--output=pwned" in done.stdout
    assert not [*workspace.rglob("pwned"), *installed.glob("pwned")]
