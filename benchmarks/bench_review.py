"""How often a review of a brief names an authority that was taken out of it.

    python benchmarks/bench_review.py ../shared/data/us-cases --index us-cases.sqlite3 --jurisdiction US

Opinions of the library play the brief. They are drawn by lot, always the same: the first 20 were looked at
while the ranking was made, the next 20 never. Of each one authority that it cites and the library has, drawn
by lot too, is taken out of the text, with every citation of it and every name that drafts call it by. The
opinion itself is left out of the library, and what it cites tells nothing; with ``--as-of`` so are all
documents of later years.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measuring import listing, table, write_results

from lexls.citations.case_names.shorten import list_openings, list_short_names
from lexls.citations.grammar import Grammar
from lexls.export.missing_authorities import find_missing
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import find_authorities
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import format_of

SEED = 20261126
LONGEST = 120_000
FEWEST_CITED = 5
"""Cases of the library that an opinion must cite to be drawn."""
DRAWN = 20
WANTED = 50


@dataclass(frozen=True, slots=True)
class Removal:
    """An opinion without an authority that it cites; ``rank`` is where the review names that, 0 if nowhere
    among the first ``WANTED``, ``seconds`` of processor time what it took."""

    opinion: str
    authority: str
    sentences: int
    rank: int
    seconds: float


class Removals:
    """Takes authorities out of the opinions of a library and looks for them."""

    def __init__(self, folder: Path, index: Path, jurisdiction: str, as_of: bool) -> None:
        self.settings = Settings(embeddings_model="", jurisdiction=jurisdiction)
        self.library: Library
        self.library, _ = open_library([folder], index, self.settings, lexical_only=True)
        grammar = Grammar.load()
        self._parser = DraftParser(grammar, jurisdiction)
        self._searcher = Searcher(self.library, grammar=grammar)
        self._as_of = as_of

    def read(self, source: str, opinion: Authority) -> Snapshot:
        draft = self._parser.parse(opinion.path.as_uri(), source, format_of("", opinion.path.name))
        return Snapshot(draft, self.library, self._searcher, self.settings)

    def draw(self, count: int) -> Iterator[tuple[Authority, Snapshot, list[int]]]:
        """So many opinions with the cases of the library that each cites, in an order drawn by lot."""
        opinions = [each for each in self.library.catalogue.all() if each.kind == "case" and each.date]
        random.Random(SEED).shuffle(opinions)
        for opinion in opinions:
            snapshot = self.read(opinion.path.read_text("utf-8", "replace")[:LONGEST], opinion)
            found = {each for cited in snapshot.draft.citations for each in find_authorities(snapshot, cited)}
            held = [self.library.catalogue.get(each) for each in found - {opinion.id}]
            cases = sorted(each.id for each in held if each is not None and each.kind == "case")
            if len(cases) >= FEWEST_CITED:
                random.Random(f"{SEED}{opinion.path.name}").shuffle(cases)
                yield opinion, snapshot, cases
                count -= 1
            if not count:
                return

    def remove(self, snapshot: Snapshot, authority: Authority) -> str:
        """The draft's source without an authority's citations and names."""
        draft, source = snapshot.draft, snapshot.draft.source
        spans = [
            draft.mention_of(each)
            for each in draft.citations
            if authority.id in find_authorities(snapshot, each)
        ]
        for span in sorted(set(spans), reverse=True):
            source = f"{source[: span.start]} {source[span.end :]}"
        names = {authority.title, *list_short_names(authority.title), *list_openings(authority.title)}
        for name in sorted((each for each in names if len(each) > 2), key=len, reverse=True):
            source = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", source)
        return source

    def look_for(self, opinion: Authority, source: str, wanted: int) -> tuple[int, int, float]:
        """The rank of an authority among those that are missing in ``source``, sentences, and seconds."""
        snapshot = self.read(source, opinion)
        later = Filters()
        if self._as_of:
            known = self.library.catalogue.all()
            after = (each.path for each in known if each.date and each.date[:4] > opinion.date[:4])
            later = Filters(excluded=tuple(after))
        begun = time.process_time()
        count: list[int] = []
        found = find_missing(snapshot, WANTED, CancelToken(), lambda _, total: count.append(total), later)
        seconds = time.process_time() - begun
        ranks = [place for place, each in enumerate(found, 1) if each.authority.id == wanted]
        return (ranks[0] if ranks else 0), count[-1] if count else 0, seconds


def measure(removals: Removals, count: int, each: int) -> list[list[Removal]]:
    """For each opinion of the draw what happened to the first ``each`` of its authorities."""
    measured = []
    for opinion, snapshot, cases in removals.draw(count):
        rows = []
        for document in cases[:each]:
            authority = removals.library.catalogue.get(document)
            assert authority is not None
            source = removals.remove(snapshot, authority)
            rank, sentences, seconds = removals.look_for(opinion, source, document)
            rows.append(Removal(opinion.path.name, authority.title, sentences, rank, seconds))
            print(f"{rank:3} {seconds:5.1f} s {opinion.path.name} without {authority.title}", flush=True)
        measured.append(rows)
    return measured


def tell(name: str, rows: list[Removal]) -> list[object]:
    """A row of the table."""
    ranks = [each.rank or WANTED + 1 for each in rows]
    first = sum(rank <= 10 for rank in ranks)
    median = statistics.median(ranks)
    took = statistics.median(1000 * each.seconds / max(1, each.sentences) for each in rows)
    return [name, len(rows), f"{first} ({first / len(rows):.0%})", f"{median:g}", f"{took:.0f} ms"]


def main() -> None:
    """Measure and write the section."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--jurisdiction", default="US")
    parser.add_argument("--as-of", action="store_true")
    parser.add_argument(
        "--each", type=int, default=1, help="authorities taken out of each opinion, one at a time"
    )
    parser.add_argument("--only-seen", action="store_true")
    parser.add_argument("--write", action="store_true", help="write the section of RESULTS.md")
    options = parser.parse_args()
    removals = Removals(options.folder, options.index, options.jurisdiction, options.as_of)
    measured = measure(removals, DRAWN * (1 if options.only_seen else 2), options.each)
    halves = [("looked at", measured[:DRAWN]), ("unseen", measured[DRAWN:])]
    rows = [tell(name, [each for one in half for each in one]) for name, half in halves if half]
    head = ("opinions", "authorities taken out", "among the first 10", "median rank", "a sentence")
    print(table(head, rows))
    if options.write:
        parts = [
            f"    python benchmarks/bench_review.py {options.folder} --index {options.index.name} "
            f"--jurisdiction {options.jurisdiction}\n",
            "One case, drawn by lot, is taken out of an opinion with every citation and name of it, and "
            "the opinion out of the library. `lexls review` then names what the opinion does not cite. By "
            "words alone; ms of the processor.\n",
            listing(head, rows),
        ]
        print(write_results("Authorities taken out of a brief", parts))


if __name__ == "__main__":
    main()
