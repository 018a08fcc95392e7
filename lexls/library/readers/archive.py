"""Read the parts of documents that are ZIP archives, limiting how much they unpack to, and the names of
elements in their XML.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexls.library.document import UnreadableFile
from lexls.library.readers.opening import PARTS_OF_ARCHIVE

if TYPE_CHECKING:
    from lxml.etree import _Element


_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
)
"""The exceptions that ``zipfile`` raises if an archive's directory or members are damaged."""
_LARGEST_PART = 64 * 2**20
"""Maximum unpacked size of a part in bytes, since a few kilobytes of ZIP can unpack to gigabytes of zeros. A
thousand pages of Word have about 10 MB; as a tree in memory, a part needs up to fifteen times its size.
"""


@dataclass(slots=True)
class Archive:
    """The parts of a document that is a ZIP archive; ``name`` is its format, for messages. Each part may
    unpack to 64 MB; if ``together``, that is the limit for all parts.
    """

    name: str
    archive: zipfile.ZipFile
    together: bool = True
    left: int = _LARGEST_PART

    @classmethod
    def open(cls, data: bytes, name: str, *, together: bool = True) -> Archive:
        """Open the archive in ``data``. Raises ``UnreadableFile`` with the reason if it is not an archive."""
        if not data.startswith(b"PK"):
            article = "an" if name[0] in "AEIOU" else "a"
            raise UnreadableFile(f"not {article} {name} file (no ZIP archive)")
        try:
            return cls(name, zipfile.ZipFile(io.BytesIO(data)), together)
        except _BROKEN:
            raise UnreadableFile(f"damaged {name} file (the ZIP archive is broken or cut off)") from None

    def read(self, part: str) -> bytes | None:
        """Return the bytes of a part, or None if there is no such part. Raises ``UnreadableFile`` if it
        exceeds the limits.
        """
        if part not in self.archive.NameToInfo:
            return None
        try:
            with self.archive.open(part) as stream:
                content = stream.read(self.left + 1)
        except RuntimeError:
            raise UnreadableFile("encrypted or packed in a way that is not supported") from None
        except _BROKEN:
            raise UnreadableFile(f"damaged {self.name} file (the ZIP archive is broken or cut off)") from None
        if len(content) > self.left:
            raise UnreadableFile(f"unpacks to more than {_LARGEST_PART // 2**20} MB")
        if self.together:
            self.left -= len(content)
        if len(content) > PARTS_OF_ARCHIVE.measure(self.archive.getinfo(part).compress_size):
            raise PARTS_OF_ARCHIVE.refuse()
        return content

    def read_xml(self, part: str) -> _Element | None:
        """Return the root of an XML part, or None if there is no such part."""
        from lxml import etree

        content = self.read(part)
        if content is None:
            return None
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
        )
        try:
            return etree.fromstring(content, parser)
        except etree.XMLSyntaxError:
            raise UnreadableFile(f"damaged {self.name} file ({part} is not valid XML)") from None


def read_local_name(element: _Element) -> str:
    """Return an element's name without its namespace; "" for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def find_child(element: _Element | None, name: str) -> _Element | None:
    """Return the first child with this name, or None if there is no such child or no element."""
    return None if element is None else next(element.iterchildren(f"{{*}}{name}"), None)


def read_attribute(element: _Element | None, name: str) -> str:
    """Return the value of an attribute by its local name, or "" if it is missing."""
    if element is None:
        return ""
    # Most attributes are in the namespace of their element.
    space, _, _ = str(element.tag).rpartition("}")
    if (found := element.get(f"{space}}}{name}" if space else name)) is not None:
        return found
    attributes = element.attrib.items()
    return next((str(value) for key, value in attributes if str(key).rpartition("}")[2] == name), "")
