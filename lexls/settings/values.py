"""Check single values against their declaration, and check tables such as those of ``check.ignore``."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from lexls.settings.declaration import SETTINGS, Setting
from lexls.settings.diagnostics import DIAGNOSTICS


class BadValue(ValueError):
    """Raised if a setting does not accept a value. The message explains the reason to the user."""


def check_value(declared: Setting, raw: Any, *, lenient: bool) -> Any:
    """Return the value as stored in ``Settings``: lists become tuples, while folders and paths are still
    strings.

    ``lenient`` is for editors, whose languages may not distinguish 3 from 3.0, or an empty list from an empty
    table. Raises ``BadValue``.
    """
    if declared.type in _SINGLE:
        if lenient and declared.type == "integer" and isinstance(raw, float) and raw.is_integer():
            raw = int(raw)
        return _SINGLE[declared.type](declared, raw)
    return _check_list(declared, [] if lenient and isinstance(raw, Mapping) and not raw else raw)


def _check_list(declared: Setting, raw: Any) -> tuple[Any, ...]:
    kind = declared.type
    if not isinstance(raw, list | tuple):
        what = {"choices": "strings", "folders": "folders, each a string", "paths": "paths, each a string"}
        raise BadValue(f"must be a list of {what.get(kind, kind)}, not {_shown(raw)}")
    if kind == "numbers":
        if len(raw) != len(declared.default):
            raise BadValue(f"must be {len(declared.default)} numbers, not {len(raw)}")
        return tuple(_number(declared, each) for each in raw)
    wanted, name = (dict, "table") if kind == "tables" else (str, "string")
    for number, item in enumerate(raw, start=1):
        if not isinstance(item, wanted):
            raise BadValue(f"item {number} must be a {name}, not {_shown(item)}")
    if kind in ("folders", "paths") and any("\0" in item for item in raw):
        raise BadValue(f"a {kind.removesuffix('s')}'s name holds a null character")
    return tuple(_choice(declared, item) for item in raw) if kind == "choices" else tuple(raw)


def _boolean(declared: Setting, raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise BadValue(f"must be true or false, not {_shown(raw)}")
    return raw


def _integer(declared: Setting, raw: Any) -> float:
    if not isinstance(raw, int) or isinstance(raw, bool):
        raise BadValue(f"must be a whole number, not {_shown(raw)}")
    return _within(declared, raw)


def _string(declared: Setting, raw: Any) -> str:
    if not isinstance(raw, str) or "\0" in raw:
        raise BadValue(f"must be a string, not {_shown(raw)}")
    return raw


_GONE = {
    "search.aggregation": "a document is ranked by its best passage",
    "precedents.mode": "all of a precedent is compared; `lexls eval` measures each part on a case base",
    "precedents.weights": "search.weights.precedents says how much precedents count",
    "precedents.k": "the 100 precedents most like a sentence count",
}
"""Removed settings, each with an explanation of what replaces it; an entry is kept for one version."""


def suggest(key: str) -> str:
    """Return the probable meaning of an unknown key, to be appended to a message: ``; did you mean "…"?``, or
    "".

    For a removed setting, return what replaces it.
    """
    if key in _GONE:
        return f" any more: {_GONE[key]}"
    plain = {_plain(known): known for known in SETTINGS}
    last = {_plain(known.rpartition(".")[2]): known for known in SETTINGS}
    if near := _find_nearest(_plain(key), plain, 0.75):
        return f'; did you mean "{plain[near]}"?'
    near = _find_nearest(_plain(key.rpartition(".")[2]), last, 0.8)
    return f'; did you mean "{last[near]}"?' if near else ""


def _find_nearest(word: str, known: Iterable[str], least: float = 0.6) -> str:
    """Return the known word most similar to ``word``, or "" if no similarity reaches ``least`` (0 to 1)."""
    from difflib import get_close_matches  # imported here, since misspelt settings are rare

    return next(iter(get_close_matches(word, known, n=1, cutoff=least)), "")


def _plain(key: str) -> str:
    return key.replace("_", "").replace("-", "").casefold()


def _number(declared: Setting, raw: Any) -> float:
    # TOML allows infinities and NaN, which are never valid here.
    if not isinstance(raw, int | float) or isinstance(raw, bool) or not math.isfinite(raw):
        raise BadValue(f"must be a number, not {_shown(raw)}")
    return float(_within(declared, raw))


def _within(declared: Setting, value: float) -> float:
    if declared.minimum is not None and value < declared.minimum:
        raise BadValue(f"must be at least {declared.minimum}, not {value}")
    if declared.maximum is not None and value > declared.maximum:
        raise BadValue(f"must be at most {declared.maximum}, not {value}")
    return value


def _choice(declared: Setting, raw: Any) -> str:
    if not isinstance(raw, str):
        raise BadValue(f"must be a string, one of {_listed(declared.choices)}, not {_shown(raw)}")
    if raw in declared.choices:
        return raw
    near = _find_nearest(raw.casefold(), declared.choices)
    hint = f'; did you mean "{near}"?' if near else ""
    raise BadValue(f'must be one of {_listed(declared.choices)}, not "{raw[:60]}"{hint}')


_SINGLE: Mapping[str, Callable[[Setting, Any], Any]] = {
    "boolean": _boolean,
    "integer": _integer,
    "number": _number,
    "string": _string,
    "path": _string,
    "choice": _choice,
}
"""For each type of setting, except lists, the function that checks a value."""


def _listed(choices: tuple[str, ...]) -> str:
    return ", ".join(f'"{choice}"' for choice in choices)


def _shown(value: Any) -> str:
    """Return a description of a value in a few words, for a message."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return f'the string "{value[:60]}"'
    if isinstance(value, list | tuple):
        return "a list"
    return "a table" if isinstance(value, Mapping) else f"a {type(value).__name__}"


