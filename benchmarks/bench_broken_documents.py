"""Read documents made to break readers, each in a process of its own, and tell what they take.

    python benchmarks/bench_broken_documents.py [--write]

A document goes wrong if its process ends, takes over 20 s of processor time or 1 GB of memory, or meets a
fault of lexls. One that is refused with a reason, or read, is right.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
from pathlib import Path

from measuring import listing, machine, table, write_results

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "hostile"))
from broken_documents import KINDS, list_broken
from mutants import FAULT, judge_apart

from lexls.index.config import PrepareOptions
from lexls.index.prepare import Preparer

NOTICED = 5.0
"""Processor seconds from which on a document is named."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write RESULTS.md")
    options = parser.parse_args()
    preparer = Preparer(PrepareOptions(jurisdiction="UK"))
    wrong, read, refused, slowest = [], 0, 0, (0.0, "")
    with tempfile.TemporaryDirectory() as folder:
        for name, make in list_broken():
            path = Path(folder, name)
            path.write_bytes(make())
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            said = judge_apart(preparer, path)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            path.unlink()
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            slowest = max(slowest, (seconds, name))
            is_hash = len(said) == 64 and " " not in said
            read, refused = read + is_hash, refused + (not is_hash)
            if said.startswith("ended its process") or FAULT in said:
                wrong.append(f"{name}: {said}")
            if wrong[-1:] == [f"{name}: {said}"] or seconds > NOTICED:
                print(f"{name}: {seconds:.1f} s, {said}", flush=True)
    head = ("documents", "kinds", "read", "refused with a reason", "wrong", "slowest")
    row = (
        read + refused,
        len(KINDS),
        read,
        refused - len(wrong),
        len(wrong),
        f"{slowest[0]:.1f} s ({slowest[1]})",
    )
    print(machine(), table(head, [row]), sep="\n")
    if options.write:
        command = "    python benchmarks/bench_broken_documents.py --write\n"
        about = (
            "Overlapping zips, loops, 100,000 pages, false sizes of pictures, nesting 100,000 deep, and the "
            "beginnings of all of these, in six sizes. A process may take 20 s of processor time and 1 GB.\n"
        )
        said = listing(("", *head), [("all", *row)])
        write_results("Documents made to break readers", [command, about, said])
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
