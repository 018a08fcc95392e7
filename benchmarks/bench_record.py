"""How citations of a record are read in sentences, what that costs beside finding those of authorities, and
what a record adds to a key press.

python benchmarks/bench_record.py [--size CODE_POINTS] [--rounds N] [--presses N]

Every third sentence of `tests/citations/record_in_sentences.tsv` and `no_record_in_sentences.txt` was kept
unseen while the forms were written.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bench_citations import DATA, corpora
from measuring import Spread, as_row, listing, load, write_results

from lexls.assessing.rules.engine import FoundBefore, check
from lexls.citations.grammar import Grammar, cut
from lexls.citations.record import find_record_citations
from lexls.citations.scan import Scan
from lexls.index.config import make_record_config
from lexls.index.library import Library
from lexls.index.session import bring_up_to_date, open_library
from lexls.reading.record import see_record
from lexls.reading.snapshot import CaseRecord, DraftParser, Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

SENTENCES = Path(__file__).parents[1] / "tests" / "citations"
UNSEEN = 3
WARMING = 5
"""Key presses before the first that is measured."""
FIRST = (
    "The unseen third had 49 of 50 and 35 of 35 when it was first read; one hand wrote sentences and "
    "forms. Of 100 citations that `--draw 100` showed of opinions in us-cases 99 were of a record.\n"
)
"""What was read and counted by a person."""


def count_read(rows: Sequence[str]) -> tuple[int, int]:
    """Of lines "sentence, key, labels" how many are read so and as nothing else, and how many there are."""
    right = 0
    for row in rows:
        sentence, key, labels = row.split("\t")
        found = [
            (each.paper.keys[0], ";".join(each.pinpoint.labels) if each.pinpoint is not None else "")
            for each in find_record_citations(Scan(sentence))
        ]
        right += found == [(key, labels)]
    return right, len(rows)


def count_silent(rows: Sequence[str]) -> tuple[int, int]:
    """In how many sentences nothing is read, and how many there are."""
    return sum(not find_record_citations(Scan(row)) for row in rows), len(rows)


def parted(rows: Sequence[str], first: int) -> tuple[list[str], list[str]]:
    """The sentences that were seen, and every third of the ``first``, which was not."""
    unseen = list(rows[UNSEEN - 1 : first : UNSEEN])
    return [row for place, row in enumerate(rows) if place % UNSEEN != UNSEEN - 1 or place >= first], unseen


def interleaved(runs: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The median processor seconds of each, one after the other in each round."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for place, run in enumerate(runs):
            start = time.process_time()
            run()
            times[place].append(time.process_time() - start)
    return [statistics.median(each) for each in times]


WORDS = ("quay", "barge", "lamp", "rope", "tide", "mate", "pilot", "night", "rain", "gull", "lock", "ferry")
CASE = """\
---
title: Harlan v. Pike
citation: "531 U.S. 98"
kind: case
jurisdiction: US
---

