"""Keep the order that was learnt on a library, in a file beside the library's index."""

from __future__ import annotations

import logging
from pathlib import Path

from lexls.index.beside import find_beside
from lexls.models.gguf_files import write_whole
from lexls.retrieval.reranking.reranker import Reranker, load_learnt, read_weights, write_weights

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
        try:
            found = find_order(self._index).stat()
            seen = found.st_mtime_ns, found.st_size
        except OSError:
            seen = None
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
    """Where the order of the library of ``index`` lies, whether there is one or not."""
    return find_beside(index, "-order")


def read_order(index: Path) -> Reranker | None:
    """What was learnt on the library of ``index``, None before that. Raises ``OrderUnusable``."""
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
