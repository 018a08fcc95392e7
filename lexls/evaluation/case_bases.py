"""Search a case base for the cases that answer a question, and measure the results."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lexls import __version__
from lexls.evaluation.asking import Benchmark, make_plain
from lexls.evaluation.benchmark import BenchmarkError, CaseQuestion
from lexls.evaluation.measures import measure_f1
from lexls.evaluation.runs import RankedAnswer, RankedItem, Run, RunHeader
from lexls.index.embedding.protocol import Embedder
from lexls.index.reconcile import hash_file
from lexls.index.tokens import Tokenizer
from lexls.retrieval.cases import read_case_base
from lexls.retrieval.past_cases import CaseBase
from lexls.retrieval.precedents import CaseWeights
from lexls.text.cancel import CancelToken

CASES = 1000
"""Number of cases measured per ranking."""


@dataclass(frozen=True, slots=True)
class NamedCases:
    """A case base, with the id of each case in ``base.cases``. The id is the field ``id`` of the case's line,
    or else the line number. ``hash`` is the SHA-256 of the file.
    """

    base: CaseBase
    ids: tuple[str, ...]
    hash: str


def open_case_base(path: Path, cache: Path | None = None) -> NamedCases:
    """Return the case base in a file. Its vectors are cached in ``cache``, as by ``CaseBase``. Raises
    ``BenchmarkError`` for a malformed case, a duplicate id, or a file without cases.
    """
    cases, problems = read_case_base(path)
    if problems:
        raise BenchmarkError(str(problems[0]))
    if not cases:
        raise BenchmarkError(f"{path}: no cases in it")
    named = _ids(path)
    ids: dict[str, int] = {}
    for case in cases:
        name = named.get(case.line, str(case.line))
        if name in ids:
            raise BenchmarkError(f"{path}:{case.line}: the id {name} is also that of line {ids[name]}")
        ids[name] = case.line
    return NamedCases(CaseBase(cases, Tokenizer(), cache), tuple(ids), hash_file(path).hex())


def evaluate_cases(
    benchmark: Benchmark,
    cases: NamedCases,
    weights: CaseWeights,
    embedder: Embedder | None,
    token: CancelToken,
    *,
    on_question: Callable[[int, int], None] = lambda done, total: None,
) -> Run:
    """Ask every question of ``benchmark`` and measure the cases found with ``measure_f1``.

    ``embedder`` compares questions and cases by similarity according to ``weights``. When a question is
    compared with support and entities, the embedder's prompt for questions is put before it. Without an
    embedder, only words are compared. A question's ``seconds`` cover embedding and matching it; the cases are
    embedded beforehand. Raises ``BenchmarkError`` if the base has none of the requested cases,
    ``ModelUnavailable``, ``Cancelled``.
    """
    questions = [each for each in benchmark.questions if isinstance(each, CaseQuestion)]
    known = set(cases.ids)
    if not any(name in known for each in questions for name in each.gold):
        raise BenchmarkError(
            f"{benchmark.path}: the case base has none of its cases, such as {questions[0].gold[0]}"
        )
    if embedder is not None:
        cases.base.embed(embedder, token)
    tokenizer = Tokenizer()
    answers = []
    for done, question in enumerate(questions, 1):
        start = time.perf_counter()
        vector = prefixed = None
        if embedder is not None:
            prompts = embedder.prompts
            vector = prefixed = embedder.encode([question.question], prompts.sentence)[0]
            if prompts.question != prompts.sentence:
                prefixed = embedder.encode([question.question], prompts.question)[0]
        terms = tuple(dict.fromkeys(tokenizer.tokenize(question.question)))
        found = cases.base.match(terms, vector, CASES, weights, token, prefixed=prefixed)
        seconds = time.perf_counter() - start
        items = tuple(RankedItem(cases.ids[each.precedent], each.score) for each in found)
        answers.append(RankedAnswer(question.id, items, seconds))
        on_question(done, len(questions))
    figures = measure_f1(
        [dict.fromkeys(each.gold, 1) for each in questions],
        [[item.name for item in answer.items] for answer in answers],
    )
    settings = {
        "case_weights": make_plain(weights),
        "embedder": embedder.name if embedder else "",
        "cue": embedder.prompts.question if embedder else "",
    }
    header = RunHeader(
        __version__, benchmark.path.name, benchmark.hash, benchmark.kind, cases.hash[:16], settings
    )
    return Run(header, tuple(answers), tuple(figures))


def list_ways_of_comparing() -> dict[str, CaseWeights]:
    """Return the weights for each way of comparing cases, by name: all parts together, as in a search, and
    each part alone.
    """
    return {
        "all": CaseWeights(),
        "only question": CaseWeights("question"),
        "only support": CaseWeights("support"),
        "only entities": CaseWeights("entities"),
    }


def _ids(path: Path) -> Mapping[int, str]:
    """Return the case ids given in a file, by line number. ``read_case_base`` has already checked the
    JSON.
    """
    named = {}
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
        if line.strip():
            value = json.loads(line).get("id")
            if isinstance(value, str | int) and not isinstance(value, bool):
                named[number] = str(value)
    return named
