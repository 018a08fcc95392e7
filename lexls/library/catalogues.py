"""Read files that describe other library files: sidecars, tables, and bibliographies with attachments."""

from __future__ import annotations

import io
import os
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from lexls.citations.bibliography import (
    Record,
    find_own_citations,
    read_bibtex_and_faults,
    read_records,
)
from lexls.citations.jurisdiction import find_jurisdiction_by_name
from lexls.library.catalogue_names import list_sidecars, list_targets, may_be_catalogue, merge
from lexls.library.document import KINDS, UnreadableFile
from lexls.library.readers import SUFFIXES
from lexls.library.readers.decoding import decode
from lexls.library.readers.json_strings import read_json
from lexls.library.readers.opening import MAX_BYTES, open_file, read_bytes
from lexls.library.readers.record_layouts import find_kind
from lexls.library.readers.tables import find_style, read_rows
from lexls.text.dates import normalise_date
from lexls.text.phrases import load_phrases
from lexls.text.yaml_data import UnreadableYaml, load_yaml

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar

SIDECAR, TABLE, BIBLIOGRAPHY = range(3)
"""Ranks of catalogues, the most reliable first: a sidecar for one file, a table for a folder, a bibliography
for anything that someone cites.
"""
_NAMES = re.compile(r"[^a-z0-9]+")
_PARTS = re.compile(r"\s*;\s*")
_CSL = re.compile(rb'\s*(?:\[|\{\s*"items"\s*:\s*\[)\s*\{(?=[^{}]*"type"\s*:)')


@dataclass(frozen=True, slots=True)
class Description:
    """A catalogue's description of a file.

    ``target`` names the file below the library folder: a path; "folder/Carrow.*" for any suffix; or
    "folder/**/Carrow.pdf" for any subfolder. ``facts`` are fields of ``Metadata`` as in front matter.
    ``written`` is the file's name as the catalogue gives it. ``line`` is the line of the description, if the
    user wrote it by hand and should be warned about errors in it.
    """

    target: str
    facts: Mapping[str, object]
    rank: int
    line: int = 0
    written: str = ""


@dataclass(frozen=True, slots=True)
class CatalogueContent:
    """The descriptions in a catalogue, and the problems that made parts of it unreadable (line and
    reason).
    """

    descriptions: Sequence[Description]
    problems: Sequence[str] = ()


class CatalogueReader:
    """Read the descriptions of single files without an index, from their sidecars and from the catalogues in
    the folders above them.
    """

    def __init__(self, folders: Sequence[Path], grammar: Grammar) -> None:
        self._folders = folders
        self._grammar = grammar
        self._known: dict[tuple[Path, Path], tuple[Description, ...]] = {}
        self._listed: dict[Path, tuple[Path, ...]] = {}

    def describe(self, path: Path) -> dict[str, object]:
        """Return all facts that catalogues give about a file; unreadable catalogues are ignored."""
        path = path.absolute()
        root = next((each for each in self._folders if path.is_relative_to(each)), path.parent)
        targets = frozenset(list_targets(path.relative_to(root).as_posix()))
        found: list[tuple[int, int, Mapping[str, object]]] = []
        for depth, catalogue in self._list_catalogues(path, root):
            found += (
                (each.rank, -depth, each.facts)
                for each in self._read(catalogue, root)
                if each.target in targets
            )
        return merge(facts for _, _, facts in sorted(found, key=lambda each: each[:2]))

    def _list_catalogues(self, path: Path, root: Path) -> Iterator[tuple[int, Path]]:
        for sidecar in list_sidecars(str(path)):
            yield len(path.parts), Path(sidecar)
        for folder in path.parents:
            if folder not in self._listed:
                self._listed[folder] = _list_folder_catalogues(folder)
            yield from ((len(folder.parts), each) for each in self._listed[folder] if each != path)
            if folder == root:
                return

    def _read(self, catalogue: Path, root: Path) -> tuple[Description, ...]:
        known = self._known.get((catalogue, root))
        if known is None:
            try:
                data, relative = read_bytes(catalogue, MAX_BYTES), catalogue.relative_to(root).as_posix()
                found = read_catalogue(catalogue, relative, data, self._grammar)
                known = tuple(found.descriptions) if found else ()
            except UnreadableFile:
                known = ()
            self._known[catalogue, root] = known
        return known


