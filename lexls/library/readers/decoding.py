"""Bytes to text."""

from __future__ import annotations

import codecs

from lexls.library.document import UnreadableFile


def decode(data: bytes) -> str:
    """The text of a file: UTF-8 with or without a BOM, or UTF-16 with one. The BOM is removed.

    Raises ``UnreadableFile`` naming the first byte that is not UTF-8 and its offset in the file.
    """
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        encoding, bom = "utf-32", 0
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding, bom = "utf-16", 0
    else:
        encoding, bom = "utf-8", 3 if data.startswith(codecs.BOM_UTF8) else 0
    try:
        text = (data[bom:] if bom else data).decode(encoding)
    except UnicodeDecodeError as error:
        at = error.start + bom
        name = encoding.upper()
        raise UnreadableFile(f"not {name} text (byte 0x{data[at]:02x} at offset {at})") from None
    if encoding == "utf-8" and (at := text.find("\0")) >= 0:
        offset = len(text[:at].encode("utf-8")) + bom
        raise UnreadableFile(f"not UTF-8 text (byte 0x00 at offset {offset})")
    return text
