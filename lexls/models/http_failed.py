"""How a request over HTTP fails, in words that hold nothing of the request."""

from __future__ import annotations

from typing import Literal

Failure = Literal[
    "address", "refused", "unknown host", "certificate", "unreachable", "status", "broken", "time"
]
"""``broken``: the connection ended early, or what came is not the protocol."""


class HttpFailed(Exception):
    """A request failed. The message is words for the user, without anything of the request but the host.

    ``status`` is the HTTP status (0 if none came), ``retry_after`` what the server says of waiting, in
    seconds (0 if nothing), ``codes`` the short names of errors in its answer, such as "model_not_found":
    for comparing with known ones only.
    """

    def __init__(
        self,
        kind: Failure,
        reason: str,
        status: int = 0,
        retry_after: int = 0,
        codes: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(reason)
        self.kind: Failure = kind
        self.reason = reason
        self.status = status
        self.retry_after = retry_after
        self.codes = codes
