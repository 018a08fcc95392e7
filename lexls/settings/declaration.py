"""Every setting of lexls, as declared in ``settings.toml``: key, type, default, scope and help.

The defaults file, the manual, the VS Code manifest and the Neovim table are generated from it (``python -m
lexls.settings.generate``).
"""

# ruff: noqa: RUF009 - a field's default comes from its declaration, which is immutable

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from lexls.settings.diagnostics import DIAGNOSTICS, Severity, raise_for_filing

Scope = Literal["machine", "workspace", "resource", "editor", "file", "user"]
"""Where a setting applies. ``resource``: may differ between the folders of a workspace. ``workspace``: one
value per workspace. ``machine``: refers to something on this machine, so editors do not sync it.
``editor``: only for the editor's client, not in files. ``file``: only in TOML files. ``user``: like
``machine``, but never read from a workspace's file, which someone else may have written.
"""
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
"""The type of a setting's value. ``numbers``: a list of numbers, as long as the default. ``choice``: one of
the strings in ``Setting.choices``; ``choices``: a list of such strings. ``folders``: a list of folders;
``path``: a file; ``paths``: a list of files or folders. These three are resolved when loaded. ``tables``:
a list of tables, passed on unchanged.
"""
_SEVERITIES = "diagnostics.*"
"""The key of the declaration from which the severity settings of all diagnostics are made."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting. ``default`` is plain data (as in TOML). ``known`` are values for which lexls has data;
    others are allowed too. ``meanings`` explain each of the ``choices``, and are empty if the choices are
    self-explanatory. ``advanced`` settings are those that most people never change. ``code`` is the
    diagnostic whose severity this setting controls, "" for any other setting.
    """

    key: str
    type: SettingType
    default: Any
    scope: Scope
    help: str
    choices: tuple[str, ...] = ()
    meanings: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    advanced: bool = False
    minimum: int | None = None
    maximum: int | None = None
    code: str = ""

    @property
    def name(self) -> str:
        """Return the name of the attribute of ``Settings`` that contains the loaded value."""
        return "severities" if self.code else re.sub(r"\.|(?=[A-Z])", "_", self.key).lower()


def _read() -> Iterator[Setting]:
    here = Path(__file__)
    for key, table in tomllib.loads(here.with_name("settings.toml").read_text(encoding="utf-8")).items():
        choices = table.pop("choices", ())
        table["choices"] = tuple(choices)
        if isinstance(choices, dict):
            table["meanings"] = tuple(choices.values())
        if "known" in table:  # a folder in lexls with a subfolder for each value
            folders = (here.parents[1] / table["known"]).iterdir()
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


