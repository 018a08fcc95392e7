"""Offer code actions: a short list of fixes, supporting authority, an explanation, and more.

In clients that show no list of their own, the user chooses among the actions in a message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.answering import shows_answers
from lexls.server.citation_styles import CONVERT, offer_conversions
from lexls.server.ignoring import offer_describing, offer_ignoring
from lexls.server.protocol import read_place
from lexls.server.server import DocumentRequest, LexlsServer

if TYPE_CHECKING:
    from lexls.assessing.check import Finding
    from lexls.reading.edit import Edit
    from lexls.reading.snapshot import Snapshot
    from lexls.text.spans import Span


EXPLAIN = "explain.lexls"
"""A kind of its own: editors list kinds that they do not know under "more actions" (VS Code) or among all
others; those of "source" they would leave out of the menu at the cursor."""
DRAFT = "refactor.rewrite.lexls"
FIX_ALL = "source.fixAll.lexls"
MORE = "More…"
EXPLAIN_CITATION = "Explain this citation"
_FOR_SENTENCES: Mapping[str, tuple[str, t.CodeActionKind | str]] = {
    "lexls.findSupport": ("Find supporting authority…", t.CodeActionKind.QuickFix),
    "lexls.contrary": ("Contrary authority", EXPLAIN),
    "lexls.draft": ("Draft a supported sentence", DRAFT),
}
"""Command → title and kind of what is offered for a sentence."""
FEWEST_WORDS = 4
"""A sentence with fewer words beside its citations says nothing that could be borne out or denied."""


def register(server: LexlsServer) -> None:
    """Offer code actions."""
    kinds: list[t.CodeActionKind | str] = [t.CodeActionKind.QuickFix, FIX_ALL, CONVERT, EXPLAIN]

    options = t.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)

    @server.answers(t.TEXT_DOCUMENT_CODE_ACTION, options, checks=True)
    def code_actions(asked: DocumentRequest, params: t.CodeActionParams) -> list[t.CodeAction]:
        only = params.context.only
        wanted = [kind.value if isinstance(kind, t.CodeActionKind) else kind for kind in only or ("",)]
        span, range_ = asked.span(params.range), params.range
        if not only:
            return offer_few(asked, span, params)
        actions: list[t.CodeAction] = []
        if _asks_for("quickfix", wanted):
            actions += offer_fixes(asked, span, params.context.diagnostics)
            actions += _offer(asked, span, range_, "lexls.findSupport")
        if _asks_for(EXPLAIN, wanted):
            actions += offer_explaining(asked, span, range_)
            actions += _offer(asked, span, range_, "lexls.contrary")
        if _asks_for(DRAFT, wanted):
            actions += _offer(asked, span, range_, "lexls.draft")
        if _asks_for(CONVERT, wanted):
            actions += offer_conversions(asked, span)
        # Offered only where it is asked for by name: an editor runs it on save.
        if any(kind and _asks_for(FIX_ALL, [kind]) for kind in wanted):
            actions += offer_fix_all(asked)
        return actions

    @server.command("lexls.more")
    async def more(ls: LexlsServer, argument: Any = None) -> list[t.CodeAction] | None:
        uri, range_ = read_place(argument)

        def work(asked: DocumentRequest) -> list[t.CodeAction]:
            return list(offer_more(asked, asked.span(range_), range_))

        actions = await ls.answer(uri, work, None)
        if actions:
            offer(ls, argument, "What next?", actions)
        return actions


def offer_few(asked: DocumentRequest, span: Span, params: t.CodeActionParams) -> list[t.CodeAction]:
    """Return what a menu at the cursor shows: no search, no row for each authority, and the rest behind
    one row."""
    range_ = params.range
    actions = offer_fixes(asked, span, params.context.diagnostics)
    actions += _offer(asked, span, range_, "lexls.findSupport")
    actions += offer_explaining(asked, span, range_)
    # Alone, it is no reason to show a bulb; who opens the menu finds it.
    automatic = params.context.trigger_kind == t.CodeActionTriggerKind.Automatic
    if (actions or not automatic) and next(offer_more(asked, span, range_), None) is not None:
        actions.append(_action(MORE, EXPLAIN, "lexls.more", asked.document.uri, range_))
    return actions


def offer_more(asked: DocumentRequest, span: Span, range_: t.Range) -> Iterator[t.CodeAction]:
    """Return what the menu has no room for."""
    yield from _offer(asked, span, range_, "lexls.contrary")
    yield from _offer(asked, span, range_, "lexls.draft")
    yield from offer_conversions(asked, span, own=True)
    yield from offer_ignoring(asked, _find(asked, span))


def _asks_for(kind: str, wanted: Sequence[str]) -> bool:
    """Return whether an editor that wants these kinds wants ``kind``: itself, or what it is a kind of."""
    return any(each in ("", kind) or kind.startswith(each + ".") for each in wanted)


def _find(asked: DocumentRequest, span: Span) -> list[Finding]:
    """The findings that touch ``span`` of the document's source, or the citation that its beginning is in."""
    cited = asked.snapshot.draft.citation_at(span.start)
    start = min(span.start, cited.span.start) if cited is not None else span.start
    end = max(span.end, cited.span.end) if cited is not None else span.end
    found = asked.session.checker.find(asked.snapshot, asked.document, asked.token).findings
    return [each for each in found if each.span.start <= end and each.span.end >= start]


