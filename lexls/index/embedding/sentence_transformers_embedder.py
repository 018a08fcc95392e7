"""Embed with any sentence-transformers model, which runs in the model process."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexls.index.embedding.protocol import EmbedderUnavailable
from lexls.models.encoder_clients import SentenceEncoderClient
from lexls.models.messages import ModelUnavailable
from lexls.models.process import ModelProcess


class SentenceTransformersEmbedder:
    """An ``Embedder`` over a sentence-transformers model.

    ``model`` is a folder or a name on the Hugging Face hub. With ``download`` false nothing is fetched: the
    model must lie in the folder or in the hub's cache. ``process`` is the model process to use (None: one of
    its own). Raises ``EmbedderUnavailable`` when the model cannot be loaded.
    """

    def __init__(self, model: str, download: bool = False, process: ModelProcess | None = None) -> None:
        try:
            self._client = SentenceEncoderClient(model, process, download)
        except ModelUnavailable as error:
            raise EmbedderUnavailable(error.reason) from error

    @property
    def name(self) -> str:
        """The model's name or path as configured."""
        return self._client.model

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._client.dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text, in order; the model's own limit says how much of a text is read.

        Raises ``EmbedderUnavailable`` when the model process fails.
        """
        try:
            return self._client.encode(texts)
        except ModelUnavailable as error:
            raise EmbedderUnavailable(error.reason) from error

    def close(self) -> None:
        """End the model process, if it is this embedder's own."""
        self._client.close()
