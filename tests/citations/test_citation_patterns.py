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

from lexls.citations.treatment_phrases import load_treatments

HERE = Path(__file__).resolve().parent
PATIENCE_SECONDS = 600
"""For all patterns of a group; a catastrophic one would take years."""


@pytest.mark.slow
@pytest.mark.parametrize("group", adversarial_patterns.groups())
def test_patterns_cost_no_more_than_the_text_is_long(group: str) -> None:
    try:
        done = subprocess.run(
            [sys.executable, str(HERE / "adversarial_patterns.py"), group],
            env={**os.environ, "PYTHONPATH": str(HERE.parents[1]), "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE_SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired as late:
        told = late.stderr.decode("utf-8") if isinstance(late.stderr, bytes) else late.stderr or ""
        pytest.fail(f"did not end: {told.splitlines()[-1:]}")
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize("pattern", [r"(?:a+)+b", r"\s*;", r"A[^b]*b"])
def test_a_pattern_that_grows_too_fast_is_noticed(monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    size, middle = (20, 19) if "+)+" in pattern else (10_000, 6_000)
    monkeypatch.setattr(adversarial_patterns, "SIZE", size)
    monkeypatch.setattr(adversarial_patterns, "MIDDLE", middle)
    monkeypatch.setattr(adversarial_patterns, "ENOUGH_SECONDS", 0.005)
    assert adversarial_patterns.steep(adversarial_patterns.searching(re.compile(pattern)), ["a", " ", "A"])


def test_patterns_that_are_compiled_when_they_are_first_used_are_looked_into() -> None:
    treatments = load_treatments()
    found = set(adversarial_patterns.patterns_in(treatments))
    assert {rule.pattern for rule in treatments.rules} <= found