def offer_fixes(asked: DocumentRequest, span: Span, reported: Sequence[t.Diagnostic]) -> list[t.CodeAction]:
    """A quick fix for each answer to each finding at ``span`` (of the document's source), and one that has it
    ignored there.

    ``reported`` are the diagnostics that the editor shows there: a fix names the one it mends.
    """
    actions = []
    found = _find(asked, span)
    for finding in found:
        said = ("lexls", finding.code, finding.message)
        shown = [each for each in reported if (each.source, each.code, each.message) == said] or None
        actions += [
            t.CodeAction(
                fix.title,
                kind=t.CodeActionKind.QuickFix,
                diagnostics=shown,
                is_preferred=True if fix.preferred else None,
                edit=asked.edit(fix.edits) if fix.edits else None,
                command=offer_describing(asked, fix),
            )
            for fix in finding.fixes
        ]
    return actions + offer_ignoring(asked, found, reported=reported, here=True)


def offer_fix_all(asked: DocumentRequest) -> list[t.CodeAction]:
    """One action that makes every change which is the only answer to its problem; none if there is none."""
    edits: list[Edit] = []
    for finding in asked.session.checker.find(asked.snapshot, asked.document, asked.token).findings:
        preferred = [fix for fix in finding.fixes if fix.preferred]
        # Two changes at one place would undo each other: the later waits for the next time.
        if len(preferred) == 1 and not any(
            edit.span.touches(other.span.start) or other.span.touches(edit.span.start)
            for edit in preferred[0].edits
            for other in edits
        ):
            edits.extend(preferred[0].edits)
    title = "Mend everything that has one answer"
    return [t.CodeAction(title, kind=FIX_ALL, edit=asked.edit(edits))] if edits else []


def offer_explaining(asked: DocumentRequest, span: Span, range_: t.Range) -> list[t.CodeAction]:
    """The explanation of the citation at ``span``, if the library has what it cites."""
    from lexls.reading.propositions import find_citation_near
    from lexls.reading.resolve import find_authority, resolve

    snapshot = asked.snapshot
    citation = find_citation_near(snapshot.draft, span.start)
    if (
        citation is None
        or find_authority(snapshot.library, resolve(snapshot.library, snapshot.draft, citation)) is None
    ):
        return []
    return [_action(EXPLAIN_CITATION, EXPLAIN, "lexls.explain", asked.document.uri, range_)]


def _offer(asked: DocumentRequest, span: Span, range_: t.Range, command: str) -> list[t.CodeAction]:
    """Offer a command for the sentence at ``span``, if that says something; the work is done when chosen."""
    title, kind = _FOR_SENTENCES[command]
    if not _states(asked.snapshot, span, uncited=command == "lexls.draft"):
        return []
    return [_action(title, kind, command, asked.document.uri, range_)]


def _states(snapshot: Snapshot, span: Span, *, uncited: bool = False) -> bool:
    """Return whether a sentence there says something; with ``uncited`` only one that cites nothing."""
    from lexls.reading.propositions import find_proposition, write_bare

    target = find_proposition(snapshot.draft, span)
    if target is None or (uncited and snapshot.draft.citations_in(target)):
        return False
    return len(write_bare(snapshot.draft, target).split()) >= FEWEST_WORDS


def _action(
    title: str, kind: t.CodeActionKind | str, command: str, uri: str, range_: t.Range
) -> t.CodeAction:
    # Whoever runs it from a menu has nothing to show an answer with but what the server asks for.
    shown = {} if command == "lexls.draft" else {"show": True}
    argument = {"uri": uri, "range": range_, **shown}
    return t.CodeAction(
        title, kind=kind, command=t.Command(title=title, command=command, arguments=[argument])
    )


MOST = 5
"""Editors show the choices as buttons, or as one line."""
LONGEST = 80
"""Code points of a title."""


def offer(ls: LexlsServer, argument: Any, question: str, actions: Sequence[t.CodeAction]) -> None:
    """Let the user choose, where a menu ran the command (``show``) in a client that has no list for it."""
    if argument.get("show") and not shows_answers(ls):
        ls.spawn(_choose(ls, question, actions))


async def _choose(ls: LexlsServer, question: str, actions: Sequence[t.CodeAction]) -> None:
    """Ask which of the first actions to take, and take it."""
    titles = {cut_title(each.title): each for each in actions[:MOST]}
    items = [t.MessageActionItem(title) for title in titles]
    request = t.ShowMessageRequestParams(t.MessageType.Info, f"lexls: {question}", items)
    answer = await ls.window_show_message_request_async(request)
    chosen = titles.get(answer.title) if answer is not None else None
    if chosen is None:
        return
    if chosen.edit is not None:
        await ls.workspace_apply_edit_async(t.ApplyWorkspaceEditParams(chosen.edit, chosen.title))
    if chosen.command is not None:
        command = ls.protocol.fm.commands[chosen.command.command]
        await command(*(chosen.command.arguments or ()))


def cut_title(title: str) -> str:
    """``title``, or as many of its words as ``LONGEST`` allows, with " …"."""
    return title if len(title) <= LONGEST else title[: LONGEST - 2].rsplit(" ", 1)[0] + " …"
