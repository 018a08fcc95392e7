"""Find the installed build of llama.cpp, and open its C interface.

llama-cpp-python, for which lexls is written, is compiled on installation for the local processor and graphics
card; xllamacpp comes precompiled. If both are installed, the first is used.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

_INTERFACES = {"llama_cpp": "llama_cpp.llama_cpp", "xllamacpp": "lexls.models.xllamacpp_interface"}
PACKAGES = {"llama_cpp": "llama-cpp-python", "xllamacpp": "xllamacpp"}
"""The package name of each runtime, by the name it is imported as."""
EXTRAS = {"llama_cpp": "llama-cpp", "xllamacpp": "llama"}
"""The extra of lexls that installs each runtime, by the name it is imported as."""


def find_runtime() -> str:
    """Return the import name of the runtime to use; "" if none is installed. Imports nothing."""
    return next((name for name in _INTERFACES if importlib.util.find_spec(name) is not None), "")


def open_interface() -> Any:
    """Return the module with llama.cpp's functions, structures and constants, named as in ``llama.h``.

    Raises ``ImportError``, ``OSError``, ``RuntimeError`` or ``AttributeError`` if no runtime can be used.
    """
    return importlib.import_module(_INTERFACES[find_runtime() or "llama_cpp"])
