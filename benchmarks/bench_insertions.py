"""Insert citations in every way, and count those read back as the same authority, verified and well formed.

    python benchmarks/bench_insertions.py ../shared/data/us-cases --jurisdiction US --index insertions.sqlite3
    python benchmarks/bench_insertions.py examples/library --sample 40 --show "unread"

``--sample`` authorities of a library, by hash, are cited in a draft that does not cite them yet, in one that
cites them further above, and in one that cites them right before, in each style and in each way to insert a
citation (``inserted_citations.py``). Counted is what is wrong with the citation that the draft then has.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from inserted_citations import Desk, Insertion, insert_everywhere, list_habits
from measuring import table, write_results

from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.session import open_library
from lexls.settings.declaration import Settings


def choose(library: Library, most: int) -> list[Authority]:
    """Authorities of a library that can be cited, by the hashes of their files' names."""
    citable = (each for each in library.catalogue.all() if each.citations or each.docket)
    known = sorted(citable, key=lambda each: hashlib.sha256(each.path.name.encode()).digest())
    return known[:most]


def main() -> int:
    """Print the table; with ``--write`` into RESULTS.md."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("--jurisdiction", default="")
    parser.add_argument("--index", type=Path, help="where the index stays for the next run")
    parser.add_argument("--sample", type=int, default=100, help="authorities that are cited")
    parser.add_argument("--styles", nargs="*", help='only these styles, "" for none')
    parser.add_argument("--show", default=None, help="list what is wrong in kinds that begin so")
    parser.add_argument("--most", type=int, default=5, help="examples of a kind that are shown")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        index = options.index or Path(place) / "index.sqlite3"
        settings = Settings(jurisdiction=options.jurisdiction, embeddings_model="")
        if options.index is not None and index.exists():
            library = Library(index)
        else:
            library, _ = open_library([options.library], index, settings, lexical_only=True)
        desk = Desk(library, Grammar.load())
        authorities = choose(library, options.sample)
        habits = [
            each
            for each in list_habits(options.jurisdiction)
            if not options.styles or each[0] in options.styles
        ]
        counts: Counter[str] = Counter()
        faults: defaultdict[str, list[Insertion]] = defaultdict(list)
        cases = [each for each in authorities if each.kind == "case"]
        for number, authority in enumerate(authorities):
            others = [each for each in (*cases[number + 1 :], *cases) if each.id != authority.id]
            for made in insert_everywhere(desk, authority, others[0] if others else None, habits):
                counts[made.way] += 1
                if made.fault:
                    faults[made.fault].append(made)
        library.close()
    total, wrong = sum(counts.values()), sum(map(len, faults.values()))
    rows = [[kind, len(found), len({each.authority.id for each in found if each.authority})]
            for kind, found in sorted(faults.items(), key=lambda each: -len(each[1]))]  # fmt: skip
    for kind, found in faults.items():
        if options.show is not None and kind.startswith(options.show):
            print(f"== {kind}: {Counter(each.way for each in found)}", file=sys.stderr)
            seen: set[tuple[str, int]] = set()
            for each in found:
                key = (each.way, each.authority.id if each.authority else 0)
                if key in seen or len(seen) >= options.most:
                    continue
                seen.add(key)
                print(f"   {each.style or each.place} · {each.position} · {each.way} · {each.written!r}"
                      f" · {each.detail}", file=sys.stderr)  # fmt: skip
    right = f"{total - wrong:,} read back as they should be"
    head = f"{len(authorities)} authorities, {total:,} insertions, {right}.\n"
    about = (
        "Each authority is cited in full, after another case and right after itself, in several styles, by "
        "completion, find support, inline proposals, evidence and for agents; then read back.\n"
    )
    text = [about, head, table(["what is wrong", "insertions", "authorities"], rows)]
    print(write_results(f"Insertions: {options.library.name}", text) if options.write else "\n".join(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
