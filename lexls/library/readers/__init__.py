"""Read a file of the library into a ``SourceDocument``."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.library.document import Extract, SourceDocument, UnreadableFile
from lexls.library.readers.decoding import decode

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar
    from lexls.library.readers.ocr import ReadPictures

__all__ = ["MAX_BYTES", "SUFFIXES", "decode", "parse", "read", "read_bytes"]

_READERS: Mapping[str, tuple[str, str]] = {
    "text": ("plain", "extract"),
    "markdown": ("plain", "extract_markdown"),
    "html": ("html", "extract"),
    "xml": ("legal_xml", "extract"),
    "docx": ("docx", "extract"),
    "pdf": ("pdf", "extract"),
    "json": ("records", "extract"),
    "table": ("records", "extract_table"),
    "odt": ("odt", "extract"),
    "rtf": ("rtf", "extract"),
    "epub": ("epub", "extract"),
    "e-mail": ("mail", "extract"),
    "mhtml": ("mail", "extract_page"),
    "doc": ("old_word", "extract"),
}
"""The module and the function that read a format."""
_FORMATS: Mapping[str, str] = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".xml": "xml",
    ".akn": "xml",
    ".docx": "docx",
    ".pdf": "pdf",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".csv": "table",
    ".odt": "odt",
    ".rtf": "rtf",
    ".epub": "epub",
    ".eml": "e-mail",
    ".mht": "mhtml",
    ".mhtml": "mhtml",
    # What ends so is often RTF, a page or a newer Word document.
    ".doc": "doc",
}
"""The formats of files by their suffixes in lower case, where their content does not tell another."""
SUFFIXES: frozenset[str] = frozenset(_FORMATS)
"""The suffixes, in lower case, of the files that can be read."""

MAX_BYTES = 50 * 2**20
"""Larger files are refused unless told otherwise."""
_REASONS: Mapping[int, str] = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ELOOP: "symbolic link loop",
    errno.ENAMETOOLONG: "file name too long",
    errno.EIO: "input/output error",
}


def read(path: Path, grammar: Grammar, max_bytes: int = MAX_BYTES) -> SourceDocument:
    """Read ``path`` with the reader of its format, and find its structure and metadata; pictures by OCR.

    Raises ``UnreadableFile`` with the reason when it is missing, no regular file, larger than
    ``max_bytes``, not readable by this user, empty, or not in the format that its suffix names.
    """
    from lexls.library.readers.ocr import read_pictures

    return parse(path, read_bytes(path, max_bytes), grammar, read_pictures)


def parse(
    path: Path, data: bytes, grammar: Grammar, read_pictures: ReadPictures | None = None
) -> SourceDocument:
    """Read ``data``, the bytes of the file ``path``, with the reader of its format.

    Nothing is opened: whoever hashes the same bytes knows what was read. ``read_pictures`` reads pages that
    have no text. Raises ``UnreadableFile`` with the reason when they are not in the format that the suffix
    names, or hold no text.
    """
    from lexls.library.metadata import read_metadata
    from lexls.library.structure import find_structure

    format = find_format(path, data)
    module, function = _READERS[format]
    pictures = (read_pictures,) if format == "pdf" else ()
    extract: Extract = getattr(import_module(f"lexls.library.readers.{module}"), function)(data, *pictures)
    if not extract.pieces:
        raise UnreadableFile("no text in it")
    found, sources = read_metadata(extract, path, grammar)
    return SourceDocument(
        text=extract.text,
        metadata=found,
        blocks=find_structure(extract.text, extract.pieces, found.kind, found.title, found.jurisdiction),
        page_starts=extract.page_starts,
        page_numbers=extract.page_numbers,
        source_map=extract.source_map,
        warnings=extract.warnings,
        sources=sources,
        format=extract.format or format,
        scanned=extract.scanned,
    )


_MAGIC: Mapping[str, bytes] = {
    "pdf": rb"\s*%PDF-",
    "rtf": rb"\s*\{\\rtf\d",
    "odt": rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.text",
    "epub": rb"PK\x03\x04.{26}mimetypeapplication/epub\+zip",
    "docx": rb"PK\x03\x04(?=.{26}(?:\[Content_Types\]\.xml|_rels/|word/|docProps/))",
    "json": rb'(?:\xef\xbb\xbf)?\s*\{\s*"[\w@$ -]{1,60}"\s*:',
}
"""Patterns of how the files of a format begin, whatever they are called."""
_MARKED_UP = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\x00]*<")


def find_format(path: Path, data: bytes) -> str:
    """The format of a file: what its content tells, else its suffix. Raises ``UnreadableFile`` for others."""
    for format, pattern in _MAGIC.items():
        if re.match(pattern, data, re.DOTALL):
            return format
    if _MARKED_UP.match(data):
        from lexls.library.readers.legal_xml import find_marked_up

        if told := find_marked_up(data):
            return told
    found = _FORMATS.get(path.suffix.lower())
    if found is None:
        raise UnreadableFile(f'no reader for "{path.suffix}" files')
    return found


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """The bytes of a regular file. It is never opened otherwise: opening a FIFO would wait forever.

    Raises ``UnreadableFile`` with the reason.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        reason = "broken symbolic link" if path.is_symlink() else "no such file"
        raise UnreadableFile(reason) from None
    except OSError as error:
        raise UnreadableFile(_reason(error)) from error
    _check(status, max_bytes)
    # O_NONBLOCK: should the path have become a FIFO meanwhile, opening it returns at once.
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    )
    try:
        with open(os.open(path, flags), "rb") as file:
            _check(os.fstat(file.fileno()), max_bytes)
            data = file.read(max_bytes + 1)
    except OSError as error:
        raise UnreadableFile(_reason(error)) from error
    if len(data) > max_bytes:
        raise UnreadableFile(_too_large(len(data), max_bytes))
    if not data:
        raise UnreadableFile("empty file")
    return data


def _check(status: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile("not a regular file")
    if status.st_size > max_bytes:
        raise UnreadableFile(_too_large(status.st_size, max_bytes))


def _too_large(size: int, max_bytes: int) -> str:
    allowed = f"{max_bytes / 2**20:.1f}".removesuffix(".0")
    sizes = f"{size / 2**20:.1f} MB > {allowed} MB"
    return f"larger than the limit ({sizes}); raise index.maxFileMegabytes to read it"


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return _REASONS.get(error.errno or 0) or (error.strerror or "cannot be read").lower()
