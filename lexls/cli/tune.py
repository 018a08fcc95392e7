"""``lexls tune``: search for better retrieval settings, with cross-validation."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from typing import Any

from lexls.cli.context import (
    Workspace,
    find_cache_folder,
    find_workspace,
    make_searcher,
    open_for_search,
    open_index,
    read_filters,
)
from lexls.cli.output import FINE, USAGE, CommandFailed, emit, show_progress
from lexls.evaluation import ExtraMissing, require_packages
from lexls.evaluation.asking import Benchmark, evaluate, identify_index, make_plain, open_benchmark
from lexls.evaluation.benchmark import BenchmarkError
from lexls.evaluation.plots import PlotError, check_format, plot_study
from lexls.evaluation.stage_comparison import rank_by
from lexls.evaluation.tuning import (
    PARAMETERS,
    USUAL,
    NoObjective,
    Plan,
    Scores,
    StudyError,
    Tuned,
    Values,
    change_ranking,
    compute_objective,
    count_points,
    divide,
    draw_sample,
    find_defaults,
    tune,
)
from lexls.index.config import find_default_path
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import SETTINGS
from lexls.text.cancel import CancelToken
from lexls.text.terminal import note

_SETTING_OF = {"max_chars": "passages.maxChars", "overlap": "passages.overlap"}
"""Keys of the settings for parameters whose setting is not below ``search.``."""


def run_tune(options: argparse.Namespace) -> int:
    """Search for better settings, and print the best with their scores on unseen questions."""
    _check_names(options)
    if options.learn:
        from lexls.cli.tune_order import learn_from_library

        return learn_from_library(options)
    try:
        require_packages("optuna", "ir_measures")
        if options.plot is not None:
            check_format(options.plot)
        return _tune(options)
    except (BenchmarkError, ExtraMissing, NoObjective, PlotError, StudyError) as error:
        raise CommandFailed(str(error)) from error


def _check_names(options: argparse.Namespace) -> None:
    for name in ("parameters", "study", "plot", "corpus"):
        if options.learn and getattr(options, name):
            raise CommandFailed(f"tune: --{name} cannot be used with --learn", USAGE)
    names = options.parameters = list(dict.fromkeys(options.parameters or USUAL))
    for name in names:
        if name not in PARAMETERS:
            raise CommandFailed(f"tune: {name} is none of {', '.join(PARAMETERS)}", USAGE)
    if options.learn == (options.benchmark is not None):
        raise CommandFailed("tune: give a BENCHMARK.jsonl, or --learn without one", USAGE)
    if options.folds < 2:
        raise CommandFailed("tune: cross-validation needs at least 2 folds", USAGE)


def _tune(options: argparse.Namespace) -> int:
    benchmark = open_benchmark(options.benchmark)
    if benchmark.kind in ("terms", "cases"):
        raise CommandFailed(f"{benchmark.path}: {benchmark.kind} are ranked by none of these parameters")
    if options.questions:
        benchmark = replace(benchmark, questions=tuple(draw_sample(benchmark.questions, options.questions)))
    objective = options.objective or ("quality" if benchmark.kind == "spans" else "map")
    cut_anew = any(PARAMETERS[name].where == "index" for name in options.parameters)
    if cut_anew and not options.lexical:
        note("words alone: passages that are cut anew have no vectors")
    lexical = options.lexical or cut_anew
    place = find_workspace(options)
    if options.sampler == "grid" and options.trials < count_points(options.parameters):
        note(f"the grid has {count_points(options.parameters)} points; {options.trials} of them are tried")
    with ExitStack() as stack:
        open_searcher = _open_searchers(place, lexical, cut_anew, stack)
        settings = place.settings
        first = open_searcher(settings.passages_max_chars, settings.passages_overlap)
        start = find_defaults(
            options.parameters, first.ranking, settings.passages_max_chars, settings.passages_overlap
        )
        try:
            divided = divide(benchmark.questions, options.folds)
        except ValueError as error:
            raise CommandFailed(f"{benchmark.path}: {error}") from error
        content = [benchmark.hash, [each.id for each in benchmark.questions], objective, lexical]
        chosen = make_plain(read_filters(options, place))
        content += [options.corpus, identify_index(first.library), make_plain(first.ranking), chosen]
        plan = Plan(
            start=start,
            sampler=options.sampler,
            trials=options.trials,
            folds=divided,
            identity=hashlib.sha256(json.dumps(content).encode()).hexdigest(),
            file=options.study,
        )
        with show_progress("tuning", "trials") as on_trial:
            found = tune(plan, _scoring(options, benchmark, objective, place, open_searcher), on_trial)
    if options.plot is not None:
        plot_study(options.plot, found.study, options.parameters, objective)
    told = _told(options, benchmark, objective, found)
    emit(options, told, _lines(told))
    return FINE


def _scoring(
    options: argparse.Namespace,
    benchmark: Benchmark,
    objective: str,
    place: Workspace,
    open_searcher: Callable[[int, int], Searcher],
) -> Callable[[Values], Scores]:
    settings, chosen = place.settings, read_filters(options, place)

    def score(values: Values) -> Scores:
        """Return the objective's value for each question, if searches use these values."""
        search = open_searcher(
            int(values.get("max_chars", settings.passages_max_chars)),
            int(values.get("overlap", settings.passages_overlap)),
        )
        token = CancelToken()
        with rank_by(search, change_ranking(search.ranking, values)):
            # Only the order counts here, so the text of hits is not fetched.
            asked = evaluate(benchmark, search, token, corpus=options.corpus, filters=chosen, shown=0)
        return compute_objective(asked, objective)

    return score


