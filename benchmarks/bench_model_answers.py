"""What local models add to the extracts, on questions and citing sentences of three libraries.

    python benchmarks/bench_model_answers.py SET=INDEX… --out FOLDER [--model FILE.gguf]… \
        [--part shown|unseen|all] [--only SQ01,LE] [--write]

Each SET is a file of ``answers/``, with the index of its library. A row there is a question (ask) or a
sentence that cites (explain) with the authority to be explained, the places that answer it ("-": none does,
so that abstaining is right), words of which each group (";") must be said in one of its forms ("|"), and what
an answer must say to be right. Extracts are asked first, then each model, by the product's own path.

An answer counts as right by words where its lines or their pins from an expected document have them. People
read the rest: FOLDER gets a page for each model with every line and who wrote it, and every sentence of the
model that was tried, with its quotation and its faults, as JSON lines.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from measuring import Spread, load, table, write_results

from lexls.citations.grammar import Grammar
from lexls.features.build import Writer, build_searcher, build_writer
from lexls.features.gathering import gather_answer, gather_explanation
from lexls.grounding.answer import Answer, Claim, Request, Verdict
from lexls.grounding.answering import Gathered
from lexls.grounding.evidence import Pin
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.embedding import Embedder, open_embedder
from lexls.index.embedding.protocol import encode_alike
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.tokens import Tokenizer
from lexls.models.process import ModelProcess
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import resolve
from lexls.reading.snapshot import Snapshot
from lexls.settings import load as settings_files
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import format_of

ROOT = Path(__file__).resolve().parents[1]
ROWS = Path(__file__).with_name("answers")
JURISDICTIONS = {"streamlocker": "United States", "in_cases": "India"}
EXTRACTS = "extracts"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a set, as the file has it."""

    id: str
    part: str
    task: str
    text: str
    authority: str
    places: str
    words: str
    rubric: str

    @property
    def answerable(self) -> bool:
        """Whether the library answers it."""
        return self.places != "-"

    def expects(self, pin: Pin) -> bool:
        """Whether ``pin`` stands in a place that answers, as far as the index divides it."""
        for place in self.places.split(" | "):
            name, _, label = place.partition("#")
            if name in pin.authority.relative and (not label or _is_of(label, pin.label)):
                return True
        return False

    def expects_document(self, pin: Pin) -> bool:
        """Whether ``pin`` is of a document that answers."""
        return any(each.partition("#")[0] in pin.authority.relative for each in self.places.split(" | "))

    def says(self, text: str) -> bool:
        """Whether each group of words is said in one of its forms."""
        said = _plain(text)
        return all(any(_plain(form) in said for form in group.split("|")) for group in self.words.split(";"))


def _is_of(one: str, other: str) -> bool:
    """Whether one label is the other's or of a part of it: 12 and 12(3)."""
    return bool(other) and (
        one == other or one.startswith((f"{other}(", f"{other}.")) or other.startswith(f"{one}(")
    )


def _plain(text: str) -> str:
    text = text.casefold().replace("’", "'").replace("-\n", "").replace("\u00ad", "")
    return " ".join(text.split())


