"""Run a BERT cross-encoder with onnxruntime, in int8 if int8 is accurate on this processor.

``cross-encoder/ms-marco-MiniLM-L-6-v2`` and its siblings have this architecture. The graph is built from the
weights when the model is opened; this takes less time than importing torch.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from lexls.models.graph import BertShape, Tensors, UnfitWeights, build_pair_graph, read_weights
from lexls.models.onnx_session import Session, choose_batch, find_weight_bits, open_session, run_longest_first

WEIGHTS_FILE = "model.safetensors"
TOKENIZER_FILE = "tokenizer.json"
CONFIG_FILE = "config.json"
TOKENIZER_CONFIG_FILE = "tokenizer_config.json"
# More text than this is never read; the limit only bounds the time to tokenise a huge text.
_MAX_CHARACTERS = 32_768
# As for sentence vectors: an int8 graph whose cosine to the exact one is below this is not used.
_LEAST_COSINE = 0.985
_CHECK_PAIRS = (
    (
        "notice served out of time",
        "The notice was served three days late, and no court could extend the time.",
    ),
    ("carrier's deviation", "A carrier who leaves the agreed route without need loses the exceptions."),
    ("repairing covenant", "Costs follow the event."),
)


class NotOurShape(Exception):
    """Raised if the model cannot be run here, although another library may be able to run it; the message
    says why.
    """


class BertPairScorer:
    """Scores pairs of texts with the model in ``folder``.

    ``max_word_pieces`` limits the length of a pair; the longer text is truncated first. If ``exact``, scores
    are computed in fp32. ``labels`` is the required number of outputs. Raises ``NotOurShape`` if the model is
    damaged, or is not a BERT cross-encoder with that many outputs.
    """

    def __init__(self, folder: Path, max_word_pieces: int, exact: bool = False, labels: int = 1) -> None:
        self._labels = labels
        config = _config(folder, CONFIG_FILE)
        _check_shape(config)
        self._distinguishes_texts = _distinguishes_texts(_config(folder, TOKENIZER_CONFIG_FILE))
        try:
            tensors = {
                name.removeprefix("bert."): each for name, each in read_weights(folder / WEIGHTS_FILE).items()
            }
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
            self._tokenizer.no_padding()
            limit = min(max_word_pieces, int(config["max_position_embeddings"]))
            self._tokenizer.enable_truncation(limit, strategy="longest_first")
            shape = BertShape(int(config["num_attention_heads"]), float(config.get("layer_norm_eps", 1e-12)))
            self.precision, self._session = self._open(tensors, shape, exact)
        except NotOurShape:
            raise
        except Exception as error:
            # tokenizers and onnxruntime raise plain exceptions of their own.
            reason = str(error) if isinstance(error, UnfitWeights | OSError) else repr(error)
            raise NotOurShape(reason) from error
        self._threads = choose_batch()

    def outputs(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the classifier's raw outputs for each pair (pairs × labels)."""
        encodings = self._tokenizer.encode_batch(
            [(one[:_MAX_CHARACTERS], other[:_MAX_CHARACTERS]) for one, other in pairs]
        )
        scores = np.empty((len(pairs), self._labels), dtype=np.float32)

        def run(row: int) -> None:
            scores[row] = self._session.run(["score"], self._inputs(encodings[row]))[0][0]

        run_longest_first(run, [len(each.ids) for each in encodings], self._threads)
        return scores

    def _open(self, tensors: Tensors, shape: BertShape, only_exact: bool) -> tuple[str, Session]:
        """Return the int8 graph if its results agree with the exact graph's on this processor; otherwise
        return the exact graph.
        """
        exact = open_session(build_pair_graph(tensors, shape, "fp32", labels=self._labels))
        if only_exact:
            return "fp32", exact
        expected = self._pooled(exact)
        bits = find_weight_bits()
        session = open_session(build_pair_graph(tensors, shape, "int8", bits, self._labels))
        pooled = self._pooled(session)
        norms = np.linalg.norm(pooled, axis=1) * np.linalg.norm(expected, axis=1)
        if np.min(np.sum(pooled * expected, axis=1) / np.maximum(norms, 1e-12)) >= _LEAST_COSINE:
            return f"int8 ({bits} bits)", session
        return "fp32", exact

    def _pooled(self, session: Session) -> NDArray[np.float32]:
        rows = [
            session.run(["pooled"], self._inputs(self._tokenizer.encode(*pair)))[0][0]
            for pair in _CHECK_PAIRS
        ]
        return np.array(rows, dtype=np.float32)

    def _inputs(self, encoding: Any) -> dict[str, NDArray[np.int32]]:
        ids = np.array([encoding.ids], dtype=np.int32)
        types = (
            np.array([encoding.type_ids], dtype=np.int32) if self._distinguishes_texts else np.zeros_like(ids)
        )
        return {"input_ids": ids, "token_type_ids": types}


def _config(folder: Path, name: str) -> dict[str, Any]:
    try:
        config = json.loads((folder / name).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise NotOurShape(f"{name} cannot be read ({error})") from None
    if not isinstance(config, dict):
        raise NotOurShape(f"{name} is no JSON object")
    return config


def _distinguishes_texts(config: dict[str, Any]) -> bool:
    """Return whether the model distinguishes the two texts by token types. BERT's own tokenizer does; others
    do if so configured.
    """
    names = config.get("model_input_names")
    if isinstance(names, list):
        return "token_type_ids" in names
    tokenizer = str(config.get("tokenizer_class"))
    if not tokenizer.startswith("Bert"):
        raise NotOurShape(f"its tokenizer_class is {tokenizer}, not BertTokenizer")
    return True


def _check_shape(config: dict[str, Any]) -> None:
    asked = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    for key, value in asked.items():
        if config.get(key, value) != value:
            raise NotOurShape(f"its {key} is {config[key]!r}, not {value!r}")
    for key in ("max_position_embeddings", "num_attention_heads"):
        if not isinstance(config.get(key), int):
            raise NotOurShape(f"{CONFIG_FILE} lacks {key}")
