"""Bound what the reading of one paragraph may cost, whatever stands in it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

SECONDS = 1.0
"""Processor seconds that any paragraph may take at a time."""
SECONDS_A_CHARACTER = 0.000_1
"""Further processor seconds for each code point: a hundred times what those of a long draft take."""
_LOOKS = 32
"""Number of steps between two looks at the clock."""


class Budget:
    """The processor time of this thread that reading a text may take. Of one thread."""

    __slots__ = ("_end", "_steps", "is_spent")

    def __init__(self, length: int) -> None:
        self._end = time.thread_time() + SECONDS + length * SECONDS_A_CHARACTER
        self._steps = 0
        self.is_spent = False

    def step(self) -> bool:
        """Return whether another step may be taken; once it may not, none may."""
        self._steps += 1
        if not self.is_spent and self._steps % _LOOKS == 1:
            self.is_spent = time.thread_time() > self._end
        return not self.is_spent


def read_within(length: int, read: Callable[[Budget], T]) -> tuple[T, bool]:
    """Return what ``read`` finds in a text of a ``length`` within a budget, and whether it came to its end.

    If the budget is spent, it reads once more. What holds up one reading by accident (a pattern that is
    compiled, a collection of garbage) does not hold up the next.
    """
    found = read(budget := Budget(length))
    if budget.is_spent:
        found = read(budget := Budget(length))
    return found, not budget.is_spent
