"""Limit what a small file may grow into, each limit with the reason that the file is refused with."""

from __future__ import annotations

import contextlib
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from lexls.library.document import UnreadableFile


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
    chunks: Iterator[bytes] = (packed[at : at + _CHUNK] for at in range(0, len(packed), _CHUNK))
    for _ in range(layers):
        chunks = _unpack(chunks)
    found = 0
    with contextlib.suppress(zlib.error):
        for chunk in chunks:
            found += len(chunk)
            if found > most:
                return True
    return False


def _unpack(chunks: Iterator[bytes]) -> Iterator[bytes]:
    unpacking = zlib.decompressobj()
    for packed in chunks:
        left = packed
        while left and not unpacking.eof:
            yield unpacking.decompress(left, _CHUNK)
            left = unpacking.unconsumed_tail
