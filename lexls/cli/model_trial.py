"""``lexls models try``: measure whether a cross-encoder improves searches of the user's own library."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from typing import Any

from lexls.cli.context import find_workspace, make_searcher, open_for_search
from lexls.cli.output import FINE, USAGE, CommandFailed, emit, show_progress, using_files
from lexls.evaluation.model_trial import FEWEST_QUESTIONS, Trial, ask, draw_questions, judge
from lexls.models.encoder_clients import CrossEncoderClient
from lexls.retrieval.reranking.kept_with_library import MeasuredModel, keep_measured, name_model
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken
from lexls.text.terminal import note

QUESTIONS = 100


def try_model(options: argparse.Namespace) -> int:
    """Measure the model, print the result, and save it next to the index."""
    place = find_workspace(options)
    name = name_model(options.name or place.settings.rerank_model)
    if not name:
        raise CommandFailed("rerank.model is empty in the settings; name the model to try", USAGE)
    with closing(open_for_search(place)) as library, closing(CrossEncoderClient(name)) as client:
        client.load()
        searcher = make_searcher(library, place)
        trial = _measure(searcher, client, options.questions or QUESTIONS, place.settings.rerank_depth)
        documents = library.status.counts()[0]
        measured = MeasuredModel(
            name, trial.weight, trial.questions, trial.without[0], trial.with_it[0], documents
        )
        with using_files(library.path):
            keep_measured(library.path, measured)
    told = {"model": name, "kind": client.kind, "depth": place.settings.rerank_depth, **_told(trial)}
    emit(options, told, _lines(told, in_use=name_model(place.settings.rerank_model) == name))
    return FINE


def _measure(searcher: Searcher, client: CrossEncoderClient, count: int, depth: int) -> Trial:
    token = CancelToken()
    questions = draw_questions(searcher.library, searcher.tokenizer, count, token)
    if len(questions) < FEWEST_QUESTIONS:
        note(f"the library has {len(questions)} sentences that cite an authority of it: too few to tell")
    with show_progress() as show:
        return judge(ask(searcher, client, questions, depth, token, show))


def _told(trial: Trial) -> dict[str, Any]:
    told = asdict(trial)
    for name in ("without", "with_it"):
        told[name] = dict(zip(("mrr", "recall@1"), told[name], strict=True))
    return told | {"helps": trial.weight > 0}


def _lines(told: dict[str, Any], in_use: bool) -> Iterator[str]:
    yield f"{told['model']} ({told['kind']}), {told['questions']} citing sentences of the library:"
    yield f"{'':14}{'MRR':>8}{'recall@1':>10}{'ms a question':>15}"
    for label, key in (("without", "without"), ("with it", "with_it")):
        spent = told["milliseconds"]
        taken = f"{spent['p50']:.0f} to {spent['p95']:.0f}" if key == "with_it" else ""
        yield f"  {label:12}{told[key]['mrr']:8.3f}{told[key]['recall@1']:10.3f}{taken:>15}".rstrip()
    if not told["helps"]:
        yield "It does not help here: left off."
        return
    yield f"It helps: searches of this library let it count {told['weight']:g}."
    if not in_use:
        yield f'To use it, write into your settings: rerank.model = "{told["model"]}"'
