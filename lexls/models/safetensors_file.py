"""Reading model weights stored in the safetensors format, with NumPy alone.

The format (https://github.com/huggingface/safetensors#format): eight bytes giving the length N of the
header as a little-endian unsigned integer, N bytes of JSON that map each tensor's name to its ``dtype``,
``shape`` and ``data_offsets`` (relative to the end of the header), then the tensors' bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_HEADER_LIMIT = 1 << 24
_DTYPES: Mapping[str, str] = {"F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4"}


class DamagedWeights(ValueError):
    """A weights file that is not what its format says; the message names what is wrong."""


def read_safetensors(path: Path) -> dict[str, NDArray[Any]]:
    """All tensors of the file, as read-only views of one buffer.

    Raises ``DamagedWeights`` when the header or a tensor's range does not fit the file, ``OSError`` when
    the file cannot be read.
    """
    data = path.read_bytes()
    if len(data) < 8:
        raise DamagedWeights(f"{path.name}: only {len(data)} bytes long")
    header_length = int.from_bytes(data[:8], "little")
    if header_length > min(_HEADER_LIMIT, len(data) - 8):
        raise DamagedWeights(f"{path.name}: a header of {header_length} bytes does not fit the file")
    try:
        header = json.loads(data[8 : 8 + header_length])
    except ValueError as error:
        raise DamagedWeights(f"{path.name}: the header is no JSON ({error})") from None
    if not isinstance(header, dict):
        raise DamagedWeights(f"{path.name}: the header is no JSON object")
    base = 8 + header_length
    return {
        name: _tensor(path.name, name, entry, data, base)
        for name, entry in header.items()
        if name != "__metadata__"
    }


def _tensor(file: str, name: str, entry: Any, data: bytes, base: int) -> NDArray[Any]:
    try:
        dtype = np.dtype(_DTYPES[entry["dtype"]])
        shape = tuple(int(n) for n in entry["shape"])
        start, end = (int(n) for n in entry["data_offsets"])
    except (KeyError, TypeError, ValueError):
        raise DamagedWeights(f"{file}: the header's entry for {name} cannot be read") from None
    count = int(np.prod(shape, dtype=np.int64))
    if not 0 <= start <= end <= len(data) - base or end - start != count * dtype.itemsize:
        raise DamagedWeights(f"{file}: the bytes of {name} do not fit its shape {shape}")
    return np.frombuffer(data, dtype=dtype, count=count, offset=base + start).reshape(shape)
