"""Send requests to the indexer: embed passages first, read files first, rescan the folders, or pause.

Readers append lines to a file next to the index, and the indexer reads new lines, however it was started.
Appending a few lines is atomic on every platform, so no lock is needed, and a lost request only costs time. A
request to pause is a separate file, which exists until indexing may continue.

Files that contain cited authorities are found by their names and their catalogue descriptions.
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
"""A request: the id of a passage to embed first; ``RESCAN`` or ``RENEW``; an authority as cited in a draft,
whose file is to be read first; or a file with wrong index entries, to be read again.
"""
RESCAN = -1
"""Request to compare the folders with the index again."""
RENEW = -2
"""Request to rebuild the index, which is damaged."""
_LARGEST = 1 << 20
"""If the file of requests has more bytes than this, readers add no requests until the indexer has
emptied it.
"""


def find_wishes_file(index: Path) -> Path:
    """Return the path of an index's file of requests."""
    return find_beside(index, "-wanted")


def append_wishes(index: Path, wishes: Iterable[Wish]) -> None:
    """Append requests for the indexer of ``index``, which need not exist yet.

    If the file cannot be written, the requests are dropped, because no indexer can run there either.
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
    """Reads the file of requests for the indexer, and returns each request once."""

    def __init__(self, index: Path) -> None:
        self._path = find_wishes_file(index)
        self._read = 0

    def take(self) -> list[Wish]:
        """Return the requests added since the last call, oldest first."""
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
        """Empty the file if all requests in it were read; called in idle time."""
        try:
            if 0 < self._path.stat().st_size <= self._read:
                os.truncate(self._path, 0)
                self._read = 0
        except FileNotFoundError:
            self._read = 0


def _read(line: bytes) -> Wish | None:
    """Parse a request from a line; None if this version does not know that form of request."""
    try:
        wish = json.loads(line)
    except ValueError:
        return None
    if isinstance(wish, list) and len(wish) == 2 and all(isinstance(each, str) for each in wish):
        return FileKey(*wish)
    return wish if isinstance(wish, int | str) else None


def set_paused(index: Path, paused: bool) -> None:
    """Pause or resume the indexer of ``index``. A pause also applies to any indexer started later."""
    path = _pause_file(index)
    if paused:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    else:
        path.unlink(missing_ok=True)


def is_paused(index: Path) -> bool:
    """Return whether the indexer of ``index`` must pause."""
    return _pause_file(index).exists()


def _pause_file(index: Path) -> Path:
    return find_beside(index, "-paused")


FILES_A_CITATION = 3
"""Maximum number of files that are read first for each citation: the files whose names fit best."""
LEAST_SHARE = 0.5
"""Minimum weighted share of a citation's words that a file's name must contain. Words that are in no file's
name are ignored, and rare words count more.
"""
_WORD = re.compile(r"[^\W_]+")


def put_cited_first(
    files: Sequence[FileState], cited: Iterable[str], describe: Callable[[FileKey], str]
) -> Sequence[FileState]:
    """Return ``files`` in a new order: first those that seem to contain the authorities ``cited`` in drafts.

    ``describe`` returns the catalogue description of a file, "" if there is none.
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
