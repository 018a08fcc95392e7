"""The tests that the threat model names exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8"))


def test_each_threat_names_tests_that_exist() -> None:
    assert len(NAMED) > 15
    for path, name in NAMED:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        assert name in {each.name for each in ast.walk(tree) if isinstance(each, kinds)}, f"{path}::{name}"


def test_each_row_of_threats_is_shown() -> None:
    lines = (ROOT / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) > 15
    assert all("::" in row for row in rows[2:])
