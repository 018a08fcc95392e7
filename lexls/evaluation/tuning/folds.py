"""Dividing questions so that nothing of a tested one was seen."""

from __future__ import annotations

import random
from collections.abc import Sequence

from lexls.evaluation.benchmark import DocumentQuestion, Question, SpanQuestion
from lexls.evaluation.intervals import SEED


def group_of(question: Question) -> str:
    """What must not be torn apart: the questions of one citing document, or of one contract; else a question
    stands for itself, by its id."""
    if isinstance(question, DocumentQuestion) and question.citing:
        return f"citing {question.citing}"
    if isinstance(question, SpanQuestion):
        return f"file {question.file}"
    return f"id {question.id}"


def folds(questions: Sequence[Question], count: int) -> list[list[int]]:
    """The numbers of the questions in ``count`` folds of about the same size, each group in one fold.

    Groups are dealt in an order that is drawn once for all, the next one to the smallest fold. Raises
    ``ValueError`` if there are fewer groups than folds.
    """
    groups: dict[str, list[int]] = {}
    for number, question in enumerate(questions):
        groups.setdefault(group_of(question), []).append(number)
    if len(groups) < count:
        raise ValueError(
            f"{count} folds need at least {count} groups of questions, but there are {len(groups)}"
        )
    dealt: list[list[int]] = [[] for _ in range(count)]
    order = sorted(groups)
    random.Random(SEED).shuffle(order)
    for group in order:
        min(dealt, key=len).extend(groups[group])
    return [sorted(fold) for fold in dealt]


def sample_of(questions: Sequence[Question], count: int) -> list[Question]:
    """At most ``count`` of ``questions`` in their order, drawn once for all."""
    if count >= len(questions):
        return list(questions)
    chosen = sorted(random.Random(SEED).sample(range(len(questions)), count))
    return [questions[number] for number in chosen]
