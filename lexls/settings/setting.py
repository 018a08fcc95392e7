"""How a setting is declared: its key, type, default, scope and help, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

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


def declared(
    key: str,
    kind: SettingType,
    default: Any,
    scope: Scope,
    help: str,
    choices: tuple[str, ...] = (),
    minimum: int | None = None,
    maximum: int | None = None,
) -> Any:
    """A field of ``Settings`` that carries its declaration; the arguments are those of ``Setting``."""
    declaration = Setting(key, kind, default, scope, help, choices, minimum, maximum)
    if kind in ("folders", "paths"):
        value: Any = tuple(Path(folder) for folder in default)
    elif kind == "path":
        value = Path(default) if default else None
    else:
        value = tuple(default) if isinstance(default, list) else default
    return field(default=value, metadata={"setting": declaration})
