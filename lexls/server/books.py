"""Return a draft's book of authorities as a PDF (``lexls.book``)."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

from lexls.server.answering import WorkProgress
from lexls.server.convert import to_path
from lexls.server.protocol import read_document
from lexls.server.server import LexlsServer
from lexls.text.cancel import CancelToken


def register(server: LexlsServer) -> None:
    """Register the command ``lexls.book``."""

    @server.command("lexls.book")
    async def book(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, _ = read_document(argument)
        document, session = ls.documents.get(uri), ls.session_of(uri)
        loop, progress = asyncio.get_running_loop(), WorkProgress(ls, "Making the book of authorities")

        def show(done: int, total: int) -> None:
            loop.call_soon_threadsafe(progress.report, f"Tab {done} of {total}")

        def work(token: CancelToken) -> dict[str, Any] | None:
            from lexls.export.book.making import make_book

            snapshot = ls.wait_for_snapshot(session, document, token)
            if snapshot is None or document is None:
                return None
            made = make_book(snapshot, to_path(document.uri).stem, token, show=show)
            return {
                "book": base64.b64encode(made.data).decode("ascii"),
                "pages": made.pages,
                "missing": [each.tab.name for each in made.tabs if each.tab.authority is None],
                "unlinked": len(made.unlinked),
            }

        try:
            return await ls.run_long(work)
        finally:
            progress.end()
