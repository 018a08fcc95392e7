"""Findings as workflow commands of GitHub Actions, which shows them beside the lines of a pull request."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from lexls.cli.checked import Checked, FoundProblem
from lexls.settings.diagnostics import Severity

_COMMANDS: dict[Severity, str] = {
    "error": "error",
    "warning": "warning",
    "information": "notice",
    "hint": "notice",
}


def workflow_commands(checked: Checked, root: Path) -> Iterator[str]:
    """A command for each finding and each file that could not be read; files relative to ``root``."""
    for each in checked.unreadable:
        yield f"::error file={_property(_relative(each.file, root))},title=lexls::{_data(each.reason)}"
    for found in checked.found:
        yield _command(found, root)


def _command(found: FoundProblem, root: Path) -> str:
    at = found.place
    properties = {
        "file": _relative(found.file, root),
        "line": str(at.line),
        "endLine": str(at.end_line),
        "col": str(at.character),
        "endColumn": str(at.end_character),
        "title": f"lexls: {found.finding.code}",
    }
    if at.line != at.end_line:
        # Columns are only understood within one line.
        del properties["col"], properties["endColumn"]
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[found.finding.severity]} {written}::{_data(found.message)}"


def _relative(path: Path, root: Path) -> str:
    absolute = Path(os.path.abspath(path))
    inside = absolute.is_relative_to(root)
    return (absolute.relative_to(root) if inside else absolute).as_posix()


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
