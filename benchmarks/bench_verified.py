"""Whether anything that is altered is verified all the same, and anything right called wrong.

    python benchmarks/bench_verified.py
    python benchmarks/bench_verified.py --show "name: a letter" --library raw

Every example of every citation form is given an authority of invented name, court, date and words; a library
holds them in each of the ways in which files tell what they are (``LIBRARY_FORMS``). Each is cited right, and
with each element that the citation states altered as clerks and language models alter it. Two figures must
be nought: altered and still verified, right and called wrong. A third of the forms, by hash, are not
looked at while lexls is written: ``--unseen`` counts them, and nothing shows their failures.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from invented_authorities import LIBRARY_FORMS, Invented, invent, is_unseen, write_file, write_library
from measuring import table, write_results
from written_citations import Cell, write_cells

from lexls.assessing.assess import assess
from lexls.assessing.verdicts import decide, explain
from lexls.citations.grammar import Grammar
from lexls.export.report import compare_quotations
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

# -- the adapter: all that this script knows of lexls's verdicts ---------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """What lexls says of a draft: the verdict on each citation and on each quotation, and of the elements of
    citations those that it says agree."""

    citations: tuple[str, ...]
    quotations: tuple[str, ...]
    agreeing: frozenset[str]
    reason: str


class Judge:
    """Says of drafts on one library what ``lexls check --strict --json`` says of their citations."""

    def __init__(self, folder: Path, index: Path, grammar: Grammar) -> None:
        settings = Settings(embeddings_model="")
        self.library: Library = open_library([folder], index, settings, lexical_only=True)[0]
        self._grammar = grammar
        self._settings = settings.for_filing()
        self._parsers: dict[str, DraftParser] = {}
        draft = self._parser("").parse("file:///draft", "", FORMATS["markdown"])
        self._kept = Snapshot(draft, self.library, Searcher(self.library, grammar=grammar), self._settings)

    def _parser(self, place: str) -> DraftParser:
        if place not in self._parsers:
            self._parsers[place] = DraftParser(self._grammar, place)
        return self._parsers[place]

    def __call__(self, source: str, place: str) -> Said:
        kept = self._kept
        draft = self._parser(place).parse("file:///draft", source, FORMATS["markdown"])
        snapshot = Snapshot(
            draft, kept.library, kept.searcher, kept.settings, kept.names, kept.tokenizer, kept.quoted,
            kept.concordance,
        )  # fmt: skip
        token = CancelToken()
        groups = {(each.group or -number): each for number, each in enumerate(draft.citations)}
        assessed = [assess(snapshot, each, token) for each in groups.values()]
        quoted = [passage for passage, _ in compare_quotations(snapshot, token)] if "“" in source else []
        facts = [fact for each in assessed for fact in each.facts]
        agreeing = {each.element for each in facts if each.status == "agrees"}
        other = {each.element for each in facts if each.status != "agrees"}
        reasons = [explain(each) for each in assessed]
        reasons += (f"{each.verdict}: {' '.join((each.reason, *each.remarks))}" for each in quoted)
        return Said(
            tuple(map(decide, assessed)), tuple(each.verdict for each in quoted), frozenset(agreeing - other),
            "; ".join(filter(None, reasons)),
        )  # fmt: skip


# -- counting ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Counted:
    """What became of the drafts on authorities of one place in one form of library."""

    altered: int = 0
    verified: int = 0
    unaltered: int = 0
    wrong: int = 0
    hidden: int = 0
    quoted: int = 0
    uncompared: int = 0
    of_altered: Counter[str] = field(default_factory=Counter)
    of_unaltered: Counter[str] = field(default_factory=Counter)


def name_outcome(said: Said, cell: Cell) -> str:
    """The verdict on a draft as a whole: its worst one, "unread" where no citation was found in it."""
    if not said.citations:
        return "unread"
    worst = ("wrong", "not-in-library", "not-checkable", "identified", "partly", "verified")
    verdict = next(each for each in worst if each in said.citations)
    if cell.quotes and "differs" in said.quotations:
        return "wrong"
    return verdict


def count(counted: Counted, cell: Cell, said: Said) -> str:
    """Count a draft; what is at fault with what is said of it, "" if nothing is."""
    outcome = name_outcome(said, cell)
    if cell.element == "quotation":
        outcome = "verified" if "verified" in said.quotations else "wrong" if outcome == "wrong" else "partly"
    if cell.element:
        counted.altered += 1
        counted.of_altered[outcome] += 1
        if outcome == "verified":
            counted.verified += 1
            return "altered, verified"
        if outcome == "partly" and cell.element in said.agreeing:
            counted.hidden += 1
            return "altered, said to agree"
        if outcome == "partly" and cell.element == "quotation":
            counted.uncompared += 1
            return "altered, quotation not compared"
        return ""
    counted.unaltered += 1
    counted.of_unaltered[outcome] += 1
    if outcome == "wrong":
        counted.wrong += 1
        return "unaltered, wrong"
    if cell.quotes:
        counted.quoted += 1
        if set(said.quotations) != {"verified"}:
            counted.uncompared += 1
            return "unaltered, quotation not compared"
    return "unaltered, " + outcome if outcome not in ("verified", "partly", "identified") else ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A draft of which the wrong thing is said."""

    fault: str
    library: str
    authority: Invented
    cell: Cell
    said: Said


