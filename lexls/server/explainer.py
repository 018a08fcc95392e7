"""What the answers of one session are made with, and the explanations that are ready."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexls.settings.declaration import Settings

if TYPE_CHECKING:
    from lexls.features.snapshot import Snapshot
    from lexls.grounding.answer import Answer
    from lexls.grounding.answering import Verifier
    from lexls.grounding.generator import Generator
    from lexls.grounding.request import Task
    from lexls.index.embedding import Embedder
    from lexls.models.llama_client import LlamaClient
    from lexls.server.library_service import LibraryService

MOST_READY = 200
"""Explanations that are remembered; the one not looked at for longest goes first."""
ON_THIS_MACHINE = ("extractive", "llama")
"""Generators that may explain unasked: nothing leaves the machine, and nothing is paid for."""


@dataclass(frozen=True, slots=True)
class Means:
    """What one answer is made with; ``template`` names the prompt ("" where none is used)."""

    generator: Generator
    verifier: Verifier
    template: str

    @property
    def model(self) -> LlamaClient | None:
        """The model that must be loaded before the generator can answer, None if it needs none."""
        from lexls.grounding.generators.llama import LlamaGenerator

        return self.generator.client if isinstance(self.generator, LlamaGenerator) else None


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
        self._generator: Generator | None = None
        self._opened_with: Embedder | None = None
        self._verifier: Verifier | None = None
        self._ready: OrderedDict[ReadyKey, Answer] = OrderedDict()
        self._gave_up = False

    @property
    def explains_unasked(self) -> bool:
        """Whether explanations may be made before anybody asks."""
        local = self._settings.explain_generator in ON_THIS_MACHINE
        return self._settings.explain_on_hover and local and not self._gave_up

    def give_up(self) -> None:
        """Explain nothing unasked any more, until an explanation that was asked for succeeds: a model that
        cannot be used would be tried again at every rest of the mouse."""
        self._gave_up = True

    def means(self, task: Task, snapshot: Snapshot, service: LibraryService) -> Means:
        """What an answer to ``task`` is made with now.

        Raises ``GenerationFailed`` for what the user must mend first.
        """
        from lexls.features.generator_choice import choice_of, template_of, verifier_of
        from lexls.grounding.generators.choice import open_generator

        choice = choice_of(self._settings)
        embedder = service.embedder
        encode = embedder.encode if embedder is not None else None
        with self._lock:
            if self._verifier is None:
                self._verifier = verifier_of(
                    self._settings, snapshot.tokenizer.tokenize, lambda: service.models
                )
            better = choice.kind == "extractive" and embedder is not self._opened_with
            if self._generator is None or better:
                self._generator = open_generator(
                    choice, lambda: service.models, snapshot.tokenizer.tokenize, encode
                )
                self._opened_with = embedder
            template = template_of(self._settings, self._generator, task)
            return Means(self._generator, self._verifier, template)

    def keep(self, key: ReadyKey, answer: Answer) -> None:
        """Remember an explanation."""
        with self._lock:
            self._gave_up = False
            self._ready[key] = answer
            self._ready.move_to_end(key)
            while len(self._ready) > MOST_READY:
                self._ready.popitem(last=False)

    def ready(self, key: ReadyKey) -> Answer | None:
        """The explanation if it is ready."""
        with self._lock:
            answer = self._ready.get(key)
            if answer is not None:
                self._ready.move_to_end(key)
            return answer
