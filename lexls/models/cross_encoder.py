"""Reranking with a cross-encoder: a model that reads query and passage together and says how they fit."""

from __future__ import annotations

import array
import logging
import math
import sys
import threading
from collections.abc import Sequence
from typing import TypeVar

from lexls.models.process import ModelProcess, Patience
from lexls.models.unavailable import ModelUnavailable
from lexls.text.cancel import Cancelled, CancelToken

log = logging.getLogger(__name__)

WORD_PIECES = 256

Key = TypeVar("Key")


class CrossEncoderClient:
    """The cross-encoder ``model`` (a folder, or a name on the Hugging Face hub) in the model process.

    ``:fp32`` after the name computes in fp32 what is otherwise done in int8, in twice the time.
    ``process`` is the process to use (None: one of its own). A pair of texts is cut to ``word_pieces``.
    ``seconds`` is how long eight passages may take once the model is loaded. Nothing is started before the
    first use. Safe to use from any thread.
    """

    def __init__(
        self,
        model: str,
        process: ModelProcess | None = None,
        *,
        word_pieces: int = WORD_PIECES,
        seconds: float = 30.0,
    ) -> None:
        self.model = model
        self._owns = process is None
        self.process = ModelProcess() if process is None else process
        self._arguments = {"model": model, "word_pieces": word_pieces}
        self._patience = Patience(next=seconds)
        self._loaded_in = 0
        self._preparing = threading.Lock()
        self.problem = ""
        """Why ``prepare`` last failed; "" if it did not."""
        self.kind = ""
        """What runs the model: onnxruntime with a precision, or sentence-transformers; "" until loaded."""

    @property
    def ready(self) -> bool:
        """Whether the model is loaded, so that scores come at once."""
        return self._loaded_in != 0 and self._loaded_in == self.process.life

    def prepare(self) -> None:
        """Load the model in the background, unless it is loaded or being loaded; ``problem`` says how it
        went."""
        if not self.ready and self._preparing.acquire(blocking=False):
            threading.Thread(target=self._prepare, name="lexls-cross-encoder", daemon=True).start()

    def load(self, token: CancelToken | None = None) -> None:
        """Load the model and wait for it. Raises ``ModelUnavailable``, ``Cancelled``."""
        self.scores("", [], token)

    def scores(self, query: str, texts: Sequence[str], token: CancelToken | None = None) -> list[float]:
        """How well each of ``texts`` fits ``query``, in order: higher is better, comparable among scores of
        this model alone.

        Loads the model first if need be. Raises ``ModelUnavailable``, and ``Cancelled`` when ``token`` says
        so.
        """
        found = array.array("f")
        answers = self.process.answers("score", self._arguments, [query, *texts], token, self._patience)
        for answer in answers:
            if answer.fields.get("loaded"):
                self._loaded_in, self.problem = self.process.life, ""
                self.kind = str(answer.fields.get("kind", ""))
            found.frombytes(answer.payload)
        if sys.byteorder == "big":
            found.byteswap()
        if len(found) != len(texts) or not all(map(math.isfinite, found)):
            raise ModelUnavailable(f"the model {self.model} gave no score to some text")
        return list(found)

    def close(self) -> None:
        """End the process, if it is this client's own."""
        if self._owns:
            self.process.close()

    def _prepare(self) -> None:
        try:
            self.load()
        except ModelUnavailable as error:
            if error.reason != self.problem:  # every search tries again
                log.warning("%s", error.reason)
            self.problem = error.reason
        except Cancelled:
            pass
        finally:
            self._preparing.release()


def rerank_with_cross_encoder(
    client: CrossEncoderClient,
    query_text: str,
    candidates: Sequence[tuple[Key, str]],
    token: CancelToken | None = None,
) -> list[tuple[Key, float]]:
    """The candidates, each given with the passage that stands for it, best first, with their scores.

    Candidates of one score keep their order. Raises ``ModelUnavailable`` and ``Cancelled``.
    """
    scores = client.scores(query_text, [passage for _, passage in candidates], token)
    scored = [(candidate, score) for (candidate, _), score in zip(candidates, scores, strict=True)]
    return sorted(scored, key=lambda pair: -pair[1])
