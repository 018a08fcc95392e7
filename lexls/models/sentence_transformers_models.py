"""Run sentence-transformers models by name or path: the only module that imports that package.

Importing it takes seconds and several hundred megabytes, so only the model process imports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import CrossEncoder, SentenceTransformer

from lexls.models.messages import Prompts

_BATCH = 8
_PASSAGES = ("document", "passage", "corpus")
"""Names under which sentence-transformers looks up the prompt of a passage, in this order."""


_Model = TypeVar("_Model", bound=torch.nn.Module)


def _exact_on_cpu(model: _Model) -> _Model:
    """Return ``model`` in fp32 if it runs on a CPU, where half precision would take four times as long."""
    if all(each.device.type == "cpu" for each in model.parameters()):
        model.float()
    return model


class SentenceTransformersEncoder:
    """A model that maps texts to vectors.

    ``model`` is a folder or a name on the Hugging Face hub. Without ``download`` nothing is fetched: the
    model must be in the folder or in the hub's cache. Raises the errors of sentence-transformers.
    """

    def __init__(self, model: str, download: bool = False) -> None:
        offline = not download or Path(model).exists()
        self._model = _exact_on_cpu(SentenceTransformer(model, local_files_only=offline))
        self.dimension = int(self._model.encode(["dimension"], show_progress_bar=False).shape[1])

    @property
    def prompts(self) -> Prompts:
        """The prompts for questions and passages in the model's configuration. If one of them is missing
        there, the model's default prompt replaces it.
        """
        named = {name: prompt for name, prompt in self._model.prompts.items() if isinstance(prompt, str)}
        always = named.get(self._model.default_prompt_name or "", "")
        passages = (named[each] for each in _PASSAGES if named.get(each))
        return Prompts(named.get("query") or always, next(passages, always))

    def encode(self, texts: Sequence[str], prompt: str = "") -> NDArray[np.float32]:
        """Return a unit vector for each text, to which ``prompt`` is prepended; the model ignores the end of
        a text longer than its limit.
        """
        if not len(texts):
            return np.empty((0, self.dimension), dtype=np.float32)
        vectors = self._model.encode(
            list(texts), prompt=prompt, batch_size=_BATCH, show_progress_bar=False, normalize_embeddings=True
        )
        return np.asarray(vectors, dtype=np.float32)

    def encode_tokens(self, text: str) -> NDArray[np.float32]:
        """Return the unit vectors of the tokens of ``text``, one per row, without the first and last special
        tokens.
        """
        if not text.strip():
            return np.empty((0, self.dimension), dtype=np.float32)
        found = self._model.encode(
            [text],
            prompt="",
            output_value="token_embeddings",
            show_progress_bar=False,
            convert_to_numpy=False,
        )
        rows = np.asarray(found[0].cpu(), dtype=np.float32)[1:-1]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.maximum(lengths, 1e-12), dtype=np.float32)


class SentenceTransformersPairScorer:
    """A cross-encoder of any architecture; ``max_word_pieces`` limits the length of a pair.

    ``labels`` is the required number of outputs. Raises ``ValueError`` for a model with another number,
    because a model with several outputs does not simply score how well two texts match. Nothing is
    downloaded.
    """

    def __init__(self, model: str, max_word_pieces: int, labels: int = 1) -> None:
        self._model = _exact_on_cpu(CrossEncoder(model, local_files_only=True))
        self._labels = labels
        if self._model.num_labels != labels:
            meant = "a reranker has one" if labels == 1 else f"its configuration names {labels}"
            raise ValueError(f"it has {self._model.num_labels} outputs, and {meant}")
        own = self._model.max_length
        self._model.max_length = min(max_word_pieces, own) if own else max_word_pieces

    def outputs(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the classifier's raw outputs for each pair (pairs × labels)."""
        if not len(pairs):
            return np.empty((0, self._labels), dtype=np.float32)
        plain = torch.nn.Identity()
        scores = self._model.predict(
            list(pairs), batch_size=_BATCH, show_progress_bar=False, activation_fn=plain
        )
        return np.asarray(scores, dtype=np.float32).reshape(len(pairs), self._labels)
