"""Which citations of published American opinions lexls finds, beside those that eyecite finds.

    pip install eyecite
    python benchmarks/bench_extraction.py ../shared --sample 30 --list disagreements.md

Neither is the truth: ``--list`` writes every place where they differ with the words around it, to be judged
by reading. A full citation of a case is the same where both find it there with the same volume, reporter and
page, whatever abbreviation each calls the reporter by.

Files are drawn by a hash of their names, so that a sample of 30 is part of one of 60. Every third, by another
hash, is not looked at while the forms are written: ``--part`` chooses.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measuring import table, write_results

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation, fold
from lexls.library.document import UnreadableFile
from lexls.library.readers import read

SETS = {
    "data/us-cases/*.md": 20,
    "authority-formats/us-cl-json/*.json": 5,
    "authority-formats/us-cap-html/*.html": 3,
    "authority-formats/us-court-pdf/*-[0-9][0-9]*.pdf": 2,
}
"""The patterns of the files below the folder of the data, and how many of a sample of 30 each gives."""
SAMPLE = 30
PARTS = ("seen", "unseen", "all")
CONTEXT = 110
"""Code points before and behind a disagreement that the list shows."""
FULL = {
    "FullCaseCitation": "full, case",
    "FullLawCitation": "full, law",
    "FullJournalCitation": "full, journal",
}
SHORT = {"ShortCaseCitation": "short", "SupraCitation": "supra", "IdCitation": "id."}


@dataclass(frozen=True, slots=True)
class Compared:
    """What one citation of either came to: ``kind`` is eyecite's or our own in words, ``outcome`` says
    whether both have it; ``start`` and ``end`` are code points of the opinion's text.
    """

    kind: str
    outcome: str
    start: int
    end: int
    said: str = ""


SAME, OTHERWISE, MISSED, ONLY_OURS = "both", "read otherwise", "only eyecite", "only lexls"


def draw(data: Path, sample: int, part: str) -> list[Path]:
    """The files that a sample of this size takes, in the order of their hashes."""
    chosen: list[Path] = []
    for pattern, share in SETS.items():
        files = sorted(data.glob(pattern), key=lambda path: _number(path, "extraction"))
        chosen += files[: -(-share * sample // SAMPLE)]
    return [each for each in chosen if part in ("all", choose_part(each))]


def choose_part(path: Path) -> str:
    """Whether a file is "seen" or "unseen"."""
    return "seen" if _number(path, "part") % 3 else "unseen"


def _number(path: Path, salt: str) -> int:
    return int.from_bytes(hashlib.sha256((salt + path.name).encode()).digest()[:4])


def compare(text: str, grammar: Grammar, theirs: Sequence[Any]) -> Iterator[Compared]:
    """Every citation of ``theirs``, what eyecite finds in ``text``, and then those that only lexls finds."""
    ours = grammar.find(text, "US")
    used: set[int] = set()
    for each in theirs:
        name = type(each).__name__
        start, end = each.span()
        if name not in FULL and name not in SHORT:
            continue
        found = [at for at, one in enumerate(ours) if one.span.start < end and start < one.span.end]
        used.update(found)
        kind = (FULL | SHORT)[name]
        outcome = judge(each, kind, [ours[at] for at in found], start, end, grammar)
        said = "; ".join(f"{ours[at].form} {ours[at].key or ours[at].text}" for at in found)
        yield Compared(kind, outcome, start, end, said)
    for at, one in enumerate(ours):
        if at not in used and (one.form in ("id", "supra") or (one.form == "full" and one.kind == "case")):
            kind = {"id": "id.", "supra": "supra"}.get(one.form, "full, case")
            yield Compared(kind, ONLY_OURS, one.core.start, one.core.end, one.key)


def judge(theirs: Any, kind: str, found: Sequence[Citation], start: int, end: int, grammar: Grammar) -> str:
    """Whether one of the citations that lie at eyecite's is the same."""
    if kind == "full, case":
        cores = [one for one in found if one.form == "full" and one.core.start < end and start < one.core.end]
        if any(is_same_report(theirs, one, grammar) for one in cores):
            return SAME
        return OTHERWISE if cores else MISSED
    if kind == "id.":
        return SAME if any(one.form == "id" for one in found) else OTHERWISE if found else MISSED
    return SAME if found else MISSED


