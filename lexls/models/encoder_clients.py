"""Ask the model process for scores of pairs of texts, for entailment, and for the vectors of texts."""

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
"""A premise may be several passages."""


class _PairClient(ProcessModel):
    """The model ``model`` of pairs of texts (a folder, or a name on the Hugging Face hub) in ``process``.

    ``:fp32`` after the name computes in fp32 what is otherwise done in int8, in twice the time. A pair is cut
    to ``word_pieces``. Nothing is started before the first use. Safe to use from any thread.
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
        """The ``count`` numbers of the answers. Raises ``ModelUnavailable``, also for any other count."""
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
    """A cross-encoder; without ``process`` it has one of its own. Otherwise as above."""

    _operation = "score"

    def __init__(
        self, model: str, process: ModelProcess | None = None, *, word_pieces: int = _WORD_PIECES
    ) -> None:
        super().__init__(model, process or ModelProcess(), word_pieces)
        self._owns = process is None

    def scores(self, query: str, texts: Sequence[str], token: CancelToken | None = None) -> list[float]:
        """Return how well each of ``texts`` fits ``query``, in order: higher is better, comparable among
        scores of this model alone.

        Loads the model first if need be. Raises ``ModelUnavailable``, and ``Cancelled`` when ``token`` says
        so.
        """
        return self._numbers([query, *texts], len(texts), token)

    def close(self) -> None:
        """End the process, if it is this client's own."""
        if self._owns:
            self.process.close()


_PATIENCE = Patience(first=600.0, next=300.0)
_PAIRS_PATIENCE = Patience(next=30.0)
"""So long may eight pairs take once the model is loaded."""


class EntailmentClient(_PairClient):
    """A model that says whether one text follows from another. Otherwise as above."""

    _operation = "entail"

    def __init__(self, model: str, process: ModelProcess) -> None:
        super().__init__(model, process, _PREMISE_WORD_PIECES)

    def probabilities(
        self, pairs: Sequence[tuple[str, str]], token: CancelToken | None = None
    ) -> list[float]:
        """Return how likely, from 0 to 1, the second text of each pair (the hypothesis) follows from the
        first.

        Loads the model first if need be. Raises ``ModelUnavailable``, also for a model that has no output for
        entailment, and ``Cancelled`` when ``token`` says so.
        """
        return self._numbers([text for pair in pairs for text in pair], len(pairs), token)

    def entails(self, premise: str, hypothesis: str, token: CancelToken) -> float:
        """Return how likely, from 0 to 1, ``hypothesis`` follows; ``problem`` says why it last could not be
        told.

        Raises as ``probabilities``.
        """
        try:
            return self.probabilities([(premise, hypothesis)], token)[0]
        except ModelUnavailable as error:
            self._note_problem(error)
            raise


class SentenceEncoderClient:
    """The sentence encoder ``model`` (a folder, or a name on the Hugging Face hub), loaded at once.

    ``process`` is the process to use (None: one of its own). With ``download`` the model may be fetched,
    if ``process`` may use the network. ``chosen`` are the user's own prompts, see ``find_prompts``. Raises
    ``ModelUnavailable``. Safe to use from any thread.
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
        """One unit vector a text read after ``prompt``, in order; the model's own limit says how much of a
        text is read.

        A crash of the process costs a second try. Raises ``ModelUnavailable``.
        """
        try:
            return self._encode(texts, prompt)
        except ModelCrashed:
            return self._encode(texts, prompt)

    def encode_tokens(self, text: str) -> NDArray[np.float32]:
        """The unit vectors of the tokens of ``text``, a row each. Raises ``ModelUnavailable``."""
        return self._vectors("tokens", [text], "")

    def close(self) -> None:
        """End the process, if it is this client's own."""
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
