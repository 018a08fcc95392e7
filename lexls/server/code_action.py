"""textDocument/codeAction and codeAction/resolve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.citation_styles import CONVERT, conversions
from lexls.server.explain_actions import DRAFT, EXPLAIN, drafting, explaining, explaining_support
from lexls.server.fix_actions import FIX_ALL, fix_all, fixes
from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.features.find_support import SupportOption
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken
    from lexls.text.spans import Span

FIND_SUPPORT = "Find supporting authority"
LONGEST_QUOTE = 90
"""Characters of the passage in an action's title."""


def register(server: LexlsServer) -> None:
    """Offer code actions."""

    kinds: list[t.CodeActionKind | str] = [t.CodeActionKind.QuickFix, FIX_ALL, CONVERT, EXPLAIN]
    options = t.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)

    @server.feature(t.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_actions(ls: LexlsServer, params: t.CodeActionParams) -> list[t.CodeAction] | None:
        only = params.context.only
        wanted = [kind.value if isinstance(kind, t.CodeActionKind) else kind for kind in only or ("",)]
        encoding = ls.encoding
        uri = params.text_document.uri
        session = ls.session_of(uri)
        resolves = _resolves_edits(ls)
        unasked = params.context.trigger_kind == t.CodeActionTriggerKind.Automatic

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> list[t.CodeAction]:
            from lexls.features.find_support import support
            from lexls.server.convert import to_span

            span = to_span(document.lines, params.range, encoding)
            shown = params.context.diagnostics
            actions: list[t.CodeAction] = []
            if _asks_for("quickfix", wanted):
                actions += fixes(ls, session, snapshot, document, span, shown, token)
                if unasked:
                    actions += offered(snapshot, span)
            if not unasked and (_asks_for("quickfix", wanted) or _asks_for(EXPLAIN, wanted)):
                options = support(snapshot, span, snapshot.settings.support_max_results, token)
                if _asks_for("quickfix", wanted):
                    actions += supporting(snapshot, document, span, options)
                if _asks_for(EXPLAIN, wanted):
                    actions += explaining_support(uri, params.range, options)
            if _asks_for(EXPLAIN, wanted):
                actions += explaining(snapshot, uri, params.range, span)
            if _asks_for(DRAFT, wanted):
                actions += drafting(snapshot, uri, params.range, span)
            if _asks_for(CONVERT, wanted):
                actions += conversions(ls, snapshot, document, span, token)
            # Offered only where it is asked for by name: an editor runs it on save.
            if any(kind and _asks_for(FIX_ALL, [kind]) for kind in wanted):
                every = fix_all(ls, session, snapshot, document, token)
                actions += [every] if every is not None else []
            return actions

        def offered(snapshot: Snapshot, span: Span) -> list[t.CodeAction]:
            """The editor only wants to know whether to show a bulb: no search at each move of the cursor."""
            from lexls.features.find_support import proposition_at

            target = proposition_at(snapshot, span)
            bare = target is not None and not snapshot.draft.citations_in(target)
            return [t.CodeAction(FIND_SUPPORT, kind=t.CodeActionKind.QuickFix)] if bare else []

        def supporting(
            snapshot: Snapshot, document: OpenDocument, span: Span, options: Sequence[SupportOption]
        ) -> list[t.CodeAction]:
            actions = []
            for option in options:
                data = {
                    "uri": uri,
                    "version": document.version,
                    "start": span.start,
                    "end": span.end,
                    "authority": option.hit.authority.id,
                    "passage": option.hit.passage.id,
                }
                action = t.CodeAction(_title(snapshot, option), kind=t.CodeActionKind.QuickFix, data=data)
                if not resolves:
                    action.edit = _edit(ls, snapshot, document, data)
                actions.append(action)
            return actions

        return await ls.answer(uri, work, None)

    @server.feature(t.CODE_ACTION_RESOLVE)
    async def resolve(ls: LexlsServer, params: t.CodeAction) -> t.CodeAction:
        data = params.data
        if not isinstance(data, dict):
            return params

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> t.WorkspaceEdit | None:
            return _edit(ls, snapshot, document, data)

        params.edit = await ls.answer(str(data["uri"]), work, None)
        return params


def _edit(
    ls: LexlsServer, snapshot: Snapshot, document: OpenDocument, data: dict[str, object]
) -> t.WorkspaceEdit | None:
    from lexls.server.support import citing_edit
    from lexls.text.spans import Span

    if data["version"] != document.version:
        return None  # the spans are those of another text
    span = Span(int(str(data["start"])), int(str(data["end"])))
    return citing_edit(ls, snapshot, document, span, int(str(data["authority"])), int(str(data["passage"])))


def _title(snapshot: Snapshot, option: SupportOption) -> str:
    from lexls.features.cited_for import counted

    authority = option.hit.authority
    name = " ".join(each for each in (authority.title, authority.citation) if each)
    if authority.citation and authority.citation in authority.title:
        name = authority.title
    place = f" {option.place}" if option.place else ""
    quote = option.quote
    if len(quote) > LONGEST_QUOTE:
        quote = quote[:LONGEST_QUOTE].rsplit(" ", 1)[0] + " …"
    same = option.cited_for
    notes = [f"⚠ {option.warning}"] if option.warning else []
    if same is not None:
        notes.append(counted(snapshot.library, same, briefly=True))
    note = f" ({'; '.join(notes)})" if notes else ""
    return f"Cite {name}{place}{note}: “{quote}”"


def _asks_for(kind: str, wanted: Sequence[str]) -> bool:
    """Whether an editor that wants these kinds wants ``kind``: itself, or what it is a kind of."""
    return any(each in ("", kind) or kind.startswith(each + ".") for each in wanted)


def _resolves_edits(ls: LexlsServer) -> bool:
    document = ls.client_capabilities.text_document
    support = document.code_action.resolve_support if document and document.code_action else None
    return bool(support and "edit" in support.properties)
