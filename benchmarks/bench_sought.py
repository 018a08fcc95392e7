"""How often a question for a time, an amount or a number is answered by one, and by the right one.

    python benchmarks/bench_sought.py sample=A.sqlite3 in-cases=B.sqlite3 us-cases=C.sqlite3 [--vectors]

``sought.tsv`` holds questions of our own: set, library, question, and a pattern that right extracts have.
Set 1 was looked at while this was made; nothing was changed for set 2. Sets 3 (looked at) and 4 (not) ask
contracts that they only describe ("the content license"), sets 5 (looked at) and 6 (not) for the rules of
Acts ("When may the court make a freezing order?").
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from pathlib import Path

from lexls.citations.grammar import Grammar
from lexls.features.gathering import gather_answer
from lexls.grounding.answering import write_answer
from lexls.grounding.generators.extractive import ExtractiveGenerator
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.embedding import open_embedder
from lexls.index.library import Library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import PLAIN

QUESTIONS = Path(__file__).with_name("sought.tsv")


def main() -> None:
    """Ask all questions of the libraries that are given."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("libraries", nargs="+", metavar="LIBRARY=INDEX")
    parser.add_argument("--vectors", action="store_true", help="by similarity too, not by words alone")
    options = parser.parse_args()
    embedder = open_embedder(threads=1) if options.vectors else None
    grammar, settings, token = Grammar.load(), Settings(), CancelToken()
    draft = DraftParser(grammar, settings.jurisdiction).parse("", "", PLAIN)
    opened = {}
    for name, _, index in (each.partition("=") for each in options.libraries):
        library = Library(Path(index))
        opened[name] = Snapshot(
            draft, library, Searcher(library, lambda: embedder, grammar=grammar), settings
        )
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        part, name, question, pattern = line.split("\t")
        if name not in opened:
            continue
        snapshot = opened[name]
        gathered = gather_answer(snapshot, question, (), token)
        generator = ExtractiveGenerator(snapshot.tokens, embedder.encode if embedder is not None else None)
        *_, answer = write_answer(gathered, generator, EvidenceVerifier(snapshot.tokens, 0.6), token)
        right = [re.search(pattern, each.text) is not None for each in answer.sentences]
        for place, met in enumerate((True, bool(right), any(right[:1]), any(right))):
            counts[part][place] += met
        if not any(right[:1]):
            print(f"{part} {name}: {question}")
    for part, (asked, answered, first, some) in counts.items():
        print(f"set {part}: {asked} asked, {answered} answered, {first} right in the first, {some} in any")


if __name__ == "__main__":
    main()
