"""Load the settings from the defaults, the user file, the workspace file and the editor. Each overrides those
before it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexls.settings.declaration import SETTINGS, Setting, Settings
from lexls.settings.values import (
    IGNORE_KEY,
    BadValue,
    check_value,
    find_ignoring_fault,
    find_mapping_fault,
    suggest,
)

WORKSPACE_FILE = "lexls.toml"
EDITOR = "editor"


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """A problem with a setting or a settings file.

    ``source`` is the file, or "editor". ``key`` is the setting as written ("" for a whole file). ``reason``
    explains to the user what is wrong.
    """

    source: str
    key: str
    reason: str

    def __str__(self) -> str:
        return f"{self.source}: {self.key}: {self.reason}" if self.key else f"{self.source}: {self.reason}"


@dataclass(frozen=True, slots=True)
class _Layer:
    """One source of settings. Its relative paths are resolved against the folder ``base``."""

    source: str
    data: Mapping[str, Any]
    base: Path
    problems: list[SettingsProblem]
    in_file: bool
    is_workspaces: bool = False
    is_remote: bool = False

    def refuse(self, key: str, reason: str) -> None:
        """Record a problem with a setting."""
        self.problems.append(SettingsProblem(self.source, key, reason))


def find_user_settings() -> Path:
    """Return the path of the user's settings file, even if the file does not exist."""
    from platformdirs import user_config_path

    return user_config_path("lexls", appauthor=False) / "config.toml"


def find_workspace_settings(start: Path) -> Path | None:
    """Return the ``lexls.toml`` that applies to a folder or a draft: the one in its own folder or in the
    nearest folder above it. Return None if there is none.
    """
    folder = start.absolute()
    if not os.path.isdir(folder):  # also False for invalid names
        folder = folder.parent
    for candidate in (folder, *folder.parents):
        path = candidate / WORKSPACE_FILE
        try:
            if path.is_file():
                return path
        except OSError:
            return None
    return None


def load(
    workspace: Path | None = None,
    editor: Mapping[str, Any] | None = None,
    user_file: Path | None = None,
    *,
    remote: bool = False,
) -> tuple[Settings, list[SettingsProblem]]:
    """Return the settings in effect and all problems found in them.

    ``workspace`` is a workspace folder, or a draft opened without one; ``lexls.toml`` is looked for there and
    in the folders above. ``editor`` is what the editor sends: nested or dotted keys, with or without the
    prefix "lexls", and null for values not set. ``remote`` is true if the editor is on another machine.
    ``user_file`` replaces the user's own file (tests pass one that does not exist).

    Relative paths in a ``lexls.toml`` are resolved against its folder. Those in the user file and from the
    editor are resolved against the workspace folder, except in settings that only the user may set. In the
    user file, paths in such settings are resolved against the file's folder; in an editor they must be
    absolute. A missing library folder is reported but kept, since its drive may be connected again. A
    rejected value is replaced by the default, even if a layer of lower priority sets the key.
    """
    problems: list[SettingsProblem] = []
    start = (workspace or Path.cwd()).absolute()
    folder = start if start.is_dir() else start.parent
    toml = find_workspace_settings(start)
    root = toml.parent if toml else folder
    files: list[Path] = []
    layers: list[_Layer] = []
    user = user_file if user_file is not None else find_user_settings()
    for path, base in ((user, folder), (toml, root)):
        if path is None or not path.is_file():
            continue
        files.append(path)
        data = _read(path, problems)
        layers.append(_Layer(str(path), data, base, problems, in_file=True, is_workspaces=path == toml))
    if editor:
        layers.append(
            _Layer(EDITOR, _editor_section(editor), folder, problems, in_file=False, is_remote=remote)
        )

    defaults = Settings()
    values: dict[str, Any] = {}
    for layer in layers:
        for key, raw in _flatten(layer, layer.data, ""):
            declared = SETTINGS[key]
            value = _take(layer, declared, raw)
            if fault := _FAULTS.get(key):
                value = (*values.get(declared.name, ()), *_take_tables(layer, key, value, fault))
            if key in ("citations.forms", "citations.formFolders"):
                value = (*values.get(declared.name, ()), *value)
            if declared.code:
                value = {**values.get(declared.name, defaults.severities), declared.code: value}
            values[declared.name] = value
    form_folders = values.get("citations_form_folders", ())
    tables, read = read_forms(form_folders, problems)
    values["citations_forms"] = (*values.get("citations_forms", ()), *tables)
    files.extend(read)
    if "library_folders" not in values:
        values["library_folders"] = _default_folders("library.folders", root)
    if "record_folders" not in values:
        found = _default_folders("record.folders", root)
        values["record_folders"] = tuple(each for each in found if each not in values["library_folders"])
    settings = Settings(**values, root=root, files=tuple(files))
    return settings.for_filing() if settings.check_profile == "filing" else settings, problems


