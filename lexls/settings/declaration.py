"""Every setting of lexls, declared once: key, type, default, scope and help.

The defaults file, the manual, the VS Code manifest and the Neovim table are generated from here
(``python -m lexls.settings.generate``).
"""

# ruff: noqa: RUF009 - a field's default comes from its declaration, which is immutable

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from lexls.settings.diagnostics import DIAGNOSTICS, SEVERITIES, DiagnosticRule, Severity

Scope = Literal["machine", "workspace", "resource", "editor", "file"]
"""Where a setting makes sense. ``resource``: may differ for each folder of a workspace; ``workspace``: one
value for a workspace; ``machine``: names something of this machine, so editors do not carry it to another;
``editor``: only for the editor's client, not in files; ``file``: only in TOML files."""
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

CITATION_STYLES = ("bluebook", "aglc4", "oscola", "mcgill", "silc")
AUTHORITY_KINDS = ("case", "statute", "regulation", "contract", "treaty", "article", "other")

PASSAGE_ROLES = (
    "PREAMBLE",
    "FAC",
    "RLC",
    "ISSUE",
    "ARG_PETITIONER",
    "ARG_RESPONDENT",
    "ANALYSIS",
    "STA",
    "PRE_RELIED",
    "PRE_NOT_RELIED",
    "RATIO",
    "RPC",
)
"""The rhetorical roles that a passage of a judgment can be asked for by."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as people write it. ``default`` is plain data (as in TOML); ``name`` is the attribute of
    ``Settings`` that holds the loaded value; for the severity of a diagnostic, that with ``code`` in it."""

    key: str
    type: SettingType
    default: Any
    scope: Scope
    help: str
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    name: str = ""
    code: str = ""


def _setting(
    key: str,
    kind: SettingType,
    default: Any,
    scope: Scope,
    help: str,
    choices: tuple[str, ...] = (),
    minimum: int | None = None,
    maximum: int | None = None,
) -> Any:
    """A field of ``Settings`` that carries its declaration."""
    declared = Setting(key, kind, default, scope, help, choices, minimum, maximum)
    if kind in ("folders", "paths"):
        value: Any = tuple(Path(folder) for folder in default)
    elif kind == "path":
        value = Path(default) if default else None
    else:
        value = tuple(default) if isinstance(default, list) else default
    return field(default=value, metadata={"setting": declared})


