"""Set text at given places of PDF pages."""

from __future__ import annotations

import itertools

import fpdf

from lexls.library.document import Extract
from lexls.library.readers.pdf import extract

_SENTENCE = """
the carrier must exercise due diligence before and at the beginning of the voyage to make the ship seaworthy
and to care for the goods in its charge until they are delivered to the holder of the bill at the port of
discharge whatever the charterer may have ordered meanwhile and whoever has paid the freight or the demurrage
"""
WORDS = _SENTENCE.split()


def words(count: int, start: int = 0) -> str:
    """So many words, the first with a capital, with a full stop."""
    taken = itertools.islice(itertools.cycle(WORDS), start, start + count)
    text = " ".join(taken)
    return f"{text[0].upper()}{text[1:]}."


class Sheet:
    """A PDF of letter size in points; places are counted from the top left corner."""

    def __init__(self) -> None:
        self.pdf = fpdf.FPDF(unit="pt", format="letter")
        self.pdf.set_auto_page_break(False)

    def page(self, **how: object) -> None:
        self.pdf.add_page(**how)  # type: ignore[arg-type]

    def text(self, x: float, y: float, text: str, size: float = 11, font: str = "Times") -> float:
        """Write one line with its base line at ``y``; where it ends."""
        self.pdf.set_font(font, size=size)
        self.pdf.text(x, y, text)
        return x + float(self.pdf.get_string_width(text))

    def wrap(self, text: str, width: float, size: float = 11) -> list[str]:
        """The lines of a paragraph."""
        self.pdf.set_font("Times", size=size)
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self.pdf.get_string_width(longer) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def paragraph(
        self, x: float, y: float, text: str, width: float = 468, size: float = 11, leading: float = 14
    ) -> float:
        """Write a paragraph; where the next line would stand."""
        for line in self.wrap(text, width, size):
            self.text(x, y, line, size)
            y += leading
        return y

    def read(self) -> Extract:
        return extract(bytes(self.pdf.output()))
