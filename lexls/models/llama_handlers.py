"""Handle the model process's requests for a llama.cpp language model.

All requests take ``{"path", "context_tokens", "threads", "gpu_layers", "memory_megabytes"}``. The first
answer is ``{"loaded": true, "about"}`` once the model is loaded. One model is loaded at a time; another
replaces it.

``llama-load`` only loads the model. ``llama-score`` takes ``{"roles", "options"}``, where ``options`` is a
number, followed by the texts of the options and then the contents of the turns. It answers ``{"scores"}``,
the log-probability of each option's first token. ``llama-generate`` takes ``{"roles", "max_tokens",
"seconds"}``, followed by a grammar and the contents of the turns. It answers with parts that have text as
their payload, with ``{"read", "of"}`` now and then while the prompt is read, and with ``{"ended": {…}}``.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.models.gguf_header import UnreadableModel, read_gguf_header, refuse_what_does_not_fit
from lexls.models.llama_runtime import EXTRAS, find_runtime
from lexls.models.messages import (
    BadGrammar,
    ChatMessage,
    Ended,
    Failed,
    GenerationStopped,
    Handler,
    Job,
    JobRefused,
    LlamaOptions,
    ModelAnswer,
    NotLoaded,
    read_first_line,
)

if TYPE_CHECKING:
    from lexls.models.llama_conversation import Conversation
    from lexls.models.llama_cpp_model import LlamaContext, Stop

_SENT_EVERY_SECONDS = 0.03
"""Minimum number of seconds between pieces of text, so that sending costs little compared with generating."""
_PROGRESS_SECONDS = 1.0


_Wanted = tuple[LlamaOptions, int, int]
"""The requested model, with the size and modification time of its file, so that a changed file counts as
another model.
"""


def _wanted(job: Job) -> _Wanted:
    given = job.arguments
    path = Path(str(given["path"])).expanduser()
    try:
        found = path.stat()
    except (OSError, ValueError):
        raise JobRefused(
            f"there is no model file {path}; name another in llama.model, or fetch one with "
            "`lexls models add`"
        ) from None
    numbers = {each.name: int(given[each.name]) for each in fields(LlamaOptions) if each.name != "path"}
    return LlamaOptions(path, **numbers), found.st_size, found.st_mtime_ns


class LlamaModels:
    """The loaded model, if any."""

    def __init__(self) -> None:
        self._wanted: _Wanted | None = None
        self._conversation: Conversation | None = None

    def load(self, job: Job) -> Iterator[ModelAnswer]:
        """Load the model without using it."""
        yield _loaded(self._open(job))

    def score(self, job: Job) -> Iterator[ModelAnswer]:
        """Yield the log-probability of each of several beginnings of an answer."""
        return self._answer(
            job, lambda conversation: iter([ModelAnswer({"scores": _score(conversation, job)})])
        )

    def generate(self, job: Job) -> Iterator[ModelAnswer]:
        """Yield the model's answer as it is written."""
        return self._answer(job, lambda conversation: _answered(conversation, job))

    def _answer(
        self, job: Job, answer: Callable[[Conversation], Iterator[ModelAnswer]]
    ) -> Iterator[ModelAnswer]:
        conversation = self._open(job)
        yield _loaded(conversation)
        try:
            yield from answer(conversation)
        except Failed as failed:
            raise JobRefused(f"the model {Path(job.arguments['path']).name}: {failed}") from failed

    def _open(self, job: Job) -> Conversation:
        wanted = _wanted(job)
        if self._conversation is None or wanted != self._wanted:
            self._close()
            self._conversation = _opened(wanted[0], job)
            self._wanted = wanted
        return self._conversation

    def _close(self) -> None:
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            conversation.model.close()


def open_handlers() -> Mapping[str, Handler]:
    """Return the handlers, without loading a model or importing llama.cpp yet."""
    models = LlamaModels()
    return {
        "llama-load": models.load,
        "llama-score": models.score,
        "llama-generate": models.generate,
    }


def _loaded(conversation: Conversation) -> ModelAnswer:
    return ModelAnswer({"loaded": True, "about": conversation.about})


