"""Keep what writes the answers of one session, and the explanations that are ready."""

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
"""Explanations that are remembered; the one not looked at for longest goes first."""
ON_THIS_MACHINE = ("extractive", "llama")
"""Generators that may explain unasked: nothing leaves the machine, and nothing is paid for."""


@dataclass(frozen=True, slots=True)
class ReadyKey:
    """What an explanation depends on: who is cited, where, for what, and the state of the library."""

    authority: int
    pinpoint: str
    proposition: str
    generation: int


class Explainer:
    """Keeps the generator and the checks open while the settings stay. For any thread."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._writer: Writer | None = None
        self._opened_with: Embedder | None = None
        self._ready: Memory[ReadyKey, Answer] = Memory(MOST_READY)
        self._gave_up = False

    @property
    def explains_unasked(self) -> bool:
        """Return whether explanations may be made before anybody asks."""
        local = self._settings.explain_generator in ON_THIS_MACHINE
        return self._settings.explain_on_hover and local and not self._gave_up

    def give_up(self) -> None:
        """Explain nothing unasked any more, until an explanation that was asked for succeeds: a model that
        cannot be used would be tried again at every rest of the mouse."""
        self._gave_up = True

    def writer(self, task: Task, snapshot: Snapshot, service: LibraryService) -> Writer:
        """Return what an answer to ``task`` is written and checked with now.

        Raises ``GenerationFailed`` for what the user must mend first.
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
            self._writer.template(task)  # one that cannot be used fails before anything is searched
            return self._writer

    def keep(self, key: ReadyKey, answer: Answer) -> None:
        """Remember an explanation."""
        self._gave_up = False
        self._ready.keep(key, answer)

    def ready(self, key: ReadyKey) -> Answer | None:
        """The explanation if it is ready."""
        return self._ready.get(key)
