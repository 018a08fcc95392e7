"""Build the inference graph of a BERT encoder from its weights, using only the ``onnx`` package.

The graph of a sentence encoder maps ``input_ids`` (int32, batch × length, no padding) to ``embedding``
(float32, batch × hidden, unit length): embeddings, the encoder layers of BERT (Devlin et al. 2019, post-norm,
exact GELU), the mean over all tokens, L2 normalisation. There is no mask and no token type. Every text is run
at its own length, which was as fast as batches on CPUs and makes a vector independent of other texts. The
mean is computed as a sum, since normalisation cancels the factor.

The graph of a cross-encoder maps ``input_ids`` and ``token_type_ids`` of a pair (``[CLS]`` query ``[SEP]``
passage ``[SEP]``) to ``pooled`` (the pooler's output at ``[CLS]``, batch × hidden) and ``score`` (batch ×
labels, the classifier's raw output without a sigmoid). Only ``[CLS]`` is used in the end, so the last layer
computes nothing else.

Attention and bias + GELU are onnxruntime's fused operators. Layer normalisation is not: its
``SkipLayerNormalization`` took 0.45 ms for 240 × 384 numbers, but ``Add`` and ``LayerNormalization`` 0.06.
For the same reason sessions must use only *basic* graph optimisation, which does not fuse them again.

``int8`` quantises the weights of every linear layer per output channel, and its input per token (symmetric).
The input of a feed-forward output layer is the result of a GELU, never below -0.17; it is shifted by that and
uses the whole unsigned range. Scales per token, instead of per batch as in ``DynamicQuantizeMatMul``, cost 8%
of the time and raise the mean cosine to the float vectors from 0.9945 to 0.998.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from safetensors import SafetensorError
from safetensors.numpy import load_file

Precision = Literal["fp32", "int8"]
Tensors = Mapping[str, NDArray[Any]]

_FUSED = "com.microsoft"
_OPSET = 18
_IR_VERSION = 9
# The minimum of GELU is -0.16997 (at x = -0.7518).
_GELU_FLOOR = 0.17


@dataclass(frozen=True, slots=True)
class BertShape:
    """Parameters that the weights do not contain: the number of attention heads, and the epsilon of layer
    normalisation.
    """

    heads: int
    epsilon: float = 1e-12


class UnfitWeights(ValueError):
    """Raised if weights are damaged or do not belong to a BERT encoder; the message says what is wrong."""


def read_weights(path: Path) -> Tensors:
    """Return the tensors of a safetensors file by name.

    Raises ``UnfitWeights`` if the file is damaged or has a number type unknown to NumPy, and ``OSError`` if
    it cannot be read.
    """
    try:
        return load_file(path)
    except (SafetensorError, TypeError, KeyError, AttributeError) as error:
        raise UnfitWeights(f"{path.name}: {error}") from None


def build_graph(tensors: Tensors, shape: BertShape, precision: Precision, weight_bits: int = 8) -> bytes:
    """Return the serialised ONNX model for ``tensors`` (named as in Hugging Face's ``BertModel``).

    ``weight_bits`` applies to int8: ``lexls.models.onnx_session`` finds how many bits a processor computes
    exactly. Raises ``UnfitWeights``.
    """
    writer = _Writer(tensors, shape, precision, weight_bits)
    state = writer.embeddings()
    layers = 0
    while f"encoder.layer.{layers}.output.dense.weight" in tensors:
        state = writer.layer(state, layers)
        layers += 1
    if not layers:
        raise UnfitWeights("the weights hold no encoder layer")
    return writer.finish(state)


def build_pair_graph(
    tensors: Tensors, shape: BertShape, precision: Precision, weight_bits: int = 8, labels: int = 1
) -> bytes:
    """Return the serialised ONNX model of a cross-encoder with ``labels`` outputs.

    ``tensors`` are named as in Hugging Face's ``BertModel``, plus ``pooler.dense`` and ``classifier``. The
    other arguments are as for ``build_graph``. Raises ``UnfitWeights``.
    """
    writer = _Writer(tensors, shape, precision, weight_bits)
    state = writer.embeddings(segments=True)
    last = 0
    while f"encoder.layer.{last + 1}.output.dense.weight" in tensors:
        state = writer.layer(state, last)
        last += 1
    return writer.finish_pair(writer.layer(state, last, first_only=True), labels)


class _Writer:
    """Collects nodes and constants; each method adds a part and returns its output's name."""

    def __init__(self, tensors: Tensors, shape: BertShape, precision: Precision, weight_bits: int) -> None:
        self._tensors = tensors
        self._shape = shape
        self._precision = precision
        self._weight_limit = 2 ** (weight_bits - 1) - 1
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def _weight(self, name: str) -> NDArray[np.float32]:
        try:
            return np.asarray(self._tensors[name], dtype=np.float32)
        except KeyError:
            raise UnfitWeights(f"the weights lack {name}") from None

    def _constant(self, name: str, value: Any, dtype: Any = np.float32) -> str:
        if name not in self._constants:
            array = np.ascontiguousarray(np.asarray(value, dtype=dtype))
            self._constants[name] = numpy_helper.from_array(array, name)
        return name

    def _node(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        self._nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def _normalised(self, x: str, weights: str, output: str) -> str:
        scale = self._constant(f"{weights}.weight", self._weight(f"{weights}.weight"))
        shift = self._constant(f"{weights}.bias", self._weight(f"{weights}.bias"))
        epsilon = self._shape.epsilon
        return self._node("LayerNormalization", [x, scale, shift], output, axis=-1, epsilon=epsilon)

    def embeddings(self, segments: bool = False) -> str:
        """Add word, position and token type embeddings, normalised; without ``segments`` every token has type
        0.
        """
        words = self._weight("embeddings.word_embeddings.weight")
        # Half precision is far more accurate than the 8 bits used later, and halves the largest table.
        table = self._constant("words", words, np.float16 if self._precision == "int8" else np.float32)
        rows = self._node("Gather", [table, "input_ids"], "word_rows", axis=0)
        if self._precision == "int8":
            rows = self._node("Cast", [rows], "word_rows_float", to=onnx.TensorProto.FLOAT)
        positions = self._weight("embeddings.position_embeddings.weight")
        types = self._weight("embeddings.token_type_embeddings.weight")
        if segments:
            types_name = self._constant("token_types", types)
            typed = self._node("Gather", [types_name, "token_type_ids"], "type_rows", axis=0)
            rows = self._node("Add", [rows, typed], "typed_rows")
        else:
            positions = positions + types[0]
        length = self._node("Shape", ["input_ids"], "length", start=1, end=2)
        zero = self._constant("zero", [0], np.int64)
        used = self._node(
            "Slice", [self._constant("positions", positions), zero, length, zero], "used_positions"
        )
        return self._normalised(
            self._node("Add", [rows, used], "embedded"), "embeddings.LayerNorm", "layer_in"
        )

    def layer(self, x: str, number: int, first_only: bool = False) -> str:
        """Add one encoder layer: self-attention and feed-forward, each added to its input and normalised.

        With ``first_only``, it outputs only the first token.
        """
        prefix, out = f"encoder.layer.{number}", f"layer{number}"
        parts = [f"{prefix}.attention.self.{part}" for part in ("query", "key", "value")]
        weights = [self._weight(f"{part}.weight").T for part in parts]
        bias = np.concatenate([self._weight(f"{part}.bias") for part in parts])
        split = [f"{out}.{part}" for part in ("q", "k", "v")]
        if first_only:
            joined = self._linear(x, np.concatenate(weights[1:], axis=1), f"{out}.kv")
            self._nodes.append(helper.make_node("Split", [joined], split[1:], axis=-1, num_outputs=2))
            x = self._first_token(x, f"{out}.first")
            split[0] = self._linear(x, weights[0], split[0])
        else:
            joined = self._linear(x, np.concatenate(weights, axis=1), f"{out}.qkv")
            self._nodes.append(helper.make_node("Split", [joined], split, axis=-1, num_outputs=3))
        attended = self._node(
            "MultiHeadAttention",
            [*split, self._constant(f"{out}.qkv.bias", bias)],
            f"{out}.attended",
            domain=_FUSED,
            num_heads=self._shape.heads,
        )
        x = self._residual(attended, x, f"{prefix}.attention.output", f"{out}.attention")
        inner = self._linear(x, self._weight(f"{prefix}.intermediate.dense.weight").T, f"{out}.inner")
        inner_bias = self._weight(f"{prefix}.intermediate.dense.bias")
        bias_name = self._constant(f"{out}.inner.bias", inner_bias)
        active = self._node("BiasGelu", [inner, bias_name], f"{out}.active", domain=_FUSED)
        return self._residual(active, x, f"{prefix}.output", f"{out}.out", floor=_GELU_FLOOR)

    def _first_token(self, x: str, output: str) -> str:
        start, end = self._constant("first_start", [0], np.int64), self._constant("first_end", [1], np.int64)
        axis = self._constant("token_axis", [1], np.int64)
        return self._node("Slice", [x, start, end, axis], output)

    def _residual(self, x: str, skipped: str, weights: str, out: str, floor: float = 0.0) -> str:
        linear = self._linear(x, self._weight(f"{weights}.dense.weight").T, f"{out}.linear", floor)
        bias = self._constant(f"{out}.bias", self._weight(f"{weights}.dense.bias"))
        biased = self._node("Add", [linear, bias], f"{out}.biased")
        total = self._node("Add", [biased, skipped], f"{out}.sum")
        return self._normalised(total, f"{weights}.LayerNorm", f"{out}.normalised")

    def _linear(self, x: str, weight: NDArray[np.float32], out: str, floor: float = 0.0) -> str:
        """Add ``x @ weight``. With a ``floor`` above 0, the caller guarantees that no element of ``x`` is
        below ``-floor``.
        """
        if self._precision == "fp32":
            return self._node("MatMul", [x, self._constant(f"{out}.weight", weight)], f"{out}.product")
        scales = np.maximum(np.abs(weight).max(axis=0) / self._weight_limit, 1e-12).astype(np.float32)
        quantised = np.rint(weight / scales).astype(np.int8)
        if floor:
            magnitude = x = self._node("Add", [x, self._constant("floor", floor)], f"{out}.shifted")
            step, zero = self._constant("step_unsigned", 1 / 255), self._constant("zero_u8", 0, np.uint8)
        else:
            magnitude = self._node("Abs", [x], f"{out}.magnitude")
            step, zero = self._constant("step_signed", 1 / 127), self._constant("middle_u8", 128, np.uint8)
        largest = self._node(
            "ReduceMax",
            [magnitude, self._constant("last_axis", [-1], np.int64)],
            f"{out}.largest",
            keepdims=1,
        )
        tiny = self._constant("tiny", 1e-30)
        largest = self._node("Max", [largest, tiny], f"{out}.largest_positive")
        relative = self._node("Div", [x, largest], f"{out}.relative")
        codes = self._node("QuantizeLinear", [relative, step, zero], f"{out}.codes")
        product = self._node(
            "MatMulIntegerToFloat",
            [
                codes,
                self._constant(f"{out}.weight", quantised, np.int8),
                step,
                self._constant(f"{out}.scales", scales),
                zero,
                self._constant(f"{out}.zeros", np.zeros(len(scales)), np.int8),
            ],
            f"{out}.relative_product",
            domain=_FUSED,
        )
        product = self._node("Mul", [product, largest], f"{out}.product")
        if not floor:
            return product
        surplus = floor * (quantised.astype(np.float64) * scales).sum(axis=0)
        return self._node("Sub", [product, self._constant(f"{out}.surplus", surplus)], f"{out}.unshifted")

    def finish(self, state: str) -> bytes:
        """Add pooling and normalisation, and return the serialised model."""
        axis = self._constant("token_axis", [1], np.int64)
        pooled = self._node("ReduceSum", [state, axis], "pooled", keepdims=0)
        self._node("LpNormalization", [pooled], "embedding", axis=-1, p=2)
        return self._serialised("sentence_encoder", ["input_ids"], {"embedding": self._hidden()})

    def finish_pair(self, first: str, labels: int) -> bytes:
        """Add the pooler and the classifier, applied to the state of the first token, and return the
        serialised model.
        """
        row = self._node("Squeeze", [first, self._constant("token_axis", [1], np.int64)], "first_row")
        weight = self._constant("pooler.weight", self._weight("pooler.dense.weight").T)
        bias = self._constant("pooler.bias", self._weight("pooler.dense.bias"))
        product = self._node("MatMul", [row, weight], "pooler.product")
        pooled = self._node("Tanh", [self._node("Add", [product, bias], "pooler.sum")], "pooled")
        classifier = self._weight("classifier.weight")
        if classifier.shape[0] != labels:
            meant = "a reranker has one" if labels == 1 else f"its configuration names {labels}"
            raise UnfitWeights(f"the classifier has {classifier.shape[0]} outputs, and {meant}")
        product = self._node("MatMul", [pooled, self._constant("classifier", classifier.T)], "scored")
        bias = self._constant("classifier.bias", self._weight("classifier.bias"))
        self._node("Add", [product, bias], "score")
        inputs = ["input_ids", "token_type_ids"]
        return self._serialised("cross_encoder", inputs, {"score": labels, "pooled": self._hidden()})

    def _hidden(self) -> int:
        return int(self._weight("embeddings.word_embeddings.weight").shape[1])

    def _serialised(self, name: str, inputs: Sequence[str], outputs: Mapping[str, int]) -> bytes:
        """Serialise the model; ``outputs`` gives the width of each output's rows."""
        info, types = helper.make_tensor_value_info, onnx.TensorProto
        taken = [info(each, types.INT32, ["batch", "length"]) for each in inputs]
        given = [info(each, types.FLOAT, ["batch", width]) for each, width in outputs.items()]
        graph = helper.make_graph(self._nodes, name, taken, given, list(self._constants.values()))
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="lexls")
        model.ir_version = _IR_VERSION
        return bytes(model.SerializeToString())
