"""How often find support says that nothing is near: ``bench_distance.py INDEX SUPPORT.jsonl [--lexical]``.

SUPPORT.jsonl holds citing sentences (``text``, as `draw_support.py` writes them), for which something is near
but where they say nothing; the sentences of ``unrelated_propositions.txt`` are borne out by no authority.
Prints how many of each are told to be far, and the citing sentences among them, to be read.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from measuring import table

from lexls.citations.grammar import Grammar
from lexls.features.build import build_searcher
from lexls.features.find_support import describe_distance, offer_hit
from lexls.index.embedding import open_embedder
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.model import EVERYTHING
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import PLAIN
from lexls.text.spans import Span

UNRELATED = Path(__file__).with_name("unrelated_propositions.txt")
TOKEN = CancelToken()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("support", type=Path)
    parser.add_argument("--lexical", action="store_true")
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    library, settings, grammar = Library(options.index), Settings(), Grammar.load()
    embedder = None if options.lexical else open_embedder(settings.embeddings_model)
    searcher = build_searcher(settings, library, grammar, Tokenizer(), lambda: embedder, lambda: None)
    parse = DraftParser(grammar, settings.jurisdiction).parse

    def is_far(text: str) -> bool:
        snapshot = Snapshot(parse("", text, PLAIN), library, searcher, settings)
        hits, _ = searcher.search_support(text, settings.support_max_results, EVERYTHING, TOKEN)
        found = [offer_hit(snapshot, hit, Span(0, len(text)), text) for hit in hits]
        return not found or bool(describe_distance(snapshot, found))

    lines = options.support.read_text(encoding="utf-8").splitlines()
    sets = {"citing": random.Random(1).sample([json.loads(line)["text"] for line in lines], options.count)}
    for line in UNRELATED.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            sets[line.strip("[]")] = kept = []
        elif line and not line.startswith("#"):
            kept.append(line)
    far = {name: [text for text in texts if is_far(text)] for name, texts in sets.items()}
    rows = [(name, len(texts), len(far[name])) for name, texts in sets.items()]
    print(table(("sentences", "asked", "told to be far"), rows))
    print(*far["citing"], sep="\n")


if __name__ == "__main__":
    main()
