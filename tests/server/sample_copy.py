"""The sample workspace, copied to where a test may change it."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]


def copy_sample(target: Path) -> Path:
    """The sample workspace without its sources, in place of what is there; files keep their times."""
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(ROOT / "examples", target, ignore=shutil.ignore_patterns("sources", "*.py"))
    return target
