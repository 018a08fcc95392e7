"""Client of the model process: starts it when needed, and restarts it after a crash."""

from __future__ import annotations

import itertools
import logging
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lexls.models.child import Child, make_environment
from lexls.models.messages import Message, ModelAnswer, ModelCrashed, ModelUnavailable, pack_texts
from lexls.text.cancel import Cancelled, CancelToken

log = logging.getLogger(__name__)

HANDLERS = ("lexls.models.handlers", "lexls.models.llama_handlers")
IDLE_SECONDS = 600.0
CRASHES = 3
"""If the process has been started this many times in a row without giving an answer, it is not restarted at
once.
"""
REST_SECONDS = 60.0
"""Seconds to wait before the process is restarted after ``CRASHES`` starts without an answer."""
_GRACE_SECONDS = 2.0
"""Seconds allowed for a cancelled request to stop before its process is killed."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to wait for the first answer (which may include loading a model) and for each later one."""

    first: float = 300.0
    next: float = 60.0


_TAKEN_BACK = Message({"id": 0, "is": "taken back"})


class ModelProcess:
    """One process for all models, started when first used. Safe from any thread.

    It is stopped ``idle_seconds`` after its last request to free its memory (0: never). Without ``network``,
    libraries are configured not to download anything. ``handlers`` are the modules that process requests (see
    ``messages``).
    """

    def __init__(
        self,
        *,
        idle_seconds: float = IDLE_SECONDS,
        network: bool = False,
        handlers: Sequence[str] = HANDLERS,
    ) -> None:
        self._idle_seconds = idle_seconds
        self._network = network
        self._handlers = tuple(handlers)
        self._lock = threading.Lock()
        self._ids = itertools.count(1)
        self._child: Child | None = None
        self._crashes = 0
        self._crashed_at = 0.0
        self._closed = False

    @property
    def life(self) -> int:
        """The id of the running process, 0 if there is none. When a process ends, its loaded models
        are lost.
        """
        child = self._child
        return child.pid if child is not None and not child.end_reason and not child.asked_to_end else 0

    def answers(
        self,
        operation: str,
        arguments: Mapping[str, Any],
        texts: Sequence[str] = (),
        token: CancelToken | None = None,
        patience: Patience = Patience(),
    ) -> Generator[ModelAnswer, None, None]:
        """Yield the answers to one request as they arrive; closing the iterator early cancels the request.

        Raises ``ModelUnavailable`` if the model cannot answer or needs too long, and ``ModelCrashed`` if it
        crashes. A process that needs too long is killed unless it stops by itself. Raises ``Cancelled`` as
        soon as ``token`` is cancelled, whatever the process is doing.
        """
        if token is not None:
            token.raise_if_cancelled()
        id = next(self._ids)
        child, inbox = self._ask(id, operation, arguments, texts)
        remove = token.on_cancel(lambda: inbox.put(_TAKEN_BACK)) if token is not None else None
        finished = False
        seconds = patience.first
        try:
            while True:
                message = self._next(child, id, inbox, seconds)
                seconds = patience.next
                kind = message.header.get("is")
                if kind == "part":
                    yield ModelAnswer(message.header.get("fields", {}), message.payload)
                    continue
                finished = message is not _TAKEN_BACK
                if kind == "end":
                    return
                if kind == "failed":
                    raise ModelUnavailable(str(message.header.get("reason", "the model failed")))
                raise Cancelled
        finally:
            if remove is not None:
                remove()
            if not finished:
                child.cancel(id)
            child.forget(id)

    def close(self) -> None:
        """Stop the process; waiting and later requests raise ``ModelUnavailable``."""
        with self._lock:
            self._closed = True
            child, self._child = self._child, None
        if child is not None:
            child.end()
            child.wait()

    def _ask(
        self, id: int, operation: str, arguments: Mapping[str, Any], texts: Sequence[str]
    ) -> tuple[Child, queue.SimpleQueue[Message | None]]:
        lengths, payload = pack_texts(texts)
        request = Message({"id": id, "do": operation, "with": dict(arguments), "lengths": lengths}, payload)
        with self._lock:
            if self._closed:
                raise ModelUnavailable("the model process was closed")
            inbox = None
            try:
                if self._child is not None:
                    inbox = self._child.ask(id, request)
                if self._child is None or inbox is None:
                    self._child = self._start()
                    inbox = self._child.ask(id, request)
            except OSError as error:
                raise ModelUnavailable(f"the model process cannot be started: {error}") from error
            except ValueError as error:
                raise ModelUnavailable(str(error)) from error
            if inbox is None:
                raise ModelCrashed("the model process ended as it started; the next request starts it again")
            return self._child, inbox

    def _start(self) -> Child:
        if self._crashes >= CRASHES and time.monotonic() - self._crashed_at < REST_SECONDS:
            raise ModelUnavailable(
                f"the model process ended {self._crashes} times without an answer; it is tried again in "
                f"{REST_SECONDS:.0f} seconds (`lexls doctor` may tell why)"
            )
        return Child(
            self._handlers,
            make_environment(self._network),
            idle_seconds=self._idle_seconds,
            on_end=self._ended,
        )

    def _ended(self, child: Child) -> None:
        with self._lock:
            if self._child is child:
                self._child = None
            if child.answered:
                self._crashes = 0
            elif not child.asked_to_end:
                self._crashes += 1
                self._crashed_at = time.monotonic()
        if not child.asked_to_end:
            log.warning("the model process %s", child.end_reason)

    def _next(
        self, child: Child, id: int, inbox: queue.SimpleQueue[Message | None], seconds: float
    ) -> Message:
        try:
            message = inbox.get(timeout=seconds)
        except queue.Empty:
            self._stop(child, id, inbox)
            raise ModelUnavailable(
                f"the model gave no answer within {seconds:g} seconds and was stopped; it may be too large "
                "for this machine"
            ) from None
        if message is not None:
            return message
        if self._closed:
            raise ModelUnavailable("the model process was closed")
        raise ModelCrashed(
            f"the model process {child.end_reason} before it answered; the next request starts it again"
        )

    def _stop(self, child: Child, id: int, inbox: queue.SimpleQueue[Message | None]) -> None:
        """Stop a request that took too long: cancel it, and kill the process if that does not help."""
        child.cancel(id)
        until = time.monotonic() + _GRACE_SECONDS
        while (rest := until - time.monotonic()) > 0:
            try:
                message = inbox.get(timeout=rest)
            except queue.Empty:
                break
            if message is None or message.header.get("is") in ("end", "failed", "cancelled"):
                return
        child.kill()


