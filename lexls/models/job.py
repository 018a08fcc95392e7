"""What the model process asks of those who do its work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lexls.text.cancel import CancelToken


class Refused(Exception):
    """The work cannot be done; the message is the reason and the remedy, for the user."""


@dataclass(frozen=True, slots=True)
class Job:
    """One request: its ``arguments`` are plain JSON data; ``token`` says whether it is still wanted."""

    arguments: Mapping[str, Any]
    texts: tuple[str, ...]
    token: CancelToken


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the answers to a request; ``fields`` are plain JSON data."""

    fields: Mapping[str, Any]
    payload: bytes = b""


Handler = Callable[[Job], Iterator[Answer]]
"""Does one kind of work. It looks at the token between its steps, raises ``Refused`` for what the user can
mend, and should yield something (a part, or that the model is loaded) before the caller's patience ends.

A module of handlers has a function ``open_handlers() -> Mapping[str, Handler]``; the names are what a request
asks to ``do``. Handlers of one module run one after the other, those of two modules beside each other.
"""