def read_rows(name: str) -> list[Row]:
    """The rows of a set."""
    with (ROWS / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return [Row(**row) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


class HearingVerifier(EvidenceVerifier):
    """A verifier that remembers what it was asked about since it was last cleared."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.heard: list[tuple[Claim, Verdict]] = []

    def verify(self, claim: Claim, request: Request, token: CancelToken) -> Verdict:
        verdict = super().verify(claim, request, token)
        if claim.text:
            self.heard.append((claim, verdict))
        return verdict


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a row. Seconds count from the request; ``first`` to the first verified line and
    ``model`` to the first of the model's (0: none came), ``whole`` to the end."""

    row: Row
    answer: Answer
    heard: tuple[tuple[Claim, Verdict], ...]
    gathering: float
    first: float
    model: float
    whole: float

    @property
    def stood(self) -> int:
        """How many sentences of the model are in the answer."""
        return sum(not each.is_extract for each in self.answer.sentences)

    @property
    def touches(self) -> bool:
        """Whether a pin stands where the answer is."""
        return any(self.row.expects(pin) for each in self.answer.sentences for pin in each.pins)

    @property
    def begins_right(self) -> bool:
        """Whether the first line alone is ``right``."""
        return replace(self, answer=replace(self.answer, sentences=self.answer.sentences[:1])).right

    @property
    def right(self) -> bool:
        """Whether the rubric's words are said from a document that answers; of what nothing answers, whether
        nothing is said."""
        if not self.row.answerable:
            return self.answer.abstained
        lines = [
            f"{each.text} {' '.join(pin.text for pin in each.pins)}"
            for each in self.answer.sentences
            if any(self.row.expects_document(pin) for pin in each.pins)
        ]
        return bool(lines) and self.row.says(" ".join(lines))

    @property
    def tokens_a_second(self) -> float:
        """Tokens that the model wrote in a second, the reading of its prompts counted in; 0 where it wrote
        none."""
        usage = self.answer.usage
        return usage.tokens / usage.seconds if usage is not None and usage.seconds > 0 else 0.0


class Rig:
    """One library, with what asks it as the product does."""

    def __init__(self, name: str, index: Path, embedder: Embedder | None) -> None:
        settings, _ = settings_files.load(ROOT / "examples" if name == "sample" else None)
        self.settings = replace(settings, jurisdiction=JURISDICTIONS.get(name, settings.jurisdiction))
        self.encode = encode_alike(embedder)
        self.library = Library(index)
        self._grammar = Grammar.load(self.settings.citations_forms)
        tokenizer = Tokenizer()
        self._searcher = build_searcher(
            self.settings, self.library, self._grammar, tokenizer, lambda: embedder, lambda: None
        )
        self._snapshot = self._drafted("")

    def _drafted(self, text: str) -> Snapshot:
        parser = DraftParser(self._grammar, self.settings.jurisdiction)
        draft = parser.parse("draft", text, format_of("", "draft.md"))
        return Snapshot(draft, self.library, self._searcher, self.settings)

    def find(self, name: str) -> Authority:
        """The only document with ``name`` in its path."""
        found = [each for each in self.library.catalogue.all() if name in each.relative]
        if len(found) != 1:
            raise SystemExit(f"{name}: {len(found)} documents have it in their path")
        return found[0]

    def check(self, row: Row) -> Iterator[str]:
        """What is wrong with a row: the words must be in a document that answers."""
        if row.answerable:
            names = [place.partition("#")[0] for place in row.places.split(" | ")]
            texts = [self.library.contents.text(self.find(name).id) for name in names]
            if not any(row.says(text) for text in texts):
                yield f"{row.id}: no document has all of its words"

    def gather(self, row: Row, token: CancelToken) -> Gathered:
        """What the product finds for a row."""
        if row.task == "ask":
            return gather_answer(self._snapshot, row.text, (), token)
        snapshot, authority = self._drafted(row.text), self.find(row.authority)
        for citation in snapshot.draft.citations:
            if authority.id in resolve(self.library, snapshot.draft, citation).authorities:
                gathered = gather_explanation(snapshot, citation.core.start, token)
                break
        else:
            gathered = gather_explanation(snapshot, 0, token, authority.id)
        assert gathered is not None
        return gathered

    def ask(self, row: Row, writer: Writer, verifier: HearingVerifier) -> Outcome:
        """Answer one row with ``writer``."""
        token = CancelToken()
        verifier.heard.clear()
        started = time.perf_counter()
        gathered = self.gather(row, token)
        gathering = time.perf_counter() - started
        first = model = 0.0
        answer = Answer("ask", row.text)
        for answer in writer.write(gathered, token):
            now = time.perf_counter() - started
            first = first or (now if answer.sentences else 0.0)
            model = model or (now if any(not each.is_extract for each in answer.sentences) else 0.0)
        whole = time.perf_counter() - started
        return Outcome(row, answer, tuple(verifier.heard), gathering, first, model, whole)


def answered(rig: Rig, rows: Sequence[Row], model: Path | None, out: Path) -> Iterator[Outcome]:
    """Every row answered by the extracts, or with a model that is loaded before."""
    settings: Settings = rig.settings
    if model is not None:
        settings = replace(settings, explain_generator="llama", llama_model=str(model.resolve()))
    processes = cache(ModelProcess)
    tokens = Tokenizer().tokenize
    verifier = HearingVerifier(tokens, settings.explain_entailment, None)
    kind = "llama" if model is not None else "extractive"
    writer = replace(build_writer(settings, tokens, processes, rig.encode, kind), verifier=verifier)
    try:
        if writer.model is not None:
            writer.model.load()
        for row in rows:
            outcome = rig.ask(row, writer, verifier)
            with (out / f"{name_of(model)}.jsonl").open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in tried(outcome))
            yield outcome
    finally:
        if processes.cache_info().currsize:
            processes().close()


def tried(outcome: Outcome) -> Iterator[Mapping[str, object]]:
    """Each sentence of the model with what it rests on, and what became of it."""
    for claim, verdict in outcome.heard:
        sentence = verdict.sentence
        faults = verdict.faults or (sentence.replaced if sentence is not None else ())
        yield {
            "row": outcome.row.id,
            "task": outcome.row.task,
            "question": outcome.answer.question,
            "sentence": claim.text,
            "quotations": [each.quotation for each in claim.quoted],
            "stood": sentence is not None and not sentence.is_extract,
            "shown": sentence is not None
            and sentence.text in [each.text for each in outcome.answer.sentences],
            "faults": [[each.kind, list(each.words)] for each in faults],
            "entailment": sentence.entailment if sentence is not None else None,
        }


def name_of(model: Path | None) -> str:
    """What a model is called in files and tables."""
    return EXTRACTS if model is None else model.stem


def written(outcome: Outcome) -> Iterator[str]:
    """A row with its answer, for people to read."""
    row, answer = outcome.row, outcome.answer
    verdict = "right" if outcome.right else "wrong or abstained"
    verdict += " from the first line" if outcome.right and outcome.begins_right else ""
    place = "at the place" if outcome.touches else "elsewhere"
    yield f"\n## {row.id} ({row.part}, {row.task}): {row.text}\n"
    yield f"Rubric: **{row.rubric}** ({row.places}). By words: {verdict}, {place}.\n"
    for each in answer.sentences:
        who = "extract" if each.is_extract else "MODEL"
        yield f"- {who}: {each.text}"
        for pin in each.pins:
            where = f"{pin.authority.relative[:60]}#{pin.label or pin.page or ''}"
            yield f"  - {where}" + ("" if each.is_extract else f": “{' '.join(pin.text.split())}”")
    for claim, judged in outcome.heard:
        if judged.sentence is None or judged.sentence.is_extract:
            faults = judged.faults or (judged.sentence.replaced if judged.sentence is not None else ())
            told = "; ".join(f"{each.kind} {' '.join(each.words)}".strip() for each in faults)
            yield f"- failed ({told}): {claim.text}"
    yield from (f"- note: {each}" for each in (*answer.notes, *answer.missing))
    seconds = f"{outcome.model:.1f} s to the model's, {outcome.whole:.1f} s in all"
    yield f"\n{outcome.first:.2f} s to the first line, {seconds}"


HEAD = [
    "library",
    "written by",
    "asked",
    "answered",
    "abstained though answerable",
    "right by words",
    "right in the first line",
    "at the place",
    "right to abstain",
    "sentences of the model (stood / tried)",
    "answers with one",
    "first line, ms (p95)",
    "first of the model, s",
    "to the end, s (p95)",
    "tokens a second",
]


def summed(name: str, model: Path | None, found: Sequence[Outcome]) -> list[object]:
    """One line of the table."""
    can = [each for each in found if each.row.answerable]
    cannot = [each for each in found if not each.row.answerable]
    first = Spread.of([1000 * each.first for each in found if each.first])
    own = Spread.of([each.model for each in found if each.model])
    whole = Spread.of([each.whole for each in found])
    speed = Spread.of([each.tokens_a_second for each in found if each.tokens_a_second])
    return [
        name,
        name_of(model),
        len(found),
        sum(not each.answer.abstained for each in found),
        sum(each.answer.abstained for each in can),
        f"{sum(each.right for each in can)} of {len(can)}",
        sum(each.begins_right for each in can),
        sum(each.touches for each in can),
        f"{sum(each.right for each in cannot)} of {len(cannot)}",
        f"{sum(each.stood for each in found)} / {sum(len(each.heard) for each in found)}",
        sum(bool(each.stood) for each in found),
        f"{first.p50:.0f} ({first.p95:.0f})",
        f"{own.p50:.1f}",
        f"{whole.p50:.2f} ({whole.p95:.2f})",
        f"{speed.p50:.1f}",
    ]


def list_answers(lines: Sequence[Sequence[object]]) -> tuple[str, str]:
    """The table of the extracts for each library, and that of each model for all libraries."""
    shown = [0, *range(2, 9), 11, 13]
    extracts = [[line[at] for at in shown] for line in lines if line[1] == EXTRACTS]
    models: dict[str, list[Sequence[object]]] = {}
    for line in lines:
        if line[1] != EXTRACTS:
            models.setdefault(str(line[1]), []).append(line)
    own = [9, 10, 12, 13, 14]
    rows = []
    for name, found in models.items():
        halves = [list(zip(*(str(line[at]).split("; ") for line in found), strict=True)) for at in own]
        rows.append([name, *("; ".join(", ".join(half) for half in each) for each in halves)])
    return (
        table([HEAD[at] for at in shown], extracts),
        table([HEAD[1], *(HEAD[at] for at in own)], rows),
    )


def main() -> None:
    """Ask everything and write what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", metavar="SET=INDEX")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--model", type=Path, action="append", default=[], help="a GGUF file (repeatable)")
    parser.add_argument("--no-extracts", action="store_true", help="the models alone")
    parser.add_argument("--part", choices=("shown", "unseen", "all"), default="shown")
    parser.add_argument("--lexical", action="store_true", help="words alone, no vectors of sentences")
    parser.add_argument("--only", default="", help="beginnings of ids, with commas")
    parser.add_argument("--write", action="store_true", help="write its section of benchmarks/RESULTS.md")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    before, lines = load(), []
    embedder = None if options.lexical else open_embedder()
    rigs = {
        name: Rig(name, Path(index), embedder)
        for name, _, index in (each.partition("=") for each in options.sets)
    }
    for model in [*([] if options.no_extracts else [None]), *options.model]:
        page = options.out / f"{name_of(model)}.md"
        page.write_text(f"# {name_of(model)}\n", encoding="utf-8")
        page.with_suffix(".jsonl").write_text("", encoding="utf-8")
        for name, rig in rigs.items():
            rows = [
                row
                for row in read_rows(name)
                if options.part in ("all", row.part) and row.id.startswith(tuple(options.only.split(",")))
            ]
            wrong = [fault for row in rows for fault in rig.check(row)]
            if wrong:
                raise SystemExit("\n".join(wrong))
            found = []
            for outcome in answered(rig, rows, model, options.out):
                found.append(outcome)
                with page.open("a", encoding="utf-8") as file:
                    file.writelines(f"{line}\n" for line in written(outcome))
            parts = [
                [each for each in found if each.row.part == part]
                for part in ("shown", "unseen")
                if options.part in ("all", part)
            ]
            if found:
                cells = zip(*(summed(name, model, each) for each in parts if each), strict=True)
                lines.append(["; ".join(dict.fromkeys(map(str, each))) if n < 2 else "; ".join(map(str, each))
                              for n, each in enumerate(cells)])  # fmt: skip
                print(*lines[-1], sep=" | ", flush=True)
    for rig in rigs.values():
        rig.library.close()
    print(table(HEAD, lines))
    answers, models = list_answers(lines)
    if options.write:
        about = (
            "Questions and citing sentences of `benchmarks/answers/`, a third of them unseen. In each "
            "cell: shown; unseen. Times are medians, in brackets p95. *Stood* are sentences of the model "
            f"that passed the checks, of those tried. Load average {before:.1f} before, {load():.1f} "
            "after.\n"
        )
        sets = " ".join(f"{each.partition('=')[0]}=…" for each in options.sets)
        how = f"--out FOLDER --model … --part {options.part}"
        command = f"    python benchmarks/bench_model_answers.py {sets} {how}\n"
        print(write_results("Answers with a local model", [command, about, answers, models]))


if __name__ == "__main__":
    main()
