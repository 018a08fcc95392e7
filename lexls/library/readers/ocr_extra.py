"""Tell whether the extra ``ocr`` is here, and how it reads. Nothing is imported to know it."""

from __future__ import annotations

import importlib.util

from lexls.library.readers.picture_marks import describe_samples

_READING = "1"
"""Changes when pages are read in another way, so that they must be read again."""


def is_available() -> bool:
    """Whether pictures can be read here."""
    return importlib.util.find_spec("rapidocr") is not None


def describe_reading(watermarks: str = "") -> str:
    """How pictures are read here, "" if they cannot be; ``watermarks`` is a folder of samples."""
    return "-".join(filter(None, (_READING, describe_samples(watermarks)))) if is_available() else ""
