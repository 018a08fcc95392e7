"""The packages that pictures of figures and tuning need: the extra ``eval``."""

from __future__ import annotations

import importlib.util


class ExtraMissing(Exception):
    """A package of the extra ``eval`` is not installed; the message says what to do."""


def need(package: str) -> None:
    """Raises ``ExtraMissing`` unless this package can be imported."""
    if importlib.util.find_spec(package) is None:
        raise ExtraMissing(f"this needs {package}; run `pip install 'lexls[eval]'`")
