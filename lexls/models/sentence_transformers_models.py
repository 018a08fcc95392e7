"""Any sentence-transformers model, by name or path: the one module that imports that package.

Importing it takes seconds and several hundred megabytes, so this module is imported only when such a model is
configured, never when the server starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer

_BATCH = 32


class SentenceTransformersEmbedder:
    """An ``Embedder`` over a sentence-transformers model.

    ``model`` is a folder or a name on the Hugging Face hub. With ``download`` false nothing is fetched: the
    model must lie in the folder or in the hub's cache. Raises ``OSError`` or ``ValueError`` (of
    sentence-transformers) when it cannot be loaded.
    """

    def __init__(self, model: str, download: bool = False) -> None:
        self._name = model
        offline = not download or Path(model).exists()
        self._model = SentenceTransformer(model, local_files_only=offline)
        self._dimension = int(self.encode(["dimension"]).shape[1])

    @property
    def name(self) -> str:
        """The model's name or path as configured."""
        return self._name

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text, in order; the model's own limit says how much of a text is read."""
        vectors = self._model.encode(
            list(texts),
            batch_size=_BATCH,
            show_progress_bar=False,
            convert_to_numpy=True,
            normalize_embeddings=True,
        )
        if not len(texts):
            return np.empty((0, self._dimension), dtype=np.float32)
        return np.asarray(vectors, dtype=np.float32)
