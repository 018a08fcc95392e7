"""Every setting of lexls, declared once: key, type, default, scope and help.

The defaults file, the manual, the VS Code manifest and the Neovim table are generated from here
(``python -m lexls.settings.generate``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lexls.settings.diagnostics import DIAGNOSTICS, SEVERITIES, DiagnosticRule, Severity
from lexls.settings.explaining import ExplainingSettings
from lexls.settings.setting import Setting, declared

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


def _severity_setting(rule: DiagnosticRule) -> Setting:
    """The setting of a diagnostic's severity."""
    help = "How to report: " + rule.help[0].lower() + rule.help[1:]
    return Setting(rule.key, "choice", rule.severity, "resource", help, SEVERITIES, code=rule.code)


@dataclass(frozen=True, slots=True)
class Settings(ExplainingSettings):
    """The settings in force for one folder; made by ``lexls.settings.load.load``.

    ``root`` is the folder against which default folders were resolved (that of ``lexls.toml``, or the
    workspace folder), ``files`` are the settings files that were read, the user's first.
    """

    hover_propositions: bool = declared(
        "hover.propositions",
        "boolean",
        True,
        "resource",
        "Whether a hover outside citations shows the library's best passages on the sentence.",
    )
    hover_max_passages: int = declared(
        "hover.maxPassages",
        "integer",
        3,
        "resource",
        "How many passages such a hover shows at most.",
        minimum=1,
        maximum=20,
    )
    completion_max_items: int = declared(
        "completion.maxItems",
        "integer",
        20,
        "resource",
        "How many authorities a completion offers at most.",
        minimum=1,
        maximum=200,
    )
    support_max_results: int = declared(
        "support.maxResults",
        "integer",
        8,
        "resource",
        "How many authorities find-support offers at most.",
        minimum=1,
        maximum=100,
    )
    support_kinds: tuple[str, ...] = declared(
        "support.kinds",
        "choices",
        [],
        "resource",
        "The kinds of authority that find-support offers; empty means all.",
        choices=AUTHORITY_KINDS,
    )
    support_roles: tuple[str, ...] = declared(
        "support.roles",
        "choices",
        [],
        "resource",
        "The rhetorical roles of the passages that find-support offers: FAC (facts), RATIO (holding), "
        "ANALYSIS and so on; only judgments have them, and empty means all passages.",
        choices=PASSAGE_ROLES,
    )
    precedents_enabled: bool = declared(
        "precedents.enabled",
        "boolean",
        True,
        "resource",
        "Whether sentences of your library that cite an authority count when authorities are ranked, and "
        "hovers and find-support say in how many documents one was cited for the same.",
    )
    precedents_mode: str = declared(
        "precedents.mode",
        "choice",
        "hybrid",
        "resource",
        "What of a precedent is compared with your sentence: its proposition, the passage that supports it, "
        "its names and figures, or all three.",
        choices=("hybrid", "question", "support", "entities"),
    )
    precedents_weights: tuple[float, ...] = declared(
        "precedents.weights",
        "numbers",
        [0.25, 0.4, 0.35],
        "resource",
        "How much proposition, supporting passage and names count when all three are compared.",
        minimum=0,
    )
    precedents_k: int = declared(
        "precedents.k",
        "integer",
        100,
        "resource",
        "How many of the precedents most like your sentence rank authorities.",
        minimum=1,
        maximum=10000,
    )
    precedents_count: int = declared(
        "precedents.count",
        "integer",
        3,
        "resource",
        "How many precedents are named where an authority was cited for the same.",
        minimum=1,
        maximum=50,
    )
    precedents_case_bases: tuple[Path, ...] = declared(
        "precedents.caseBases",
        "paths",
        [],
        "resource",
        "Files (JSONL) of cases of your own that count as precedents: each line an object with question, "
        "support, entities, answer and citation.",
    )
    precedents_drafts: tuple[Path, ...] = declared(
        "precedents.drafts",
        "paths",
        [],
        "resource",
        "Past drafts of yours, or folders of them, whose citing sentences count as precedents. Nothing is "
        "read unless it is named here, and nothing leaves the machine.",
    )
    inlay_hints_short_forms: bool = declared(
        "inlayHints.shortForms",
        "boolean",
        True,
        "resource",
        "Whether ibid, supra, bare sections and the like show in the text what they stand for.",
    )
    inlay_hints_names: bool = declared(
        "inlayHints.names",
        "boolean",
        True,
        "resource",
        "Whether a citation without a case name shows the short name of the authority before it.",
    )
    semantic_tokens_enabled: bool = declared(
        "semanticTokens.enabled",
        "boolean",
        True,
        "resource",
        "Whether case names, citations, pinpoints and short forms are coloured.",
    )
    code_lens_enabled: bool = declared(
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
    citations_style: str = declared(
        "citations.style",
        "choice",
        "",
        "resource",
        "The style in which citations are written and checked; empty writes them as the draft does.",
        choices=("", *CITATION_STYLES),
    )
    citations_forms: tuple[Mapping[str, Any], ...] = declared(
        "citations.forms",
        "tables",
        [],
        "file",
        "Citation forms of your own, one table each; the user file's and the workspace's are both used.",
    )
    citations_form_folders: tuple[Path, ...] = declared(
        "citations.formFolders",
        "folders",
        [],
        "file",
        "Folders of files (*.toml) with citation forms and Acts of your own, as lexls's own files have them.",
    )
    server_path: str = declared(
        "server.path",
        "string",
        "",
        "editor",
        "The lexls program to start; empty looks for it.",
    )
    server_python: str = declared(
        "server.python",
        "string",
        "",
        "editor",
        'The Python that has lexls installed, started as "python -m lexls serve"; empty looks for it.',
    )
    trace_server: str = declared(
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
        found = setting(key)
        return self.severities[found.code] if found.code else getattr(self, found.name)

    def severity(self, code: str) -> Severity:
        """The severity in force for a diagnostic's code; KeyError if there is no such diagnostic."""
        return self.severities[code]


def _collect() -> Mapping[str, Setting]:
    """All declarations by key, in order, each with the name of its attribute."""
    found: dict[str, Setting] = {}
    for each in fields(Settings):
        plain = each.metadata.get("setting")
        for declaration in each.metadata.get("settings", () if plain is None else (plain,)):
            found[declaration.key] = replace(declaration, name=each.name)
    return MappingProxyType(found)


SETTINGS: Mapping[str, Setting] = _collect()
"""All settings by key, in the order of their declaration."""


def setting(key: str) -> Setting:
    """The declaration of one setting; KeyError if there is no such key."""
    return SETTINGS[key]
