"""Check the tables of ``library.records``, which say where records of a layout of the user's keep what they
say."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

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
"""What a table may name a field for, or several."""


def find_fault(table: Mapping[str, Any]) -> str:
    """What is wrong with a table, "" if nothing is."""
    for key, value in table.items():
        if key == "values":
            if not isinstance(value, Mapping) or not all(isinstance(each, str) for each in value.values()):
                return '"values" must be a table of strings, such as { kind = "case" }'
            unknown = next((name for name in value if name not in FIELDS[1:-1]), "")
            if unknown:
                return f'"values" knows no "{unknown}"; it may hold {", ".join(FIELDS[1:-1])}'
        elif key not in ("files", *FIELDS):
            near = difflib.get_close_matches(key, ("files", "values", *FIELDS), n=1)
            hint = f'did you mean "{near[0]}"?' if near else f"known are files, values, {', '.join(FIELDS)}"
            return f'"{key}" is not known; {hint}'
        elif not _is_names(value):
            what = "a pattern of files" if key == "files" else "the name of a field"
            return f'"{key}" must be {what} or a list of them'
    missing = [key for key in ("files", "text") if key not in table]
    return f'"{missing[0]}" is missing' if missing else ""


def _is_names(value: Any) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name.strip() for name in names)
