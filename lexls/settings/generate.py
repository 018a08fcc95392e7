"""Write the documents and editor manifests generated from the declarations.

``python -m lexls.settings.generate`` writes them; with ``--check`` it only reports the files that differ.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lexls import __version__
from lexls.settings.commands import COMMANDS, TOKEN_MODIFIERS, TOKEN_TYPES, Command
from lexls.settings.declaration import SETTINGS, Setting
from lexls.settings.diagnostics import DIAGNOSTICS, SEVERITIES
from lexls.text.formats import FORMATS

NOTICE = "Generated from lexls/settings by `make docs`; edit the declarations there."
_WIDTH = 100
_TEXTS = tomllib.loads((resources.files("lexls.settings") / "documents.toml").read_text(encoding="utf-8"))
_VSCODE_SCOPES = {
    "machine": "machine-overridable",
    "workspace": "window",
    "resource": "resource",
    "user": "machine",
}

_NAMED = "|".join(re.escape(key) for key, each in SETTINGS.items() if each.scope != "file" and "." in key)
_KEY = re.compile(rf"(?<![\w.`])(?:{_NAMED})\b(?!\.\w)")


def write_default_toml() -> str:
    """Return a ``lexls.toml`` in which every option is commented out and has its default value."""
    lines = _TEXTS["default_toml"].splitlines()
    group = ""
    for setting in SETTINGS.values():
        if setting.scope == "editor":
            continue
        prefix, _, name = setting.key.rpartition(".")
        if prefix != group:
            group = prefix
            lines += ["", f"[{group}]"]
        lines.append("")
        lines += _comment(setting.help)
        limits = _limits_in_words(setting)
        if limits:
            lines += _comment(limits)
        if setting.scope == "user":
            lines += _comment("Allowed only in your own settings file, not in a workspace's.")
        lines.append(f"#{name} = {_toml(setting.default)}")
    return "\n".join(lines) + "\n"


def write_settings_page() -> str:
    """Return the manual page of all settings."""
    lines = [f"<!-- {NOTICE} -->", "", *_TEXTS["settings"].splitlines()]
    for setting in SETTINGS.values():
        link = f"[`{setting.key}`](#{_anchor(setting.key)})"
        lines.append(f"| {link} | `{_toml(setting.default)}` | {_prose(setting.help)} |")
    for setting in SETTINGS.values():
        lines += ["", f"## `{setting.key}`", "", _prose(setting.help), ""]
        lines.append(f"- Type: {_type_in_words(setting)}")
        lines.append(f"- Default: `{_toml(setting.default)}`")
        lines.append(f"- Where: {_TEXTS['scopes'][setting.scope]}")
    return "\n".join(lines) + "\n"


def write_diagnostics_page() -> str:
    """Return the manual page of all diagnostics."""
    levels = ", ".join(f"`{level}`" for level in SEVERITIES)
    introduction = _TEXTS["diagnostics"].format(levels=levels)
    lines = [f"<!-- {NOTICE} -->", "", *introduction.splitlines()]
    lines += [f"| [`{rule.code}`](#{rule.code}) | {rule.severity} | {rule.help} |" for rule in DIAGNOSTICS]
    for rule in DIAGNOSTICS:
        lines += ["", f"## {rule.code}", "", rule.help, "", rule.documentation, ""]
        lines.append(f"Severity: {rule.severity}. Setting: [`{rule.key}`](settings.md#{_anchor(rule.key)}).")
    return "\n".join(lines) + "\n"


def write_commands_page() -> str:
    """Return the manual page of all commands."""
    lines = [f"<!-- {NOTICE} -->", "", *_TEXTS["commands"].splitlines()]
    lines += [
        f"| {each.title} | `{each.id}` | {each.help}{_key_in_words(each)} |"
        for each in COMMANDS
        if each.in_palette
    ]
    lines += _TEXTS["server_commands"].splitlines()
    for each in COMMANDS:
        if each.on_server:
            lines += ["", f"### `{each.id}`", "", each.help, ""]
            lines.append(f"- Arguments: {each.arguments or 'none.'}")
            lines.append(f"- Result: {each.result or 'null.'}")
    return "\n".join(lines) + "\n"


def _key_in_words(command: Command) -> str:
    """Return a sentence that gives the default key of a command; "" if it has none."""
    if not command.key:
        return ""
    key = " ".join(each.title() for each in command.key.split())
    return f" In VS Code: {key} (on a Mac, {key.replace('Ctrl', '⌘')})."


def write_formats_page() -> str:
    """Return the manual page of the draft formats and how each is recognised."""
    lines = _TEXTS["formats"].splitlines()
    for each in FORMATS.values():
        known = (each.suffixes, each.languages, each.filetypes)
        cells = [", ".join(f"`{name}`" for name in names) for names in known]
        cells.append("<br>".join(f"`{mark}`" for mark in each.table_marks))
        lines.append(f"| {each.title[0].upper()}{each.title[1:]} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _comment(text: str) -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()),
        _WIDTH,
        initial_indent="# ",
        subsequent_indent="# ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _prose(text: str) -> str:
    """Return text escaped for Markdown, so that it is shown as written."""
    return text.replace("*", "\\*")


def _anchor(key: str) -> str:
    return "".join(letter for letter in key.lower() if letter.isalnum())


def _toml(value: Any) -> str:
    """Return a value as TOML (strings and numbers are written as in JSON)."""
    return json.dumps(value, ensure_ascii=False)


def _limits_in_words(setting: Setting) -> str:
    if setting.choices:
        listed = ", ".join(
            f'"{choice}" ({meaning})' if meaning else f'"{choice}"'
            for choice, meaning in zip_longest(setting.choices, setting.meanings)
        )
        return f"One of {listed}." if setting.type == "choice" else f"Any of {listed}."
    if setting.known:
        listed = ", ".join(f'"{value}"' for value in setting.known)
        return f"Known values: {listed}; your own forms may add others."
    if setting.minimum is not None and setting.maximum is not None:
        return f"From {setting.minimum} to {setting.maximum}."
    return ""


def _type_in_words(setting: Setting) -> str:
    words: str = _TEXTS["types"][setting.type]
    limits = _limits_in_words(setting).removesuffix(".")
    return f"{words}; {limits[0].lower()}{limits[1:]}" if limits else words


# -- the editors' manifests ----------------------------------------------------------------------------------


def write_vscode_manifest(current: str) -> str:
    """Return the extension's ``package.json`` with its generated parts updated and the rest unchanged."""
    manifest = json.loads(current)
    manifest["version"] = __version__
    languages = [each.languages[0] for each in FORMATS.values()]
    manifest["activationEvents"] = [
        *(each for each in manifest.get("activationEvents", ()) if not each.startswith("onLanguage:")),
        *(f"onLanguage:{language}" for language in languages),
    ]
    contributes = manifest.setdefault("contributes", {})
    properties = {
        f"lexls.{setting.key}": _schema(setting, order)
        for order, setting in enumerate(SETTINGS.values())
        if setting.scope != "file"
    }
    untrusted = manifest.setdefault("capabilities", {}).setdefault("untrustedWorkspaces", {})
    # Settings that VS Code lets a workspace change and that select programs, models or files.
    untrusted["restrictedConfigurations"] = [
        key for key, schema in properties.items() if schema["scope"] == "machine-overridable"
    ]
    contributes["configuration"] = [
        {"title": title, "properties": {k: v for k, v in properties.items() if k.split(".")[1] in groups}}
        for title, groups in _TEXTS["categories"].items()
    ]
    _declare_commands(contributes, languages)
    contributes["languageModelTools"] = [
        {
            "name": f"lexls_{each['name']}",
            "displayName": each["title"],
            "userDescription": each["title"],
            "modelDescription": each["description"],
            "toolReferenceName": f"lexls_{each['name']}",
            "canBeReferencedInPrompt": True,
            "icon": "$(law)",
            "tags": ["lexls"],
            "inputSchema": each["schema"],
        }
        for each in json.loads((resources.files("lexls.settings") / "agent_tools.json").read_text("utf-8"))
    ]
    contributes["semanticTokenTypes"] = [
        {"id": each.id, "superType": each.standard, "description": each.help} for each in TOKEN_TYPES
    ]
    contributes["semanticTokenModifiers"] = [
        {"id": each.id, "description": each.help} for each in TOKEN_MODIFIERS if each.own
    ]
    contributes["semanticTokenScopes"] = [{"scopes": {each.id: [each.scope] for each in TOKEN_TYPES}}]
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def _declare_commands(contributes: dict[str, Any], languages: Sequence[str]) -> None:
    """Add the commands and their menu entries to the extension's contributions."""
    present = {each.get("command"): each for each in contributes.get("commands", [])}
    contributes["commands"] = [
        {**present.get(each.id, {}), "command": each.id, "title": each.title, "category": "lexls"}
        for each in COMMANDS
        if each.in_palette or each.in_menu
    ]
    hidden = [each.id for each in COMMANDS if each.in_menu and not each.in_palette]
    menus = contributes.setdefault("menus", {})
    others = [each for each in menus.get("commandPalette", []) if each["command"] not in hidden]
    menus["commandPalette"] = [*others, *({"command": id, "when": "false"} for id in hidden)]
    in_draft = f"editorLangId =~ /^({'|'.join(languages)})$/"
    for item in contributes.get("menus", {}).get("editor/context", []):
        item["when"] = f"{in_draft} && !editorReadonly"
    with_key = [each for each in COMMANDS if each.key]
    named = {each.id for each in with_key}
    kept = [each for each in contributes.get("keybindings", ()) if each["command"] not in named]
    contributes["keybindings"] = [
        *(
            {
                "command": each.id,
                "key": each.key,
                "mac": each.key.replace("ctrl", "cmd"),
                "when": f"editorTextFocus && {in_draft}{' && !editorReadonly' if each.writes else ''}",
            }
            for each in with_key
        ),
        *kept,
    ]


