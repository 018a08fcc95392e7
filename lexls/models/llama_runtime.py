"""Which build of llama.cpp is installed, and its C interface.

llama-cpp-python is compiled where it is installed, for the processor and graphics card there, and is what
lexls is written for; xllamacpp comes compiled. Where both are there the first is used.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

_INTERFACES = {"llama_cpp": "llama_cpp.llama_cpp", "xllamacpp": "lexls.models.xllamacpp_interface"}
PACKAGES = {"llama_cpp": "llama-cpp-python", "xllamacpp": "xllamacpp"}
"""What each runtime is called in the package index, by the name it is imported as."""
EXTRAS = {"llama_cpp": "llama-cpp", "xllamacpp": "llama"}
"""The extra of lexls that installs each runtime, by the name it is imported as."""


def find_runtime() -> str:
    """The name by which the runtime that is used is imported; "" if none is installed. Imports nothing."""
    return next((name for name in _INTERFACES if importlib.util.find_spec(name) is not None), "")


def open_interface() -> Any:
    """llama.cpp's functions, structures and constants by their names in ``llama.h``.

    Raises ``ImportError``, ``OSError``, ``RuntimeError`` or ``AttributeError`` where none can be used.
    """
    return importlib.import_module(_INTERFACES[find_runtime() or "llama_cpp"])
