"""Judging with a model whether one text follows from another: NLI models, cross-encoders of one output."""

from __future__ import annotations

import array
import math
import sys
from collections.abc import Sequence

from lexls.models.process import ModelProcess, Patience
from lexls.models.unavailable import ModelUnavailable
from lexls.text.cancel import CancelToken

WORD_PIECES = 512


class EntailmentClient:
    """The model ``model`` (a folder, or a name on the Hugging Face hub) in the model process ``process``.

    ``:fp32`` after the name computes in fp32 what is otherwise done in int8. A pair of texts is cut to
    ``word_pieces``; ``seconds`` is how long eight pairs may take once the model is loaded. Nothing is started
    before the first use. Safe to use from any thread.
    """

    def __init__(
        self, model: str, process: ModelProcess, *, word_pieces: int = WORD_PIECES, seconds: float = 30.0
    ) -> None:
        self.model = model
        self._process = process
        self._arguments = {"model": model, "word_pieces": word_pieces}
        self._patience = Patience(next=seconds)
        self.kind = ""
        """What runs the model: onnxruntime with a precision, or sentence-transformers; "" until loaded."""

    def probabilities(
        self, pairs: Sequence[tuple[str, str]], token: CancelToken | None = None
    ) -> list[float]:
        """How likely, from 0 to 1, the second text of each pair (the hypothesis) follows from the first.

        Loads the model first if need be. Raises ``ModelUnavailable``, also for a model that has no output for
        entailment, and ``Cancelled`` when ``token`` says so.
        """
        found = array.array("f")
        texts = [text for pair in pairs for text in pair]
        for answer in self._process.answers("entail", self._arguments, texts, token, self._patience):
            if answer.fields.get("loaded"):
                self.kind = str(answer.fields.get("kind", ""))
            found.frombytes(answer.payload)
        if sys.byteorder == "big":
            found.byteswap()
        if len(found) != len(pairs) or not all(map(math.isfinite, found)):
            raise ModelUnavailable(f"the model {self.model} gave no judgment on some sentence")
        return list(found)
