"""Real models, for the tests that can use one where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / ".cache" / "models", ROOT.parent / "shared" / "models")
"""The first is where `make demo` puts what it fetches."""
SMALLEST = "smollm2-135m-instruct.gguf"


def find_real_model(file: str) -> Path:
    """The model file of this name; skips the test where there is none."""
    found = next((folder / file for folder in FOLDERS if (folder / file).is_file()), None)
    if found is None:
        pytest.skip(f"the model {file} is not on this machine; `make demo` fetches the smallest")
    return found
