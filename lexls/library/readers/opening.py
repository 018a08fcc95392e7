"""Open only regular files, limit how much they unpack to, and explain why a file is refused."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from lexls.library.document import UnreadableFile

MAX_BYTES = 50 * 2**20
"""Default maximum size of a file, in bytes."""
_REASONS: Mapping[int, str] = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ELOOP: "symbolic link loop",
    errno.ENAMETOOLONG: "file name too long",
    errno.EIO: "input/output error",
}


@contextmanager
def open_file(path: Path, max_bytes: int | None = None) -> Iterator[IO[bytes]]:
    """Open a regular file for reading. Other files are not opened, since opening a FIFO would wait forever.

    Raises ``UnreadableFile`` with the reason, including for a file larger than ``max_bytes`` (None: any
    size).
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        reason = "broken symbolic link" if path.is_symlink() else "no such file"
        raise UnreadableFile(reason) from None
    except OSError as error:
        raise UnreadableFile(_reason(error)) from error
    _check(status, max_bytes)
    # O_NONBLOCK: if the path has become a FIFO in the meantime, opening it returns immediately.
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    )
    try:
        with open(os.open(path, flags), "rb") as file:
            _check(os.fstat(file.fileno()), max_bytes)
            yield file
    except OSError as error:
        raise UnreadableFile(_reason(error)) from error


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """Return the bytes of a regular file. Raises ``UnreadableFile`` with the reason."""
    with open_file(path, max_bytes) as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise UnreadableFile(_too_large(len(data), max_bytes))
    if not data:
        raise UnreadableFile("empty file")
    return data


def _check(status: os.stat_result, max_bytes: int | None) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile("not a regular file")
    if max_bytes is not None and status.st_size > max_bytes:
        raise UnreadableFile(_too_large(status.st_size, max_bytes))


def _too_large(size: int, max_bytes: int) -> str:
    allowed = f"{max_bytes / 2**20:.1f}".removesuffix(".0")
    sizes = f"{size / 2**20:.1f} MB > {allowed} MB"
    return f"larger than the limit ({sizes}); raise index.maxFileMegabytes to read it"


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return _REASONS.get(error.errno or 0) or (error.strerror or "cannot be read").lower()


@dataclass(frozen=True, slots=True)
class GrowthLimit:
    """An upper limit: ``most`` is the number allowed. ``reason`` is the error message, with the fields
    ``{found}`` and ``{most}``.
    """

    most: int
    reason: str

    def check(self, found: int, **named: object) -> None:
        """Raise ``UnreadableFile`` if ``found`` exceeds the limit; ``named`` are further fields of the
        message.
        """
        if found > self.most:
            raise UnreadableFile(self.reason.format(found=found, most=self.most, **named))


@dataclass(frozen=True, slots=True)
class UnpackingLimit:
    """A limit for compressed content, which may unpack to ``large`` bytes or to ``ratio`` times its size,
    whichever is more.

    Compression usually reduces content to between a tenth and a thirtieth. A limit is needed because one
    paragraph repeated a million times would keep a reader busy for minutes.
    """

    large: int
    ratio: int

    def measure(self, packed: int) -> int:
        """Return the maximum number of bytes that ``packed`` compressed bytes may unpack to."""
        return max(self.large, self.ratio * packed)

    def refuse(self) -> UnreadableFile:
        """Return the error for content that exceeds the limit."""
        return UnreadableFile(f"unpacks to more than {self.ratio} times its size (a decompression bomb?)")


PARTS_OF_ARCHIVE = UnpackingLimit(8 * 2**20, 100)
"""Limit for each part of a DOCX, ODT or EPUB file."""
PDF_STREAMS = UnpackingLimit(4 * 2**20, 100)
"""Limit for the content streams of a PDF's pages; PDFium needs several hundred bytes for each of their
operators.
"""

