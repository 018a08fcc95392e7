"""Whether wrong citations and quotations are noticed: correct ones of real paragraphs, altered one at a time.

Drafts are made of citing paragraphs of the library's own opinions, cut to the sentences whose citations all
resolve in the library and whose quotations compare verbatim. Each kind of `citation_alterations` is made once
in each draft that admits it, and the draft is checked again: what is newly said at the altered place counts.
The drafts whose number's hash is even are for development, the others are the result ("unseen").

    python benchmarks/bench_alterations.py us-cases:US:us.sqlite3 in-cases:IN:in.sqlite3 --drafts 30

A library is FOLDER:JURISDICTION:INDEX; the index is used as it is. The sample is `examples` alone.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from citation_alterations import CITATIONS, PROPOSITIONS, QUOTATIONS, Altered, Base, Quoted
from measuring import table, write_results

from lexls.citations.grammar import Grammar
from lexls.features.checks.check import Finding
from lexls.features.checks.engine import FoundBefore, check
from lexls.features.draft import Draft
from lexls.features.draft_parser import DraftParser
from lexls.features.resolve import resolve
from lexls.features.snapshot import Snapshot
from lexls.grounding.reading import blank_markup
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.session import open_library
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.sentences import cut_sentences
from lexls.text.spans import Span

ROOT = Path(__file__).resolve().parents[1]
SEED = 20261123
FEWEST, MOST = 8, 15
"""Paragraphs of a draft."""
SHORTEST, LONGEST = 120, 1800
_MARKED = re.compile(r"“([^“”]{40,500})”|\"([^\"]{40,500})\"")
_UNLAWFUL = re.compile(r"\[|\. \. \.|…|\*|\.\.\.")
_SEEN = ("warning", "error")
_QUOTES = (
    "misquotation",
    "quotation-wording",
    "quotation-altered",
    "quotation-spelling",
    "pinpoint-elsewhere",
)


@dataclass(slots=True)
class Result:
    """What became of the alterations of one kind in one half of the drafts."""

    altered: int = 0
    told: int = 0
    missing: int = 0
    information: int = 0
    silent: int = 0
    fixed: int = 0
    codes: Counter[str] = field(default_factory=Counter)


class Bench:
    """The drafts of one library, and the real check over them."""

    def __init__(self, folder: Path, jurisdiction: str, index: Path | None, scratch: Path) -> None:
        self.name = folder.name
        forms: Sequence[Any] = ()
        toml = folder / "lexls.toml"
        if toml.exists():
            read = tomllib.loads(toml.read_text(encoding="utf-8"))
            forms = read.get("citations", {}).get("forms", ())
            folder = folder / "library"
        self.settings = Settings(jurisdiction=jurisdiction, embeddings_model="", citations_forms=tuple(forms))
        if index is not None and index.exists():
            self.library = Library(index)
        else:
            where = index or scratch / f"{self.name}.sqlite3"
            self.library, _ = open_library([folder], where, self.settings, lexical_only=True)
        grammar = Grammar.load(forms)
        self.parser = DraftParser(grammar, jurisdiction)
        self.grammar = grammar
        self._kept: Snapshot | None = None
        self._texts: dict[int, str] = {}
        self.others = [each for each in self.library.catalogue.all() if each.kind == "case" and each.title]
        chance = random.Random(SEED)
        sampled = [
            self.library.contents.text(each.id)
            for each in chance.sample(self.others, min(40, len(self.others)))
        ]
        self.words = sorted({word for text in sampled for word in re.findall(r"\b[A-Za-z]{5,}\b", text)})

    def snapshot(self, draft: Draft) -> Snapshot:
        if self._kept is None:
            searcher = Searcher(self.library, grammar=self.grammar)
            self._kept = Snapshot(draft, self.library, searcher, self.settings)
        kept = self._kept
        return Snapshot(
            draft, self.library, kept.searcher, self.settings, kept.names, kept.tokenizer, kept.quoted,
            kept.concordance, kept.warnings,
        )  # fmt: skip

    def parse(self, source: str) -> Draft:
        return self.parser.parse("file:///draft", source, FORMATS["plain"])

    def findings(self, source: str, before: FoundBefore) -> list[Finding]:
        return check(self.snapshot(self.parse(source)), CancelToken(), before)

    # -- drafts ----------------------------------------------------------------------------------------------

    def paragraphs(self, chance: random.Random) -> Iterator[str]:
        """Runs of sentences of the library's cases all of whose citations resolve, without end of their own.

        Of a document at most a few.
        """
        documents = list(self.others)
        chance.shuffle(documents)
        for document in documents:
            starts = [
                place.start
                for place, cited in self.library.graph.find_cited(document.id)
                if cited is not None
            ]
            if not starts:
                continue
            text = self.library.contents.text(document.id)
            taken = 0
            for block in re.finditer(r"[^\n]+", text):
                if any(block.start() <= start < block.end() for start in starts):
                    for paragraph in self._runs(block.group()):
                        yield paragraph
                        taken += 1
                if taken >= 4:
                    break

    def _runs(self, text: str) -> Iterator[str]:
        draft = self.parse(text)
        whole = Span(0, len(text))
        sentences = cut_sentences(draft.masked, [each.span for each in draft.citations])
        run: list[Span] = []
        for sentence in [*sentences, None]:
            if (
                sentence is not None
                and self._resolves(draft, sentence)
                and sentence in whole_of(whole, sentence)
            ):
                run.append(sentence)
                continue
            while run and len(Span(run[0].start, run[-1].end)) > LONGEST:
                run.pop(0)
            if run:
                piece = text[run[0].start : run[-1].end].strip()
                if len(piece) >= SHORTEST and piece[:1].isupper() and self._is_whole(piece):
                    yield piece
            run = []

    def _resolves(self, draft: Draft, sentence: Span) -> bool:
        cited = draft.citations_in(sentence)
        return all(
            each.kind != "case" or bool(resolve(self.library, draft, each).authorities) for each in cited
        )

    def _is_whole(self, piece: str) -> bool:
        draft = self.parse(piece)
        cited = [each for each in draft.citations if each.kind == "case"]
        found = [resolve(self.library, draft, each) for each in cited]
        if not all(each.authorities for each in found):
            return False
        if not any(each.by == "citation" and each.citation.form == "full" for each in found):
            return False
        marked = list(_MARKED.finditer(piece))
        return len(self._quoted(draft, found)) == len(marked)

    def _quoted(self, draft: Draft, cited: Sequence[Any]) -> list[Quoted]:
        """The quotations that stand verbatim in the authority cited next behind, or last before, them."""
        found = []
        for match in _MARKED.finditer(draft.source):
            span = Span(*match.span(1 if match[1] else 2))
            words = span.of(draft.source)
            if _UNLAWFUL.search(words):
                continue
            behind = [each for each in cited if 0 <= each.citation.span.start - match.end() <= 60]
            for each in behind[:1]:
                authority = self.library.catalogue.get(each.authorities[0]) if each.authorities else None
                if authority is not None and flat(words).rstrip(".,; ") in self._flat(authority):
                    found.append(Quoted(span, each, authority))
        return found

    def _flat(self, authority: Authority) -> str:
        if authority.id not in self._texts:
            if len(self._texts) > 400:
                self._texts.clear()
            self._texts[authority.id] = flat(
                blank_markup(authority, self.library.contents.text(authority.id))
            )
        return self._texts[authority.id]

    def drafts(self, wanted: int) -> Iterator[str]:
        """Drafts of as many paragraphs, no paragraph twice."""
        chance = random.Random(f"{SEED} {self.name}")
        seen: set[str] = set()
        pieces: list[str] = []
        made = 0
        length = chance.randint(FEWEST, MOST)
        for paragraph in self.paragraphs(chance):
            if paragraph in seen:
                continue
            seen.add(paragraph)
            pieces.append(paragraph)
            if len(pieces) == length:
                yield "\n\n".join(pieces) + "\n"
                pieces, length, made = [], chance.randint(FEWEST, MOST), made + 1
                if made == wanted:
                    return
        if pieces and made < wanted:
            yield "\n\n".join(pieces) + "\n"

    def base(self, source: str) -> Base:
        draft = self.parse(source)
        cited = [resolve(self.library, draft, each) for each in draft.citations]
        return Base(draft, self.library, cited, self._quoted(draft, cited), self.others, self.words)


def whole_of(whole: Span, sentence: Span) -> list[Span]:
    return [sentence] if sentence.end <= whole.end else []


def flat(text: str) -> str:
    text = text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return re.sub(r"\s+", " ", re.sub(r"[-–—]", "-", text)).casefold()


def half_of(library: str, number: int) -> int:
    """0 for a draft that may be looked at, 1 for an unseen one."""
    return hashlib.sha256(f"{library} {number}".encode()).digest()[0] % 2


def judge(
    altered: Altered, before: set[tuple[str, str]], found: Sequence[Finding], quotation: bool
) -> list[Finding]:
    """What is newly said at the altered place, the gravest first; of that, what such a change explains."""
    shift = len(altered.text) - len(altered.span)
    low, high = altered.around.start, altered.around.end + max(0, shift)
    new = [
        each
        for each in found
        if low <= each.span.end and each.span.start <= high
        and (each.code, each.message) not in before
        and (quotation or each.code not in _QUOTES)
        and each.code not in ("citation-style", "unsupported-proposition")
    ]  # fmt: skip
    order = ("error", "warning", "information", "hint")
    return sorted(new, key=lambda each: order.index(each.severity))


def measure(
    bench: Bench, arguments: argparse.Namespace, results: dict[tuple[str, int], Result]
) -> Iterator[str]:
    """Alter each draft in each way; yields what was not told in the drafts that may be looked at."""
    kinds = {**CITATIONS, **QUOTATIONS, **PROPOSITIONS}
    wanted = [kind for kind in kinds if not arguments.kind or any(each in kind for each in arguments.kind)]
    for number, source in enumerate(bench.drafts(arguments.drafts)):
        half = half_of(bench.name, number)
        if arguments.half is not None and half != arguments.half:
            continue
        kept = FoundBefore()
        unaltered = bench.findings(source, kept)
        said = {(each.code, each.message) for each in unaltered}
        base = bench.base(source)
        own = results["unaltered", half]
        own.altered += len(base.cited)
        for each in unaltered:
            own.told += each.severity in _SEEN
            own.information += each.severity == "information"
            own.codes[each.code] += each.severity in _SEEN
            if half == 0 and each.severity in _SEEN:
                around = source[max(0, each.span.start - 150) : each.span.end + 100]
                yield f"== unaltered {bench.name} {number} {each.code}: {each.message}\n   {around!r}"
        for kind in wanted:
            chance = random.Random(f"{SEED} {bench.name} {number} {kind}")
            altered = kinds[kind](base, chance)
            if altered is None or altered.text == altered.span.of(source):
                continue
            text = source[: altered.span.start] + altered.text + source[altered.span.end :]
            new = judge(altered, said, bench.findings(text, kept), kind in QUOTATIONS)
            result = results[kind, half]
            result.altered += 1
            grave = [each for each in new if each.severity in _SEEN]
            result.told += bool(grave)
            result.fixed += any(each.fixes for each in grave)
            if not grave:
                missing = any(each.code == "not-in-library" for each in new)
                result.missing += missing
                result.information += bool(new) and not missing
                result.silent += not new
            for code in {each.code for each in (grave or new)}:
                result.codes[code] += 1
            if half == 0 and not grave:
                was = source[max(0, altered.around.start - 60) : altered.around.end + 30]
                now = altered.span.of(source), altered.text
                told = "; ".join(f"{each.code}: {each.message}" for each in new[:2])
                yield f"== {kind} {bench.name} {number}: {now[0]!r} → {now[1]!r}\n   {was!r}\n   {told}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "libraries", nargs="*", default=["examples:Aldmoor:"], metavar="FOLDER:JURISDICTION:INDEX"
    )
    parser.add_argument("--drafts", type=int, default=100, help="drafts of each library")
    parser.add_argument("--kind", action="append", help="only kinds that hold these words")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only the shown (0) or unseen (1) half")
    parser.add_argument("--failures", type=Path, help="where to write what was not told in the shown half")
    parser.add_argument("--write", action="store_true", help="write its section of benchmarks/RESULTS.md")
    arguments = parser.parse_args()
    results: dict[tuple[str, int], Result] = defaultdict(Result)
    failures: list[str] = []
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        for each in arguments.libraries:
            folder, jurisdiction, index = (*each.split(":"), "", "")[:3]
            if not Path(folder).is_dir():
                sys.exit(f"there is no folder {folder}")
            bench = Bench(Path(folder), jurisdiction, Path(index) if index else None, Path(scratch))
            failures += measure(bench, arguments, results)
            bench.library.close()
    if arguments.failures:
        arguments.failures.write_text("\n".join(failures) + "\n", encoding="utf-8")
    head = [
        "kind",
        "half",
        "altered",
        "warning or error",
        "with a fix",
        "not in library",
        "information",
        "silent",
        "codes",
    ]
    rows = []
    kinds = ["unaltered", *CITATIONS, *QUOTATIONS, *PROPOSITIONS]
    for kind in kinds:
        for half, name in enumerate(("shown", "unseen")):
            found = results.get((kind, half))
            if found is None or not found.altered:
                continue
            share = f"{found.told} ({100 * found.told / found.altered:.1f}%)"
            codes = ", ".join(f"{code} {count}" for code, count in found.codes.most_common(4) if count)
            rows.append(
                [
                    kind,
                    name,
                    found.altered,
                    share,
                    found.fixed,
                    found.missing,
                    found.information,
                    found.silent,
                    codes,
                ]
            )
    for half, name in enumerate(("shown", "unseen")):
        for title, group in (("citations", CITATIONS), ("quotations", QUOTATIONS)):
            each = [results[kind, half] for kind in group if (kind, half) in results]
            altered, told = sum(one.altered for one in each), sum(one.told for one in each)
            profile = told + sum(one.missing for one in each)
            if altered:
                rows.append(
                    [f"all {title}", name, altered, f"{told} ({100 * told / altered:.1f}%)", "",
                     f"with these {100 * profile / altered:.1f}%", "", "", ""]
                )  # fmt: skip
    print(table(head, rows))
    print(f"{time.perf_counter() - started:.0f} s")
    if arguments.write:
        write_results("Alterations", [table(head, rows)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