def write_vscode_languages() -> str:
    """Return the language ids of drafts as a TypeScript module."""
    languages = ", ".join(f'"{each.languages[0]}"' for each in FORMATS.values())
    return f"// {NOTICE}\nexport const LANGUAGES = [{languages}];\n"


def write_neovim_table() -> str:
    """Return the declarations as a Lua module."""
    tables = {
        "settings": [
            _fields(each, "key", "type", "default", "scope", "help")
            | ({"choices": list(each.choices)} if each.choices else {})
            for each in SETTINGS.values()
            if each.scope != "file"
        ],
        "commands": [_fields(each, "id", "title", "help", "on_server") for each in COMMANDS],
        "diagnostics": [_fields(each, "code", "severity", "help") for each in DIAGNOSTICS],
        "tokens": [_fields(each, "id", "standard", "help") for each in TOKEN_TYPES],
    }
    return f"-- {NOTICE}\nreturn {_lua(tables, 0)}\n"


def write_neovim_server(*, submitted: bool = False) -> str:
    """Return the Lua module with which Neovim starts the server for drafts of all formats.

    If ``submitted``, return the version for nvim-lspconfig, which works without our plugin; its address is
    filled in at release.
    """
    filetypes = "".join(f'    "{name}",\n' for each in FORMATS.values() for name in each.filetypes)
    text = _TEXTS["neovim_server"].lstrip().replace("@FILETYPES@", filetypes.rstrip())
    if submitted:
        return str(text.replace("@ADDRESS@", "--- ${repository}\n---\n").replace("@GIVEN@", "return"))
    text = text.replace("@ADDRESS@", "").replace("@GIVEN@", "local alone =")
    return f"-- {NOTICE}\n{text}{_TEXTS['neovim_plugin']}"


