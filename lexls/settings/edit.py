"""Change values in a settings file without changing anything else in it."""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any


class _InTheWay(Exception):
    """Raised if the file has another value where a table is needed."""


def change_settings(path: Path, values: Mapping[str, Any]) -> bool:
    """Set ``values`` in the file ``path``, as in ``set_values``. The return value and errors are those of
    ``change_file``.
    """
    return change_file(path, lambda text: set_values(text, values))


def change_file(path: Path, change: Callable[[str], str | None]) -> bool:
    """Replace the text of the file ``path`` with the result of ``change``, and return True. If the file is
    missing, create it. If the result is None, write nothing and return False; the owner must then change
    the file.

    The file is replaced atomically and keeps its mode and line ends. Raises ``OSError``, ``ValueError`` if
    the file is not UTF-8, and the errors of ``change``.
    """
    path = path.resolve()
    changed = change(path.read_bytes().decode("utf-8-sig") if path.exists() else "")
    if changed is None:
        return False
    replace_file(path, changed.encode("utf-8"))
    return True


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file atomically, keeping its mode. Raises ``OSError``."""
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        os.chmod(draft, mode)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def set_values(text: str, values: Mapping[str, Any]) -> str | None:
    """Return ``text`` (TOML) with ``values`` set: dotted keys ("llama.model") with strings or lists of
    strings.

    An existing value is replaced in place; a new one is added to its table, or at the end of the file.
    Returns None if anything but these values would change; the owner must then edit the file by hand. Raises
    ``ValueError`` if ``text`` is not TOML.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    expected = tomllib.loads(text)
    try:
        document = tomlkit.parse(text)
        for key, value in values.items():
            _set(document, key.split("."), value, tomlkit.table)
            _set(expected, key.split("."), value, dict)
        changed = tomlkit.dumps(document)
        return changed if tomllib.loads(changed) == expected else None
    except (TOMLKitError, tomllib.TOMLDecodeError, _InTheWay):
        return None


def _set(table: MutableMapping[str, Any], path: list[str], value: Any, new: Any) -> None:
    *names, last = path
    for name in names:
        if name not in table:
            table[name] = new()
        table = table[name]
        if not isinstance(table, MutableMapping):
            raise _InTheWay
    table[last] = value
