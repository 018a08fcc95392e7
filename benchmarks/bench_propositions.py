"""Extracts that stand against propositions, and those that drafted sentences rest on, to be judged by eye.

    python benchmarks/bench_propositions.py contrary sample=A.sqlite3 in-cases=B.sqlite3 us-cases=C.sqlite3

``propositions.tsv`` holds propositions of our own: task, set, library, proposition. Prints each with the
extracts found and the milliseconds of processor time, and at the end how many there are of each set.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from lexls.citations.grammar import Grammar
from lexls.features.gathering import gather_contrary, gather_draft
from lexls.grounding.answering import write_answer
from lexls.grounding.generators.extractive import ExtractiveGenerator
from lexls.grounding.render import name_pin
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.library import Library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import PLAIN
from lexls.text.spans import Span

PROPOSITIONS = Path(__file__).with_name("propositions.tsv")


def main() -> None:
    """Print the extracts of one task."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=("contrary", "draft"))
    parser.add_argument("libraries", nargs="+", metavar="LIBRARY=INDEX")
    options = parser.parse_args()
    grammar, settings, token = Grammar.load(), Settings(), CancelToken()
    gather = gather_contrary if options.task == "contrary" else gather_draft
    opened = {}
    for name, _, index in (each.partition("=") for each in options.libraries):
        library = Library(Path(index))
        opened[name] = (library, Searcher(library, grammar=grammar))
    counts: Counter[str] = Counter()
    for line in PROPOSITIONS.read_text(encoding="utf-8").splitlines():
        task, part, name, proposition = line.split("\t")
        if task != options.task or name not in opened:
            continue
        library, searcher = opened[name]
        draft = DraftParser(grammar, settings.jurisdiction).parse("", proposition, PLAIN)
        snapshot = Snapshot(draft, library, searcher, settings)
        begun = time.process_time()
        gathered = gather(snapshot, Span(0, len(proposition)), token)
        assert gathered is not None
        generator = ExtractiveGenerator(snapshot.tokens)
        *_, answer = write_answer(gathered, generator, EvidenceVerifier(snapshot.tokens, 0.6), token)
        spent = (time.process_time() - begun) * 1000
        print(f"\n{part} {name} ({spent:.0f} ms): {proposition}")
        for each in answer.sentences:
            pin = each.pins[0]
            print(f"  - {each.text}\n    {name_pin(pin)}{f' ({pin.whose})' if pin.whose else ''}")
        counts[part] += len(answer.sentences)
    for part, count in counts.items():
        print(f"set {part}: {count} extracts")


if __name__ == "__main__":
    main()