class ProcessModel(ABC):
    """A model in ``process`` that can be loaded in the background in advance."""

    def __init__(self, process: ModelProcess) -> None:
        self.process = process
        self.problem = ""
        """Why it was last unusable; "" if it was usable."""
        self._loaded_in = 0
        self._preparing = threading.Lock()

    @property
    def ready(self) -> bool:
        """Return whether the running process has loaded the model, so that answers begin at once."""
        return self._loaded_in != 0 and self._loaded_in == self.process.life

    def _is_loaded(self, answer: ModelAnswer) -> bool:
        """Return whether an answer says that the model is loaded. If it does, record that."""
        if answer.fields.get("loaded"):
            self._loaded_in, self.problem = self.process.life, ""
        return bool(answer.fields.get("loaded"))

    @abstractmethod
    def load(self, token: CancelToken | None = None) -> None:
        """Load the model and wait for it. Raises ``ModelUnavailable`` and ``Cancelled``."""

    def prepare(self) -> None:
        """Load the model in the background, unless it is loaded or being loaded. If this fails, ``problem``
        says why.
        """
        if not self.ready and self._preparing.acquire(blocking=False):
            threading.Thread(target=self._prepare, name="lexls-prepare", daemon=True).start()

    def _prepare(self) -> None:
        try:
            self.load()
        except ModelUnavailable as error:
            self._note_problem(error)
        except Cancelled:
            pass
        finally:
            self._preparing.release()

    def _note_problem(self, error: ModelUnavailable) -> None:
        if str(error) != self.problem:  # every request tries again
            log.warning("%s", error)
        self.problem = str(error)
