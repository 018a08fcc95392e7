"""How well lexls tells whether an authority bears out the sentence that cites it.

    python benchmarks/bench_holdings.py ../shared/data/us-cases --index us-cases.sqlite3 --jurisdiction US

The library's opinions are read as drafts. Each sentence that cites a case the library holds is judged as it
stands, turned in each of the ways of ``sentence_edits.TURNED``, and beside a case that it does not cite. Of
the opinions a third, chosen by a hash of the file's name, was never looked at while the rules were written.

``holdings.tsv`` has holdings of real opinions in words of our own, true and false ones in pairs, as a lawyer
states and misstates them: ``--holdings NAME`` judges those of the library of that name.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measuring import Spread, table, write_results
from sentence_edits import TURNED

from lexls.assessing.support import Support, judge_proposition
from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation
from lexls.index.records import Authority
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.propositions import find_cited_part
from lexls.reading.resolve import Resolution, find_authority, resolve
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import format_of
from lexls.text.spans import Span

HOLDINGS = Path(__file__).with_name("holdings.tsv")
SEED = 20261123
LONGEST = 120_000
OF_EACH = 25
"""Sentences of one opinion that are judged, so that no long one decides alone."""
ELSEWHERE = "elsewhere"
"""Not found, where other authorities of the library speak of it."""
COLUMNS = ("supported", "weakly", "not-found", ELSEWHERE, "contradicted")
_UNPLACED = Resolution(Citation(Span(0, 0), Span(0, 0), "", "case", "full", "", ""), (), "")


@dataclass(frozen=True, slots=True)
class Cited:
    """What an opinion cites a case of the library for."""

    file: str
    text: str
    resolution: Resolution
    authority: Authority


def is_unseen(name: str) -> bool:
    """Whether a file is of the third that was never looked at."""
    return hashlib.sha256(name.encode()).digest()[0] % 3 == 0


class Reader:
    """Reads a library's opinions as drafts, and counts what they cite."""

    def __init__(self, folder: Path, index: Path, jurisdiction: str) -> None:
        self.settings = Settings(embeddings_model="", jurisdiction=jurisdiction)
        self.library, _ = open_library([folder], index, self.settings, lexical_only=True)
        grammar = Grammar.load()
        self._parser = DraftParser(grammar, jurisdiction)
        self._searcher = Searcher(self.library, grammar=grammar)
        self.snapshot = self._read("", "empty.md")
        self.citations: Counter[bool] = Counter()
        self.held: Counter[bool] = Counter()

    def _read(self, source: str, name: str) -> Snapshot:
        draft = self._parser.parse(f"file:///{name}", source, format_of("", name))
        return Snapshot(draft, self.library, self._searcher, self.settings)

    def read(self, most: int) -> Iterator[Cited]:
        """What opinions in random order cite for something, until ``most`` were read."""
        opinions = [each for each in self.library.catalogue.all() if each.kind == "case"]
        random.Random(SEED).shuffle(opinions)
        for opinion in opinions[:most]:
            source = opinion.path.read_text("utf-8", "replace")[:LONGEST]
            snapshot = self._read(source, opinion.path.name)
            unseen = is_unseen(opinion.path.name)
            self.citations[unseen] += len(snapshot.draft.citations)
            count, groups = 0, {0}
            for citation in snapshot.draft.citations:
                if citation.kind != "case" or (citation.group and citation.group in groups):
                    continue
                groups.add(citation.group)
                resolution = resolve(self.library, snapshot.draft, citation)
                authority = find_authority(self.library, resolution)
                if authority is None or authority.id == opinion.id or authority.kind != "case":
                    continue
                self.held[unseen] += 1
                part = find_cited_part(snapshot.draft, citation)
                if part is not None and not part.against and count < OF_EACH:
                    count += 1
                    yield Cited(opinion.path.name, part.text, resolution, authority)


Judged = dict[bool, dict[str, Counter[str]]]


