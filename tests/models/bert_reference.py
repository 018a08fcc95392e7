"""A BERT encoder in plain NumPy, written from the papers, to check the graph against.

Devlin et al. 2019 (BERT), Vaswani et al. 2017 (attention), Hendrycks and Gimpel 2016 (GELU); mean pooling and
normalisation as in Reimers and Gurevych 2019.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def random_weights(
    vocabulary: int, hidden: int, inner: int, layers: int, positions: int, seed: int, labels: int = 0
) -> dict[str, NDArray[Any]]:
    """Weights of the given shape, named as Hugging Face's ``BertModel`` names them; with ``labels`` also
    those of pooler and classifier."""
    random = np.random.default_rng(seed)

    def normal(*shape: int, scale: float) -> NDArray[np.float32]:
        return random.normal(0, scale, shape).astype(np.float32)

    tensors: dict[str, NDArray[Any]] = {
        "embeddings.word_embeddings.weight": normal(vocabulary, hidden, scale=1),
        "embeddings.position_embeddings.weight": normal(positions, hidden, scale=0.5),
        "embeddings.token_type_embeddings.weight": normal(2, hidden, scale=0.5),
    }

    def dense(name: str, rows: int, columns: int) -> None:
        tensors[f"{name}.weight"] = normal(rows, columns, scale=1 / math.sqrt(columns))
        tensors[f"{name}.bias"] = normal(rows, scale=0.3)

    def norm(name: str) -> None:
        tensors[f"{name}.weight"] = 1 + normal(hidden, scale=0.2)
        tensors[f"{name}.bias"] = normal(hidden, scale=0.2)

    norm("embeddings.LayerNorm")
    for layer in range(layers):
        prefix = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            dense(f"{prefix}.attention.self.{part}", hidden, hidden)
        dense(f"{prefix}.attention.output.dense", hidden, hidden)
        norm(f"{prefix}.attention.output.LayerNorm")
        dense(f"{prefix}.intermediate.dense", inner, hidden)
        dense(f"{prefix}.output.dense", hidden, inner)
        norm(f"{prefix}.output.LayerNorm")
    if labels:
        dense("pooler.dense", hidden, hidden)
        dense("classifier", labels, hidden)
    return tensors


def sentence_vector(weights: dict[str, NDArray[Any]], ids: list[int], heads: int) -> Array:
    """The unit vector of one sequence of token ids."""
    mean = states(weights, ids, [0] * len(ids), heads).mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))


def pair_score(weights: dict[str, NDArray[Any]], ids: list[int], types: list[int], heads: int) -> float:
    """What a cross-encoder of one output says of one pair."""
    return float(pair_logits(weights, ids, types, heads)[0])


def pair_logits(weights: dict[str, NDArray[Any]], ids: list[int], types: list[int], heads: int) -> Array:
    """What a cross-encoder says of one pair: pooler and classifier over the first token."""
    first = states(weights, ids, types, heads)[0]
    w = {name: np.asarray(value, np.float64) for name, value in weights.items()}
    pooled = np.tanh(w["pooler.dense.weight"] @ first + w["pooler.dense.bias"])
    return np.asarray(w["classifier.weight"] @ pooled + w["classifier.bias"])


def states(weights: dict[str, NDArray[Any]], ids: list[int], types: list[int], heads: int) -> Array:
    """The last layer's output, a row for each token."""
    w = {name: np.asarray(value, np.float64) for name, value in weights.items()}

    def dense(x: Array, name: str) -> Array:
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(x: Array, name: str) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return centred / deviation * w[f"{name}.weight"] + w[f"{name}.bias"]

    def gelu(x: Array) -> Array:
        return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))

    x = w["embeddings.word_embeddings.weight"][ids]
    x = x + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][types], "embeddings.LayerNorm")
    size = x.shape[1] // heads
    layer = 0
    while f"encoder.layer.{layer}.output.dense.weight" in w:
        prefix = f"encoder.layer.{layer}"
        query, key, value = (
            dense(x, f"{prefix}.attention.self.{part}") for part in ("query", "key", "value")
        )
        context = np.empty_like(x)
        for head in range(heads):
            columns = slice(head * size, (head + 1) * size)
            weight = query[:, columns] @ key[:, columns].T / math.sqrt(size)
            weight = np.exp(weight - weight.max(axis=1, keepdims=True))
            context[:, columns] = weight / weight.sum(axis=1, keepdims=True) @ value[:, columns]
        attended = dense(context, f"{prefix}.attention.output.dense")
        x = norm(attended + x, f"{prefix}.attention.output.LayerNorm")
        inner = gelu(dense(x, f"{prefix}.intermediate.dense"))
        x = norm(dense(inner, f"{prefix}.output.dense") + x, f"{prefix}.output.LayerNorm")
        layer += 1
    return x


def write_safetensors(tensors: dict[str, NDArray[Any]]) -> bytes:
    """The tensors (float32) in the safetensors format."""
    import json

    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, tensor in tensors.items():
        raw = np.ascontiguousarray(tensor, np.float32).tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(tensor.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    encoded = json.dumps(header).encode()
    return len(encoded).to_bytes(8, "little") + encoded + data
