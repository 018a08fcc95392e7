"""Measure OCR on scans of invented documents: characters that are wrong, spaces counted, and numbers found.

    python benchmarks/bench_scans.py [PART OF A NAME]… [--file SCAN.pdf]

Each document is scanned in each way. ``--file`` takes a PDF with a text layer instead, whose pages are then
scanned and compared with what is read of the layer.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rapidfuzz.distance import Levenshtein

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "library"))

from made_documents.invented import (
    CONTRACT,
    CONTRACT_MARKS,
    JUDGMENT,
    JUDGMENT_MARKS,
    LETTER,
    STATUTE,
    STATUTE_MARKS,
    leave_notes_out,
    without_ligatures,
    write_lines,
)
from made_documents.typesetter import Design, make_pdf
from scans import Scanner, scan

from lexls.citations.grammar import Grammar
from lexls.library.document import SourceDocument
from lexls.library.readers import parse
from lexls.library.readers.ocr import read_pictures
from lexls.library.readers.pdf import extract

SERIF, SANS = ("DejaVuSerif", "DejaVuSerif-Bold"), ("DejaVuSans", "DejaVuSans-Bold")
TIMES = ("STIXGeneral", "STIXGeneralBol")
PLAIN = without_ligatures(leave_notes_out(JUDGMENT))
DOCUMENTS = {
    "judgment": (PLAIN, JUDGMENT_MARKS, Design(fonts=TIMES, size=12, leading=16)),
    "judgment in columns": (PLAIN, JUDGMENT_MARKS, Design(columns=2, size=9, leading=11.5)),
    "judgment with notes": (JUDGMENT, JUDGMENT_MARKS, Design()),
    "judgment with line numbers": (
        PLAIN,
        JUDGMENT_MARKS,
        Design(fonts=SANS, leading=24, line_numbers=True, indented=True),
    ),
    "act": (without_ligatures(STATUTE), STATUTE_MARKS, Design(fonts=TIMES, size=11, leading=14)),
    "agreement": (CONTRACT, CONTRACT_MARKS, Design(fonts=SERIF, size=10, leading=14, divides=True)),
    "letter": (LETTER, JUDGMENT_MARKS, Design(fonts=SANS, size=10, leading=13)),
}
SCANNERS = {
    "300 dpi": Scanner(),
    "150 dpi": Scanner(150),
    "150 dpi, JPEG 30": Scanner(150, quality=30),
    "300 dpi, skew 1°": Scanner(skew=1),
    "150 dpi, skew -3°": Scanner(150, skew=-3),
    "300 dpi, noise 2 %, JPEG 60": Scanner(noise=0.02, quality=60),
    "300 dpi, watermark": Scanner(watermark="CERTIFIED COPY"),
    "150 dpi, watermark, skew 1°": Scanner(150, skew=1, watermark="DRAFT"),
    "200 dpi, turned by 180°": Scanner(200, turned=2),
}
_SIGNS = str.maketrans("“”‘’–—", "\"\"''--")


def fold(text: str) -> str:
    """One kind of quotation marks and dashes, one space."""
    return " ".join(text.translate(_SIGNS).split())


def list_labels(document: SourceDocument) -> list[str]:
    return [block.label for block in document.blocks if block.label]


def measure(name: str, pdf: bytes, expected: str, scanners: Sequence[str], show: bool) -> None:
    grammar = Grammar.load()
    printed = parse(Path("a.pdf"), pdf, grammar)
    for each in scanners:
        scanned = scan(pdf, SCANNERS[each])
        started = time.process_time()
        found = parse(Path("a.pdf"), scanned, grammar, read_pictures)
        seconds = (time.process_time() - started) / len(found.page_starts)
        one, other = fold(expected), fold(found.text)
        wrong = Levenshtein.distance(one, other) / len(one)
        right = len(set(list_labels(printed)) & set(list_labels(found)))
        sure = sum(found.scanned.values()) / len(found.scanned)
        print(
            f"{name:28} {each:30} {wrong:7.2%} wrong, {sure:.0%} sure, "
            f"labels {right} of {len(set(list_labels(printed)))}, {seconds:.1f} s of CPU a page",
            flush=True,
        )
        if show:
            for change in Levenshtein.opcodes(one, other):
                if change.tag != "equal":
                    was = one[max(0, change.src_start - 15) : change.src_end + 15]
                    is_ = other[max(0, change.dest_start - 15) : change.dest_end + 15]
                    print(f"    {was!r} | {is_!r}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="only documents and scanners whose names hold one of these")
    parser.add_argument("--file", type=Path, action="append", default=[])
    parser.add_argument("--scanner", action="append", choices=SCANNERS)
    parser.add_argument("--show", action="store_true", help="what differs")
    options = parser.parse_args()
    scanners = options.scanner or list(SCANNERS)
    if options.file:
        for path in options.file:
            data = path.read_bytes()
            measure(path.name, data, extract(data).text, scanners, options.show)
        return
    for name, (parts, marks, design) in DOCUMENTS.items():
        if not options.names or any(each in name for each in options.names):
            data, _ = make_pdf(parts, marks, design)
            measure(name, data, "\n".join(write_lines(parts, marks)), scanners, options.show)


if __name__ == "__main__":
    main()
