"""Commands that measure or serve agents, where the packages they need are not installed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEFT_OUT = ("ir_measures", "pytrec_eval", "scipy", "matplotlib", "optuna", "mcp")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages: all that are installed here but those of ``eval`` and ``mcp``."""
    folder = tmp_path_factory.mktemp("packages")
    for package in Path(sysconfig.get_path("purelib")).iterdir():
        if not package.name.startswith(LEFT_OUT):
            (folder / package.name).symlink_to(package)
    return folder


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(installed)])}
    return subprocess.run(
        [sys.executable, "-S", *arguments],
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("package", LEFT_OUT)
def test_the_packages_are_really_missing(installed: Path, tmp_path: Path, package: str) -> None:
    found = run(installed, tmp_path, "-c", f"import lexls.cli.main, numpy, {package}")
    assert f"No module named '{package}'" in found.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("eval", "questions.jsonl"),
        ("eval", "questions.jsonl", "--embedders", "gte-base"),
        ("eval", "questions.jsonl", "--explain"),
        ("eval", "questions.jsonl", "--plot", "figures.png"),
        ("eval", "--compare", "a.jsonl", "b.jsonl"),
        ("tune", "questions.jsonl"),
    ],
)
def test_a_command_that_measures_says_how_to_install_the_extra(
    installed: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    found = run(installed, tmp_path, "-m", "lexls", *arguments)
    assert found.returncode == 3
    (line,) = found.stderr.splitlines()
    assert line.startswith("lexls: this needs ")
    assert line.endswith("run `pip install 'lexls[eval]'`")


@pytest.mark.parametrize("command", ["eval", "tune"])
def test_help_is_there_all_the_same(installed: Path, tmp_path: Path, command: str) -> None:
    found = run(installed, tmp_path, "-m", "lexls", command, "--help")
    assert found.returncode == 0
    assert "BENCHMARK.jsonl" in found.stdout


def test_serving_agents_says_how_to_install_the_extra(installed: Path, tmp_path: Path) -> None:
    found = run(installed, tmp_path, "-m", "lexls", "mcp")
    assert found.returncode == 3
    assert found.stdout == ""
    assert found.stderr == "lexls: this needs mcp; run `pip install 'lexls[mcp]'`\n"
