"""What writes an answer on the command line: the generator of the settings or the options, and its checks."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from lexls.cli.failure import CommandFailed

if TYPE_CHECKING:
    from lexls.grounding.answer import Answer
    from lexls.grounding.answering import Gathered, Verifier
    from lexls.grounding.generator import Generator
    from lexls.grounding.generators.choice import Models
    from lexls.grounding.selection import Encode
    from lexls.index.tokens import Tokenizer
    from lexls.settings.declaration import Settings
    from lexls.text.cancel import CancelToken

GENERATORS = ("extractive", "llama", "openai", "anthropic", "dry-run")


def add_generator_option(parser: argparse.ArgumentParser) -> None:
    """Let the command line say who writes answers."""
    parser.add_argument(
        "--generator",
        metavar="NAME",
        choices=GENERATORS,
        help=f"who writes the answer: {', '.join(GENERATORS)} (otherwise that of the settings)",
    )


@dataclass(frozen=True, slots=True)
class Writer:
    """A generator with the checks of what it writes; ``models`` gives the process of their models."""

    generator: Generator
    verifier: Verifier
    settings: Settings
    models: Models

    def answers(self, gathered: Gathered, token: CancelToken) -> Iterator[Answer]:
        """The answer as it grows. Raises ``CommandFailed`` where the generator cannot answer."""
        from lexls.features.generator_choice import template_of
        from lexls.grounding.answering import answers
        from lexls.grounding.generator import GenerationFailed
        from lexls.models.unavailable import ModelUnavailable

        try:
            template = template_of(self.settings, self.generator, gathered.request.task)
            yield from answers(gathered, self.generator, self.verifier, token, template)
        except (GenerationFailed, ModelUnavailable) as error:
            raise CommandFailed(str(error)) from error


@contextmanager
def open_writer(
    settings: Settings, kind: str | None, tokenizer: Tokenizer, encode: Encode | None
) -> Iterator[Writer]:
    """The generator of ``kind`` (None: that of the settings); its model is unloaded at the end.

    Raises ``CommandFailed`` for what the user must mend first.
    """
    from lexls.features.generator_choice import choice_of, verifier_of
    from lexls.grounding.generator import GenerationFailed
    from lexls.grounding.generators.choice import open_generator
    from lexls.models.process import ModelProcess

    models = cache(ModelProcess)
    try:
        try:
            generator = open_generator(choice_of(settings, kind or ""), models, tokenizer.tokenize, encode)
        except GenerationFailed as error:
            raise CommandFailed(str(error)) from error
        yield Writer(generator, verifier_of(settings, tokenizer.tokenize, models), settings, models)
    finally:
        if models.cache_info().currsize:
            models().close()
