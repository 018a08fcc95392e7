"""Handle the model process's requests for sentence encoders and cross-encoders.

- ``encode``: ``{"model", "download", "prompt"}`` and texts; answers with parts ``{"rows", "dimension"}`` and
  float32 rows.
- ``tokens``: as ``encode``, for one text, with a row for each of its tokens.
- ``score``: ``{"model", "word_pieces"}``, the query and then the passages; answers with parts ``{"rows"}``
  and float32 scores.
- ``entail``: the same arguments, premises and hypotheses alternating; answers with parts ``{"rows"}`` and
  float32 probabilities that the second follows from the first.

The first answer is always ``{"loaded": true}`` once the model is loaded. It includes the model's ``kind``, or
its ``dimension`` and its own prompts for a ``question`` and a ``passage``.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexls.models.messages import Handler, Job, JobRefused, ModelAnswer, read_first_line
from lexls.models.model_files import OwnCode, find_model, refuse_own_code


@dataclass(frozen=True, slots=True)
class EntailmentLabels:
    """The number of a model's outputs (``count``), and the index of the output that means entailment
    (``place``).
    """

    count: int
    place: int

    @classmethod
    def read(cls, folder: Path) -> EntailmentLabels:
        """Read the model's outputs from ``config.json`` in its folder.

        ``id2label`` names the outputs; a model with one output (a cross-encoder) needs no names. Raises
        ``ValueError`` if there are several outputs and not exactly one of them means entailment.
        """
        try:
            config = json.loads((folder / "config.json").read_text("utf-8"))
            named = config.get("id2label") or {}
            labels = {int(number): str(label).casefold() for number, label in named.items()}
        except (OSError, ValueError, AttributeError) as error:
            raise ValueError(f"its config.json cannot be read ({error})") from None
        count = len(labels) or int(config.get("num_labels", 1))
        if count == 1:
            return cls(1, 0)
        meaning = [
            number
            for number, label in labels.items()
            if "entail" in label and not any(each in label for each in ("not", "non", "no_", "un"))
        ]
        if len(meaning) != 1 or not 0 <= meaning[0] < count:
            raise ValueError(f"none of its {count} labels, or more than one, is named entailment")
        return cls(count, meaning[0])

    def probabilities(self, outputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the probability of entailment for each row of ``outputs`` (rows × count, the classifier's
        raw output). It is the softmax over several outputs, or the logistic function of a single one.
        """
        rows = np.asarray(outputs, dtype=np.float64).reshape(-1, self.count)
        if self.count == 1:
            return np.asarray(1.0 / (1.0 + np.exp(-np.clip(rows[:, 0], -60.0, 60.0))), dtype=np.float32)
        weights = np.exp(rows - rows.max(axis=1, keepdims=True))
        return np.asarray(weights[:, self.place] / weights.sum(axis=1), dtype=np.float32)


EXACT = ":fp32"
"""Suffix of a cross-encoder's name that makes it compute in fp32 instead of int8, in twice the time."""
_Classify = Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]]
"""A function that returns a model's outputs for pairs of texts: pairs × labels."""
_ENCODED_AT_A_TIME = 32
_SCORED_AT_A_TIME = 8


