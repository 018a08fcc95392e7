"""Reads server-sent events from the bytes of an answer, however they were cut."""

from __future__ import annotations

_LONGEST = 1_000_000
"""Bytes one event may have; a server that sends more is not speaking the protocol."""


class EventTooLong(ValueError):
    """An event has more bytes than any answer could."""


class EventReader:
    """Takes bytes in pieces of any size and gives the data of each event that is whole.

    Lines end with ``\\n``, ``\\r\\n`` or ``\\r``; several ``data`` lines of one event are joined by line
    feeds; other fields and comments are left out (WHATWG HTML, "Server-sent events"). Bytes that are no UTF-8
    become U+FFFD; a character cut by the network does not, since only whole lines are decoded.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._data: list[str] = []
        self._held = 0
        self._after_return = False

    def feed(self, piece: bytes) -> list[str]:
        """The data of the events that end in ``piece``. Raises ``EventTooLong``."""
        if self._after_return and piece:
            self._after_return = False
            piece = piece.removeprefix(b"\n")
        if piece.endswith(b"\r"):
            self._after_return = True
        events: list[str] = []
        self._rest += piece
        # What was kept has no end of a line: it is not searched again, however small the pieces are.
        if b"\n" in piece or b"\r" in piece:
            whole = bytes(self._rest).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            *lines, rest = whole.split(b"\n")
            self._rest = bytearray(rest)
            events = [event for line in lines for event in self._line(line)]
        if len(self._rest) + self._held > _LONGEST:
            raise EventTooLong
        return events

    def finish(self) -> list[str]:
        """The data of a last event whose closing empty line never came."""
        events = self._line(bytes(self._rest)) + self._line(b"")
        self._rest = bytearray()
        return events

    def _line(self, line: bytes) -> list[str]:
        if not line:
            data, self._data, self._held = self._data, [], 0
            return ["\n".join(data)] if data else []
        field, _, value = line.decode("utf-8", errors="replace").partition(":")
        if field == "data":
            self._data.append(value.removeprefix(" "))
            self._held += len(line)
            if self._held > _LONGEST:
                raise EventTooLong
        return []