def _opened(wanted: LlamaOptions, job: Job) -> Conversation:
    """Load the model. Raises ``JobRefused`` and ``Cancelled``."""
    try:
        header = read_gguf_header(wanted.path)
    except UnreadableModel as error:
        raise JobRefused(str(error)) from None
    runtime = find_runtime()
    if not runtime:
        raise JobRefused(f"the model {wanted.path.name} needs llama.cpp; run `pip install 'lexls[llama]'`")
    try:
        from lexls.models.llama_conversation import Conversation
        from lexls.models.llama_cpp_model import BATCH_TOKENS, LlamaModel, uses_graphics_card
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        raise JobRefused(
            f"llama.cpp cannot be used ({read_first_line(error)}); run "
            f"`pip install --force-reinstall 'lexls[{EXTRAS[runtime]}]'`"
        ) from error
    on_card = wanted.gpu_layers if wanted.gpu_layers and uses_graphics_card() else 0
    refuse_what_does_not_fit(header, wanted.context_tokens, BATCH_TOKENS, wanted.memory_megabytes, on_card)
    try:
        model = LlamaModel(
            wanted.path,
            wanted.context_tokens,
            wanted.threads or count_threads(),
            wanted.gpu_layers,
            lambda: not job.token.cancelled,
        )
    except NotLoaded as error:
        raise JobRefused(f"the model file {wanted.path} cannot be used: {error}") from error
    except GenerationStopped:
        job.token.raise_if_cancelled()
        raise
    return Conversation(model, header.text("tokenizer.chat_template"))


def count_threads() -> int:
    """Return the number of threads: one less than the processor cores available to this process, but at least
    one.

    With every core, llama.cpp would wait at each step for any other program that uses one.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return max(1, cores - 1)


def _answered(conversation: Conversation, job: Job) -> Iterator[ModelAnswer]:
    model, given, context = conversation.model, job.arguments, conversation.model.context
    prompt, fixed = _prompt(conversation, job, job.texts[1:])
    room = context.tokens - len(prompt)
    done = Ended(len(prompt))
    started = time.monotonic()
    until = started + float(given["seconds"])

    def stop() -> bool:
        return job.token.cancelled or time.monotonic() >= until

    from lexls.models.llama_cpp_model import Chooser

    try:
        chooser = Chooser(model, job.texts[0])
    except BadGrammar as error:
        raise JobRefused(f"the grammar of the answer is none: {error}") from error
    with contextlib.closing(chooser) as choose:
        try:
            yield from _read(context, prompt, fixed, stop, done, started)
            tokens = context.write(choose, stop)
            limit = min(int(given["max_tokens"]), room)
            yield from _written(tokens, model.piece, limit, done, started)
        except GenerationStopped:
            job.token.raise_if_cancelled()
            done.reason = "time"
    done.seconds = time.monotonic() - started
    if not done.tokens:
        done.first_seconds = done.seconds
    yield ModelAnswer({"ended": asdict(done)})


def _prompt(conversation: Conversation, job: Job, contents: Sequence[str]) -> tuple[list[int], int]:
    """Return a job's prompt, and how many of its tokens precede the last content. Raises ``JobRefused`` if no
    answer fits after it.
    """
    turns = [ChatMessage(*each) for each in zip(job.arguments["roles"], contents, strict=True)]
    prompt, fixed = conversation.prompt(turns)
    tokens = conversation.model.context_tokens
    if len(prompt) >= tokens:
        raise JobRefused(
            f"the prompt has {len(prompt):,} tokens, and the model keeps {tokens:,} in view: "
            "raise llama.contextTokens"
        )
    return prompt, fixed


def _score(conversation: Conversation, job: Job) -> list[float]:
    import numpy as np

    count = int(job.arguments["options"])
    prompt, fixed = _prompt(conversation, job, job.texts[count:])
    try:
        for _ in conversation.model.context.read(prompt, fixed, lambda: job.token.cancelled):
            pass
    except GenerationStopped:
        job.token.raise_if_cancelled()
        raise
    scores = conversation.model.context.scores().astype(np.float64)
    scores -= scores.max()
    scores -= np.log(np.exp(scores).sum())
    return [float(scores[conversation.content_tokens(each)[0]]) for each in job.texts[:count]]


def _read(
    context: LlamaContext, prompt: list[int], fixed: int, stop: Stop, done: Ended, started: float
) -> Iterator[ModelAnswer]:
    told = started
    steps = context.read(prompt, fixed, stop)
    done.cached_tokens = next(steps)
    for read in steps:
        if time.monotonic() - told > _PROGRESS_SECONDS:
            told = time.monotonic()
            yield ModelAnswer({"read": read, "of": len(prompt)})


def _written(
    tokens: Iterator[int], piece: Callable[[int], bytes], limit: int, done: Ended, started: float
) -> Iterator[ModelAnswer]:
    """Yield the text in whole characters, including what was written before the time ran out."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text, sent = "", 0.0
    stopped: GenerationStopped | None = None
    while done.tokens < limit:
        try:
            if (token := next(tokens, None)) is None:
                done.reason = "end"
                break
        except GenerationStopped as error:
            stopped = error
            break
        done.tokens += 1
        text += decoder.decode(piece(token))
        now = time.monotonic()
        if done.tokens == 1:
            done.first_seconds = now - started
        if text and now - sent > _SENT_EVERY_SECONDS:
            yield ModelAnswer({}, text.encode())
            text, sent = "", now
    if text:
        yield ModelAnswer({}, text.encode())
    if stopped is not None:
        raise stopped
