"""Convert citations to a style, and write a draft's table of authorities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.protocol import RequestRefused, read_document, refuse_argument
from lexls.server.server import DocumentRequest, LexlsServer, to_workspace_edit
from lexls.settings.declaration import CITATION_STYLES
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.reading.edit import Edit

CONVERT = "refactor.rewrite.lexls"
UNKNOWN_STYLE = f'"style" must be one of {", ".join(CITATION_STYLES)}'


def register(server: LexlsServer) -> None:
    """Register the commands that convert citations and write the table of authorities, and the handler that
    computes the edit of a chosen conversion.
    """
    server.resolves(t.CODE_ACTION_RESOLVE, version=int, start=int, end=int, style=str)(_resolve_conversion)

    @server.command("lexls.convertCitations")
    async def convert_citations(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, wanted = read_document(argument)
        style = argument.get("style") or ls.session_of(uri).settings.citations_style
        if style not in CITATION_STYLES:
            raise refuse_argument(UNKNOWN_STYLE)

        def work(asked: DocumentRequest) -> tuple[list[Edit], int]:
            from lexls.citations.styles import Style
            from lexls.writing.convert import convert_in

            draft = asked.snapshot.draft
            span = asked.span(wanted) if wanted is not None else Span(0, len(draft.source))
            found = convert_in(asked.snapshot, span, Style.load(style), asked.token, shorten=wanted is None)
            return found, len(draft.citations_in(span))

        found = await ls.answer(uri, work, None)
        if found is None:
            return None
        edits, cited = found
        answer = await apply_edits(ls, uri, edits, "Convert citations", argument)
        return {**answer, "converted": len(edits), "citations": cited}

    @server.command("lexls.tableOfAuthorities")
    async def table_of_authorities(ls: LexlsServer, argument: Any = None) -> dict[str, Any] | None:
        uri, wanted = read_document(argument)

        def work(asked: DocumentRequest) -> tuple[list[Edit], str]:
            from lexls.export.table_of_authorities import edit_draft, find_usual_place
            from lexls.text.format import UnclosedTable

            at = find_usual_place(asked.snapshot.draft) if wanted is None else asked.span(wanted).start
            try:
                edits = edit_draft(asked.snapshot, at, asked.token, pages=argument.get("pages") is True)
            except UnclosedTable as error:
                return [], str(error)
            return list(edits), ""

        found = await ls.answer(uri, work, None)
        if found is None:
            return None
        edits, reason = found
        if reason:
            ls.show(t.MessageType.Warning, reason)
        return {**await apply_edits(ls, uri, edits, "Table of authorities", argument), "reason": reason}


def offer_conversions(asked: DocumentRequest, span: Span, *, own: bool = False) -> Iterator[t.CodeAction]:
    """Yield one action for each style that converts the citations at ``span``, with the style from the
    settings first. With ``own``, yield only the action for that style, with its edit.

    Without ``own``, edits are computed only when an action is chosen, if the client supports that: a long
    draft takes a quarter of a second per style.
    """
    from lexls.citations.styles import Style
    from lexls.writing.convert import find_conversions

    draft, chosen = asked.snapshot.draft, asked.snapshot.settings.citations_style
    if not draft.citations_in(span) and draft.citation_at(span.start) is None:
        return
    open_until_chosen = not own and _resolves_edits(asked.ls)
    place = {
        "uri": asked.document.uri,
        "version": asked.document.version,
        "start": span.start,
        "end": span.end,
    }
    for name in sorted(CITATION_STYLES, key=lambda each: each != chosen):
        if own and name != chosen:
            continue
        style = Style.load(name)
        found = find_conversions(asked.snapshot, span, style, asked.token)
        first = next(found, None)
        if first is None:
            continue
        action = t.CodeAction(f"Convert to {style.title}", kind=CONVERT)
        if open_until_chosen:
            action.data = {**place, "style": name}
        else:
            action.edit = asked.edit([first, *found])
        yield action


def _resolves_edits(ls: LexlsServer) -> bool:
    """Return whether the client can request a code action's edit when the user chooses the action."""
    known = ls.find_capability("text_document.code_action")
    support = known.resolve_support if known is not None else None
    return support is not None and "edit" in support.properties and bool(known.data_support)


def _resolve_conversion(asked: DocumentRequest, action: t.CodeAction, data: dict[str, Any]) -> t.CodeAction:
    """Compute the edit of a chosen conversion. Refuses the request if the draft has changed since."""
    from lexls.citations.styles import Style
    from lexls.writing.convert import convert_in

    if data["style"] not in CITATION_STYLES:
        raise refuse_argument(UNKNOWN_STYLE)
    if data["version"] != asked.document.version:
        raise RequestRefused("the draft has changed since; choose the action again")
    span = Span(data["start"], max(data["start"], data["end"]))
    action.edit = asked.edit(convert_in(asked.snapshot, span, Style.load(data["style"]), asked.token))
    return action


async def apply_edits(
    ls: LexlsServer, uri: str, edits: Sequence[Edit], label: str, argument: Any
) -> dict[str, Any]:
    """Ask the client to apply the edits. If it cannot, or "apply" is false in ``argument``, return the edit
    in the result instead.
    """
    document = ls.documents.get(uri)
    if not edits or document is None:
        return {"applied": False, "edit": None}
    edit = to_workspace_edit(ls, document, edits)
    if argument.get("apply") is False or not ls.find_capability("workspace.apply_edit"):
        return {"applied": False, "edit": edit}
    done = await ls.workspace_apply_edit_async(t.ApplyWorkspaceEditParams(edit, label))
    return {"applied": done.applied, "edit": None}
