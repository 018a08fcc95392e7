"""Load patterns and dataclasses from TOML. Errors name the faulty field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

from lexls.text.phrases import Patterns, define_parts, fill_pattern, load_phrases

_Table = TypeVar("_Table")


@cache
def load_patterns(name: str) -> Patterns:
    """Load the ``[patterns]`` of a file in this folder. «name» in a pattern refers to one of the file's
    ``[parts]``.
    """
    data = load_phrases(__package__, name)
    parts = define_parts(data.get("parts", {}))
    return Patterns({each: fill_pattern(pattern, parts) for each, pattern in data["patterns"].items()})


def fill(
    kind: type[_Table], table: Mapping[str, Any], where: str, error: type[ValueError], **given: Any
) -> _Table:
    """Build an object of the dataclass ``kind`` from the values of a table and those in ``given``.

    A field has the type of its default, or is text. Raises ``error`` with ``where`` and the name of a field
    that is unknown, missing or of the wrong type.
    """
    known = {each.name: each for each in fields(kind) if each.name not in given}  # type: ignore[arg-type]
    values = dict(given)
    for name in [*table, *(name for name in known if name not in table)]:
        if name not in known:
            raise error(f"{where}: unknown field `{name}`")
        factory = known[name].default_factory
        default = known[name].default if factory is MISSING else factory()
        if name not in table:
            if default is MISSING:
                raise error(f"{where}: there is no `{name}`")
            continue
        value = table[name]
        if is_dataclass(default) and isinstance(value, Mapping):
            value = fill(type(default), value, f"{where}: {name}", error)
        elif isinstance(default, tuple) and isinstance(value, list):
            value = tuple(value)
        wanted = str if default is MISSING else type(default)
        if not isinstance(value, wanted):
            raise error(f"{where}: `{name}` is no {wanted.__name__}")
        values[name] = value
    return kind(**values)
