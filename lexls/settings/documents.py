"""The defaults file and the manual pages, made from the declarations."""

from __future__ import annotations

import json
import textwrap
import tomllib
from importlib import resources
from typing import Any

from lexls.settings.commands import COMMANDS
from lexls.settings.declaration import SETTINGS, Setting
from lexls.settings.diagnostics import DIAGNOSTICS, SEVERITIES
from lexls.text.formats import FORMATS

NOTICE = "Generated from lexls/settings by `make docs`; edit the declarations there."
_WIDTH = 100
_TEXTS = tomllib.loads((resources.files("lexls.settings") / "documents.toml").read_text(encoding="utf-8"))


def default_toml() -> str:
    """``lexls.toml`` with every option in it, commented out, at its default."""
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
        limits = _limits(setting)
        if limits:
            lines += _comment(limits)
        if setting.scope == "user":
            lines += _comment("Only in your own settings file, never in that of a workspace.")
        lines.append(f"#{name} = {_toml(setting.default)}")
    return "\n".join(lines) + "\n"


def settings_page() -> str:
    """The manual page of all settings."""
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


def diagnostics_page() -> str:
    """The manual page of all diagnostics."""
    levels = ", ".join(f"`{level}`" for level in SEVERITIES)
    introduction = _TEXTS["diagnostics"].format(levels=levels)
    lines = [f"<!-- {NOTICE} -->", "", *introduction.splitlines()]
    lines += [f"| [`{rule.code}`](#{rule.code}) | {rule.severity} | {rule.help} |" for rule in DIAGNOSTICS]
    for rule in DIAGNOSTICS:
        lines += ["", f"## {rule.code}", "", rule.help, "", rule.documentation, ""]
        lines.append(
            f"Severity: {rule.severity}, changed by [`{rule.key}`](settings.md#{_anchor(rule.key)})."
        )
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """The manual page of all commands."""
    lines = [f"<!-- {NOTICE} -->", "", *_TEXTS["commands"].splitlines()]
    lines += [f"| {each.title} | `{each.id}` | {each.help} |" for each in COMMANDS if each.in_palette]
    lines += _TEXTS["server_commands"].splitlines()
    for each in COMMANDS:
        if each.on_server:
            lines += ["", f"### `{each.id}`", "", each.help, ""]
            lines.append(f"- Arguments: {each.arguments or 'none.'}")
            lines.append(f"- Result: {each.result or 'null.'}")
    return "\n".join(lines) + "\n"


def formats_page() -> str:
    """The formats of drafts, and where each is recognised."""
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
    if setting.known:
        listed = ", ".join(f'"{value}"' for value in setting.known)
        return f"Known are {listed}; forms of your own may have others."
    if setting.minimum is not None and setting.maximum is not None:
        return f"From {setting.minimum} to {setting.maximum}."
    return ""


def _type_in_words(setting: Setting) -> str:
    words: str = _TEXTS["types"][setting.type]
    limits = _limits(setting).removesuffix(".")
    return f"{words}; {limits[0].lower()}{limits[1:]}" if limits else words
