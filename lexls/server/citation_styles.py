"""Citations in a style: the actions "Convert to …", and the commands for a whole draft and its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.commands import wrong
from lexls.server.server import LexlsServer
from lexls.settings.declaration import CITATION_STYLES

if TYPE_CHECKING:
    from lexls.features.checks.problem import Edit
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken
    from lexls.text.spans import Span

CONVERT = "refactor.rewrite.lexls"


def register(server: LexlsServer) -> None:
    """Offer the commands that rewrite a draft's citations and its table of authorities."""

    @server.command("lexls.convertCitations")
    async def convert_citations(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri = _uri(argument)
        style = argument.get("style") or ls.session_of(uri).settings.citations_style
        if style not in CITATION_STYLES:
            raise wrong(f'"style" must be one of {", ".join(CITATION_STYLES)}')
        wanted = _range(argument)

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> tuple[list[Edit], int]:
            from lexls.citations.styles import Style
            from lexls.features.checks.problem import Edit
            from lexls.features.convert import convert_in
            from lexls.server.convert import to_span
            from lexls.text.spans import Span

            span = Span(0, len(snapshot.draft.source))
            if wanted is not None:
                span = to_span(document.lines, wanted, ls.encoding)
            found = convert_in(snapshot, span, Style.load(style), token, shorten=wanted is None)
            cited = len(snapshot.draft.citations_in(span))
            return [Edit(each.span, each.text) for each in found], cited

        found = await ls.answer(uri, work, None)
        if found is None:
            return None
        edits, cited = found
        answer = await change(ls, uri, edits, "Convert citations", argument)
        return {**answer, "converted": len(edits), "citations": cited}

    @server.command("lexls.tableOfAuthorities")
    async def table_of_authorities(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri = _uri(argument)
        wanted = _range(argument)

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> tuple[list[Edit], str]:
            from lexls.features.table_of_authorities import table_edit, usual_place
            from lexls.server.convert import to_span
            from lexls.text.generated import UnclosedTable

            at = usual_place(snapshot.draft)
            if wanted is not None:
                at = to_span(document.lines, wanted, ls.encoding).start
            try:
                edit = table_edit(snapshot, at, token)
            except UnclosedTable as error:
                return [], str(error)
            return ([edit] if edit is not None else []), ""

        found = await ls.answer(uri, work, None)
        if found is None:
            return None
        edits, reason = found
        if reason:
            ls.window_show_message(t.ShowMessageParams(t.MessageType.Warning, f"lexls: {reason}"))
        return {**await change(ls, uri, edits, "Table of authorities", argument), "reason": reason}


def conversions(
    ls: LexlsServer, snapshot: Snapshot, document: OpenDocument, span: Span, token: CancelToken
) -> list[t.CodeAction]:
    """An action for each style that writes the citations at ``span`` otherwise, the settings' first."""
    from lexls.citations.styles import Style
    from lexls.features.checks.problem import Edit
    from lexls.features.convert import convert_in
    from lexls.server.fix_actions import workspace_edit

    if not snapshot.draft.citations_in(span) and snapshot.draft.citation_at(span.start) is None:
        return []
    own = snapshot.settings.citations_style
    actions = []
    for name in sorted(CITATION_STYLES, key=lambda each: each != own):
        style = Style.load(name)
        found = convert_in(snapshot, span, style, token)
        if found:
            edits = [Edit(each.span, each.text) for each in found]
            actions.append(
                t.CodeAction(
                    f"Convert to {style.title}", kind=CONVERT, edit=workspace_edit(ls, document, edits)
                )
            )
    return actions


async def change(
    ls: LexlsServer, uri: str, edits: Sequence[Edit], label: str, argument: Any
) -> dict[str, Any]:
    """Have the client make the edits; where it cannot, or is asked not to, they are part of the answer."""
    from lexls.server.fix_actions import workspace_edit

    document = ls.documents.get(uri)
    if not edits or document is None:
        return {"applied": False, "edit": None}
    edit = workspace_edit(ls, document, edits)
    workspace = ls.client_capabilities.workspace
    if argument.get("apply") is False or workspace is None or not workspace.apply_edit:
        return {"applied": False, "edit": edit}
    done = await ls.workspace_apply_edit_async(t.ApplyWorkspaceEditParams(edit, label))
    return {"applied": done.applied, "edit": None}


def _uri(argument: Any) -> str:
    if not isinstance(argument, dict) or not isinstance(argument.get("uri"), str):
        raise wrong('the argument must be {"uri": …}')
    return str(argument["uri"])


def _range(argument: Any) -> t.Range | None:
    """The range or position of an argument, None if it has neither."""
    try:
        if "range" in argument:
            first, last = argument["range"]["start"], argument["range"]["end"]
        elif "position" in argument:
            first = last = argument["position"]
        else:
            return None
        start, end = (t.Position(int(p["line"]), int(p["character"])) for p in (first, last))
    except (TypeError, KeyError, ValueError) as error:
        raise wrong('"range" and "position" must be those of the protocol') from error
    return t.Range(start, end)
