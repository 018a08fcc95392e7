"""Read the scanned pages of a PDF with RapidOCR (the extra ``ocr``)."""

from __future__ import annotations

import contextlib
import json
import math
import os
import unicodedata
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.library.readers.pdf_page import Line
from lexls.library.readers.picture_marks import hide_repeated_images, is_available, whiten_samples
from lexls.library.readers.scanned_lines import ReadBox, order_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    """A page in shades of grey."""


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """The OCR result for a page, turned upright: its width and height in points, the words with their boxes,
    and their mean confidence (0 to 1, weighted by characters).
    """

    width: float
    height: float
    boxes: tuple[ReadBox, ...]
    confidence: float

    @property
    def lines(self) -> list[Line]:
        """The lines in reading order."""
        return order_lines(self.boxes)

    def pack(self) -> bytes:
        """Return the page as compressed JSON."""
        return zlib.compress(json.dumps(astuple(self)).encode())

    @classmethod
    def unpack(cls, packed: bytes) -> ScannedPage:
        """Restore a page from the result of ``pack``."""
        width, height, boxes, confidence = json.loads(zlib.decompress(packed))
        return cls(width, height, tuple(ReadBox(*box) for box in boxes), confidence)


ReadPictures = Callable[[bytes, Sequence[int]], Mapping[int, ScannedPage]]
"""A function that reads scanned pages (numbered from 1) of a PDF. Pages that it cannot read are missing from
its result.
"""

MEMORY = 2**30
"""Memory allowed for reading a page, in bytes; the models alone need 600 MB."""
_DPI = 300
_MOST_AT_ONCE = 8
_LONGEST_SIDE = 4000
"""Maximum length of a page's longer side, in pixels; larger pages are scaled down."""
_PARAMETERS: Mapping[str, Any] = {
    "Global.log_level": "critical",
    "Global.use_cls": False,
    "Global.max_side_len": _LONGEST_SIDE,
    # Lines are detected in a smaller picture than the one in which they are read.
    "Det.limit_type": "max",
    "Det.limit_side_len": 1280,
    # In a batch, all lines would be padded to the width of the widest.
    "Rec.rec_batch_num": 1,
    # Pages are read in parallel, so more threads for each page would only compete.
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
}


def read_pictures(data: bytes, numbers: Sequence[int], watermarks: str = "") -> Mapping[int, ScannedPage]:
    """Read several pages (numbered from 1) of a PDF at once. Returns an empty result if the extra is not
    installed.
    """
    if not numbers or not is_available():
        return {}
    _load_engine()
    with ThreadPoolExecutor(min(len(numbers), os.cpu_count() or 1, _MOST_AT_ONCE)) as threads:
        reading = {}
        for number in numbers:
            # PDFium draws one page at a time; drawn pages waiting to be read take memory.
            picture, scale = _draw(data, number, watermarks)
            reading[number] = threads.submit(_read, picture, scale)
            if len(reading) > _MOST_AT_ONCE:
                reading[list(reading)[-_MOST_AT_ONCE - 1]].result()
        return {number: read.result() for number, read in reading.items()}


def explain_unread(looked: bool) -> str:
    """Return the reason why a page without text was not read, to be appended to a message; ``looked`` means
    that OCR was tried.
    """
    if not is_available():
        return " (a scan): install lexls[ocr] to read it"
    return ", and OCR found no words" if looked else " (scanned?)"


def read_picture(data: bytes, number: int, watermarks: str = "") -> ScannedPage:
    """Read one page (from 1) of a PDF, ignoring marks that look like the samples in the folder
    ``watermarks``.

    The models are loaded once per process.
    """
    _load_engine()
    return _read(*_draw(data, number, watermarks))


def _draw(data: bytes, number: int, watermarks: str) -> tuple[Picture, float]:
    """Return the cleaned picture of a page and its resolution, in pixels per point."""
    import pypdfium2

    with (
        contextlib.closing(pypdfium2.PdfDocument(data)) as document,
        contextlib.closing(document[number - 1]) as page,
    ):
        hide_repeated_images(document, page, number - 1)
        scale = min(_DPI / 72, _LONGEST_SIDE / max(page.get_size()))
        picture = page.render(scale=scale, grayscale=True).to_numpy()
    return _clean(whiten_samples(picture, watermarks)), scale


