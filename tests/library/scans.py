"""Make scans of PDFs: pages as pictures, with what scanners, copiers and stamps do to them."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np
import pypdfium2
from fpdf import FPDF
from PIL import Image, ImageDraw, ImageFont

_GREY = 205


@dataclass(frozen=True, slots=True)
class Scanner:
    """How pages are scanned.

    ``skew`` is in degrees, ``noise`` the share of pixels that are salt or pepper, ``quality`` that of JPEG
    (0: without loss), ``turned`` how many quarters of a turn clockwise the page lies in the scanner.
    ``watermark`` is written in light grey from corner to corner behind the text. ``stamp`` is put on each
    page as a picture of its own.
    """

    dpi: int = 300
    skew: float = 0.0
    noise: float = 0.0
    quality: int = 0
    turned: int = 0
    watermark: str = ""
    stamp: Image.Image | None = None


CLEAN = Scanner()


def scan(pdf: bytes, scanner: Scanner = CLEAN) -> bytes:
    """A PDF whose pages are pictures of those of ``pdf``."""
    document = pypdfium2.PdfDocument(pdf)
    made = FPDF(unit="pt")
    made.set_margin(0)
    random = np.random.default_rng(7)
    for page in document:
        picture = draw(page, scanner, random)
        size = (picture.width * 72 / scanner.dpi, picture.height * 72 / scanner.dpi)
        made.add_page(format=size)
        made.image(_compress(picture, scanner.quality), 0, 0, *size)
        if scanner.stamp is not None:
            made.image(scanner.stamp, 200, 400, 200)
    return bytes(made.output())


def draw(page: pypdfium2.PdfPage, scanner: Scanner, random: np.random.Generator) -> Image.Image:
    """The picture of a page that the scanner makes."""
    picture = page.render(scale=scanner.dpi / 72, grayscale=True).to_pil().convert("L")
    if scanner.watermark:
        picture = Image.fromarray(
            np.minimum(np.asarray(picture), np.asarray(_write_across(picture, scanner)))
        )
    if scanner.skew:
        picture = picture.rotate(scanner.skew, Image.Resampling.BICUBIC, fillcolor=255)
    if scanner.noise:
        grid = np.array(picture)
        hit = random.random(grid.shape)
        grid[hit < scanner.noise / 2] = 0
        grid[hit > 1 - scanner.noise / 2] = 255
        picture = Image.fromarray(grid)
    return picture.rotate(-90 * scanner.turned, expand=True) if scanner.turned else picture


def draw_stamp(grey: int = 60) -> Image.Image:
    """A round stamp with words in it."""
    stamp = Image.new("L", (420, 420), 255)
    pen = ImageDraw.Draw(stamp)
    for inset, width in ((10, 8), (60, 4)):
        pen.ellipse((inset, inset, 420 - inset, 420 - inset), outline=grey, width=width)
    font = ImageFont.load_default(46)
    for height, words in ((170, "COUNTY"), (230, "REGISTRY"), (290, "7 MAR")):
        pen.text((210, height), words, grey, font, anchor="mm")
    return stamp


def _write_across(picture: Image.Image, scanner: Scanner) -> Image.Image:
    sheet = Image.new("L", picture.size, 255)
    font = ImageFont.load_default(picture.width / (0.45 * len(scanner.watermark)))
    middle = (picture.width // 2, picture.height // 2)
    ImageDraw.Draw(sheet).text(middle, scanner.watermark, _GREY, font, anchor="mm")
    angle = math.degrees(math.atan2(picture.height, picture.width))
    return sheet.rotate(angle, fillcolor=255)


def _compress(picture: Image.Image, quality: int) -> Image.Image | io.BytesIO:
    if not quality:
        return picture
    packed = io.BytesIO()
    picture.save(packed, "JPEG", quality=quality)
    packed.seek(0)
    return packed


@dataclass(frozen=True, slots=True)
class Print:
    """How paragraphs are printed: a font that matplotlib brings, the size in points, columns."""

    font: str = "STIXGeneral"
    size: float = 12.0
    columns: int = 1
    margin: float = 72.0


def print_pages(paragraphs: Sequence[str], style: Print = Print(), notes: Sequence[str] = ()) -> bytes:
    """A PDF of paragraphs, justified on A4; ``notes`` in small type at the foot of the last page."""
    made = FPDF(unit="pt")
    made.add_font(style.font, fname=Path(matplotlib.get_data_path(), "fonts/ttf", f"{style.font}.ttf"))
    made.set_margins(style.margin, style.margin)
    made.set_auto_page_break(True, style.margin)
    made.add_page()
    made.set_font(style.font, size=style.size)
    with made.text_columns(ncols=style.columns, gutter=24, text_align="J", line_height=1.15) as columns:
        for paragraph in paragraphs:
            with columns.paragraph(bottom_margin=style.size * 0.8) as words:
                words.write(paragraph)
    if notes:
        made.set_y(made.h - style.margin - 12 * len(notes))
        made.line(style.margin, made.y - 4, style.margin + 120, made.y - 4)
        made.set_font(style.font, size=style.size * 0.8)
        for note in notes:
            made.cell(0, 12, note, new_x="LMARGIN", new_y="NEXT")
    return bytes(made.output())


def join_files(*files: bytes) -> bytes:
    """The pages of several PDFs in one."""
    made = pypdfium2.PdfDocument.new()
    for file in files:
        made.import_pages(pypdfium2.PdfDocument(file))
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()
