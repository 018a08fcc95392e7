"""Run a language model with llama.cpp, through its C interface.

The ``Llama`` class of llama-cpp-python is not used: its streaming slows down with every token if characters
are split over tokens, it does not distinguish text from a template's markers, it ignores an invalid grammar,
and the reading of a prompt cannot be stopped.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lexls.models.llama_runtime import open_interface
from lexls.models.messages import BadGrammar, Failed, GenerationStopped, NotLoaded

llama = open_interface()

BATCH_TOKENS = 128
"""Number of prompt tokens read at a time. Larger batches are no faster on a processor, and a matrix product
cannot be stopped once begun.
"""
_NO_TEXT = llama.LLAMA_TOKEN_ATTR_UNKNOWN | llama.LLAMA_TOKEN_ATTR_UNUSED | llama.LLAMA_TOKEN_ATTR_CONTROL
_ABORTED = 2
_SLOW_SECONDS = 0.05
"""Minimum seconds per token of a model whose computation of a token may be interrupted. The checks for that
would slow down a faster model.
"""
_FLASH_HEAD = 64
"""Minimum size of an attention head for which llama.cpp's flash attention is no slower on a processor. With
heads of size 8, the model would write at a quarter of the speed.
"""
_LINES = 20

Stop = Callable[[], bool]
"""A function that returns whether to stop; it is called often, on the working thread."""


class LlamaModel:
    """The model in the file ``path`` with a context of ``context_tokens``, run by ``threads`` threads.

    ``gpu_layers`` of its layers (-1: all) are computed on a graphics card, if this build supports one.
    ``wanted`` is called while the model is loaded; if it returns false, ``GenerationStopped`` is raised.
    Raises ``NotLoaded``. Not safe from several threads.
    """

    def __init__(
        self, path: Path, context_tokens: int, threads: int, gpu_layers: int, wanted: Callable[[], bool]
    ) -> None:
        self._log = _start().lines
        self._closing = contextlib.ExitStack()
        self.threads = threads
        try:
            self._load(path, gpu_layers, wanted)
            self._list_tokens()
            self.context = LlamaContext(self._model, context_tokens, threads, self.words, self.ends)
            """The context that reads prompts."""
            self._closing.callback(self.context.close)
        except BaseException:
            self.close()
            raise
        self.context_tokens = self.context.tokens
        self.trained_tokens = int(llama.llama_model_n_ctx_train(self._model))
        """The training context length; beyond it, the model's output degrades."""
        self.lacks_card = gpu_layers != 0 and not uses_graphics_card()
        """True if a graphics card was requested that this build of llama.cpp cannot use."""
        self._pieces: dict[int, bytes] = {}

    def _load(self, path: Path, gpu_layers: int, wanted: Callable[[], bool]) -> None:
        parameters = llama.llama_model_default_params()
        parameters.n_gpu_layers = gpu_layers
        progress = llama.llama_progress_callback(lambda share, data: wanted())
        parameters.progress_callback = progress
        self._log.clear()
        model = llama.llama_model_load_from_file(os.fsencode(path), parameters)
        if not model:
            if not wanted():
                raise GenerationStopped
            raise NotLoaded(_reason(self._log))
        self._model = model
        self._closing.callback(llama.llama_model_free, model)
        if llama.llama_model_has_encoder(model) or not llama.llama_model_has_decoder(model):
            raise NotLoaded("it is no model that continues a text")
        self._vocabulary = llama.llama_model_get_vocab(model)
        if llama.llama_vocab_type(self._vocabulary) == llama.LLAMA_VOCAB_TYPE_NONE:
            raise NotLoaded("it has no vocabulary")

    def _list_tokens(self) -> None:
        size = int(llama.llama_vocab_n_tokens(self._vocabulary))
        found = (llama.llama_vocab_get_attr(self._vocabulary, token) for token in range(size))
        attributes = np.fromiter(found, np.int64, size)
        ends = [token for token in range(size) if llama.llama_vocab_is_eog(self._vocabulary, token)]
        silent = np.flatnonzero(attributes & _NO_TEXT)
        self.words = size
        self.ends = frozenset(ends)
        """The tokens that end an answer."""
        self.unsaid = np.setdiff1d(silent, ends)
        """Tokens that are neither text nor an end: they would open a turn, or mean nothing."""
        defined = np.flatnonzero(attributes & llama.LLAMA_TOKEN_ATTR_USER_DEFINED)
        self.marks = {token: self._text(token) for token in {*defined.tolist(), *ends}}
        """Tokens that may be template markers although texts can contain them, with their texts."""

    def _text(self, token: int) -> str:
        found: bytes | None = llama.llama_vocab_get_text(self._vocabulary, token)
        return (found or b"").decode("utf-8", "replace")

    @property
    def description(self) -> str:
        """A description of the network, such as "llama 4B Q4_K - Medium"."""
        text = ctypes.create_string_buffer(256)
        llama.llama_model_desc(self._model, text, len(text))
        return text.value.decode("utf-8", "replace")

    @property
    def begins_with(self) -> list[int]:
        """The token that must begin every prompt, as a list; empty if there is none."""
        if not llama.llama_vocab_get_add_bos(self._vocabulary):
            return []
        first = int(llama.llama_vocab_bos(self._vocabulary))
        return [first] if first >= 0 else []

    @property
    def first_and_last(self) -> tuple[str, str]:
        """The texts of the beginning and end tokens; "" for a missing one."""
        tokens = (llama.llama_vocab_bos(self._vocabulary), llama.llama_vocab_eos(self._vocabulary))
        first, last = (self._text(token) if token >= 0 else "" for token in tokens)
        return first, last

    def tokens(self, text: str, special: bool) -> list[int]:
        """Tokenise ``text``. Its markers become special tokens only if ``special`` is true, or if the model's
        maker did not declare them as special (``marks``).
        """
        encoded = text.encode("utf-8", "replace")
        room = len(encoded) + 8
        found = (llama.llama_token * room)()
        count = llama.llama_tokenize(self._vocabulary, encoded, len(encoded), found, room, False, special)
        if count < 0:
            raise Failed("a text cannot be cut into tokens")
        return list(found[:count])

    def piece(self, token: int) -> bytes:
        """Return the bytes that a token adds to the text, possibly a part of a character."""
        known = self._pieces.get(token)
        if known is None:
            room = 64
            while True:
                text = ctypes.create_string_buffer(room)
                length = llama.llama_token_to_piece(self._vocabulary, token, text, room, 0, False)
                if length >= 0:
                    break
                room = -length
            known = self._pieces[token] = text.raw[:length]
        return known

    def close(self) -> None:
        """Free all memory; the model cannot be used afterwards."""
        self._closing.close()

    @property
    def vocabulary(self) -> Any:
        """llama.cpp's handle of the vocabulary."""
        return self._vocabulary


