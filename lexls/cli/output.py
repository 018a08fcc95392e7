"""Printing results: one JSON object, or text for people."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from tqdm import tqdm


def emit(options: argparse.Namespace, data: Mapping[str, Any], lines: Iterable[str]) -> None:
    """Print ``data`` as JSON with ``--json``, and ``lines`` without it."""
    if options.json:
        print(json.dumps(data, ensure_ascii=False))
        return
    for line in lines:
        print(line)


def note(message: str) -> None:
    """Tell the user something beside the result, on standard error."""
    print(f"lexls: {message}", file=sys.stderr, flush=True)


def terminal_width() -> int:
    """The terminal's width, between 40 and 110; 100 where it does not say."""
    return max(40, min(110, shutil.get_terminal_size((100, 24)).columns))


def progress_bar(what: str, unit: str, total: int | None = None) -> tqdm[NoReturn]:
    """A bar on standard error that vanishes when it is closed."""
    from tqdm import tqdm

    # Asked by itself, tqdm draws nothing on a terminal that does not tell its size.
    return tqdm(total=total, desc=what, unit=f" {unit}", leave=False, ncols=terminal_width(), nrows=24)


def wrapped(text: str, indent: str, lines: int = 4) -> list[str]:
    """A text's first lines at the terminal's width, its own line breaks and spaces folded."""
    return textwrap.wrap(
        " ".join(text.split()),
        terminal_width(),
        initial_indent=indent,
        subsequent_indent=indent,
        max_lines=lines,
        placeholder=" …",
    )