def declare(key: str) -> Any:
    """Declare a field of ``Settings`` with the default of the setting ``key``."""
    setting = SETTINGS[key]
    default = setting.default
    if setting.type in ("folders", "paths"):
        default = tuple(Path(each) for each in default)
    elif setting.type == "path":
        default = Path(default) if default else None
    return field(default=tuple(default) if isinstance(default, list) else default)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in effect for one folder, as loaded by ``lexls.settings.load.load``.

    ``severities`` are the severities of diagnostics by code. ``root`` is the folder against which default
    folders were resolved: the folder of ``lexls.toml``, or the workspace folder. ``files`` are the settings
    files that were read, the user's first.
    """

    jurisdiction: str = declare("jurisdiction")
    library_folders: tuple[Path, ...] = declare("library.folders")
    library_exclude: tuple[str, ...] = declare("library.exclude")
    library_records: tuple[Mapping[str, Any], ...] = declare("library.records")
    library_catalogue: Path | None = declare("library.catalogue")
    record_folders: tuple[Path, ...] = declare("record.folders")
    index_path: Path | None = declare("index.path")
    index_url: str = declare("index.url")
    index_token_env: str = declare("index.tokenEnv")
    index_max_file_megabytes: int = declare("index.maxFileMegabytes")
    index_reader_megabytes: int = declare("index.readerMegabytes")
    index_watermarks: Path | None = declare("index.watermarks")
    passages_max_chars: int = declare("passages.maxChars")
    passages_overlap: int = declare("passages.overlap")
    embeddings_model: str = declare("embeddings.model")
    embeddings_query_cue: str = declare("embeddings.queryCue")
    embeddings_passage_cue: str = declare("embeddings.passageCue")
    search_weights_passages: float = declare("search.weights.passages")
    search_weights_documents: float = declare("search.weights.documents")
    search_weights_vectors: float = declare("search.weights.vectors")
    search_weights_citing: float = declare("search.weights.citing")
    search_weights_precedents: float = declare("search.weights.precedents")
    search_rrf_k: int = declare("search.rrfK")
    search_passage_depth: int = declare("search.passageDepth")
    search_vector_depth: int = declare("search.vectorDepth")
    search_prior: float = declare("search.prior")
    search_diversity: float = declare("search.diversity")
    search_model_keywords: bool = declare("search.modelKeywords")
    rerank_learned: bool = declare("rerank.learned")
    rerank_model: str = declare("rerank.model")
    rerank_depth: int = declare("rerank.depth")
    models_idle_minutes: int = declare("models.idleMinutes")
    explain_generator: str = declare("explain.generator")
    explain_on_hover: bool = declare("explain.onHover")
    explain_context: str = declare("explain.context")
    explain_passages: int = declare("explain.passages")
    explain_sentences: int = declare("explain.sentences")
    explain_entailment: float = declare("explain.entailment")
    explain_entailment_model: str = declare("explain.entailmentModel")
    explain_prompt_folder: Path | None = declare("explain.promptFolder")
    explain_answer_tokens: int = declare("explain.answerTokens")
    explain_seconds: int = declare("explain.seconds")
    llama_model: str = declare("llama.model")
    llama_context_tokens: int = declare("llama.contextTokens")
    llama_threads: int = declare("llama.threads")
    llama_gpu_layers: int = declare("llama.gpuLayers")
    llama_memory_megabytes: int = declare("llama.memoryMegabytes")
    openai_base_url: str = declare("openai.baseUrl")
    openai_model: str = declare("openai.model")
    openai_api_key_env: str = declare("openai.apiKeyEnv")
    anthropic_base_url: str = declare("anthropic.baseUrl")
    anthropic_model: str = declare("anthropic.model")
    anthropic_api_key_env: str = declare("anthropic.apiKeyEnv")
    remote_allowed: bool = declare("remote.allowed")
    hover_propositions: bool = declare("hover.propositions")
    hover_max_passages: int = declare("hover.maxPassages")
    completion_max_items: int = declare("completion.maxItems")
    completion_inline: bool = declare("completion.inline")
    support_max_results: int = declare("support.maxResults")
    support_kinds: tuple[str, ...] = declare("support.kinds")
    support_roles: tuple[str, ...] = declare("support.roles")
    precedents_enabled: bool = declare("precedents.enabled")
    precedents_count: int = declare("precedents.count")
    precedents_case_bases: tuple[Path, ...] = declare("precedents.caseBases")
    precedents_drafts: tuple[Path, ...] = declare("precedents.drafts")
    inlay_hints_short_forms: bool = declare("inlayHints.shortForms")
    inlay_hints_names: bool = declare("inlayHints.names")
    semantic_tokens_enabled: bool = declare("semanticTokens.enabled")
    code_lens_enabled: bool = declare("codeLens.enabled")
    check_profile: str = declare("check.profile")
    check_closed_drafts: bool = declare("check.closedDrafts")
    check_ignore: tuple[Mapping[str, Any], ...] = declare("check.ignore")
    severities: Mapping[str, Severity] = field(
        default_factory=lambda: MappingProxyType({rule.code: rule.severity for rule in DIAGNOSTICS})
    )
    citations_style: str = declare("citations.style")
    citations_forms: tuple[Mapping[str, Any], ...] = declare("citations.forms")
    citations_form_folders: tuple[Path, ...] = declare("citations.formFolders")
    server_path: str = declare("server.path")
    server_python: str = declare("server.python")
    trace_server: str = declare("trace.server")
    root: Path | None = None
    files: tuple[Path, ...] = ()

    def get(self, key: str) -> Any:
        """Return the loaded value of a setting by its key ("hover.maxPassages"). Raises ``KeyError`` if there
        is no such setting.
        """
        found = SETTINGS[key]
        return self.severities[found.code] if found.code else getattr(self, found.name)

    def for_filing(self) -> Settings:
        """Return these settings with the check profile for drafts that are about to be filed."""
        return replace(self, check_profile="filing", severities=raise_for_filing(self.severities))