The rule is old.
"""
EXHIBITS, ENTRIES, PARAGRAPHS, CITED = 400, 100, 200, 300


def write_sentence(chance: random.Random) -> str:
    """A sentence of the brief, or of a paper."""
    return f"The {' '.join(chance.choice(WORDS) for _ in range(12))}."


def compose_brief(chance: random.Random) -> str:
    """A brief that cites the record in each of its paragraphs, and a case in every third."""
    parts = []
    for number in range(CITED):
        cited = chance.choice(
            (
                f"Ex. {chance.randrange(1, EXHIBITS)} at 1.",
                f"Dkt. {chance.randrange(1, ENTRIES)}.",
                f"Compl. ¶ {chance.randrange(1, PARAGRAPHS)}.",
                f"Oakes Dep. 45:{chance.randrange(1, 25)}.",
                "Id.",
            )
        )
        parts.append(f"{write_sentence(chance)} {write_sentence(chance)} {cited}")
        if number % 3 == 0:
            parts.append(f"{write_sentence(chance)} *Harlan v. Pike*, 531 U.S. 98, 104 (2001).")
    return "\n\n".join(parts)


def press_keys(presses: int) -> tuple[list[tuple[str, int, str, str]], str]:
    """What a key press in the brief costs without the record and with it, and what was pressed in, in words.

    Both are checked after each press, one after the other.
    """
    chance = random.Random(3)
    spent: tuple[list[float], ...] = ([], [], [])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        snapshot, record = open_matter(folder, chance)
        text, parser = compose_brief(chance), DraftParser(Grammar.load(), "US")
        known = FoundBefore(), FoundBefore()
        for number in range(presses + WARMING):
            word, signs = ("The ", "aeiou") if number % 2 else ("Ex. ", "123")
            at = text.index(word, chance.randrange(len(text) - 3_000)) + len(word)
            text = f"{text[:at]}{chance.choice(signs)}{text[at:]}"
            draft = parser.parse("file:///brief", text, FORMATS["markdown"])
            seen = replace(snapshot, draft=draft, record=record)
            for place, run in enumerate(
                (
                    lambda draft=draft: check(replace(snapshot, draft=draft), CancelToken(), known[0]),
                    lambda seen=seen: see_record(seen),
                    lambda seen=seen: check(seen, CancelToken(), known[1]),
                )
            ):
                start = time.process_time()
                run()
                if number >= WARMING:
                    spent[place].append(1000 * (time.process_time() - start))
        papers = len(record.library.catalogue.all())
        snapshot.library.close()
        record.library.close()
    names = ("checks without a record", "its citations resolved with the record", "checks with it, then")
    rows = [(what, *as_row(Spread.of(each).data(2))) for what, each in zip(names, spent, strict=True)]
    return rows, f"{len(text):,} code points, {CITED} citations of a record of {papers} papers"


def open_matter(folder: Path, chance: random.Random) -> tuple[Snapshot, CaseRecord]:
    """A library of one case and a record of several hundred papers."""
    library, exhibits = folder / "library", folder / "exhibits"
    library.mkdir()
    exhibits.mkdir()
    (library / "harlan.md").write_text(CASE, encoding="utf-8")
    numbered = [f"Ex. {each}" for each in range(1, EXHIBITS)] + [f"Dkt {each}" for each in range(1, ENTRIES)]
    for paper in numbered:
        (exhibits / f"{paper}.txt").write_text(write_sentence(chance) * 5, encoding="utf-8")
    paragraphs = (f"{each}. {write_sentence(chance)}" for each in range(1, PARAGRAPHS))
    complaint = "\n\n".join(("# COMPLAINT", *paragraphs))
    (exhibits / "Complaint.md").write_text(complaint, encoding="utf-8")
    settings = Settings(jurisdiction="US", record_folders=(exhibits,), embeddings_model="")
    held, _ = open_library([library], folder / "library.sqlite3", settings, lexical_only=True)
    config = make_record_config(settings)
    assert config is not None
    config = replace(config, index=folder / "record.sqlite3")
    bring_up_to_date(config, lexical_only=True)
    draft = DraftParser(Grammar.load(), "US").parse("file:///brief", "", FORMATS["markdown"])
    return Snapshot(draft, held, Searcher(held), settings), CaseRecord(Library(config.index))


def draw(count: int) -> None:
    """Show some of the citations found in opinions, each in its surroundings."""
    chance = random.Random(11)
    found: list[str] = []
    for path in chance.sample(sorted((DATA / "us-cases").glob("*.md")), 500):
        text = " ".join(path.read_text(encoding="utf-8", errors="replace").split("\n"))
        for each in find_record_citations(Scan(text)):
            around = (text[each.span.start - 35 : each.span.start], text[each.span.end : each.span.end + 25])
            found.append(f"{each.paper.keys[0]}: {around[0]}⟦{each.span.of(text)}⟧{around[1]}")
    print("\n".join(chance.sample(found, count)))


def main() -> int:
    """Measure, and write the section of the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--presses", type=int, default=200)
    parser.add_argument("--draw", type=int, default=0, help="only show so many citations found, for reading")
    options = parser.parse_args()
    if options.draw:
        draw(options.draw)
        return 0
    lines = (SENTENCES / "record_in_sentences.tsv").read_text(encoding="utf-8").splitlines()
    cited = parted([line for line in lines if line and not line.startswith("#")], 150)
    others = parted((SENTENCES / "no_record_in_sentences.txt").read_text(encoding="utf-8").splitlines(), 105)
    rows = []
    for name, place in (("seen", 0), ("unseen", 1)):
        true, false = count_read(cited[place]), count_silent(others[place])
        rows.append((name, f"{true[0]} of {true[1]}", f"{false[0]} of {false[1]}"))
    grammar = Grammar.load()
    costs = []
    for name, (text, place) in corpora(options.size).items():
        pieces = cut(text)
        grammar.find(text[:2_000], place)
        both = interleaved(
            (
                lambda text=text, place=place: grammar.find(text, place),
                lambda pieces=pieces: [find_record_citations(Scan(piece)) for piece in pieces],
            ),
            options.rounds,
        )
        found = sum(len(find_record_citations(Scan(piece))) for piece in pieces)
        costs.append((name, f"{both[0]:.2f} s", f"{both[1]:.2f} s", f"{both[1] / both[0]:.0%}", found))
    pressed, brief = press_keys(options.presses)
    shares = ", ".join(f"{share} ({name})" for name, _, _, share, _ in costs)
    parts = [
        "    python benchmarks/bench_record.py\n",
        "Citations of the case's own papers (the record) in sentences.\n",
        listing(("", "true citations, read with their place", "others, where nothing is read"), rows),
        FIRST,
        f"Reading them takes {shares} of the processor time that all citations take. After a key press in a "
        f"brief of {brief}, {options.presses} presses, processor ms:\n",
        listing(("", "p50", "p95", "max"), pressed),
        f"Load average at the start {load():.1f}.\n",
    ]
    print(write_results("Citations of the record", parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