def _read(picture: Picture, scale: float) -> ScannedPage:
    import numpy as np

    best, lies = _read_as_it_lies(picture, scale)
    if lies:
        best, _ = _read_as_it_lies(np.rot90(picture), scale)
    if best.boxes and best.confidence < _UNSURE:
        turned, _ = _read_as_it_lies(np.rot90(picture, 3 if lies else 2), scale)
        best = max(best, turned, key=lambda each: each.confidence * sum(len(box.text) for box in each.boxes))
    return best


def _read_as_it_lies(picture: Picture, scale: float) -> tuple[ScannedPage, bool]:
    """Return the text recognised in a picture without turning it, and whether most of that text is
    vertical.
    """
    import cv2
    import numpy as np

    height, width = picture.shape[0] / scale, picture.shape[1] / scale
    found = _load_engine()(cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_GRAY2BGR))
    if found.boxes is None:
        return ScannedPage(width, height, (), 0.0), False
    corners = np.asarray(found.boxes, float) / scale
    across, down = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    lengths, heights = np.hypot(*across.T), np.hypot(*down.T)
    lies = bool(heights[heights > lengths].sum() > lengths[heights <= lengths].sum())
    corners = _straighten(corners, across, lengths)
    boxes = tuple(
        ReadBox(
            text,
            round(float(box[:, 0].min()), 2),
            round(float(box[:, 0].max()), 2),
            round(height - float(box[:, 1].min()), 2),
            round(height - float(box[:, 1].max()), 2),
            round(float(score), 4),
        )
        for box, written, score in zip(corners, found.txts, found.scores, strict=True)
        if (text := _write(written))
    )
    letters = sum(len(box.text) for box in boxes)
    sure = sum(box.confidence * len(box.text) for box in boxes) / max(1, letters)
    return ScannedPage(width, height, boxes, min(round(sure, 4), _SUREST)), lies


@cache
def _load_engine() -> Any:
    import cv2
    import rapidocr

    # One thread, as for onnxruntime; each thread also takes address space, which is limited.
    cv2.setNumThreads(1)
    models = Path(rapidocr.__file__).parent / "models"
    # The models are named explicitly, so that missing ones are not downloaded.
    paths = {
        f"{part}.model_path": str(next(models.glob(f"*_{part.lower()}_*.onnx"))) for part in ("Det", "Rec")
    }
    return rapidocr.RapidOCR(params={**_PARAMETERS, **paths})


_SUREST = 0.99
"""Maximum confidence that is reported for a page read by OCR."""
_UNSURE = 0.85
"""Confidence below which a page may be upside down."""


def _straighten(corners: Any, across: Any, lengths: Any) -> Any:
    """Return the corners of boxes, rotated to make long boxes level. This corrects the skew of a scan."""
    import numpy as np

    long = lengths >= np.quantile(lengths, 0.6)
    slope = float(np.median(across[long, 1] / np.maximum(across[long, 0], 1e-6)))
    angle = math.atan(slope)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    middle = corners.reshape(-1, 2).mean(axis=0)
    return (corners - middle) @ turn + middle


_LIGHT = 0.6
"""Threshold between ink and paper, as a share of the range from ink (0) to paper (1). Lighter marks are not
ink: watermarks, stains, print showing through.
"""
_FAINT = 64
"""Minimum contrast between ink and paper for removing light marks, in levels of grey."""
_SPECKS = 0.002
"""Share of isolated pixels above which a page is treated as noisy."""


def _clean(picture: Picture) -> Picture:
    """Return a page without marks that are lighter than its ink, and without specks."""
    import cv2
    import numpy as np

    picture = np.ascontiguousarray(picture)
    ink, paper = float(np.quantile(picture, 0.005)), float(np.median(picture))
    if paper - ink > _FAINT:
        # Light pixels next to ink are the edge of a letter.
        inked = cv2.dilate(
            (picture <= ink + _LIGHT * (paper - ink)).astype(np.uint8), np.ones((5, 5), np.uint8)
        )
        picture = np.where(inked, picture, np.uint8(255))
    smooth: Picture = cv2.medianBlur(picture, 3).astype(np.uint8)
    specks = float(np.mean(cv2.absdiff(picture, smooth) > 128))
    return smooth if specks > _SPECKS else picture


_PLAIN = str.maketrans({"。": ".", "、": ",", "【": "[", "】": "]", "「": "“", "」": "”", "\u3000": " "})


def _write(text: str) -> str:
    """Return text with Chinese punctuation, which the models sometimes produce, replaced by Latin
    punctuation.
    """
    written = "".join(
        unicodedata.normalize("NFKC", sign) if "\uff01" <= sign <= "\uff5e" else sign
        for sign in text.translate(_PLAIN)
    )
    return " ".join(written.split())
