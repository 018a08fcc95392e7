"""A second module of handlers, which has a thread of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lexls.models.job import Answer, Handler, Job


def beside(job: Job) -> Iterator[Answer]:
    """Answers at once."""
    yield Answer({"beside": True})


def open_handlers() -> Mapping[str, Handler]:
    """The one there is."""
    return {"beside": beside}
