"""What a workspace's file says is not to be reported (``check.ignore``): read, and added to."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from lexls.settings.diagnostics import DIAGNOSTICS

KEY = "check.ignore"


@dataclass(frozen=True, slots=True)
class IgnoredFindings:
    """Findings that are not to be reported: those of a ``check`` (a diagnostic's code), on an ``authority``
    (as it is cited), on these ``words`` of a draft. What is "" stands for all; a report tells ``reason``."""

    check: str = ""
    authority: str = ""
    words: str = ""
    reason: str = ""


_FIELDS = tuple(each.name for each in fields(IgnoredFindings))
_CODES = frozenset(each.code for each in DIAGNOSTICS)


def find_fault(table: Mapping[str, Any]) -> str:
    """What is wrong with a table of ``check.ignore``, "" if nothing is."""
    for name, value in table.items():
        if name not in _FIELDS:
            return f'"{name}" is none of {", ".join(_FIELDS)}'
        if not isinstance(value, str):
            return f'"{name}" must be a string'
    if not any(table.get(name) for name in _FIELDS[:3]):
        return "names no check, no authority and no words"
    if table.get("check") and table["check"] not in _CODES:
        return f'"{table["check"]}" is not a diagnostic of lexls'
    return ""


def read_tables(tables: Iterable[Mapping[str, Any]]) -> tuple[IgnoredFindings, ...]:
    """The tables of the setting, each without fault, as data."""
    return tuple(IgnoredFindings(**table) for table in tables)


def add_table(text: str, ignored: IgnoredFindings) -> str | None:
    """``text`` (of a ``lexls.toml``) with one more table at its end.

    None where the file would then say anything else than before and this: it is for its owner to change.
    """
    said = {name: value for name in _FIELDS if (value := getattr(ignored, name))}
    # A string of JSON is one of TOML, but for what JSON writes as a pair of surrogates.
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in said.items()]
    changed = "\n".join([*([text.rstrip("\n"), ""] if text.strip() else []), f"[[{KEY}]]", *lines, ""])
    try:
        before, after = tomllib.loads(text), tomllib.loads(changed)
        before.setdefault("check", {}).setdefault("ignore", []).append(said)
    except (tomllib.TOMLDecodeError, AttributeError):
        return None
    return changed if after == before else None
