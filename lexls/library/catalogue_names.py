"""Recognise catalogues (files that describe other files of the library) and the names they use for those
files.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from lexls.library.readers import SUFFIXES
from lexls.text.phrases import load_phrases

_SIDECAR_SUFFIXES = (".toml", ".yaml", ".yml", ".json")


def is_catalogue(path: str) -> bool:
    """Return whether a file is a catalogue, judging by its name or by the existence of the file that it
    describes. JSON catalogues are recognised only by their content.
    """
    name = os.path.basename(path)
    stem, suffix = os.path.splitext(name.lower())
    if suffix == ".bib" or name.lower() in _load_tables():
        return True
    if suffix not in (".toml", ".yaml", ".yml"):
        return False
    base = path[: -len(suffix)]
    if os.path.splitext(stem)[1] in SUFFIXES:
        return os.path.isfile(base)
    return any(os.path.isfile(base + each) for each in sorted(SUFFIXES))


def may_be_catalogue(relative: str) -> bool:
    """Return whether the path of a library file allows it to be a catalogue, which reading it may confirm."""
    suffix = os.path.splitext(relative)[1].lower()
    return suffix in (".bib", *_SIDECAR_SUFFIXES) or os.path.basename(relative).lower() in _load_tables()


def list_sidecars(path: str) -> Iterator[str]:
    """Yield the paths of the existing sidecars of a file."""
    if os.path.splitext(path)[1].lower() in SUFFIXES:
        for base in (path, os.path.splitext(path)[0]):
            yield from (base + suffix for suffix in _SIDECAR_SUFFIXES if os.path.isfile(base + suffix))


def list_targets(relative: str) -> list[str]:
    """Return the patterns by which a catalogue may name a file, the most reliable first. ``relative`` is the
    file's path below the library folder.
    """
    path = PurePosixPath(unicodedata.normalize("NFC", relative))
    above = [str(folder) + "/" if folder.name else "" for folder in path.parents]
    found = [str(path), f"{path.with_suffix('')}.*"]
    if path.parent.name:
        found.append(f"**/{path.parent.name}/{path.name}")
    for folder in above:
        found += (f"{folder}**/{path.name}", f"{folder}**/{path.stem}.*")
    return found


def merge(descriptions: Iterable[Mapping[str, object]]) -> dict[str, object]:
    """Merge the descriptions of one file; if two give the same field, the first one wins."""
    facts: dict[str, object] = {}
    for each in descriptions:
        facts = {**each, **facts}
    return facts


def find_table(folder: Path) -> Path:
    """Return the table of metadata of a folder, or where a new one would be."""
    return next(iter(list_tables(folder)), folder / min(_load_tables()))


def list_tables(folder: Path) -> list[Path]:
    """The tables of metadata of a folder. Raises ``OSError`` if it cannot be read."""
    return sorted(each for each in folder.iterdir() if each.name.lower() in _load_tables())


@cache
def _load_tables() -> frozenset[str]:
    return frozenset(load_phrases(__package__, "catalogues.toml")["tables"].split())
