"""A language model of llama.cpp, in the model process."""

from __future__ import annotations

import logging
import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from lexls.models.job import Answer
from lexls.models.process import ModelProcess, Patience
from lexls.models.unavailable import ModelUnavailable
from lexls.text.cancel import Cancelled, CancelToken

log = logging.getLogger(__name__)

Role = Literal["system", "user", "assistant"]
Reason = Literal["end", "length", "time"]

_LOADING = Patience(first=600.0, next=600.0)
"""A model of several gigabytes may come from a slow disk, and other requests may go first."""
_WRITING = Patience(first=600.0, next=60.0)
"""The process says at least once a second how far it is, a step that takes longer apart."""


@dataclass(frozen=True, slots=True)
class LlamaOptions:
    """A model file and how it is run.

    ``context_tokens`` is how many tokens the model keeps in view (prompt and answer together), ``threads``
    the processor cores it uses (0: all but one), ``gpu_layers`` how many of its layers a graphics card
    computes (-1: all). A model that would need more than ``memory_megabytes`` (0: what the machine has) is
    not loaded.
    """

    path: Path
    context_tokens: int = 8192
    threads: int = 0
    gpu_layers: int = 0
    memory_megabytes: int = 0


@dataclass(frozen=True, slots=True)
class Message:
    """A turn of a conversation. ``content`` is text and nothing else: what looks like a mark of the model's
    chat template in it is no such mark for the model."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How an answer is written: at most ``max_tokens`` within ``seconds`` (from when the model begins to read
    the prompt), the likeliest token each time at ``temperature`` 0, else by chance from ``seed``.

    ``grammar`` (GBNF with a rule ``root``) is what the answer must follow; "" lets it be anything.
    """

    max_tokens: int
    temperature: float = 0.0
    seed: int = 0
    seconds: float = 180.0
    grammar: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A piece of what the model writes, never empty and never a part of a character."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The last of what ``generate`` gives.

    ``cached_tokens`` of the ``prompt_tokens`` were known from an earlier prompt and not read again;
    ``tokens`` were written. ``first_seconds`` went by until the first of them, ``seconds`` until the last,
    without loading the model. The model came to its ``end``, or to the ``length`` or the ``time`` it was
    given.
    """

    prompt_tokens: int
    cached_tokens: int
    tokens: int
    first_seconds: float
    seconds: float
    reason: Reason


class LlamaClient:
    """The model of ``options`` in ``process``, where one such model is loaded at a time.

    Nothing is started before the first use. Requests are done one after the other. Safe to use from any
    thread.
    """

    def __init__(self, options: LlamaOptions, process: ModelProcess) -> None:
        self.options = options
        self.process = process
        self.name = options.path.stem
        """The file's name without its ending."""
        self.problem = ""
        """Why ``prepare`` last failed; "" if it did not."""
        self.about = ""
        """The model in words, with what the user should know of how it runs; "" until it is loaded."""
        self._loaded_in = 0
        self._preparing = threading.Lock()

    @property
    def ready(self) -> bool:
        """Whether the model was loaded in the process that runs now, so that an answer begins at once."""
        return self._loaded_in != 0 and self._loaded_in == self.process.life

    def prepare(self, beginning: Sequence[Message] = ()) -> None:
        """Load the model in the background and have it read ``beginning``, with which later prompts begin;
        ``problem`` says how it went. Does nothing while that goes on, nor, without ``beginning``, once it is
        loaded."""
        if (beginning or not self.ready) and self._preparing.acquire(blocking=False):
            work = (tuple(beginning),)
            threading.Thread(target=self._prepare, args=work, name="lexls-llama", daemon=True).start()

    def load(self, token: CancelToken | None = None) -> None:
        """Load the model and wait for it. Raises ``ModelUnavailable``, ``Cancelled``."""
        for _ in self._asked("llama-load", {}, [], token, _LOADING):
            pass

    def count(self, texts: Sequence[str], token: CancelToken | None = None) -> list[int]:
        """How many tokens the model makes of each text. Raises ``ModelUnavailable``, ``Cancelled``."""
        counts: list[int] = []
        for answer in self._asked("llama-count", {}, texts, token, _LOADING):
            counts.extend(answer.fields.get("counts", ()))
        if len(counts) != len(texts):
            raise ModelUnavailable(f"the model {self.name} counted {len(counts)} of {len(texts)} texts")
        return counts

    def generate(
        self, messages: Sequence[Message], sampling: Sampling, token: CancelToken | None = None
    ) -> Iterator[Written | Ended]:
        """What the model answers to ``messages``, in pieces as it writes, and at last how it ended.

        With ``max_tokens`` 0 it only reads. What ``messages`` begin with in common with those of the request
        before is not read again. Not taking all pieces stops it. Raises ``ModelUnavailable`` (with the reason
        and a remedy: no model, no memory, a prompt longer than the context, a grammar that is none),
        ``ModelCrashed`` (ask again), and ``Cancelled`` when ``token`` says so.
        """
        arguments = {
            "roles": [message.role for message in messages],
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "seed": sampling.seed,
            "seconds": sampling.seconds,
        }
        texts = [sampling.grammar, *(message.content for message in messages)]
        for answer in self._asked("llama-generate", arguments, texts, token, _WRITING):
            if answer.payload:
                yield Written(answer.payload.decode())
            if (ended := answer.fields.get("ended")) is not None:
                yield Ended(**ended)

    def _asked(
        self,
        operation: str,
        arguments: dict[str, Any],
        texts: Sequence[str],
        token: CancelToken | None,
        patience: Patience,
    ) -> Generator[Answer, None, None]:
        options = self.options
        how = {
            "path": str(options.path),
            "context_tokens": options.context_tokens,
            "threads": options.threads,
            "gpu_layers": options.gpu_layers,
            "memory_megabytes": options.memory_megabytes,
        }
        for answer in self.process.answers(operation, how | arguments, texts, token, patience):
            if answer.fields.get("loaded"):
                self._loaded_in, self.problem = self.process.life, ""
                self.about = str(answer.fields.get("about", ""))
            yield answer

    def _prepare(self, beginning: tuple[Message, ...]) -> None:
        try:
            self.load()
            if beginning:
                for _ in self.generate(beginning, Sampling(max_tokens=0)):
                    pass
        except ModelUnavailable as error:
            if error.reason != self.problem:  # every request tries again
                log.warning("%s", error.reason)
            self.problem = error.reason
        except Cancelled:
            pass
        finally:
            self._preparing.release()
