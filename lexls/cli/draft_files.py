"""The drafts that a command line names: files, and what lies below folders."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from lexls.cli.failure import USAGE, CommandFailed
from lexls.cli.snapshots import FORMATS

SUFFIXES = FORMATS | {".docx"}
"""The suffixes of the files below a folder that are drafts."""


def drafts_in(given: Sequence[Path], libraries: Sequence[Path], excluded: Sequence[str] = ()) -> list[Path]:
    """The files as given, and for each folder the drafts below it, in order, each once.

    What lies below one of ``libraries`` is an authority and no draft, unless it is named itself; hidden files
    and folders, those that Word makes beside an open document, and ``excluded`` ones are passed over. Raises
    ``CommandFailed`` for a folder without drafts.
    """
    shut = {_real(path) for path in (*libraries, *(Path(name).expanduser() for name in excluded))}
    found: dict[Path, None] = {}
    for path in given:
        if not path.is_dir():
            if _real(path) not in {_real(Path(name).expanduser()) for name in excluded}:
                found.setdefault(path)
            continue
        below = list(_below(path, shut))
        if not below:
            raise CommandFailed(f"{path}: no draft lies below this folder", USAGE)
        found.update(dict.fromkeys(below))
    return list(found)


def _below(folder: Path, shut: set[str]) -> Iterator[Path]:
    for name, folders, files in os.walk(folder):
        here = Path(name)
        folders[:] = sorted(
            each for each in folders if not each.startswith(".") and _real(here / each) not in shut
        )
        for each in sorted(files):
            path = here / each
            if (
                path.suffix.lower() in SUFFIXES
                and not each.startswith((".", "~$"))
                and _real(path) not in shut
            ):
                yield path


def _real(path: Path) -> str:
    return os.path.realpath(path)
