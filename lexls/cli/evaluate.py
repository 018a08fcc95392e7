"""``lexls eval``: measure retrieval, or a generator's answers, on a benchmark, and compare runs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lexls.cli.answers import open_answering
from lexls.cli.context import (
    find_cache_folder,
    find_workspace,
    list_excluded,
    make_searcher,
    open_embedder_if_ready,
    open_for_search,
    read_filters,
)
from lexls.cli.measured_runs import (
    TableRow,
    ask_benchmark,
    name_runs,
    plot,
    report_run,
    report_stages,
    shorten_number,
    write_side_by_side,
    write_table,
)
from lexls.cli.output import FINE, USAGE, CommandFailed, emit, save, show_progress
from lexls.evaluation import ExtraMissing, require_packages
from lexls.evaluation.answering import (
    ExplainedRun,
    Judge,
    Measuring,
    judge_by_words,
    measure_answers,
    summarize_answers,
)
from lexls.evaluation.asking import Benchmark, open_benchmark
from lexls.evaluation.benchmark import BenchmarkError, read_explained
from lexls.evaluation.case_bases import evaluate_cases, list_ways_of_comparing, open_case_base
from lexls.evaluation.plots import PlotError, check_format
from lexls.evaluation.runs import Run, RunFileError, check_folder, load_run
from lexls.evaluation.stage_comparison import (
    ALL,
    StageRow,
    compare_stages,
    list_rankings,
    make_row,
    measure_baselines,
)
from lexls.evaluation.statistics import NotComparable, compare, summarize_run
from lexls.features.gathering import gather_answer
from lexls.grounding.answer import Answer
from lexls.grounding.answering import Gathered
from lexls.index.embedding import Embedder
from lexls.models.encoder_clients import EntailmentClient, SentenceEncoderClient
from lexls.retrieval.precedents import CaseWeights
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken
from lexls.text.terminal import note


def run_eval(options: argparse.Namespace) -> int:
    """Run the benchmark and print the figures, or print those of saved runs.

    With ``--explain``, answers are measured instead of the ranking.
    """
    for conflict, message in _list_conflicts(options):
        if conflict:
            raise CommandFailed(f"eval: {message}", USAGE)
    try:
        require_packages("ir_measures", "scipy")
        # Checked first: the questions may take an hour.
        if options.plot is not None:
            check_format(options.plot)
        if options.save is not None:
            check_folder(options.save)
        if options.compare:
            return _compare(options)
        if options.runs:
            return _show(options)
        if options.explain:
            return measure_explanations(options)
        return _measure(options)
    except (BenchmarkError, ExtraMissing, NotComparable, PlotError, RunFileError) as error:
        raise CommandFailed(str(error)) from error


def _list_conflicts(options: argparse.Namespace) -> tuple[tuple[object, str], ...]:
    """Return pairs of a condition and an error message. If the condition is true, the options conflict."""
    saved = [name for name in ("compare", "runs") if getattr(options, name)]
    one = len(saved) + (options.benchmark is not None) == 1
    ways = options.stages or options.embedders
    models = options.generator or options.bert_model
    return (
        (not one, "give a benchmark, or --compare RUN OTHER, or --runs RUN …"),
        (options.sample and not options.embedders, "--sample goes with --embedders"),
        (options.stages and options.embedders, "--stages and --embedders exclude each other"),
        (
            options.explain and (saved or ways or options.plot),
            "--explain goes with a benchmark, --generator and --save alone",
        ),
        (not options.explain and models, "--generator and --bert-model go with --explain"),
        (saved and (options.save or ways), "saved runs are only shown and compared: give a benchmark"),
    )


def _measure(options: argparse.Namespace) -> int:
    benchmark = open_benchmark(options.benchmark)
    if benchmark.kind == "cases" or options.case_base:
        return ask_case_base(options, benchmark)
    if options.embedders:
        from lexls.cli.embedders import compare_models

        return compare_models(options, benchmark)
    place = find_workspace(options)
    chosen = read_filters(options, place)
    library = open_for_search(place, lexical=options.lexical)
    try:
        search = make_searcher(library, place, lexical=options.lexical)

        def ask(what: str = "asking", by: Searcher = search) -> Run:
            return ask_benchmark(options, benchmark, by, chosen, what)

        if options.stages:
            by_words = make_searcher(library, place, lexical=True)
            return _stages(options, benchmark, ask, search, by_words)
        found = ask()
    finally:
        library.close()
    return report_run(options, found)


def _stages(
    options: argparse.Namespace,
    benchmark: Benchmark,
    ask: Callable[..., Run],
    search: Searcher,
    by_words: Searcher,
) -> int:
    if benchmark.kind == "terms":
        # Sentences are ranked separately, without any of the stages of a search.
        rows = compare_stages(search, {ALL: search.ranking}, ask)
        rows.append(make_row("words alone", ask("words alone", by_words), rows[0].run))
        rows += measure_baselines(benchmark, rows[0].run)
    else:
        rows = compare_stages(search, list_rankings(search.ranking), ask)
    return report_stages(options, benchmark, rows)


def _compare(options: argparse.Namespace) -> int:
    first, second = (load_run(path) for path in options.compare)
    differences = compare(first, second)
    names = name_runs(options.compare)
    if options.plot:
        plot(options.plot, list(zip(names, (first, second), strict=True)))
    told = {
        "benchmark": first.header.benchmark,
        "queries": len(first.answers),
        "runs": [str(path) for path in options.compare],
        "differences": [
            {name: round(v, 6) if isinstance(v, float) else v for name, v in asdict(each).items()}
            for each in differences
        ],
    }
    columns = ("first", "second", "difference", "95% interval", "p (randomization)", "p (t test)")
    rows = []
    for each in differences:
        interval = f"[{each.low:+.4f}, {each.high:+.4f}]"
        chances = shorten_number(each.p_randomization), shorten_number(each.p_t)
        cells = (each.first, each.second, f"{each.difference:+.4f}", interval, *chances)
        rows.append(TableRow(each.measure, dict(zip(columns, cells, strict=True))))
    lines = [
        f"{told['benchmark']}: {told['queries']} queries; first {names[0]}, second {names[1]}",
        *_wide(rows, columns),
    ]
    emit(options, told, lines)
    return FINE


def _wide(rows: Sequence[TableRow], columns: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a table whose cells may be wider than its column headers."""
    heads = {}
    for column in columns:
        texts = [text for row in rows if isinstance(text := row.values[column], str)]
        heads[column] = f"  {column:>{max(map(len, [column, *texts]))}}"
    renamed = [TableRow(row.name, {heads[name]: row.values[name] for name in columns}) for row in rows]
    return write_table(renamed, list(heads.values()))


