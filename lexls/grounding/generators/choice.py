"""Which generator answers, as plain data, and opening it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lexls.grounding.generator import GenerationFailed, Generator
from lexls.grounding.relevance import Tokens
from lexls.grounding.selection import Encode

if TYPE_CHECKING:
    from lexls.grounding.generators.remote import RemoteGenerator
    from lexls.models.process import ModelProcess

GeneratorKind = Literal["extractive", "llama", "openai", "anthropic", "dry-run"]
Models = Callable[[], "ModelProcess"]
"""Gives the process that models run in; it starts when one is first asked for."""


@dataclass(frozen=True, slots=True)
class GeneratorChoice:
    """A generator that the user chose, with what it needs.

    ``model`` is a model file or its name for ``llama``, the endpoint's name of it for the remote ones.
    ``context_tokens``, ``threads``, ``gpu_layers`` and ``memory_megabytes`` are for ``llama``; ``base_url``,
    ``api_key_env`` (the variable that holds the key, "" for none) and ``allow_remote`` (may text leave this
    machine) for the remote ones. ``verbatim`` makes the quotation part of the grammar.
    """

    kind: GeneratorKind = "extractive"
    model: str = ""
    context_tokens: int = 8192
    threads: int = 0
    gpu_layers: int = 0
    memory_megabytes: int = 0
    base_url: str = ""
    api_key_env: str = ""
    allow_remote: bool = False
    prompt_folder: Path | None = None
    answer_tokens: int = 700
    seconds: float = 180.0
    verbatim: bool = False


def open_generator(
    choice: GeneratorChoice,
    models: Models,
    tokens: Tokens,
    encode: Encode | None = None,
) -> Generator:
    """The generator that was chosen; nothing is loaded, read or sent before it is first asked.

    ``models`` gives the process that a local model runs in. The delimiters of its prompts are keyed with a
    secret of this generator's own. Raises ``GenerationFailed`` for what the user must mend first.
    """
    secret = secrets.token_bytes(32)
    if choice.kind == "llama":
        from lexls.grounding.generators.llama import LlamaGenerator
        from lexls.models.gguf_files import ModelNotFound, resolve_model
        from lexls.models.llama_client import LlamaClient, LlamaOptions

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
        return LlamaGenerator(
            LlamaClient(options, models()),
            choice.prompt_folder,
            choice.answer_tokens,
            choice.seconds,
            choice.verbatim,
            secret,
        )
    if choice.kind in ("openai", "anthropic"):
        return _remote(choice.kind)(
            choice.base_url,
            choice.model,
            choice.api_key_env,
            choice.allow_remote,
            choice.prompt_folder,
            choice.answer_tokens,
            choice.seconds,
            secret,
        )
    if choice.kind == "dry-run":
        from lexls.grounding.generators.dry_run import DryRunGenerator

        return DryRunGenerator(choice.prompt_folder, secret)
    from lexls.grounding.generators.extractive import ExtractiveGenerator

    return ExtractiveGenerator(tokens, encode)


def _remote(kind: Literal["openai", "anthropic"]) -> type[RemoteGenerator]:
    if kind == "openai":
        from lexls.grounding.generators.openai import OpenAIGenerator

        return OpenAIGenerator
    from lexls.grounding.generators.anthropic import AnthropicGenerator

    return AnthropicGenerator
