"""Encode queries with the model that made a library's vectors."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from lexls.index.embedding.protocol import Embedder
from lexls.models.messages import ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lexls.index.searchable import SearchableIndex
    from lexls.retrieval.query import Query

log = logging.getLogger(__name__)

KEPT_VECTORS = 64
"""Number of recently requested vectors that are cached, since the same sentence is often encoded again."""


class QueryEncoder:
    """Encodes queries. Thread-safe.

    ``embedder`` returns the model, or None if there is none.
    """

    def __init__(self, library: SearchableIndex, embedder: Callable[[], Embedder | None]) -> None:
        self._library = library
        self._embedder = embedder
        self._embedder_of_vectors = ""
        self._kept = lru_cache(maxsize=KEPT_VECTORS)(self._encode)

    def encode(self, query: Query) -> NDArray[np.float32] | None:
        """Return the vector of a query, encoded as a question for comparison with passages, or None if it
        cannot be computed.
        """
        return self.encode_pair(query)[1]

    def encode_pair(self, query: Query) -> tuple[NDArray[np.float32] | None, NDArray[np.float32] | None]:
        """Return two vectors of a query: encoded as a sentence, for comparison with propositions, and as a
        question, for comparison with passages.

        Both are None if they cannot be computed, for example because the model failed. Words can then still
        be searched for.
        """
        embedder = None if query.empty else self._usable_embedder()
        if embedder is None:
            return None, None
        prompts = embedder.prompts
        try:
            question = self._kept(embedder.name, prompts.question, query.gist)
            same = prompts.sentence == prompts.question
            return question if same else self._kept(embedder.name, prompts.sentence, query.gist), question
        except ModelUnavailable as error:
            log.warning("searching by words alone: %s", error)
            return None, None

    def _usable_embedder(self) -> Embedder | None:
        """Return the embedder, or None if the library's vectors are from another model."""
        embedder = self._embedder()
        if embedder is None:
            return None
        # Cached once it matches, since the index answers slowly while it adds many documents.
        if self._embedder_of_vectors != embedder.name:
            self._embedder_of_vectors = self._library.status.embedder
        return embedder if self._embedder_of_vectors in ("", embedder.name) else None

    def _encode(self, model: str, prompt: str, text: str) -> NDArray[np.float32]:
        embedder = self._embedder()
        if embedder is None or embedder.name != model:
            raise ModelUnavailable(f"{model} was closed meanwhile")
        vector: NDArray[np.float32] = embedder.encode([text], prompt)[0]
        return vector
