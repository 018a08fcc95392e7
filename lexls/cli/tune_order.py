"""``lexls tune --learn``: learn the ranking of hits from the citing sentences in the user's own library."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from lexls.cli.context import Workspace, find_workspace, make_searcher, open_for_search
from lexls.cli.output import FINE, CommandFailed, emit, show_progress, using_files
from lexls.evaluation.model_trial import CitingQuestion, draw_questions
from lexls.evaluation.order_learning import FEWEST_SENTENCES, LearntOrder, describe_sentences, learn_order
from lexls.index.library import Library
from lexls.retrieval.reranking.kept_with_library import (
    OrderUnusable,
    drop_order,
    find_order,
    keep_order,
    read_order,
)
from lexls.retrieval.reranking.reranker import LEARNT_FOR, LEAST_SHARE, Reranker, RerankerWeights, load_learnt
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken

QUESTIONS = 1000
"""Default number of sentences. More sentences improve the ranking little: from 1,000 to 1,800, the reciprocal
rank rose by 0.003 (``benchmarks/RESULTS.md``).
"""
WAYS = {"with_vectors": "with vectors", "by_words": "by words"}


def learn_from_library(options: argparse.Namespace) -> int:
    """Learn a ranking, print its gain on unseen sentences, and save it in a file next to the index if it
    helps.
    """
    place = find_workspace(options)
    if not place.settings.rerank_learned:
        raise CommandFailed("tune: rerank.learned is false, so that searches go by no order that was learnt")
    with closing(open_for_search(place, lexical=options.lexical)) as library:
        found = _learn(library, place, options)
        with using_files(library.path):
            kept = _keep(library, found)
        told = {
            "documents": library.status.counts()[0],
            **{way: _told(found[way]) if way in found else None for way in WAYS},
            "file": str(find_order(library.path)) if kept else None,
        }
    emit(options, told, _lines(told))
    return FINE


def _learn(library: Library, place: Workspace, options: argparse.Namespace) -> dict[str, LearntOrder]:
    """Return a learnt ranking for each of the ``WAYS`` in which this library can be searched."""
    token, brought = CancelToken(), load_learnt()
    by_words = make_searcher(library, place, lexical=True)
    count = options.questions or QUESTIONS
    questions = draw_questions(library, by_words.tokenizer, count, token, LEARNT_FOR)
    if len(questions) < FEWEST_SENTENCES:
        raise CommandFailed(
            f"the library has {len(questions)} sentences that cite a judgment of it; learning needs"
            f" {FEWEST_SENTENCES}"
        )
    found: dict[str, LearntOrder] = {}
    if not options.lexical and library.has_vectors and library.vector_share >= LEAST_SHARE:
        searcher = make_searcher(library, place)
        found |= _learn_one("with_vectors", searcher, questions, brought.with_vectors, options.folds, token)
    return found | _learn_one("by_words", by_words, questions, brought.by_words, options.folds, token)


def _learn_one(
    way: str,
    searcher: Searcher,
    questions: list[CitingQuestion],
    brought: RerankerWeights,
    folds: int,
    token: CancelToken,
) -> dict[str, LearntOrder]:
    with show_progress(f"reading {WAYS[way]}", "sentences") as show:
        sentences = describe_sentences(searcher, questions, token, show)
    if way == "with_vectors" and not all(each.described.with_vectors for each in sentences):
        return {}  # the embedding model is not available
    try:
        return {way: learn_order(sentences, brought, folds)}
    except ValueError:
        return {}


def _keep(library: Library, found: dict[str, LearntOrder]) -> bool:
    """Save the learnt rankings that help. Return whether any learnt ranking is now saved.

    If the new ranking for a way of searching does not help, an earlier ranking for that way is deleted.
    Earlier rankings for ways that were not tried are kept.
    """
    brought = load_learnt()
    try:
        earlier = read_order(library.path) or brought
    except OrderUnusable:
        earlier = brought
    weights: dict[str, RerankerWeights] = {}
    worth = []
    for way, name in WAYS.items():
        weights[way] = getattr(brought if way in found else earlier, way)
        if way in found and (each := found[way]).helps:
            weights[way] = each.weights
            worth.append(
                f"{each.sentences} citing sentences of this library asked {name}, MRR on unseen ones"
                f" {each.before[0]:.3f} before, {each.after[0]:.3f} after"
            )
        elif weights[way] is not getattr(brought, way):
            worth.append(f"sentences asked earlier {name}")
    if not worth:
        drop_order(library.path)
        return False
    keep_order(library.path, Reranker("; ".join(worth), **weights))
    return True


def _told(learnt: LearntOrder) -> dict[str, Any]:
    names = ("mrr", "recall@10")
    return {
        "sentences": learnt.sentences,
        "before": dict(zip(names, learnt.before, strict=True)),
        "after": dict(zip(names, learnt.after, strict=True)),
        "helps": learnt.helps,
    }


def _lines(told: dict[str, Any]) -> Iterator[str]:
    yield "Sentences of the library that cite its judgments, each asked with its document left out; what is"
    yield "learnt is measured on sentences of documents that it was not learnt from:"
    for way, name in WAYS.items():
        if (found := told[way]) is None:
            continue
        yield f"{name + ', ' + format(found['sentences'], ',') + ' sentences':36}{'MRR':>8}{'recall@10':>11}"
        for label, key in (("as lexls brings it", "before"), ("learnt", "after")):
            yield f"  {label:34}{found[key]['mrr']:8.3f}{found[key]['recall@10']:11.3f}"
    if told["file"] is None:
        yield "That is no sure gain: searches go by the order that lexls brings."
    elif not any(told[way] is not None and told[way]["helps"] for way in WAYS):
        yield f"That is no sure gain; what was learnt earlier {WAYS['with_vectors']} stays."
        yield f"It is kept in {told['file']}; delete that to go back."
    else:
        yield "It helps: searches of this library go by it from now on."
        yield f"It is kept in {told['file']}; delete that to go back."
