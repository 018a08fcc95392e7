"""The parts of the editors' clients that are made from the declarations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lexls.settings.commands import COMMANDS
from lexls.settings.declaration import SETTINGS
from lexls.settings.diagnostics import DIAGNOSTICS
from lexls.settings.documents import NOTICE
from lexls.settings.setting import Setting
from lexls.settings.tokens import TOKEN_MODIFIERS, TOKEN_TYPES

_VSCODE_SCOPES = {
    "machine": "machine-overridable",
    "workspace": "window",
    "resource": "resource",
    "user": "machine",
}


def vscode_manifest(current: str) -> str:
    """The extension's ``package.json`` with settings, commands and tokens as declared, all else as it was."""
    manifest = json.loads(current)
    contributes = manifest.setdefault("contributes", {})
    properties = {
        f"lexls.{setting.key}": _schema(setting, order)
        for order, setting in enumerate(SETTINGS.values())
        if setting.scope != "file"
    }
    contributes["configuration"] = {"title": "lexls", "properties": properties}
    untrusted = manifest.setdefault("capabilities", {}).setdefault("untrustedWorkspaces", {})
    # What VS Code lets a workspace set, and what decides which programs, models and files are used.
    untrusted["restrictedConfigurations"] = [
        key for key, schema in properties.items() if schema["scope"] == "machine-overridable"
    ]
    present = {each.get("command"): each for each in contributes.get("commands", [])}
    contributes["commands"] = [
        {**present.get(each.id, {}), "command": each.id, "title": each.title, "category": "lexls"}
        for each in COMMANDS
        if each.in_palette
    ]
    contributes["semanticTokenTypes"] = [
        {"id": each.id, "superType": each.standard, "description": each.help} for each in TOKEN_TYPES
    ]
    contributes["semanticTokenModifiers"] = [
        {"id": each.id, "description": each.help} for each in TOKEN_MODIFIERS if each.own
    ]
    contributes["semanticTokenScopes"] = [{"scopes": {each.id: [each.scope] for each in TOKEN_TYPES}}]
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def neovim_table() -> str:
    """The declarations as a Lua module."""
    settings = [
        {
            "key": setting.key,
            "type": setting.type,
            "default": setting.default,
            "scope": setting.scope,
            "help": setting.help,
            **({"choices": list(setting.choices)} if setting.choices else {}),
        }
        for setting in SETTINGS.values()
        if setting.scope != "file"
    ]
    commands = [
        {"id": each.id, "title": each.title, "help": each.help, "on_server": each.on_server}
        for each in COMMANDS
    ]
    diagnostics = [{"code": rule.code, "severity": rule.severity, "help": rule.help} for rule in DIAGNOSTICS]
    tokens = [{"id": each.id, "standard": each.standard, "help": each.help} for each in TOKEN_TYPES]
    tables = {"settings": settings, "commands": commands, "diagnostics": diagnostics, "tokens": tokens}
    body = _lua(tables, 0)
    return f"-- {NOTICE}\nreturn {body}\n"


def _schema(setting: Setting, order: int) -> dict[str, Any]:
    """A setting in the JSON schema of a VS Code manifest."""
    schema: dict[str, Any] = {"order": order, "description": setting.help}
    if setting.scope == "editor":
        schema["scope"] = "window" if setting.type == "choice" else "machine-overridable"
    else:
        schema["scope"] = _VSCODE_SCOPES[setting.scope]
    if setting.type in ("strings", "folders", "paths", "choices"):
        schema["type"] = "array"
        schema["items"] = {"type": "string"}
        if setting.choices:
            schema["items"]["enum"] = list(setting.choices)
            schema["uniqueItems"] = True
    elif setting.type == "numbers":
        count = len(setting.default)
        limits = _limits(setting)
        schema |= {
            "type": "array",
            "items": {"type": "number"} | limits,
            "minItems": count,
            "maxItems": count,
        }
    else:
        plain = setting.type in ("boolean", "integer", "number")
        schema["type"] = setting.type if plain else "string"
        if setting.choices:
            schema["enum"] = list(setting.choices)
        schema |= _limits(setting)
    schema["default"] = setting.default
    return schema


def _limits(setting: Setting) -> dict[str, Any]:
    limits = {"minimum": setting.minimum, "maximum": setting.maximum}
    return {name: limit for name, limit in limits.items() if limit is not None}


def _lua(value: Any, depth: int) -> str:
    """Plain data as a Lua expression."""
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
