"""The definition of the pre-commit hook says what lexls really checks, and how it is really called."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from lexls.cli.main import build_parser
from lexls.reading.draft_files import SUFFIXES

ROOT = Path(__file__).parents[2]


def test_the_hook_passes_every_kind_of_draft_and_nothing_else() -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert (hook["id"], hook["language"]) == ("lexls-check", "python")
    for suffix in SUFFIXES:
        assert re.search(hook["files"], f"drafts/brief{suffix}"), suffix
    for name in ("brief.pdf", "md", "a.md.bak", "lexls.toml"):
        assert not re.search(hook["files"], name), name


def test_the_hook_calls_a_command_that_takes_files() -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    program, *arguments = hook["entry"].split()
    assert program == "lexls"
    assert build_parser().parse_args([*arguments, "a.md", "b.docx"]).command == "check"


def test_the_commands_of_the_manual_are_understood() -> None:
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    lines = re.findall(r"`lexls (check [^`]*)`", text)
    assert lines
    for line in lines:
        assert build_parser().parse_args(line.split()).command == "check"
    assert "lexls-check" in text
