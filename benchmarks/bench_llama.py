"""Measure llama.cpp through lexls against llama-cpp-python called directly, with the same prompts.

python benchmarks/bench_llama.py [--models ../shared/models] [--pairs 5] [--write]

A random model of 17 million weights is made for the purpose (what is measured does not depend on what the
weights mean); ``--models`` names a folder with further GGUF files. Runs of lexls and of the library take
turns.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measuring import Spread, load, table, write_results

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "models"))

from random_gguf import write_random_model

from lexls.grounding.generators.llama import GRAMMAR
from lexls.models.gguf_header import estimate_memory, read_gguf_header
from lexls.models.llama_client import LlamaClient
from lexls.models.llama_conversation import Conversation
from lexls.models.llama_cpp_model import BATCH_TOKENS, LlamaModel
from lexls.models.llama_handlers import count_threads
from lexls.models.messages import ChatMessage, Ended, LlamaOptions, Sampling
from lexls.models.process import ModelProcess
from lexls.text.cancel import Cancelled, CancelToken

CONTEXT = 4096
WRITTEN = 120
JSON = r"""
root ::= "{\"sentences\":[" sentence ("," sentence)* "]}"
sentence ::= "{\"passage\":\"P" [1-6] "\",\"text\":\"" [^"\\\x00-\x1f]+ "\"}"
"""
ENDLESS = "root ::= [a-z ] root"
RULES = "Answer from the passages alone. Say what is missing where they do not answer. "
SENTENCES = (
    "The court held that the tenant of a weir must give notice to the landlord before the tide. ",
    "A carrier has a lien on the goods until the charge of the barrier is paid to the owner. ",
    "The statute says in its section that a notice by letter is given when it is sent, not when read. ",
    "That passage is no answer where the evidence of the sentence is missing, and the claim fails. ",
)
QUESTIONS = ("Who must give notice?", "When is a lien lost?", "Is a letter enough?", "What of the tide?")


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds until the first token and in all, and how many tokens there were; ``processor`` are the seconds
    that processors worked for it, in all processes."""

    first: float
    seconds: float
    tokens: int
    cached: int = 0
    processor: float = 0.0

    @property
    def per_second(self) -> float:
        """Tokens a second, from the first on."""
        return (self.tokens - 1) / (self.seconds - self.first)


def evidence(number: int, characters: int) -> str:
    """Passages of about so many characters that begin like no others."""
    parts = [f"Passage {number} of {number * 7}: "]
    while sum(map(len, parts)) < characters:
        parts.append(SENTENCES[(number + len(parts)) % len(SENTENCES)])
    return "".join(parts)


def messages(number: int, characters: int, question: int = 0) -> list[ChatMessage]:
    text = f"{evidence(number, characters)}\n\n{QUESTIONS[question]}"
    return [ChatMessage("system", RULES), ChatMessage("user", text)]


def through_lexls(client: LlamaClient, prompt: Sequence[ChatMessage], sampling: Sampling) -> Run:
    before = worked(client.process.life)
    started = time.perf_counter()
    first = 0.0
    for piece in client.generate(prompt, sampling):
        if isinstance(piece, str):
            first = first or time.perf_counter() - started
        elif isinstance(piece, Ended):
            seconds, processor = time.perf_counter() - started, worked(client.process.life) - before
            return Run(first, seconds, piece.tokens, piece.cached_tokens, processor)
    raise AssertionError("it never ended")


def worked(process: int) -> float:
    """Seconds of processors for this process and another until now."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return time.process_time() + sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def directly(model: Any, prompt: Sequence[int], tokens: int, grammar: Any = None) -> Run:
    """``Llama.generate``, each token made text as it comes."""
    started, before = time.perf_counter(), time.process_time()
    first, count = 0.0, 0
    for token in model.generate(prompt, temp=0.0, repeat_penalty=1.0, grammar=grammar):
        model.detokenize([token])
        first = first or time.perf_counter() - started
        count += 1
        if count >= tokens or (grammar is not None and token == model.token_eos()):
            break
    return Run(first, time.perf_counter() - started, count, 0, time.process_time() - before)


def streamed(model: Any, prompt: Sequence[int], tokens: int) -> Run:
    """``Llama.create_completion``, as its documentation has it."""
    started = time.perf_counter()
    first = 0.0
    for _ in model.create_completion(list(prompt), max_tokens=tokens, temperature=0.0, stream=True):
        first = first or time.perf_counter() - started
    return Run(first, time.perf_counter() - started, tokens)


class Compared:
    """One model in lexls' process and in this one."""

    def __init__(self, path: Path, process: ModelProcess) -> None:
        from llama_cpp import Llama, LlamaGrammar

        self.path = path
        self.client = LlamaClient(LlamaOptions(path, context_tokens=CONTEXT), process)
        started = time.perf_counter()
        self.client.load()
        self.loading = time.perf_counter() - started
        threads = count_threads()
        self.library = Llama(
            str(path), n_ctx=CONTEXT, n_threads=threads, n_threads_batch=threads, verbose=False
        )
        self.grammar = LlamaGrammar.from_string(JSON)
        self._model = LlamaModel(path, 512, threads, 0, lambda: True)
        template = read_gguf_header(path).text("tokenizer.chat_template")
        self._conversation = Conversation(self._model, template)
        self.name = f"{path.stem}, {path.stat().st_size / 1e6:.0f} MB"
        per_character = len(self._conversation.content_tokens(evidence(1, 4000))) / 4000
        self.characters = int(1900 / per_character)
        """Of evidence for a prompt of about 2,000 tokens."""

    def tokens(self, prompt: Sequence[ChatMessage]) -> list[int]:
        """The prompt as the library is given it: the very tokens that lexls' process reads."""
        return self._conversation.prompt(prompt)[0]

    def close(self) -> None:
        self._model.close()
        self.library.close()


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the quotients of pairs that were measured one after the other."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def pairs(compared: Compared, count: int, characters: int) -> Iterator[tuple[Run, Run]]:
    """A prompt nobody has read before, by lexls and by the library, in changing order."""
    for number in range(count):
        prompt = messages(number + 1, characters)
        tokens = compared.tokens(prompt)
        sampling = Sampling(WRITTEN)
        # How many tokens come before the model ends by itself; then both contexts read something else again.
        written = through_lexls(compared.client, prompt, sampling).tokens
        through_lexls(compared.client, messages(900 + number, 200), Sampling(1))
        through_lexls(compared.client, messages(950 + number, 200), Sampling(0))
        if written < 20:
            continue
        if number % 2:
            theirs = directly(compared.library, tokens, written)
            ours = through_lexls(compared.client, prompt, sampling)
        else:
            ours = through_lexls(compared.client, prompt, sampling)
            theirs = directly(compared.library, tokens, written)
        yield ours, theirs


def speed_rows(compared: Compared, count: int) -> Iterator[list[object]]:
    for characters in (400, compared.characters):
        found = list(pairs(compared, count, characters))
        size = len(compared.tokens(messages(1, characters)))
        ours, theirs = [run for run, _ in found], [run for _, run in found]
        yield [
            compared.name,
            f"{size:,}",
            f"{statistics.median(run.per_second for run in ours):.0f}",
            f"{statistics.median(run.per_second for run in theirs):.0f}",
            f"{ratio([run.per_second for run in ours], [run.per_second for run in theirs]):.2f}",
            f"{statistics.median(run.first for run in ours) * 1000:.0f}",
            f"{statistics.median(run.first for run in theirs) * 1000:.0f}",
            f"{ratio([run.first for run in ours], [run.first for run in theirs]):.2f}",
            f"{ratio([run.processor for run in ours], [run.processor for run in theirs]):.2f}",
            len(found),
        ]


def streaming_row(compared: Compared, count: int) -> list[object]:
    prompt = messages(1, 400)
    tokens = compared.tokens(prompt)
    rates: list[list[float]] = [[], []]
    for _ in range(count):
        ours = through_lexls(compared.client, prompt, Sampling(WRITTEN))
        if ours.tokens < 20:
            break
        rates[0].append(ours.tokens / ours.seconds)
        theirs = streamed(compared.library, tokens, ours.tokens)
        rates[1].append(theirs.tokens / theirs.seconds)
    if not rates[0]:
        return [compared.name, "-", "-", "-"]
    medians = [f"{statistics.median(each):.0f}" for each in rates]
    return [compared.name, *medians, f"{ratio(*rates):.1f}"]


def grammar_rows(compared: Compared, count: int) -> Iterator[list[object]]:
    """Tokens a second without a grammar, and with some."""
    prompt = messages(3, 400)
    tokens = compared.tokens(prompt)
    grammars = {"none": "", "a small one for JSON": JSON}
    grammars["of lexls' sentences"] = GRAMMAR
    for name, grammar in grammars.items():
        ours, theirs = [], []
        for _ in range(count):
            ours.append(through_lexls(compared.client, prompt, Sampling(WRITTEN, grammar=grammar)))
            if name.endswith("JSON"):
                theirs.append(directly(compared.library, tokens, WRITTEN, compared.grammar))
        first = statistics.median(run.first for run in ours) * 1000
        yield [
            compared.name,
            name,
            f"{len(grammar):,}",
            f"{statistics.median(run.per_second for run in ours):.0f}",
            f"{first:.0f}",
            f"{statistics.median(run.per_second for run in theirs):.0f}" if theirs else "",
        ]


def prefix_rows(compared: Compared, count: int) -> Iterator[list[object]]:
    """The same evidence with another question."""
    first, second, cached = [], [], []
    for number in range(count):
        for question, found in ((0, first), (1, second)):
            prompt = messages(100 + number, compared.characters, question)
            run = through_lexls(compared.client, prompt, Sampling(8))
            found.append(run.first)
        cached.append(run.cached)
    size = len(compared.tokens(messages(100, compared.characters)))
    yield [
        compared.name,
        f"{size:,}",
        f"{statistics.median(cached):.0f}",
        f"{statistics.median(first) * 1000:.0f}",
        f"{statistics.median(second) * 1000:.1f}",
        f"{ratio(first, second):.0f}",
    ]


def cancel_rows(compared: Compared, count: int) -> Iterator[list[object]]:
    """From cancelling to the caller's being told, and to the process's being free for the next request."""
    for when in ("reading", "writing"):
        told, free = [], []
        for number in range(count):
            token = CancelToken()
            prompt = messages(200 + number, compared.characters if when == "reading" else 300)
            answer = compared.client.generate(prompt, Sampling(3000, grammar=ENDLESS), token)
            cancelled = [0.0]

            def cancel(token: CancelToken = token, cancelled: list[float] = cancelled) -> None:
                cancelled[0] = time.perf_counter()
                token.cancel()

            if when == "writing":
                next(answer)
            timer = threading.Timer(0.003 + 0.01 * (number % 7), cancel)
            timer.start()
            try:
                for _ in answer:
                    pass
            except Cancelled:
                told.append((time.perf_counter() - cancelled[0]) * 1000)
                compared.client.load()
                free.append((time.perf_counter() - cancelled[0]) * 1000)
            timer.join()
        spreads = [Spread.of(told), Spread.of(free)]
        cells = [f"{number:.1f}" for each in spreads for number in (each.p50, each.largest)]
        yield [compared.name, when, len(told), *cells]


def memory_row(compared: Compared, process: ModelProcess) -> list[object]:
    """What was foreseen and what the process holds after a prompt that fills most of the context."""
    through_lexls(compared.client, messages(300, int(compared.characters * 1.8)), Sampling(50, grammar=JSON))
    status = Path(f"/proc/{process.life}/status").read_text().splitlines()
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) * 1024 / 1e6
    needs = estimate_memory(read_gguf_header(compared.path), CONTEXT, BATCH_TOKENS)
    return [compared.name, f"{CONTEXT:,}", f"{needs.megabytes:,}", f"{peak:,.0f}", f"{compared.loading:.2f}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--only", default="", help="no model but the one with this in its name")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    before = load()
    speeds, streams, grammars, prefixes, cancels, memories = ([] for _ in range(6))  # type: ignore[var-annotated]
    with tempfile.TemporaryDirectory() as folder:
        shape = {"width": 384, "inner": 1152, "layers": 6, "heads": 6, "key_heads": 3}
        made = write_random_model(Path(folder) / "random.gguf", words=8000, context=CONTEXT, **shape)
        paths = [made, *(sorted(options.models.glob("*.gguf")) if options.models else [])]
        for path in (each for each in paths if options.only in each.name):
            process = ModelProcess()
            compared = Compared(path, process)
            print(compared.client.about, flush=True)
            memories.append(memory_row(compared, process))
            speeds += speed_rows(compared, options.pairs)
            streams.append(streaming_row(compared, options.pairs))
            grammars += grammar_rows(compared, options.pairs)
            prefixes += prefix_rows(compared, options.pairs)
            cancels += cancel_rows(compared, 3 * options.pairs)
            compared.close()
            process.close()
    parts = [
        f"    python benchmarks/bench_llama.py{f' --models {options.models}' if options.models else ''}"
        f" --pairs {options.pairs} --write\n",
        f"What lexls costs beside llama-cpp-python {_version()} called directly, with models of random or "
        f"few weights; {count_threads()} thread, context {CONTEXT:,}; load average before and after: "
        f"{before:.1f} and {load():.1f}. Runs take turns; a quotient is the median of those of pairs. More "
        "than 1 is better for tokens/s, less than 1 for times. The grammar is a small one for JSON, the "
        "worst case for a random model. Times to the first token are in ms; the other question is asked on "
        "the same evidence. Cancelling: ms until the caller knows, p50, max; until the process is free, "
        "p50, max.\n",
        table(
            [
                "model", "prompt tokens", "lexls tokens/s", "library tokens/s", "quotient",
                "lexls first token ms", "library first token ms", "quotient",
                "quotient of processor time", "pairs",
            ],
            speeds,
        ),
        table(
            [
                "model", "tokens/s streamed: lexls, library, quotient", "no grammar: tokens/s, first token",
                "a grammar: the same, library", "another question: first token, again, times faster",
                "cancelled while reading", "while writing", "MB foreseen, measured; loaded in, s",
            ],
            [
                [
                    stream[0], ", ".join(stream[1:]), ", ".join(plain[3:5]), ", ".join(bound[3:]),
                    ", ".join(prefix[3:]),
                    *("{}, {}; {}, {}".format(*row[3:]) for row in (reading, writing)),
                    f"{memory[2]}, {memory[3]}; {memory[4]}",
                ]
                for stream, plain, bound, prefix, reading, writing, memory in zip(
                    streams, grammars[::2], grammars[1::2], prefixes, cancels[::2], cancels[1::2], memories,
                    strict=True,
                )
            ],
        ),
    ]  # fmt: skip
    if options.write:
        print(write_results("Local language models", parts))
    else:
        print("\n".join(parts))
    return 0


def _version() -> str:
    import llama_cpp

    return str(llama_cpp.__version__)


if __name__ == "__main__":
    sys.exit(main())
