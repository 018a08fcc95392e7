"""The progress of one request that takes long, which the user can cancel."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

from lsprotocol import types as t

from lexls.server.protocol import Protocol
from lexls.server.server import LexlsServer

CREATE_SECONDS = 5.0
"""How long a client may take to agree to show progress; the work does not wait for it."""


class WorkProgress:
    """Shows that a request is being worked on, where the client can show it. Belongs to the event loop.

    The user's cancelling cancels ``request``, by default the task it is made in. The client's own token is
    used if it gave one with the request.
    """

    def __init__(self, ls: LexlsServer, title: str, request: asyncio.Task[Any] | None = None) -> None:
        self._ls = ls
        self._title = title
        self._message = ""
        self._begun = self._ended = False
        self._request = request or asyncio.current_task()
        protocol = ls.protocol
        given = protocol.progress_token if isinstance(protocol, Protocol) else None
        self._token: str | int = given if given is not None else f"lexls-{uuid.uuid4()}"
        window = ls.client_capabilities.window
        if given is not None:
            self._begin()
        elif window and window.work_done_progress:
            ls.spawn(self._create())

    def report(self, message: str) -> None:
        """Say what is being done now."""
        if message == self._message or self._ended:
            return
        self._message = message
        if self._begun:
            self._ls.work_done_progress.report(self._token, t.WorkDoneProgressReport(message=message))

    def end(self) -> None:
        """The work is done, failed or cancelled."""
        self._ended = True
        if self._begun:
            self._begun = False
            self._ls.work_done_progress.tokens.pop(self._token, None)
            self._ls.work_done_progress.end(self._token, t.WorkDoneProgressEnd())

    async def _create(self) -> None:
        progress = self._ls.work_done_progress
        try:
            await asyncio.wait_for(progress.create_async(self._token), CREATE_SECONDS)
        except Exception as error:  # a client that does not want progress still wants the answer
            self._ls.report_server_error(error, None)
            return
        if self._ended:
            progress.tokens.pop(self._token, None)
        else:
            self._begin()

    def _begin(self) -> None:
        self._begun = True
        progress = self._ls.work_done_progress
        begin = t.WorkDoneProgressBegin(self._title, cancellable=True, message=self._message or None)
        progress.begin(self._token, begin)
        progress.tokens[self._token].add_done_callback(self._cancelled)

    def _cancelled(self, future: Any) -> None:
        if future.cancelled() and not self._ended and self._request is not None:
            self._request.cancel()
