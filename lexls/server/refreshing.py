"""workspace/*/refresh: what editors show goes stale when the library or the settings change."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from lexls.server.server import LexlsServer
from lexls.server.session import Session

QUIET_SECONDS = 1.0
"""While the indexer is busy the library changes all the time: editors are told this often at most."""


def register(server: LexlsServer) -> None:
    """Tell the editor to ask again for what depends on the library, each kind where it can be told."""
    refreshing: list[asyncio.Task[None]] = []

    async def refresh() -> None:
        await asyncio.sleep(QUIET_SECONDS)
        refreshing.clear()
        for ask in _supported(server):
            try:
                await ask(None)
            except Exception as error:  # what one kind is refused may help another
                server.report_server_error(error, None)

    def changed(session: Session) -> None:
        if not refreshing:
            refreshing.append(server.spawn(refresh()))

    server.watchers.append(changed)


def _supported(server: LexlsServer) -> list[Callable[[None], Awaitable[None]]]:
    workspace = server.client_capabilities.workspace
    if workspace is None:
        return []
    kinds: list[tuple[object, Callable[[None], Awaitable[None]]]] = [
        (workspace.inlay_hint, server.workspace_inlay_hint_refresh_async),
        (workspace.semantic_tokens, server.workspace_semantic_tokens_refresh_async),
        (workspace.code_lens, server.workspace_code_lens_refresh_async),
    ]
    return [ask for known, ask in kinds if getattr(known, "refresh_support", False)]
