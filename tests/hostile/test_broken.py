"""Documents made to break readers end no process, and meet no fault of lexls."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from broken_documents import KINDS
from mutants import FAULT, judge_apart

from lexls.index.config import PrepareOptions
from lexls.index.prepare import Preparer

PIECES = 300


@pytest.fixture(scope="module")
def preparer() -> Preparer:
    return Preparer(PrepareOptions(jurisdiction="UK"))


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_document_made_to_break_readers_is_read_or_refused(
    preparer: Preparer, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(KINDS[name](PIECES))
    said = judge_apart(preparer, path)
    assert not said.startswith("ended its process"), said
    assert FAULT not in said


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_a_reader_that_gives_up_writes_its_memory_to_no_disk() -> None:
    script = (
        "import resource; from lexls.index.workers import limit_memory; "
        "hard = resource.getrlimit(resource.RLIMIT_CORE)[1]; "
        "resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)); "
        "limit_memory(2**30); print(resource.getrlimit(resource.RLIMIT_CORE)[0])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "0\n"