def _show(options: argparse.Namespace) -> int:
    runs = list(zip(name_runs(options.runs), (load_run(path) for path in options.runs), strict=True))
    if len({each.header.benchmark_hash for _, each in runs}) > 1:
        note("warning: the runs are not of the same benchmark")
    if options.plot:
        plot(options.plot, runs)
    told = {"runs": [{"run": name, **summarize_run(each)} for name, each in runs]}
    emit(options, told, write_side_by_side([(name, each, "") for name, each in runs], "saved runs"))
    return FINE


def ask_case_base(options: argparse.Namespace, benchmark: Benchmark) -> int:
    """Run the benchmark on the case base and print F1 at each k."""
    if benchmark.kind != "cases" or not options.case_base:
        raise CommandFailed(
            "eval: lines with `question` and `gold` need --case-base, and --case-base such lines", USAGE
        )
    if options.embedders:
        raise CommandFailed("eval: --embedders compares models on libraries, not on a case base", USAGE)
    place = find_workspace(options)
    cases = open_case_base(options.case_base, find_cache_folder() / "cases")
    embedder = None if options.lexical else open_embedder_if_ready(place.settings)
    if embedder is None and not options.lexical and place.settings.embeddings_model:
        note(f"by words alone: the model {place.settings.embeddings_model} is not ready")

    def ask(weights: CaseWeights, by: Embedder | None = embedder) -> Run:
        with show_progress() as on_question:
            return evaluate_cases(benchmark, cases, weights, by, CancelToken(), on_question=on_question)

    ways = list_ways_of_comparing()
    if options.stages:
        # Without vectors there is only one way of comparing cases.
        rows = [StageRow(name, ask(each), False) for name, each in ways.items() if embedder is not None]
        return report_stages(
            options, benchmark, [*rows, StageRow("words alone", ask(ways["all"], None), False)]
        )
    found = ask(ways["all"])
    return report_run(options, found)


