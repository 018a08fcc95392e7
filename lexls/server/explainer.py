"""Keep a session's answer writer and its finished explanations."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexls.settings.declaration import Settings
from lexls.text.memory import Memory

if TYPE_CHECKING:
    from lexls.features.build import Writer
    from lexls.grounding.answer import Answer, Task
    from lexls.index.embedding import Embedder
    from lexls.reading.snapshot import Snapshot
    from lexls.server.library_service import LibraryService

MOST_READY = 200
"""Maximum number of explanations cached; the least recently used is dropped first."""
ON_THIS_MACHINE = ("extractive", "llama")
"""Generators that may prepare explanations before the user asks: they run on this machine at no cost."""


@dataclass(frozen=True, slots=True)
class ReadyKey:
    """The inputs of an explanation: the authority, the pinpoint, the proposition, and the state of the
    library.
    """

    authority: int
    pinpoint: str
    proposition: str
    generation: int


class Explainer:
    """Keeps a session's answer writer open until the settings change, and caches explanations. Safe to use
    from any thread.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._writer: Writer | None = None
        self._opened_with: Embedder | None = None
        self._ready: Memory[ReadyKey, Answer] = Memory(MOST_READY)
        self._gave_up = False

    @property
    def explains_unasked(self) -> bool:
        """Return whether explanations may be prepared before the user asks for them."""
        local = self._settings.explain_generator in ON_THIS_MACHINE
        return self._settings.explain_on_hover and local and not self._gave_up

    def give_up(self) -> None:
        """Stop preparing explanations before the user asks, until an explanation that the user requests
        succeeds. Otherwise an unusable model would be retried at every hover.
        """
        self._gave_up = True

    def writer(self, task: Task, snapshot: Snapshot, service: LibraryService) -> Writer:
        """Return the writer that generates and checks answers to ``task``, opened if necessary.

        Raises ``GenerationFailed`` for a problem that the user has to fix first.
        """
        from lexls.features.build import build_writer
        from lexls.index.embedding.protocol import encode_alike

        embedder = service.embedder
        with self._lock:
            better = self._settings.explain_generator == "extractive" and embedder is not self._opened_with
            if self._writer is None or better:
                self._writer = build_writer(
                    self._settings,
                    snapshot.tokens,
                    lambda: service.models,
                    encode_alike(embedder),
                )
                self._opened_with = embedder
            self._writer.template(task)  # an unusable template fails before the search
            return self._writer

    def keep(self, key: ReadyKey, answer: Answer) -> None:
        """Cache an explanation, and allow explanations to be prepared again."""
        self._gave_up = False
        self._ready.keep(key, answer)

    def ready(self, key: ReadyKey) -> Answer | None:
        """Return the cached explanation, or None."""
        return self._ready.get(key)
