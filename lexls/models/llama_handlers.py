"""Answer the model process' requests for a language model of llama.cpp.

All take ``{"path", "context_tokens", "threads", "gpu_layers", "memory_megabytes"}`` and answer ``{"loaded":
true, "about"}`` first, when the model is there. One model is loaded at a time; another takes its place.

``llama-load`` does no more. ``llama-score``: ``{"roles", "options"}``, so many options and the contents of
the turns → ``{"scores"}``, the log-probability of each option's first token. ``llama-generate``:
``{"roles", "max_tokens", "seconds"}``, a grammar and the contents of the turns → parts
with text as their payload, ``{"read", "of"}`` now and then while the prompt is read, and ``{"ended": {…}}``.
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
"""Pieces of text are sent no more often, so that sending costs little beside writing."""
_PROGRESS_SECONDS = 1.0


_Wanted = tuple[LlamaOptions, int, int]
"""A model as it is asked for, with its file's size and time: a file that changed is another model."""


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
    """The model that is loaded, if any."""

    def __init__(self) -> None:
        self._wanted: _Wanted | None = None
        self._conversation: Conversation | None = None

    def load(self, job: Job) -> Iterator[ModelAnswer]:
        """Nothing but that the model is loaded."""
        yield _loaded(self._open(job))

    def score(self, job: Job) -> Iterator[ModelAnswer]:
        """Return how likely each of some beginnings of an answer is."""
        return self._answer(
            job, lambda conversation: iter([ModelAnswer({"scores": _score(conversation, job)})])
        )

    def generate(self, job: Job) -> Iterator[ModelAnswer]:
        """Return what the model answers, as it writes it."""
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
    """Nothing is loaded yet, and llama.cpp not imported."""
    models = LlamaModels()
    return {
        "llama-load": models.load,
        "llama-score": models.score,
        "llama-generate": models.generate,
    }


def _loaded(conversation: Conversation) -> ModelAnswer:
    return ModelAnswer({"loaded": True, "about": conversation.about})


def _opened(wanted: LlamaOptions, job: Job) -> Conversation:
    """Loads the model. Raises ``JobRefused``, ``Cancelled``."""
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
    """All processor cores that this process may use but one, and at least one: with every core, llama.cpp
    waits for whatever else has one of them at each step."""
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
    """Return a job's prompt, if an answer fits after it, and how much precedes the last content."""
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
    """The text in whole characters; what was written before the time was up is given, too."""
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
