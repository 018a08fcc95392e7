"""The bibliography of a draft: the files that it names, read when they change, and what it says itself."""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from lexls.citations.bibliography.entry import Entry, entry_of
from lexls.citations.bibliography.record import Record, UnreadableBibliography
from lexls.citations.grammar import Grammar
from lexls.library.document import UnreadableFile
from lexls.library.readers import ReadLimits, decode, read_bytes
from lexls.text.markup import Markup
from lexls.text.spans import Span

LIMITS = ReadLimits(max_bytes=8 * 2**20)
"""A bibliography of 20,000 entries takes about this much."""
_KEPT_FILES = 64
_LONGEST_FRONT_MATTER = 200_000
_FOLDERS_ABOVE = 3
"""So many folders above the draft's are looked in too: chapters name files as the book does."""
_END = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_BEGIN = re.compile(r"\A\ufeff?---[ \t]*\r?\n")
_WANTED = re.compile(r"^(?:bibliography|references)[ \t]*:", re.MULTILINE)
_LATEX = re.compile(
    r"\\(?:addbibresource|addglobalbib|addsectionbib|(?P<plain>bibliography))\s{0,9}(?:\[[^\[\]\n]{0,200}\]\s{0,9})?"
    r"\{(?P<names>[^{}]{1,1000})\}"
)
_TYPST = re.compile(r"(?<![\w-])bibliography\(\s{0,99}(?P<names>\(?[^()]{1,1000})")
_STRING = re.compile(r'"([^"\\\n]{1,500}\.(?:bib|ya?ml))"', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A bibliography that a draft names: as it is written, and where."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Bibliography:
    """What the keys of a draft stand for. The same object as long as nothing of it changes.

    ``unreadable`` has the reason for each named file that could not be read: then nobody knows which keys
    there are.
    """

    records: Mapping[str, Record]
    unreadable: Mapping[str, str]
    grammar: Grammar
    _entries: dict[tuple[str, str], Entry] = field(default_factory=dict, repr=False)

    def entry(self, key: str, jurisdiction: str) -> Entry | None:
        """What a key stands for in a draft of a jurisdiction, None if it is not here."""
        record = self.records.get(key)
        if record is None:
            return None
        found = self._entries.get((key, jurisdiction))
        if found is None:
            found = self._entries[key, jurisdiction] = entry_of(record, self.grammar, jurisdiction)
        return found


@dataclass(frozen=True, slots=True)
class _File:
    stamp: tuple[int, int] | None
    records: tuple[Record, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class _Known:
    """What a draft's bibliography was made of."""

    named: tuple[str, ...]
    inline: str
    files: tuple[_File, ...]
    made: Bibliography


class Bibliographies:
    """The bibliographies of drafts, kept until their files change. Not safe from several threads at once."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._files: OrderedDict[tuple[Path, Markup], _File] = OrderedDict()
        self._known: OrderedDict[str, _Known] = OrderedDict()

    def of(self, uri: str, source: str, markup: Markup) -> Bibliography | None:
        """The bibliography that a draft declares, None if it declares none; its files lie beside it."""
        inline = _front_matter(source) if markup == "markdown" else ""
        named = tuple(dict.fromkeys(each.name for each in named_files(source, markup)))
        if not named and "references" not in inline:
            self._known.pop(uri, None)
            return None
        folder = _folder(uri)
        files = tuple(self._file(name, folder, markup) for name in named)
        known = self._known.get(uri)
        if known is None or (known.named, known.inline) != (named, inline) or known.files != files:
            known = _Known(named, inline, files, self._made(named, inline, files))
            self._known[uri] = known
            while len(self._known) > _KEPT_FILES:
                self._known.popitem(last=False)
        return known.made

    def _made(self, named: tuple[str, ...], inline: str, files: tuple[_File, ...]) -> Bibliography:
        records: dict[str, Record] = {}
        for file in files:
            for record in file.records:
                records.setdefault(record.key, record)
        unreadable = {name: file.reason for name, file in zip(named, files, strict=True) if file.reason}
        if "references" in inline:
            records.update((record.key, record) for record in _inline(inline))
        return Bibliography(records, unreadable, self._grammar)

    def _file(self, name: str, folder: Path | None, markup: Markup) -> _File:
        path = _find(name, folder)
        if path is None:
            return _File(
                None, (), "there is no such file" if folder is not None else "the draft has no folder yet"
            )
        stamp = _stamp(path)
        known = self._files.get((path, markup))
        if known is None or known.stamp != stamp or stamp is None:
            known = _read(path, markup, stamp)
            self._files[path, markup] = known
            while len(self._files) > _KEPT_FILES:
                self._files.popitem(last=False)
        return known


def named_files(source: str, markup: Markup) -> list[NamedFile]:
    """The files that a draft names as its bibliography, in order."""
    if markup == "markdown":
        return list(_named_in_front_matter(source))
    if markup == "latex" and ("\\addbib" in source or "\\bibliography" in source or "\\addglobal" in source):
        return list(_named_in_latex(source))
    if markup == "typst" and "bibliography(" in source:
        return list(_named_in_typst(source))
    return []


# -- where it is declared ------------------------------------------------------------------------------------


def _front_matter(source: str) -> str:
    """The front matter of a Markdown draft that may declare a bibliography, "" otherwise."""
    begin = _BEGIN.match(source)
    if begin is None:
        return ""
    end = _END.search(source, begin.end(), begin.end() + _LONGEST_FRONT_MATTER)
    text = source[begin.end() : end.start()] if end is not None else ""
    return text if _WANTED.search(text) else ""


def _named_in_front_matter(source: str) -> Iterator[NamedFile]:
    text = _front_matter(source)
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
    """The files that front matter names, which seldom changes as a draft is written."""
    names = _data(front_matter).get("bibliography", ())
    listed = [names] if isinstance(names, str) else names if isinstance(names, list) else ()
    return tuple(name for name in listed if isinstance(name, str) and name.strip())


def _named_in_latex(source: str) -> Iterator[NamedFile]:
    for match in _LATEX.finditer(source):
        line = source.rfind("\n", 0, match.start()) + 1
        if "%" in source[line : match.start()].replace("\\%", ""):
            continue
        start = match.start("names")
        for part in match["names"].split(","):
            name = part.strip()
            if name:
                at = start + part.index(name)
                suffixed = name if not match["plain"] or name.endswith(".bib") else f"{name}.bib"
                yield NamedFile(suffixed, Span(at, at + len(name)))
            start += len(part) + 1


def _named_in_typst(source: str) -> Iterator[NamedFile]:
    for match in _TYPST.finditer(source):
        line = source.rfind("\n", 0, match.start()) + 1
        if "//" in source[line : match.start()].replace("://", ""):
            continue
        for name in _STRING.finditer(source, match.start("names"), match.end("names")):
            yield NamedFile(name[1], Span(*name.span(1)))


def _data(text: str) -> Mapping[str, Any]:
    """Front matter as data; empty where it is none."""
    from lexls.citations.bibliography.yaml_text import load_yaml

    try:
        data = load_yaml(text)
    except UnreadableBibliography:
        return {}
    return data if isinstance(data, Mapping) else {}


def _inline(front_matter: str) -> Iterator[Record]:
    from lexls.citations.bibliography.csl import records

    return records(_data(front_matter).get("references"))


# -- reading -------------------------------------------------------------------------------------------------


def _folder(uri: str) -> Path | None:
    """The folder that a draft lies in, None if it is not a file."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    name = url2pathname(
        f"//{parts.netloc}{parts.path}" if parts.netloc not in ("", "localhost") else parts.path
    )
    return Path(name).parent


def _find(name: str, folder: Path | None) -> Path | None:
    if folder is None or "\0" in name:
        return None
    folders = [folder, *list(folder.parents)[:_FOLDERS_ABOVE]]
    for place in folders:
        path = place / name
        try:
            if path.exists():
                return path
        except OSError:
            return None
    return None


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _read(path: Path, markup: Markup, stamp: tuple[int, int] | None) -> _File:
    try:
        return _File(stamp, tuple(_records(path, decode(read_bytes(path, LIMITS)), markup)), "")
    except UnreadableFile as error:
        return _File(stamp, (), str(error).split("; raise")[0])
    except UnreadableBibliography as error:
        return _File(stamp, (), str(error))


def _records(path: Path, text: str, markup: Markup) -> list[Record]:
    suffix = path.suffix.lower()
    if suffix in (".bib", ".bibtex", ".biblatex"):
        from lexls.citations.bibliography.bibtex import read_bibtex

        return read_bibtex(text)
    if suffix == ".json":
        from lexls.citations.bibliography.csl import read_json

        return read_json(text)
    if suffix in (".yaml", ".yml"):
        if markup == "typst":
            from lexls.citations.bibliography.hayagriva import read_hayagriva

            return read_hayagriva(text)
        from lexls.citations.bibliography.csl import read_yaml

        return read_yaml(text)
    raise UnreadableBibliography(f'no reader for "{path.suffix}" files')
