"""The layers of ARCHITECTURE.md: imports point one way, and what is heavy or foreign stays in its place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "lexls"
BELOW = {
    "settings": set(),
    "text": set(),
    "citations": {"text"},
    "library": {"text", "citations"},
    "models": {"text"},
    "index": {"text", "citations", "library", "models", "settings"},
    "retrieval": {"text", "citations", "library", "models", "index"},
    "grounding": {"text", "citations", "library", "models", "index", "retrieval"},
    "features": {"text", "citations", "library", "index", "retrieval", "grounding", "settings"},
    "evaluation": {"text", "citations", "library", "models", "index", "retrieval", "grounding"},
    "server": {
        "text", "citations", "library", "models", "index", "retrieval", "grounding", "features", "settings",
    },
    "cli": {
        "text", "citations", "library", "models", "index", "retrieval", "grounding", "features", "evaluation",
        "server", "settings",
    },
}  # fmt: skip
"""What each folder may import; nothing imports ``cli``."""
ONLY_IN = {
    "pygls": "server/",
    "lsprotocol": "server/",
    "apsw": "index/",
    "sqlite3": "nowhere",
    "sqlite_vec": "index/connection.py",
    "sentence_transformers": "models/sentence_transformers_models.py",
    "llama_cpp": "models/llama_cpp_model.py",
    "httpx": "models/http.py",
    "onnxruntime": "models/onnx_session.py",
    "onnx": "models/graph.py",
}
SQL = re.compile(
    r"\b(SELECT\s.+\sFROM|INSERT\s+(OR\s+\w+\s+)?INTO|CREATE\s+(VIRTUAL\s+)?TABLE|PRAGMA)\s", re.S
)


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def test_every_folder_has_its_rule() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders == set(BELOW)


@pytest.mark.parametrize("folder", sorted(BELOW))
def test_imports_point_one_way(folder: str) -> None:
    for path in (PACKAGE / folder).rglob("*.py"):
        for name in imports(path):
            parts = name.split(".")
            if parts[0] == "lexls" and len(parts) > 1:
                assert parts[1] in BELOW[folder] | {folder}, f"{path.relative_to(PACKAGE)} imports {name}"


@pytest.mark.parametrize("library", sorted(ONLY_IN))
def test_foreign_libraries_stay_in_their_place(library: str) -> None:
    for path in modules():
        place = path.relative_to(PACKAGE).as_posix()
        if library in {name.split(".")[0] for name in imports(path)}:
            assert place.startswith(ONLY_IN[library]), f"{place} imports {library}"


def test_only_the_index_speaks_sql() -> None:
    for path in modules():
        place = path.relative_to(PACKAGE).as_posix()
        if place.startswith("index/"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not SQL.search(node.value), f"{place}:{node.lineno} speaks SQL"


def test_no_file_is_a_catch_all() -> None:
    names = {path.stem for path in modules()}
    assert not names & {"manager", "helper", "helpers", "util", "utils", "common", "misc"}


def test_nothing_is_changed_at_module_level() -> None:
    """No module holds state: no ``global`` statement, no empty list, set or dictionary to be filled."""
    for path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            assert not isinstance(node, ast.Global), f"{path}:{node.lineno}"
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                value = node.value
                empty = isinstance(value, ast.List | ast.Dict | ast.Set) and not ast.unparse(value).strip(
                    "[]{}"
                )
                assert not empty, f"{path}:{node.lineno} makes something to be filled"
