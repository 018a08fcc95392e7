"""Run benchmarks and compute their measures. The additional packages that this needs are in the extra
``eval``.
"""

from __future__ import annotations

import importlib.util
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

_DECLARED = (resources.files("lexls.evaluation") / "data" / "measures.toml").read_text(encoding="utf-8")
TABLES: Mapping[str, Any] = tomllib.loads(_DECLARED)
"""The contents of ``measures.toml``: the measures, and the parameters that can be tuned."""


class ExtraMissing(Exception):
    """Raised if a package of the extra ``eval`` is not installed. The message explains what to do."""


def require_packages(*packages: str) -> None:
    """Raise ``ExtraMissing`` unless each of these packages can be imported."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise ExtraMissing(f"this needs {package}; run `pip install 'lexls[eval]'`")
