"""The settings of explanations and the models that may write them."""

# ruff: noqa: RUF009 - a field's default comes from its declaration, which is immutable

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lexls.settings.searching import SearchingSettings
from lexls.settings.setting import declared


@dataclass(frozen=True, slots=True)
class ExplainingSettings(SearchingSettings):
    """What explains, on what, how it is checked, and where models are."""

    explain_generator: str = declared(
        "explain.generator",
        "choice",
        "extractive",
        "user",
        "What explains: sentences of the passages themselves (extractive), a model on this machine (llama), "
        "a model behind an address (openai, anthropic); dry-run only shows the prompt that would be sent.",
        choices=("extractive", "llama", "openai", "anthropic", "dry-run"),
    )
    explain_on_hover: bool = declared(
        "explain.onHover",
        "boolean",
        True,
        "resource",
        "Whether a hover on a citation shows its explanation once that is ready.",
    )
    explain_context: str = declared(
        "explain.context",
        "choice",
        "neighbours",
        "resource",
        "How much is read with each passage: nothing more (support), the paragraphs beside it (neighbours), "
        "its section (section), its document and the cases that cite it for the same (full), as far as the "
        "model's context allows.",
        choices=("support", "neighbours", "section", "full"),
    )
    explain_passages: int = declared(
        "explain.passages",
        "integer",
        6,
        "resource",
        "How many passages an answer may rest on at most.",
        minimum=1,
        maximum=50,
    )
    explain_sentences: int = declared(
        "explain.sentences",
        "integer",
        5,
        "resource",
        "How many sentences an answer has at most.",
        minimum=1,
        maximum=20,
    )
    explain_quotations: str = declared(
        "explain.quotations",
        "choice",
        "checked",
        "resource",
        "Whether quotations of a local model are checked when they are written, or can be nothing but words "
        "of the passages from the start (grammar).",
        choices=("checked", "grammar"),
    )
    explain_entailment: float = declared(
        "explain.entailment",
        "number",
        0.6,
        "user",
        "How much of a model's sentence its evidence must bear, 0 to 1, by words or by the model of "
        "explain.entailmentModel; a sentence below is replaced by the passage's own words.",
        minimum=0,
        maximum=1,
    )
    explain_entailment_model: str = declared(
        "explain.entailmentModel",
        "string",
        "",
        "user",
        "A model that judges whether a passage bears a sentence out (NLI or cross-encoder), by name or "
        "folder; empty does without.",
    )
    explain_prompt_folder: Path | None = declared(
        "explain.promptFolder",
        "path",
        "",
        "user",
        "A folder with prompts of your own, named as those of lexls (lexls prompts writes them out).",
    )
    explain_answer_tokens: int = declared(
        "explain.answerTokens",
        "integer",
        700,
        "resource",
        "How many tokens a model may write for one answer.",
        minimum=50,
        maximum=8000,
    )
    explain_seconds: int = declared(
        "explain.seconds",
        "integer",
        180,
        "resource",
        "How many seconds a model may take for one answer; what it has written by then is shown.",
        minimum=5,
        maximum=3600,
    )
    llama_model: str = declared(
        "llama.model",
        "string",
        "",
        "user",
        "The model file (GGUF) of explain.generator = llama: a path, or its name in lexls models list.",
    )
    llama_context_tokens: int = declared(
        "llama.contextTokens",
        "integer",
        8192,
        "machine",
        "How many tokens the model keeps in view; more need more memory.",
        minimum=512,
        maximum=1048576,
    )
    llama_threads: int = declared(
        "llama.threads",
        "integer",
        0,
        "machine",
        "How many processor cores the model uses; 0 leaves one of them free.",
        minimum=0,
        maximum=256,
    )
    llama_gpu_layers: int = declared(
        "llama.gpuLayers",
        "integer",
        0,
        "machine",
        "How many of the model's layers a graphics card computes; -1 means all.",
        minimum=-1,
        maximum=1000,
    )
    llama_memory_megabytes: int = declared(
        "llama.memoryMegabytes",
        "integer",
        0,
        "machine",
        "A model that would need more memory than this is not loaded; 0 allows what the machine has.",
        minimum=0,
        maximum=1048576,
    )
    openai_base_url: str = declared(
        "openai.baseUrl",
        "string",
        "",
        "user",
        "The address of explain.generator = openai, such as http://localhost:11434/v1 for Ollama.",
    )
    openai_model: str = declared(
        "openai.model",
        "string",
        "",
        "user",
        "The name of the model at that address.",
    )
    openai_api_key_env: str = declared(
        "openai.apiKeyEnv",
        "string",
        "",
        "user",
        "The environment variable that holds the key for that address; empty sends none.",
    )
    anthropic_base_url: str = declared(
        "anthropic.baseUrl",
        "string",
        "https://api.anthropic.com",
        "user",
        "The address of explain.generator = anthropic.",
    )
    anthropic_model: str = declared(
        "anthropic.model",
        "string",
        "",
        "user",
        "The name of the model at that address.",
    )
    anthropic_api_key_env: str = declared(
        "anthropic.apiKeyEnv",
        "string",
        "ANTHROPIC_API_KEY",
        "user",
        "The environment variable that holds the key for that address.",
    )
    remote_allowed: bool = declared(
        "remote.allowed",
        "boolean",
        False,
        "user",
        "Whether your sentences and passages of your library may be sent to an address that is not this "
        "machine; without it only local addresses are used.",
    )
