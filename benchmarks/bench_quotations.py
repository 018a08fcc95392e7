"""How well the quotation check tells lawful changes of a quotation from harmful ones, and how fast it is.

Quotations between documents of a library (passages in quotation marks, followed by a citation of another
document that has the words), and passages of its documents where these are too few, are changed in the ways
of ``quotation_edits``, put into invented sentences with the citation, and checked through the real check.
One half of the quoted documents is for development; the figures of the other half are the result.

``--as-they-stand N``: instead, check the quotations of N of the library's own documents as they stand.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measuring import listing, table, write_results
from quotation_edits import HARMFUL, LAWFUL, Change, reordered

from lexls.assessing.check import Finding
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.quotations import find_attributions
from lexls.assessing.rules import quotations
from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import resolve
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.format import Format
from lexls.text.formats import FORMATS, format_of
from lexls.wording.prose import blank_markup

DATA = Path(__file__).parents[1] / ".." / "shared" / "data"
QUOTATION_CODES = ("misquotation", "quotation-wording", "quotation-altered")
ALL_CODES = (*QUOTATION_CODES, "quotation-spelling", "pinpoint-elsewhere")
SEED = 20261121
PER_CLASS = 400
OF_EACH = 12
"""Passages tried of each document."""
SHORTEST, LONGEST = 120, 400
CARRIERS = (
    "The point was settled long ago. “{quotation}” {citation}.",
    "In {citation}, the court said: “{quotation}”",
    "It is enough to repeat that “{quotation}”: {citation}. The harbour master has no answer to that.",
    "On this the court wrote: “{quotation}”[^1]\n\n[^1]: {citation}.",
    "The rule is an old one:\n\n> {quotation}\n\n{citation}.",
    "“{quotation}” ({citation}).",
)
"""Invented sentences around a quotation; those with Markdown's notes and blocks are only for Markdown."""
_BETWEEN = re.compile(r"“([^“”]{60,500})”")


@dataclass(frozen=True, slots=True)
class Sample:
    """Words of an authority, and whether another document quotes them."""

    authority: Authority
    words: str
    genuine: bool


class Checker:
    """The real check over drafts written here."""

    def __init__(self, library: Library, jurisdiction: str) -> None:
        self.library = library
        self.grammar = Grammar.load()
        self.settings = Settings(jurisdiction=jurisdiction)
        self.snapshot: Snapshot | None = None
        self.seconds = 0.0

    def read(self, source: str, format: Format) -> Snapshot:
        draft = DraftParser(self.grammar, self.settings.jurisdiction).parse("file:///draft", source, format)
        if self.snapshot is None:
            self.snapshot = Snapshot(draft, self.library, Searcher(self.library), self.settings)
        kept = self.snapshot
        return Snapshot(
            draft, self.library, kept.searcher, self.settings, kept.names, kept.tokenizer, quoted=kept.quoted
        )

    def findings(self, snapshot: Snapshot) -> list[Finding]:
        started = time.perf_counter()
        found = check(snapshot, CancelToken())
        self.seconds += time.perf_counter() - started
        return [each for each in found if each.code in ALL_CODES]


def flat(text: str) -> str:
    """A text for plain substring search: one space, one kind of marks, no case."""
    text = text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return re.sub(r"\s+", " ", re.sub(r"[-–—]", "-", text)).casefold()


def genuine_samples(library: Library, chance: random.Random, wanted: int) -> Iterator[Sample]:
    """Passages that one document quotes from another, whose words are there."""
    authorities = list(library.catalogue.all())
    chance.shuffle(authorities)
    texts: dict[int, str] = {}
    seen: set[str] = set()
    for citing in authorities:
        text = library.contents.text(citing.id)
        targets = [
            (place.start, target)
            for place, target in library.graph.find_cited(citing.id)
            if target is not None
        ]
        for match in _BETWEEN.finditer(text):
            words = " ".join(match[1].split())
            near = [
                target for start, target in targets if 0 <= start - match.end() <= 60 and target != citing.id
            ]
            if not near or words in seen or re.search(r"\[|\. \.|…|\*", words):
                continue
            cited = library.catalogue.get(near[0])
            if cited is None:
                continue
            if near[0] not in texts:
                texts[near[0]] = flat(blank_markup(cited, library.contents.text(near[0])))
            if flat(words).rstrip(".,; ") in texts[near[0]]:
                seen.add(words)
                yield Sample(cited, words.rstrip(",; "), True)
                if len(seen) == wanted:
                    return


def sampled(library: Library, chance: random.Random, wanted: int) -> list[Sample]:
    """Whole sentences of documents, a few of each document."""
    authorities = [each for each in library.catalogue.all() if each.kind == "case" and each.citation]
    chance.shuffle(authorities)
    found: list[Sample] = []
    for authority in authorities:
        text = blank_markup(authority, library.contents.text(authority.id))
        if len(text) < 4000:
            continue
        for _ in range(OF_EACH):
            start = text.find(". ", chance.randrange(1000, len(text) - 1000)) + 2
            end = text.find(". ", start + SHORTEST, start + LONGEST) + 1
            words = text[start:end]
            fits = end > start and "\n" not in words and words[:1].isupper()
            if fits and not re.search(r"[\[*…“”\"]|\. \.", words):
                found.append(Sample(authority, words, False))
        if len(found) >= wanted:
            break
    chance.shuffle(found)
    return found


