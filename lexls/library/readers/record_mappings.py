"""Know the layouts of the user's own records: which files have them, and where their text and facts stand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pathspec import PathSpec

from lexls.library.readers.record_layouts import RecordLayout, RecordRule
from lexls.text.globs import read_globs

_NO_FACTS = frozenset({"files", "text", "values", "identity"})


@dataclass(frozen=True, slots=True)
class RecordMappings:
    """The tables of the setting ``library.records``, each with the files that it is for."""

    tables: Sequence[tuple[PathSpec[Any], RecordLayout]] = ()

    @classmethod
    def load(cls, tables: str) -> RecordMappings:
        """From the tables as a JSON array; they are known to be right."""
        return cls(
            tuple((read_globs(_list(table["files"])), _make_layout(table)) for table in json.loads(tables))
        )

    def find(self, relative: str) -> RecordLayout | None:
        """The layout of a file by its path below the library folder, with "/"; None if it is not the
        user's.
        """
        return next((layout for files, layout in self.tables if files.match_file(relative)), None)

    def find_path(self, path: Path, folders: Sequence[Path]) -> RecordLayout | None:
        """As ``find``, for any file: below one of the library's ``folders``, else by its name."""
        path = path.absolute()
        folder = next((each for each in folders if path.is_relative_to(each)), path.parent)
        return self.find(path.relative_to(folder).as_posix())


def _make_layout(table: Mapping[str, Any]) -> RecordLayout:
    return RecordLayout(
        name="record",
        text=(tuple(map(_split, _list(table["text"]))),),
        values=table.get("values", {}),
        facts={
            fact: tuple(RecordRule(_split(place)) for place in _list(places))
            for fact, places in table.items()
            if fact not in _NO_FACTS
        },
        identity=tuple(map(_split, _list(table.get("identity", ["id", "_id"])))),
        own=True,
    )


def _list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _split(place: str) -> tuple[str, ...]:
    return tuple(place.split("."))
