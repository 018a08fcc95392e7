"""Every setting of lexls, as ``settings.toml`` declares it: key, type, default, scope and help.

The defaults file, the manual, the VS Code manifest and the Neovim table are generated from there
(``python -m lexls.settings.generate``).
"""

# ruff: noqa: RUF009 - a field's default comes from its declaration, which is immutable

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from lexls.settings.diagnostics import DIAGNOSTICS, Severity

Scope = Literal["machine", "workspace", "resource", "editor", "file", "user"]
"""Where a setting makes sense. ``resource``: may differ for each folder of a workspace; ``workspace``: one
value for a workspace; ``machine``: names something of this machine, so editors do not carry it to another;
``editor``: only for the editor's client, not in files; ``file``: only in TOML files; ``user``: as
``machine``, and never taken from the file of a workspace, which somebody else may have written."""
SettingType = Literal[
    "boolean",
    "integer",
    "number",
    "numbers",
    "string",
    "choice",
    "strings",
    "choices",
    "folders",
    "path",
    "paths",
    "tables",
]
"""``numbers`` is a list of as many numbers as its default has; ``choice`` is a string among ``choices``,
``choices`` a list of such; ``folders`` is a list of folders, ``path`` a file and ``paths`` a list of either,
all resolved when loaded; ``tables`` is a list of tables, passed on as they are."""
_SEVERITIES = "diagnostics.*"
"""The declaration that stands for the settings of all diagnostics."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as people write it. ``default`` is plain data (as in TOML); ``known`` are values that lexls
    has data for, beside which others are allowed; ``code`` is that of the diagnostic whose severity it is, ""
    for any other."""

    key: str
    type: SettingType
    default: Any
    scope: Scope
    help: str
    choices: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    code: str = ""

    @property
    def name(self) -> str:
        """The attribute of ``Settings`` that holds the loaded value."""
        return "severities" if self.code else re.sub(r"\.|(?=[A-Z])", "_", self.key).lower()


def _read() -> Iterator[Setting]:
    text = (resources.files("lexls.settings") / "settings.toml").read_text(encoding="utf-8")
    for key, table in tomllib.loads(text).items():
        table["choices"] = tuple(table.get("choices", ()))
        if "known" in table:  # a folder of lexls, with a folder for each
            folders = (resources.files("lexls") / table["known"]).iterdir()
            table["known"] = tuple(sorted(each.name for each in folders if each.is_dir()))
        if key != _SEVERITIES:
            yield Setting(key, **table)
            continue
        template = table.pop("help")
        for rule in DIAGNOSTICS:
            help = template.format(rule.help[0].lower() + rule.help[1:])
            yield Setting(rule.key, default=rule.severity, help=help, code=rule.code, **table)


SETTINGS: Mapping[str, Setting] = MappingProxyType({each.key: each for each in _read()})
"""All settings by key, in the order of their declaration."""
CITATION_STYLES = SETTINGS["citations.style"].choices[1:]
AUTHORITY_KINDS = SETTINGS["support.kinds"].choices


