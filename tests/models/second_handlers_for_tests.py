"""A second module of handlers, which has a thread of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lexls.models.messages import Handler, Job, ModelAnswer


def beside(job: Job) -> Iterator[ModelAnswer]:
    """Answers at once."""
    yield ModelAnswer({"beside": True})


def open_handlers() -> Mapping[str, Handler]:
    """The one there is."""
    return {"beside": beside}
