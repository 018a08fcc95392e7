"""What runs models tells nobody of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

RUN = """
import numpy as np
from lexls.models.onnx_session import open_session
from onnx import TensorProto, helper
number = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("before", "after")]
node = helper.make_node("Identity", ["before"], ["after"])
graph = helper.make_graph([node], "same", number[:1], number[1:])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
session = open_session(model.SerializeToString())
print(session.run(None, {"before": np.ones(1, np.float32)})[0][0])
"""


def test_onnx_runtime_keeps_nothing_to_send_to_its_makers(tmp_path: Path) -> None:
    """What it would send some seconds later it keeps in a file of the user's cache first."""
    places = {name: str(tmp_path) for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "APPDATA", "TMPDIR")}
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        env=os.environ | places | {"ORT_DISABLE_TELEMETRY": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1.0\n"
    assert [each for each in tmp_path.rglob("*") if "pycache" not in each.parts] == []