class LlamaContext:
    """The state of a loaded ``model``: up to ``tokens`` tokens of one prompt and the answer written so far.

    ``words`` and ``ends`` are those of ``LlamaModel``. Raises ``NotLoaded``.
    """

    def __init__(self, model: Any, tokens: int, threads: int, words: int, ends: frozenset[int]) -> None:
        parameters = llama.llama_context_default_params()
        parameters.n_ctx = tokens
        parameters.n_batch = parameters.n_ubatch = BATCH_TOKENS
        parameters.n_threads = parameters.n_threads_batch = threads
        parameters.no_perf = True
        head = llama.llama_model_n_embd(model) // max(1, llama.llama_model_n_head(model))
        if head < _FLASH_HEAD:
            parameters.flash_attn_type = llama.LLAMA_FLASH_ATTN_TYPE_DISABLED
        log = _start().lines
        log.clear()
        self._context = llama.llama_init_from_model(model, parameters)
        if not self._context:
            raise NotLoaded(_reason(log))
        self.tokens = int(llama.llama_n_ctx(self._context))
        self._words = words
        self._ends = ends
        self._memory = llama.llama_get_memory(self._context)
        self._stop: Stop = _never
        self._asking = llama.ggml_abort_callback(lambda data: self._stop())
        self._not_asking = llama.ggml_abort_callback()
        self._batch = (llama.llama_token * BATCH_TOKENS)()
        self._read_batches: list[list[int]] = []

    def read(self, prompt: Sequence[int], fixed: int, stop: Stop) -> Iterator[int]:
        """Have the model read ``prompt``, which must not be empty and must fit into the context.

        Yield first the number of tokens already known, and then repeatedly the number read so far. A batch
        ends after the first ``fixed`` tokens, which other prompts share. Only tokens that were read before in
        identical batches are reused, so that an answer does not depend on earlier prompts. Raises
        ``GenerationStopped`` and ``Failed``.
        """
        batches = [*_cut(prompt[:fixed]), *_cut(prompt[fixed:])]
        known = 0
        for mine, theirs in zip(self._read_batches, batches[:-1], strict=False):
            if mine != theirs:
                break
            known += 1
        same = sum(map(len, batches[:known]))
        if not llama.llama_memory_seq_rm(self._memory, 0, same, -1):
            llama.llama_memory_clear(self._memory, True)
            known = same = 0
        del self._read_batches[known:]
        yield same
        self._stop = stop
        llama.llama_set_abort_callback(self._context, self._asking, None)
        try:
            for tokens in batches[known:]:
                if stop():
                    raise GenerationStopped
                self._batch[: len(tokens)] = tokens
                self._decode(llama.llama_batch_get_one(self._batch, len(tokens)))
                self._read_batches.append(tokens)
                same += len(tokens)
                yield same
        finally:
            llama.llama_set_abort_callback(self._context, self._not_asking, None)
            self._stop = _never

    def write(self, choose: Callable[[NDArray[np.float32]], int | None], stop: Stop) -> Iterator[int]:
        """Yield the tokens of the answer, until it is complete or ``choose`` returns None.

        ``choose`` gets the scores of all tokens and may change them. Raises ``GenerationStopped`` and
        ``Failed``.
        """
        one = (llama.llama_token * 1)()
        batch = llama.llama_batch_get_one(one, 1)
        self._stop = stop
        asking = False
        try:
            while True:
                token = choose(self.scores())
                if token is None or token in self._ends:
                    return
                yield token
                if stop():
                    raise GenerationStopped
                one[0] = token
                started = time.perf_counter()
                self._decode(batch)
                if not asking and time.perf_counter() - started > _SLOW_SECONDS:
                    llama.llama_set_abort_callback(self._context, self._asking, None)
                    asking = True
        finally:
            if asking:
                llama.llama_set_abort_callback(self._context, self._not_asking, None)
            self._stop = _never

    def close(self) -> None:
        """Free the context's memory; must be called before the model's memory is freed."""
        context, self._context = self._context, None
        if context:
            llama.llama_free(context)

    def _decode(self, batch: Any) -> None:
        status = llama.llama_decode(self._context, batch)
        if status == _ABORTED:
            raise GenerationStopped
        if status != 0:
            self._read_batches.clear()
            raise Failed(f"llama.cpp could not compute (status {status})")

    def scores(self) -> NDArray[np.float32]:
        """Return the model's scores (logits) of every token for the next position. The array is the model's
        own memory.
        """
        found = llama.llama_get_logits_ith(self._context, -1)
        if not found:
            raise Failed("llama.cpp gave no scores")
        # ``as_array`` creates a type on each call; a view of the same bytes costs a tenth.
        numbers = (ctypes.c_float * self._words).from_address(ctypes.addressof(found.contents))
        return np.frombuffer(memoryview(numbers).cast("B"), dtype=np.float32)


