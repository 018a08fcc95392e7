"""What a change of one document costs the server: moving the library on, and the next hover on a citation.

    python benchmarks/bench_change.py ../shared/data/in-cases in-cases.sqlite3 --jurisdiction IN

The index, which needs no vectors, is copied; an invented judgment in a folder of its own is changed again and
again. Measured is processor time of this process in milliseconds, before the first change for hovers at rest.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from invented_draft import compose
from measuring import Spread, as_row, load, machine, table

from lexls.citations.grammar import Grammar
from lexls.features.build import build_searcher
from lexls.features.hover import hover
from lexls.index.config import make_indexer_config
from lexls.index.indexer import Indexer
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.reading.snapshot import DraftParser, Snapshot
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import format_of

JUDGMENT = (
    '---\ntitle: "Ostler v Harbour Board"\ncitation: "[2015] UKSC 1"\ndate: 2015-01-02\nkind: case\n---\n\n'
    "[1] The ferry sank, and the pilot answered {} times for it.\n"
)


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("index", type=Path, help="its finished index")
    parser.add_argument("--jurisdiction", default="")
    parser.add_argument("--changes", type=int, default=40)
    options = parser.parse_args()
    settings = Settings(jurisdiction=options.jurisdiction, embeddings_model="")
    with tempfile.TemporaryDirectory() as name:
        folder, index = Path(name).resolve() / "changing", Path(name).resolve() / "index.sqlite3"
        folder.mkdir()
        shutil.copy(options.index, index)
        indexer = Indexer(make_indexer_config([options.library.resolve(), folder], settings, index))
        indexer.reconcile()
        library = Library(index)
        draft, grammar, tokenizer = compose(library), Grammar.load(()), Tokenizer()
        searcher = build_searcher(settings, library, grammar, tokenizer, lambda: None, lambda: None)
        read = DraftParser(grammar, settings.jurisdiction, lambda: tuple(library.catalogue.jurisdictions()))
        parsed = read.parse((folder / "draft.md").as_uri(), draft.text, format_of("markdown", "draft.md"))
        snapshot = Snapshot(parsed, library, searcher, settings, tokenizer=tokenizer)

        def ask(number: int) -> object:
            return hover(snapshot, draft.citations[number % len(draft.citations)], CancelToken())

        before = load()
        ask(0)
        rest = [_time(lambda n=number: ask(n)) for number in range(len(draft.citations))]  # type: ignore[misc]
        moving, after = [], []
        for number in range(options.changes):
            (folder / "ostler.md").write_text(JUDGMENT.format(number))
            indexer.reconcile()
            moving.append(_time(library.refresh))
            after.append(_time(lambda n=number: ask(n)))  # type: ignore[misc]
        library.close()
        indexer.close()
    names = ("hover on a citation, nothing changed", "moving on after a change", "the next hover")
    rows = [
        (what, len(spent), *as_row(Spread.of(spent).data(1)))
        for what, spent in zip(names, (rest, moving, after), strict=True)
    ]
    print(machine(), f"Load average: {before:.1f} and {load():.1f}.", sep="\n")
    print(table(("processor ms", "n", "p50", "p95", "max"), rows))


def _time(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


if __name__ == "__main__":
    main()
