"""Measure how well the heads of the invented court papers are read, by field.

    python benchmarks/bench_court_papers.py [--sets 21 22] [--wrong]

``court_papers.jsonl.xz`` has the papers, in sets of one writer each, with what each paper says: its title and
other right forms of it, court, date, docket, kind and jurisdiction; what a paper does not tell is not scored.
A title is right if its sides have the words of a right form and no others; a court if it has all words of a
right name; a docket if the number is among those that were read.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench_captions import court_right, fold, words
from measuring import table

from lexls.citations.grammar import Grammar
from lexls.library.document import Metadata, UnreadableFile
from lexls.library.readers import parse

PAPERS = Path(__file__).resolve().parent / "court_papers.jsonl.xz"
FIELDS = ("title", "court", "date", "docket", "kind", "jurisdiction")
_BETWEEN = re.compile(r"\s+(?:vs?|c)\.?\s+", re.IGNORECASE)
_NO_WORDS = frozenset(("the", "and", "et", "al", "anr", "ors", "another", "others", "of"))
_OPENING = re.compile(r"^(?:in\s+)?(?:re:?|the\s+matter\s+of|matter\s+of)\s+", re.IGNORECASE)


def load_papers() -> Iterator[Mapping[str, Any]]:
    """The papers with what is right of each."""
    lines = lzma.decompress(PAPERS.read_bytes()).decode().splitlines()
    return map(json.loads, lines)


def list_sides(title: str) -> list[set[str]]:
    """The words of the sides of a title, without those by which right forms differ."""
    return [{*words(side)} - _NO_WORDS for side in _BETWEEN.split(_OPENING.sub("", title), maxsplit=1)]


def score(paper: Mapping[str, Any], found: Metadata) -> Iterator[tuple[str, bool, str]]:
    """Each field that the paper tells, with whether it was read right, and what was asked and read."""
    if title := paper.get("title"):
        forms = [list_sides(each) for each in (title, *paper.get("titles", ()))]
        yield "title", list_sides(found.title) in forms, f"{title} | {found.title}"
    if court := paper.get("court"):
        names = (court, *paper.get("court_aliases", ()))
        yield "court", any(court_right(each, found.court) for each in names), f"{court} | {found.court}"
    if day := paper.get("date"):
        yield "date", found.date in (day, *paper.get("dates", ())), f"{day} | {found.date}"
    if dockets := paper.get("docket"):
        read = fold(" ".join(found.docket))
        yield "docket", any(fold(each) in read for each in dockets), f"{dockets[0]} | {found.docket}"
    for field, read in (("kind", found.kind), ("jurisdiction", found.jurisdiction)):
        if asked := paper.get(field):
            yield field, read == asked, f"{asked} | {read}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", help="numbers of the sets to read, as the file has them")
    parser.add_argument("--wrong", action="store_true", help="show what was read wrong")
    options = parser.parse_args()
    grammar = Grammar.load()
    right: dict[str, Counter[str]] = defaultdict(Counter)
    asked: dict[str, Counter[str]] = defaultdict(Counter)
    for paper in load_papers():
        if options.sets and paper["set"] not in options.sets:
            continue
        try:
            found = parse(Path(paper["file"]), paper["text"].encode(), grammar).metadata
        except UnreadableFile:
            found = Metadata()
        for field, good, what in score(paper, found):
            for row in (paper["set"], "all"):
                right[row][field] += good
                asked[row][field] += 1
            if options.wrong and not good:
                print(f"{paper['set']} {paper['file']} {field}: {what}")
    rows = [
        [name, *(f"{right[name][field]} of {asked[name][field]}" for field in FIELDS)]
        for name in (*(name for name in asked if name != "all"), "all")
    ]
    print(table(["set", *FIELDS], rows))


if __name__ == "__main__":
    main()