def carried(sample: Sample, quotation: str, place: int) -> tuple[str, Format]:
    """A draft with the quotation and its citation."""
    format = FORMATS[("markdown", "plain", "latex")[place % 3]]
    marked = format.quote_prefix and format.note_reference
    choices = CARRIERS if marked else [each for each in CARRIERS if "[^1]" not in each and ">" not in each]
    carrier = choices[place // 3 % len(choices)]
    name = sample.authority.title
    citation = f"{name}, {sample.authority.citation}" if place % 2 else sample.authority.citation
    if place % 5 == 0 and sample.authority.year:
        citation += f" ({sample.authority.year})"
    if "> {" in carrier:
        quotation = quotation.replace("\n", "\n> ")
    if format.quotation_marks:
        quotation, citation = format.escape(quotation), format.escape(citation)
        carrier = carrier.replace("“", "``").replace("”", "''")
    return carrier.format(quotation=quotation, citation=citation), format


def names_of(library: Library) -> list[str]:
    found = {
        word for each in library.catalogue.all() for word in re.findall(r"\b[A-Z][a-z]{4,}\b", each.title)
    }
    return sorted(found)


@dataclass(slots=True)
class Tally:
    flagged: int = 0
    total: int = 0

    @property
    def share(self) -> str:
        return f"{self.flagged}/{self.total} ({100 * self.flagged / max(1, self.total):.1f}%)"


def edited(checker: Checker, arguments: argparse.Namespace) -> None:
    chance = random.Random(SEED)
    library = checker.library
    genuine = list(genuine_samples(library, chance, arguments.genuine))
    print(f"{len(genuine)} genuine quotations between documents", flush=True)
    passages = sampled(library, chance, 10 * arguments.per_class)
    names = names_of(library)
    rows = []
    codes: Counter[tuple[str, str]] = Counter()
    failures: list[str] = []
    classes: list[tuple[str, Change | None, bool]] = [
        *((name, change, False) for name, change in LAWFUL.items()),
        *((name, change, True) for name, change in HARMFUL.items()),
        ("other document", None, True),
    ]
    for name, change, harmful in classes:
        halves = [Tally(), Tally()]
        used = 0
        own = random.Random(f"{SEED} {name}")
        for place, sample in enumerate([*genuine, *passages]):
            if halves[0].total + halves[1].total >= arguments.per_class:
                break
            if change is None:
                other = own.choice(genuine or [sample])
                if other.authority.id == sample.authority.id:
                    continue
                quotation: str | None = other.words
                if flat(other.words)[:60] in flat(library.contents.text(sample.authority.id)):
                    continue
            else:
                quotation = change(sample.words, own, names)
            if quotation is None or (harmful and change is not None and quotation == sample.words):
                continue
            half = sample.authority.id % 2
            if arguments.half is not None and half != arguments.half:
                continue
            used += sample.genuine
            source, format = carried(sample, quotation, place)
            findings = checker.findings(checker.read(source, format))
            flagged = any(each.code in QUOTATION_CODES for each in findings)
            for code in {each.code for each in findings}:
                codes[name, code] += 1
            halves[half].total += 1
            halves[half].flagged += flagged
            if flagged != harmful and half == 0:
                failures.append(f"== {name} · {sample.authority.citation}\n{sample.words}\n{source}")
                failures += [f"   {each.code}: {each.message}" for each in findings]
        kinds = ", ".join(
            f"{code} {count}" for (known, code), count in sorted(codes.items()) if known == name
        )
        rows.append(
            [name, "flagged" if harmful else "not flagged", halves[0].share, halves[1].share, used, kinds]
        )
        print(" | ".join(str(cell) for cell in rows[-1]), flush=True)
    if arguments.failures:
        arguments.failures.write_text("\n".join(failures) + "\n", encoding="utf-8")
    head = ["class", "should be", "first half: flagged", "second half: flagged", "genuine", "codes"]
    if arguments.write:
        text = (
            "Quotations changed lawfully or not, from the half of the library's documents that was looked "
            "at and from the half that never was. *Flagged* is an error or a warning; *genuine* are "
            "quotations that the documents themselves make.\n"
        )
        times = listing(
            ["", "draft", "quotations", "findings", "processor time of the check"], timed(checker)
        )
        right = [row for row in rows if is_right(row)]
        said = ", ".join(f"{row[0]} {str(row[2]).split()[0]} and {str(row[3]).split()[0]}" for row in right)
        whole = f"Right every time (flagged in the first and second half): {said}.\n"
        shown = table(head, [row for row in rows if row not in right])
        command = "    python benchmarks/bench_quotations.py --write\n"
        write_results("Quotations", [command, text, times, whole, shown])


def is_right(row: list[Any]) -> bool:
    """Return whether all quotations of a class are flagged, or none is, as they should be."""
    wanted = "(100.0%)" if row[1] == "flagged" else "(0.0%)"
    return wanted in row[2] and wanted in row[3]


def timed(checker: Checker) -> list[list[object]]:
    """The seconds that a draft of a megabyte with a thousand quotations takes, from cold and once more."""
    chance = random.Random(f"{SEED} long")
    words = "The harbour master kept the basin closed while the storm lasted and nobody asked him why. " * 8
    pieces = []
    quoted = 0
    for sample in sampled(checker.library, chance, 1000)[:1000]:
        text = sample.words
        if quoted % 4 == 0:
            text = reordered(text, chance, ()) or text
        quoted += 1
        pieces.append(f"{words}\n\nAs was said, “{text}” {sample.authority.citation}.")
    source = "\n\n".join(pieces)
    draft = DraftParser(checker.grammar, checker.settings.jurisdiction).parse(
        "file:///long", source, FORMATS["markdown"]
    )
    snapshot = Snapshot(draft, checker.library, Searcher(checker.library), checker.settings)
    rows: list[list[object]] = []
    for name in ("from cold", "again"):
        started, found = time.process_time(), 0
        for excerpt in excerpts(snapshot):
            found += len(list(quotations.check_quotations(excerpt, CancelToken())))
        found += len(list(quotations.check_blocks(snapshot, CancelToken())))
        seconds = time.process_time() - started
        rows.append([name, f"{len(source) / 1e6:.2f} MB", quoted, found, f"{seconds:.2f} s"])
        print(*rows[-1], sep=" | ", flush=True)
    return rows


def excerpts(snapshot: Snapshot) -> list[Excerpt]:
    """The draft's paragraphs with what they cite, without the notes that this draft has not."""
    draft = snapshot.draft
    return [
        Excerpt(
            snapshot,
            paragraph,
            tuple(resolve(snapshot.library, draft, each) for each in draft.citations_in(paragraph)),
        )
        for paragraph in draft.paragraphs
    ]


def as_they_stand(checker: Checker, arguments: argparse.Namespace) -> None:
    """The quotations of the library's own documents: what would be flagged in them."""
    chance = random.Random(SEED)
    authorities = [each for each in checker.library.catalogue.all() if each.kind == "case"]
    chance.shuffle(authorities)
    counts: Counter[str] = Counter()
    seen = held = length = 0
    for authority in authorities[: arguments.as_they_stand]:
        text = checker.library.contents.text(authority.id)
        length += len(text)
        snapshot = checker.read(text, format_of("", authority.path.name))
        for excerpt in excerpts(snapshot):
            cited = [attributed.cited for _, attributed in find_attributions(excerpt) if attributed]
            seen += len(cited)
            held += sum(any(each.authorities for each in resolved) for resolved in cited)
        for each in checker.findings(snapshot):
            counts[each.code] += 1
            if arguments.show:
                around = text[max(0, each.span.start - 300) : each.span.end + 300]
                print(f"== {authority.relative} {each.span.start} · {each.code}\n{each.message}\n{around}\n")
                for related in each.related[:1]:
                    assert related.authority is not None
                    said = checker.library.contents.text(related.authority)
                    print(f"   >> {said[max(0, related.span.start - 200) : related.span.end + 200]!r}\n")
    print(f"{arguments.as_they_stand} documents, {length} code points, {seen} attributed quotations,")
    print(f"{held} of them to an authority of the library")
    print(dict(counts), f"{checker.seconds:.1f} s in checks")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", nargs="?", type=Path, default=DATA / "us-cases")
    parser.add_argument("--jurisdiction", default="US")
    parser.add_argument("--index", type=Path, help="an index to use as it is; made if there is none")
    parser.add_argument("--genuine", type=int, default=600, help="most genuine quotations to use")
    parser.add_argument("--per-class", type=int, default=PER_CLASS)
    parser.add_argument("--half", type=int, choices=(0, 1), help="only the first (0) or second (1) half")
    parser.add_argument("--failures", type=Path, help="where to write the failures of the first half")
    parser.add_argument("--as-they-stand", type=int, default=0, metavar="N")
    parser.add_argument("--speed", action="store_true", help="only time the check of a long draft")
    parser.add_argument("--show", action="store_true", help="print each finding with the words around it")
    parser.add_argument("--write", action="store_true", help="write its section of benchmarks/RESULTS.md")
    arguments = parser.parse_args()
    if not arguments.library.is_dir():
        sys.exit(f"there is no folder {arguments.library}")
    settings = Settings(jurisdiction=arguments.jurisdiction, embeddings_model="")
    with tempfile.TemporaryDirectory() as folder:
        index = arguments.index or Path(folder, "index.sqlite3")
        if arguments.index is not None and index.exists():
            library = Library(index)
        else:
            library, _ = open_library([arguments.library], index, settings, lexical_only=True)
        checker = Checker(library, arguments.jurisdiction)
        if arguments.speed:
            timed(checker)
        elif arguments.as_they_stand:
            as_they_stand(checker, arguments)
        else:
            edited(checker, arguments)
        library.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
