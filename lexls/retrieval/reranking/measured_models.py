"""Remember how much a model helped on a library, in a file beside the library's index."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lexls.index.beside import find_beside
from lexls.models.gguf_files import write_whole
from lexls.models.handlers import EXACT

MOST = 3.0
"""A model of this weight all but makes the order itself."""


@dataclass(frozen=True, slots=True)
class MeasuredModel:
    """What a cross-encoder was worth on ``questions`` citing sentences of a library.

    ``weight`` is what it counts (see ``weigh_scores``), 0 where it does not help. ``without`` and ``with_it``
    are the mean reciprocal ranks of the authorities looked for, ``with_it`` by weights chosen on other
    sentences. ``documents`` had the library then.
    """

    model: str
    weight: float
    questions: int
    without: float
    with_it: float
    documents: int


def find_measured(index: Path, model: str) -> MeasuredModel | None:
    """What was measured of ``model``, by the name that the settings use, on the library of ``index``; None
    before that, and for a file that is not ours."""
    try:
        found = MeasuredModel(**_read(index)[name_model(model)])
        return replace(found, weight=min(max(float(found.weight), 0.0), MOST))
    except (KeyError, TypeError, ValueError):
        return None


def keep_measured(index: Path, measured: MeasuredModel) -> None:
    """Remember ``measured`` in place of what was known of the model. Raises ``OSError``."""
    known = _read(index) | {name_model(measured.model): asdict(measured)}
    write_whole(_find_file(index), json.dumps(known, indent=1).encode())


def name_model(model: str) -> str:
    """The name of a model wherever one stands: that of a folder is its whole path."""
    bare = model.removesuffix(EXACT)
    try:
        folder = Path(bare).expanduser()
        return str(folder.resolve()) + model[len(bare) :] if bare and folder.is_dir() else model
    except (OSError, RuntimeError):
        return model  # no name of a file


def _find_file(index: Path) -> Path:
    return find_beside(index, "-models")


def _read(index: Path) -> dict[str, Any]:
    try:
        read = json.loads(_find_file(index).read_bytes())
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}
