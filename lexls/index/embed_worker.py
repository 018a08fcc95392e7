"""A thread that turns passages into vectors while its process does other things."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexls.index.embedding import Embedder, EmbedderUnavailable, open_embedder


@dataclass(frozen=True, slots=True)
class EmbedderReady:
    """The model is loaded; vectors of ``dimension`` will come."""

    name: str
    dimension: int


@dataclass(frozen=True, slots=True)
class EmbedderFailed:
    """There will be no vectors; ``reason`` is for the user."""

    reason: str


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors (n × dimension, unit length) of n passages."""

    passages: tuple[int, ...]
    matrix: NDArray[np.float32]


class EmbedWorker:
    """Encodes the batches it is given, in order, on a thread of its own.

    ``deliver`` is called on that thread: first with ``EmbedderReady`` or ``EmbedderFailed``, then with the
    ``Vectors`` of each batch. The caller keeps a batch or two in the worker's queue, so that it never waits
    for the index.
    """

    def __init__(
        self, model: str, deliver: Callable[[EmbedderReady | EmbedderFailed | Vectors], None]
    ) -> None:
        self._model = model
        self._deliver = deliver
        self._batches: queue.SimpleQueue[list[tuple[int, str]] | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lexls-embed", daemon=True)

    def start(self) -> None:
        """Load the model and wait for batches."""
        self._thread.start()

    def submit(self, batch: list[tuple[int, str]]) -> None:
        """Encode these passages, given as (id, text), after those submitted before."""
        self._batches.put(batch)

    def stop(self) -> None:
        """Finish the batch at hand, forget the others."""
        self._stopped.set()
        self._batches.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            embedder: Embedder = open_embedder(self._model)
            self._deliver(EmbedderReady(embedder.name, embedder.dimension))
            while (batch := self._batches.get()) is not None and not self._stopped.is_set():
                matrix = embedder.encode([text for _, text in batch])
                self._deliver(Vectors(tuple(passage for passage, _ in batch), matrix))
        except EmbedderUnavailable as error:
            self._deliver(EmbedderFailed(str(error)))
        except Exception as error:
            # A native library may raise anything. Whoever waits must hear of it; words still find passages.
            self._deliver(EmbedderFailed(f"the embedding model failed ({type(error).__name__})"))
