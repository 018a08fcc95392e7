"""Tell the indexer what readers wish: passages to embed first, files to read first, to look again, to pause.

Readers append lines to a file beside the index; the indexer, wherever it was started from, reads what is new.
An append of a few lines is atomic on every platform, so that no lock is needed, and a lost wish costs nothing
but time. That indexing shall pause is another file, which stays until it shall go on.

The files that hold what drafts cite are found by their names and by what catalogues say of them.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple
from pathlib import Path

from lexls.index.beside import find_beside
from lexls.index.reconcile import FileKey, FileState

Wish = int | str | FileKey
"""A passage's id, to be embedded before others; ``RESCAN`` or ``RENEW``; an authority as a draft cites it, to
be read before others; or a file of which the index is wrong, to be read again."""
RESCAN = -1
"""Compare the folders with the index again."""
RENEW = -2
"""The index is damaged: make it anew."""
_LARGEST = 1 << 20
"""From this size in bytes on, readers stop adding wishes until the indexer has cleared the file."""


def find_wishes_file(index: Path) -> Path:
    """The file of wishes of an index file."""
    return find_beside(index, "-wanted")


def append_wishes(index: Path, wishes: Iterable[Wish]) -> None:
    """Append what the indexer of ``index`` shall do; the index need not be there yet.

    Where nobody may write, nothing is appended: no indexer is there either.
    """
    path = find_wishes_file(index)
    lines = (astuple(wish) if isinstance(wish, FileKey) else wish for wish in wishes)
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    if not data or (path.exists() and path.stat().st_size > _LARGEST):
        return
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, data)
        finally:
            os.close(descriptor)


class WantedReader:
    """The indexer's end: hands out each wish once."""

    def __init__(self, index: Path) -> None:
        self._path = find_wishes_file(index)
        self._read = 0

    def take(self) -> list[Wish]:
        """The wishes that came since the last call, oldest first."""
        try:
            size = self._path.stat().st_size
            if size < self._read:
                self._read = 0
            if size == self._read:
                return []
            with open(self._path, "rb") as stream:
                stream.seek(self._read)
                data = stream.read()
        except FileNotFoundError:
            self._read = 0
            return []
        whole = data.rfind(b"\n") + 1
        self._read += whole
        return [wish for line in data[:whole].splitlines() if (wish := _read(line)) is not None]

    def clear(self) -> None:
        """Empty the file, in idle time, when all of it was read."""
        try:
            if 0 < self._path.stat().st_size <= self._read:
                os.truncate(self._path, 0)
                self._read = 0
        except FileNotFoundError:
            self._read = 0


def _read(line: bytes) -> Wish | None:
    """The wish of a line; None for what no reader of this version wrote."""
    try:
        wish = json.loads(line)
    except ValueError:
        return None
    if isinstance(wish, list) and len(wish) == 2 and all(isinstance(each, str) for each in wish):
        return FileKey(*wish)
    return wish if isinstance(wish, int | str) else None


def set_paused(index: Path, paused: bool) -> None:
    """Have the indexer of ``index`` pause, now and whenever it is started, or go on."""
    path = _pause_file(index)
    if paused:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    else:
        path.unlink(missing_ok=True)


def is_paused(index: Path) -> bool:
    """Return whether the indexer of ``index`` shall pause."""
    return _pause_file(index).exists()


def _pause_file(index: Path) -> Path:
    return find_beside(index, "-paused")


FILES_A_CITATION = 3
"""So many files are read first for each citation: those whose names fit it best."""
LEAST_SHARE = 0.5
"""So much of a citation's words a file's name must have, of those that any name has; rare ones weigh more."""
_WORD = re.compile(r"[^\W_]+")


def put_cited_first(
    files: Sequence[FileState], cited: Iterable[str], describe: Callable[[FileKey], str]
) -> Sequence[FileState]:
    """``files``, those first that seem to hold what is ``cited`` (as drafts write it), then the others.

    ``describe`` gives what catalogues say of a file, "" where they say nothing.
    """
    wanted = {words: None for each in cited if (words := frozenset(_words(each)))}
    if not wanted or len(files) < 2:
        return files
    asked = frozenset().union(*wanted)
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for place, file in enumerate(files):
        for word in asked.intersection(_words(f"{file.key.relative} {describe(file.key)}")):
            holding[word].append(place)
    weights = {word: math.log((len(files) + 1) / (len(holding[word]) + 0.5)) for word in asked}
    first: dict[int, None] = {}
    for words in wanted:
        scores: defaultdict[int, float] = defaultdict(float)
        for word in words:
            for place in holding[word]:
                scores[place] += weights[word]
        least = LEAST_SHARE * sum(weights[word] for word in words if holding[word])
        fitting = [place for place, score in scores.items() if score >= least > 0]
        fitting.sort(key=lambda place: (-scores[place], place))
        first.update(dict.fromkeys(fitting[:FILES_A_CITATION]))
    return [*(files[place] for place in first), *(f for place, f in enumerate(files) if place not in first)]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