def declared(key: str) -> Any:
    """A field of ``Settings`` with the default of the setting ``key``."""
    setting = SETTINGS[key]
    default = setting.default
    if setting.type in ("folders", "paths"):
        default = tuple(Path(each) for each in default)
    elif setting.type == "path":
        default = Path(default) if default else None
    return field(default=tuple(default) if isinstance(default, list) else default)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force for one folder; made by ``lexls.settings.load.load``.

    ``severities`` are those of the diagnostics by their codes. ``root`` is the folder against which default
    folders were resolved (that of ``lexls.toml``, or the workspace folder), ``files`` are the settings files
    that were read, the user's first.
    """

    jurisdiction: str = declared("jurisdiction")
    library_folders: tuple[Path, ...] = declared("library.folders")
    library_exclude: tuple[str, ...] = declared("library.exclude")
    index_path: Path | None = declared("index.path")
    index_max_file_megabytes: int = declared("index.maxFileMegabytes")
    passages_max_chars: int = declared("passages.maxChars")
    passages_overlap: int = declared("passages.overlap")
    embeddings_model: str = declared("embeddings.model")
    embeddings_query_cue: str = declared("embeddings.queryCue")
    search_weights_passages: float = declared("search.weights.passages")
    search_weights_documents: float = declared("search.weights.documents")
    search_weights_vectors: float = declared("search.weights.vectors")
    search_weights_citing: float = declared("search.weights.citing")
    search_weights_precedents: float = declared("search.weights.precedents")
    search_rrf_k: int = declared("search.rrfK")
    search_aggregation: str = declared("search.aggregation")
    search_passage_depth: int = declared("search.passageDepth")
    search_vector_depth: int = declared("search.vectorDepth")
    search_prior: float = declared("search.prior")
    search_diversity: float = declared("search.diversity")
    search_model_keywords: bool = declared("search.modelKeywords")
    rerank_learned: bool = declared("rerank.learned")
    rerank_model: str = declared("rerank.model")
    rerank_depth: int = declared("rerank.depth")
    models_idle_minutes: int = declared("models.idleMinutes")
    explain_generator: str = declared("explain.generator")
    explain_on_hover: bool = declared("explain.onHover")
    explain_context: str = declared("explain.context")
    explain_passages: int = declared("explain.passages")
    explain_sentences: int = declared("explain.sentences")
    explain_quotations: str = declared("explain.quotations")
    explain_entailment: float = declared("explain.entailment")
    explain_entailment_model: str = declared("explain.entailmentModel")
    explain_prompt_folder: Path | None = declared("explain.promptFolder")
    explain_answer_tokens: int = declared("explain.answerTokens")
    explain_seconds: int = declared("explain.seconds")
    llama_model: str = declared("llama.model")
    llama_context_tokens: int = declared("llama.contextTokens")
    llama_threads: int = declared("llama.threads")
    llama_gpu_layers: int = declared("llama.gpuLayers")
    llama_memory_megabytes: int = declared("llama.memoryMegabytes")
    openai_base_url: str = declared("openai.baseUrl")
    openai_model: str = declared("openai.model")
    openai_api_key_env: str = declared("openai.apiKeyEnv")
    anthropic_base_url: str = declared("anthropic.baseUrl")
    anthropic_model: str = declared("anthropic.model")
    anthropic_api_key_env: str = declared("anthropic.apiKeyEnv")
    remote_allowed: bool = declared("remote.allowed")
    hover_propositions: bool = declared("hover.propositions")
    hover_max_passages: int = declared("hover.maxPassages")
    completion_max_items: int = declared("completion.maxItems")
    support_max_results: int = declared("support.maxResults")
    support_kinds: tuple[str, ...] = declared("support.kinds")
    support_roles: tuple[str, ...] = declared("support.roles")
    precedents_enabled: bool = declared("precedents.enabled")
    precedents_mode: str = declared("precedents.mode")
    precedents_weights: tuple[float, ...] = declared("precedents.weights")
    precedents_k: int = declared("precedents.k")
    precedents_count: int = declared("precedents.count")
    precedents_case_bases: tuple[Path, ...] = declared("precedents.caseBases")
    precedents_drafts: tuple[Path, ...] = declared("precedents.drafts")
    inlay_hints_short_forms: bool = declared("inlayHints.shortForms")
    inlay_hints_names: bool = declared("inlayHints.names")
    semantic_tokens_enabled: bool = declared("semanticTokens.enabled")
    code_lens_enabled: bool = declared("codeLens.enabled")
    severities: Mapping[str, Severity] = field(
        default_factory=lambda: MappingProxyType({rule.code: rule.severity for rule in DIAGNOSTICS})
    )
    citations_style: str = declared("citations.style")
    citations_forms: tuple[Mapping[str, Any], ...] = declared("citations.forms")
    citations_form_folders: tuple[Path, ...] = declared("citations.formFolders")
    server_path: str = declared("server.path")
    server_python: str = declared("server.python")
    trace_server: str = declared("trace.server")
    root: Path | None = None
    files: tuple[Path, ...] = ()

    def get(self, key: str) -> Any:
        """The loaded value of a setting by its key ("hover.maxPassages"); KeyError if there is none."""
        found = SETTINGS[key]
        return self.severities[found.code] if found.code else getattr(self, found.name)