def _list_folder_catalogues(folder: Path) -> tuple[Path, ...]:
    """Return the files of a folder that may describe files in it or in its subfolders."""
    try:
        entries = sorted(each for each in folder.iterdir() if may_be_catalogue(each.name))
    except OSError:
        return ()
    return tuple(
        each for each in entries if each.suffix.lower() in (".bib", ".csv") or _is_bibliography(each)
    )


def _is_bibliography(path: Path) -> bool:
    """Return whether a file starts like CSL JSON."""
    if path.suffix.lower() != ".json":
        return False
    try:
        with open_file(path) as file:
            return _CSL.match(file.read(4096)) is not None
    except UnreadableFile:
        return False


def read_catalogue(path: Path, relative: str, data: bytes, grammar: Grammar) -> CatalogueContent | None:
    """Return a catalogue's content, or None if the file is not a catalogue. ``relative`` is its path below
    the library folder.

    Raises ``UnreadableFile`` with the reason.
    """
    folder = str(PurePosixPath(relative).parent)
    folder = "" if folder == "." else folder + "/"
    suffix = path.suffix.lower()
    text = decode(data)
    if suffix == ".csv":
        return _read_table(text, folder)
    if suffix == ".bib":
        records, broken = read_bibtex_and_faults(text)
        described = list(_describe_records(records, path, folder, grammar))
        problems = [f"line {line}: not BibTeX" for line in broken if "file" in text]
        return CatalogueContent(described, problems)
    # The adjacent file that a sidecar with this name describes.
    base = path.stem
    target = base if os.path.splitext(base)[1].lower() in SUFFIXES else f"{base}.*"
    values = _read_values(suffix, text)
    if suffix == ".json":
        records = list(read_records(values))
        if described := list(_describe_records(records, path, folder, grammar)):
            return CatalogueContent(described)
        base = os.fspath(path)[: -len(suffix)]
        beside = [base] if Path(target).suffix != ".*" else [base + each for each in SUFFIXES - {".json"}]
        # JSON next to a file may be about anything.
        if not isinstance(values, Mapping) or not {"title", "citation"} & set(values):
            return None
        if not any(os.path.isfile(each) for each in beside):
            return None
    if not isinstance(values, Mapping):
        raise UnreadableFile("says nothing of the file beside it: not a table of names and values")
    return CatalogueContent(
        [Description(unicodedata.normalize("NFC", folder + target), _jsonable(values), SIDECAR)]
    )


def _read_values(suffix: str, text: str) -> Any:
    try:
        if suffix == ".toml":
            return tomllib.loads(text)
        if suffix == ".json":
            return read_json(text)[0]
        return load_yaml(text)
    except UnreadableYaml as error:
        raise UnreadableFile(str(error)) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        where = re.search(r"line \d+", str(error))
        raise UnreadableFile(f"not TOML ({where[0] if where else 'at its end'})") from None


def _jsonable(values: Mapping[str, Any]) -> dict[str, object]:
    """Return the values that JSON can represent: plain values, and lists of them. Other values become text;
    None and mappings are dropped.
    """
    plain = (str, int, float)
    found: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(value, list):
            found[str(key)] = [str(each) for each in value if isinstance(each, plain)]
        elif value is not None and not isinstance(value, Mapping):
            found[str(key)] = value if isinstance(value, plain) else str(value)
    return found


def _read_table(text: str, folder: str) -> CatalogueContent:
    described: list[Description] = []
    problems: list[str] = []
    known = False
    for row in read_rows(io.StringIO(text, newline=""), find_style(text), max(len(text), 1)):
        if row.problem:
            problems.append(f"line {row.line}: {row.problem}")
            continue
        values: dict[str, str] = {}
        for column, cell in row.cells.items():
            field = find_field(column)
            if field:
                values.setdefault(field, " ".join(cell.split()))
        if "file" not in values:
            raise UnreadableFile('no column names the files: call it "file"')
        known = True
        if not any(row.cells.values()):
            continue
        written = values.pop("file").replace("\\", "/")
        if not written:
            problems.append(f"line {row.line}: no file is named")
            continue
        facts: dict[str, object] = {field: value for field, value in values.items() if value}
        problems += (f"line {row.line}: {reason}" for reason in _check(facts))
        described += (
            Description(target, facts, TABLE, row.line, written) for target in _place(folder, written)
        )
    if not known and not problems:
        problems.append("no rows below the first")
    return CatalogueContent(described, problems)


