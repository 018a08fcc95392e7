"""Open files without waiting for what is no file, limit what they grow into, and say why one is refused."""

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
"""Larger files are refused unless told otherwise."""
_REASONS: Mapping[int, str] = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ELOOP: "symbolic link loop",
    errno.ENAMETOOLONG: "file name too long",
    errno.EIO: "input/output error",
}


@contextmanager
def open_file(path: Path, max_bytes: int | None = None) -> Iterator[IO[bytes]]:
    """A regular file, open for reading. It is never opened otherwise: opening a FIFO would wait forever.

    Raises ``UnreadableFile`` with the reason, as for a file that is larger than ``max_bytes`` (None: any
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
    # O_NONBLOCK: should the path have become a FIFO meanwhile, opening it returns at once.
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
    """The bytes of a regular file. Raises ``UnreadableFile`` with the reason."""
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
    """At most ``most`` of something are read. ``reason`` says of what, with ``{found}`` and ``{most}``."""

    most: int
    reason: str

    def check(self, found: int, **named: object) -> None:
        """Raise ``UnreadableFile`` if there are more than ``most``; ``named`` fills further fields."""
        if found > self.most:
            raise UnreadableFile(self.reason.format(found=found, most=self.most, **named))


@dataclass(frozen=True, slots=True)
class UnpackingLimit:
    """Packed content over ``large`` bytes may unpack to ``ratio`` times its size.

    Real content shrinks ten- to thirtyfold. One paragraph repeated a million times would keep a reader busy
    for minutes.
    """

    large: int
    ratio: int

    def measure(self, packed: int) -> int:
        """Return the largest number of bytes that so many packed ones may unpack to."""
        return max(self.large, self.ratio * packed)

    def refuse(self) -> UnreadableFile:
        """Return the error for content that unpacks to more."""
        return UnreadableFile(f"unpacks to more than {self.ratio} times its size (a decompression bomb?)")


PARTS_OF_ARCHIVE = UnpackingLimit(8 * 2**20, 100)
"""For each part of a DOCX, ODT or EPUB file."""
PDF_STREAMS = UnpackingLimit(4 * 2**20, 100)
"""For what a PDF draws its pages by; each operator of a stream takes PDFium some hundred bytes."""

PDF_PAGES = GrowthLimit(20_000, "{found:,} pages, more than the {most:,} that are read")
"""A longer record is many documents in one file."""
PDF_PAGE_CHARACTERS = GrowthLimit(
    300_000, "page {page} has {found:,} characters, more than the {most:,} that are read of a page"
)
"""A page of 200 inches, the tallest that a PDF may have, holds half as many in ordinary type."""
PDF_CHARACTERS = GrowthLimit(
    1_000_000, "more than {most:,} characters drawn out of {kilobytes:,} kB (the same ones again and again?)"
)
PDF_CHARACTERS_A_BYTE = 20
"""A PDF may have more than ``PDF_CHARACTERS`` up to so many for each of its bytes; prose packs to a third."""
ENTITIES = GrowthLimit(
    1_000_000, "{found:,} character references (such as &amp;), more than the {most:,} read"
)
"""For a page in HTML; each costs as much as a word. Five hundred pages of nothing else have as many."""
MAIL_PARTS = GrowthLimit(5_000, "damaged e-mail (more than {most:,} parts)")
"""A page that a browser saved has a part for each picture, some hundred."""
MAIL_CONTAINERS = GrowthLimit(200, "damaged e-mail (more than {most} parts that hold others)")
"""Each line of a message is compared with the boundaries of all that are open."""
MAIL_HEADER = 20_000
"""Maximum number of characters read of a header: the addresses of seven hundred people."""

_STREAM = re.compile(rb"\bstream\r?\n")
_DICTIONARY = 2_000
"""Bytes before a PDF's stream in which its dictionary stands."""
_FLATE = re.compile(rb"/(?:FlateDecode|Fl)\b")
_NOT_DRAWN_BY = re.compile(rb"/(?:Subtype\s{0,9}/Image|Type\s{0,9}/EmbeddedFile)\b")
"""In the dictionaries of pictures and of attached files, which are not unpacked here."""
_DEFLATED = 1_032
"""How many times its size deflated content is at most."""
_CHUNK = 1 << 16


def check_pdf_streams(data: bytes) -> None:
    """Raise ``UnreadableFile`` if a stream of a PDF that is no picture unpacks beyond ``PDF_STREAMS``.

    PDFium would unpack it, and keep each of its operators, before it says how many there are. Streams that
    are encrypted or packed otherwise pass.
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
    """Raise ``UnreadableFile`` if a PDF of ``size`` bytes draws more characters than one can hold."""
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
    """Yield what was deflated so many times, as far as it is undamaged."""
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
