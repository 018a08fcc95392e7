"""``lexls eval --explain``: measure the answers of a generator."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lexls.cli.answers import open_answering
from lexls.cli.context import find_workspace, list_excluded
from lexls.cli.output import FINE, USAGE, CommandFailed, emit, save, show_progress
from lexls.evaluation.answer_measures import Judge, judge_by_words
from lexls.evaluation.answering import ExplainedRun, Measuring, measure_answers, summarize_answers
from lexls.evaluation.benchmark import read_explained
from lexls.features.gathering import gather_answer
from lexls.grounding.answer import Answer
from lexls.grounding.answering import Gathered
from lexls.models.encoder_clients import EntailmentClient, SentenceEncoderClient
from lexls.text.cancel import CancelToken
from lexls.text.terminal import note


def measure_explanations(options: argparse.Namespace) -> int:
    """Ask every question of the file and print what the answers are worth."""
    questions = read_explained(options.benchmark)
    place = find_workspace(options)
    left_out = list_excluded(options, place)
    with open_answering(options, place, lexical=options.lexical) as (snapshot, writer, encode):
        library = snapshot.library

        def ask(question: str, without: int | None, token: CancelToken) -> tuple[Gathered, Iterator[Answer]]:
            """Answer without the document to be left out, and without what it says of others."""
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
    """A line a question: its figures, whether it was answered, and where the answer is pinned; no texts."""
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
