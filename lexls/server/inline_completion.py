"""Propose a citation behind a sentence as it is typed (textDocument/inlineCompletion, LSP 3.18)."""

from __future__ import annotations

from lsprotocol import types as t

from lexls.server.convert import to_path
from lexls.server.server import DocumentRequest, LexlsServer


def register(server: LexlsServer) -> None:
    """Offer inline completions, where the settings ask for them."""

    @server.answers(t.TEXT_DOCUMENT_INLINE_COMPLETION, t.InlineCompletionOptions())
    def inline(asked: DocumentRequest, params: t.InlineCompletionParams) -> t.InlineCompletionList | None:
        from lexls.features.inline_completion import propose_citation

        session = asked.session
        if not session.settings.completion_inline or session.is_authority(to_path(asked.document.uri)):
            return None
        found = propose_citation(asked.snapshot, asked.offset(params.position), asked.token)
        if found is None:
            return None
        return t.InlineCompletionList([t.InlineCompletionItem(found.text, range=asked.range(found.replace))])
