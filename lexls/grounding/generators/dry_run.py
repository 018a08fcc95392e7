"""The generator that asks no model: it shows what one would be asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lexls.grounding.generator import GenerationFailed, Part, Shown
from lexls.grounding.prompts.filling import Prompt, fill
from lexls.grounding.prompts.templates import TemplateError, load_template
from lexls.grounding.request import Request
from lexls.text.cancel import CancelToken

ROOM = 24_000
"""Characters of evidence: what a model of 8,192 tokens reads."""


class DryRunGenerator:
    """Shows the prompt as it would be sent. ``secret`` keys its delimiters."""

    def __init__(self, template_folder: Path | None, secret: bytes) -> None:
        self._folder = template_folder
        self._secret = secret

    @property
    def name(self) -> str:
        """What the user calls it."""
        return "dry-run"

    @property
    def room(self) -> int:
        """How many characters of evidence a request may have."""
        return ROOM

    def generate(self, request: Request, token: CancelToken) -> Iterator[Part]:
        """The prompt. Raises ``GenerationFailed`` for a template that cannot be used, and ``Cancelled``."""
        token.raise_if_cancelled()
        try:
            prompt = fill(request, load_template(request.task, self._folder), self._secret)
        except TemplateError as error:
            raise GenerationFailed(str(error)) from error
        yield Shown(as_text(prompt))


def as_text(prompt: Prompt) -> str:
    """A prompt for people: the two messages that a model gets."""
    return f"System:\n\n{prompt.system}\n\nUser:\n\n{prompt.user}\n"
