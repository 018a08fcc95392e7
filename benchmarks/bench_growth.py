"""How the time for hostile texts grows with their length: in full for a size and for one ten times as long.

    python benchmarks/bench_growth.py sample.sqlite3 [--work cite --work "read pdf"] [--text digits] [--write]

The texts are those of tests/hostile/hostile_texts.toml: each repeats a piece that is hard to read. Measured
is processor time, each text in a process of its own. *Growth* is the time a character of the long text took
over that of the short one: 1 where the time is as long as the text, 10 where it grows with its square.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from measuring import transpose, write_results

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "hostile"))
from growth import Taken, list_works, measure
from hostile_texts import load_texts

LIMIT = 1.5
NOTICED = 0.05
"""Seconds below which a short text took too little to be compared."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("index", type=Path, help="the index of a library to check against")
    parser.add_argument("--work", action="append", default=[], help="only what begins so")
    parser.add_argument("--text", action="append", default=[], help="only these texts")
    parser.add_argument("--sizes", type=int, nargs=2, default=(500_000, 5_000_000))
    parser.add_argument("--most-seconds", type=int, default=600, help="processor time for both sizes")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--jsonl", type=Path, help="add each measurement to this file; what it has is kept")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md")
    options = parser.parse_args()
    texts = load_texts()
    known: dict[tuple[str, str], Taken] = {}
    if options.jsonl and options.jsonl.exists():
        for line in options.jsonl.read_text(encoding="utf-8").splitlines():
            name, text, seconds, memory = json.loads(line)
            known[name, text] = Taken(tuple(seconds), memory)
    for name, make in list_works(options.index).items():
        if options.work and not name.startswith(tuple(options.work)):
            continue
        wanted = [text for text in options.text or texts if (name, text) not in known]
        work = make() if wanted else None
        for text in wanted:
            assert work is not None
            taken = measure(work, texts[text], options.sizes, options.most_seconds, options.rounds)
            known[name, text] = taken
            print(f"{name:16} {text:32} {describe(taken, options.sizes)}", flush=True)
            if options.jsonl:
                with options.jsonl.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([name, text, taken.seconds, taken.memory]) + "\n")
    if options.write:
        write_results("Hostile texts", report(known, options.sizes))


def growth(taken: Taken, sizes: tuple[int, int]) -> float:
    """How much longer a character of the long text takes; infinite if it came to no end."""
    if len(taken.seconds) < 2:
        return float("inf")
    short, long = (seconds / size for seconds, size in zip(taken.seconds, sizes, strict=True))
    return long / max(short, 1e-12)


def describe(taken: Taken, sizes: tuple[int, int]) -> str:
    mark = (
        "!" if growth(taken, sizes) > LIMIT and (len(taken.seconds) < 2 or taken.seconds[0] > NOTICED) else ""
    )
    seconds = " ".join(f"{each:8.2f} s" for each in taken.seconds)
    return f"{seconds}  growth {growth(taken, sizes):5.2f}{mark}  {taken.memory / 2**20:.0f} MB"


def report(known: dict[tuple[str, str], Taken], sizes: tuple[int, int]) -> list[str]:
    rows = []
    for name in dict.fromkeys(name for name, _ in known):
        taken = {text: each for (work, text), each in known.items() if work == name}
        steepest = max(taken, key=lambda text: growth(taken[text], sizes))
        slowest = max(taken, key=lambda text: taken[text].seconds[-1] if taken[text].seconds else 0.0)
        over = sum(growth(each, sizes) > LIMIT for each in taken.values())
        rows.append(
            (
                name,
                len(taken),
                over,
                f"{growth(taken[steepest], sizes):.2f} ({steepest})",
                f"{taken[slowest].seconds[-1]:.1f} s ({slowest})",
                f"{max(each.memory for each in taken.values()) / 2**20:.0f} MB",
            )
        )
    short, long = (f"{size:,}" for size in sizes)
    return [
        "    python benchmarks/bench_growth.py sample.sqlite3 --write\n",
        f"Texts that repeat one piece (`tests/hostile/hostile_texts.toml`) at {short} and {long} "
        "characters. Growth is the processor time a character of the long text over that of the short one; "
        f"more than {LIMIT} is too much.\n",
        transpose(("work", "texts", f"over {LIMIT}", "steepest", "slowest", "most memory"), rows),
    ]


if __name__ == "__main__":
    main()
