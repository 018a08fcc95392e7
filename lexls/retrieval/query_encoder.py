"""Encode queries with the model that made a library's vectors."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from lexls.index.embedding.protocol import Embedder, query_prefix
from lexls.models.messages import ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.retrieval.query import Query

log = logging.getLogger(__name__)

KEPT_VECTORS = 32
"""Of so many texts asked for last the vectors stay in memory: what is asked of a sentence is asked again."""


class QueryEncoder:
    """Encodes queries. Safe to use from several threads.

    ``embedder`` gives the model, or None while there is none. ``prefix`` is the user's own query prefix ("":
    the one that the model expects).
    """

    def __init__(
        self, library: SearchableIndex, embedder: Callable[[], Embedder | None], prefix: str
    ) -> None:
        self._library = library
        self._embedder = embedder
        self._prefix = prefix
        self._embedder_of_vectors = ""
        self._kept = lru_cache(maxsize=KEPT_VECTORS)(self._encode)

    def encode(self, query: Query) -> NDArray[np.float32] | None:
        """The vector of a query's words; None where similarity cannot be told."""
        vectors = None if query.empty else self._vectors(query.gist)
        return vectors[0] if vectors is not None else None

    def encode_pair(self, query: Query) -> tuple[NDArray[np.float32] | None, NDArray[np.float32] | None]:
        """The vector of a query's words, and that with the query prefix that the model expects; None as in
        ``encode``."""
        embedder = None if query.empty else self._usable_embedder()
        if embedder is None:
            return None, None
        prefix = self._prefix or query_prefix(embedder.name)
        vectors = self._vectors(query.gist, prefix + query.gist) if prefix else self._vectors(query.gist)
        return (vectors[0], vectors[-1]) if vectors is not None else (None, None)

    def _vectors(self, *texts: str) -> NDArray[np.float32] | None:
        """The vectors of ``texts``; None where the model fails: a search by words is better than none."""
        embedder = self._usable_embedder()
        if embedder is None:
            return None
        try:
            return self._kept(embedder.name, texts)
        except ModelUnavailable as error:
            log.warning("searching by words alone: %s", error)
            return None

    def _usable_embedder(self) -> Embedder | None:
        """The embedder, unless the library's vectors are another model's."""
        embedder = self._embedder()
        if embedder is None:
            return None
        # Asked until it is known and fits: the index answers slowly while it takes in many documents.
        if self._embedder_of_vectors != embedder.name:
            self._embedder_of_vectors = self._library.status.embedder
        return embedder if self._embedder_of_vectors in ("", embedder.name) else None

    def _encode(self, model: str, texts: tuple[str, ...]) -> NDArray[np.float32]:
        embedder = self._embedder()
        if embedder is None or embedder.name != model:
            raise ModelUnavailable(f"{model} was closed meanwhile")
        return embedder.encode(texts)
