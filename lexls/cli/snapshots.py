"""A draft with the library it is read against, for commands that change drafts."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.cli.context import open_for_search, open_index, searcher, workspace
from lexls.cli.drafts import read_draft
from lexls.cli.failure import USAGE, CommandFailed

if TYPE_CHECKING:
    from lexls.features.snapshot import Snapshot

FORMATS = frozenset(
    ".md .markdown .mdown .mkd .qmd .rmd .mdx .tex .latex .ltx .typ .txt .text".split()  # noqa: SIM905
)
"""The suffixes of drafts that lexls can change: those that are text."""


@contextmanager
def opened(options: argparse.Namespace, path: Path, style: str | None = None) -> Iterator[Snapshot]:
    """The draft at ``path`` with its library; without a library, nothing is known beside what it says itself.

    ``style`` takes the place of the setting. Raises ``CommandFailed`` where the draft cannot be read.
    """
    from lexls.features.snapshot import Snapshot

    place = workspace(options, path)
    if style:
        place = replace(place, settings=replace(place.settings, citations_style=style))
    draft = read_draft(path, place.settings)
    with tempfile.TemporaryDirectory(prefix="lexls-") as nowhere:
        if place.folders:
            library = open_for_search(place, lexical=True)
        else:
            folder = Path(nowhere)
            (folder / "library").mkdir()
            place = replace(place, folders=(folder / "library",), index=folder / "index.sqlite")
            library, _ = open_index(place, lexical_only=True)
        try:
            yield Snapshot(draft, library, searcher(library, place, lexical=True), place.settings)
        finally:
            library.close()


def changeable(path: Path) -> Path:
    """``path``, if it is a draft that is text; raises ``CommandFailed`` otherwise."""
    if path.suffix.casefold() not in FORMATS:
        raise CommandFailed(f"{path}: only Markdown, LaTeX, Typst and plain text can be changed", USAGE)
    return path


def write_back(path: Path, before: str, after: str) -> None:
    """Replace a draft's text, its byte order mark kept; raises ``CommandFailed`` where that is not possible.

    ``before`` is the text that was read: a file that has changed since is left alone.
    """
    try:
        raw = path.read_bytes()
        mark = b"\xef\xbb\xbf" if raw.startswith(b"\xef\xbb\xbf") else b""
        if raw[len(mark) :] != before.encode("utf-8"):
            raise CommandFailed(f"{path} is not UTF-8 or has changed meanwhile; it was left as it is")
        path.write_bytes(mark + after.encode("utf-8"))
    except OSError as error:
        raise CommandFailed(f"{path}: {error.strerror or error}") from error
