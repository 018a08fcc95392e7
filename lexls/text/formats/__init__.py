"""Find the formats of drafts: each module of this folder declares one as its ``FORMAT``."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from pathlib import PurePath
from types import MappingProxyType

from lexls.text.format import Format
from lexls.text.formats import plain

PLAIN: Format = plain.FORMAT
"""The format of what has no other: every character stands for itself."""
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        found.name: found
        for found in sorted(
            (import_module(f"{__name__}.{each.name}").FORMAT for each in pkgutil.iter_modules(__path__)),
            key=lambda found: found.title,
        )
    }
)
"""All formats by name, in the order of their titles."""
DRAFT_SUFFIXES = frozenset(suffix for each in FORMATS.values() for suffix in each.suffixes)
"""The suffixes, in lower case, of drafts that are text."""


def format_of(language_id: str, path: str) -> Format:
    """The format of a draft by what the editor calls it, else by its path's suffix, else plain text.

    Some editors send the protocol's language id, others the name of their own file type.
    """
    language, suffix = language_id.casefold(), PurePath(path).suffix.casefold()
    known = next((each for each in FORMATS.values() if language in (*each.languages, *each.filetypes)), PLAIN)
    if known is not PLAIN:
        return known
    return next((each for each in FORMATS.values() if suffix in each.suffixes), PLAIN)
