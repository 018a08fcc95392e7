"""Bound what the reading of one paragraph may cost, whatever stands in it."""

from __future__ import annotations

import time

SECONDS = 2.0
"""Processor seconds that any paragraph may take."""
SECONDS_A_CHARACTER = 0.000_1
"""Processor seconds besides for each code point: some twenty times what the densest paragraphs take."""
_LOOKS = 32
"""Steps between two looks at the clock."""


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
