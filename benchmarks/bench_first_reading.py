"""How soon what a draft cites can be asked while a library is read for the first time.

    python benchmarks/bench_first_reading.py ../shared/data/us-cases --jurisdiction US

The library is read by a real indexer process, first as it comes. Then some of its authorities, spread evenly
over its files, are wished for as the server wishes for what an open draft cites, and it is read anew. For
those authorities: the seconds from the indexer's start until each is in the index, in both runs, and how many
documents were read when the last of them was.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from measuring import Spread, listing, load, write_results

from lexls.index.config import IndexerConfig, make_indexer_config
from lexls.index.library import Library
from lexls.index.process import start_indexer
from lexls.index.status import IndexStatus
from lexls.index.wanted import append_wishes
from lexls.settings.declaration import Settings

POLL_SECONDS = 0.1


def arrivals(config: IndexerConfig) -> dict[str, float]:
    """Read the library; for each document the seconds from the start until it is in the index."""
    seen: dict[str, float] = {}
    started = time.monotonic()
    process = start_indexer(config)
    assert process.stdin is not None
    with closing(IndexStatus(config.index)) as status:
        while not status.reconciled():
            now = time.monotonic() - started
            for _, relative, _ in status.document_ids():
                seen.setdefault(relative, now)
            time.sleep(POLL_SECONDS)
        now = time.monotonic() - started
        for _, relative, _ in status.document_ids():
            seen.setdefault(relative, now)
    process.stdin.close()
    process.wait()
    return seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--jurisdiction", default="")
    parser.add_argument("--cited", type=int, default=20, help="so many authorities are cited")
    options = parser.parse_args()
    settings = Settings(jurisdiction=options.jurisdiction, embeddings_model="")
    before = load()
    with tempfile.TemporaryDirectory() as folder:
        plain = make_indexer_config([options.library], settings, Path(folder, "plain.sqlite3"))
        without = arrivals(plain)
        with closing(Library(plain.index)) as opened:
            known = sorted(
                (each for each in opened.catalogue.all() if each.citation), key=lambda each: each.relative
            )
        cited = known[len(known) // (2 * options.cited) :: max(1, len(known) // options.cited)][
            : options.cited
        ]
        wished = make_indexer_config([options.library], settings, Path(folder, "wished.sqlite3"))
        append_wishes(wished.index, [f"{each.name} {each.citation}" for each in cited])
        first = arrivals(wished)
    rows = []
    for name, times in (("as the files come", without), ("what the draft cites first", first)):
        spread = Spread.of([times[each.relative] for each in cited])
        read = sum(at <= spread.largest for at in times.values())
        whole = max(times.values())
        last = f"**{spread.largest:.1f} s** ({read:,} read)"
        rows.append((name, f"{spread.p50:.1f} s", last, f"{whole:.1f} s"))
    library = f"../shared/data/{options.library.name}"
    parts = [
        f"    python benchmarks/bench_first_reading.py {library} --jurisdiction {options.jurisdiction}\n",
        f"{len(without):,} documents, of which a draft cites {len(cited)}, spread evenly. Seconds from the "
        f"indexer's start until these can be searched. Load average before and after: {before:.1f} and "
        f"{load():.1f}.\n",
        listing(["", "median", "the last of them", "the whole library"], rows),
    ]
    print(write_results("First reading", parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
