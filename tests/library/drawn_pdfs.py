"""PDFs written by hand, whose pages draw one packed stream again and again."""

from __future__ import annotations

import re
import zlib

import fpdf

_PLAIN = str.maketrans("–—’‘“”‑…", "--''\"\"-.")
"""What the fonts of every PDF do not have, and what is drawn for it."""
_FONT = "<</Font<</F 4 0 R>>>>"


def make_drawing(content: bytes, *, pages: int = 1, times: int = 1, layers: int = 1) -> bytes:
    """A PDF whose pages all draw one packed stream, each of them so many ``times``."""
    packed = content
    for _ in range(layers):
        packed = zlib.compress(packed, 9)
    drawn = " ".join(["5 0 R"] * times)
    page = f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources {_FONT}/Contents[{drawn}]>>"
    kids = " ".join(f"{6 + number} 0 R" for number in range(pages))
    filters = "/FlateDecode" * layers
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {pages}/Kids[{kids}]>>".encode(),
        b"<<>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        f"<</Length {len(packed)}/Filter[{filters}]>>\nstream\n".encode() + packed + b"\nendstream",
        *[page.encode()] * pages,
    ]
    body = b"".join(b"%d 0 obj%s\nendobj\n" % each for each in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R/Size %d>>\n%%%%EOF\n" % (len(objects) + 1)


def draw_lines(count: int, words: bytes = b"oats and hay were sold") -> bytes:
    """What draws as many lines on a page, most of them below its foot."""
    return b"BT /F 10 Tf 14 TL 50 780 Td\n" + b"(%s) Tj T*\n" % words * count + b"ET\n"


def draw_page(text: str, *, wide: float = 5.0, step: float = 11.0) -> bytes:
    """Pages that show a text's lines, each run of words where its first letter stands in a grid of points."""
    pdf = fpdf.FPDF(unit="pt", format="letter")
    pdf.set_auto_page_break(False)
    pdf.set_font("Courier", size=8)
    y = 800.0
    for line in text.translate(_PLAIN).splitlines():
        if y > 740:
            pdf.add_page()
            y = 54.0
        for run in re.finditer(r"\S+(?: \S+)*", line):
            pdf.text(54 + wide * run.start(), y, run[0])
        y += step
    return bytes(pdf.output())
