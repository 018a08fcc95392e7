"""Check single values against their declaration."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping
from typing import Any

from lexls.settings.declaration import SETTINGS, Setting


class BadValue(ValueError):
    """A value that a setting does not take; the message says why, for the user."""


def check_value(declared: Setting, raw: Any, *, lenient: bool) -> Any:
    """The value as ``Settings`` holds it (lists as tuples; folders and paths still strings).

    ``lenient`` is for editors, whose languages may not tell 3 from 3.0 or an empty list from an empty table.
    Raises ``BadValue``.
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


def suggest(key: str) -> str:
    """``; did you mean "…"?`` with the setting that an unknown key probably means, or ""."""
    plain = {_plain(known): known for known in SETTINGS}
    last = {_plain(known.rpartition(".")[2]): known for known in SETTINGS}
    near = difflib.get_close_matches(_plain(key), plain, n=1, cutoff=0.75)
    if near:
        return f'; did you mean "{plain[near[0]]}"?'
    near = difflib.get_close_matches(_plain(key.rpartition(".")[2]), last, n=1, cutoff=0.8)
    return f'; did you mean "{last[near[0]]}"?' if near else ""


def _plain(key: str) -> str:
    return key.replace("_", "").replace("-", "").casefold()


def _number(declared: Setting, raw: Any) -> float:
    # TOML has infinities and NaN, which no limit of ours means to let through.
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
    near = difflib.get_close_matches(raw.casefold(), declared.choices, n=1)
    hint = f'; did you mean "{near[0]}"?' if near else ""
    raise BadValue(f'must be one of {_listed(declared.choices)}, not "{raw[:60]}"{hint}')


_SINGLE: Mapping[str, Callable[[Setting, Any], Any]] = {
    "boolean": _boolean,
    "integer": _integer,
    "number": _number,
    "string": _string,
    "path": _string,
    "choice": _choice,
}
"""How a value of each type that is no list is checked."""


def _listed(choices: tuple[str, ...]) -> str:
    return ", ".join(f'"{choice}"' for choice in choices)


def _shown(value: Any) -> str:
    """A value in a few words, for a message."""
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
