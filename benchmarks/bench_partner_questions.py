"""Measure how often the first extract of ``lexls ask`` answers a question that a lawyer wrote.

    python benchmarks/bench_partner_questions.py us=US.sqlite3 in=IN.sqlite3 uk=UK.sqlite3 contracts=C.sqlite3

``partner_questions.jsonl`` holds questions of our own, written by people who had not seen lexls: the library,
the task, and for each file that answers the places of sentences that do, as ``[offset, length]`` in code
points of the document's text as lexls reads it, with each run of white space as one space. An extract is
right if it lies in such a sentence, or has half of its words. A question whose file has no such sentence
asks for a clause that this contract lacks: nothing should be found. ``--add LIBRARY=FILE`` appends questions
from a file whose sentences are written out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lexls.citations.grammar import Grammar
from lexls.cli.answers import answer_question
from lexls.cli.context import open_embedder_if_ready
from lexls.features.build import build_searcher, build_writer
from lexls.grounding.answer import Answer
from lexls.grounding.evidence import Pin
from lexls.index.embedding.protocol import encode_alike
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.tokens import Tokenizer
from lexls.models.process import ModelProcess
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import PLAIN
from lexls.text.spans import Span

QUESTIONS = Path(__file__).with_name("partner_questions.jsonl")
JURISDICTIONS = {"us": "US", "in": "IN", "uk": "UK", "contracts": "US"}
TASKS = ("question", "held", "contract", "contract-outside")
_EDGE = 40
"""Letters at a sentence's beginning and end that find it where something stands within it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and by the file that answers it the right sentences as spans of its collapsed text."""

    library: str
    task: str
    text: str
    right: Mapping[str, Sequence[Span]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer to a question. ``right`` tells of each extract whether it answers the question."""

    question: Question
    answer: Answer
    right: tuple[bool, ...]
    wrong_document: bool


class Rig:
    """A library with everything that ``lexls ask`` answers from by default."""

    def __init__(self, name: str, index: Path) -> None:
        settings = Settings(jurisdiction=JURISDICTIONS.get(name, "US"))
        self.library = Library(index)
        embedder = open_embedder_if_ready(settings)
        grammar = Grammar.load()
        searcher = build_searcher(
            settings, self.library, grammar, Tokenizer(), lambda: embedder, lambda: None
        )
        draft = DraftParser(grammar, settings.jurisdiction).parse("", "", PLAIN)
        self.snapshot = Snapshot(draft, self.library, searcher, settings)
        models = cache(ModelProcess)
        self._writer = build_writer(settings, self.snapshot.tokens, models, encode_alike(embedder))

    def ask(self, question: Question) -> Outcome:
        *_, answer = answer_question(self.snapshot, self._writer, question.text, CancelToken())
        pins = [each.pins[0] for each in answer.sentences]
        right = tuple(self._is_right(pin, question.right.get(name_file(pin.authority), ())) for pin in pins)
        elsewhere = bool(pins) and name_file(pins[0].authority) not in question.right
        return Outcome(question, answer, right, elsewhere)

    def _is_right(self, pin: Pin, sentences: Sequence[Span]) -> bool:
        words = " ".join(self.library.contents.text(pin.authority.id).split())
        before = " ".join(self.library.contents.text(pin.authority.id)[: pin.start].split())
        said = " ".join(pin.text.split())
        start = words.find(said, max(0, len(before) - 1))
        found = Span(start, start + len(said))
        for each in sentences:
            common = Span(max(each.start, found.start), min(each.end, found.end))
            shared = len(common.of(words).split()) if common.start < common.end else 0
            if common == found or 2 * shared >= len(each.of(words).split()):
                return True
        return False


def name_file(authority: Authority) -> str:
    """The folder and the file of an authority, as the questions name it."""
    return f"{authority.library.name}/{authority.relative}"


def read_questions() -> Iterator[Question]:
    """Yield the questions of the data file."""
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        right = {
            file: [Span(start, start + length) for start, length in places]
            for file, places in data["right"].items()
        }
        yield Question(data["library"], data["task"], data["question"], right)


def locate(library: Library, data: Mapping[str, Any]) -> dict[str, list[list[int]]]:
    """The places of the right sentences that ``data`` writes out, by file; what is not found is told."""
    authorities = {name_file(each): each for each in library.catalogue.all()}
    answers = data.get("answers") or [{"file": data["file"], "words": []}]
    places: dict[str, list[list[int]]] = {}
    for answer in answers:
        file = answer["file"]
        text = " ".join(library.contents.text(authorities[file].id).split()) if file in authorities else ""
        places[file] = [place for words in answer["words"] for place in _find_words(words, text)]
        if answer["words"] and not places[file]:
            print(f"not found in {file}: {data['question']}")
    return places


def _find_words(words: str, text: str) -> Iterator[list[int]]:
    """Yield where ``words`` stand in ``text``, compared by their letters."""
    at = [place for place, letter in enumerate(text) if letter.isalnum()]
    letters, wanted = (_keep_letters(each) for each in (text, words))
    start = letters.find(wanted)
    while start >= 0:
        yield _place(at, start, start + len(wanted))
        start = letters.find(wanted, start + 1)
    if wanted not in letters and (start := letters.find(wanted[:_EDGE])) >= 0:
        end = letters.find(wanted[-_EDGE:], start, start + 2 * len(wanted))
        if end >= 0:
            yield _place(at, start, end + _EDGE)


def _keep_letters(text: str) -> str:
    return "".join(
        letter.lower() if len(letter.lower()) == 1 else letter for letter in text if letter.isalnum()
    )


def _place(at: Sequence[int], start: int, end: int) -> list[int]:
    return [at[start], at[end - 1] + 1 - at[start]]


def add_questions(name: str, library: Library, file: Path) -> None:
    """Append the questions of a file whose sentences are written out."""
    lines = []
    for line in file.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        if data["task"] in TASKS:
            right = locate(library, data)
            entry = {"library": name, "task": data["task"], "question": data["question"], "right": right}
            lines.append(json.dumps(entry, ensure_ascii=False) + "\n")
    with QUESTIONS.open("a", encoding="utf-8") as stream:
        stream.writelines(lines)


def count(outcomes: Sequence[Outcome]) -> str:
    """The figures of the outcomes, in words."""
    counts = Counter[str]()
    for each in outcomes:
        counts["first extract right"] += any(each.right[:1])
        counts["any right"] += any(each.right)
        counts["abstained"] += not each.right
        counts["wrong document first"] += each.wrong_document
    return f"{len(outcomes)} asked, " + ", ".join(f"{number} {what}" for what, number in counts.items())


def main() -> None:
    """Ask all questions of the libraries that are given."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("libraries", nargs="+", metavar="LIBRARY=INDEX")
    parser.add_argument("--add", action="append", default=[], metavar="LIBRARY=FILE")
    options = parser.parse_args()
    indexes = {name: Path(index) for name, _, index in (each.partition("=") for each in options.libraries)}
    for name, _, file in (each.partition("=") for each in options.add):
        add_questions(name, Library(indexes[name]), Path(file))
    if options.add:
        return
    asked = defaultdict[str, list[Question]](list)
    for question in read_questions():
        asked[question.library].append(question)
    for name, index in indexes.items():
        rig = Rig(name, index)
        outcomes = [rig.ask(question) for question in asked[name]]
        for each in outcomes:
            if each.question.task != "contract-outside" and not any(each.right[:1]):
                print(f"{name} {each.question.task}: {each.question.text}")
        for task in TASKS:
            if found := [each for each in outcomes if each.question.task == task]:
                print(f"{name} {task}: {count(found)}")


if __name__ == "__main__":
    main()