PDF_PAGES = GrowthLimit(20_000, "{found:,} pages, more than the {most:,} that are read")
"""Limit for the pages of a PDF; a longer record is many documents in one file."""
PDF_PAGE_CHARACTERS = GrowthLimit(
    300_000, "page {page} has {found:,} characters, more than the {most:,} that are read of a page"
)
"""Limit for one page of a PDF. A page of 200 inches, the tallest allowed, has half as many characters in
ordinary type.
"""
PDF_CHARACTERS = GrowthLimit(
    1_000_000, "more than {most:,} characters drawn out of {kilobytes:,} kB (the same ones again and again?)"
)
PDF_CHARACTERS_A_BYTE = 20
"""Number of characters per byte of a PDF up to which ``PDF_CHARACTERS`` does not apply. Prose compresses only
to a third.
"""
ENTITIES = GrowthLimit(
    1_000_000, "{found:,} character references (such as &amp;), more than the {most:,} read"
)
"""Limit for the character references of an HTML page. Each one costs as much time as a word; five hundred
pages that consist only of references have this many.
"""
MAIL_PARTS = GrowthLimit(5_000, "damaged e-mail (more than {most:,} parts)")
"""Limit for the parts of an e-mail. A page saved by a browser has a part for each picture, perhaps a few
hundred.
"""
MAIL_CONTAINERS = GrowthLimit(200, "damaged e-mail (more than {most} parts that hold others)")
"""Limit for the parts that contain others, since each line of a message is compared with all open
boundaries.
"""
MAIL_HEADER = 20_000
"""Maximum number of characters read from a header, enough for seven hundred addresses."""

_STREAM = re.compile(rb"\bstream\r?\n")
_DICTIONARY = 2_000
"""Number of bytes before a PDF's stream that are searched for its dictionary."""
_FLATE = re.compile(rb"/(?:FlateDecode|Fl)\b")
_NOT_DRAWN_BY = re.compile(rb"/(?:Subtype\s{0,9}/Image|Type\s{0,9}/EmbeddedFile)\b")
"""Matches the dictionaries of pictures and attached files, which are not unpacked here."""
_DEFLATED = 1_032
"""Maximum compression ratio of deflated content."""
_CHUNK = 1 << 16


def check_pdf_streams(data: bytes) -> None:
    """Raise ``UnreadableFile`` if a stream of a PDF, other than a picture, unpacks beyond ``PDF_STREAMS``.

    PDFium would unpack it, and keep each of its operators, before reporting how many there are. Streams that
    are encrypted or compressed by other methods are not checked.
    """
    for match in _STREAM.finditer(data):
        before = data[max(0, match.start() - _DICTIONARY) : match.start()]
        dictionary = before[before.rfind(b" obj") + 1 :]
        layers = len(_FLATE.findall(dictionary))
        if not layers or _NOT_DRAWN_BY.search(dictionary):
            continue
        end = data.find(b"endstream", match.end())
        packed = data[match.end() : end if end >= 0 else len(data)]
        most = PDF_STREAMS.measure(len(packed))
        if len(packed) * _DEFLATED**layers > most and _unpacks_beyond(packed, layers, most):
            raise PDF_STREAMS.refuse()


def check_pdf_characters(found: int, size: int) -> None:
    """Raise ``UnreadableFile`` if a PDF of ``size`` bytes shows more characters than a genuine one could."""
    if found > PDF_CHARACTERS_A_BYTE * size:
        PDF_CHARACTERS.check(found, kilobytes=-(-size // 1000))


def _unpacks_beyond(packed: bytes, layers: int, most: int) -> bool:
    found = 0
    for chunk in unpack(packed, layers):
        found += len(chunk)
        if found > most:
            return True
    return False


def unpack(packed: bytes, layers: int = 1) -> Iterator[bytes]:
    """Yield the content of data deflated ``layers`` times, up to the first damaged part."""
    chunks: Iterator[bytes] = (packed[at : at + _CHUNK] for at in range(0, len(packed), _CHUNK))
    for _ in range(layers):
        chunks = _unpack(chunks)
    with contextlib.suppress(zlib.error):
        yield from chunks


def _unpack(chunks: Iterator[bytes]) -> Iterator[bytes]:
    unpacking = zlib.decompressobj()
    for packed in chunks:
        left = packed
        while left and not unpacking.eof:
            yield unpacking.decompress(left, _CHUNK)
            left = unpacking.unconsumed_tail
