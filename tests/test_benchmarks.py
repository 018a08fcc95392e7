"""A benchmark is run by hand, often long after its last run: what it imports of lexls must still be there."""

from __future__ import annotations

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

BENCHMARKS = sorted((Path(__file__).parents[1] / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_everything_that_a_benchmark_imports_of_lexls_exists(path: Path) -> None:
    imports = [
        (node.module, each.name)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "lexls"
        for each in node.names
    ]
    assert [f"{module}.{name}" for module, name in imports if not _exists(str(module), name)] == []


def _exists(module: str, name: str) -> bool:
    try:
        return hasattr(import_module(module), name) or find_spec(f"{module}.{name}") is not None
    except ModuleNotFoundError:
        return False
