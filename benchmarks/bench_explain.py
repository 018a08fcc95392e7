"""How well and how fast extracts answer: ``bench_explain.py INDEX SUPPORT.jsonl SAMPLE_INDEX``.

INDEX is the index of a library of American opinions with vectors (``lexls index LIBRARY --index INDEX``),
SUPPORT.jsonl holds citing sentences: lines with text, citing (the citing file) and gold (the files cited).
SAMPLE_INDEX is that of ``examples/library``. Every fifth sentence is asked, 100 in all; the citing document
neither speaks nor answers. Printed are, with vectors and without: how often an answer comes, how often it
quotes the authority that was cited, how often something comes for the sentences of
``unrelated_propositions.txt``, and the time from the question to the first verified sentence.

Each pin is compared with the library's text, and where the authority's file is text, with the file. Writes
its section of ``RESULTS.md``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from measuring import Spread, load, table, write_results

from lexls.citations.grammar import Grammar
from lexls.features.gathering import ROOM
from lexls.grounding.answer import Answer, Request
from lexls.grounding.answering import Gathered, write_answer
from lexls.grounding.context import gather_evidence
from lexls.grounding.generators.extractive import ExtractiveGenerator
from lexls.grounding.relevant_passages import find_relevant_passages
from lexls.grounding.sufficiency import find_weakness
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.embedding import open_embedder
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken

ASKED = 100
EVERY = 5
PASSAGES = 6
ENTAILMENT = 0.6
HERE = Path(__file__).resolve().parent
COMMAND = """\
    python benchmarks/bench_explain.py us.sqlite3 ../shared/benchmarks/support_us.dev.jsonl sample.sqlite3
"""
"""The command."""
ABOUT = """\
Extracts of the library for a sentence, as `lexls ask` gives them, verified. *Cited* are citing sentences of
American opinions, the citing opinion left out; some have nothing to answer. *Everyday* and *legal* are
unrelated sentences (`unrelated_propositions.txt`): any answer to them is a false one. *Sample* are
propositions and questions on the sample library.
"""


@dataclass(frozen=True, slots=True)
class Proposition:
    """A sentence to be asked about: its set, the file it stands in and those it cites ("" and () if none)."""

    kind: str
    text: str
    citing: str = ""
    gold: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a proposition. ``first`` are seconds to the first verified sentence, or to the end where
    none came; ``processor`` those of this process until then; ``weak`` says that nothing was generated."""

    proposition: Proposition
    answer: Answer
    first: float
    processor: float
    whole: float
    weak: bool
    verbatim: int
    pins: int
    quoted: frozenset[str]


class Rig:
    """A library with everything that answers from it; ``vectors`` False leaves similarity out."""

    def __init__(self, library: Library, *, vectors: bool) -> None:
        embedder = open_embedder() if vectors else None
        self._library = library
        self._tokens = Tokenizer().tokenize
        self._searcher = Searcher(library, lambda: embedder, grammar=Grammar.load())
        self._generator = ExtractiveGenerator(self._tokens, embedder.encode if embedder else None)
        self._verifier = EvidenceVerifier(self._tokens, ENTAILMENT)
        self._vectors = vectors
        self._files: dict[int, str | None] = {}
        self._by_name = {authority.relative: authority for authority in library.catalogue.all()}

    def gathered(self, proposition: Proposition, token: CancelToken) -> Gathered:
        """What is found for a proposition, as the server finds it."""
        citing = self._by_name.get(proposition.citing)
        filters = Filters(excluded=(citing.path,) if citing is not None else ())
        hits = find_relevant_passages(self._searcher, proposition.text, PASSAGES, filters, token)
        evidence = gather_evidence(self._library, hits, "neighbours", ROOM, PASSAGES, token=token)
        request = Request("ask", proposition.text, evidence)
        vector = None
        if self._vectors and hits:
            vector = self._searcher.encode_query(self._searcher.query(proposition.text))
        return Gathered(request, (), find_weakness(request, self._tokens, self._library, hits, vector))

    def ask(self, proposition: Proposition) -> Asked:
        """Ask about one proposition and check each pin of the answer."""
        token = CancelToken()
        start, processor = time.perf_counter(), time.process_time()
        gathered = self.gathered(proposition, token)
        first = spent = 0.0
        answer: Answer | None = None
        for answer in write_answer(gathered, self._generator, self._verifier, token):
            if answer.sentences and not first:
                first, spent = time.perf_counter() - start, time.process_time() - processor
        assert answer is not None
        whole = time.perf_counter() - start
        if not first:
            first, spent = whole, time.process_time() - processor
        pins = [pin for sentence in answer.sentences for pin in sentence.pins]
        verbatim = sum(self._stands(pin.authority.id, pin.start, pin.end, pin.text) for pin in pins)
        quoted = frozenset(pin.authority.relative for pin in pins)
        return Asked(
            proposition, answer, first, spent, whole, bool(gathered.weak), verbatim, len(pins), quoted
        )

    def _stands(self, document: int, start: int, end: int, text: str) -> bool:
        """Whether a pin's words stand at its place: in the index, and in the file where that is the text."""
        if not text or self._library.contents.text(document)[start:end] != text:
            return False
        if document not in self._files:
            self._files[document] = self._file(document)
        written = self._files[document]
        return written is None or written[start:end] == text

    def _file(self, document: int) -> str | None:
        authority = self._library.catalogue.get(document)
        if authority is None or authority.path.suffix not in (".md", ".txt") or not authority.path.is_file():
            return None
        return authority.path.read_bytes().decode("utf-8-sig")

    def only_generated(self, asked: Asked) -> bool:
        """Whether the generator alone would have answered, were nothing asked of retrieval."""
        if not asked.weak:
            return not asked.answer.abstained
        token = CancelToken()
        gathered = self.gathered(asked.proposition, token)
        found = Gathered(gathered.request)
        return any(not each.abstained for each in write_answer(found, self._generator, self._verifier, token))


