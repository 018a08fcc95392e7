"""Measure how the processor time for texts composed of the grammar's own words grows with their length.

    python benchmarks/bench_growth_composed.py sample.sqlite3 [--texts 3000] [--work check] [--write]

Each text is read at 10 and 40 thousand characters. Reported is the exponent of the time between the two:
1 where it grows as the text does, 2 where it grows with its square. A steep one is measured again, also at
four times the length, where a mere step is no growth, and is shrunk to the words that make it so.
"""

from __future__ import annotations

import argparse
import gc
import math
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from measuring import listing, write_results

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "hostile"))
from composed_texts import ComposedText, compose, list_vocabulary
from growth import Work, check, cite, read, take_seconds

from lexls.citations.grammar import Grammar

SIZES = (5_000, 10_000, 20_000, 40_000)
BEYOND = 160_000
STEEPEST = 1.3
MOST_SECONDS = 20
"""Processor seconds after which a text is given up."""
NOTICED = 2.0
"""Processor seconds above which a text is reported even if its time does not grow."""
MEASURABLE = 0.1
"""Processor seconds that a text is read for, again and again: some clocks tick in hundredths."""


class TooLongError(Exception):
    """A text took longer than ``MOST_SECONDS``."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("index", type=Path, help="the index of a library to check against")
    parser.add_argument("--texts", type=int, default=3_000)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first text")
    parser.add_argument("--minutes", type=float, default=math.inf, help="end each work after so long")
    parser.add_argument("--work", choices=["cite", "check", "press", "read"], action="append", default=[])
    parser.add_argument("--write", action="store_true", help="write RESULTS.md")
    options = parser.parse_args()
    works = options.work or ["cite", "check"]
    seeds = range(options.first, options.first + options.texts)
    rows = [measure_all(name, options.index, seeds, options.minutes) for name in works]
    lines = [
        f"    python benchmarks/bench_growth_composed.py sample.sqlite3 --first {options.first}"
        f" --texts {options.texts} --minutes {options.minutes:g} --write\n",
        "Texts composed of the grammar's own words: the exponent of processor time between 10 and 40 "
        f"thousand characters, of as many texts as the time allowed; more than {STEEPEST} is too much.\n",
        listing(("work", "texts", f"over {STEEPEST}", "steepest", "slowest at 40,000"), rows),
    ]
    print(lines[-1])
    if options.write:
        write_results("Composed texts", lines)


def measure_all(name: str, index: Path, seeds: range, minutes: float) -> tuple[str, int, int, str, str]:
    """One work over the texts of all seeds, or of as many as the time allows; a row of the table."""
    grammar = Grammar.load()
    places = [*sorted(grammar.jurisdictions), ""]
    vocabulary = cache(lambda place: list_vocabulary(grammar, place))
    works = cache(lambda place: make_work(name, index, place))
    for place in places:
        works(place)("See Fern v Elm [2014] UKSC 1.")()
    gc.collect()
    gc.freeze()
    steepest, slowest, over, texts = 0.0, 0.0, 0, 0
    until = time.monotonic() + 60 * minutes
    for seed in seeds:
        if time.monotonic() > until:
            break
        text = compose(seed, places, vocabulary)
        seconds = take(works(text.jurisdiction), text, SIZES[1::2])
        if exponent(seconds) > STEEPEST:
            seconds = take(works(text.jurisdiction), text, SIZES, rounds=3)
        if exponent(seconds) > STEEPEST:
            # A step is none: numbers that count up are years at some length.
            beyond = take(works(text.jurisdiction), text, (SIZES[-1], BEYOND), rounds=3)
            seconds = seconds if exponent(beyond) > STEEPEST else beyond
        steepest, slowest = max(steepest, exponent(seconds)), max(slowest, seconds[-1])
        if exponent(seconds) > STEEPEST:
            over += 1
            taken = " ".join(f"{each:.2f}" for each in seconds)
            pieces = shrink(works(text.jurisdiction), text).pieces
            print(
                f"{name} {seed} {text.jurisdiction}: {exponent(seconds):.2f} ({taken} s) {pieces}", flush=True
            )
        elif seconds[-1] > NOTICED:
            print(f"{name} {seed} {text.jurisdiction}: {seconds[-1]:.1f} s {text.pieces}", flush=True)
        texts += 1
        if texts % 50 == 0:
            print(f"{name}: {texts} texts, steepest {steepest:.2f}, {slowest:.1f} s", flush=True)
    return name, texts, over, f"{steepest:.2f}", f"{slowest:.1f} s"


def shrink(work: Work, text: ComposedText) -> ComposedText:
    """The least of the text that is steep by itself."""
    return text.shrink(lambda each: exponent(take(work, each, SIZES[1::2], rounds=2)) > STEEPEST)


def make_work(name: str, index: Path, jurisdiction: str) -> Work:
    if name == "cite":
        return cite(jurisdiction)
    if name == "read":
        return read("txt")
    return check(index, "markdown", pressed=name == "press", jurisdiction=jurisdiction)


def take(work: Work, text: ComposedText, sizes: Sequence[int], rounds: int = 1) -> list[float]:
    """Processor seconds for each size, the least of some rounds; infinite for one that was given up."""
    seconds = []
    for size in sizes:
        try:
            with _limited(MOST_SECONDS * rounds):
                seconds.append(min(_take_mean(work, text.make(size)) for _ in range(rounds)))
        except TooLongError:
            return [*seconds, *[math.inf] * (len(sizes) - len(seconds))]
    return seconds


def exponent(seconds: Sequence[float]) -> float:
    """The exponent between the last size and the one a quarter as long."""
    short, long = seconds[-3 if len(seconds) > 2 else -2], seconds[-1]
    return math.inf if math.isinf(long) else math.log(long / short, 4)


def _take_mean(work: Work, text: str) -> float:
    """The mean of so many readings as can be measured."""
    total, times = 0.0, 0
    while total < MEASURABLE:
        total += take_seconds(work, text)
        times += 1
    return total / times


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise TooLongError

    signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


if __name__ == "__main__":
    main()
