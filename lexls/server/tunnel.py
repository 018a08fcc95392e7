"""What both ends of a connection between machines agree on (``lexls serve --tcp`` and ``lexls connect``)."""

from __future__ import annotations

import socket
from typing import Protocol

GREETING = "lexls/1"
"""What the client's first line, and the answer to it, begin with."""
PIECE = 2**16
"""Bytes handed on at a time."""
SILENT_SECONDS = 60
"""After these the system asks whether a silent peer is still there, four times."""


class Connection(Protocol):
    """A socket, or asyncio's view of one."""

    def setsockopt(self, level: int, name: int, value: int, /) -> None:
        """As the system has it."""


def keep_alive(connection: Connection) -> None:
    """Have a TCP connection break within minutes where the other machine or the network went without a word,
    and nothing wait on its way out."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for name, value in (
        ("TCP_KEEPIDLE", SILENT_SECONDS),
        ("TCP_KEEPINTVL", SILENT_SECONDS // 4),
        ("TCP_KEEPCNT", 4),
        ("TCP_USER_TIMEOUT", 2000 * SILENT_SECONDS),
    ):
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