def run(
    authorities: Sequence[Invented], libraries: Sequence[str], scratch: Path, grammar: Grammar,
    counted: dict[tuple[str, str, bool], Counted],
) -> Iterator[Fault]:  # fmt: skip
    """Judge all drafts on some authorities in libraries of some forms.

    What is altered into the citation of another file is left out: it cites that one ("§ 125.25 note").
    """
    longer = {
        each.key: [other.written for other in authorities if each.written in other.written[:-1]]
        for each in authorities
    }
    cells = {
        each.key: [
            cell for cell in write_cells(each) if not any(other in cell.text for other in longer[each.key])
        ]
        for each in authorities
    }
    for number, form in enumerate(libraries):
        folder = scratch / str(number)
        write_library(folder, authorities, form)
        judge = Judge(folder, scratch / f"{number}.sqlite3", grammar)
        for authority in authorities:
            unseen = is_unseen(authority.core.form)
            own = counted.setdefault((form, authority.home, unseen), Counted())
            for cell in cells[authority.key]:
                said = judge(cell.text, authority.place)
                fault = count(own, cell, said)
                if fault and not unseen:
                    yield Fault(fault, form, authority, cell, said)
        judge.library.close()


# -- the command ---------------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", action="append", choices=LIBRARY_FORMS, help="only in this form")
    parser.add_argument("--place", action="append", help="only forms of this jurisdiction")
    parser.add_argument(
        "--show", metavar="WORDS", help="print failures whose kind, form or fault has these words"
    )
    parser.add_argument("--most", type=int, default=20, help="how many failures are printed")
    parser.add_argument("--unseen", action="store_true", help="count the third that is not looked at")
    parser.add_argument("--write", action="store_true", help="write the figures to RESULTS.md")
    options = parser.parse_args()
    grammar = Grammar.load()
    started = time.perf_counter()
    authorities = [
        each
        for each in invent(grammar)
        if is_unseen(each.core.form) == options.unseen and (not options.place or each.home in options.place)
    ]
    counted: dict[tuple[str, str, bool], Counted] = {}
    with tempfile.TemporaryDirectory() as scratch:
        faults = list(
            run(authorities, options.library or list(LIBRARY_FORMS), Path(scratch), grammar, counted)
        )
    parts = list(report(counted, faults))
    for part in parts:
        print(part)
    if options.show is not None:
        wanted = [
            each
            for each in faults
            if options.show in f"{each.fault} {each.cell.kind} {each.authority.core.form.id}"
        ]
        for each in wanted[: options.most]:
            print(tell(each))
        print(f"{len(wanted)} such failures")
    print(f"{time.perf_counter() - started:.0f} s")
    if options.write:
        write_results("Verified citations", ["    python benchmarks/bench_verified.py --write\n", *parts])
    return 0


