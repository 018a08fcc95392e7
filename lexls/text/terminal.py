"""Write to the terminal without escape sequences, since file names may contain them."""

from __future__ import annotations

import json
import sys
from typing import Any, TextIO

_KEPT = "\t\n"
_CONTROLS = {code: None for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in _KEPT}
_ESCAPED = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}
_CLEARED = "\x1b[{lines}F\x1b[J"


def say(*lines: str, to: TextIO | None = None, end: str = "\n") -> None:
    """Print lines, on standard output by default, without control characters (C0 and C1) except tabs and line
    feeds.
    """
    stream = sys.stdout if to is None else to
    print(*(line.translate(_CONTROLS) for line in lines), sep="\n", end=end, file=stream, flush=True)


def note(message: str) -> None:
    """Report a message on standard error, separate from the result."""
    say(f"lexls: {message}", to=sys.stderr)


def clear_lines(lines: int) -> None:
    """Clear the last lines of standard output."""
    print(_CLEARED.format(lines=lines), end="")


def write_json(data: Any, indent: int | None = None) -> str:
    """Return ``data`` as JSON with control characters escaped."""
    return json.dumps(data, ensure_ascii=False, indent=indent).translate(_ESCAPED)
