"""Read the pages of a PDF that are pictures, with RapidOCR (the extra ``ocr``)."""

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
    """What was read in the picture of a page, turned upright: its width and height in points, the words and
    where they stand, and how sure they are (0 to 1, by characters).
    """

    width: float
    height: float
    boxes: tuple[ReadBox, ...]
    confidence: float

    @property
    def lines(self) -> list[Line]:
        """The lines in the order in which they are read."""
        return order_lines(self.boxes)

    def pack(self) -> bytes:
        """The page as compressed JSON."""
        return zlib.compress(json.dumps(astuple(self)).encode())

    @classmethod
    def unpack(cls, packed: bytes) -> ScannedPage:
        """The inverse of ``pack``."""
        width, height, boxes, confidence = json.loads(zlib.decompress(packed))
        return cls(width, height, tuple(ReadBox(*box) for box in boxes), confidence)


ReadPictures = Callable[[bytes, Sequence[int]], Mapping[int, ScannedPage]]
"""Reads pages (from 1) of a PDF that are pictures; those that it cannot read are left out."""

MEMORY = 2**30
"""Bytes that reading a page may always take: the models alone take 600 MB."""
_DPI = 300
_MOST_AT_ONCE = 8
_LONGEST_SIDE = 4000
"""Pixels; a poster is drawn smaller."""
_PARAMETERS: Mapping[str, Any] = {
    "Global.log_level": "critical",
    "Global.use_cls": False,
    "Global.max_side_len": _LONGEST_SIDE,
    # Lines are looked for in a smaller picture than they are read in.
    "Det.limit_type": "max",
    "Det.limit_side_len": 1280,
    # Lines of one batch would be made as wide as the widest.
    "Rec.rec_batch_num": 1,
    # Pages are read beside each other: threads would take turns.
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
}


def read_pictures(data: bytes, numbers: Sequence[int], watermarks: str = "") -> Mapping[int, ScannedPage]:
    """Read pages (from 1) of a PDF, some at once; none where the extra is not installed."""
    if not numbers or not is_available():
        return {}
    _load_engine()
    with ThreadPoolExecutor(min(len(numbers), os.cpu_count() or 1, _MOST_AT_ONCE)) as threads:
        reading = {}
        for number in numbers:
            # PDFium draws one page at a time; those that wait to be read take memory.
            picture, scale = _draw(data, number, watermarks)
            reading[number] = threads.submit(_read, picture, scale)
            if len(reading) > _MOST_AT_ONCE:
                reading[list(reading)[-_MOST_AT_ONCE - 1]].result()
        return {number: read.result() for number, read in reading.items()}


def explain_unread(looked: bool) -> str:
    """Return why a page without text was not read, to be said behind that: ``looked`` says whether OCR was
    tried."""
    if not is_available():
        return " (a scan): install lexls[ocr] to read it"
    return ", and OCR found no words" if looked else " (scanned?)"


def read_picture(data: bytes, number: int, watermarks: str = "") -> ScannedPage:
    """Read one page (from 1) of a PDF, without what looks like a sample in the folder ``watermarks``.

    The models are loaded once a process.
    """
    _load_engine()
    return _read(*_draw(data, number, watermarks))


def _draw(data: bytes, number: int, watermarks: str) -> tuple[Picture, float]:
    """The picture of a page, cleaned, and its pixels a point."""
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
    """Return what is read in a picture, and whether most of it runs up or down."""
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

    # As with those of onnxruntime; each also takes address space, which is limited.
    cv2.setNumThreads(1)
    models = Path(rapidocr.__file__).parent / "models"
    # Named, so that nothing is fetched where they are missing.
    paths = {
        f"{part}.model_path": str(next(models.glob(f"*_{part.lower()}_*.onnx"))) for part in ("Det", "Rec")
    }
    return rapidocr.RapidOCR(params={**_PARAMETERS, **paths})


_SUREST = 0.99
"""What a page that was read by a machine is said to be at most."""
_UNSURE = 0.85
"""A page of less confidence may stand on its head."""


def _straighten(corners: Any, across: Any, lengths: Any) -> Any:
    """The corners of boxes, turned so that the long ones are level: the page was skewed in the scanner."""
    import numpy as np

    long = lengths >= np.quantile(lengths, 0.6)
    slope = float(np.median(across[long, 1] / np.maximum(across[long, 0], 1e-6)))
    angle = math.atan(slope)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    middle = corners.reshape(-1, 2).mean(axis=0)
    return (corners - middle) @ turn + middle


_LIGHT = 0.6
"""How far the way from ink to paper what is no ink begins: watermarks, stains, what shines through."""
_FAINT = 64
"""Of so little contrast nothing is taken away."""
_SPECKS = 0.002
"""The share of a page's pixels that stand alone from which on it is not clean."""


def _clean(picture: Picture) -> Picture:
    """A page without what is lighter than its ink, and without specks."""
    import cv2
    import numpy as np

    picture = np.ascontiguousarray(picture)
    ink, paper = float(np.quantile(picture, 0.005)), float(np.median(picture))
    if paper - ink > _FAINT:
        # What is light beside ink is the edge of a letter.
        inked = cv2.dilate(
            (picture <= ink + _LIGHT * (paper - ink)).astype(np.uint8), np.ones((5, 5), np.uint8)
        )
        picture = np.where(inked, picture, np.uint8(255))
    smooth: Picture = cv2.medianBlur(picture, 3).astype(np.uint8)
    specks = float(np.mean(cv2.absdiff(picture, smooth) > 128))
    return smooth if specks > _SPECKS else picture


_PLAIN = str.maketrans({"。": ".", "、": ",", "【": "[", "】": "]", "「": "“", "」": "”", "\u3000": " "})


def _write(text: str) -> str:
    """Text as Latin script is written: the models know punctuation of Chinese too."""
    written = "".join(
        unicodedata.normalize("NFKC", sign) if "\uff01" <= sign <= "\uff5e" else sign
        for sign in text.translate(_PLAIN)
    )
    return " ".join(written.split())
