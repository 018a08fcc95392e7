"""``lexls eval --explain``: measure the answers of a generator."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.cli.context import excluded, open_embedder_if_ready, open_for_search, searcher, workspace
from lexls.cli.drafts import load_grammar
from lexls.cli.failure import FINE, USAGE, CommandFailed
from lexls.cli.generators import open_writer
from lexls.cli.measured_runs import counted
from lexls.cli.output import emit, note

if TYPE_CHECKING:
    from lexls.evaluation.explained.judge import Judge
    from lexls.evaluation.explained.likeness import EncodeTokens
    from lexls.evaluation.explained.run import ExplainedRun
    from lexls.grounding.answer import Answer
    from lexls.grounding.answering import Gathered
    from lexls.grounding.generators.choice import Models
    from lexls.grounding.relevance import Tokens
    from lexls.settings.declaration import Settings
    from lexls.text.cancel import CancelToken


def measure_explanations(options: argparse.Namespace) -> int:
    """Ask every question of the file and print what the answers are worth."""
    from lexls.evaluation.explained.questions import read_explained
    from lexls.evaluation.explained.run import Measuring, explained_report, measure_answers
    from lexls.features.draft_parser import DraftParser
    from lexls.features.gathering import gather_answer
    from lexls.features.generator_choice import keywords_of
    from lexls.features.snapshot import Snapshot
    from lexls.grounding.verification.verifier import JudgeUnavailable
    from lexls.models.unavailable import ModelUnavailable
    from lexls.text.cancel import CancelToken

    questions = read_explained(options.benchmark)
    place = workspace(options)
    settings = place.settings
    library = open_for_search(place, lexical=options.lexical)
    embedder = None if options.lexical else open_embedder_if_ready(settings)
    encode = embedder.encode if embedder is not None else None
    draft = DraftParser(load_grammar(settings), settings.jurisdiction).parse("", "", "plain")
    search = searcher(library, place, lexical=options.lexical, embedder=embedder)
    snapshot = Snapshot(draft, library, search, settings)
    left_out = excluded(options, place)
    try:
        with open_writer(settings, options.generator, snapshot.tokenizer, encode) as writer:

            def ask(
                question: str, without: int | None, token: CancelToken
            ) -> tuple[Gathered, Iterator[Answer]]:
                """Answer without the document to be left out, and without what it says of others."""
                authority = library.authority(without) if without is not None else None
                gathered = gather_answer(
                    snapshot,
                    question,
                    (),
                    writer.generator.room,
                    token,
                    excluded=left_out if authority is None else (*left_out, authority.path),
                    keywords=keywords_of(settings, writer.generator),
                )
                return gathered, writer.answers(gathered, token)

            measuring = Measuring(
                lambda context: _judge(settings, snapshot.tokens, context, writer.models),
                encode,
                _token_encoder(options.bert_model, writer.models),
            )
            with counted("asking") as on_question:
                run = measure_answers(questions, library, ask, measuring, CancelToken(), on_question)
    except (JudgeUnavailable, ModelUnavailable) as error:
        raise CommandFailed(str(error)) from error
    finally:
        library.close()
    if options.save is not None:
        _save(options.save, run)
    told = explained_report(run, options.benchmark.name)
    emit(options, told, _lines(told))
    return FINE


def _judge(settings: Settings, tokens: Tokens, context: Sequence[str], models: Models) -> Judge:
    from lexls.evaluation.explained.judge import ModelJudge, WordJudge

    name = settings.explain_entailment_model
    if not name:
        return WordJudge(tokens, context)
    from lexls.grounding.verification.judged import open_judge
    from lexls.text.cancel import CancelToken

    judge = open_judge(name, models())
    return ModelJudge(name, lambda text, statement: judge.entails(text, statement, CancelToken()))


def _token_encoder(name: str | None, models: Models) -> EncodeTokens | None:
    """The model of BERTScore, None where none was asked for."""
    if not name:
        return None
    from lexls.models.sentence_encoder import SentenceEncoderClient

    return SentenceEncoderClient(name, models()).encode_tokens


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
    try:
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise CommandFailed(f"{path}: {error.strerror or error}") from error
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
