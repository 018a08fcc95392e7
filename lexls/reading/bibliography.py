"""Read a draft's bibliography: the draft's own entries, and the files that it names, which are read again
when they change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from lexls.citations.bibliography import (
    Entry,
    Record,
    UnreadableBibliography,
    read_bibtex,
    read_entry,
    read_hayagriva,
    read_json,
    read_records,
    read_yaml,
)
from lexls.citations.grammar import Grammar
from lexls.library.document import UnreadableFile
from lexls.library.readers.decoding import decode
from lexls.library.readers.opening import read_bytes
from lexls.text.format import Format, NamedFile
from lexls.text.memory import Memory
from lexls.text.paths import find_file, is_within, stamp_file
from lexls.text.spans import Span
from lexls.text.yaml_data import UnreadableYaml, load_yaml

MAX_BYTES = 8 * 2**20
"""Maximum size of a bibliography in bytes, enough for about 20,000 entries."""
_KEPT_FILES = 64
_FOLDERS_ABOVE = 3
"""Number of folders above the draft's that are also searched, since a chapter may name files relative to the
book's folder.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Bibliography:
    """The entries for a draft's citation keys. The object stays the same as long as no entry changes.

    ``records`` are the entries by key. ``unreadable`` maps the name of each file that could not be read to
    the reason; if there is one, it is unknown which keys exist. ``paths`` are the files that were read.
    """

    records: Mapping[str, Record]
    unreadable: Mapping[str, str]
    grammar: Grammar
    paths: tuple[Path, ...] = ()
    _entries: dict[tuple[str, str], Entry] = field(default_factory=dict, repr=False)

    def entry(self, key: str, jurisdiction: str) -> Entry | None:
        """Return the entry for a key, read for the draft's jurisdiction; None if there is none."""
        record = self.records.get(key)
        if record is None:
            return None
        found = self._entries.get((key, jurisdiction))
        if found is None:
            found = self._entries[key, jurisdiction] = read_entry(record, self.grammar, jurisdiction)
        return found


@dataclass(frozen=True, slots=True)
class _File:
    stamp: tuple[int, int] | None
    records: tuple[Record, ...]
    reason: str
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """A draft's bibliography, and the inputs from which it was made."""

    named: tuple[str, ...]
    inline: str
    files: tuple[_File, ...]
    made: Bibliography


class Bibliographies:
    """Caches the bibliographies of drafts until their files change. Thread-safe."""

    def __init__(self, grammar: Grammar, named_in: Sequence[Path] | None = None) -> None:
        self._grammar = grammar
        self._named_in = named_in
        self._files = Memory[tuple[Path, Format], _File](_KEPT_FILES)
        self._known = Memory[str, _Known](_KEPT_FILES)

    def of(self, uri: str, source: str, format: Format) -> Bibliography | None:
        """Return the bibliography that a draft declares, or None. Its files may be in the draft's folder or a
        folder above.
        """
        inline = format.find_front_matter(source)
        named = tuple(dict.fromkeys(each.name for each in find_named_files(source, format)))
        if not named and "references" not in inline:
            self._known.forget([uri])
            return None
        folder = _folder(uri)
        files = tuple(self._file(name, folder, format) for name in named)
        known = self._known.get(uri)
        if known is None or (known.named, known.inline) != (named, inline) or known.files != files:
            known = self._known.keep(uri, _Known(named, inline, files, self._made(named, inline, files)))
        return known.made

    def _made(self, named: tuple[str, ...], inline: str, files: tuple[_File, ...]) -> Bibliography:
        records: dict[str, Record] = {}
        for file in files:
            for record in file.records:
                records.setdefault(record.key, record)
        unreadable = {name: file.reason for name, file in zip(named, files, strict=True) if file.reason}
        if "references" in inline:
            records.update((record.key, record) for record in read_records(_data(inline).get("references")))
        paths = tuple(file.path for file in files if file.path is not None)
        return Bibliography(records, unreadable, self._grammar, paths)

    def _file(self, name: str, folder: Path | None, format: Format) -> _File:
        path = _find(name, folder)
        if path is not None and self._named_in is not None and not is_within(path, self._named_in):
            path = None
        if path is None:
            return _File(
                None, (), "there is no such file" if folder is not None else "the draft has no folder yet"
            )
        stamp = stamp_file(path)
        known = self._files.get((path, format))
        if known is None or known.stamp != stamp or stamp is None:
            known = self._files.keep((path, format), _read(path, format, stamp))
        return known


def find_named_files(source: str, format: Format) -> list[NamedFile]:
    """Return the bibliography files that a draft names: those in its front matter, then the others in
    order.
    """
    return [*_named_in_front_matter(source, format), *format.find_bibliographies(source)]


# -- where it is declared ------------------------------------------------------------------------------------


def _named_in_front_matter(source: str, format: Format) -> Iterator[NamedFile]:
    text = format.find_front_matter(source)
    if not text:
        return
    start = source.index(text)
    at = start
    for name in _names(text):
        place = source.find(name, at, start + len(text))
        if place >= 0:
            at = place + len(name)
            yield NamedFile(name, Span(place, at))


@lru_cache(maxsize=16)
def _names(front_matter: str) -> tuple[str, ...]:
    """Return the files named in front matter. Cached, since front matter rarely changes."""
    names = _data(front_matter).get("bibliography", ())
    listed = [names] if isinstance(names, str) else names if isinstance(names, list) else ()
    return tuple(name for name in listed if isinstance(name, str) and name.strip())


def _data(text: str) -> Mapping[str, Any]:
    """Return the data in front matter; empty if it is not valid."""
    try:
        data = load_yaml(text)
    except UnreadableYaml:
        return {}
    return data if isinstance(data, Mapping) else {}


# -- reading -------------------------------------------------------------------------------------------------


def _folder(uri: str) -> Path | None:
    """Return the folder of a draft, or None if the draft is not a file."""
    path = find_file(uri)
    return path.parent if path is not None else None


def list_bibliography_folders(folder: Path) -> list[Path]:
    """Return the folders in which a draft in ``folder`` may have its bibliography: its own, then the folders
    above.
    """
    return [folder, *list(folder.parents)[:_FOLDERS_ABOVE]]


def _find(name: str, folder: Path | None) -> Path | None:
    if folder is None or "\0" in name:
        return None
    for place in list_bibliography_folders(folder):
        path = place / name
        try:
            if path.exists():
                return path
        except OSError:
            return None
    return None


def _read(path: Path, format: Format, stamp: tuple[int, int] | None) -> _File:
    try:
        return _File(stamp, tuple(_records(path, decode(read_bytes(path, MAX_BYTES)), format)), "", path)
    except UnreadableFile as error:
        return _File(stamp, (), str(error).split("; raise")[0], path)
    except UnreadableBibliography as error:
        return _File(stamp, (), str(error), path)


def _records(path: Path, text: str, format: Format) -> list[Record]:
    suffix = path.suffix.lower()
    if suffix in (".bib", ".bibtex", ".biblatex"):
        return read_bibtex(text)
    if suffix == ".json":
        return read_json(text)
    if suffix in (".yaml", ".yml"):
        if format.hayagriva:
            return read_hayagriva(text)
        return read_yaml(text)
    raise UnreadableBibliography(f'no reader for "{path.suffix}" files')
