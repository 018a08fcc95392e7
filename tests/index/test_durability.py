"""A few of the blows that ``benchmarks/bench_durability.py`` deals by the hundred."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lexls.index.process import make_environment

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "bench_durability.py"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
@pytest.mark.parametrize("blows", ["--kills=4", "--torn=3", "--damaged=3", "--full=2"])
def test_an_index_withstands(blows: str) -> None:
    if blows.startswith("--full") and not _may_mount():
        pytest.skip("may not mount a small disk")
    run = subprocess.run(
        [sys.executable, str(SCRIPT), blows, "--changes=30"],
        env=make_environment(),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "wrong 0 times" in run.stdout


def _may_mount() -> bool:
    return (
        os.name == "posix" and subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0
    )
