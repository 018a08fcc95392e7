"""textDocument/completion and completionItem/resolve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.markup import content, plain
from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.features.completion import CompletionItem
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken
    from lexls.text.lines import Encoding

TRIGGERS = ["*", "_", "[", "(", "{", "@", " "]
_KINDS = {
    "case": t.CompletionItemKind.Reference,
    "statute": t.CompletionItemKind.Module,
    "other": t.CompletionItemKind.File,
    "place": t.CompletionItemKind.Text,
}


def register(server: LexlsServer) -> None:
    """Offer completions."""

    options = t.CompletionOptions(trigger_characters=TRIGGERS, resolve_provider=True)

    @server.feature(t.TEXT_DOCUMENT_COMPLETION, options)
    async def completion(ls: LexlsServer, params: t.CompletionParams) -> t.CompletionList | None:
        encoding = ls.encoding
        snippets = _supports_snippets(ls)
        uri = params.text_document.uri
        typed = params.context.trigger_character if params.context else None

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> t.CompletionList | None:
            from lexls.features.completion import complete
            from lexls.server.convert import to_offset

            offset = to_offset(document.lines, params.position, encoding)
            items = complete(snapshot, offset, token)
            if typed == " " and not any(item.replace.start < offset for item in items):
                return None  # a space between two words of prose asks for nothing
            return t.CompletionList(
                is_incomplete=True,  # ranking depends on what is typed
                items=[_item(item, document, encoding, snippets, uri, offset) for item in items],
            )

        return await ls.answer(uri, work, None)

    @server.feature(t.COMPLETION_ITEM_RESOLVE)
    async def resolve(ls: LexlsServer, params: t.CompletionItem) -> t.CompletionItem:
        data = params.data
        if not isinstance(data, dict):
            return params

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> str:
            from lexls.features.completion import documentation

            return documentation(
                snapshot, int(data["authority"]), str(data["label"]), int(data["offset"]), token
            )

        text = await ls.answer(str(data["uri"]), work, "")
        if text:
            document = ls.client_capabilities.text_document
            item = document.completion.completion_item if document and document.completion else None
            formats = item.documentation_format if item else None
            params.documentation = content(text, formats) if formats else plain(text)
        return params


def _supports_snippets(ls: LexlsServer) -> bool:
    document = ls.client_capabilities.text_document
    item = document.completion.completion_item if document and document.completion else None
    return bool(item and item.snippet_support)


def _item(
    item: CompletionItem, document: OpenDocument, encoding: Encoding, snippets: bool, uri: str, offset: int
) -> t.CompletionItem:
    from lexls.server.convert import to_range

    return t.CompletionItem(
        label=item.label,
        label_details=t.CompletionItemLabelDetails(description=item.description)
        if item.description
        else None,
        detail=item.description or None,
        kind=_KINDS.get(item.kind, t.CompletionItemKind.Reference),
        sort_text=item.order,
        filter_text=item.filter,
        insert_text_format=t.InsertTextFormat.Snippet if snippets else t.InsertTextFormat.PlainText,
        text_edit=t.TextEdit(
            to_range(document.lines, item.replace, encoding), item.snippet() if snippets else item.plain
        ),
        data={"uri": uri, "offset": offset, "authority": item.authority, "label": item.label_of_place},
    )