def _open_searchers(
    place: Workspace, lexical: bool, cut_anew: bool, stack: ExitStack
) -> Callable[[int, int], Searcher]:
    """Return a function that opens a searcher, given the maximum length of passages and their overlap, both
    in characters.

    With ``cut_anew``, each pair of these values has its own index in the user's cache folder, which later
    runs reuse.
    """

    @cache
    def open_searcher(max_chars: int, overlap: int) -> Searcher:
        if not cut_anew:
            library, here = open_for_search(place, lexical=lexical), place
        else:
            settings = replace(
                place.settings, passages_max_chars=max_chars, passages_overlap=overlap, embeddings_model=""
            )
            name = find_default_path([folder.resolve() for folder in place.folders]).stem
            folder = find_cache_folder() / "tuning"
            folder.mkdir(parents=True, exist_ok=True)
            index = folder / f"{name}-{max_chars}-{overlap}.sqlite3"
            here = replace(place, settings=settings, index=index)
            library, _ = open_index(here, lexical_only=True)
        stack.callback(library.close)
        return make_searcher(library, here, lexical=lexical)

    return open_searcher


def _told(options: argparse.Namespace, benchmark: Benchmark, objective: str, found: Tuned) -> dict[str, Any]:
    scores = {"start": found.start_score, "best": found.best_score}
    scores |= {"cross_validated": found.cross_validated, "spread": found.spread}
    return {
        "benchmark": benchmark.path.name,
        "queries": len(benchmark.questions),
        "objective": objective,
        "sampler": options.sampler,
        "trials": options.trials,
        **{name: round(score, 4) for name, score in scores.items()},
        "folds": [
            {"start": round(each.start, 4), "tuned": round(each.tuned, 4), "values": dict(each.values)}
            for each in found.folds
        ],
        "flat": found.flat,
        "values": dict(found.best),
        "settings": write_settings(found.best),
    }


def _lines(told: dict[str, Any]) -> Iterator[str]:
    yield f"{told['benchmark']}: {told['queries']} queries, {told['objective']}, {told['sampler']}"
    yield f"  as it is           {told['start']:.4f}"
    yield f"  tuned, on unseen   {told['cross_validated']:.4f}  (spread between folds {told['spread']:.4f})"
    yield f"  tuned, on seen     {told['best']:.4f}"
    for number, fold in enumerate(told["folds"], 1):
        yield f"  fold {number}: {fold['start']:.4f} → {fold['tuned']:.4f}  {_values(fold['values'])}"
    if told["flat"]:
        yield "No value that was tried changes the objective: these parameters have no part in this search."
    elif told["cross_validated"] <= told["start"]:
        yield "On questions not seen, tuning gains nothing: better leave the settings as they are."
    yield f"Best over all questions: {_values(told['values'])}"
    if told["settings"] and told["cross_validated"] > told["start"]:
        yield "In lexls.toml:"
        yield from told["settings"].rstrip().split("\n")


def _values(values: Values) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in values.items())


def write_settings(values: Values) -> str:
    """Return lines for lexls.toml with the values of parameters that are settings; "" if none is."""
    keys = ((find_setting(name), value) for name, value in values.items())
    return "".join(f"{key} = {value}\n" for key, value in keys if key)


def find_setting(parameter: str) -> str:
    """Return the key of the setting for a parameter, or "" if there is none."""
    words = parameter.split("_")
    camel = words[0] + "".join(word.capitalize() for word in words[1:])
    candidates = (_SETTING_OF.get(parameter, ""), f"search.{camel}", f"search.weights.{camel}")
    return next((key for key in candidates if key in SETTINGS), "")
