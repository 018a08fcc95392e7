"""What a cross-encoder adds to lexls' own order, on questions for documents and for clauses.

    python benchmarks/bench_cross_encoder_weight.py FOLDER --cache scores.json --write \\
        us.sqlite3=support_us.dev.jsonl:250 contracts.sqlite3=contracts.dev.jsonl:200 …

So many questions of each benchmark are asked, drawn by lot (of contracts whole files), and the model reads
the first 32 hits of each once; ``--cache`` keeps what it said. Then three orders of the first 8, 16 and 32
are compared: lexls' own, the model's, and that of ``weigh_scores`` with the weight that was best on the other
half of the questions (parted by citing document, or by contract).
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from measuring import load, table, write_results
from numpy.typing import NDArray

from lexls.citations.grammar import Grammar
from lexls.evaluation.asking import Benchmark, name_documents, open_benchmark
from lexls.evaluation.benchmark import DocumentQuestion, SpanQuestion
from lexls.evaluation.model_trial import WEIGHTS
from lexls.index.library import Library
from lexls.models.encoder_clients import CrossEncoderClient
from lexls.retrieval.model import Filters, Hit
from lexls.retrieval.refinements import weigh_scores
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken

READ = 32
DEPTHS = (8, 16, 32)
RANKED = 100
SEED = 1
MEASURES = ("recall@1", "MRR", "nDCG@10", "recall@10")
Figures = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """``answered`` has for each hit which of the ``wanted`` (documents or spans, numbered) it gives."""

    group: str
    wanted: int
    answered: list[list[int]]
    scores: list[float]
    seconds: float

    def measure(self, order: Sequence[int]) -> list[float]:
        """The measures of the hits with the first of them in this order."""
        hits = [self.answered[at] for at in (*order, *range(len(order), len(self.answered)))]
        ranks = [rank for rank, each in enumerate(hits, 1) if each]
        gained = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= 10)
        ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(self.wanted, 10) + 1))
        found = len({number for each in hits[:10] for number in each})
        first = len(hits[0]) / self.wanted if hits else 0.0
        return [first, 1 / ranks[0] if ranks else 0.0, min(gained / ideal, 1.0), found / self.wanted]


def ask(index: Path, benchmark: Benchmark, count: int, client: CrossEncoderClient) -> list[ReadQuestion]:
    """The questions' hits, as far as the model reads them with its scores."""
    library = Library(index)
    searcher = Searcher(library, grammar=Grammar.load(()))
    names = name_documents(benchmark, library)
    found = []
    for question in draw(benchmark, count):
        token = CancelToken()
        if isinstance(question, SpanQuestion):
            file = names.find(question.file)
            assert file is not None
            query = searcher.query(question.text)
            asked, group = searcher.split_asked(question.text, Filters(), token) or query.gist, question.file
            within = Filters(within=frozenset({file}))
            hits = searcher.fetch_hits(searcher.rank_passages(query, 64, within, token), query, token)
            spans = question.spans

            def answers(hit: Hit) -> list[int]:
                held = (hit.passage.start <= span.start and span.end <= hit.passage.end for span in spans)  # noqa: B023
                return [number for number, each in enumerate(held) if each]

            wanted = len(spans)
        else:
            citing = names.find(question.citing)
            authority = library.catalogue.get(citing) if citing is not None else None
            excluded = (authority.own_path,) if authority is not None else ()
            query = searcher.query(question.text)
            asked, group = query.gist, question.citing or question.id
            ranked = searcher.rank(query, RANKED, Filters(excluded=excluded), token)
            hits = searcher.fetch_hits(ranked, query, token)
            gold = [names.find(name) for name in question.gold]

            def answers(hit: Hit) -> list[int]:
                return [number for number, each in enumerate(gold) if each == hit.authority.id]  # noqa: B023

            wanted = len(gold)
        started = time.perf_counter()
        scores = client.scores(asked, [hit.passage.text for hit in hits[:READ]])
        seconds = time.perf_counter() - started
        found.append(ReadQuestion(group, wanted, [answers(hit) for hit in hits], scores, seconds))
    library.close()
    return found


