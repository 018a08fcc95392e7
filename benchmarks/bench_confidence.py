"""How often a fact of a document's head is right, by how sure lexls says it is.

    python benchmarks/bench_confidence.py ../shared/authority-formats [--wrong] [--write]

Real documents of courts and publishers are read, and each fact that the gold has too is compared by the rules
that its scorer has. A document is of the third that is kept for the end ("unseen") by the hash of its name.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from measuring import table, write_results

from lexls.citations.grammar import Grammar
from lexls.library.document import CONFIDENCE, SourceDocument, UnreadableFile
from lexls.library.readers import read

FACTS = ("title", "court", "date", "docket", "kind")
ELSEWHERE = {"in-text": "../data/in-cases", "scotus-text": "scotus-text"}
"""Folders of sets that are not called as their gold."""


def is_unseen(file: str) -> bool:
    return hashlib.sha256(file.encode()).digest()[0] % 3 == 0


def judge(scoring: Any, gold: Mapping[str, Any], found: SourceDocument) -> Iterator[tuple[str, bool, str]]:
    """Each fact that both have, whether it is right, and what was read."""
    metadata = found.metadata
    dockets = [gold["docket"]] if isinstance(gold.get("docket"), str) else gold.get("docket") or []
    courts = [gold["court"]] if isinstance(gold.get("court"), str) else gold.get("court") or []
    for fact in FACTS:
        value = getattr(metadata, fact)
        if not (gold.get(fact) and value):
            continue
        right = {
            "title": lambda: scoring.title_right(gold, metadata.title),
            "court": lambda: scoring.court_right(gold.get("courts", courts), metadata.court),
            "docket": lambda: scoring.docket_right(dockets[0], " ".join(metadata.docket)),
        }.get(fact, lambda fact=fact, value=value: gold[fact] == value)()
        yield fact, bool(right), str(value)


def report(right: Counter[tuple[str, ...]], asked: Counter[tuple[str, ...]]) -> Iterator[Sequence[str]]:
    for fact in (*FACTS, "all"):
        keys = [(part, fact, sure) for sure in ("certain", "likely") for part in ("seen", "unseen")]
        shares = (f"{right[key]} of {asked[key]} ({right[key] / max(1, asked[key]):.1%})" for key in keys)
        yield [fact, *shares]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wrong", action="store_true", help="show what of the seen part is wrong")
    parser.add_argument("--write", action="store_true", help="write the section of RESULTS.md")
    options = parser.parse_args()
    if not (options.folder / "gold").is_dir():
        sys.exit(f"{options.folder}: no folder `gold` with what is right")
    sys.path.insert(0, str(options.folder))
    import formats_scoring as scoring

    grammar = Grammar.load()
    right: Counter[tuple[str, ...]] = Counter()
    asked: Counter[tuple[str, ...]] = Counter()
    for golds in sorted((options.folder / "gold").glob("*.dev.jsonl")):
        name = golds.name.removesuffix(".dev.jsonl")
        folder = options.folder / ELSEWHERE.get(name, name)
        for gold in map(json.loads, golds.read_text(encoding="utf-8").splitlines()):
            try:
                found = read(folder / gold["file"], grammar)
            except UnreadableFile:
                continue
            part = "unseen" if is_unseen(gold["file"]) else "seen"
            for fact, good, value in judge(scoring, gold, found):
                sure = CONFIDENCE[found.sources.get(fact, "file name")]
                for key in ((part, fact, sure), (part, "all", sure)):
                    asked[key] += 1
                    right[key] += good
                if options.wrong and not good and part == "seen":
                    print(f"{name}/{gold['file']}: {fact} ({sure}) {value!r}, not {gold[fact]!r}")
    head = ["fact", "certain, seen", "certain, unseen", "likely, seen", "likely, unseen"]
    shown = table(head, list(report(right, asked)))
    print(shown)
    if options.write:
        about = (
            "Sets of documents as courts and publishers issue them: how many facts said to be *certain* or "
            "*likely* are right. *Unseen* is a third by the hash of its name; documents of it had been "
            "looked at when their set was new.\n"
        )
        command = "    python benchmarks/bench_confidence.py ../shared/authority-formats\n"
        write_results("Confidence of what heads say", [command, about, shown])


if __name__ == "__main__":
    main()