def _fields(declared: object, *names: str) -> dict[str, Any]:
    return {name: getattr(declared, name) for name in names}


def _schema(setting: Setting, order: int) -> dict[str, Any]:
    """Return the JSON schema of a setting for the VS Code manifest."""
    # Turn the keys of other settings into links in VS Code's syntax.
    help = _KEY.sub(lambda match: f"`#lexls.{match.group()}#`", _prose(setting.help))
    schema: dict[str, Any] = {"order": order, "markdownDescription": help}
    if setting.advanced:
        schema["tags"] = ["advanced"]
    if setting.scope == "editor":
        schema["scope"] = "window" if setting.type == "choice" else "machine-overridable"
    else:
        schema["scope"] = _VSCODE_SCOPES[setting.scope]
    if setting.type in ("strings", "folders", "paths", "choices"):
        schema["type"] = "array"
        schema["items"] = {"type": "string"}
        if setting.choices:
            schema["items"] |= _enumerate(setting)
            schema["uniqueItems"] = True
    elif setting.type == "numbers":
        schema |= {"type": "array", "items": {"type": "number"} | _limits(setting)}
        schema["minItems"] = schema["maxItems"] = len(setting.default)
    else:
        plain = setting.type in ("boolean", "integer", "number")
        schema["type"] = setting.type if plain else "string"
        if setting.choices:
            schema |= _enumerate(setting)
        if setting.known:
            schema["examples"] = list(setting.known)
        schema |= _limits(setting)
    schema["default"] = setting.default
    return schema