def _severity_setting(rule: DiagnosticRule) -> Setting:
    """The setting of a diagnostic's severity."""
    help = "How to report: " + rule.help[0].lower() + rule.help[1:]
    return Setting(rule.key, "choice", rule.severity, "resource", help, SEVERITIES, code=rule.code)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force for one folder; made by ``lexls.settings.load.load``.

    ``root`` is the folder against which default folders were resolved (that of ``lexls.toml``, or the
    workspace folder), ``files`` are the settings files that were read, the user's first.
    """

    jurisdiction: str = _setting(
        "jurisdiction",
        "string",
        "",
        "resource",
        'Whose citation forms your drafts use, such as "UK", "IN" or "US"; empty reads all it can tell.',
    )
    library_folders: tuple[Path, ...] = _setting(
        "library.folders",
        "folders",
        ["library", "authorities"],
        "resource",
        "The folders that hold your authorities; of the default ones, those that exist.",
    )
    library_exclude: tuple[str, ...] = _setting(
        "library.exclude",
        "strings",
        [],
        "resource",
        'Files and folders of the library to leave out, as patterns of a .gitignore: "drafts/", "**/old/**".',
    )
    index_path: Path | None = _setting(
        "index.path",
        "path",
        "",
        "machine",
        "The file that holds the index; empty keeps it in your user data folder, one for each library.",
    )
    index_max_file_megabytes: int = _setting(
        "index.maxFileMegabytes",
        "integer",
        50,
        "resource",
        "Files larger than this are not indexed, and listed as failed.",
        minimum=1,
        maximum=4096,
    )
    passages_max_chars: int = _setting(
        "passages.maxChars",
        "integer",
        1500,
        "resource",
        "The most characters a passage may have; longer paragraphs are cut at the ends of sentences.",
        minimum=200,
        maximum=20000,
    )
    passages_overlap: int = _setting(
        "passages.overlap",
        "integer",
        0,
        "resource",
        "How many characters two pieces of one long paragraph share.",
        minimum=0,
        maximum=5000,
    )
    embeddings_model: str = _setting(
        "embeddings.model",
        "string",
        "all-MiniLM-L6-v2",
        "machine",
        "The model that gives passages their vectors: this one, a sentence-transformers model by name or "
        "folder, or empty to search by words alone.",
    )
    embeddings_query_cue: str = _setting(
        "embeddings.queryCue",
        "string",
        "",
        "machine",
        "What the embedding model expects before a question, where lexls does not know it.",
    )
    search_weights_passages: float = _setting(
        "search.weights.passages",
        "number",
        1.0,
        "resource",
        "What BM25 over passages counts in a search; 0 leaves it out.",
        minimum=0,
        maximum=100,
    )
    search_weights_documents: float = _setting(
        "search.weights.documents",
        "number",
        1.0,
        "resource",
        "What BM25 over whole documents counts.",
        minimum=0,
        maximum=100,
    )
    search_weights_vectors: float = _setting(
        "search.weights.vectors",
        "number",
        0.5,
        "resource",
        "What likeness of meaning counts, once the passages have their vectors.",
        minimum=0,
        maximum=100,
    )
    search_weights_citing: float = _setting(
        "search.weights.citing",
        "number",
        1.0,
        "resource",
        "What counts that the best passages cite an authority.",
        minimum=0,
        maximum=100,
    )
    search_weights_precedents: float = _setting(
        "search.weights.precedents",
        "number",
        0.5,
        "resource",
        "What counts that an authority was cited for sentences like this one.",
        minimum=0,
        maximum=100,
    )
    search_rrf_k: int = _setting(
        "search.rrfK",
        "integer",
        20,
        "resource",
        "The constant of reciprocal rank fusion: the larger, the less the very first ranks decide.",
        minimum=0,
        maximum=1000,
    )
    search_aggregation: str = _setting(
        "search.aggregation",
        "choice",
        "max",
        "resource",
        "Whether a document is ranked by its best passage (max) or by the sum of its best three (sum).",
        choices=("max", "sum"),
    )
    search_passage_depth: int = _setting(
        "search.passageDepth",
        "integer",
        500,
        "resource",
        "How many passages found by words take part in a search.",
        minimum=1,
        maximum=100000,
    )
    search_vector_depth: int = _setting(
        "search.vectorDepth",
        "integer",
        500,
        "resource",
        "How many passages found by likeness take part.",
        minimum=1,
        maximum=100000,
    )
    search_prior: float = _setting(
        "search.prior",
        "number",
        0.0,
        "resource",
        "What it counts for an authority that many documents of the library cite, 0 to 1.",
        minimum=0,
        maximum=1,
    )
    search_diversity: float = _setting(
        "search.diversity",
        "number",
        0.0,
        "resource",
        "How much a hit loses for saying the same as one before it, 0 to 1.",
        minimum=0,
        maximum=1,
    )
    rerank_learned: bool = _setting(
        "rerank.learned",
        "boolean",
        True,
        "resource",
        "Whether the best hits are put into an order that was learnt from sentences that cite an authority.",
    )
    rerank_model: str = _setting(
        "rerank.model",
        "string",
        "",
        "machine",
        "A cross-encoder that reads the best hits once more, by name or folder, such as "
        '"cross-encoder/ms-marco-MiniLM-L-6-v2" (fetch it with lexls models get); empty does without.',
    )
    rerank_depth: int = _setting(
        "rerank.depth",
        "integer",
        16,
        "machine",
        "How many of the best hits the cross-encoder reads; each takes it some 10 to 25 milliseconds.",
        minimum=2,
        maximum=200,
    )
    models_idle_minutes: int = _setting(
        "models.idleMinutes",
        "integer",
        10,
        "machine",
        "After how many minutes without use the models' process gives back its memory; 0 keeps it.",
        minimum=0,
        maximum=1440,
    )
    hover_propositions: bool = _setting(
        "hover.propositions",
        "boolean",
        True,
        "resource",
        "Whether a hover outside citations shows the library's best passages on the sentence.",
    )
    hover_max_passages: int = _setting(
        "hover.maxPassages",
        "integer",
        3,
        "resource",
        "How many passages such a hover shows at most.",
        minimum=1,
        maximum=20,
    )
    completion_max_items: int = _setting(
        "completion.maxItems",
        "integer",
        20,
        "resource",
        "How many authorities a completion offers at most.",
        minimum=1,
        maximum=200,
    )
    support_max_results: int = _setting(
        "support.maxResults",
        "integer",
        8,
        "resource",
        "How many authorities find-support offers at most.",
        minimum=1,
        maximum=100,
    )
    support_kinds: tuple[str, ...] = _setting(
        "support.kinds",
        "choices",
        [],
        "resource",
        "The kinds of authority that find-support offers; empty means all.",
        choices=AUTHORITY_KINDS,
    )
    support_roles: tuple[str, ...] = _setting(
        "support.roles",
        "choices",
        [],
        "resource",
        "The rhetorical roles of the passages that find-support offers: FAC (facts), RATIO (holding), "
        "ANALYSIS and so on; only judgments have them, and empty means all passages.",
        choices=PASSAGE_ROLES,
    )
    precedents_enabled: bool = _setting(
        "precedents.enabled",
        "boolean",
        True,
        "resource",
        "Whether sentences of your library that cite an authority count when authorities are ranked, and "
        "hovers and find-support say in how many documents one was cited for the same.",
    )
    precedents_mode: str = _setting(
        "precedents.mode",
        "choice",
        "hybrid",
        "resource",
        "What of a precedent is compared with your sentence: its proposition, the passage that supports it, "
        "its names and figures, or all three.",
        choices=("hybrid", "question", "support", "entities"),
    )
    precedents_weights: tuple[float, ...] = _setting(
        "precedents.weights",
        "numbers",
        [0.25, 0.4, 0.35],
        "resource",
        "How much proposition, supporting passage and names count when all three are compared.",
        minimum=0,
    )
    precedents_k: int = _setting(
        "precedents.k",
        "integer",
        100,
        "resource",
        "How many of the precedents most like your sentence rank authorities.",
        minimum=1,
        maximum=10000,
    )
    precedents_count: int = _setting(
        "precedents.count",
        "integer",
        3,
        "resource",
        "How many precedents are named where an authority was cited for the same.",
        minimum=1,
        maximum=50,
    )
    precedents_case_bases: tuple[Path, ...] = _setting(
        "precedents.caseBases",
        "paths",
        [],
        "resource",
        "Files (JSONL) of cases of your own that count as precedents: each line an object with question, "
        "support, entities, answer and citation.",
    )
    precedents_drafts: tuple[Path, ...] = _setting(
        "precedents.drafts",
        "paths",
        [],
        "resource",
        "Past drafts of yours, or folders of them, whose citing sentences count as precedents. Nothing is "
        "read unless it is named here, and nothing leaves the machine.",
    )
    inlay_hints_short_forms: bool = _setting(
        "inlayHints.shortForms",
        "boolean",
        True,
        "resource",
        "Whether ibid, supra, bare sections and the like show in the text what they stand for.",
    )
    inlay_hints_names: bool = _setting(
        "inlayHints.names",
        "boolean",
        True,
        "resource",
        "Whether a citation without a case name shows the short name of the authority before it.",
    )
    semantic_tokens_enabled: bool = _setting(
        "semanticTokens.enabled",
        "boolean",
        True,
        "resource",
        "Whether case names, citations, pinpoints and short forms are coloured.",
    )
    code_lens_enabled: bool = _setting(
        "codeLens.enabled",
        "boolean",
        False,
        "resource",
        "Whether each paragraph shows above it how many authorities support it.",
    )
    severities: Mapping[str, Severity] = field(
        default_factory=lambda: MappingProxyType({rule.code: rule.severity for rule in DIAGNOSTICS}),
        metadata={"settings": tuple(_severity_setting(rule) for rule in DIAGNOSTICS)},
    )
    citations_style: str = _setting(
        "citations.style",
        "choice",
        "",
        "resource",
        "The style in which citations are written and checked; empty writes them as the draft does.",
        choices=("", *CITATION_STYLES),
    )
    citations_forms: tuple[Mapping[str, Any], ...] = _setting(
        "citations.forms",
        "tables",
        [],
        "file",
        "Citation forms of your own, one table each; the user file's and the workspace's are both used.",
    )
    citations_form_folders: tuple[Path, ...] = _setting(
        "citations.formFolders",
        "folders",
        [],
        "file",
        "Folders of files (*.toml) with citation forms and Acts of your own, as lexls's own files have them.",
    )
    server_path: str = _setting(
        "server.path",
        "string",
        "",
        "editor",
        "The lexls program to start; empty looks for it.",
    )
    server_python: str = _setting(
        "server.python",
        "string",
        "",
        "editor",
        'The Python that has lexls installed, started as "python -m lexls serve"; empty looks for it.',
    )
    trace_server: str = _setting(
        "trace.server",
        "choice",
        "off",
        "editor",
        "Whether the client logs the names of the messages it exchanges with the server.",
        choices=("off", "messages"),
    )
    root: Path | None = None
    files: tuple[Path, ...] = ()

    def get(self, key: str) -> Any:
        """The loaded value of a setting by its key ("hover.maxPassages"); KeyError if there is none."""
        declared = setting(key)
        return self.severities[declared.code] if declared.code else getattr(self, declared.name)

    def severity(self, code: str) -> Severity:
        """The severity in force for a diagnostic's code; KeyError if there is no such diagnostic."""
        return self.severities[code]


def _collect() -> Mapping[str, Setting]:
    """All declarations by key, in order, each with the name of its attribute."""
    found: dict[str, Setting] = {}
    for each in fields(Settings):
        plain = each.metadata.get("setting")
        for declared in each.metadata.get("settings", () if plain is None else (plain,)):
            found[declared.key] = replace(declared, name=each.name)
    return MappingProxyType(found)


SETTINGS: Mapping[str, Setting] = _collect()
"""All settings by key, in the order of their declaration."""


def setting(key: str) -> Setting:
    """The declaration of one setting; KeyError if there is no such key."""
    return SETTINGS[key]
