"""The defaults file and the manual pages, made from the declarations."""

from __future__ import annotations

import json
from typing import Any

from lexls.settings.commands import COMMANDS
from lexls.settings.declaration import SETTINGS
from lexls.settings.diagnostics import DIAGNOSTICS, SEVERITIES
from lexls.settings.setting import Setting

NOTICE = "Generated from lexls/settings by `make docs`; edit the declarations there."
_WIDTH = 100
_SETTINGS_INTRODUCTION = """\
# Settings

lexls looks for each setting in four places; the last one that has it wins:

1. the defaults below,
2. your own file, `config.toml` in the user configuration folder (`lexls doctor` shows where),
3. the nearest `lexls.toml`, in the draft's folder or one above it,
4. your editor's settings, under `lexls.` (`lexls.hover.propositions`).

In files the keys stand without `lexls.` in front, dotted or in tables;
[lexls.default.toml](lexls.default.toml) holds all of them. A key that lexls does not know, a value of
the wrong type and a file that is not valid TOML are reported by name, in the editor and by every
command; the default is then used for that key.

Relative folders start from the folder of the `lexls.toml` that names them; those from your own file
and from the editor start from the workspace folder. What only you may decide (`explain.promptFolder`)
starts from the folder of your own file, and is a whole path in the editor. A `lexls.toml` can have the
index kept inside its own folder and nowhere else.

| Setting | Default | |
| --- | --- | --- |
"""


def default_toml() -> str:
    """``lexls.toml`` with every option in it, commented out, at its default."""
    lines = [
        "# lexls.toml: the settings of lexls with their defaults.",
        "#",
        "# Put a file of this name beside your drafts, or in a folder above them, and keep only the lines",
        "# you change, without the # in front. docs/settings.md explains the layers of settings.",
    ]
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
        limits = _limits(setting)
        if limits:
            lines += _comment(limits)
        if setting.scope == "user":
            lines += _comment("Only in your own settings file, never in that of a workspace.")
        lines.append(f"#{name} = {_toml(setting.default)}")
    return "\n".join(lines) + "\n"


def settings_page() -> str:
    """The manual page of all settings."""
    lines = [f"<!-- {NOTICE} -->", "", *_SETTINGS_INTRODUCTION.splitlines()]
    for setting in SETTINGS.values():
        link = f"[`{setting.key}`](#{_anchor(setting.key)})"
        lines.append(f"| {link} | `{_toml(setting.default)}` | {_prose(setting.help)} |")
    for setting in SETTINGS.values():
        lines += ["", f"## `{setting.key}`", "", _prose(setting.help), ""]
        lines.append(f"- Type: {_type_in_words(setting)}")
        lines.append(f"- Default: `{_toml(setting.default)}`")
        lines.append(f"- Where: {_scope_in_words(setting)}")
    return "\n".join(lines) + "\n"


def diagnostics_page() -> str:
    """The manual page of all diagnostics."""
    levels = ", ".join(f"`{level}`" for level in SEVERITIES)
    lines = [
        f"<!-- {NOTICE} -->",
        "",
        "# Diagnostics",
        "",
        "What lexls reports in a draft, and with `lexls check`. Each has a setting for its severity:",
        f"{levels}.",
        "",
        "| Code | Severity | |",
        "| --- | --- | --- |",
    ]
    lines += [f"| [`{rule.code}`](#{rule.code}) | {rule.severity} | {rule.help} |" for rule in DIAGNOSTICS]
    for rule in DIAGNOSTICS:
        lines += ["", f"## {rule.code}", "", rule.help, "", rule.documentation, ""]
        lines.append(
            f"Severity: {rule.severity}, changed by [`{rule.key}`](settings.md#{_anchor(rule.key)})."
        )
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """The manual page of all commands."""
    lines = [
        f"<!-- {NOTICE} -->",
        "",
        "# Commands",
        "",
        "## For people",
        "",
        "In VS Code from the command palette, in Neovim with `:Lexls` (see `:help lexls`).",
        "",
        "| Command | Identifier | |",
        "| --- | --- | --- |",
    ]
    lines += [f"| {each.title} | `{each.id}` | {each.help} |" for each in COMMANDS if each.in_palette]
    lines += [
        "",
        "## Of the server",
        "",
        "Executed with `workspace/executeCommand`; any client can call them.",
    ]
    for each in COMMANDS:
        if each.on_server:
            lines += ["", f"### `{each.id}`", "", each.help, ""]
            lines.append(f"- Arguments: {each.arguments or 'none.'}")
            lines.append(f"- Result: {each.result or 'null.'}")
    return "\n".join(lines) + "\n"


def _comment(text: str) -> list[str]:
    lines, line = [], "#"
    for word in text.split():
        if len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = "#"
        line += " " + word
    return [*lines, line]


def _prose(text: str) -> str:
    """Text as Markdown that shows it unchanged."""
    return text.replace("*", "\\*")


def _anchor(key: str) -> str:
    return "".join(letter for letter in key.lower() if letter.isalnum())


def _toml(value: Any) -> str:
    """A value as TOML writes it (strings and numbers look the same in JSON)."""
    return json.dumps(value, ensure_ascii=False)


def _limits(setting: Setting) -> str:
    if setting.choices:
        listed = ", ".join(f'"{choice}"' for choice in setting.choices)
        return f"One of {listed}." if setting.type == "choice" else f"Any of {listed}."
    if setting.minimum is not None and setting.maximum is not None:
        return f"From {setting.minimum} to {setting.maximum}."
    return ""


def _type_in_words(setting: Setting) -> str:
    words = {
        "boolean": "true or false",
        "integer": "whole number",
        "number": "number",
        "numbers": "list of numbers",
        "string": "string",
        "choice": "string",
        "strings": "list of strings",
        "choices": "list of strings",
        "folders": "list of folders",
        "paths": "list of files or folders",
        "path": "path of a file",
        "tables": "list of tables",
    }[setting.type]
    limits = _limits(setting).removesuffix(".")
    return f"{words}; {limits[0].lower()}{limits[1:]}" if limits else words


def _scope_in_words(setting: Setting) -> str:
    return {
        "machine": "files and editors; of this machine, so editors do not carry it to another",
        "workspace": "files and editors; one value for a workspace",
        "resource": "files and editors; may differ for each folder of a workspace",
        "editor": "editors only",
        "file": "TOML files only",
        "user": "your own file and editors; never a workspace's file",
    }[setting.scope]
