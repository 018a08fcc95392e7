"""Sentence encoders of sentence-transformers, in the model process."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexls.models.process import ModelProcess, Patience
from lexls.models.unavailable import ModelCrashed, ModelUnavailable

_PATIENCE = Patience(first=600.0, next=300.0)


class SentenceEncoderClient:
    """The sentence encoder ``model`` (a folder, or a name on the Hugging Face hub), loaded at once.

    ``process`` is the process to use (None: one of its own). With ``download`` the model may be fetched,
    if ``process`` may use the network. Raises ``ModelUnavailable``. Safe to use from any thread.
    """

    def __init__(self, model: str, process: ModelProcess | None = None, download: bool = False) -> None:
        self._owns = process is None
        self._process = ModelProcess(network=download) if process is None else process
        self._arguments = {"model": model, "download": download}
        self.model = model
        self.dimension = 0
        """The length of a vector."""
        try:
            self._encode([])
        except ModelUnavailable:
            self.close()
            raise

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text, in order; the model's own limit says how much of a text is read.

        A crash of the process costs a second try. Raises ``ModelUnavailable``.
        """
        try:
            return self._encode(texts)
        except ModelCrashed:
            return self._encode(texts)

    def encode_tokens(self, text: str) -> NDArray[np.float32]:
        """The unit vectors of the tokens of ``text``, a row each. Raises ``ModelUnavailable``."""
        return self._vectors("tokens", [text])

    def close(self) -> None:
        """End the process, if it is this client's own."""
        if self._owns:
            self._process.close()

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = self._vectors("encode", texts)
        if len(vectors) != len(texts):
            raise ModelUnavailable(f"the model {self.model} gave no vector to some text")
        return vectors

    def _vectors(self, operation: str, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = []
        for answer in self._process.answers(operation, self._arguments, texts, patience=_PATIENCE):
            self.dimension = int(answer.fields["dimension"])
            if answer.payload:
                rows.append(np.frombuffer(answer.payload, dtype="<f4").reshape(-1, self.dimension))
        vectors = np.concatenate(rows) if rows else np.empty((0, self.dimension))
        return np.asarray(vectors, dtype=np.float32)
