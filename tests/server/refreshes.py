"""What a client does that says it can be told to ask again."""

from __future__ import annotations

from lsprotocol import types as t
from pytest_lsp import LanguageClient


def take_refreshes(client: LanguageClient) -> list[str]:
    """Have ``client`` answer the server's requests to ask again; the list names those that came."""
    taken: list[str] = []

    def take(method: str) -> None:
        @client.feature(method)
        def refresh(params: None) -> None:
            taken.append(method)

    for method in (
        t.WORKSPACE_INLAY_HINT_REFRESH,
        t.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
        t.WORKSPACE_CODE_LENS_REFRESH,
    ):
        take(method)
    return taken