class TextModels:
    """The loaded models by name; each is loaded when first needed."""

    def __init__(self) -> None:
        self._encoders: dict[str, Any] = {}
        self._scorers: dict[tuple[str, int, bool], tuple[str, _Classify, EntailmentLabels]] = {}

    def encode(self, job: Job) -> Iterator[ModelAnswer]:
        """Yield vectors of the texts, a batch at a time."""
        encoder = self._encoder(job)
        yield ModelAnswer({"loaded": True, "dimension": encoder.dimension, **asdict(encoder.prompts)})
        prompt = str(job.arguments.get("prompt", ""))
        for start in range(0, len(job.texts), _ENCODED_AT_A_TIME):
            rows = encoder.encode(job.texts[start : start + _ENCODED_AT_A_TIME], prompt)
            yield ModelAnswer({"rows": len(rows), "dimension": rows.shape[1]}, rows.astype("<f4").tobytes())

    def tokens(self, job: Job) -> Iterator[ModelAnswer]:
        """Yield the vectors of one text's tokens."""
        encoder = self._encoder(job)
        yield ModelAnswer({"loaded": True, "dimension": encoder.dimension})
        rows = encoder.encode_tokens(job.texts[0])
        if len(rows):
            yield ModelAnswer({"rows": len(rows), "dimension": rows.shape[1]}, rows.astype("<f4").tobytes())

    def _encoder(self, job: Job) -> Any:
        name = str(job.arguments["model"])
        if name not in self._encoders:
            self._encoders[name] = _open_encoder(name, bool(job.arguments.get("download")))
        return self._encoders[name]

    def score(self, job: Job) -> Iterator[ModelAnswer]:
        """Yield scores of the passages for the query, a batch at a time."""
        query, *passages = job.texts or ("",)
        return self._classify(job, [(query, each) for each in passages], judging=False)

    def entail(self, job: Job) -> Iterator[ModelAnswer]:
        """Yield the pairs' probabilities of entailment, a batch at a time."""
        pairs = list(zip(job.texts[::2], job.texts[1::2], strict=True))
        return self._classify(job, pairs, judging=True)

    def _classify(self, job: Job, pairs: list[tuple[str, str]], *, judging: bool) -> Iterator[ModelAnswer]:
        name, word_pieces = str(job.arguments["model"]), int(job.arguments["word_pieces"])
        key = name, word_pieces, judging
        if key not in self._scorers:
            labels = _entailment_labels(name) if judging else EntailmentLabels(1, 0)
            self._scorers[key] = *_open_scorer(name, word_pieces, labels.count), labels
        kind, classify, labels = self._scorers[key]
        yield ModelAnswer({"loaded": True, "kind": kind})
        for start in range(0, len(pairs), _SCORED_AT_A_TIME):
            found = classify(pairs[start : start + _SCORED_AT_A_TIME])
            numbers = labels.probabilities(found) if judging else found[:, 0]
            yield ModelAnswer({"rows": len(numbers)}, numbers.astype("<f4").tobytes())


def open_handlers() -> Mapping[str, Handler]:
    """Return handlers for ``encode``, ``tokens``, ``score`` and ``entail``, without loading any model yet."""
    models = TextModels()
    return {"encode": models.encode, "tokens": models.tokens, "score": models.score, "entail": models.entail}


def _open_encoder(name: str, download: bool) -> Any:
    _need_sentence_transformers(name, "")
    _refuse_own_code(name)
    try:
        from lexls.models.sentence_transformers_models import SentenceTransformersEncoder

        return SentenceTransformersEncoder(name, download)
    except Exception as error:
        # A model's own loading code may raise anything.
        remedy = "" if download else f"; run `lexls models get {name}`"
        raise JobRefused(f"the model {name} cannot be opened: {read_first_line(error)}{remedy}") from error


def _entailment_labels(name: str) -> EntailmentLabels:
    try:
        return EntailmentLabels.read(_folder(name))
    except ValueError as error:
        raise JobRefused(f"the model {name.removesuffix(EXACT)} cannot judge entailment: {error}") from None


def _folder(name: str) -> Path:
    name = name.removesuffix(EXACT)
    folder = find_model(name)
    if folder is None:
        raise JobRefused(f"the model {name} is not on this machine; run `lexls models get {name}`")
    return folder


def _open_scorer(name: str, word_pieces: int, labels: int) -> tuple[str, _Classify]:
    exact = name.endswith(EXACT)
    folder = _folder(name)
    name = name.removesuffix(EXACT)
    from lexls.models.bert_pairs import BertPairScorer, NotOurShape

    try:
        scorer = BertPairScorer(folder, word_pieces, exact, labels)
        return f"onnxruntime, {scorer.precision}", scorer.outputs
    except NotOurShape as error:
        reason = str(error)
    _need_sentence_transformers(name, f" ({reason})")
    _refuse_own_code(str(folder))
    try:
        from lexls.models.sentence_transformers_models import SentenceTransformersPairScorer

        other = SentenceTransformersPairScorer(str(folder), word_pieces, labels)
        return "sentence-transformers", other.outputs
    except Exception as error:
        raise JobRefused(f"the model {name} cannot be opened: {read_first_line(error)}") from error


def _refuse_own_code(name: str) -> None:
    """Raise ``JobRefused`` if a model brings code of its own. The model is given by its folder or its name
    (with or without the ``sentence-transformers/`` prefix).
    """
    folder = find_model(name) or find_model(f"sentence-transformers/{name}")
    try:
        if folder is not None:
            refuse_own_code(folder)
    except OwnCode as error:
        raise JobRefused(f"the model {name} cannot be opened: {error}") from None


def _need_sentence_transformers(name: str, reason: str) -> None:
    if importlib.util.find_spec("sentence_transformers") is None:
        raise JobRefused(
            f"the model {name} needs sentence-transformers{reason}; run `pip install 'lexls[models]'`"
        )