def measure_explanations(options: argparse.Namespace) -> int:
    """Run a benchmark of questions and print the figures of the answers."""
    questions = read_explained(options.benchmark)
    place = find_workspace(options)
    left_out = list_excluded(options, place)
    with open_answering(options, place, lexical=options.lexical) as (snapshot, writer, encode):
        library = snapshot.library

        def ask(question: str, without: int | None, token: CancelToken) -> tuple[Gathered, Iterator[Answer]]:
            """Gather sources and answer a question, without using the document ``without`` as a source."""
            authority = library.catalogue.get(without) if without is not None else None
            excluded = left_out if authority is None else (*left_out, authority.own_path)
            gathered = gather_answer(snapshot, question, (), token, excluded, writer.keywords)
            return gathered, writer.write(gathered, token)

        name = place.settings.explain_entailment_model
        model = EntailmentClient(name, writer.models()) if name else None

        def judge_of(context: Sequence[str]) -> Judge:
            if model is None:
                return judge_by_words(snapshot.tokens, context)
            return Judge(name, 0.5, lambda text, statement: model.entails(text, statement, CancelToken()))

        encode_tokens = None
        if options.bert_model:
            encode_tokens = SentenceEncoderClient(options.bert_model, writer.models()).encode_tokens
        measuring = Measuring(judge_of, encode, encode_tokens)
        with show_progress() as on_question:
            run = measure_answers(questions, library, ask, measuring, CancelToken(), on_question)
    if options.save is not None:
        _save(options.save, run)
    told = summarize_answers(run, options.benchmark.name)
    emit(options, told, _lines(told))
    return FINE


def _save(path: Path, run: ExplainedRun) -> None:
    """Save one line per question: its figures, whether it was answered, and the positions of the quotations
    in the answer. No text is saved.
    """
    if path.suffix == ".run":
        raise CommandFailed("eval: answers are no ranked lists: save them as .jsonl", USAGE)
    lines = [
        {
            "id": each.question.id,
            "answered": not each.answer.abstained,
            "extracts": sum(sentence.is_extract for sentence in each.answer.sentences),
            "pins": [
                [pin.authority.relative, pin.start, pin.end]
                for sentence in each.answer.sentences
                for pin in sentence.pins
            ],
            "dropped": [[fault.kind for fault in faults] for faults in each.answer.dropped],
            "figures": {name: round(value, 6) for name, value in each.figures.items()},
        }
        for each in run.measured
    ]
    save(path, "".join(json.dumps(line) + "\n" for line in lines))
    note(f"saved: {path}")


def _lines(told: dict[str, Any]) -> Iterator[str]:
    yield f"{told['benchmark']}: {told['questions']} questions, {told['answered']} answered"
    yield f"  written by {told['generator']}, judged by the {told['judge']}; 95% intervals"
    for name, figure in told["figures"].items():
        low, high = figure["interval"]
        p95 = f", p95 {figure['p95']:.4f}" if "p95" in figure else ""
        yield (
            f"  {name:<24}{figure['mean']:.4f}  [{low:.4f}, {high:.4f}]  "
            f"over {figure['questions']} questions{p95}"
        )
