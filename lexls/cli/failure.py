"""How a command says that it could not do its work."""

from __future__ import annotations

FINE = 0
FINDINGS = 1
USAGE = 2
FAILURE = 3


class CommandFailed(Exception):
    """The command cannot go on; the message says why, for the user. ``code`` is the exit code."""

    def __init__(self, message: str, code: int = FAILURE) -> None:
        super().__init__(message)
        self.code = code