def is_same_report(theirs: Any, ours: Citation, grammar: Grammar) -> bool:
    """Whether volume and page are the same, and the reporter as written, corrected, or as lexls writes it."""
    match = grammar.core_of(ours.key, ours.jurisdiction)
    groups = theirs.groups
    if match is None:
        return False
    values = match.values
    numbers = [values.get("volume") or values.get("year"), values.get("page") or values.get("number")]
    report = fold(values.get("report") or values.get("court") or "")
    names = {fold(groups.get("reporter") or ""), fold(theirs.corrected_reporter())}
    written = fold(f"{groups.get('reporter')}") in fold(ours.text)
    return [fold(str(each or "")) for each in numbers] == [
        fold(str(groups.get(each) or "")) for each in ("volume", "page")
    ] and (report in names or written)


def show(path: Path, text: str, each: Compared) -> str:
    """A disagreement for reading: where, what, and the words around it, the place in »«."""
    before, behind = text[max(0, each.start - CONTEXT) : each.start], text[each.end : each.end + CONTEXT]
    words = " ".join(f"…{before}»{text[each.start : each.end]}«{behind}…".split())
    said = f" [{each.said}]" if each.said else ""
    return f"- {each.outcome}: {each.kind} {path.name}:{each.start}{said}\n  {words}\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="the folder that has data and authority-formats")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="how many opinions, of all sets")
    parser.add_argument("--part", choices=PARTS, default="all")
    parser.add_argument("--list", type=Path, metavar="FILE", help="write each disagreement with its context")
    parser.add_argument("--write", action="store_true", help="write the figures to RESULTS.md")
    options = parser.parse_args()
    try:
        from eyecite import get_citations
    except ImportError:
        print("eyecite is not installed, so there is nothing to compare with: pip install eyecite")
        return 0
    logging.getLogger("eyecite").setLevel(logging.CRITICAL)
    grammar = Grammar.load()
    counts: Counter[tuple[str, str, str]] = Counter()
    shown: dict[str, list[str]] = {OTHERWISE: [], MISSED: [], ONLY_OURS: []}
    opinions: Counter[str] = Counter()
    for path in draw(options.data.resolve(), options.sample, options.part):
        try:
            text = read(path, grammar).text
        except UnreadableFile as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        part = choose_part(path)
        opinions[part] += 1
        for each in compare(text, grammar, get_citations(text)):
            counts[part, each.kind, each.outcome] += 1
            if each.outcome != SAME:
                shown[each.outcome].append(show(path, text, each))
    if options.list is not None:
        options.list.write_text("".join(line for lines in shown.values() for line in lines), encoding="utf-8")
    rows = []
    for kind in (FULL | SHORT).values():
        cells = []
        for part in sorted(opinions):
            row = [counts[part, kind, outcome] for outcome in (SAME, OTHERWISE, MISSED, ONLY_OURS)]
            theirs = sum(row[:3])
            cells.append([theirs, *row, f"{100 * row[0] / theirs:.2f} %" if theirs else "none"])
        rows.append([kind, *("; ".join(map(str, column)) for column in zip(*cells, strict=True))])
    drawn = ", ".join(f"{opinions[part]} {part}" for part in sorted(opinions))
    head = [
        "; ".join(sorted(opinions)),
        "of eyecite",
        SAME,
        OTHERWISE,
        MISSED,
        ONLY_OURS,
        "both, of eyecite's",
    ]
    parts = [
        f"Citations that eyecite finds in opinions ({drawn}), and how many of them lexls reads alike.\n",
        table(head, rows),
    ]
    print("\n".join(parts))
    if options.write:
        asked = f"--sample {options.sample} --part {options.part}"
        command = f"    python benchmarks/bench_extraction.py ../shared {asked}\n"
        write_results("Citations found beside eyecite", [command, *parts])
    return 0


if __name__ == "__main__":
    sys.exit(main())
