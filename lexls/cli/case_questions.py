"""``lexls eval --case-base``: measure what a case base answers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lexls.cli.context import open_embedder_if_ready, workspace
from lexls.cli.evaluation_tables import report_lines
from lexls.cli.failure import FINE, USAGE, CommandFailed
from lexls.cli.measured_runs import counted, keep, tell_stages
from lexls.cli.output import emit, note
from lexls.cli.work_folders import cache_folder

if TYPE_CHECKING:
    from lexls.evaluation.answers import Run
    from lexls.evaluation.run import Benchmark
    from lexls.index.embedding import Embedder
    from lexls.retrieval.precedents import CaseWeights


def ask_case_base(options: argparse.Namespace, benchmark: Benchmark) -> int:
    """Ask the benchmark's questions of the case base and print F1 at each k."""
    from lexls.evaluation.case_questions import evaluate_cases, open_case_base, ways_of_comparing
    from lexls.evaluation.report import report
    from lexls.evaluation.stage_comparison import StageRow
    from lexls.features.search_ranking import ranking_of
    from lexls.index.embedding.cues import query_cue
    from lexls.text.cancel import CancelToken

    if benchmark.kind != "cases" or not options.case_base:
        raise CommandFailed(
            "eval: lines with `question` and `gold` need --case-base, and --case-base such lines", USAGE
        )
    if options.embedders:
        raise CommandFailed("eval: --embedders compares models on libraries, not on a case base", USAGE)
    place = workspace(options)
    cases = open_case_base(options.case_base, cache_folder() / "cases")
    embedder = None if options.lexical else open_embedder_if_ready(place.settings)
    if embedder is None and not options.lexical and place.settings.embeddings_model:
        note(f"by words alone: the model {place.settings.embeddings_model} is not ready")
    cue = query_cue(embedder.name, place.settings.embeddings_query_cue) if embedder is not None else ""

    def ask(weights: CaseWeights, by: Embedder | None = embedder) -> Run:
        with counted() as on_question:
            return evaluate_cases(
                benchmark, cases, weights, by, CancelToken(), cue=cue, on_question=on_question
            )

    ways = ways_of_comparing(ranking_of(place.settings).case_weights)
    if options.stages:
        # Without vectors the parts are not compared: there is only one way.
        rows = [StageRow(name, ask(each), False) for name, each in ways.items() if embedder is not None]
        return tell_stages(
            options, benchmark, [*rows, StageRow("words alone", ask(ways["all"], None), False)]
        )
    found = ask(ways["all"])
    keep(options, [("", found)])
    told = report(found)
    emit(options, told, report_lines(told))
    return FINE
