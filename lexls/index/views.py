"""Where an editor opens a passage: the file itself, or a readable copy of its extracted text."""

from __future__ import annotations

import os
import re
import tempfile
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

from lexls.index.records import Authority, OpenLocation
from lexls.library.document import UnreadableFile
from lexls.library.readers.html import source_of


def locate(
    authority: Authority,
    text: str,
    source_map: Sequence[tuple[int, int, int]],
    views: Path,
    start: int,
    end: int,
) -> OpenLocation:
    """Where ``[start, end)`` of the authority's ``text`` is shown.

    Plain formats open as they are; ``source_map`` carries offsets of the text to those of the file where
    they differ (HTML). Other formats are shown as their text, written into the folder ``views``.
    """
    if not authority.is_text:
        return OpenLocation(_view(authority, text, views), start, end, text)
    if not source_map:
        return OpenLocation(authority.path, start, end, text)
    try:
        source = source_of(authority.path.read_bytes())
    except (OSError, UnreadableFile):
        return OpenLocation(_view(authority, text, views), start, end, text)
    first = _to_source(source_map, start)
    last = _to_source(source_map, max(start, end - 1)) + (end > start)
    return OpenLocation(authority.path, min(first, len(source)), min(last, len(source)), source)


def _to_source(source_map: Sequence[tuple[int, int, int]], offset: int) -> int:
    place = bisect_right(source_map, offset, key=lambda run: run[0]) - 1
    if place < 0:
        return source_map[0][1]
    text_start, source_start, length = source_map[place]
    return source_start + min(offset - text_start, length)


def _view(authority: Authority, text: str, views: Path) -> Path:
    """The read-only copy of an authority's extracted text, written if it is not there yet."""
    name = re.sub(r"[^\w.,()\[\]-]+", " ", authority.path.stem).strip()[:80]
    path = views / f"{authority.id}" / f"{name}{authority.path.suffix}.txt"
    data = text.encode()
    if path.exists() and path.stat().st_size == len(data):
        return path
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Several requests, and several servers, may want the same copy at the same moment.
    descriptor, draft = tempfile.mkstemp(prefix=".view-", dir=path.parent)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
    os.chmod(draft, 0o400)
    os.replace(draft, path)
    return path
