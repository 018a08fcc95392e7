"""Complete authorities as they are typed, and propose citations after sentences (inline completion, LSP
3.18).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from lsprotocol import types as t

from lexls.citations.model import PinpointKind
from lexls.server.convert import to_content, to_path, to_plain
from lexls.server.server import DocumentRequest, LexlsServer

if TYPE_CHECKING:
    from lexls.features.completion_item import CompletionItem
    from lexls.reading.edit import Edit


_CAPABILITY = "text_document.completion.completion_item"
TRIGGERS = ["*", "_", "[", "(", "{", "@", "§", "¶", " "]
_PLACE_KINDS: Mapping[object, PinpointKind] = {each: each for each in get_args(PinpointKind)}
_KINDS = {
    "case": t.CompletionItemKind.Reference,
    "statute": t.CompletionItemKind.Module,
    "other": t.CompletionItemKind.File,
    "place": t.CompletionItemKind.Text,
}


def register(server: LexlsServer) -> None:
    """Register completion."""
    options = t.CompletionOptions(trigger_characters=TRIGGERS, resolve_provider=True)

    @server.answers(t.TEXT_DOCUMENT_COMPLETION, options)
    def completion(asked: DocumentRequest, params: t.CompletionParams) -> t.CompletionList | None:
        from lexls.features.completion import complete, list_repairs
        from lexls.features.completion_context import follows_signal

        offset = asked.offset(params.position)
        typed = params.context.trigger_character if params.context else None
        behind = params.context is None or params.context.trigger_kind is t.CompletionTriggerKind.Invoked
        items = complete(asked.snapshot, offset, asked.token, behind=behind)
        asks = any(item.replace.start < offset or item.kind == "place" for item in items) or follows_signal(
            asked.snapshot.draft, offset
        )
        if typed == " " and not asks:
            return None  # a space between two words of prose is not a request
        snippets = bool(asked.ls.find_capability(f"{_CAPABILITY}.snippet_support"))
        return t.CompletionList(
            is_incomplete=True,  # ranking depends on what is typed
            items=[
                _item(asked, item, snippets, offset, shifted)
                for item, shifted in zip(items, list_repairs(asked.snapshot, items), strict=True)
            ],
        )

    @server.resolves(t.COMPLETION_ITEM_RESOLVE, authority=int, label=str, offset=int)
    def resolve(asked: DocumentRequest, params: t.CompletionItem, data: dict[str, Any]) -> t.CompletionItem:
        from lexls.features.completion import describe_item

        kind = _PLACE_KINDS.get(str(data.get("kind")))
        found = data["authority"], data["label"], data["offset"]
        text = describe_item(asked.snapshot, *found, asked.token, kind)
        if text:
            formats = asked.ls.find_capability(f"{_CAPABILITY}.documentation_format")
            params.documentation = to_content(text, formats) if formats else to_plain(text)
        return params

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


def _item(
    asked: DocumentRequest, item: CompletionItem, snippets: bool, offset: int, shifted: Sequence[Edit]
) -> t.CompletionItem:
    details = t.CompletionItemLabelDetails(description=item.description) if item.description else None
    transforms = asked.ls.find_own_capability("transforms") is True
    snippet = item.snippet(transforms=transforms) if snippets else None
    # The client's own command that requests completion again. Other editors use trigger characters.
    suggest = asked.ls.find_own_capability("suggest")
    return t.CompletionItem(
        label=item.label,
        label_details=details,
        detail=item.description or None,
        kind=_KINDS.get(item.kind, t.CompletionItemKind.Reference),
        sort_text=item.order,
        filter_text=item.filter,
        insert_text_format=t.InsertTextFormat.PlainText if snippet is None else t.InsertTextFormat.Snippet,
        text_edit=t.TextEdit(asked.range(item.replace), item.bare if snippet is None else snippet),
        additional_text_edits=[t.TextEdit(asked.range(each.span), each.text) for each in shifted] or None,
        command=t.Command("List Places", suggest) if item.asks_on and isinstance(suggest, str) else None,
        data={
            "uri": asked.document.uri,
            "offset": offset,
            "authority": item.authority,
            "label": item.label_of_place,
            "kind": item.place_kind,
        },
    )
