"""Read EPUB: the pages of a book in the order of its spine."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from lexls.library.document import Extract, ExtractedPiece, UnreadableFile
from lexls.library.readers.archive import Archive
from lexls.library.readers.decoding import decode_marked_up
from lexls.library.readers.html import extract_source

_PAGES = frozenset({"application/xhtml+xml", "text/html"})


def extract(data: bytes) -> Extract:
    """Read an EPUB; its contents page is left out. Raises ``UnreadableFile`` for what is none."""
    archive = Archive.open(data, "EPUB")
    with archive.archive:
        title, names = _read_package(archive)
        pages = [content for name in names if (content := archive.read(name))]
        texts = [extract_source(decode_marked_up(content)[0]) for content in pages]
    parts: list[str] = []
    pieces: list[ExtractedPiece] = []
    length = 0
    for found in texts:
        if not found.pieces:
            continue
        if parts:
            parts.append("\n\n")
            length += 2
        parts.append(found.text)
        pieces += [piece.shift(length) for piece in found.pieces]
        length += len(found.text)
    return Extract("".join(parts), tuple(pieces), declared={"title": title} if title else {})


def _read_package(archive: Archive) -> tuple[str, list[str]]:
    """The title of the book and the names of its pages, in order."""
    container = archive.read_xml("META-INF/container.xml")
    paths = [] if container is None else [each.get("full-path") for each in container.iter("{*}rootfile")]
    package = archive.read_xml(paths[0] or "") if paths else None
    if package is None:
        raise UnreadableFile("not an EPUB file (it names no package)")
    folder = posixpath.dirname(paths[0] or "")
    pages = {
        each.get("id", ""): posixpath.normpath(posixpath.join(folder, unquote(each.get("href", ""))))
        for each in package.iter("{*}item")
        if each.get("media-type") in _PAGES and "nav" not in each.get("properties", "").split()
    }
    title = next((each.text or "" for each in package.iter("{*}title")), "")
    order = [each.get("idref", "") for each in package.iter("{*}itemref")]
    return " ".join(title.split()), [pages[each] for each in order if each in pages]