def supported(path: Path) -> list[Proposition]:
    """Every fifth citing sentence, 100 in all."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Proposition("cited", row["text"], row["citing"], tuple(row["gold"])) for row in rows[::EVERY][:ASKED]
    ]


def unrelated() -> list[Proposition]:
    """The sentences that no library bears out, each with the name of its set."""
    return list(_lines(HERE / "unrelated_propositions.txt", ""))


def of_sample() -> list[Proposition]:
    """Propositions and questions on the law of the sample library."""
    return list(_lines(HERE / "sample_propositions.txt", "sample"))


def _lines(path: Path, kind: str) -> Iterator[Proposition]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            yield Proposition(kind, line.strip())


def rates(asked: Sequence[Asked], rig: Rig) -> Iterator[Sequence[object]]:
    """A row for each set: asked, answered, found too weak, answered by the generator alone."""
    for kind in dict.fromkeys(each.proposition.kind for each in asked):
        own = [each for each in asked if each.proposition.kind == kind]
        answered = sum(not each.answer.abstained for each in own)
        yield (
            kind,
            len(own),
            f"{answered} ({100 * answered / len(own):.0f} %)",
            sum(each.weak for each in own),
            sum(rig.only_generated(each) for each in own),
        )


def milliseconds(values: Sequence[float]) -> Sequence[object]:
    spread = Spread.of([1000 * each for each in values])
    return [round(spread.p50), round(spread.p95), round(spread.largest)]


def measured(
    name: str, rig: Rig, propositions: Sequence[Proposition], note: Callable[[str], None]
) -> Iterator[str]:
    """The tables of one library in one way of searching, as Markdown."""
    for each in propositions[:3]:
        rig.ask(each)
    asked = [rig.ask(each) for each in propositions]
    note(f"{name}: {len(asked)} asked")
    yield f"{name}:\n"
    yield table(
        ["sentences", "asked", "answered", "found too weak", "answered if weakness were not looked at"],
        rates(asked, rig),
    )
    true = [each for each in asked if each.proposition.kind in ("cited", "sample")]
    gold = [each for each in true if each.proposition.gold]
    if gold:
        quoted = sum(bool(each.quoted & set(each.proposition.gold)) for each in gold)
        yield f"The authority that was cited is among those quoted in {quoted} of {len(gold)}.\n"
    pins, verbatim = sum(each.pins for each in asked), sum(each.verbatim for each in asked)
    yield f"Pins: {pins}; verbatim at their place: {verbatim}.\n"
    answered = [each for each in true if not each.answer.abstained]
    yield table(
        ["time, ms", "p50", "p95", "largest"],
        [
            ["to the first verified sentence", *milliseconds([each.first for each in answered])],
            ["the same, processor time", *milliseconds([each.processor for each in answered])],
            ["to the whole answer", *milliseconds([each.whole for each in answered])],
            ["to saying that there is none", *milliseconds([each.whole for each in asked if each.weak])],
        ],
    )


def main() -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("support", type=Path)
    parser.add_argument("sample", type=Path)
    options = parser.parse_args()
    parts = [COMMAND, ABOUT]
    started = load()
    for title, path, true in (
        ("American opinions", options.index, supported(options.support)),
        ("The sample library", options.sample, of_sample()),
    ):
        library = Library(path)
        counts = library.status.counts()
        parts.append(f"{title}: {counts[0]} documents, {counts[1]} passages.\n")
        for vectors in (True, False):
            name = "Words and similarity" if vectors else "Words alone"
            parts += measured(name, Rig(library, vectors=vectors), [*true, *unrelated()], print)
        library.close()
    parts.append(f"\nLoad average at the start {started:.1f}, at the end {load():.1f}.\n")
    print(write_results("Extracts as answers", parts))


if __name__ == "__main__":
    main()