def judge_all(reader: Reader, most: int, turned: bool, show: int) -> tuple[Judged, list[float]]:
    """The verdicts by unseen and seen, and by kind of sentence, with the milliseconds that each took."""
    token, chance = CancelToken(), random.Random(SEED)
    found: Judged = {unseen: defaultdict(Counter) for unseen in (False, True)}
    took: list[float] = []
    cited = list(reader.read(most))
    others = [each.authority for each in cited]
    for each in cited:
        tried = [("as it stands", each.text, each.resolution, each.authority)]
        if turned:
            for name, edit in TURNED.items():
                changed = edit(each.text, chance, ())
                if changed is not None and changed != each.text:
                    tried.append((name, changed, each.resolution, each.authority))
            tried.append(("another authority", each.text, _UNPLACED, chance.choice(others)))
        for name, text, resolution, authority in tried:
            if name == "another authority" and authority.id == each.authority.id:
                continue
            started = time.perf_counter()
            support = judge_proposition(reader.snapshot, text, resolution, authority, token)
            took.append((time.perf_counter() - started) * 1000)
            found[is_unseen(each.file)][name][_name(support)] += 1
            if show and name == "as it stands" and support.verdict == "contradicted":
                print(f"{each.file} -> {authority.name}\n  {text}\n  {support.text}", flush=True)
    return found, took


def judge_own(reader: Reader, name: str, show: int) -> dict[str, Counter[str]]:
    """The verdicts on the true and false holdings of our own that are of the library ``name``."""
    token = CancelToken()
    by_file = {each.path.stem: each for each in reader.library.catalogue.all()}
    found: dict[str, Counter[str]] = {"true": Counter(), "false": Counter()}
    for line in HOLDINGS.read_text(encoding="utf-8").splitlines():
        library, file, true, false = line.split("\t")
        if library != name:
            continue
        for kind, text in (("true", true), ("false", false)):
            support = judge_proposition(reader.snapshot, text, _UNPLACED, by_file[file], token)
            found[kind][_name(support)] += 1
            if show:
                print(kind, support.verdict, support.reasons, "|", text, "<<", support.text[:300])
    return found


def _name(support: Support) -> str:
    return ELSEWHERE if support.elsewhere else support.verdict


SHOWN = ("as it stands", "another authority", "all turned")
"""Sentences that RESULTS.md shows."""


def _row(counts: Counter[str]) -> list[object]:
    total = max(1, counts.total())
    return [counts.total(), ", ".join(f"{100 * counts[each] / total:.1f}" for each in COLUMNS)]


def main() -> None:
    """Measure, and write the section of RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--index", type=Path, required=True, help="a copy that may be written")
    parser.add_argument("--jurisdiction", default="US")
    parser.add_argument("--opinions", type=int, default=300)
    parser.add_argument("--genuine-only", action="store_true")
    parser.add_argument("--holdings", default="", help="the library's name in holdings.tsv")
    parser.add_argument(
        "--show", type=int, default=0, help="print what is contradicted, and our own holdings"
    )
    arguments = parser.parse_args()
    reader = Reader(arguments.folder, arguments.index, arguments.jurisdiction)
    parts: list[str] = []
    shown: list[str] = []
    if arguments.opinions:
        found, took = judge_all(reader, arguments.opinions, not arguments.genuine_only, arguments.show)
        cited = []
        for unseen, name in ((False, "Looked at"), (True, "Never looked at")):
            all_turned = Counter[str]()
            for kind in TURNED:
                all_turned += found[unseen][kind]
            found[unseen]["all turned"] = all_turned
            wrong = found[unseen]["as it stands"]["contradicted"] / max(1, reader.citations[unseen])
            cited.append(
                f"{name}: {reader.citations[unseen]:,} citations, {reader.held[unseen]:,} of cases in the "
                f"library; {wrong:.3%} of all citations contradicted as they stand."
            )
        spread = Spread.of(took)
        parts.append(
            "Sentences that cite a case, as they stand and turned: does the case support them? In percent: "
            f"{', '.join(COLUMNS)}. {' '.join(cited)} A sentence takes {spread.p50:.1f} ms to judge (p95 "
            f"{spread.p95:.1f} ms).\n"
        )
        rows = [[kind, *_row(found[False][kind]), *_row(found[True][kind])] for kind in SHOWN]
        shown.append(table(["sentence", "judged", "looked at", "judged", "never looked at"], rows))
        print(
            table(
                ["sentence", "judged", "", "judged", ""],
                [[kind, *_row(found[False][kind]), *_row(found[True][kind])] for kind in found[False]],
            )
        )
    if arguments.holdings:
        own = judge_own(reader, arguments.holdings, arguments.show)
        said = "; ".join(f"{name} {': '.join(map(str, _row(counts)))}" for name, counts in own.items())
        parts.append(f"Holdings in words of our own: {said}.\n")
    parts += shown
    for part in parts:
        print(part)
    if arguments.opinions and not arguments.genuine_only:
        command = (
            f"    python benchmarks/bench_holdings.py {arguments.folder} --opinions {arguments.opinions}\n"
        )
        write_results(f"Support: {arguments.folder.name}", [command, *parts])


if __name__ == "__main__":
    main()
