"""What a user's settings have explain, and how it is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from lexls.settings.declaration import Settings

if TYPE_CHECKING:
    from lexls.grounding.answering import Verifier
    from lexls.grounding.generator import Generator
    from lexls.grounding.generators.choice import GeneratorChoice, GeneratorKind, Models
    from lexls.grounding.relevance import Tokens
    from lexls.grounding.request import Task
    from lexls.text.cancel import CancelToken

KEYWORD_SECONDS = 10.0
"""How long a model may think of words for a question."""


def choice_of(settings: Settings, kind: str = "") -> GeneratorChoice:
    """The generator that ``settings`` ask for, or the one of ``kind`` with their other values."""
    from lexls.grounding.generators.choice import GeneratorChoice

    kind = kind or settings.explain_generator
    hosted = settings.anthropic_model if kind == "anthropic" else settings.openai_model
    return GeneratorChoice(
        kind=cast("GeneratorKind", kind),
        model=settings.llama_model if kind == "llama" else hosted,
        context_tokens=settings.llama_context_tokens,
        threads=settings.llama_threads,
        gpu_layers=settings.llama_gpu_layers,
        memory_megabytes=settings.llama_memory_megabytes,
        base_url=settings.anthropic_base_url if kind == "anthropic" else settings.openai_base_url,
        api_key_env=settings.anthropic_api_key_env if kind == "anthropic" else settings.openai_api_key_env,
        allow_remote=settings.remote_allowed,
        prompt_folder=settings.explain_prompt_folder,
        answer_tokens=settings.explain_answer_tokens,
        seconds=float(settings.explain_seconds),
        verbatim=settings.explain_quotations == "grammar",
    )


def keywords_of(
    settings: Settings, generator: Generator
) -> Callable[[str, CancelToken], Sequence[str]] | None:
    """What adds words to a question that is looked up, None where the settings want none or no model is
    there for it."""
    from lexls.grounding.generators.llama import LlamaGenerator

    if not settings.search_model_keywords or not isinstance(generator, LlamaGenerator):
        return None
    from lexls.grounding.keywords import keywords

    client, folder = generator.client, settings.explain_prompt_folder
    return lambda question, token: keywords(client, question, token, KEYWORD_SECONDS, folder)


def template_of(settings: Settings, generator: Generator, task: Task) -> str:
    """Name and version of the prompt that an answer is written with, "" where none is used.

    Raises ``GenerationFailed`` for a template of the user's that cannot be used.
    """
    from lexls.grounding.generator import GenerationFailed
    from lexls.grounding.prompts.templates import TemplateError, load_template

    if generator.name == "extractive":
        return ""
    try:
        return load_template(task, settings.explain_prompt_folder).label
    except TemplateError as error:
        raise GenerationFailed(str(error)) from error


def verifier_of(settings: Settings, tokens: Tokens, models: Models) -> Verifier:
    """The checks that every sentence passes; ``models`` gives the process of the user's model for them."""
    from lexls.grounding.verification.verifier import EvidenceVerifier

    judge = None
    if settings.explain_entailment_model:
        from lexls.grounding.verification.judged import open_judge

        judge = open_judge(settings.explain_entailment_model, models())
    return EvidenceVerifier(tokens, settings.explain_entailment, judge)
