"""Draw a PDF page in a separate process: ``python -m lexls.index.page_image PDF PAGE PNG``."""

from __future__ import annotations

import contextlib
import os
import struct
import subprocess
import sys
import tempfile
import threading
import zlib
from pathlib import Path

from lexls.index.process import make_command, make_environment

_DPI = 110
_MOST_PIXELS = 4000
_SECONDS = 30.0


def start_drawing(pdf: Path, page: int, image: Path) -> None:
    """Start drawing a page (from 1) into the file ``image`` without waiting for it.

    If the PDF is faulty, the image is not created, and nothing else is affected.
    """
    command = make_command("lexls.index.page_image", str(pdf), str(page), str(image))
    nothing = subprocess.DEVNULL
    drawing = subprocess.Popen(command, env=make_environment(), stdin=nothing, stdout=nothing, stderr=nothing)

    def wait() -> None:
        try:
            drawing.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            drawing.kill()
            drawing.wait()

    threading.Thread(target=wait, name="lexls-page", daemon=True).start()


def draw(pdf: Path, page: int, image: Path) -> None:
    """Draw a page (from 1) as a greyscale PNG readable only by the user."""
    import pypdfium2

    with (
        contextlib.closing(pypdfium2.PdfDocument(pdf)) as document,
        contextlib.closing(document[page - 1]) as shown,
    ):
        scale = min(_DPI / 72, _MOST_PIXELS / max(shown.get_size()))
        pixels = shown.render(scale=scale, grayscale=True).to_numpy()
    image.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(prefix=".page-", dir=image.parent)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(write_png(pixels.shape[1], pixels.shape[0], pixels.tobytes()))
    os.replace(draft, image)


def write_png(width: int, height: int, grey: bytes) -> bytes:
    """Encode a greyscale image as PNG; ``grey`` has one byte per pixel, row by row."""
    rows = b"".join(b"\0" + grey[row * width : (row + 1) * width] for row in range(height))
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows, 6)),
        (b"IEND", b""),
    )
    packed = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


if __name__ == "__main__":
    draw(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
