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


@dataclass(frozen=True, slots=True)
class PrecedentVectors:
    """The vectors of n precedents: of their propositions (n × dimension, unit length) and of their entities,
    None where there are none.
    """

    precedents: tuple[int, ...]
    propositions: NDArray[np.float32]
    entities: tuple[NDArray[np.float32] | None, ...]


@dataclass(frozen=True, slots=True)
class PrecedentBatch:
    """Precedents to encode: (id, proposition, entities joined by line feeds)."""

    precedents: tuple[tuple[int, str, str], ...]


Delivery = EmbedderReady | EmbedderFailed | Vectors | PrecedentVectors


class EmbedWorker:
    """Encodes the batches it is given, in order, on a thread of its own.

    ``deliver`` is called on that thread: first with ``EmbedderReady`` or ``EmbedderFailed``, then with the
    ``Vectors`` or ``PrecedentVectors`` of each batch. The caller keeps a batch or two in the worker's queue,
    so that it never waits for the index.
    """

    def __init__(self, model: str, deliver: Callable[[Delivery], None]) -> None:
        self._model = model
        self._deliver = deliver
        self._batches: queue.SimpleQueue[list[tuple[int, str]] | PrecedentBatch | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lexls-embed", daemon=True)

    def start(self) -> None:
        """Load the model and wait for batches."""
        self._thread.start()

    def submit(self, batch: list[tuple[int, str]] | PrecedentBatch) -> None:
        """Encode these passages, given as (id, text), or precedents, after those submitted before."""
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
                if isinstance(batch, PrecedentBatch):
                    self._deliver(_encoded(embedder, batch))
                else:
                    matrix = embedder.encode([text for _, text in batch])
                    self._deliver(Vectors(tuple(passage for passage, _ in batch), matrix))
        except EmbedderUnavailable as error:
            self._deliver(EmbedderFailed(str(error)))
        except Exception as error:
            # A native library may raise anything. Whoever waits must hear of it; words still find passages.
            self._deliver(EmbedderFailed(f"the embedding model failed ({type(error).__name__})"))


def _encoded(embedder: Embedder, batch: PrecedentBatch) -> PrecedentVectors:
    named = list(dict.fromkeys(entities for _, _, entities in batch.precedents if entities))
    matrix = embedder.encode(
        [
            *(proposition for _, proposition, _ in batch.precedents),
            *(entities.replace("\n", " ") for entities in named),
        ]
    )
    count = len(batch.precedents)
    of_entities = dict(zip(named, matrix[count:], strict=True))
    return PrecedentVectors(
        tuple(precedent for precedent, _, _ in batch.precedents),
        matrix[:count],
        tuple(of_entities.get(entities) for _, _, entities in batch.precedents),
    )
