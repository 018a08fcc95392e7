"""Offer code actions: a short list of fixes, supporting authority, an explanation, and more.

If the client cannot show a list of its own, the user chooses an action in a message.
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
"""lexls's own kind of code action. Editors list unknown kinds under "more actions" (VS Code) or among the
others; "source" actions would not appear in the menu at the cursor.
"""
DRAFT = "refactor.rewrite.lexls"
FIX_ALL = "source.fixAll.lexls"
MORE = "More…"
EXPLAIN_CITATION = "Explain this citation"
_FOR_SENTENCES: Mapping[str, tuple[str, t.CodeActionKind | str]] = {
    "lexls.findSupport": ("Find supporting authority…", t.CodeActionKind.QuickFix),
    "lexls.contrary": ("Contrary authority", EXPLAIN),
    "lexls.draft": ("Draft a supported sentence", DRAFT),
}
"""Title and kind of the action for each command offered on a sentence."""
FEWEST_WORDS = 4
"""Minimum number of words, apart from citations, for a sentence to state a proposition."""


def register(server: LexlsServer) -> None:
    """Register code actions."""
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
        # Offered only if requested by name, since editors run it on save.
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
    """Return the actions of the cursor menu. No search runs for them. The menu does not list authorities one
    by one, and its last entry leads to all other actions.
    """
    range_ = params.range
    actions = offer_fixes(asked, span, params.context.diagnostics)
    actions += _offer(asked, span, range_, "lexls.findSupport")
    actions += offer_explaining(asked, span, range_)
    # By itself it does not justify a light bulb, but it is shown if the user opens the menu.
    automatic = params.context.trigger_kind == t.CodeActionTriggerKind.Automatic
    if (actions or not automatic) and next(offer_more(asked, span, range_), None) is not None:
        actions.append(_action(MORE, EXPLAIN, "lexls.more", asked.document.uri, range_))
    return actions


def offer_more(asked: DocumentRequest, span: Span, range_: t.Range) -> Iterator[t.CodeAction]:
    """Yield the actions that the cursor menu offers under its last entry."""
    yield from _offer(asked, span, range_, "lexls.contrary")
    yield from _offer(asked, span, range_, "lexls.draft")
    yield from offer_conversions(asked, span, own=True)
    yield from offer_ignoring(asked, _find(asked, span))


def _asks_for(kind: str, wanted: Sequence[str]) -> bool:
    """Return whether ``kind`` is one of the kinds that an editor requests (``wanted``) or a subkind of one.
    The kind "" includes all others.
    """
    return any(each in ("", kind) or kind.startswith(each + ".") for each in wanted)


def _find(asked: DocumentRequest, span: Span) -> list[Finding]:
    """Return the findings that touch ``span`` of the document's source, or the citation at the start of
    ``span``.
    """
    cited = asked.snapshot.draft.citation_at(span.start)
    start = min(span.start, cited.span.start) if cited is not None else span.start
    end = max(span.end, cited.span.end) if cited is not None else span.end
    found = asked.session.checker.find(asked.snapshot, asked.document, asked.token).findings
    return [each for each in found if each.span.start <= end and each.span.end >= start]


def offer_fixes(asked: DocumentRequest, span: Span, reported: Sequence[t.Diagnostic]) -> list[t.CodeAction]:
    """Return a quick fix for each correction of each finding at ``span`` (of the document's source), and
    actions to ignore the findings there.

    ``reported`` are the diagnostics that the editor shows there. Each fix refers to the diagnostic that it
    corrects.
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
    """Return one action that applies the fix of every finding with exactly one preferred fix, or an empty
    list. Of overlapping fixes, only the first is applied.
    """
    edits: list[Edit] = []
    for finding in asked.session.checker.find(asked.snapshot, asked.document, asked.token).findings:
        preferred = [fix for fix in finding.fixes if fix.preferred]
        # Two changes at one place would conflict: the later one is left for the next run.
        if len(preferred) == 1 and not any(
            edit.span.touches(other.span.start) or other.span.touches(edit.span.start)
            for edit in preferred[0].edits
            for other in edits
        ):
            edits.extend(preferred[0].edits)
    title = "Apply All Unambiguous Fixes"
    return [t.CodeAction(title, kind=FIX_ALL, edit=asked.edit(edits))] if edits else []


def offer_explaining(asked: DocumentRequest, span: Span, range_: t.Range) -> list[t.CodeAction]:
    """Return the action that explains the citation at ``span``, if the library has the cited authority."""
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
    """Return the action that runs ``command`` on the sentence at ``span``, or an empty list if the sentence
    states no proposition. The draft command also requires that the sentence has no citation. The work is
    done when the action is chosen.
    """
    title, kind = _FOR_SENTENCES[command]
    if not _states(asked.snapshot, span, uncited=command == "lexls.draft"):
        return []
    return [_action(title, kind, command, asked.document.uri, range_)]


def _states(snapshot: Snapshot, span: Span, *, uncited: bool = False) -> bool:
    """Return whether the sentence at ``span`` states a proposition; with ``uncited``, it must also have no
    citation.
    """
    from lexls.reading.propositions import find_proposition, write_bare

    target = find_proposition(snapshot.draft, span)
    if target is None or (uncited and snapshot.draft.citations_in(target)):
        return False
    return len(write_bare(snapshot.draft, target).split()) >= FEWEST_WORDS


def _action(
    title: str, kind: t.CodeActionKind | str, command: str, uri: str, range_: t.Range
) -> t.CodeAction:
    # A command run from a menu has no view for its answer, so the server has to show it.
    shown = {} if command == "lexls.draft" else {"show": True}
    argument = {"uri": uri, "range": range_, **shown}
    return t.CodeAction(
        title, kind=kind, command=t.Command(title=title, command=command, arguments=[argument])
    )


MOST = 5
"""Maximum number of choices in a message. Editors show them as buttons or on one line."""
LONGEST = 80
"""Maximum length of a title in code points."""


def offer(ls: LexlsServer, argument: Any, question: str, actions: Sequence[t.CodeAction]) -> None:
    """If a menu ran the command (``show``) and the client cannot show lexls's results itself, let the user
    choose one of the ``actions`` in a message.
    """
    if argument.get("show") and not shows_answers(ls):
        ls.spawn(_choose(ls, question, actions))


async def _choose(ls: LexlsServer, question: str, actions: Sequence[t.CodeAction]) -> None:
    """Ask the user to choose one of the first ``MOST`` actions, and run it."""
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
    """Return ``title``, shortened at a word to at most ``LONGEST`` code points, with " …" at the end."""
    return title if len(title) <= LONGEST else title[: LONGEST - 2].rsplit(" ", 1)[0] + " …"
