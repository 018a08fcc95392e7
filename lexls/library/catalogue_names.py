"""Know catalogues, the files that say what other files of a library are, and how they name those."""

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
    """Return whether a file is a catalogue by its name, or that of a file beside it. JSON tells by its
    content."""
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
    """Return whether a file of the library, by its path, may turn out to be a catalogue when it is read."""
    suffix = os.path.splitext(relative)[1].lower()
    return suffix in (".bib", *_SIDECAR_SUFFIXES) or os.path.basename(relative).lower() in _load_tables()


def list_sidecars(path: str) -> Iterator[str]:
    """The sidecars that a file has."""
    if os.path.splitext(path)[1].lower() in SUFFIXES:
        for base in (path, os.path.splitext(path)[0]):
            yield from (base + suffix for suffix in _SIDECAR_SUFFIXES if os.path.isfile(base + suffix))


def list_targets(relative: str) -> list[str]:
    """Return how descriptions may name a file by its path below the library folder, the surest first."""
    path = PurePosixPath(unicodedata.normalize("NFC", relative))
    above = [str(folder) + "/" if folder.name else "" for folder in path.parents]
    found = [str(path), f"{path.with_suffix('')}.*"]
    if path.parent.name:
        found.append(f"**/{path.parent.name}/{path.name}")
    for folder in above:
        found += (f"{folder}**/{path.name}", f"{folder}**/{path.stem}.*")
    return found


def merge(descriptions: Iterable[Mapping[str, object]]) -> dict[str, object]:
    """All that is said of one file, of what two say that of the first."""
    facts: dict[str, object] = {}
    for each in descriptions:
        facts = {**each, **facts}
    return facts


def find_table(folder: Path) -> Path:
    """Return the table of metadata of a folder, or where a new one would be."""
    names = _load_tables()
    found = sorted(each for each in folder.iterdir() if each.name.lower() in names)
    return found[0] if found else folder / min(names)


@cache
def _load_tables() -> frozenset[str]:
    return frozenset(load_phrases(__package__, "catalogues.toml")["tables"].split())
