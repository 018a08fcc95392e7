"""No regular expression of the citations may be catastrophic, whatever a text holds."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import adversarial_patterns
import pytest

HERE = Path(__file__).resolve().parent
PATIENCE_SECONDS = 600
"""For all patterns of a group; a catastrophic one would take years."""


@pytest.mark.parametrize("group", adversarial_patterns.groups())
def test_patterns_cost_no_more_than_the_text_is_long(group: str) -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / "adversarial_patterns.py"), group],
        env={**os.environ, "PYTHONPATH": str(HERE.parents[1])},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=True,
    )
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize("pattern", [r"(?:a+)+b", r"\s*;", r"A[^b]*b"])
def test_a_pattern_that_grows_too_fast_is_noticed(monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    monkeypatch.setattr(adversarial_patterns, "SIZE", 26 if "+)+" in pattern else 40_000)
    monkeypatch.setattr(adversarial_patterns, "ENOUGH_SECONDS", 0.1)
    assert adversarial_patterns.steep(re.compile(pattern), ["a", " ", "A"])