def _cut(tokens: Sequence[int]) -> Iterator[list[int]]:
    for start in range(0, len(tokens), BATCH_TOKENS):
        yield list(tokens[start : start + BATCH_TOKENS])


class Chooser:
    """Chooses the next token of ``model``: the one with the highest score that ``grammar`` allows (GBNF; "":
    any).

    Raises ``BadGrammar``.
    """

    _LIKELIEST = 64
    """Number of likeliest tokens that are checked against the grammar first, because checking a large
    vocabulary is slow. They usually include an allowed token if the model knows the required form.
    """

    def __init__(self, model: LlamaModel, grammar: str) -> None:
        self._words = model.words
        self._unsaid = model.unsaid
        self._ends = model.ends
        row = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
        self._rows = np.zeros(self._words, dtype=row)
        self._ids = np.arange(self._words, dtype=np.int32)
        self._grammar: Any = _parsed(model.vocabulary, grammar) if grammar else None

    def __call__(self, scores: NDArray[np.float32]) -> int | None:
        """Return the next token; None if the grammar allows none."""
        scores[self._unsaid] = -np.inf
        token = self._chosen(scores)
        if token is not None and self._grammar is not None and token not in self._ends:
            llama.llama_sampler_accept(self._grammar, token)
        return token

    def close(self) -> None:
        """Free the grammar's memory."""
        grammar, self._grammar = self._grammar, None
        if grammar is not None:
            llama.llama_sampler_free(grammar)

    def _chosen(self, scores: NDArray[np.float32]) -> int | None:
        token = int(scores.argmax())
        if self._grammar is None or self._allowed(np.array([token]))[0]:
            return token
        if self._words > 2 * self._LIKELIEST:
            likeliest = np.argpartition(scores, -self._LIKELIEST)[-self._LIKELIEST :]
            likeliest = likeliest[np.argsort(-scores[likeliest], kind="stable")]
            fitting = likeliest[self._allowed(likeliest) & np.isfinite(scores[likeliest])]
            if len(fitting):
                return int(fitting[0])
        scores[~self._allowed(self._ids)] = -np.inf
        best = int(scores.argmax())
        return best if np.isfinite(scores[best]) else None

    def _allowed(self, ids: NDArray[Any]) -> NDArray[np.bool_]:
        """Return a mask of which of these tokens the grammar allows next."""
        rows = self._rows[: len(ids)]
        rows["id"], rows["logit"] = ids, 0
        candidates = llama.llama_token_data_array(
            data=ctypes.cast(rows.ctypes.data, llama.llama_token_data_p),
            size=len(rows),
            selected=-1,
            sorted=False,
        )
        llama.llama_sampler_apply(self._grammar, ctypes.byref(candidates))
        allowed: NDArray[np.bool_] = np.isfinite(rows["logit"])
        return allowed


