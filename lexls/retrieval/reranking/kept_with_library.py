"""Keep beside a library's index the order that was learnt on it, and how much a model helped on it."""

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
    """The file of an order cannot be used; the message names it and says why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")


class LibraryOrder:
    """The order that the searches of one library use: the one learnt on it, or else the one lexls brings."""

    def __init__(self, index: Path) -> None:
        self._index = index
        self._seen: tuple[int, int] | None = None
        self._order: Reranker | None = None

    def read(self) -> Reranker:
        """The order as it is now: it may be learnt while a server runs. A file that cannot be used is
        logged, once, and does not count."""
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
    """Return where the order of the library of ``index`` lies, whether there is one or not."""
    return find_beside(index, "-order")


def read_order(index: Path) -> Reranker | None:
    """Return what was learnt on the library of ``index``, None before that. Raises ``OrderUnusable``."""
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
    """Have the searches of the library of ``index`` use this order. What lexls brings is not written, so that
    the next version may bring another. Raises ``OSError``."""
    write_whole(find_order(index), write_weights(learnt, load_learnt()).encode())


def drop_order(index: Path) -> None:
    """Have them use the order that lexls brings. Raises ``OSError``."""
    find_order(index).unlink(missing_ok=True)


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
    """Return what was measured of ``model``, by the name that the settings use, on the library of
    ``index``; None before that, and for a file that is not ours."""
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
