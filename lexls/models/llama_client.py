"""A language model of llama.cpp, in the model process."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from lexls.models.messages import ChatMessage, Ended, LlamaOptions, ModelAnswer, ModelUnavailable, Sampling
from lexls.models.process import ModelProcess, Patience, ProcessModel
from lexls.text.cancel import CancelToken

_LOADING = Patience(first=600.0, next=600.0)
"""A model of several gigabytes may come from a slow disk, and other requests may go first."""
_WRITING = Patience(first=600.0, next=60.0)
"""The process says at least once a second how far it is, a step that takes longer apart."""


class LlamaClient(ProcessModel):
    """The model of ``options`` in ``process``, where one such model is loaded at a time.

    Nothing is started before the first use. Requests are done one after the other. Safe to use from any
    thread.
    """

    def __init__(self, options: LlamaOptions, process: ModelProcess) -> None:
        super().__init__(process)
        self.options = options
        self.name = options.path.stem
        """The file's name without its ending."""
        self.about = ""
        """The model in words, with what the user should know of how it runs; "" until it is loaded."""

    def load(self, token: CancelToken | None = None) -> None:
        """Load the model and wait for it. Raises ``ModelUnavailable``, ``Cancelled``."""
        list(self._asked("llama-load", {}, [], token, _LOADING))

    def score(
        self, messages: Sequence[ChatMessage], options: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Return how likely the model begins its answer to ``messages`` with each of ``options``.

        The logarithm of the probability of each one's first token, of which no two should have the same.
        Raises ``ModelUnavailable``, ``Cancelled``.
        """
        arguments = {"roles": [message.role for message in messages], "options": len(options)}
        texts = [*options, *(message.content for message in messages)]
        scores: list[float] = []
        for answer in self._asked("llama-score", arguments, texts, token, _LOADING):
            scores.extend(answer.fields.get("scores", ()))
        if len(scores) != len(options):
            raise ModelUnavailable(f"the model {self.name} gave {len(scores)} of {len(options)} scores")
        return scores

    def generate(
        self, messages: Sequence[ChatMessage], sampling: Sampling, token: CancelToken | None = None
    ) -> Iterator[str | Ended]:
        """Yield what the model answers to ``messages``, in pieces as it writes, and at last how it ended.

        No piece is empty or a part of a character. With ``max_tokens`` 0 it only reads. What ``messages``
        begin with in common with those of the request before is not read again. Not taking all pieces stops
        it. Raises ``ModelUnavailable`` (no model, no memory, a prompt too long, a grammar that is none),
        ``ModelCrashed`` (ask again), and ``Cancelled`` when ``token`` says so.
        """
        how = asdict(sampling)
        texts = [how.pop("grammar"), *(message.content for message in messages)]
        arguments = {"roles": [message.role for message in messages], **how}
        for answer in self._asked("llama-generate", arguments, texts, token, _WRITING):
            if answer.payload:
                yield answer.payload.decode()
            if (ended := answer.fields.get("ended")) is not None:
                yield Ended(**ended)

    def _asked(
        self,
        operation: str,
        arguments: dict[str, Any],
        texts: Sequence[str],
        token: CancelToken | None,
        patience: Patience,
    ) -> Generator[ModelAnswer, None, None]:
        how = asdict(self.options) | {"path": str(self.options.path)}
        for answer in self.process.answers(operation, how | arguments, texts, token, patience):
            if self._is_loaded(answer):
                self.about = str(answer.fields.get("about", ""))
            yield answer
