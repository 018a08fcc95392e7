"""Update links and inclusions of drafts, and rows of metadata tables, when files are renamed."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from lexls.library.catalogue_names import list_tables
from lexls.library.written_facts import rename_in_rows
from lexls.reading.bibliography import find_named_files, list_bibliography_folders
from lexls.reading.edit import Edit
from lexls.reading.works import list_paths
from lexls.text.format import Format
from lexls.text.spans import Span

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_SAFE = "/!$&'*+,;=:@~-._"
"""Characters, besides letters and digits, that are not percent-encoded in a path."""
_UNFIT = re.compile(r"[<>#%\n]")


@dataclass(frozen=True, slots=True)
class RenamedFiles:
    """Files and folders with their new paths."""

    renamed: Sequence[tuple[Path, Path]]

    def follow(self, path: Path) -> Path:
        """Return the new path of a file or folder."""
        for old, new in self.renamed:
            if path == old or path.is_relative_to(old):
                return new / path.relative_to(old)
        return path


@dataclass(frozen=True, slots=True)
class _FileName:
    """A file name in a draft: its span, the file found, and the folder to which the name is relative.

    ``folder`` is the span of the folder written before the name, if any.
    """

    span: Span
    found: Path
    base: Path
    folder: Span | None = None
    links: bool = False


def find_edits(source: str, path: Path, format: Format, renamed: RenamedFiles) -> list[Edit]:
    """Return the edits that a draft needs before files, or the draft itself, are renamed.

    Only names of existing files are followed. Addresses with a scheme and absolute paths are not changed.
    """
    edits: list[Edit] = []
    for name in _find_names(source, path, format):
        home = renamed.follow(path).parent if name.base == path.parent else renamed.follow(name.base)
        target = renamed.follow(name.found)
        if (target, home) == (name.found, name.base):
            continue
        try:
            relative = Path(os.path.relpath(target, home)).as_posix()
        except ValueError:  # on another drive
            continue
        edits += _write(source, format, name, relative)
    return sorted(edits, key=lambda each: each.span)


def find_edits_of_tables(folders: Sequence[Path], renamed: RenamedFiles) -> Iterator[tuple[Path, RowEdits]]:
    """Yield the tables in ``folders`` of a library that may describe renamed files, each with the edits to
    its text.
    """
    above = {
        each
        for old, _ in renamed.renamed
        for each in old.parents
        if any(each.is_relative_to(folder) for folder in folders)
    }
    for folder in sorted(above):
        for table in list_tables(folder):
            yield table, RowEdits(table, renamed)


@dataclass(frozen=True, slots=True)
class RowEdits:
    """The changes to the rows of a table."""

    table: Path
    renamed: RenamedFiles

    def find(self, text: str) -> list[Edit]:
        """Return the edits to the table's text."""
        return [Edit(span, row) for span, row in rename_in_rows(text, self._rename)]

    def _rename(self, cell: str) -> str:
        """Return the new text of a cell that names a file. If the file leaves the table's folder, the cell is
        not changed.
        """
        folder = self.table.parent
        written = cell.strip().replace("\\", "/")
        for found in self._list_files(folder, written):
            target, home = self.renamed.follow(found), self.renamed.follow(self.table).parent
            if target == found or not target.is_relative_to(home):
                continue
            new = target.relative_to(home) if "/" in written or target.parent == home else Path(target.name)
            has_suffix = unicodedata.normalize("NFC", written).endswith(
                unicodedata.normalize("NFC", found.name)
            )
            return (new if has_suffix else new.with_suffix("")).as_posix()
        return cell

    def _list_files(self, folder: Path, written: str) -> Iterator[Path]:
        """Yield the file that a cell names: a file at that path in the folder, or else a renamed file below
        the folder.
        """
        named = unicodedata.normalize("NFC", written)
        direct = folder / written
        if direct.is_file():
            yield direct
            return
        for old, _ in self.renamed.renamed:
            below = old.relative_to(folder).as_posix() if old.is_relative_to(folder) else ""
            names = {below, os.path.splitext(below)[0]}
            names |= {old.name, old.stem} if "/" not in written else set()
            if below and named in {unicodedata.normalize("NFC", each) for each in names}:
                yield old


