"""Choose and open a generator."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.grounding.answer import (
    GenerationFailed,
    Generator,
    GeneratorChoice,
    Part,
    Request,
    Sentence,
    Shown,
)
from lexls.grounding.generators.remote import fit_request
from lexls.grounding.prompts.templates import PromptTemplateError, fill, load_template
from lexls.grounding.selection import Encode
from lexls.retrieval.relevance import Tokens
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.models.process import ModelProcess


class DryRunGenerator:
    """Shows the prompt that would be sent. ``secret`` is the key for its delimiters."""

    name = "dry-run"

    def __init__(self, template_folder: Path | None, secret: bytes) -> None:
        self._folder = template_folder
        self._secret = secret

    def generate(
        self, request: Request, token: CancelToken, extracts: Sequence[Sentence] = ()
    ) -> Iterator[Part]:
        """Yield the prompt. Raises ``GenerationFailed`` if the template cannot be used, and ``Cancelled``."""
        token.raise_if_cancelled()
        try:
            prompt = fill(fit_request(request), load_template(request.task, self._folder), self._secret)
        except PromptTemplateError as error:
            raise GenerationFailed(str(error)) from error
        # The two messages that a model gets.
        yield Shown(f"System:\n\n{prompt.system}\n\nUser:\n\n{prompt.user}\n")


Models = Callable[[], "ModelProcess"]
"""Returns the process that runs the models, starting it on first use."""


def open_generator(
    choice: GeneratorChoice,
    models: Models,
    tokens: Tokens,
    encode: Encode | None = None,
) -> Generator:
    """Return the chosen generator. Nothing is loaded, read or sent before its first request.

    ``models`` returns the process for local models. The delimiters of the prompts are keyed with a secret
    unique to this generator. Raises ``GenerationFailed`` if the user must correct something first.
    """
    secret = secrets.token_bytes(32)
    if choice.kind == "llama":
        from lexls.grounding.generators.llama import LlamaGenerator
        from lexls.models.gguf_files import ModelNotFound, resolve_model
        from lexls.models.llama_client import LlamaClient
        from lexls.models.messages import LlamaOptions

        if not choice.model:
            raise GenerationFailed(
                "explain.generator is llama but llama.model is empty: `lexls models add` adds a model"
            )
        try:
            path = resolve_model(choice.model)
        except ModelNotFound as error:
            raise GenerationFailed(str(error)) from error
        options = LlamaOptions(
            path, choice.context_tokens, choice.threads, choice.gpu_layers, choice.memory_megabytes
        )
        return LlamaGenerator(LlamaClient(options, models()), choice, tokens)
    if choice.kind in ("openai", "anthropic"):
        from lexls.grounding.generators.chat_models import AnthropicGenerator, OpenAIGenerator

        remote = OpenAIGenerator if choice.kind == "openai" else AnthropicGenerator
        return remote(choice, secret)
    if choice.kind == "dry-run":
        return DryRunGenerator(choice.prompt_folder, secret)
    from lexls.grounding.generators.extractive import ExtractiveGenerator

    return ExtractiveGenerator(tokens, encode)
