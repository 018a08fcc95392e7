"""Report the files of a library that no reader supports, likeliest authorities first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lexls.index.reconcile import COUNTED, FileKey, find_suffix
from lexls.index.records import UnreadKind
from lexls.library.document import NO_AUTHORITY
from lexls.library.readers import SUFFIXES

MOST_NAMED = 5
"""Maximum number of files of one kind that are named."""


def count_kinds(files: Iterable[FileKey]) -> list[UnreadKind]:
    """Group ``files`` by suffix, with the kinds that are likeliest to be authorities first."""
    kinds: dict[str, list[FileKey]] = {}
    for file in files:
        kinds.setdefault(find_suffix(file.relative), []).append(file)

    def rank(suffix: str) -> tuple[bool, int, str]:
        return suffix in COUNTED, -len(kinds[suffix]), suffix

    return [
        UnreadKind(
            suffix,
            len(kinds[suffix]),
            () if suffix in COUNTED else tuple(str(key.path) for key in sorted(kinds[suffix])[:MOST_NAMED]),
        )
        for suffix in sorted(kinds, key=rank)
    ]


def describe_reason(suffix: str) -> str:
    """Return why files with this ``suffix`` were not read."""
    return NO_AUTHORITY if suffix in SUFFIXES else "lexls has no reader for it"


def describe_kinds(kinds: Sequence[UnreadKind]) -> str:
    """Summarise the kinds in one line: "3 .doc, 12 .png"."""
    return ", ".join(f"{kind.count:,} {kind.suffix or 'without a suffix'}" for kind in kinds)
