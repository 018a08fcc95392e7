"""Decode the bytes of a text file."""

from __future__ import annotations

import codecs
import contextlib
import re

from lexls.library.document import UnreadableFile

_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
"""Bytes that do not occur in text in any single-byte encoding; a file with one of them is not text."""
_NO_CHARACTER = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_NO_ASCII = re.compile(r"[^\x00-\x7f]")
_UNLIKE_WINDOWS = re.compile(r"[ðþýÐÞÝ]|[^\W\d_][¡-¬®-¶¸-¿×÷ƒˆ˜][^\W\d_]|[À-ÿ]{4}|[a-z][À-ÖØ-ÞŠŽŒŸ][a-z]")
"""Patterns that are unlikely in Windows-1252, and so show that the text has another encoding: rare letters,
symbols and capitals within words, long runs of accented letters.
"""
_MOST_ACCENTED = 0.2
_SAMPLE = 1 << 16
_WINDOWS = "cp1252"
"""The encoding of nearly all legal texts that are not UTF-8. It is tried first, since others decode its pound
sign wrongly.
"""
_CONTROL = re.compile(rb"\xc2[\x80-\x84\x86-\x9f]")
"""A control character in UTF-8. Searching bytes is many times as fast as searching code points, since all
matches have the same first byte.
"""
_WINDOWS_SIGNS = {
    each: sign
    for each in range(0x80, 0xA0)
    if each != 0x85 and (sign := bytes([each]).decode(_WINDOWS, "ignore"))
}
_NO_LETTERS = bytes(each for each in range(256) if not bytes([each]).decode(_WINDOWS, "replace").isalpha())
_UNACCENTED = bytes(range(0xC0))
_NAMES = {"cp1252": "Windows-1252"}


def decode(data: bytes) -> str:
    """Return the text of a file, decoded as by ``decode_stating``."""
    return decode_stating(data)[0]


def decode_stating(data: bytes, declared: str = "") -> tuple[str, tuple[str, ...]]:
    """Return the text of a file, and a warning that names its encoding if that had to be guessed.

    These encodings are tried in order: UTF-8 with or without a BOM, UTF-16 with a BOM, the encoding
    ``declared`` by the file ("" if none), and the one that fits the text. The BOM is removed. Raises
    ``UnreadableFile`` with the first byte that is not UTF-8 and its offset in the file.
    """
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        encoding, bom = "utf-32", 0
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding, bom = "utf-16", 0
    else:
        encoding, bom = "utf-8", 3 if data.startswith(codecs.BOM_UTF8) else 0
    if encoding == "utf-8" and not bom and (wide := _find_wide(data)):
        with contextlib.suppress(UnicodeDecodeError):
            text = data.decode(wide)
            if not _NO_CHARACTER.search(text):
                return text, (f"no byte-order mark; read as {wide.upper()}",)
    try:
        text = (data[bom:] if bom else data).decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "utf-8" and declared not in ("", "utf-8"):
            return restore_windows(_decode_declared(data, declared)), ()
        if encoding == "utf-8" and not bom and (found := _detect(data)) is not None:
            return found
        at = error.start + bom
        name = encoding.upper()
        raise UnreadableFile(f"not {name} text (byte 0x{data[at]:02x} at offset {at})") from None
    if encoding == "utf-8" and (at := text.find("\0")) >= 0:
        offset = len(text[:at].encode("utf-8")) + bom
        raise UnreadableFile(f"not UTF-8 text (byte 0x00 at offset {offset})")
    return restore_windows(text), ()


def restore_windows(text: str) -> str:
    """Replace the control characters in ``text`` that represent dashes and quotation marks.

    A program that mistakes Windows-1252 for Latin-1 writes U+0096 for an en dash. The length does not change.
    """
    if text.isascii() or not _CONTROL.search(text.encode("utf-8", "surrogatepass")):
        return text
    return text.translate(_WINDOWS_SIGNS)


_CHARSET = re.compile(
    rb"""<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,100}?encoding)\s{0,5}=\s{0,5}["']?([A-Za-z0-9_.:-]{2,30})""",
    re.IGNORECASE,
)


def decode_marked_up(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the source of HTML or XML, decoded as by ``decode_stating``. Either may declare its encoding in
    the source.
    """
    declared = _CHARSET.search(data, 0, 4096)
    try:
        charset = codecs.lookup(declared[1].decode("ascii")).name if declared else ""
    except LookupError:
        charset = ""
    return decode_stating(data, charset)


def _find_wide(data: bytes) -> str:
    """Return the encoding of UTF-16 text without a BOM (every other byte is mostly zero), or "" for other
    data.
    """
    sample = data[:_SAMPLE]
    if len(data) % 2 or len(data) < 4 or b"\0" not in sample:
        return ""
    even, odd = sample[::2], sample[1::2]
    zeros = even.count(0), odd.count(0)
    if min(zeros) * 50 > len(even) or max(zeros) * 2 < len(even):
        return ""
    return "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"


def _is_windows(data: bytes) -> bool:
    """Return whether data is certainly Windows-1252, because its words and symbols are plausible if it is
    decoded that way.
    """
    # The encoding's last letter (0xFF) is hardly ever used.
    if b"\xff" in data:
        return False
    try:
        text = data.decode(_WINDOWS)
    except UnicodeDecodeError:
        return False
    letters = len(data.translate(None, _NO_LETTERS))
    accented = len(data.translate(None, _UNACCENTED))
    if accented > letters * _MOST_ACCENTED:
        return False
    places = (match.start() for match in _NO_ASCII.finditer(text))
    return not any(_UNLIKE_WINDOWS.search(text, max(0, at - 1), at + 4) for at in places)


def _decode_declared(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except (LookupError, UnicodeError):
        raise UnreadableFile(f"not {encoding} text, as it declares") from None


def _detect(data: bytes) -> tuple[str, tuple[str, ...]] | None:
    """Decode text with the encoding that fits it. Return the text and a warning that names the encoding; None
    if the data is not text.
    """
    if _NO_TEXT.search(data):
        return None
    if _is_windows(data):
        return data.decode(_WINDOWS), (f"not UTF-8; read as {_NAMES[_WINDOWS]}",)
    from charset_normalizer import from_bytes  # only for the few files that are not UTF-8

    # 0xFF is hardly ever used in Windows-1252, but is a frequent letter in Cyrillic encodings.
    best = None if b"\xff" in data else from_bytes(data, cp_isolation=[_WINDOWS]).best()
    if best is None:
        best = from_bytes(data).best()
        if best is None or not best.percent_coherence:
            return None
    name = _NAMES.get(best.encoding, best.encoding)
    return data.decode(best.encoding), (f"not UTF-8; read as {name}",)
