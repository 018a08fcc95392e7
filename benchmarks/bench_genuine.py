"""How many genuine citations are read rightly, by jurisdiction.

    python benchmarks/bench_genuine.py tests/citations/genuine

A table is described in tests/citations/genuine/README.md; any folder of such tables will do. An entry is
right if every citation of its text has its span, kind, form, key and pinpoint, and nothing else is read.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "citations"))

from genuine_tables import TableError, verdicts  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "tests" / "citations" / "genuine")
    parser.add_argument("--faults", action="store_true", help="print each wrong entry and what is wrong")
    arguments = parser.parse_args()
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    try:
        for entry, faults in verdicts(arguments.folder):
            total[entry.table] += 1
            right[entry.table] += not faults
            if faults and arguments.faults:
                print(f"{entry.id}\n    " + "\n    ".join(faults))
    except TableError as error:
        print(error, file=sys.stderr)
        return 2
    for table in sorted(total):
        print(f"{table.upper():5} {right[table]:4}/{total[table]:<4} {right[table] / total[table]:7.1%}")
    print(f"{'all':5} {right.total():4}/{total.total():<4} {right.total() / total.total():7.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
