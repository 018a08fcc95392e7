"""Models whose files name code: refused before anything opens them.

Older versions of sentence-transformers (5 and before) import whatever module a model's folder names and run
it. A folder may come with somebody else's documents, so what it names is looked at here, whatever version is
installed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_PACKAGE = "sentence_transformers."
_MODULES = frozenset(
    [
        "BoW",
        "CLIPModel",
        "CNN",
        "Dense",
        "Dropout",
        "LSTM",
        "LayerNorm",
        "LogitScore",
        "Normalize",
        "Pooling",
        "StaticEmbedding",
        "Transformer",
        "WeightedLayerPooling",
        "WordWeights",
    ]
)
"""The package's own modules whose configurations name no further code, or only an activation function."""
_ACTIVATIONS = "torch.nn.modules."
_LARGEST = 1_000_000
"""Bytes of a configuration."""


class OwnCode(ValueError):
    """A model's files name code to be run, or cannot be read; the message says which, for the user."""


def refuse_own_code(folder: Path) -> None:
    """Raises ``OwnCode`` if the model in ``folder`` has modules other than those of sentence-transformers."""
    if not (folder / "modules.json").exists():
        return
    modules = _json(folder / "modules.json")
    if not isinstance(modules, list):
        raise OwnCode(f"{folder / 'modules.json'} is no list of modules")
    for module in modules:
        named = module.get("type") if isinstance(module, dict) else None
        path = module.get("path", "") if isinstance(module, dict) else None
        if not isinstance(named, str) or not isinstance(path, str):
            raise OwnCode(f"{folder / 'modules.json'} names a module without its type")
        if not named.startswith(_PACKAGE) or named.rpartition(".")[2] not in _MODULES:
            raise OwnCode(f"it needs the module {named[:100]}, and code that a model names is not run")
        config = folder / path / "config.json"
        if named.endswith(".Dense") and config.exists():
            _refuse_activation(_json(config))


def _refuse_activation(config: Any) -> None:
    named = config.get("activation_function") if isinstance(config, dict) else None
    if named is not None and not (isinstance(named, str) and named.startswith(_ACTIVATIONS)):
        raise OwnCode(f"it needs the function {str(named)[:100]}, and code that a model names is not run")


def _json(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise OwnCode(f"{path} is too large")
        return json.loads(data)
    except OSError as error:
        raise OwnCode(f"{path} cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, OwnCode) else OwnCode(f"{path} is no JSON") from None
