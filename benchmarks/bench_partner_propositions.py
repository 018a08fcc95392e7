"""Measure what find support shows for lawyers' propositions: authority, sentence, contrary, nothing.

    lexls index us-cases scotus us-code --index us.sqlite3 --jurisdiction US --lexical
    python benchmarks/bench_partner_propositions.py us=us.sqlite3 in=in.sqlite3 [--lexical] [--show]

``partner_propositions.jsonl`` has propositions in words of our own, of three tasks. *True*: authorities of
the library say it. *False*: they deny it. *Outside*: the library says nothing on it. A right sentence is
given by its offset and length in the text that the index has of the file, with each run of white space made
one space.

A sentence shown is right if it has half the words of a right one, or lies within one. A false proposition
is *offered* if an authority that denies it is shown without being marked contrary.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measuring import Spread, table

from lexls.citations.grammar import Grammar
from lexls.features.build import build_searcher
from lexls.features.find_support import SupportOption, describe_distance, find_support
from lexls.index.embedding import open_embedder
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import PLAIN
from lexls.text.spans import Span

PROPOSITIONS = Path(__file__).with_name("partner_propositions.jsonl")
ROWS = (
    "true: authority first",
    "true: authority in five",
    "true: authority listed",
    "true: sentence right, where the authority is first",
    "true: sentence right, of every authority shown",
    "true: called contrary",
    "true: abstained",
    "false: marked contrary",
    "false: offered unmarked",
    "false: nothing shown",
    "outside: abstained",
)


@dataclass(frozen=True, slots=True)
class Found:
    """The authorities and warnings that find support shows for a proposition."""

    shown: Sequence[SupportOption]
    abstained: bool
    milliseconds: float


class Asker:
    """Asks find support for propositions as an editor does."""

    def __init__(self, index: Path, country: str, lexical: bool) -> None:
        self.library, self.settings, grammar = (
            Library(index),
            Settings(jurisdiction=country.upper()),
            Grammar.load(),
        )
        embedder = None if lexical else open_embedder(self.settings.embeddings_model)
        self._searcher = build_searcher(
            self.settings, self.library, grammar, Tokenizer(), lambda: embedder, lambda: None
        )
        self._parser = DraftParser(grammar, self.settings.jurisdiction)

    def ask(self, proposition: str) -> Found:
        begun = time.perf_counter()
        draft = self._parser.parse("", proposition, PLAIN)
        snapshot = Snapshot(draft, self.library, self._searcher, self.settings)
        span, most = Span(0, len(proposition)), self.settings.support_max_results
        shown = find_support(snapshot, span, most, CancelToken())
        abstained = not shown or bool(describe_distance(snapshot, shown))
        return Found(shown, abstained, (time.perf_counter() - begun) * 1000)

    def is_right(self, option: SupportOption, gold: dict[str, list[list[int]]]) -> bool:
        """Return whether the words shown are those of a right sentence, or half of one."""
        text = self.library.contents.text(option.hit.authority.id)
        collapsed = " ".join(text.split())
        said = option.sentence.shift(option.hit.passage.start)
        first, last = len(text[: said.start].split()), len(text[: said.end].split())
        for offset, length in gold.get(name_file(option), []):
            begins = collapsed.count(" ", 0, offset)
            ends = begins + collapsed.count(" ", offset, offset + length) + 1
            both = min(last, ends) - max(first, begins)
            if 2 * both >= ends - begins or (begins <= first and last <= ends):
                return True
        return False


def name_file(option: SupportOption) -> str:
    path = option.hit.authority.path
    return f"{path.parent.name}/{path.name}"


def judge(asker: Asker, asked: dict[str, Any], found: Found) -> Iterator[tuple[str, bool]]:
    """Yield each row that a proposition counts for, and whether it is so."""
    gold = {each["file"]: each["sentences"] for each in asked.get("authorities", ())}
    among = [name_file(option) in gold for option in found.shown]
    if asked["task"] == "outside":
        yield "outside: abstained", found.abstained
    elif asked["task"] == "true":
        right = [asker.is_right(option, gold) for option in found.shown]
        yield "true: authority first", any(among[:1])
        yield "true: authority in five", any(among[:5])
        yield "true: authority listed", any(among)
        if any(among[:1]):
            yield "true: sentence right, where the authority is first", right[0]
        for listed, says in zip(among, right, strict=True):
            if listed:
                yield "true: sentence right, of every authority shown", says
        yield (
            "true: called contrary",
            any(o.contrary for o, listed in zip(found.shown, among, strict=True) if listed),
        )
        yield "true: abstained", found.abstained
    else:
        own = [
            o.contrary for o, listed in zip(found.shown, among, strict=True) if listed and not found.abstained
        ]
        yield "false: marked contrary", bool(own) and all(own)
        yield "false: offered unmarked", not all(own)
        yield "false: nothing shown", not own


def describe(asker: Asker, asked: dict[str, Any], found: Found) -> Iterator[str]:
    """Write what was shown, to be read."""
    gold = {each["file"]: each["sentences"] for each in asked.get("authorities", ())}
    yield f"\n{asked['task']}{' ABSTAINED' if found.abstained else ''}: {asked['proposition']}"
    for option in found.shown:
        marks = "*" if name_file(option) in gold else " ", "+" if asker.is_right(option, gold) else " "
        contrary = " CONTRARY" if option.contrary else ""
        yield f" {''.join(marks)}{contrary} {name_file(option)} {option.hit.lexical}: {option.quote}"
    for file, sentences in gold.items():
        known = [
            each
            for each in asker.library.catalogue.all()
            if f"{each.path.parent.name}/{each.path.name}" == file
        ]
        text = " ".join(asker.library.contents.text(known[0].id).split()) if known else ""
        yield from (f"  = {file}: {text[offset : offset + length]}" for offset, length in sentences)


def main() -> None:
    """Print the figures of each library, and of all together."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("libraries", nargs="+", metavar="LIBRARY=INDEX")
    parser.add_argument("--data", type=Path, default=PROPOSITIONS)
    parser.add_argument("--lexical", action="store_true")
    parser.add_argument("--show", action="store_true", help="print what was shown for each proposition")
    options = parser.parse_args()
    lines = [json.loads(line) for line in options.data.read_text(encoding="utf-8").splitlines()]
    indexes = dict(each.split("=", 1) for each in options.libraries)
    asked, right = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    took: list[float] = []
    for country, index in indexes.items():
        asker = Asker(Path(index), country, options.lexical)
        for each in (line for line in lines if line["library"] == country):
            found = asker.ask(each["proposition"])
            took.append(found.milliseconds)
            for row, said in judge(asker, each, found):
                for column in (country, "all"):
                    asked[row, column] += 1
                    right[row, column] += said
            if options.show:
                print(*describe(asker, each, found), sep="\n")
    columns = [*indexes, "all"]

    def write(row: str, column: str) -> str:
        return f"{right[row, column]} of {asked[row, column]}"

    print(table(["", *columns], ([row, *(write(row, column) for column in columns)] for row in ROWS)))
    spread = Spread.of(took)
    print(f"milliseconds: median {spread.p50:.0f}, p95 {spread.p95:.0f}")


if __name__ == "__main__":
    main()