def find_field(column: str) -> str:
    """Return the field of ``Metadata``, or "file", that a table's column contains, judging by its name; ""
    for any other column.
    """
    name = _NAMES.sub(" ", column.lower().removeprefix("\ufeff")).strip()
    return str(_load()["columns"].get(name, ""))


def _check(facts: dict[str, object]) -> Iterator[str]:
    """Normalise the facts of a table's row in place, removing invalid ones. Yield a message for each fact
    removed.
    """
    citation = str(facts.get("citation", ""))
    first, *others = _PARTS.split(citation)
    if others:
        more = _PARTS.split(str(facts.get("parallel_citations", "")))
        facts |= {"citation": first, "parallel_citations": [each for each in (*others, *more) if each]}
    if "date" in facts and not normalise_date(facts["date"]):
        yield f'"{facts.pop("date")}" is no date'
    if "kind" in facts:
        written = str(facts.pop("kind"))
        kind = find_kind(written) or written.casefold()
        if kind in KINDS:
            facts["kind"] = kind
        else:
            yield f'the kind "{written}" is none of {", ".join(KINDS)}'
    if "jurisdiction" in facts:
        written = str(facts["jurisdiction"])
        facts["jurisdiction"] = find_jurisdiction_by_name(written) or written


def _place(folder: str, written: str) -> Iterator[str]:
    """Yield the target patterns for a file name ``written`` in a table in ``folder``."""
    path = PurePosixPath(unicodedata.normalize("NFC", os.path.normpath(folder + written).replace("\\", "/")))
    name = path.name if path.suffix.lower() in SUFFIXES else f"{path.name}.*"
    yield str(path.parent / name)
    if "/" not in written:
        yield f"{folder}**/{name}"


def _describe_records(
    records: Iterable[Record], path: Path, folder: str, grammar: Grammar
) -> Iterator[Description]:
    """Yield a description of each file attached to an entry of a bibliography."""
    root = os.fspath(path.parent)
    root = root[: len(root) - len(folder.rstrip("/"))].rstrip(os.sep) if folder else root
    for record in records:
        if not record.files:
            continue
        facts = _read_facts(record, grammar)
        for written in record.files:
            windows = PureWindowsPath(written)
            name = windows.as_posix() if "\\" in written or windows.drive else written
            whole = os.path.normpath(name if os.path.isabs(name) else os.path.join(path.parent, name))
            targets = []
            if whole.startswith(root + os.sep):
                targets.append(whole[len(root) + 1 :].replace(os.sep, "/"))
            parts = PurePosixPath(name).parts
            # Libraries are copied or mounted elsewhere, so attachments also match by folder and name.
            if len(parts) > 1:
                targets.append("**/" + "/".join(parts[-2:]))
            for target in targets:
                yield Description(unicodedata.normalize("NFC", target), facts, BIBLIOGRAPHY, record.line)


def _read_facts(record: Record, grammar: Grammar) -> dict[str, object]:
    citation, *parallel = find_own_citations(record, grammar) or [""]
    kind = _load()["kinds"].get(record.kind, "")
    own = record.number and grammar.key_of(record.number) in (citation, *parallel)
    facts: dict[str, object] = {
        "title": record.title,
        "short_title": record.short_title,
        "citation": citation,
        "parallel_citations": parallel,
        "court": record.authority if kind == "case" else "",
        "docket": record.number if kind == "case" and not own else "",
        "date": record.date,
        "kind": kind,
        "jurisdiction": find_jurisdiction_by_name(record.jurisdiction),
    }
    return {name: value for name, value in facts.items() if value}


@cache
def _load() -> Mapping[str, Any]:
    data = load_phrases(__package__, "catalogues.toml")
    columns = {name: field for field, listed in data["columns"].items() for name in listed}
    return {**data, "columns": columns}
