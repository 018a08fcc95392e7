"""Setting a value in the user's own TOML file without touching anything else in it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

_LINE = re.compile(
    r"(?P<before>[ \t]{0,20}(?P<key>[A-Za-z0-9_.-]{1,200})[ \t]{0,20}=[ \t]{0,20})"
    r"(?:\"[^\"\\\n]*\"|'[^'\n]*'|[^\"'\s#]*)(?P<after>.*)",
    re.DOTALL,
)
"""A line that sets a key to a value without escapes, with the comment after it."""


def with_values(text: str, values: Mapping[str, str]) -> str | None:
    """``text`` (TOML) with each of ``values``, whose keys are dotted ("llama.model") and values strings.

    A line that sets the key already is replaced, otherwise one is added below the header of its table, or at
    the top of the file. None if the result would say anything else than ``text`` with these values: such a
    file is for its owner to change. Raises ``ValueError`` where ``text`` is no TOML.
    """
    expected = tomllib.loads(text)
    for key, value in reversed(list(values.items())):
        text = _with_value(text, key, json.dumps(value, ensure_ascii=False))
        _set(expected, key.split("."), value)
    try:
        return text if tomllib.loads(text) == expected else None
    except tomllib.TOMLDecodeError:
        return None


def _with_value(text: str, key: str, value: str) -> str:
    table, _, last = key.rpartition(".")
    lines = text.splitlines(keepends=True)
    within, header = "", None
    for number, line in enumerate(lines):
        if match := re.match(r"[ \t]{0,20}\[([A-Za-z0-9_. \t-]{1,200})\]", line):
            within = re.sub(r"[ \t]", "", match[1])
            header = number if within == table else header
            continue
        match = _LINE.match(line)
        if match and (f"{within}.{match['key']}" if within else match["key"]) == key:
            lines[number] = f"{match['before']}{value}{match['after']}"
            return "".join(lines)
    if header is not None:
        if not lines[header].endswith("\n"):
            lines[header] += "\n"
        return "".join([*lines[: header + 1], f"{last} = {value}\n", *lines[header + 1 :]])
    return f"{key} = {value}\n{text}"


def _set(data: dict[str, Any], path: list[str], value: str) -> None:
    *tables, last = path
    for table in tables:
        inner = data.setdefault(table, {})
        if not isinstance(inner, dict):
            return
        data = inner
    data[last] = value
