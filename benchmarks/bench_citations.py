"""How fast citations are found, beside eyecite on the same text in the same run; and after a key press.

python benchmarks/bench_citations.py [--size CODE_POINTS] [--rounds N]

A megabyte (MB) is a million code points. eyecite is measured if it is installed.
"""

from __future__ import annotations

import argparse
import logging
import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from measuring import Spread, as_row, load, table, write_results

from lexls.citations.grammar import Grammar
from lexls.text.formats import FORMATS

DATA = Path(__file__).parents[1] / ".." / "shared" / "data"
CORPORA = (("in-cases", "IN"), ("us-cases", "US"), ("scotus", "US"))
PROSE = "the carrier kept the goods in the hold while the ship lay at the quay and nobody asked for them "
CITED = (
    "In Carrow v. Dunne, 531 U.S. 98, 99-100 (2000), the carrier kept the goods.",
    "See id. at 104; Pell v. Ryle, 819 F.3d 880, 888 (6th Cir. 2016).",
    "By 42 U.S.C. § 1983 nobody asked for them, and Carrow, 531 U.S., at 101, says no more.",
)
KEYS = "x ,.1A"


def corpora(size: int) -> Mapping[str, tuple[str, str]]:
    """The texts to read with their jurisdictions: those at hand, else an invented one."""
    texts = {
        f"{name} ({place})": (joined(DATA / name, size), place)
        for name, place in CORPORA
        if (DATA / name).is_dir()
    }
    return texts or {"invented (US)": (invented(size), "US")}


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


def invented(size: int) -> str:
    """Prose with a citation every few sentences."""
    chance = random.Random(1)
    paragraph = ""
    paragraphs: list[str] = []
    while sum(map(len, paragraphs)) < size:
        paragraph = "".join(
            PROSE.capitalize().strip() + ". " + (chance.choice(CITED) + " ") * (number % 2)
            for number in range(6)
        )
        paragraphs.append(paragraph.replace("531", str(chance.randint(100, 999))) + "\n\n")
    return "".join(paragraphs)[:size]


def seconds(run: Callable[[], object], rounds: int) -> float:
    """The median processor time of ``run``."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return statistics.median(times)


def draft(text: str, paragraphs: int = 2_000) -> list[str]:
    """A text as so many paragraphs, cut where lines end."""
    lines = [line + "\n" for line in text.split("\n")]
    pieces = [""]
    for line in lines:
        if len(pieces[-1]) > len(text) // paragraphs:
            pieces.append("")
        pieces[-1] += line
    return pieces


def key_presses(grammar: Grammar, pieces: Sequence[str], place: str, count: int) -> list[float]:
    """Milliseconds that a reading takes after each of ``count`` key presses in random paragraphs."""
    chance = random.Random(1)
    reader = grammar.reader(place)
    now = list(pieces)
    reader.read(now)
    times = []
    for _ in range(count):
        number = chance.randrange(len(now))
        at = chance.randrange(len(now[number]) + 1)
        now[number] = now[number][:at] + chance.choice(KEYS) + now[number][at:]
        start = time.perf_counter()
        reader.read(now)
        times.append((time.perf_counter() - start) * 1000)
    return times


def by_eyecite(text: str, rounds: int) -> tuple[float, int] | None:
    """Processor seconds and number of citations of eyecite, None if it is not installed."""
    try:
        from eyecite import get_citations
    except ImportError:
        return None
    logging.getLogger("eyecite").setLevel(logging.CRITICAL)
    found = get_citations(text[:2_000])  # loads its reporters
    times = []
    for _ in range(rounds):
        start = time.process_time()
        found = get_citations(text)
        times.append(time.process_time() - start)
    return statistics.median(times), len(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--size", type=int, default=1_000_000, help="code points of each text")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--keys", type=int, default=200, help="key presses in the text as a draft")
    arguments = parser.parse_args()
    size, rounds = arguments.size, arguments.rounds
    busy = load()
    loading = seconds(Grammar.load, rounds) * 1000
    grammar = Grammar.load()
    rates: list[list[object]] = []
    texts = corpora(size)
    for name, (text, place) in texts.items():
        found = grammar.find(text, place)
        megabytes = len(text) / 1e6
        taken = seconds(lambda text=text, place=place: grammar.find(text, place), rounds)  # type: ignore[misc]
        other = by_eyecite(text, 1)
        rates.append(
            [
                name,
                f"{megabytes / taken:.1f}",
                len(found),
                f"{megabytes / other[0]:.2f}" if other else "not installed",
                other[1] if other else "",
            ]
        )
        pieces = draft(text)
        spread = Spread.of(key_presses(grammar, pieces, place, arguments.keys))
        rates[-1] += [len(pieces), ", ".join(as_row(spread.data()))]
        print(*rates[-1], flush=True)
    prose = (PROSE * (size // len(PROSE) + 1))[:size]
    taken = seconds(lambda: grammar.find(prose, "US"), rounds)
    rates.append(["prose without citations (US)", f"{size / 1e6 / taken:.1f}", 0, "", "", "", ""])
    masks = [
        f"{each.title} {len(text) / 1e6 / seconds(partial(each.mask, text), rounds):.0f}"
        for text in [next(iter(texts.values()))[0]]
        for each in FORMATS.values()
    ]
    write_results(
        "Citations: finding them",
        [
            "    python benchmarks/bench_citations.py\n",
            f"{size / 1e6:g} MB (million code points) of each text as it lies in the files, one thread, "
            f"median processor time of {rounds} rounds (eyecite: one); load average at the start "
            f"{busy:.1f}. Then the text as a draft, {arguments.keys} key presses in random paragraphs: "
            f"elapsed ms, p50, p95, max. The grammar loads in {loading:.0f} ms. Masking markup: "
            f"{', '.join(masks)} MB/s.\n",
            table(
                [
                    *("text (jurisdiction)", "lexls, MB/s", "citations", "eyecite, MB/s", "its citations"),
                    *("paragraphs", "key press, ms"),
                ],
                rates,
            ),
        ],
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
