"""Find, read and change the drafts named on the command line."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.cli.context import (
    find_workspace,
    load_grammar,
    make_searcher,
    open_catalogue,
    open_for_search,
    open_index,
)
from lexls.cli.output import USAGE, CommandFailed, using_files
from lexls.settings.declaration import Settings
from lexls.text.lines import LineIndex

if TYPE_CHECKING:
    from lexls.reading.draft import Draft
    from lexls.reading.draft_places import Places
    from lexls.reading.snapshot import Snapshot


def read_draft(path: Path, settings: Settings) -> Draft:
    """Read a draft, or an authority in any format of the library, and parse its citations.

    For drafts, Markdown and plain text, offsets refer to the decoded file; for HTML, DOCX and PDF, to the
    extracted text. Raises ``CommandFailed`` with the reason if the file cannot be read.
    """
    return read_brief(path, settings)[0]


def read_brief(path: Path, settings: Settings) -> tuple[Draft, Places]:
    """Read a draft as ``read_draft`` does. Also return a function that describes positions in it."""
    from lexls.library.document import UnreadableFile
    from lexls.library.readers.opening import open_file

    most = settings.index_max_file_megabytes * 2**20
    try:
        # Opened before slow imports, since the file may not exist.
        with open_file(path, most):
            from lexls.reading.draft_files import read_brief_file
            from lexls.reading.draft_parser import DraftParser
            from lexls.reading.draft_places import describe_places
        parser = DraftParser(load_grammar(settings), settings.jurisdiction)
        draft, pages = read_brief_file(path, parser, most)
        return draft, describe_places(draft, path, pages)
    except UnreadableFile as error:
        raise CommandFailed(f"{path}: {error}") from error


def find_offset(draft: Draft, path: Path, line: int, character: int | None) -> int:
    """Return the offset of a line and character, both counted from 1. Without ``character``, return the
    offset of the line's first visible character.

    Raises ``CommandFailed`` if the file has no such line.
    """
    lines = LineIndex(draft.source)
    if line > lines.line_count:
        raise CommandFailed(f"{path} has {lines.line_count} lines, so no line {line}", USAGE)
    if character is not None:
        return lines.offset(line - 1, character - 1)
    span = lines.line_span(line - 1)
    visible = span.of(draft.masked)
    return span.start + len(visible) - len(visible.lstrip())


@contextmanager
def open_snapshot(options: argparse.Namespace, path: Path, style: str | None = None) -> Iterator[Snapshot]:
    """Provide a snapshot of the draft at ``path`` with its library, or with an empty library if the settings
    name none.

    ``style`` overrides the citation style in the settings. Raises ``CommandFailed`` if the draft cannot be
    read.
    """
    from lexls.reading.snapshot import Snapshot

    place = find_workspace(options, path)
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
            searcher, cases = make_searcher(library, place, lexical=True), open_catalogue(place.settings)
            yield Snapshot(draft, library, searcher, place.settings, cases=cases)
        finally:
            library.close()


def check_changeable(path: Path) -> Path:
    """Return ``path`` if it is a draft in a text format; raise ``CommandFailed`` otherwise."""
    from lexls.text.formats import DRAFT_SUFFIXES, FORMATS

    if path.suffix.casefold() not in DRAFT_SUFFIXES:
        *titles, last = (each.title for each in FORMATS.values())
        raise CommandFailed(f"{path}: only {', '.join(titles)} and {last} can be changed", USAGE)
    return path


def write_back(path: Path, before: str, after: str) -> None:
    """Replace a draft's text, keeping its byte order mark.

    ``before`` is the text as read. Raises ``CommandFailed``, without changing the file, if the file has
    changed since, is not UTF-8 or cannot be written.
    """
    with using_files(path):
        raw = path.read_bytes()
        mark = b"\xef\xbb\xbf" if raw.startswith(b"\xef\xbb\xbf") else b""
        if raw[len(mark) :] != before.encode("utf-8"):
            raise CommandFailed(f"{path} is not UTF-8 or has changed meanwhile; it was left as it is")
        path.write_bytes(mark + after.encode("utf-8"))


def find_drafts(given: Sequence[Path], libraries: Sequence[Path], excluded: Sequence[str] = ()) -> list[Path]:
    """Return the given files, and the drafts in the given folders and their subfolders, in this order and
    without duplicates.

    A file in ``libraries`` is an authority, and listed only if the file itself is given. ``excluded`` files
    and folders are skipped, as are those that `walk_drafts` skips. Raises ``CommandFailed`` for a folder
    without drafts.
    """
    from lexls.reading.draft_files import walk_drafts

    shut = {_real(path) for path in (*libraries, *(Path(name).expanduser() for name in excluded))}
    found: dict[Path, None] = {}
    for path in given:
        if not path.is_dir():
            if _real(path) not in {_real(Path(name).expanduser()) for name in excluded}:
                found.setdefault(path)
            continue
        below = list(walk_drafts(path, lambda each: _real(each) in shut))
        if not below:
            raise CommandFailed(f"{path}: no draft lies below this folder", USAGE)
        found.update(dict.fromkeys(below))
    return list(found)


def _real(path: Path) -> str:
    return os.path.realpath(path)
