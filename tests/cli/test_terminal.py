"""Nothing that a terminal obeys is printed, whatever files are called."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import lexls
from lexls.text.terminal import say, write_json

CONTROLS = [*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0))]
SOLE = Path("text/terminal.py")
"""The one file that writes to the terminal; a generator of docs and a program of its own are none of it."""
OTHERS = {Path("settings/generate.py")}


def list_writers() -> set[Path]:
    """The files that print, or write to standard output or error."""
    root = Path(lexls.__file__).parent
    found = set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            words = ast.unparse(node.func)
            if words in ("print", "sys.stdout.write", "sys.stderr.write"):
                found.add(path.relative_to(root))
    return found


def test_one_place_writes_to_the_terminal() -> None:
    # A ping to whoever started the indexer, and a draft that is written into a pipe as it is.
    pipes = {Path("index/process.py"), Path("cli/convert.py")}
    assert list_writers() - OTHERS - pipes == {SOLE}


def test_controls_are_left_out_of_lines_and_escaped_in_json() -> None:
    stream = io.StringIO()
    say("".join(f"a{each}" for each in CONTROLS), to=stream)
    assert set(stream.getvalue()) == {"a", "\t", "\n"}
    written = write_json({each: each for each in CONTROLS})
    assert not set(CONTROLS).intersection(written)
    assert json.loads(written) == {each: each for each in CONTROLS}


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
@pytest.mark.parametrize("options", [[], ["--json"], ["--format", "github"], ["--sarif"]])
def test_a_file_named_by_an_escape_sequence_prints_none(tmp_path: Path, options: list[str]) -> None:
    path = tmp_path / "a\x1b]0;owned\x07\x9b31m.md"
    path.write_text("See Thorn v Elm [2014] UKSC 71 and UK\u2060SC \x1b[31m.\n", encoding="utf-8")
    (tmp_path / "library").mkdir()
    authority = (
        "---\ntitle: Fern v Elm\ncitation: '[2014] UKSC 1'\nkind: case\n---\n\n[1] The oats \x1b[2J.\n"
    )
    (tmp_path / "library/a\x1b[31m\x07.md").write_text(authority, encoding="utf-8")
    (tmp_path / "lexls.toml").write_text('embeddings.model = ""\njurisdiction = "UK"\n', encoding="utf-8")
    home = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    found = subprocess.run(
        [sys.executable, "-m", "lexls", "check", path.name, *options],
        cwd=tmp_path,
        env=home,
        capture_output=True,
    )
    assert b"owned" in found.stdout + found.stderr
    for each in ("\x1b", "\x07", "\x9b"):
        assert each.encode() not in found.stdout + found.stderr
