"""Find the formats of drafts: each module of this folder declares one as its ``FORMAT``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import PurePath
from typing import Any

from lexls.text.format import Format
from lexls.text.formats import plain
from lexls.text.phrases import load_phrases

_NAMES: Mapping[str, Any] = load_phrases(__name__, "names.toml")
PLAIN: Format = plain.FORMAT
"""The format of what has no other: every character stands for itself."""


class _Formats(Mapping[str, Format]):
    """The formats, each loaded when it is asked for: their patterns take a while to compile."""

    def __getitem__(self, name: str) -> Format:
        if name not in _NAMES:
            raise KeyError(name)
        found: Format = import_module(f"{__name__}.{name}").FORMAT
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(_NAMES, key=lambda name: str(_NAMES[name]["title"])))

    def __len__(self) -> int:
        return len(_NAMES)


FORMATS: Mapping[str, Format] = _Formats()
"""All formats by name, in the order of their titles."""
DRAFT_SUFFIXES = frozenset(suffix for each in _NAMES.values() for suffix in each["suffixes"])
"""The suffixes, in lower case, of drafts that are text."""


def format_of(language_id: str, path: str) -> Format:
    """The format of a draft by what the editor calls it, else by its path's suffix, else plain text.

    Some editors send the protocol's language id, others the name of their own file type.
    """
    language, suffix = language_id.casefold(), PurePath(path).suffix.casefold()
    known = next((n for n in FORMATS if language in (*_NAMES[n]["languages"], *_NAMES[n]["filetypes"])), "")
    if not known or known == PLAIN.name:
        known = next((name for name in FORMATS if suffix in _NAMES[name]["suffixes"]), PLAIN.name)
    return FORMATS[known]
