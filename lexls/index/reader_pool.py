"""Connections that read an index file, one for each thread at a time."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import apsw

from lexls.index.connection import load_vector_extension, open_reader
from lexls.text.cancel import Cancelled, CancelToken

Connect = Callable[[CancelToken | None], AbstractContextManager[apsw.Connection]]
"""Lends a connection to the calling thread; a cancelled token interrupts its statement."""


class ReaderPool:
    """Connections to the index file at ``path``, kept for the next who asks. Safe from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._free: list[apsw.Connection] = []
        self._lock = threading.Lock()
        self._closed = False

    def open(self) -> apsw.Connection:
        """A connection that is the caller's to close. Raises ``apsw.CantOpenError`` if there is no file."""
        connection = open_reader(self._path)
        load_vector_extension(connection)
        return connection

    @contextlib.contextmanager
    def lend(self, token: CancelToken | None = None) -> Iterator[apsw.Connection]:
        """A connection of its own for the calling thread; a cancelled token interrupts its statement, which
        raises ``Cancelled``.
        """
        with self._lock:
            connection = self._free.pop() if self._free else None
        connection = connection or self.open()
        forget = token.on_cancel(connection.interrupt) if token else lambda: None
        try:
            yield connection
        except apsw.InterruptError:
            raise Cancelled from None
        finally:
            forget()
            with self._lock:
                if self._closed:
                    connection.close()
                else:
                    self._free.append(connection)

    def close(self) -> None:
        """Close the connections that are not lent, and the others when they come back."""
        with self._lock:
            self._closed = True
            for connection in self._free:
                connection.close()
            self._free.clear()
