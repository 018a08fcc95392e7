"""How citations of a record are read in sentences, and what that costs beside finding those of authorities.

python benchmarks/bench_record.py [--size CODE_POINTS] [--rounds N]

Every third sentence of `tests/citations/record_in_sentences.tsv` and `no_record_in_sentences.txt` was kept
unseen while the forms were written.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench_citations import DATA, corpora
from measuring import load, table, write_results

from lexls.citations.grammar import Grammar, cut
from lexls.citations.record import find_record_citations
from lexls.citations.scan import Scan

SENTENCES = Path(__file__).parents[1] / "tests" / "citations"
UNSEEN = 3
FIRST = (
    "The first reading of the unseen third, before anything was changed for it, had 49 of 50 and 35 of 35 "
    "right; one hand wrote sentences and forms. Of the 100 citations that `--draw 100` showed of opinions in "
    "us-cases, 99 were of a record; the other was a bill (“H.B. 887”), which is passed over since.\n"
)
"""What was read and counted by a person."""


def count_read(rows: Sequence[str]) -> tuple[int, int]:
    """Of lines "sentence, key, labels" how many are read so and as nothing else, and how many there are."""
    right = 0
    for row in rows:
        sentence, key, labels = row.split("\t")
        found = [
            (each.paper.keys[0], ";".join(each.pinpoint.labels) if each.pinpoint is not None else "")
            for each in find_record_citations(Scan(sentence))
        ]
        right += found == [(key, labels)]
    return right, len(rows)


def count_silent(rows: Sequence[str]) -> tuple[int, int]:
    """In how many sentences nothing is read, and how many there are."""
    return sum(not find_record_citations(Scan(row)) for row in rows), len(rows)


def parted(rows: Sequence[str], first: int) -> tuple[list[str], list[str]]:
    """The sentences that were seen, and every third of the ``first``, which was not."""
    unseen = list(rows[UNSEEN - 1 : first : UNSEEN])
    return [row for place, row in enumerate(rows) if place % UNSEEN != UNSEEN - 1 or place >= first], unseen


def interleaved(runs: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The median processor seconds of each, one after the other in each round."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for place, run in enumerate(runs):
            start = time.process_time()
            run()
            times[place].append(time.process_time() - start)
    return [statistics.median(each) for each in times]


def draw(count: int) -> None:
    """Show some of the citations found in opinions, each in its surroundings."""
    chance = random.Random(11)
    found: list[str] = []
    for path in chance.sample(sorted((DATA / "us-cases").glob("*.md")), 500):
        text = " ".join(path.read_text(encoding="utf-8", errors="replace").split("\n"))
        for each in find_record_citations(Scan(text)):
            around = (text[each.span.start - 35 : each.span.start], text[each.span.end : each.span.end + 25])
            found.append(f"{each.paper.keys[0]}: {around[0]}⟦{each.span.of(text)}⟧{around[1]}")
    print("\n".join(chance.sample(found, count)))


def main() -> int:
    """Measure, and write the section of the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--draw", type=int, default=0, help="only show so many citations found, for reading")
    options = parser.parse_args()
    if options.draw:
        draw(options.draw)
        return 0
    lines = (SENTENCES / "record_in_sentences.tsv").read_text(encoding="utf-8").splitlines()
    cited = parted([line for line in lines if line and not line.startswith("#")], 150)
    others = parted((SENTENCES / "no_record_in_sentences.txt").read_text(encoding="utf-8").splitlines(), 105)
    rows = []
    for name, place in (("seen", 0), ("unseen", 1)):
        true, false = count_read(cited[place]), count_silent(others[place])
        rows.append((name, f"{true[0]} of {true[1]}", f"{false[0]} of {false[1]}"))
    grammar = Grammar.load()
    costs = []
    for name, (text, place) in corpora(options.size).items():
        pieces = cut(text)
        grammar.find(text[:2_000], place)
        both = interleaved(
            (
                lambda text=text, place=place: grammar.find(text, place),
                lambda pieces=pieces: [find_record_citations(Scan(piece)) for piece in pieces],
            ),
            options.rounds,
        )
        found = sum(len(find_record_citations(Scan(piece))) for piece in pieces)
        costs.append((name, f"{both[0]:.2f} s", f"{both[1]:.2f} s", f"{both[1] / both[0]:.0%}", found))
    parts = [
        f"`python benchmarks/bench_record.py`; load average at the start {load():.1f}.\n",
        table(("sentences", "true citations, read with their place", "others, where nothing is read"), rows),
        FIRST,
        f"Processor time over {options.size / 1e6:g} MB of each text, median of {options.rounds} rounds, "
        "interleaved. Citations of a record are looked for only where there is one.\n",
        table(("text (jurisdiction)", "of authorities", "of a record", "share", "found"), costs),
    ]
    print(write_results("Citations of the record", parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
