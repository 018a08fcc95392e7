"""How fast citations are found and markup is masked: MB/s (a megabyte is a million code points)."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from lexls.citations.grammar import Grammar
from lexls.text.markup import mask

DATA = Path(__file__).parents[1] / ".." / "shared" / "data"
PROSE = "the carrier kept the goods in the hold while the ship lay at the quay and nobody asked for them "


def rate(run: Callable[[], object], size: int, rounds: int) -> float:
    """The median rate of ``run`` over ``size`` code points, in MB/s of processor time."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return size / 1e6 / statistics.median(times)


def joined(folder: Path, size: int) -> str:
    """The first ``size`` code points of the files of a folder."""
    pieces: list[str] = []
    length = 0
    for path in sorted(folder.iterdir()):
        if length >= size:
            break
        text = path.read_text(encoding="utf-8", errors="replace")
        pieces.append(text)
        length += len(text) + 2
    return "\n\n".join(pieces)[:size]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=2_000_000, help="code points of each text")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    size, rounds = arguments.size, arguments.rounds
    start = time.process_time()
    grammar = Grammar.load()
    print(f"grammar loaded in {(time.process_time() - start) * 1000:.0f} ms")
    texts = {"prose without citations (US)": ((PROSE * (size // len(PROSE) + 1))[:size], "US")}
    for name, jurisdiction in (("in-cases", "IN"), ("us-cases", "US"), ("scotus", "US")):
        if (DATA / name).is_dir():
            texts[f"{name} ({jurisdiction})"] = (joined(DATA / name, size), jurisdiction)
    for label, (text, jurisdiction) in texts.items():
        found = grammar.find(text, jurisdiction)
        speed = rate(lambda text=text, place=jurisdiction: grammar.find(text, place), len(text), rounds)
        print(f"find  {label:32} {speed:6.1f} MB/s   {len(found)} citations")
    for markup in ("markdown", "latex", "typst"):
        text = next(reversed(texts.values()))[0]
        speed = rate(lambda text=text, markup=markup: mask(text, markup), len(text), rounds)
        print(f"mask  {markup:32} {speed:6.1f} MB/s")


if __name__ == "__main__":
    main()