def draw(benchmark: Benchmark, count: int) -> list[DocumentQuestion | SpanQuestion]:
    """``count`` questions by lot; of spans all those of files drawn by lot until there are as many."""
    chance = random.Random(SEED)
    asked = [each for each in benchmark.questions if isinstance(each, DocumentQuestion | SpanQuestion)]
    if isinstance(asked[0], DocumentQuestion):
        chance.shuffle(asked)
        return asked[:count]
    files = sorted({each.file for each in asked if isinstance(each, SpanQuestion)})
    chance.shuffle(files)
    drawn: list[DocumentQuestion | SpanQuestion] = []
    for file in files:
        if len(drawn) < count:
            drawn += [each for each in asked if isinstance(each, SpanQuestion) and each.file == file]
    return drawn


def measure_all(questions: Sequence[ReadQuestion], order: Callable[[ReadQuestion], Sequence[int]]) -> Figures:
    return np.array([each.measure(order(each)) for each in questions])


def compare(name: str, questions: Sequence[ReadQuestion]) -> list[list[object]]:
    """A row for each order."""

    def row(order: str, figures: Figures, beside: Figures, weight: str = "") -> list[object]:
        gains = figures[:, 1] - beside[:, 1]
        gain = f"{gains.mean():+.3f} ± {gains.std() / math.sqrt(len(gains)):.3f}" if order != "lexls" else ""
        return [name, order, *(f"{value:.3f}" for value in figures.mean(axis=0)), gain, weight]

    groups = sorted({each.group for each in questions})
    half = np.array([groups.index(each.group) % 2 for each in questions])
    plain = measure_all(questions, lambda each: ())
    rows = [row("lexls", plain, plain)]
    for depth in DEPTHS:
        by_weight = [
            measure_all(questions, lambda each, w=weight: weigh_scores(each.scores[:depth], w))  # type: ignore[misc]  # noqa: B023
            for weight in WEIGHTS
        ]
        unseen, chosen = plain.copy(), []
        for each in (0, 1):
            best = max(range(len(WEIGHTS)), key=lambda at: by_weight[at][half != each, 1].mean())
            unseen[half == each] = by_weight[best][half == each]
            chosen.append(f"{WEIGHTS[best]:g}")
        model = measure_all(
            questions,
            lambda each: np.argsort(-np.array(each.scores[:depth]), kind="stable").tolist(),  # noqa: B023
        )
        rows.append(row(f"the model's, first {depth}", model, plain))
        rows.append(row(f"weighed, first {depth}", unseen, plain, ", ".join(chosen)))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("model", help="a cross-encoder, by name or folder")
    parser.add_argument("sets", nargs="+", metavar="INDEX=BENCHMARK:QUESTIONS")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the section of RESULTS.md")
    options = parser.parse_args()
    cache = json.loads(options.cache.read_text()) if options.cache.is_file() else {}
    client = CrossEncoderClient(options.model)
    rows: list[list[object]] = []
    notes = []
    for each in options.sets:
        index, _, asked = each.partition("=")
        path, _, count = asked.rpartition(":")
        name = Path(path).name.partition(".")[0]
        if name not in cache:
            found = ask(Path(index), open_benchmark(Path(path)), int(count), client)
            cache[name] = [asdict(question) for question in found]
            options.cache.write_text(json.dumps(cache))
        questions = [ReadQuestion(**question) for question in cache[name]]
        rows += compare(name, questions)
        notes.append(f"{name} {len(questions)}")
    client.close()
    print(table(["benchmark", "order", *MEASURES, "MRR gained", "weights"], rows))
    explained = (
        "MRR gained (± standard error) by the model's own order of the first 8, 16 and 32 hits, and by "
        "weighing its score with the weight that was best on the other half. Questions: "
        f"{', '.join(notes)}. Load average: {load():.1f}.\n"
    )
    shown = []
    mrr, recall, gained = (2 + MEASURES.index("MRR"), 2 + MEASURES.index("recall@10"), 2 + len(MEASURES))
    for benchmark in dict.fromkeys(row[0] for row in rows):
        plain, *others = [row for row in rows if row[0] == benchmark]
        gains = [
            row[gained] for order in ("the model's", "weighed") for row in others if order in str(row[1])
        ]
        shown.append([benchmark, f"{plain[mrr]}, {plain[recall]}", *gains])
    orders = [f"{order}, first {depth}" for order in ("the model's", "weighed") for depth in DEPTHS]
    parts = [explained, table(["benchmark", "lexls' MRR, recall@10", *orders], shown)]
    if options.write:
        command = (__doc__ or "").split("\n\n")[1]
        print(write_results("Cross-encoder beside the learned order", [command + "\n", *parts]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