def _enumerate(setting: Setting) -> dict[str, Any]:
    explained = {"enumDescriptions": list(setting.meanings)} if setting.meanings else {}
    return {"enum": list(setting.choices)} | explained


def _limits(setting: Setting) -> dict[str, Any]:
    limits = {"minimum": setting.minimum, "maximum": setting.maximum}
    return {name: limit for name, limit in limits.items() if limit is not None}


def _lua(value: Any, depth: int) -> str:
    """Return plain data as a Lua expression."""
    pad = "  " * (depth + 1)
    if isinstance(value, Mapping):
        if depth == 2:
            return "{ " + ", ".join(f"{key} = {_lua(item, depth + 1)}" for key, item in value.items()) + " }"
        inside = "".join(f"{pad}{key} = {_lua(item, depth + 1)},\n" for key, item in value.items())
        return "{\n" + inside + "  " * depth + "}"
    if isinstance(value, list):
        if depth > 2 or not value:
            return "{ " + ", ".join(_lua(item, depth + 1) for item in value) + " }" if value else "{}"
        return "{\n" + "".join(f"{pad}{_lua(item, depth + 1)},\n" for item in value) + "  " * depth + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False)


GENERATED: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "docs/settings.md": lambda _: write_settings_page(),
        "docs/diagnostics.md": lambda _: write_diagnostics_page(),
        "docs/commands.md": lambda _: write_commands_page(),
        "docs/lexls.default.toml": lambda _: write_default_toml(),
        "docs/formats.md": lambda _: write_formats_page(),
        "editors/vscode/package.json": write_vscode_manifest,
        "editors/vscode/src/languages.ts": lambda _: write_vscode_languages(),
        "editors/neovim/lsp/lexls.lua": lambda _: write_neovim_server(),
        "packaging/nvim-lspconfig.lua": lambda _: write_neovim_server(submitted=True),
        "editors/neovim/lua/lexls/declared.lua": lambda _: write_neovim_table(),
    }
)
"""For each generated file, named relative to the repository, a function that returns its new text, given its
current text.
"""


def find_drifted(root: Path) -> list[str]:
    """Return the generated files in a checkout that are missing or do not match the declarations."""
    present = {name: _present(root / name) for name in GENERATED}
    return [name for name, text in present.items() if not text or GENERATED[name](text) != text]


def _present(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def write(root: Path) -> list[str]:
    """Write the generated files that differ to a checkout, and return their names. The manifest must
    exist.
    """
    changed = find_drifted(root)
    for name in changed:
        path = root / name
        current = _present(path)
        if not current and name.endswith(".json"):
            raise FileNotFoundError(f"{path}: the manifest to be completed is missing")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(GENERATED[name](current), encoding="utf-8", newline="\n")
    return changed


def main(arguments: list[str] | None = None) -> int:
    """Run the generators. Return 1 if ``--check`` finds a file that differs."""
    parser = argparse.ArgumentParser(prog="python -m lexls.settings.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say which files differ")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[2], help="the checkout")
    options = parser.parse_args(arguments)
    names = find_drifted(options.root) if options.check else write(options.root)
    for name in names:
        print(f"{name}: {'differs from the declarations; run make docs' if options.check else 'written'}")
    return 1 if names and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
