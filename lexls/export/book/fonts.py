"""Write and measure words in a system font or, if none is found, in the PDF core font Times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.export.system_fonts import find_signs, write_lacking

if TYPE_CHECKING:
    from fpdf import FPDF

FAMILY = "book"
STYLES = ("", "B", "I", "BI")
FAMILIES = (
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
"""Font files (regular, bold, italic, bold italic) in order of preference."""
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
"""Replacements for characters that the core fonts lack."""


@dataclass(slots=True)
class Fonts:
    """The font of a document that is being written.

    ``has`` returns whether the font has a character; ``embedded`` is true for a system font.
    """

    document: FPDF
    has: Callable[[str], bool]
    embedded: bool = False
    _widths: dict[tuple[str, str], float] = field(default_factory=dict)

    @classmethod
    def load(cls, document: FPDF, files: tuple[Path, ...]) -> Fonts:
        """Embed the font in ``files``, or use the core font Times if there are none."""
        for style, file in zip(STYLES, files, strict=False):
            document.add_font(FAMILY, style, file)
        return cls(document, find_signs(document), bool(files))

    def use(self, style: str, size: float) -> None:
        """Switch to this style and size."""
        self.document.set_font(FAMILY if self.embedded else "times", style, size)

    def show(self, text: str) -> str:
        """Return ``text`` with each character that the font lacks replaced by its code: "[U+2192]"."""
        return write_lacking(text if self.embedded else text.translate(_TYPEWRITTEN), self.has)

    def measure(self, text: str, style: str, size: float) -> float:
        """Return the width of ``text`` in points."""
        width = self._widths.get((text, style))
        if width is None:
            self.use(style, 100)
            width = self._widths[text, style] = self.document.get_string_width(self.show(text)) / 100
        return width * size