def tell(fault: Fault) -> str:
    """A failure with the draft and the file that reproduce it."""
    name, text = write_file(fault.authority, fault.library)
    return (
        f"== {fault.fault}: {fault.cell.kind} [{fault.authority.core.form.id}, {fault.library}]\n"
        f"-- draft ({fault.authority.place})\n{fault.cell.text}"
        f"-- {', '.join(fault.said.citations)}; {', '.join(fault.said.quotations)}; {fault.said.reason}\n"
        f"-- {name}\n{text}"
    )


def report(counted: dict[tuple[str, str, bool], Counted], faults: Sequence[Fault]) -> Iterator[str]:
    """The tables: sums, then by form of library, by place, and the kinds that fail."""
    whole = add(counted.values())
    yield (
        f"{whole.altered + whole.unaltered:,} drafts: {whole.altered:,} altered, of which "
        f"{whole.verified:,} are verified; {whole.unaltered:,} unaltered, "
        f"of which {whole.wrong:,} are wrong.\n"
    )
    head = [
        "altered", "verified", "partly, said to agree", "unaltered", "wrong", "not in library",
        "unread or not checkable", "quoted", "not compared",
    ]  # fmt: skip
    outcomes = ", ".join(f"{name} {number:,}" for name, number in Counter(whole.of_altered).most_common())
    yield (
        "Each draft cites an invented authority, in libraries that differ in what their files say of "
        f"themselves. Altered: {outcomes}.\n"
    )
    sums: list[dict[str, Counted]] = [{}, {}]
    for place in (0, 1):
        for key in counted:
            same = (each for other, each in counted.items() if other[place] == key[place])
            sums[place].setdefault(str(key[place]) or "none", add(same))
    yield (
        "Unaltered drafts said not to be in the library, of all, and quotations not compared, of all, by "
        "jurisdiction: "
        + "; ".join(
            f"{name} {each.of_unaltered['not-in-library']} of {each.unaltered}, {each.uncompared} of "
            f"{each.quoted}"
            for name, each in sums[1].items()
        )
        + ".\n"
    )
    grouped: dict[tuple[object, ...], list[str]] = {}
    for name, each in sums[0].items():
        grouped.setdefault(tuple(row(each)), []).append(name)
    rows = ([", ".join(names) + " (each)" * (len(names) > 1), *cells] for cells, names in grouped.items())
    yield table(["library", *head], rows)
    kinds = Counter((each.fault, each.cell.kind) for each in faults)
    for (fault, kind), number in sorted(kinds.items(), key=lambda each: (each[0][0], -each[1])):
        alike = [each for each in faults if (each.fault, each.cell.kind) == (fault, kind)]
        forms = len({each.authority.core.form.id for each in alike})
        print(f"{fault}: {kind}, {number} drafts, {forms} forms")


def row(counted: Counted) -> list[object]:
    of = counted.of_unaltered
    return [
        counted.altered, counted.verified, counted.hidden, counted.unaltered, counted.wrong,
        of["not-in-library"], of["unread"] + of["not-checkable"], counted.quoted, counted.uncompared,
    ]  # fmt: skip


def add(several: Iterable[Counted]) -> Counted:
    whole = Counted()
    for each in several:
        for name in ("altered", "verified", "unaltered", "wrong", "hidden", "quoted", "uncompared"):
            setattr(whole, name, getattr(whole, name) + getattr(each, name))
        whole.of_altered.update(each.of_altered)
        whole.of_unaltered.update(each.of_unaltered)
    return whole


if __name__ == "__main__":
    sys.exit(main())
