"""Find a passage's position on a PDF's pages, in a separate process: ``python -m lexls.index.passage_boxes``.

The process reads one JSON request from standard input and writes the pages as JSON. A faulty file affects
nothing else. Text passes only through these pipes.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.index.process import ask_process
from lexls.library.document import PagePassage
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.library.readers.ocr import ScannedPage

_SECONDS = 60.0


def find_on_pages(
    pdf: Path, passage: str, start: int, scanned: Mapping[int, ScannedPage], token: CancelToken
) -> tuple[PagePassage, ...]:
    """Return the pages and boxes of ``passage``, which begins at ``start`` of the PDF's text; empty if it is
    no longer in the file, or the file cannot be read. ``scanned`` are the OCR results of the file's pages
    (from 1). Raises ``Cancelled``.
    """
    request = {
        "pdf": str(pdf),
        "passage": passage,
        "start": start,
        "scanned": {page: base64.b64encode(read.pack()).decode() for page, read in scanned.items()},
    }
    answer = ask_process("lexls.index.passage_boxes", request, _SECONDS, token)
    if not answer:
        return ()
    return tuple(
        PagePassage(page, width, height, tuple((box[0], box[1], box[2], box[3]) for box in boxes))
        for page, width, height, boxes in json.loads(answer)
    )


def main() -> None:
    """Answer one request."""
    from lexls.library.readers.ocr import ScannedPage
    from lexls.library.readers.pdf import find_passage

    request = json.load(sys.stdin)
    read = {
        int(page): ScannedPage.unpack(base64.b64decode(packed)) for page, packed in request["scanned"].items()
    }

    def known(data: bytes, numbers: Sequence[int]) -> Mapping[int, ScannedPage]:
        return {number: read[number] for number in numbers if number in read}

    data = Path(request["pdf"]).read_bytes()
    found = find_passage(data, request["passage"], request["start"], known)
    json.dump([astuple(each) for each in found], sys.stdout)


if __name__ == "__main__":
    main()
