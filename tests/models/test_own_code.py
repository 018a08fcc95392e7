"""A folder of a model cannot have code of its own run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lexls.models.model_files import OwnCode, refuse_own_code

TRANSFORMER = {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}
DENSE = {"idx": 1, "name": "1", "path": "1_Dense", "type": "sentence_transformers.base.modules.dense.Dense"}


def model(folder: Path, modules: Any, dense: Any = None) -> Path:
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    if dense is not None:
        (folder / "1_Dense").mkdir()
        (folder / "1_Dense/config.json").write_text(json.dumps(dense), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "activation", ["torch.nn.modules.activation.Tanh", "torch.nn.modules.linear.Identity"]
)
def test_modules_of_the_package_are_taken(tmp_path: Path, activation: str) -> None:
    refuse_own_code(tmp_path)
    refuse_own_code(model(tmp_path, [TRANSFORMER, DENSE], {"activation_function": activation}))


@pytest.mark.parametrize(
    "named",
    [
        "weir.Sluice",
        "os.system",
        "sentence_transformers_weir.Transformer",
        "sentence_transformers.util.torch",
        "sentence_transformers.models.Router",
        5,
        None,
    ],
)
def test_other_modules_are_refused(tmp_path: Path, named: Any) -> None:
    with pytest.raises(OwnCode, match=r"is not run|without its type"):
        refuse_own_code(model(tmp_path, [TRANSFORMER, TRANSFORMER | {"type": named}]))


@pytest.mark.parametrize("activation", ["weir.Sluice", "torch.hub.load", 5, ["os.system"]])
def test_other_functions_are_refused(tmp_path: Path, activation: Any) -> None:
    with pytest.raises(OwnCode, match="is not run"):
        refuse_own_code(model(tmp_path, [TRANSFORMER, DENSE], {"activation_function": activation}))


@pytest.mark.parametrize("content", [b"{", b"{}", b"[1]", b"\xff", b"[" * 100_000, b" " * 2_000_000])
def test_what_cannot_be_read_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "modules.json").write_bytes(content)
    with pytest.raises(OwnCode, match=r"modules\.json"):
        refuse_own_code(tmp_path)
