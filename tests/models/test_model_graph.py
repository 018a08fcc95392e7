"""The graph built from weights, against a plain NumPy encoder."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bert_reference import pair_score, random_weights, sentence_vector, write_safetensors
from numpy.typing import NDArray

from lexls.models.graph import BertShape, Precision, UnfitWeights, build_graph, build_pair_graph, read_weights
from lexls.models.onnx_session import find_weight_bits, open_session

HEADS = 4
EXACT_BITS = range(find_weight_bits(), 6, -1)
"""The numbers of bits, largest first, of which this processor's kernel computes the products exactly."""
WEIGHTS = random_weights(vocabulary=90, hidden=48, inner=192, layers=3, positions=70, seed=7)


def run(graph: bytes, rows: list[list[int]]) -> NDArray[np.float32]:
    vectors: NDArray[np.float32] = open_session(graph).run(None, {"input_ids": np.array(rows, np.int32)})[0]
    return vectors


def ids(length: int, seed: int = 0) -> list[int]:
    drawn: list[int] = np.random.default_rng(seed).integers(0, 90, length).tolist()
    return drawn


@pytest.mark.parametrize("length", [1, 2, 5, 33, 70])
@pytest.mark.parametrize(
    ("precision", "bits", "cosine"),
    [("fp32", 8, 0.999999), *(("int8", bits, {8: 0.999, 7: 0.998}[bits]) for bits in EXACT_BITS)],
)
def test_a_vector_is_that_of_the_reference(
    length: int, precision: Precision, bits: int, cosine: float
) -> None:
    graph = build_graph(WEIGHTS, BertShape(HEADS), precision, bits)
    vector = run(graph, [ids(length)])[0]
    expected = sentence_vector(WEIGHTS, ids(length), HEADS)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert float(vector @ expected) > cosine


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_a_vector_does_not_depend_on_those_beside_it(precision: Precision) -> None:
    graph = build_graph(WEIGHTS, BertShape(HEADS), precision, EXACT_BITS[0])
    rows = [ids(20, seed) for seed in range(5)]
    alone = np.concatenate([run(graph, [row]) for row in rows])
    np.testing.assert_allclose(run(graph, rows), alone, atol=2e-6)


@pytest.mark.parametrize(
    ("precision", "bits", "tolerance"),
    [("fp32", 8, 1e-4), *(("int8", bits, 0.05) for bits in EXACT_BITS)],
)
@pytest.mark.parametrize("layers", [1, 3])
def test_a_pair_has_the_score_of_the_reference(
    precision: Precision, bits: int, tolerance: float, layers: int
) -> None:
    weights = random_weights(90, hidden=48, inner=192, layers=layers, positions=70, seed=3, labels=1)
    session = open_session(build_pair_graph(weights, BertShape(HEADS), precision, bits))
    scores, expected = [], []
    for seed, length in enumerate([4, 9, 30, 70, 50, 11]):
        row, types = ids(length, seed), [0] * (length // 3) + [1] * (length - length // 3)
        pair = {"input_ids": np.array([row], np.int32), "token_type_ids": np.array([types], np.int32)}
        scores.append(float(session.run(["score"], pair)[0][0, 0]))
        expected.append(pair_score(weights, row, types, HEADS))
    assert max(expected) - min(expected) > 10 * tolerance
    assert scores == pytest.approx(expected, abs=tolerance)


def test_a_classifier_of_several_outputs_is_no_reranker() -> None:
    weights = random_weights(90, hidden=48, inner=192, layers=1, positions=70, seed=3, labels=3)
    with pytest.raises(UnfitWeights, match="3 outputs, and a reranker has one"):
        build_pair_graph(weights, BertShape(HEADS), "fp32")


def test_weights_of_something_else_are_refused_by_the_name_of_what_is_missing() -> None:
    lacking = {
        name: value for name, value in WEIGHTS.items() if "layer.1.attention.self.key.bias" not in name
    }
    with pytest.raises(UnfitWeights, match=r"lack encoder\.layer\.1\.attention\.self\.key\.bias"):
        build_graph(lacking, BertShape(HEADS), "fp32")
    without_layers = {name: value for name, value in WEIGHTS.items() if name.startswith("embeddings")}
    with pytest.raises(UnfitWeights, match="no encoder layer"):
        build_graph(without_layers, BertShape(HEADS), "fp32")


def test_tensors_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(write_safetensors(WEIGHTS))
    tensors = read_weights(path)
    assert tensors.keys() == WEIGHTS.keys()
    assert all(np.array_equal(tensors[name], WEIGHTS[name]) for name in WEIGHTS)


def header(entry: Any) -> bytes:
    encoded = json.dumps({"a": entry}).encode()
    return len(encoded).to_bytes(8, "little") + encoded + bytes(8)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"short", "header too small"),
        ((1 << 40).to_bytes(8, "little") + b"{}", "header too large"),
        ((2).to_bytes(8, "little") + b"x}", "invalid JSON"),
        ((2).to_bytes(8, "little") + b"[]", "invalid type: sequence"),
        (header({"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}), "invalid shape"),
        (header({"dtype": "F32", "shape": [3], "data_offsets": [0, 12]}), "not fully covered"),
        (header({"dtype": "F8", "shape": [2], "data_offsets": [0, 8]}), "unknown variant `F8`"),
        (header({"dtype": "F8_E4M3", "shape": [8], "data_offsets": [0, 8]}), "float8"),
        (header("text"), "invalid type: string"),
    ],
)
def test_a_damaged_weights_file_is_refused_with_the_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(data)
    with pytest.raises(UnfitWeights, match=reason):
        read_weights(path)


@pytest.mark.skipif(
    "LEXLS_MINILM_WEIGHTS" not in os.environ, reason="LEXLS_MINILM_WEIGHTS names no weights folder"
)
@pytest.mark.parametrize(("precision", "cosine"), [("fp32", 0.99999), ("int8", 0.99)])
def test_the_real_model_agrees_with_the_reference(precision: Precision, cosine: float) -> None:
    weights = read_weights(Path(os.environ["LEXLS_MINILM_WEIGHTS"]) / "model.safetensors")
    graph = build_graph(weights, BertShape(12), precision, EXACT_BITS[0])
    row = [101, *np.random.default_rng(3).integers(2000, 20000, 60).tolist(), 102]
    assert float(run(graph, [row])[0] @ sentence_vector(weights, row, 12)) > cosine
