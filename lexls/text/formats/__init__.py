"""Look up the formats of drafts: each module defines one as ``FORMAT``, and ``names.toml`` lists
their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import PurePath

from lexls.text.format import Format, load_names
from lexls.text.formats import plain

PLAIN: Format = plain.FORMAT
"""The format of files that have no other; every character is literal."""


class _Formats(Mapping[str, Format]):
    """The formats, each loaded on first use, since their patterns take a while to compile."""

    def __getitem__(self, name: str) -> Format:
        if name not in load_names():
            raise KeyError(name)
        found: Format = import_module(f"{__name__}.{name}").FORMAT
        return found

    def __iter__(self) -> Iterator[str]:
        names = load_names()
        return iter(sorted(names, key=lambda name: str(names[name]["title"])))

    def __len__(self) -> int:
        return len(load_names())


FORMATS: Mapping[str, Format] = _Formats()
"""All formats by name, in the order of their titles."""
DRAFT_SUFFIXES = frozenset(suffix for each in load_names().values() for suffix in each["suffixes"])
"""The suffixes, in lower case, of drafts that are text."""


def format_of(language_id: str, path: str) -> Format:
    """Return the format of a draft by the editor's language id, else by its path's suffix, else plain text.

    Some editors send the language id of the protocol, others their own file type.
    """
    language, suffix = language_id.casefold(), PurePath(path).suffix.casefold()
    by_language = by_suffix = PLAIN.name
    for name, called in load_names().items():
        if language in (*called["languages"], *called["filetypes"]):
            by_language = name
        if suffix in called["suffixes"]:
            by_suffix = name
    return FORMATS[by_suffix if by_language == PLAIN.name else by_language]
