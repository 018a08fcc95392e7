"""Remove watermarks from scans: images that pages repeat, and marks that look like the user's samples.

The functions that say whether the extra ``ocr`` is installed, and how it reads pages, do not import it.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pypdfium2
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    """A picture in shades of grey."""


SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp"})
_NEAR = 3
"""Number of pages on either side of a page that are searched for repeated images."""
_DEEPEST = 3


def hide_repeated_images(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, number: int) -> None:
    """Hide images of page ``number`` (from 0) that are also on most nearby pages, so that they are
    not drawn.
    """
    from pypdfium2 import raw

    own = _list_images(page)
    others = [
        other
        for other in range(max(0, number - _NEAR), min(len(document), number + _NEAR + 1))
        if other != number
    ]
    if not own or len(others) < 2:
        return
    seen: Counter[bytes] = Counter()
    for other in others:
        # Closing the page frees its images, so only their hashes are kept.
        near = document[other]
        seen.update({key for key, _ in _list_images(near)})
        near.close()
    for key, image in own:
        if seen[key] >= max(2, len(others) / 2):
            raw.FPDFPageObj_SetIsActive(image.raw, False)


def _list_images(page: pypdfium2.PdfPage) -> list[tuple[bytes, Any]]:
    """Return the images of a page, each with a hash that identifies it."""
    from pypdfium2 import raw

    images = page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=_DEEPEST)
    return [(hashlib.sha256(bytes(image.get_data())).digest(), image) for image in images]


@dataclass(frozen=True, slots=True)
class WatermarkSample:
    """A sample of a watermark: its inked area, ORB keypoints and their descriptors."""

    ink: Picture
    points: Any
    descriptors: Any


_SAMPLE_SIDE = 700
_PAGE_SIDE = 1750
_POINTS = 1500
_POINTS_OF_PAGE = 20_000
_DISTANCE = 48
"""Maximum number of differing bits (of 256) in the descriptors of two matching points."""
_FEWEST = 12
_INK = 200
_DARKER = 30


def list_samples(folder: str) -> list[Path]:
    """Return the picture files in a folder; none if the folder is "" or does not exist."""
    found = Path(folder).expanduser() if folder else None
    if found is None or not found.is_dir():
        return []
    return sorted(each for each in found.iterdir() if each.suffix.lower() in SUFFIXES and each.is_file())


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b"?"  # not a picture


def describe_samples(folder: str) -> str:
    """Return a digest that changes with the samples in a folder, or "" if there are none."""
    samples = list_samples(folder)
    digest = hashlib.sha256(b"".join(hashlib.sha256(_read(each)).digest() for each in samples))
    return digest.hexdigest()[:12] if samples else ""


@cache
def load_samples(folder: str) -> Sequence[WatermarkSample]:
    """Load the samples in a folder, once per process; unreadable or featureless pictures are skipped."""
    import cv2
    import numpy as np

    loaded = []
    for path in list_samples(folder):
        picture = cv2.imdecode(np.frombuffer(_read(path), np.uint8), cv2.IMREAD_GRAYSCALE)
        if picture is None:
            continue
        picture = _shrink(picture, _SAMPLE_SIDE)
        points, descriptors = cv2.ORB.create(_POINTS).detectAndCompute(picture, None)
        if descriptors is not None and len(points) >= _FEWEST:
            loaded.append(WatermarkSample((picture < _INK).astype(np.uint8), points, descriptors))
    return loaded


def whiten_samples(picture: Picture, folder: str) -> Picture:
    """Return a page's picture with every match of a sample in the folder painted white."""
    samples = load_samples(folder) if folder else ()
    if not samples:
        return picture
    import cv2
    import numpy as np

    small = _shrink(picture, _PAGE_SIDE)
    scale = picture.shape[0] / small.shape[0]
    points, descriptors = cv2.ORB.create(_POINTS_OF_PAGE).detectAndCompute(small, None)
    if descriptors is None:
        return picture
    matcher = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True)
    for sample in samples:
        near = [each for each in matcher.match(sample.descriptors, descriptors) if each.distance < _DISTANCE]
        if len(near) < _FEWEST:
            continue
        there = np.array([sample.points[each.queryIdx].pt for each in near], np.float32)
        here = np.array([points[each.trainIdx].pt for each in near], np.float32) * scale
        # A stamp is only rotated, moved and scaled.
        move, agreeing = cv2.estimateAffinePartial2D(there, here, ransacReprojThreshold=4 * scale)
        if move is None or int(agreeing.sum()) < _FEWEST:
            continue
        ink = cv2.warpAffine(sample.ink, move, picture.shape[::-1], flags=cv2.INTER_NEAREST)
        # Text that is darker than the stamp is kept.
        usual = float(np.median(picture[ink > 0])) if ink.any() else 0.0
        lighter = picture > usual - _DARKER
        inked = cv2.dilate(ink, np.ones((7, 7), np.uint8)) > 0
        picture = np.where(inked & lighter, np.uint8(255), picture)
    return picture


def _shrink(picture: Any, side: int) -> Any:
    import cv2

    scale = side / max(picture.shape)
    if scale >= 1:
        return picture
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


_READING = "1"
"""Version of the OCR procedure. If it changes, pages are read again."""


def is_available() -> bool:
    """Return whether OCR is available."""
    return importlib.util.find_spec("rapidocr") is not None


def describe_reading(watermarks: str = "") -> str:
    """Return a string that identifies how pictures are read, or "" if OCR is unavailable; ``watermarks`` is a
    folder of samples.
    """
    return "-".join(filter(None, (_READING, describe_samples(watermarks)))) if is_available() else ""
