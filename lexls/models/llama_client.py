"""Use a llama.cpp language model in the model process."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from lexls.models.messages import ChatMessage, Ended, LlamaOptions, ModelAnswer, ModelUnavailable, Sampling
from lexls.models.process import ModelProcess, Patience, ProcessModel
from lexls.text.cancel import CancelToken

_LOADING = Patience(first=600.0, next=600.0)
"""Patience for loading: a model of several gigabytes may be on a slow disk, and other requests may go
first.
"""
_WRITING = Patience(first=600.0, next=60.0)
"""Patience for an answer: the process reports progress at least once a second, unless one step takes
longer.
"""


class LlamaClient(ProcessModel):
    """Client for the model of ``options`` in ``process``, which loads one such model at a time.

    Nothing is started before the first use. Requests are processed one after another. Safe from any thread.
    """

    def __init__(self, options: LlamaOptions, process: ModelProcess) -> None:
        super().__init__(process)
        self.options = options
        self.name = options.path.stem
        """The file's name without its suffix."""
        self.about = ""
        """A description of the model and any remarks on how it runs; "" until it is loaded."""

    def load(self, token: CancelToken | None = None) -> None:
        """Load the model and wait for it. Raises ``ModelUnavailable`` and ``Cancelled``."""
        list(self._asked("llama-load", {}, [], token, _LOADING))

    def score(
        self, messages: Sequence[ChatMessage], options: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Return the log-probability that the model's answer to ``messages`` begins with each of ``options``.

        Only the first token of each option counts, so no two options should begin with the same token. Raises
        ``ModelUnavailable`` and ``Cancelled``.
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
        """Yield the model's answer to ``messages`` in pieces as it is written, and finally how it ended.

        No piece is empty or splits a character. If ``max_tokens`` is 0, the model only reads the prompt. A
        beginning that ``messages`` share with the previous request is not read again. Closing the iterator
        early stops the model. Raises ``ModelUnavailable`` (no model, too little memory, a prompt that is too
        long, an invalid grammar), ``ModelCrashed`` (ask again), and ``Cancelled`` if ``token`` is cancelled.
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
