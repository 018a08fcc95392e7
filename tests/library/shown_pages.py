"""Read what stands under boxes on the pages of a PDF, by PDFium's own way from a page to a screen."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Sequence
from typing import NamedTuple

import pypdfium2
from pypdfium2 import raw

from lexls.library.document import Box, PagePassage

_PIXELS = 100
"""So many a point, so that whole ones are exact enough."""


class ShownCharacter(NamedTuple):
    """A character, the box that its font gives it and the one that its ink fills, as the page is shown."""

    sign: str
    loose: Box
    ink: Box


def list_shown(data: bytes, number: int) -> list[ShownCharacter]:
    """The visible characters of a page (from 1)."""
    with (
        contextlib.closing(pypdfium2.PdfDocument(data)) as document,
        contextlib.closing(document[number - 1]) as page,
        contextlib.closing(page.get_textpage()) as text,
    ):
        found = []
        for index in range(text.count_chars()):
            sign = chr(raw.FPDFText_GetUnicode(text.raw, index))
            if sign.isprintable() and not sign.isspace():
                boxes = (_show(page, text.get_charbox(index, loose=loose)) for loose in (True, False))
                found.append(ShownCharacter(sign, *boxes))
        return found


def _show(page: pypdfium2.PdfPage, box: Box) -> Box:
    width, height = page.get_size()
    size = round(width * _PIXELS), round(height * _PIXELS)
    corners = []
    for x, y in ((box[0], box[1]), (box[2], box[3])):
        right, down = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(page.raw, 0, 0, *size, 0, x, y, right, down)
        corners.append((right.value / _PIXELS, height - down.value / _PIXELS))
    (x0, y0), (x1, y1) = corners
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def read_under(data: bytes, pages: Sequence[PagePassage]) -> tuple[str, float]:
    """The visible signs whose middles lie under the boxes, box by box from left to right, and by how many
    points at most one of them reaches out of its box."""
    signs: list[str] = []
    furthest = 0.0
    for page in pages:
        shown = list_shown(data, page.page)
        for box in page.boxes:
            under = [each for each in shown if _has_middle(box, each.loose)]
            signs += [each.sign for each in sorted(under, key=lambda each: each.loose[0])]
            furthest = max([furthest, *(_reach(box, each.ink) for each in under)])
    return "".join(signs), furthest


def _has_middle(box: Box, other: Box) -> bool:
    x, y = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _reach(box: Box, ink: Box) -> float:
    return max(box[0] - ink[0], box[1] - ink[1], ink[2] - box[2], ink[3] - box[3])