def read_forms(
    folders: Iterable[Path], problems: list[SettingsProblem]
) -> tuple[list[Mapping[str, Any]], list[Path]]:
    """Return the tables of citation forms in the files of ``folders``, and the paths to watch for changes.

    Each table gets its file as ``source`` and, if it has no ``jurisdiction`` of its own, that of the file. A
    file's Acts form one table (``acts``). A file or table that cannot be read becomes a problem that names
    the file.
    """
    tables: list[Mapping[str, Any]] = []
    watched: list[Path] = []
    for folder in dict.fromkeys(folders):
        watched.append(folder)
        try:
            paths = sorted(path for path in folder.glob("*.toml") if path.is_file())
        except OSError as error:
            problems.append(SettingsProblem(str(folder), "", f"cannot be read: {error.strerror or error}"))
            continue
        for path in paths:
            watched.append(path)
            data = _read(path, problems)
            shared = {"source": str(path), "jurisdiction": data.get("jurisdiction", "")}
            forms = data.get("forms", [])
            if not isinstance(forms, list) or not all(isinstance(table, Mapping) for table in forms):
                problems.append(SettingsProblem(str(path), "forms", "must be a list of tables: [[forms]]"))
                forms = []
            tables.extend({**shared, **table} for table in forms)
            if "acts" in data:
                tables.append({**shared, "acts": data["acts"]})
            for key in set(data) - {"jurisdiction", "forms", "acts"}:
                problems.append(SettingsProblem(str(path), key, "is no part of a file of citation forms"))
    return tables, watched


