"""Build the search, and the generator and verifier of answers, from a user's settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from lexls.grounding.answer import GenerationFailed, GeneratorChoice, GeneratorKind
from lexls.retrieval.past_cases import PastCases
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.reranking.kept_with_library import LibraryOrder
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar
    from lexls.grounding.answer import Answer, Generator, Task
    from lexls.grounding.answering import Gathered
    from lexls.grounding.generators.choice import Models
    from lexls.grounding.generators.llama import LocalModel
    from lexls.grounding.selection import Encode
    from lexls.grounding.verification.verifier import EvidenceVerifier
    from lexls.index.embedding import Embedder
    from lexls.index.library import Library
    from lexls.index.tokens import Tokenizer
    from lexls.retrieval.refinements import OpenCrossEncoder
    from lexls.retrieval.relevance import Tokens
    from lexls.text.cancel import CancelToken


def make_ranking(settings: Settings) -> Ranking:
    """Return the ranking configured in ``settings``."""
    return Ranking(
        passages=settings.search_weights_passages,
        documents=settings.search_weights_documents,
        vectors=settings.search_weights_vectors,
        citing=settings.search_weights_citing,
        precedents=settings.search_weights_precedents if settings.precedents_enabled else 0.0,
        rrf_k=settings.search_rrf_k,
        passage_depth=settings.search_passage_depth,
        vector_depth=settings.search_vector_depth,
        prior=settings.search_prior,
        rerank=float(settings.rerank_learned),
        cross_encoder=settings.rerank_depth,
        diversity=settings.search_diversity,
    )


def build_searcher(
    settings: Settings,
    library: Library,
    grammar: Grammar,
    tokenizer: Tokenizer,
    embedder: Callable[[], Embedder | None],
    cross_encoder: OpenCrossEncoder,
) -> Searcher:
    """Return the searcher for ``library`` configured in ``settings``. The user's own cases are read later.

    ``embedder`` and ``cross_encoder`` return the models, or None if there is none or it is not loaded yet.
    """
    return Searcher(
        library,
        embedder,
        make_ranking(settings),
        grammar=grammar,
        tokenizer=tokenizer,
        past=make_past_cases(settings, library, grammar, tokenizer),
        cross_encoder=cross_encoder,
        order=LibraryOrder(library.path).read,
    )


def make_past_cases(
    settings: Settings, library: Library, grammar: Grammar, tokenizer: Tokenizer
) -> PastCases | None:
    """Return the user's own cases, or None if the settings name none. Their files are read later. Vectors are
    stored in a folder next to the index.
    """
    if not settings.precedents_enabled or not (settings.precedents_case_bases or settings.precedents_drafts):
        return None
    return PastCases(
        library,
        grammar,
        tokenizer,
        settings.precedents_case_bases,
        settings.precedents_drafts,
        jurisdiction=settings.jurisdiction,
        cache=library.path.with_name(library.path.name + "-cases"),
    )


KEYWORD_SECONDS = 10.0
"""Time limit in seconds for a model to generate keywords for a question."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes and verifies answers; ``models`` returns the process in which its models run.

    An answer starts with the extracts of ``extractor``, or is written by ``generator`` alone if that is None.
    """

    generator: Generator
    extractor: Generator | None
    verifier: EvidenceVerifier
    settings: Settings
    models: Models

    @property
    def model(self) -> LocalModel | None:
        """Return the model that must be loaded before the generator can answer, or None."""
        from lexls.grounding.generators.llama import LlamaGenerator

        return self.generator.client if isinstance(self.generator, LlamaGenerator) else None

    def template(self, task: Task) -> str:
        """Return the name and version of the prompt for a task, or an empty string if none is used.

        Raises ``GenerationFailed`` if the user's template is invalid.
        """
        from lexls.grounding.prompts.templates import PromptTemplateError, load_template

        if self.generator.name == "extractive":
            return ""
        name = task if self.model is None else "sentence"
        try:
            return load_template(name, self.settings.explain_prompt_folder).label
        except PromptTemplateError as error:
            raise GenerationFailed(str(error)) from error

    def write(self, gathered: Gathered, token: CancelToken) -> Iterator[Answer]:
        """Yield the answer as it grows. Raises ``GenerationFailed``, ``ModelUnavailable`` and
        ``Cancelled``.
        """
        from lexls.grounding.answering import write_answer

        template = self.template(gathered.request.task)
        return write_answer(gathered, self.generator, self.verifier, token, template, self.extractor)

    @property
    def keywords(self) -> Callable[[str, CancelToken], Sequence[str]] | None:
        """Return the function that generates search keywords for a question, or None if it is disabled or
        there is no model.
        """
        client, folder = self.model, self.settings.explain_prompt_folder
        if not self.settings.search_model_keywords or client is None:
            return None
        from lexls.grounding.generators.llama import find_keywords

        return lambda question, token: find_keywords(client, question, token, KEYWORD_SECONDS, folder)


def build_writer(
    settings: Settings, tokens: Tokens, models: Models, encode: Encode | None, kind: str = ""
) -> Writer:
    """Return the generator and verifier configured in ``settings``. If ``kind`` is given, it replaces the
    configured kind of generator.

    ``tokens`` splits text into terms, ``encode`` returns sentence vectors (None: only words are compared).
    Nothing is loaded before first use. Raises ``GenerationFailed`` if the user must correct something first.
    """
    from lexls.grounding.generators.choice import open_generator
    from lexls.grounding.verification.verifier import EvidenceVerifier, open_judge

    choice = choose_generator(settings, kind)
    generator = open_generator(choice, models, tokens, encode)
    whole = choice.kind in ("extractive", "dry-run")
    extractor = None if whole else open_generator(GeneratorChoice(), models, tokens, encode)
    name = settings.explain_entailment_model
    judge = open_judge(name, models()) if name else None
    verifier = EvidenceVerifier(tokens, settings.explain_entailment, judge)
    return Writer(generator, extractor, verifier, settings, models)


def choose_generator(settings: Settings, kind: str = "") -> GeneratorChoice:
    """Return the generator configured in ``settings``. If ``kind`` is given, it replaces the configured kind,
    and the settings for that kind apply.
    """
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
    )
