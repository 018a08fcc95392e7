"""Find a font of the system to embed, and measure words in it; without one, use the core fonts."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fpdf import FPDF

FAMILY = "book"
STYLES = ("", "B", "I", "BI")
_FILES = (
    ("DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSerif-Italic.ttf", "DejaVuSerif-BoldItalic.ttf"),
    (
        *("LiberationSerif-Regular.ttf", "LiberationSerif-Bold.ttf"),
        *("LiberationSerif-Italic.ttf", "LiberationSerif-BoldItalic.ttf"),
    ),
    ("times.ttf", "timesbd.ttf", "timesi.ttf", "timesbi.ttf"),
    (
        *("Times New Roman.ttf", "Times New Roman Bold.ttf"),
        *("Times New Roman Italic.ttf", "Times New Roman Bold Italic.ttf"),
    ),
)
"""Files of fonts, regular, bold, italic and both, the one to use first."""
_TYPEWRITTEN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–", "-"),
        **dict.fromkeys("—―", "--"),
        "…": "...",
        "•": "*",
        "€": "EUR",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "™": "(TM)",
        **{sign: f"^{number}" for number, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    }
)
"""What stands in the core fonts for a sign that they lack."""
_MOST_FILES = 20_000
"""Files of font folders that are looked at."""


def list_font_folders() -> list[Path]:
    """The folders in which this system keeps fonts."""
    home = Path.home()
    if sys.platform == "win32":
        return [Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts"]
    if sys.platform == "darwin":
        return [home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts/Supplemental")]
    shared = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts")]
    return [home / ".local/share/fonts", home / ".fonts", *shared]


def find_font(folders: list[Path]) -> tuple[Path, ...]:
    """The files of the first known font with all four styles; empty if there is none."""
    found: dict[str, Path] = {}
    wanted = {name for family in _FILES for name in family}
    seen = 0
    for folder in folders:
        for where, _, names in os.walk(folder):
            seen += len(names)
            for name in wanted.intersection(names):
                found.setdefault(name, Path(where) / name)
            if seen > _MOST_FILES:
                break
    for family in _FILES:
        if all(name in found for name in family):
            return tuple(found[name] for name in family)
    return ()


@dataclass(slots=True)
class Fonts:
    """The font of a document in the making. ``embedded`` says whether it is one of the system."""

    document: FPDF
    embedded: bool = False
    _widths: dict[tuple[str, str], float] = field(default_factory=dict)

    @classmethod
    def load(cls, document: FPDF, files: tuple[Path, ...]) -> Fonts:
        """Embed the font in ``files``, or take the core font Times if there are none."""
        for style, file in zip(STYLES, files, strict=False):
            document.add_font(FAMILY, style, file)
        return cls(document, bool(files))

    def use(self, style: str, size: float) -> None:
        """Write in this style and size from now on."""
        self.document.set_font(FAMILY if self.embedded else "times", style, size)

    def show(self, text: str) -> str:
        """``text`` as the font can show it: a sign that a core font lacks becomes its number, "[U+2192]"."""
        if self.embedded:
            return text
        plain = text.translate(_TYPEWRITTEN)
        return "".join(each if ord(each) < 256 else f"[U+{ord(each):04X}]" for each in plain)

    def measure(self, text: str, style: str, size: float) -> float:
        """The width of ``text`` in points."""
        width = self._widths.get((text, style))
        if width is None:
            self.use(style, 100)
            width = self._widths[text, style] = self.document.get_string_width(self.show(text)) / 100
        return width * size