def _read(path: Path, problems: list[SettingsProblem]) -> Mapping[str, Any]:
    """Return the tables of a TOML file. If the file cannot be read, record a problem and return an empty
    mapping.
    """
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        problems.append(SettingsProblem(str(path), "", f"cannot be read: {error.strerror or error}"))
    except UnicodeDecodeError as error:
        problems.append(SettingsProblem(str(path), "", f"is not UTF-8 text (byte at offset {error.start})"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problems.append(SettingsProblem(str(path), "", f"is not valid TOML: {error}"))
    return {}


def _editor_section(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the settings sent by an editor, without the prefix "lexls" and without settings of other
    programs.
    """
    own = {key: value for key, value in data.items() if key == "lexls" or key.startswith("lexls.")}
    if not own:
        return data
    section: dict[str, Any] = {}
    for key, value in own.items():
        if key != "lexls":
            section[key.removeprefix("lexls.")] = value
        elif isinstance(value, Mapping):
            section = {**value, **section}
        elif value is not None:
            section[key] = value
    return section


def _flatten(layer: _Layer, table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    """Yield the known settings in a layer's table with their raw values, and record a problem for anything
    else.
    """
    for name, value in table.items():
        key = f"{prefix}{name}"
        declared = SETTINGS.get(key)
        members = [known for known in SETTINGS if known.startswith(key + ".")]
        if value is None or (members and value == [] and not layer.in_file):
            continue  # JSON null means "not set"; an empty Lua table arrives as an empty list
        if members and isinstance(value, Mapping):
            yield from _flatten(layer, value, key + ".")
        elif members:
            layer.refuse(key, f'is a group of settings, such as "{members[0]}"')
        elif declared is None:
            layer.refuse(key, "is not a setting of lexls" + suggest(key))
        elif layer.in_file and declared.scope == "editor":
            layer.refuse(key, "can only be set in the editor")
        elif layer.is_workspaces and declared.scope == "user":
            layer.refuse(
                key, f"can only be set in your own settings ({find_user_settings()}) or the editor's"
            )
        elif layer.is_remote and _belongs_to_machine(declared):
            layer.refuse(key, "can only be set where the server runs, which is another machine")
        elif not layer.in_file and declared.scope == "file":
            layer.refuse(key, f"can only be set in {WORKSPACE_FILE}")
        else:
            yield key, value


def _belongs_to_machine(declared: Setting) -> bool:
    """Return whether editors on other machines are not allowed to change a setting. This is so if the setting
    refers to something on the server's machine, or affects the index, which other users share.
    """
    return (
        declared.scope in ("machine", "user")
        or declared.type in ("path", "paths", "folders")
        or declared.key.startswith(("library.", "record.", "index.", "passages."))
    )


def _take(layer: _Layer, declared: Setting, raw: Any) -> Any:
    """Return the loaded value of one setting. If the value is invalid, record a problem and return the
    default.
    """
    try:
        value = check_value(declared, raw, lenient=not layer.in_file)
    except BadValue as error:
        layer.refuse(declared.key, str(error))
        if declared.key in ("library.folders", "record.folders"):
            return _default_folders(declared.key, layer.base)
        return Settings().get(declared.key)
    if declared.type == "path":
        return _path(layer, declared, value) if value else None
    if declared.type == "paths":
        named = dict.fromkeys(_resolve(name, layer.base) for name in value)
        paths = tuple(path for path in named if _may_name(layer, declared, path))
        for path in paths:
            if not path.exists():
                layer.refuse(declared.key, f"there is no such file or folder ({path})")
        return paths
    if declared.type != "folders":
        return value
    folders: list[Path] = []
    for name in value:
        folder = _resolve(name, layer.base)
        if not folder.is_dir():
            reason = "is not a folder" if folder.exists() else "there is no such folder"
            layer.refuse(declared.key, f'"{name}": {reason} ({folder})')
            if folder.exists():
                continue
        if folder not in folders:
            folders.append(folder)
    return tuple(folders)


_FAULTS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "library.records": find_mapping_fault,
    IGNORE_KEY: find_ignoring_fault,
}
"""Functions that return the fault in a table of a setting, by the setting's key. The tables of such settings
are combined from all sources.
"""


def _take_tables(
    layer: _Layer,
    key: str,
    tables: Iterable[Mapping[str, Any]],
    find_fault: Callable[[Mapping[str, Any]], str],
) -> Iterator[Mapping[str, Any]]:
    """Yield the usable tables, and record a problem for each of the others."""
    for number, table in enumerate(tables, start=1):
        if fault := find_fault(table):
            layer.refuse(key, f"table {number}: {fault}")
        else:
            yield table


def _path(layer: _Layer, declared: Setting, name: str) -> Path | None:
    """Return a path resolved against the layer's folder, or None if the layer may not set it. A path that
    only the user may set is never resolved against a workspace.
    """
    if declared.scope == "user":
        if layer.in_file:
            return _resolve(name, Path(layer.source).absolute().parent)
        if not _resolve(name, Path()).is_absolute():
            layer.refuse(declared.key, "must be a whole path, from the root or ~")
            return None
    path = _resolve(name, layer.base)
    return path if _may_name(layer, declared, path) else None


def _may_name(layer: _Layer, declared: Setting, path: Path) -> bool:
    """Return whether a layer may name a path. If a workspace's file names one outside its own folder, record
    a problem and return False.
    """
    if not layer.is_workspaces or _is_inside(path, layer.base):
        return True
    own = find_user_settings()
    layer.refuse(
        declared.key, f"a workspace's file can name no place outside its folder; your own ({own}) can"
    )
    return False


def _is_inside(path: Path, folder: Path) -> bool:
    """Return whether a path is inside a folder, before and after links are resolved. A path outside the
    folder is not accessed.
    """
    try:
        return path.is_relative_to(folder) and path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _default_folders(key: str, base: Path) -> tuple[Path, ...]:
    """Return those of a setting's default folders that exist in the folder ``base``."""
    candidates = [_resolve(name, base) for name in SETTINGS[key].default]
    return tuple(folder for folder in candidates if folder.is_dir())


def _resolve(name: str, base: Path) -> Path:
    """Return an absolute path with ``~`` expanded and ``..`` removed. Links are not resolved."""
    try:
        path = Path(name).expanduser()
    except RuntimeError:
        path = Path(name)
    return Path(os.path.normpath(base / path))
