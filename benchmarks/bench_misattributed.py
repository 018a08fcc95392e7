"""Measure the check of a draft whose quotations stand nowhere in the judgments they are attributed to.

    python benchmarks/bench_misattributed.py ../shared/data/scotus [--verdicts FILE] [--write]

Each quotation is a sentence of a judgment, one word of it changed, attributed to one of the longest
judgments, one a line. Reported is the processor time of the check, in all and for each quotation: from cold,
and with the texts of the judgments ready. ``--verdicts`` writes each comparison instead, so that two versions
can be compared: also of sentences that the judgment has, with one and with many words changed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench_quotations import sampled
from measuring import listing, write_results
from quotation_edits import HARMFUL, LAWFUL, OTHER_WORDS

from lexls.assessing.rules.engine import FoundBefore, check
from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.compare import compare
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

LONGEST = 3
"""Judgments that quotations are attributed to: the longest ones."""
OTHERS = 25
ROUNDS = 8
SEED = 20261129
CHANGED = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7)
"""Shares of words changed in the sentences whose verdicts are written."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("judgments", type=Path, help="a folder of judgments in plain text")
    parser.add_argument("--quotations", type=int, default=50)
    parser.add_argument("--verdicts", type=Path, help="write each comparison there, and time nothing")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        library = make_library(options.judgments, Path(folder))
        if options.verdicts is not None:
            options.verdicts.write_text("".join(write_verdicts(library)), encoding="utf-8")
            return
        rows = list(time_checks(library, options.quotations))
    head = ("", "quotations", "findings", "words of a judgment", "processor time", "ms a quotation")
    lines = [
        f"    python benchmarks/bench_misattributed.py FOLDER --quotations {options.quotations} --write\n",
        "One word changed, attributed to another judgment, one a line; processor time of the whole check.\n",
        listing(head, rows),
    ]
    print(lines[-1])
    if options.write:
        write_results("Misattributed quotations", lines)


def make_library(judgments: Path, folder: Path) -> Library:
    """Index the longest judgments and some others, each with an invented citation."""
    files = sorted(judgments.glob("*.txt"), key=lambda path: (-path.stat().st_size, path.name))
    source = folder / "library"
    source.mkdir()
    for number, path in enumerate(files[: LONGEST + OTHERS], 1):
        title = re.sub(r"[^\w\s.'-]", "", path.stem)
        head = f'---\ntitle: "{title}"\ncitation: "900 U.S. {number}"\nkind: case\njurisdiction: US\n---\n\n'
        text = re.sub(r"(?<=\S)[ \t]*\n(?=\S)", " ", path.read_text(encoding="utf-8"))
        (source / f"{number:03}.md").write_text(head + text, encoding="utf-8")
    settings = Settings(jurisdiction="US", embeddings_model="")
    return open_library([source], folder / "index.sqlite3", settings, lexical_only=True)[0]


def list_longest(library: Library) -> list[int]:
    lengths = {each.id: len(library.contents.text(each.id)) for each in library.catalogue.all()}
    return sorted(lengths, key=lambda each: -lengths[each])[:LONGEST]


def change_words(chance: random.Random, text: str, share: float) -> str:
    """Change a share of the words, or exactly one where it is 0."""
    words = text.split(" ")
    places = [at for at in range(len(words)) if share and chance.random() < share]
    for at in places or [chance.randrange(1, len(words) - 1)]:
        words[at] = chance.choice(OTHER_WORDS)
    return " ".join(words)


def make_draft(library: Library, quotations: int, seed: int) -> str:
    """Compose a draft, a paragraph for each quotation."""
    chance = random.Random(seed)
    longest = list_longest(library)
    samples = [each for each in sampled(library, chance, 4 * quotations) if each.authority.id not in longest]
    lines = []
    for number, sample in enumerate(samples[:quotations]):
        authority = library.catalogue.get(longest[number % len(longest)])
        assert authority is not None
        said = change_words(chance, sample.words, 0)
        lines.append(f"The court held: “{said}” *{authority.title}*, {authority.citation}.")
    return "\n\n".join(lines) + "\n"


def time_checks(library: Library, quotations: int) -> Iterator[Sequence[object]]:
    """Check from cold, and once more when the authorities' texts are ready."""
    grammar, settings = Grammar.load(), Settings(jurisdiction="US")
    searcher = Searcher(library, grammar=grammar)
    longest = [len(library.contents.text(each).split()) for each in list_longest(library)]

    def run(text: str, before: Snapshot | None) -> tuple[Snapshot, int, float]:
        draft = DraftParser(grammar, "US").parse("file:///draft", text, FORMATS["markdown"])
        snapshot = Snapshot(draft, library, searcher, settings)
        if before is not None:
            snapshot = Snapshot(
                draft, library, searcher, settings, before.names, before.tokenizer, quoted=before.quoted
            )
        began = time.process_time()
        found = check(snapshot, CancelToken(), FoundBefore())
        return snapshot, sum("quotation" in each.code for each in found), time.process_time() - began

    run("See *Fern v Elm*, 900 U.S. 999.", None)  # what a process loads once
    before: Snapshot | None = None
    for seed, name in ((SEED, "from cold"), (SEED + 1, "others, the texts ready")):
        before, found, seconds = run(make_draft(library, quotations, seed), before)
        each = f"{1000 * seconds / quotations:.1f}"
        yield name, quotations, found, f"{min(longest):,} to {max(longest):,}", f"{seconds:.2f} s", each


def write_verdicts(library: Library) -> Iterator[str]:
    """Yield each comparison of many quotations with long judgments, a line each."""
    chance = random.Random(SEED)
    texts = {each: AuthorityText(library.contents.text(each)) for each in list_longest(library)}
    samples = [each for _ in range(ROUNDS) for each in sampled(library, chance, 1_500)]
    names = sorted({word for each in library.catalogue.all() for word in each.title.split()})
    edits = sorted({**LAWFUL, **HARMFUL}.items())
    for number, sample in enumerate(samples):
        own = sample.authority.id in texts
        if not own and number % 6:
            continue
        name, edit = edits[number % len(edits)]
        made = [change_words(chance, sample.words, share) for share in (CHANGED if own else CHANGED[:1])]
        made += filter(None, [edit(sample.words, chance, names)])
        for quotation in made:
            for authority, text in texts.items():
                for closely in (True, False):
                    found = compare(text, quotation, closely=closely)
                    yield f"{number} {name} {authority} {closely} {quotation!r} {found!r}\n"


if __name__ == "__main__":
    sys.exit(main())
