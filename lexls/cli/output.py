"""Report a command's results as one JSON object or as text, with notes, progress and failures."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from lexls.text.terminal import say, write_json

if TYPE_CHECKING:
    from tqdm import tqdm


FINE = 0
FINDINGS = 1
USAGE = 2
FAILURE = 3


class CommandFailed(Exception):
    """A failure that ends the command; the message gives the user the reason. ``code`` is the exit code."""

    def __init__(self, message: str, code: int = FAILURE) -> None:
        super().__init__(message)
        self.code = code


def emit(options: argparse.Namespace, data: Mapping[str, Any], lines: Iterable[str]) -> None:
    """Print ``data`` as JSON with ``--json``; otherwise print ``lines``."""
    if options.json:
        say(write_json(data))
        return
    for line in lines:
        say(line)


def read_tables(name: str) -> dict[str, Any]:
    """Return the tables of the TOML file ``name`` in this package."""
    return tomllib.loads((resources.files("lexls.cli") / name).read_text(encoding="utf-8"))


def save(path: Path, text: str, code: int = FAILURE) -> None:
    """Write a file. Raises ``CommandFailed`` if that fails."""
    with using_files(path, code):
        path.write_text(text, encoding="utf-8")


@contextmanager
def using_files(path: Path, code: int = FAILURE) -> Iterator[None]:
    """Convert an ``OSError`` to a ``CommandFailed`` that names the file of the error, or ``path`` if the
    error has no file.
    """
    try:
        yield
    except OSError as error:
        raise CommandFailed(f"{error.filename or path}: {error.strerror or error}", code) from error


def measure_terminal() -> int:
    """Return the terminal's width in columns: at least 40 and at most 110, or 100 if unknown."""
    return max(40, min(110, shutil.get_terminal_size((100, 24)).columns))


@contextmanager
def show_progress(what: str = "asking", unit: str = "questions") -> Iterator[Callable[..., None]]:
    """Provide a function that shows progress on standard error, if that is a terminal. Its arguments are the
    number done and the total (0 if unknown).

    ``what`` is the title and ``unit`` the thing counted; each call may override them. A new title gets a new
    bar, and the earlier bar disappears. Bytes ("B") are shown in thousands and millions.
    """
    bars: dict[str, tqdm[NoReturn]] = {}

    def show(done: int, total: int, what: str = what, unit: str = unit) -> None:
        from tqdm import tqdm

        if not sys.stderr.isatty():
            return
        if what not in bars or done < bars[what].n:
            close()
            unit = unit if unit == "B" else f" {unit}"
            # Set explicitly: tqdm draws nothing on a terminal of unknown size.
            width, scaled = measure_terminal(), unit == "B"
            bars[what] = tqdm(
                desc=what, unit=unit, unit_scale=scaled, initial=done, leave=False, ncols=width, nrows=24
            )
        bars[what].total = total or None
        bars[what].update(done - bars[what].n)

    def close() -> None:
        while bars:
            bars.popitem()[1].close()

    try:
        yield show
    finally:
        close()


def wrap(text: str, indent: str, lines: int = 4) -> list[str]:
    """Return the first ``lines`` lines of a text, wrapped to the terminal's width. Its own line breaks are
    replaced by spaces.
    """
    return textwrap.wrap(
        " ".join(text.split()),
        measure_terminal(),
        initial_indent=indent,
        subsequent_indent=indent,
        max_lines=lines,
        placeholder=" …",
    )
