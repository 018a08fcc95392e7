"""Find system fonts to embed in a PDF, and replace characters that a font lacks by their codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fpdf import FPDF

CORE_ENCODING = "windows-1252"
"""The encoding of the PDF core fonts, which every viewer has."""
_MOST_FILES = 20_000
"""Approximate maximum number of files examined in all font folders together."""


def _list_folders() -> list[Path]:
    home = Path.home()
    if sys.platform == "win32":
        return [Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts"]
    if sys.platform == "darwin":
        return [home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts/Supplemental")]
    shared = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts")]
    return [home / ".local/share/fonts", home / ".fonts", *shared]


def find_font(families: Sequence[tuple[str, ...]]) -> tuple[Path, ...]:
    """Return the files of the first font family that is completely installed, or nothing if none is.

    A family lists the names of its files, one per style.
    """
    found: dict[str, Path] = {}
    wanted = {name for family in families for name in family}
    seen = 0
    for folder in _list_folders():
        for where, _, names in os.walk(folder):
            seen += len(names)
            for name in wanted.intersection(names):
                found.setdefault(name, Path(where) / name)
            if seen > _MOST_FILES:
                break
    whole = (family for family in families if all(name in found for name in family))
    return tuple(found[name] for name in next(whole, ()))


def find_signs(document: FPDF) -> Callable[[str], bool]:
    """Return a function that checks whether a document's embedded fonts, or the core fonts if it has none,
    have a character.
    """
    from fpdf.fonts import TTFFont

    embedded = [each.cmap for each in document.fonts.values() if isinstance(each, TTFFont)]
    if not embedded:
        return _is_in_core
    return lambda sign: all(ord(sign) in each for each in embedded)


def write_lacking(text: str, has: Callable[[str], bool]) -> str:
    """Return text in which the characters that a font lacks are replaced by their codes: "[U+4E2D
    U+6587]".
    """
    if text.isascii():
        return text
    parts: list[str] = []
    missing: list[str] = []
    for sign in text:
        if has(sign):
            parts += [*_close(missing), sign]
            missing = []
        else:
            missing.append(f"U+{ord(sign):04X}")
    return "".join([*parts, *_close(missing)])


def _close(missing: Sequence[str]) -> Iterator[str]:
    if missing:
        yield f"[{' '.join(missing)}]"


def _is_in_core(sign: str) -> bool:
    try:
        sign.encode(CORE_ENCODING)
    except UnicodeEncodeError:
        return False
    return True
