"""Measure whether the boxes of passages on the pages of PDFs hold their words, and how long that takes.

    python benchmarks/bench_passage_boxes.py FILE.pdf… [--write]

For every passage of each file, what stands under its boxes is read through PDFium from left to right and
compared with the passage, sign by sign, spaces and hyphens left out.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "library"))

from measuring import listing, percentile, write_results
from shown_pages import read_under

from lexls.citations.grammar import Grammar
from lexls.index.passage_boxes import find_on_pages
from lexls.library.passages import cut_passages
from lexls.library.readers import read
from lexls.text.cancel import CancelToken

_LEFT_OUT = re.compile(r"[\s\-‐\u00ad\ufffe]+")


def main() -> None:
    """Measure, and print or write what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true", help="write its section of benchmarks/RESULTS.md")
    arguments = parser.parse_args()
    grammar = Grammar.load()
    rows: list[tuple[object, ...]] = []
    seconds: list[float] = []
    for path in arguments.files:
        data, document = path.read_bytes(), read(path, grammar)
        passages = cut_passages(document)
        covered = same = 0
        furthest = 0.0
        for passage in passages:
            words = document.text[passage.start : passage.end]
            began = time.perf_counter()
            pages = find_on_pages(path, words, passage.start, {}, CancelToken())
            seconds.append(time.perf_counter() - began)
            signs, out = read_under(data, pages)
            under, wanted = _LEFT_OUT.sub("", signs), _LEFT_OUT.sub("", words)
            same += under == wanted
            covered += _holds(under, wanted)
            furthest = max(furthest, out)
        name = path.stem.split("_")[0]
        rows.append((name, len(document.page_starts), len(passages), covered, same, f"{furthest:.1f} pt"))
    told = f"A passage is found in {percentile(seconds, 0.5):.2f} s (median), {max(seconds):.2f} s at most."
    head = ("file", "pages", "passages", "covered", "nothing else under the boxes", "furthest out of a box")
    parts = [
        "    python benchmarks/bench_passage_boxes.py FIVE OF ../shared/data/contract-pdfs\n",
        "What stands under the boxes of each passage is read through PDFium and compared with the passage, "
        "spaces and hyphens left out.\n",
        listing(head, rows),
        told,
    ]
    print("\n".join(parts))
    if arguments.write:
        write_results("Passages on the pages of PDFs", parts)


def _holds(text: str, words: str) -> bool:
    """Whether all signs of ``words`` are in ``text``, in their order."""
    signs = iter(text)
    return all(each in signs for each in words)


if __name__ == "__main__":
    main()
