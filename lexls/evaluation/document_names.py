"""What benchmarks call the documents of a library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from lexls.index.records import Authority


class DocumentNames:
    """Names ↔ documents. A benchmark names a document by its path in the library, its file name, or that
    without suffix; ``called`` answers in the way that most of ``used`` (names of the benchmark) are written,
    and by the path where two documents would be called the same."""

    def __init__(self, authorities: Iterable[Authority], used: Iterable[str] = ()) -> None:
        self._ids: dict[str, int] = {}
        spellings: dict[int, tuple[str, str, str]] = {}
        for authority in authorities:
            path = PurePosixPath(authority.relative)
            spellings[authority.id] = (path.stem, path.name, authority.relative)
            for name in (authority.relative, path.name, path.stem):
                self._ids.setdefault(name, authority.id)
        way = Counter(
            spellings[self._ids[name]].index(name) for name in used if name in self._ids
        ).most_common(1)
        chosen = way[0][0] if way else 1
        bearers = Counter(each[chosen] for each in spellings.values())
        self._called = {
            document: each[chosen] if bearers[each[chosen]] == 1 else each[2]
            for document, each in spellings.items()
        }

    def __contains__(self, name: str) -> bool:
        return name in self._ids

    def find(self, name: str) -> int | None:
        """The document of this name, None if the library has none."""
        return self._ids.get(name)

    def called(self, document: int) -> str:
        """The name of a document. Raises ``KeyError`` if the library has none of this id."""
        return self._called[document]

    def same(self, name: str) -> str:
        """``name`` as ``called`` writes it, unchanged if the library does not have it: such a document
        counts, and cannot be found."""
        document = self._ids.get(name)
        return name if document is None else self._called[document]