IGNORE_KEY = "check.ignore"


@dataclass(frozen=True, slots=True)
class IgnoredFindings:
    """Findings to ignore: those of a ``check`` (a diagnostic's code), on an ``authority`` (as cited), on
    these ``words`` of a draft. A field that is "" matches everything; ``reason`` is shown in reports.
    """

    check: str = ""
    authority: str = ""
    words: str = ""
    reason: str = ""


_FIELDS = tuple(each.name for each in fields(IgnoredFindings))
_CODES = frozenset(each.code for each in DIAGNOSTICS)


def find_ignoring_fault(table: Mapping[str, Any]) -> str:
    """Return the fault in a table of ``check.ignore``, or "" if there is none."""
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
    """Return the tables of ``check.ignore``, already checked, as data."""
    return tuple(IgnoredFindings(**table) for table in tables)


def add_table(text: str, ignored: IgnoredFindings) -> str | None:
    """Return ``text`` (of a ``lexls.toml``) with a table added at its end.

    Returns None if the file's meaning would change in any other way; the owner must then edit the file by
    hand.
    """
    said = {name: value for name in _FIELDS if (value := getattr(ignored, name))}
    # A JSON string is a valid TOML string, except for escaped surrogate pairs.
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in said.items()]
    changed = "\n".join([*([text.rstrip("\n"), ""] if text.strip() else []), f"[[{IGNORE_KEY}]]", *lines, ""])
    try:
        before, after = tomllib.loads(text), tomllib.loads(changed)
        before.setdefault("check", {}).setdefault("ignore", []).append(said)
    except (tomllib.TOMLDecodeError, AttributeError):
        return None
    return changed if after == before else None


FIELDS = (
    "text",
    "title",
    "citation",
    "court",
    "date",
    "docket",
    "kind",
    "jurisdiction",
    "short_title",
    "identity",
)
"""Fields of an authority for which a table of ``library.records`` may name one or more fields of a file."""


def find_mapping_fault(table: Mapping[str, Any]) -> str:
    """Return the fault in a table of ``library.records``, or "" if there is none."""
    for key, value in table.items():
        if key == "values":
            if not isinstance(value, Mapping) or not all(isinstance(each, str) for each in value.values()):
                return '"values" must be a table of strings, such as { kind = "case" }'
            unknown = next((name for name in value if name not in FIELDS[1:-1]), "")
            if unknown:
                return f'"values" knows no "{unknown}"; it may hold {", ".join(FIELDS[1:-1])}'
        elif key not in ("files", *FIELDS):
            near = _find_nearest(key, ("files", "values", *FIELDS))
            hint = f'did you mean "{near}"?' if near else f"known are files, values, {', '.join(FIELDS)}"
            return f'"{key}" is not known; {hint}'
        elif not _is_names(value):
            what = "a pattern of files" if key == "files" else "the name of a field"
            return f'"{key}" must be {what} or a list of them'
    missing = [key for key in ("files", "text") if key not in table]
    return f'"{missing[0]}" is missing' if missing else ""


def _is_names(value: Any) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name.strip() for name in names)
