"""Declare a tool: its name, what it is asked with, and the function that answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lexls.agents.answer import AgentAnswer, AgentRecord
from lexls.agents.desk import Desk
from lexls.text.cancel import CancelToken


@dataclass(frozen=True, slots=True)
class AgentTool:
    """A question that agents may ask. ``asked`` are its fields, whose words tell a model what it is for;
    ``answer`` gives what ``answered`` describes, on a worker thread, and raises ``Unanswerable`` and
    ``Cancelled``."""

    name: str
    title: str
    asked: type[AgentRecord]
    answered: type[AgentAnswer]
    answer: Callable[[Desk, Any, CancelToken], AgentAnswer]

    @property
    def description(self) -> str:
        """What a model is told of it."""
        return " ".join((self.asked.__doc__ or "").split())
