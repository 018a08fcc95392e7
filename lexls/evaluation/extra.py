"""The packages that pictures of figures and tuning need: the extra ``eval``."""

from __future__ import annotations

import importlib.util

MODULES = {
    "matplotlib": "matplotlib",
    "optuna": "optuna",
}
"""Module → package."""


class ExtraMissing(Exception):
    """A package of the extra ``eval`` is not installed; the message says what to do."""


def need(*modules: str) -> None:
    """Raises ``ExtraMissing`` unless these modules, of ``MODULES``, can be imported."""
    missing = [MODULES[name] for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        raise ExtraMissing(f"this needs {', '.join(missing)}; run `pip install 'lexls[eval]'`")
