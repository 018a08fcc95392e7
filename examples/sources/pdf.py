"""PDF: law reports (running head, printed page numbers of the volume) and plain judgments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fpdf import FPDF
from fpdf.enums import Align, XPos, YPos

if TYPE_CHECKING:
    from build import Source


class _Pages(FPDF):
    """Pages with a running head and a page number, as a reporter or a court office prints them."""

    def __init__(self, source: Source) -> None:
        super().__init__(format=(148, 210) if source.fields["format"] == "report" else "A4")
        self.source = source
        self.first = int(source.fields.get("first_page", "1"))

    def header(self) -> None:
        self.set_font("Times", "", 8.5)
        fields = self.source.fields
        if fields["format"] == "report":
            left, middle, right = fields["volume"], fields["running"], str(self.first + self.page_no() - 1)
            if (self.first + self.page_no()) % 2:
                left, right = right, left
        else:
            left, middle, right = fields["running"], "", fields["citation"]
        self.cell(self.epw * 0.2 if middle else self.epw * 0.7, 5, left)
        if middle:
            self.cell(self.epw * 0.6, 5, middle, align=Align.C)
        self.cell(0, 5, right, align=Align.R, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.ln(4)

    def footer(self) -> None:
        if self.source.fields["format"] != "report":
            self.set_y(-16)
            self.set_font("Times", "", 8.5)
            self.cell(0, 5, f"Page {self.page_no()} of {{nb}}", align=Align.C)


def write_pdf(source: Source) -> None:
    """Write ``source`` as a PDF in the fonts that every reader has (Latin-1 only)."""
    small = source.fields["format"] == "report"
    size, line = (10.5, 5.0) if small else (11, 5.4)
    pages = _Pages(source)
    pages.set_creation_date(source.created)
    pages.set_producer("")
    pages.set_margins(*((17, 12, 17) if small else (27, 18, 27)))
    pages.set_auto_page_break(True, 15 if small else 24)
    pages.add_page()
    for mark, text in source.blocks:
        indent = 0.0
        match mark:
            case "=":
                style, points, align = "B", size + 4, Align.C
            case "==":
                style, points, align = "", size + 0.5, Align.C
            case "#" | "##":
                style, points, align = ("B" if mark == "#" else "I"), size, Align.L
            case "~":
                style, points, align = "I", size, Align.J
            case ">":
                style, points, align, indent = "", size, Align.J, 6.0
            case _:
                style, points, align = "", size, Align.J
        if mark == "#" and pages.will_page_break(line * 4):
            pages.add_page()
        pages.set_font("Times", style, points)
        pages.set_x(pages.l_margin + indent)
        pages.multi_cell(
            pages.epw - 2 * indent,
            line,
            re.sub(r"\*(.+?)\*", r"__\1__", text),
            align=align,
            markdown=True,
            new_x=XPos.LMARGIN,
            new_y=YPos.NEXT,
        )
        pages.ln(line * (0.2 if mark == "==" else 0.55))
    source.output.parent.mkdir(parents=True, exist_ok=True)
    pages.output(str(source.output))