# -- where a draft names files -------------------------------------------------------------------------------


def _find_names(source: str, path: Path, format: Format) -> Iterator[_FileName]:
    """Yield the places where a draft names an existing file."""
    beside = (path.parent,)
    main = _find_main(source, path, format)
    if main is not None:
        yield main
    for match in format.inclusion.finditer(source) if format.inclusion is not None else ():
        bases = (
            beside
            if format.main_file is None
            else (*beside, main.found.parent if main else path.parent.parent)
        )
        written = os.path.join(match["folder"] or "", match["name"].strip())
        folder = Span(*match.span("folder")) if match["folder"] else None
        yield from _place(_strip(source, match.span("name")), written, bases, format, folder)
    for named in find_named_files(source, format):
        yield from _place(named.span, named.name, list_bibliography_folders(path.parent), None)
    for match in format.file_link.finditer(source) if format.file_link is not None else ():
        yield from _find_link(source, Span(*match.span("name")), path, format)


def _find_main(source: str, path: Path, format: Format) -> _FileName | None:
    match = format.main_file.search(source) if format.main_file is not None else None
    span = _strip(source, match.span("name")) if match is not None else Span(0, 0)
    return next(_place(span, span.of(source), (path.parent,), format), None)


def _find_link(source: str, span: Span, path: Path, format: Format) -> Iterator[_FileName]:
    written = span.of(source).partition("#")[0] if format.percent_links else span.of(source)
    if not _SCHEME.match(written):
        plain = written.replace("\\", "") if format.link_escaped is not None else written
        name = unquote(written) if format.percent_links else plain
        span = Span(span.start, span.start + len(written))
        yield from _place(span, name, (path.parent,), None, links=True)


def _place(
    span: Span,
    name: str,
    bases: Sequence[Path],
    format: Format | None,
    folder: Span | None = None,
    *,
    links: bool = False,
) -> Iterator[_FileName]:
    """Yield the first existing file with this name in one of the folders ``bases``. With a ``format``, its
    suffix may be missing.
    """
    if not name or "\0" in name or os.path.isabs(name):
        return
    for base in bases:
        whole = Path(os.path.normpath(base / name))
        for found in list_paths(whole, format) if format is not None else (whole,):
            if os.path.exists(found):
                yield _FileName(span, found, base, folder, links)
                return


def _strip(source: str, span: tuple[int, int]) -> Span:
    text = source[slice(*span)]
    start = span[0] + len(text) - len(text.lstrip())
    return Span(start, start + len(text.strip()))


# -- how the new path is written -----------------------------------------------------------------------------


def _write(source: str, format: Format, name: _FileName, relative: str) -> Iterator[Edit]:
    """Yield the edits that write the path ``relative`` for a file, in the form used at that place."""
    written = name.span.of(source)
    stem, suffix = os.path.splitext(relative)
    if not name.links and suffix == name.found.suffix and not written.endswith(suffix):
        relative = stem
    if name.folder is not None:
        folder, _, relative = relative.rpartition("/")
        yield Edit(name.folder, f"{folder or '.'}/")
    elif written.startswith("./") and not relative.startswith("../"):
        relative = f"./{relative}"
    yield Edit(name.span, _spell(source, format, name, relative) if name.links else relative)


def _spell(source: str, format: Format, name: _FileName, relative: str) -> str:
    """Return a path as a link address; between "<" and ">" it may contain spaces."""
    if format.percent_links:
        bracketed = source.endswith("<", 0, name.span.start)
        return relative if bracketed and not _UNFIT.search(relative) else quote(relative, _SAFE)
    escaped = format.link_escaped
    return escaped.sub(r"\\\g<0>", relative) if escaped is not None else relative
