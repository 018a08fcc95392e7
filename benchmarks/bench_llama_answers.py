"""Whether all that a small or senseless model of llama.cpp writes is an answer of its request, and no more.

python benchmarks/bench_llama_answers.py [--model ../shared/models/stories260K.f32.gguf] [-n 500] [--write]

A model of random weights is made and asked last. Each request asks for another proposition, task, number
of passages of the sample library and of sentences; every second one has quotations in the grammar. What the
model wrote is parsed strictly where it was not cut off; identifiers, quotations and, after verification,
every pin are compared with the library's text.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from measuring import Spread, load, table, write_results

from lexls.grounding.answering import Gathered, write_answer
from lexls.grounding.context import gather_evidence
from lexls.grounding.decoding import AnswerReader
from lexls.grounding.generator import Claim, GeneratorChoice
from lexls.grounding.generators.llama import LlamaGenerator
from lexls.grounding.prompts.templates import clean_text
from lexls.grounding.request import Request, Task
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
    """A client that remembers what the model wrote last, and how that ended."""

    written = ""
    ended: Ended | None = None

    def generate(
        self, messages: Sequence[ChatMessage], sampling: Sampling, token: CancelToken | None = None
    ) -> Iterator[str | Ended]:
        self.written, self.ended = "", None
        for each in super().generate(messages, sampling, token):
            if isinstance(each, str):
                self.written += each
            else:
                self.ended = each
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


def faults(client: HeardClient, request: Request, verbatim: bool) -> Iterator[str]:
    """What is wrong with what the model wrote."""
    assert client.ended is not None
    reader = AnswerReader()
    read = [*reader.feed(client.written), *reader.finish()]
    claims = [each for each in read if isinstance(each, Claim)]
    if client.ended.reason == "end":
        try:
            value = json.loads(client.written)
        except ValueError:
            yield "does not parse"
            return
        said = [each for each in value.get("answer", ()) if each["sentence"].split()]
        if set(value) not in ({"answer"}, {"insufficient"}) or len(said) != len(claims):
            yield "is not read whole"
    for claim in claims:
        for quoted in claim.quoted:
            passage = request.find(quoted.identifier)
            if passage is None:
                yield "names a passage that was not given"
            elif verbatim and quoted.quotation not in " ".join(clean_text(passage.text).split()):
                yield "has a quotation that is not verbatim"


def measured(path: Path, library: Library, count: int, tokens: int) -> list[object]:
    """One row: the model, and what came of all requests."""
    process = ModelProcess()
    client = HeardClient(LlamaOptions(path, 8192, threads=1), process)
    verifier = EvidenceVerifier(Tokenizer().tokenize, 0.6)
    wrong: Counter[str] = Counter()
    written: Counter[str] = Counter()
    seconds = []
    try:
        for number, request in enumerate(requests(library, count)):
            verbatim = number % 2 == 1
            choice = GeneratorChoice("llama", answer_tokens=tokens, seconds=120.0, verbatim=verbatim)
            generator = LlamaGenerator(client, choice, b"benchmark")
            started = time.perf_counter()
            *_, answer = write_answer(Gathered(request), generator, verifier, CancelToken())
            seconds.append(time.perf_counter() - started)
            assert client.ended is not None
            wrong.update(faults(client, request, verbatim))
            written["cut"] += client.ended.reason != "end"
            written["claims"] += client.written.count('"sentence":')
            written["quotations"] += client.written.count('"quotation":')
            written["shown"] += len(answer.sentences)
            for pin in (pin for sentence in answer.sentences for pin in sentence.pins):
                written["pins"] += 1
                if library.contents.text(pin.authority.id)[pin.start : pin.end] != pin.text:
                    wrong["has a pin that is not verbatim"] += 1
    finally:
        process.close()
    found = "; ".join(f"{fault}: {times}" for fault, times in wrong.items()) or "nothing"
    numbers = [written[each] for each in ("cut", "claims", "quotations", "shown", "pins")]
    return [path.stem, count, *numbers, found, f"{Spread.of(seconds).p50:.1f}"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, action="append", default=[], help="a GGUF file (repeatable)")
    parser.add_argument("-n", type=int, default=500, help="requests")
    parser.add_argument("--tokens", type=int, default=500, help="tokens that an answer may have")
    parser.add_argument("--write", action="store_true", help="write its section of benchmarks/RESULTS.md")
    options = parser.parse_args()
    before, rows = load(), []
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(jurisdiction="Aldmoor", embeddings_model="")
        index = Path(folder) / "index.db"
        library, _ = open_library([ROOT / "examples" / "library"], index, settings, lexical_only=True)
        sys.path.insert(0, str(ROOT / "tests" / "models"))
        from random_gguf import write_random_model

        for path in [*options.model, write_random_model(Path(folder) / "random.gguf")]:
            rows.append(measured(path, library, options.n, options.tokens))
            print(rows[-1], flush=True)
        library.close()
    head = [
        "model",
        "requests",
        "cut off",
        "sentences written",
        "quotations written",
        "sentences shown",
        "pins",
        "what was wrong",
        "seconds, median",
    ]
    found = table(head, rows)
    print(found)
    if options.write:
        models = "".join(f" --model ../shared/models/{path.name}" for path in options.model)
        command = (
            f"    python benchmarks/bench_llama_answers.py{models} -n {options.n} --tokens {options.tokens}\n"
        )
        about = (
            "Requests over the sample library, every second one with quotations in the grammar. Wrong would "
            "be: an answer that was not cut off and does not parse, a passage that was not given, a "
            "quotation of the grammar or a pin that is not verbatim. Load average before and after: "
            f"{before:.1f} and {load():.1f}.\n"
        )
        print(write_results("Answers of models that know nothing", [command, about, found]))


if __name__ == "__main__":
    main()
