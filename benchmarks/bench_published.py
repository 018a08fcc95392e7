"""False alarms: what the checks find in published judgments that are read as drafts.

    python benchmarks/bench_published.py ../shared --sample 500 --list findings.md

A judgment that a court published is right, so what is reported of it as a warning or an error is a false
alarm, but for the slips that judges make too: ``--list`` writes each finding with the words around it, to be
read by eye. Each judgment is checked with the default settings against the library that it lies in, itself
held too. Its front matter is left out. The indexes are kept in the folder ``--indexes``, if one is given, so
that a second run need not make them again.

Files are drawn by a hash of their names, so that a sample of 100 is part of one of 200. Every third, by
another hash, is not looked at while the checks are written: ``--part`` chooses.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from measuring import Spread, table, write_results

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.cli.drafts import read_draft
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.library.readers import read
from lexls.reading.draft import Draft
from lexls.reading.draft_files import is_word
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import PLAIN, format_of


@dataclass(frozen=True, slots=True)
class Published:
    """Judgments of a jurisdiction: ``share`` of a sample of 500 is drawn from the files that match
    ``pattern``, and checked against a library of ``folders``. All paths are below the folder of the data.
    """

    name: str
    jurisdiction: str
    share: int
    pattern: str
    folders: tuple[str, ...]


UNITED_KINGDOM = tuple(f"authority-formats/{each}" for each in ("uk-docx", "uk-clml", "uk-akn"))
SETS = (
    Published("us-cases", "US", 110, "data/us-cases/*.md", ("data/us-cases",)),
    Published("scotus", "US", 103, "data/scotus/*.txt", ("data/scotus",)),
    Published("in-cases", "IN", 170, "data/in-cases/*.txt", ("data/in-cases",)),
    Published("uk", "UK", 50, "authority-formats/uk-akn/*.xml", UNITED_KINGDOM),
    Published("uk", "UK", 48, "authority-formats/uk-docx/*.docx", UNITED_KINGDOM),
    Published("uk", "UK", 19, "authority-formats/akn-examples/20*.xml", UNITED_KINGDOM),
)
SAMPLE = 500
PARTS = ("seen", "unseen", "all")
CONTEXT = 350
"""Code points of the draft before and behind a finding that the list shows."""
ALARMS = ("warning", "error")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Checked:
    """One judgment as a draft, with what was found and the seconds that the checks took."""

    published: Published
    path: Path
    draft: Draft
    findings: Sequence[Finding]
    seconds: float


def draw(published: Published, data: Path, sample: int, part: str) -> list[Path]:
    """The files of a set that a sample of this size takes, in the order of their hashes."""

    def number(path: Path, salt: str) -> int:
        return int.from_bytes(hashlib.sha256((salt + path.name).encode()).digest()[:4])

    files = sorted(data.glob(published.pattern), key=lambda path: number(path, "order"))
    files = files[: -(-published.share * sample // SAMPLE)]
    return [each for each in files if part == "all" or (number(each, "part") % 3 == 0) == (part == "unseen")]


def parse(path: Path, grammar: Grammar, settings: Settings) -> Draft:
    """A judgment as a draft: Word, Markdown and text as they are, of the rest the text."""
    if is_word(path):
        return read_draft(path, settings)
    if path.suffix in (".md", ".txt"):
        text = _FRONT_MATTER.sub("", path.read_text(encoding="utf-8", errors="replace"))
        format = format_of("", path.name)
    else:
        text, format = read(path, grammar).text, PLAIN
    return DraftParser(grammar, settings.jurisdiction).parse(path.as_uri(), text, format)


def check_all(data: Path, indexes: Path, sample: int, part: str) -> Iterator[Checked]:
    """Every judgment of the sample, checked."""
    grammar = Grammar.load()
    opened: dict[str, Library] = {}
    for published in SETS:
        settings = Settings(jurisdiction=published.jurisdiction)
        if published.name not in opened:
            folders = [data / each for each in published.folders]
            index = indexes / f"{published.name}.sqlite3"
            made = replace(settings, embeddings_model="")
            opened[published.name], _ = open_library(folders, index, made, lexical_only=True)
        library = opened[published.name]
        searcher = Searcher(library, grammar=grammar)
        for path in draw(published, data, sample, part):
            started = time.perf_counter()
            draft = parse(path, grammar, settings)
            findings = check(Snapshot(draft, library, searcher, settings), CancelToken())
            yield Checked(published, path, draft, findings, time.perf_counter() - started)
            if sys.stderr.isatty():
                print(f"\r{published.name} {path.name[:60]:60}", end="", file=sys.stderr)
    for library in opened.values():
        library.close()


def show(checked: Checked, finding: Finding) -> str:
    """A finding for reading: where, what, and the words around it, the place in »«."""
    text, span = checked.draft.source, finding.span
    before, behind = text[max(0, span.start - CONTEXT) : span.start], text[span.end : span.end + CONTEXT]
    words = " ".join(f"…{before}»{span.of(text)}«{behind}…".split())
    place = f"{checked.published.name}/{checked.path.name}:{span.start}"
    return f"- {finding.severity} {finding.code} {place}: {finding.message}\n  {words}\n"


def count(found: Sequence[Checked]) -> list[str]:
    """Tables of how often each code was reported, and what was in which set."""
    names = list(dict.fromkeys(each.published.name for each in found))
    cited = Counter[str]()
    by_code = Counter[tuple[str, str, str]]()
    for each in found:
        cited[each.published.name] += len(each.draft.citations)
        by_code.update((each.published.name, f.severity, f.code) for f in each.findings)
    citations = max(1, sum(cited.values()))

    def alarms(name: str) -> int:
        return sum(n for (one, severity, _), n in by_code.items() if one == name and severity in ALARMS)

    rows: list[list[object]] = []
    for name in names:
        judgments = [each for each in found if each.published.name == name]
        rate = 100 * alarms(name) / max(1, cited[name])
        slow = Spread.of([each.seconds for each in judgments])
        rows.append([name, len(judgments), cited[name], alarms(name), f"{rate:.3f}", f"{slow.p50:.2f}"])
    total = sum(map(alarms, names))
    rows.append(["all", len(found), citations, total, f"{100 * total / citations:.3f}", ""])
    head = ["judgments of", "judgments", "citations", "warnings and errors", "per 100", "seconds (median)"]
    codes = sorted({(severity, code) for _, severity, code in by_code})
    of_codes = []
    for severity, code in codes:
        counts = [(name, by_code[name, severity, code]) for name in names]
        of_codes.append(
            f"{code} ({severity}) {', '.join(f'{name} {count}' for name, count in counts if count)}"
        )
    return [
        f"Published judgments read as drafts. By code: {'; '.join(of_codes)}.\n",
        table(head, rows),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path, help="the folder that has data and authority-formats")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="how many judgments, of all sets")
    parser.add_argument("--part", choices=PARTS, default="all")
    parser.add_argument("--indexes", type=Path, help="where the indexes are, or are made and kept")
    parser.add_argument("--list", type=Path, metavar="FILE", help="write each finding with its context")
    parser.add_argument(
        "--false", type=int, metavar="N", help="how many, read by eye, were found to be false"
    )
    parser.add_argument("--write", action="store_true", help="write the figures to RESULTS.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        indexes = options.indexes or Path(folder)
        found = list(check_all(options.data.resolve(), indexes, options.sample, options.part))
    if options.list is not None:
        ordered = sorted(
            ((finding, each) for each in found for finding in each.findings),
            key=lambda pair: (pair[0].severity not in ALARMS, pair[0].severity, pair[0].code),
        )
        options.list.write_text("".join(show(each, finding) for finding, each in ordered), encoding="utf-8")
    parts = count(found)
    if options.false is not None:
        rate = 100 * options.false / max(1, sum(len(each.draft.citations) for each in found))
        parts.insert(
            1, f"Read by eye, {options.false} of the alarms were false: **{rate:.3f} per 100 citations**.\n"
        )
    print("\n".join(parts))
    if options.write:
        asked = f"--sample {options.sample} --part {options.part}"
        command = f"    python benchmarks/bench_published.py ../shared {asked}\n"
        write_results("False alarms on published judgments", [command, *parts])


if __name__ == "__main__":
    main()
