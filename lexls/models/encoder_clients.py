"""Ask the model process for scores of text pairs, for entailment, and for the vectors of texts."""

from __future__ import annotations

import array
import math
import sys
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lexls.models.messages import NO_PROMPTS, ModelCrashed, ModelUnavailable, Prompts, find_prompts
from lexls.models.process import ModelProcess, Patience, ProcessModel
from lexls.text.cancel import CancelToken

_WORD_PIECES = 256
_PREMISE_WORD_PIECES = 512
"""Maximum number of word pieces in a pair with a premise, which may consist of several passages."""


class _PairClient(ProcessModel):
    """Client for a model that judges pairs of texts. ``model`` is a folder or a name on the Hugging Face hub;
    it runs in ``process``.

    ``:fp32`` after the name computes in fp32 instead of int8, in twice the time. Pairs are truncated to
    ``word_pieces``. Nothing is started before the first use. Safe from any thread.
    """

    _operation: ClassVar[str]

    def __init__(self, model: str, process: ModelProcess, word_pieces: int) -> None:
        super().__init__(process)
        self.model = model
        self._arguments = {"model": model, "word_pieces": word_pieces}
        self.kind = ""
        """What runs the model: onnxruntime with a precision, or sentence-transformers; "" until loaded."""

    def load(self, token: CancelToken | None = None) -> None:
        self._numbers([], 0, token)

    def _numbers(self, texts: Sequence[str], count: int, token: CancelToken | None) -> list[float]:
        """Send ``texts`` to the model and return its answers: ``count`` numbers. Raises ``ModelUnavailable``,
        also if it returns more or fewer numbers.
        """
        found = array.array("f")
        for answer in self.process.answers(self._operation, self._arguments, texts, token, _PAIRS_PATIENCE):
            if self._is_loaded(answer):
                self.kind = str(answer.fields.get("kind", ""))
            found.frombytes(answer.payload)
        if sys.byteorder == "big":
            found.byteswap()
        if len(found) != count or not all(map(math.isfinite, found)):
            missing = "score to some text" if self._operation == "score" else "judgment on some sentence"
            raise ModelUnavailable(f"the model {self.model} gave no {missing}")
        return list(found)


class CrossEncoderClient(_PairClient):
    """Client for a cross-encoder, with its own process if ``process`` is None. See also ``_PairClient``."""

    _operation = "score"

    def __init__(
        self, model: str, process: ModelProcess | None = None, *, word_pieces: int = _WORD_PIECES
    ) -> None:
        super().__init__(model, process or ModelProcess(), word_pieces)
        self._owns = process is None

    def scores(self, query: str, texts: Sequence[str], token: CancelToken | None = None) -> list[float]:
        """Return how well each of ``texts`` matches ``query``, in order. Higher is better; scores of
        different models are not comparable.

        Loads the model first if necessary. Raises ``ModelUnavailable``, and ``Cancelled`` if ``token`` is
        cancelled.
        """
        return self._numbers([query, *texts], len(texts), token)

    def close(self) -> None:
        """Stop the process if it is this client's own."""
        if self._owns:
            self.process.close()


_PATIENCE = Patience(first=600.0, next=300.0)
_PAIRS_PATIENCE = Patience(next=30.0)
"""Seconds allowed for eight pairs once the model is loaded."""


class EntailmentClient(_PairClient):
    """Client for a model that says whether one text follows from another. See also ``_PairClient``."""

    _operation = "entail"

    def __init__(self, model: str, process: ModelProcess) -> None:
        super().__init__(model, process, _PREMISE_WORD_PIECES)

    def probabilities(
        self, pairs: Sequence[tuple[str, str]], token: CancelToken | None = None
    ) -> list[float]:
        """Return the probability, from 0 to 1, that the second text of each pair (the hypothesis) follows
        from the first.

        Loads the model first if necessary. Raises ``ModelUnavailable``, also for a model without an output
        for entailment, and ``Cancelled`` if ``token`` is cancelled.
        """
        return self._numbers([text for pair in pairs for text in pair], len(pairs), token)

    def entails(self, premise: str, hypothesis: str, token: CancelToken) -> float:
        """Return the probability, from 0 to 1, that ``hypothesis`` follows from ``premise``.

        ``problem`` says why the last attempt failed. Raises the errors of ``probabilities``.
        """
        try:
            return self.probabilities([(premise, hypothesis)], token)[0]
        except ModelUnavailable as error:
            self._note_problem(error)
            raise


class SentenceEncoderClient:
    """Client for the sentence encoder ``model`` (a folder, or a name on the Hugging Face hub), which is
    loaded when the client is created.

    ``process`` is the process to use (None: a new one). With ``download``, the model may be fetched if
    ``process`` may use the network. ``chosen`` are the user's own prompts, see ``find_prompts``. Raises
    ``ModelUnavailable``. Safe from any thread.
    """

    def __init__(
        self,
        model: str,
        process: ModelProcess | None = None,
        download: bool = False,
        chosen: Prompts = NO_PROMPTS,
    ) -> None:
        self._owns = process is None
        self._process = ModelProcess(network=download) if process is None else process
        self._arguments = {"model": model, "download": download}
        self.dimension = 0
        """The length of a vector."""
        self._brought = NO_PROMPTS
        try:
            self._encode([], "")
        except ModelUnavailable:
            self.close()
            raise
        self.prompts = find_prompts(model, self._brought, chosen)
        self.name = self.prompts.identify(model)

    def encode(self, texts: Sequence[str], prompt: str = "") -> NDArray[np.float32]:
        """Return one unit vector per text, in order. ``prompt`` is prepended to each text, which is cut at
        the model's own limit.

        If the process crashes, the request is sent a second time. Raises ``ModelUnavailable``.
        """
        try:
            return self._encode(texts, prompt)
        except ModelCrashed:
            return self._encode(texts, prompt)

    def encode_tokens(self, text: str) -> NDArray[np.float32]:
        """Return the unit vectors of the tokens of ``text``, one per row. Raises ``ModelUnavailable``."""
        return self._vectors("tokens", [text], "")

    def close(self) -> None:
        """Stop the process if it is this client's own."""
        if self._owns:
            self._process.close()

    def _encode(self, texts: Sequence[str], prompt: str) -> NDArray[np.float32]:
        vectors = self._vectors("encode", texts, prompt)
        if len(vectors) != len(texts):
            raise ModelUnavailable(f"the model {self._arguments['model']} gave no vector to some text")
        return vectors

    def _vectors(self, operation: str, texts: Sequence[str], prompt: str) -> NDArray[np.float32]:
        rows = []
        arguments = {**self._arguments, "prompt": prompt}
        for answer in self._process.answers(operation, arguments, texts, patience=_PATIENCE):
            self.dimension = int(answer.fields["dimension"])
            if "question" in answer.fields:
                self._brought = Prompts(str(answer.fields["question"]), str(answer.fields["passage"]))
            if answer.payload:
                rows.append(np.frombuffer(answer.payload, dtype="<f4").reshape(-1, self.dimension))
        vectors = np.concatenate(rows) if rows else np.empty((0, self.dimension))
        return np.asarray(vectors, dtype=np.float32)