def _parsed(vocabulary: Any, grammar: str) -> Any:
    encoded = grammar.encode("utf-8", "replace")
    if b"\0" in encoded:
        raise BadGrammar("it has a character that no grammar has")
    with _open_nowhere() as printed:
        # The parser prints what it cannot parse, which may be words of a text, to standard error.
        with _errors_into(printed.fileno()):
            found = llama.llama_sampler_init_grammar(vocabulary, encoded, b"root")
        if found:
            return found
        printed.seek(0)
        said = printed.readline(1000).decode("utf-8", "replace").partition("error parsing grammar: ")[2]
    reason = said.strip().partition(" at ")[0].partition("'")[0].strip()
    raise BadGrammar(reason or "it has no rule called root, or one that begins with itself")


def _open_nowhere() -> IO[bytes]:
    """Open a file that is in no folder: in memory on Linux, elsewhere an unnamed temporary file."""
    if sys.platform == "linux":
        return open(os.memfd_create("lexls"), "w+b")
    return tempfile.TemporaryFile()


@contextlib.contextmanager
def _errors_into(descriptor: int) -> Iterator[None]:
    kept = os.dup(2)
    try:
        os.dup2(descriptor, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


class _Log:
    """llama.cpp's log: the last lines are kept in memory, and nothing is written to disk."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=_LINES)
        self._callback = llama.llama_log_callback(self._hear)
        llama.llama_log_set(self._callback, None)

    def _hear(self, level: int, text: bytes, data: Any) -> None:
        self.lines.append(text.decode("utf-8", "replace").strip())


@functools.cache
def _start() -> _Log:
    """Initialise llama.cpp once, and return its log, which exists as long as the process."""
    log = _Log()
    llama.llama_backend_init()
    return log


def uses_graphics_card() -> bool:
    """Return whether this build of llama.cpp supports computing on a graphics card."""
    _start()
    return bool(llama.llama_supports_gpu_offload())


def _reason(messages: Sequence[str]) -> str:
    """Return the reason for a failure from llama.cpp's log. The first reason in the log is the most
    precise.
    """
    for mark in ("error loading model: ", "failed to ", "error: "):
        for message in messages:
            _, found, said = message.partition(mark)
            if found:
                return f"{mark if mark.startswith('failed') else ''}{said}"[:300]
    return "llama.cpp does not say why"


def _never() -> bool:
    return False
