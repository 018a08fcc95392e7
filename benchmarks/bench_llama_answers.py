"""Whether an answer with a small or senseless model of llama.cpp is never less than the extracts, or other.

python benchmarks/bench_llama_answers.py [--model FILE.gguf]… [-n 500] [--write]

A model of random weights is made and asked last. Each request asks for another proposition, task, number
of passages of the sample library and of sentences. Every pin is compared with the library's text, and the
answer with the extracts alone: none of their words may be missing.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from measuring import Spread, listing, load, write_results

from lexls.grounding.answer import Answer, GeneratorChoice, Request, Task
from lexls.grounding.answering import Gathered, write_answer
from lexls.grounding.context import gather_evidence
from lexls.grounding.generators.extractive import ExtractiveGenerator
from lexls.grounding.generators.llama import LlamaGenerator
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.index.tokens import Tokenizer
from lexls.models.llama_client import LlamaClient
from lexls.models.messages import ChatMessage, Ended, LlamaOptions, Sampling
from lexls.models.process import ModelProcess
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken

ROOT = Path(__file__).resolve().parents[1]


class HeardClient(LlamaClient):
    """A client that counts what the model wrote whole."""

    written = 0

    def generate(
        self, messages: Sequence[ChatMessage], sampling: Sampling, token: CancelToken | None = None
    ) -> Iterator[str | Ended]:
        for each in super().generate(messages, sampling, token):
            self.written += isinstance(each, Ended) and each.reason == "end"
            yield each


def propositions() -> list[str]:
    names = ("sample_propositions.txt", "unrelated_propositions.txt")
    lines = [line for name in names for line in (ROOT / "benchmarks" / name).read_text("utf-8").splitlines()]
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def requests(library: Library, count: int) -> Iterator[Request]:
    searcher, token, chance = Searcher(library), CancelToken(), random.Random(1)
    asked = propositions()
    for number in range(count):
        question = asked[number % len(asked)]
        hits = searcher.search(question, 6, Filters(), token)
        most = chance.randint(1, 4)
        evidence = gather_evidence(library, hits, "support", 700 * most, most)
        task: Task = get_args(Task)[number // len(asked) % 4]
        yield Request(task, question, evidence, sentences=chance.randint(1, 3))


def faults(answer: Answer, extracts: Answer, library: Library) -> Iterator[str]:
    """What is wrong with an answer whose extracts alone are ``extracts``."""
    pins = [pin for each in answer.sentences for pin in each.pins]
    for pin in pins:
        if library.contents.text(pin.authority.id)[pin.start : pin.end] != pin.text:
            yield "has a pin that is not verbatim"
    for pin in (pin for each in extracts.sentences for pin in each.pins):
        if not any(each.overlaps(pin) for each in pins):
            yield "lacks words of an extract"
    if answer.failed:
        yield f"failed: {answer.failed}"


def measured(path: Path, library: Library, count: int) -> list[object]:
    """One row: the model, and what came of all requests."""
    process, tokens = ModelProcess(), Tokenizer().tokenize
    generator = LlamaGenerator(
        HeardClient(LlamaOptions(path, threads=1), process), GeneratorChoice("llama", seconds=120.0), tokens
    )
    extractor, verifier = ExtractiveGenerator(tokens), EvidenceVerifier(tokens, 0.6)
    wrong: Counter[str] = Counter()
    written: Counter[str] = Counter()
    seconds = []
    try:
        for request in requests(library, count):
            gathered, token = Gathered(request), CancelToken()
            *_, alone = write_answer(gathered, extractor, verifier, token)
            started = time.perf_counter()
            *_, answer = write_answer(gathered, generator, verifier, token, "", extractor)
            seconds.append(time.perf_counter() - started)
            wrong.update(faults(answer, alone, library))
            written["asked"] += len(alone.sentences)
            written["shown"] += sum(not each.is_extract for each in answer.sentences)
            written["pins"] += sum(len(each.pins) for each in answer.sentences)
        written["written"] = generator.client.written
    finally:
        process.close()
    found = "; ".join(f"{fault}: {times}" for fault, times in wrong.items()) or "nothing"
    numbers = [written[each] for each in ("asked", "written", "shown", "pins")]
    return [path.stem, count, *numbers, found, f"{Spread.of(seconds).p50:.1f}"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, action="append", default=[], help="a GGUF file (repeatable)")
    parser.add_argument("-n", type=int, default=500, help="requests")
    parser.add_argument("--write", action="store_true", help="write its section of benchmarks/RESULTS.md")
    options = parser.parse_args()
    before, rows = load(), []
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(jurisdiction="Aldmoor", embeddings_model="")
        index = Path(folder) / "index.db"
        library, _ = open_library([ROOT / "examples" / "library"], index, settings, lexical_only=True)
        sys.path.insert(0, str(ROOT / "tests" / "models"))
        from random_gguf import write_random_model

        for path in [*options.model, write_random_model(Path(folder) / "random.gguf", ends=True)]:
            rows.append(measured(path, library, options.n))
            print(rows[-1], flush=True)
        library.close()
    head = [
        "model",
        "requests",
        "extracts asked about",
        "sentences written",
        "sentences shown",
        "pins",
        "what was wrong",
        "seconds, median",
    ]
    found = listing(head, rows)
    print(found)
    if options.write:
        models = "".join(f" --model ../shared/models/{path.name}" for path in options.model)
        command = f"    python benchmarks/bench_llama_answers.py{models} -n {options.n}\n"
        about = (
            "Requests over the sample library, most of which nothing answers. Wrong would be: a pin that "
            "is not verbatim, words of an extract that the answer with the model lacks, a failure. Load "
            f"average before and after: {before:.1f} and {load():.1f}.\n"
        )
        print(write_results("Answers of models that know nothing", [command, about, found]))


if __name__ == "__main__":
    main()
