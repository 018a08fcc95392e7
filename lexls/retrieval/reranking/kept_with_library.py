"""Store data learned on a library next to its index: the reranking model, and how much a cross-encoder
helped.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lexls.index.beside import find_beside
from lexls.models.gguf_files import write_whole
from lexls.models.handlers import EXACT
from lexls.retrieval.reranking.reranker import Reranker, load_learnt, read_weights, write_weights
from lexls.text.paths import stamp_file

log = logging.getLogger(__name__)


class OrderUnusable(Exception):
    """Raised if a model file cannot be used. The message names the file and the reason."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")


class LibraryOrder:
    """The reranking model for a library's searches: the one learned on this library, or else the built-in
    one.
    """

    def __init__(self, index: Path) -> None:
        self._index = index
        self._seen: tuple[int, int] | None = None
        self._order: Reranker | None = None

    def read(self) -> Reranker:
        """Return the current model. If a new one was learned in the meantime, it is read first. An unusable
        file is logged once and ignored.
        """
        seen = stamp_file(find_order(self._index))
        if seen != self._seen:
            order = None
            try:
                order = read_order(self._index)
            except OrderUnusable as error:
                log.warning("the order learnt on the library is not used: %s", error)
            # In this order, for other threads.
            self._order = order
            self._seen = seen
        return self._order or load_learnt()


def find_order(index: Path) -> Path:
    """Return the path of the model file for the library of ``index``, whether it exists or not."""
    return find_beside(index, "-order")


def read_order(index: Path) -> Reranker | None:
    """Return the model learned on the library of ``index``, or None if there is none. Raises
    ``OrderUnusable``.
    """
    path, brought = find_order(index), load_learnt()
    try:
        found = read_weights(path, brought)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise OrderUnusable(path, error.strerror or str(error)) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise OrderUnusable(path, "no order that `lexls tune --learn` has written") from error
    if (found.with_vectors.names, found.by_words.names) != (
        brought.with_vectors.names,
        brought.by_words.names,
    ):
        raise OrderUnusable(
            path, "learnt by another version of lexls; learn it anew with `lexls tune --learn`"
        )
    return found


def keep_order(index: Path, learnt: Reranker) -> None:
    """Store the model that searches of the library of ``index`` will use. Built-in parts are not written, so
    that a later version can replace them. Raises ``OSError``.
    """
    write_whole(find_order(index), write_weights(learnt, load_learnt()).encode())


def drop_order(index: Path) -> None:
    """Delete the learned model, so that the built-in one is used. Raises ``OSError``."""
    find_order(index).unlink(missing_ok=True)


MOST = 3.0
"""Maximum weight of a cross-encoder. At this weight, it determines the order almost alone."""


@dataclass(frozen=True, slots=True)
class MeasuredModel:
    """How much a cross-encoder helped with ``questions`` citing sentences of a library.

    ``weight`` is its weight (see ``weigh_scores``), or 0 if it does not help. ``without`` and ``with_it`` are
    the mean reciprocal ranks of the cited authorities without and with the cross-encoder. For ``with_it``,
    the weights were chosen on other sentences. ``documents`` is the number of documents in the library at
    that time.
    """

    model: str
    weight: float
    questions: int
    without: float
    with_it: float
    documents: int


def find_measured(index: Path, model: str) -> MeasuredModel | None:
    """Return the measurement of ``model`` (as named in the settings) on the library of ``index``. Returns
    None if there is none or the file is invalid.
    """
    try:
        found = MeasuredModel(**_read(index)[name_model(model)])
        return replace(found, weight=min(max(float(found.weight), 0.0), MOST))
    except (KeyError, TypeError, ValueError):
        return None


def keep_measured(index: Path, measured: MeasuredModel) -> None:
    """Store ``measured``, replacing the previous measurement of the model. Raises ``OSError``."""
    known = _read(index) | {name_model(measured.model): asdict(measured)}
    write_whole(_find_file(index), json.dumps(known, indent=1).encode())


def name_model(model: str) -> str:
    """Return the canonical name of a model; for a folder, its full path."""
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
