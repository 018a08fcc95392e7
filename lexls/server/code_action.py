"""Offer code actions: fixes, supporting authority, explanations, drafts, conversions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.citation_styles import CONVERT, offer_conversions
from lexls.server.server import DocumentRequest, LexlsServer

if TYPE_CHECKING:
    from lexls.features.checks.check import Edit, Finding
    from lexls.features.find_support import SupportOption
    from lexls.features.snapshot import Snapshot
    from lexls.text.spans import Span


FIND_SUPPORT = "Find supporting authority"
LONGEST_QUOTE = 90
"""Characters of the passage in an action's title."""


def register(server: LexlsServer) -> None:
    """Offer code actions."""
    kinds: list[t.CodeActionKind | str] = [t.CodeActionKind.QuickFix, FIX_ALL, CONVERT, EXPLAIN]
    options = t.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)

    @server.answers(t.TEXT_DOCUMENT_CODE_ACTION, options)
    def code_actions(asked: DocumentRequest, params: t.CodeActionParams) -> list[t.CodeAction]:
        only = params.context.only
        wanted = [kind.value if isinstance(kind, t.CodeActionKind) else kind for kind in only or ("",)]
        quick, explains = _asks_for("quickfix", wanted), _asks_for(EXPLAIN, wanted)
        unasked = params.context.trigger_kind == t.CodeActionTriggerKind.Automatic
        span = asked.span(params.range)
        actions: list[t.CodeAction] = []
        if quick:
            actions += offer_fixes(asked, span, params.context.diagnostics)
            if unasked:
                actions += _offer_support(asked.snapshot, span)
        if not unasked and (quick or explains):
            from lexls.features.find_support import find_support

            most = asked.snapshot.settings.support_max_results
            options = find_support(asked.snapshot, span, most, asked.token)
            if quick:
                actions += [_cite(asked, span, option) for option in options]
            if explains:
                actions += offer_reasons(asked.document.uri, params.range, options)
        if explains:
            actions += offer_explaining(asked.snapshot, asked.document.uri, params.range, span)
        if _asks_for(DRAFT, wanted) and _states(asked.snapshot, span, uncited=True):
            actions.append(_action(DRAFT_SENTENCE, DRAFT, "lexls.draft", asked.document.uri, params.range))
        if _asks_for(CONVERT, wanted):
            actions += offer_conversions(asked, span)
        # Offered only where it is asked for by name: an editor runs it on save.
        if any(kind and _asks_for(FIX_ALL, [kind]) for kind in wanted):
            actions += offer_fix_all(asked)
        return actions

    @server.resolves(t.CODE_ACTION_RESOLVE)
    def resolve(asked: DocumentRequest, params: t.CodeAction, data: dict[str, Any]) -> t.CodeAction:
        params.edit = _edit(asked, data)
        return params


def _offer_support(snapshot: Snapshot, span: Span) -> list[t.CodeAction]:
    """The editor only wants to know whether to show a bulb: no search at each move of the cursor."""
    from lexls.features.propositions import find_proposition

    target = find_proposition(snapshot.draft, span)
    bare = target is not None and not snapshot.draft.citations_in(target)
    return [t.CodeAction(FIND_SUPPORT, kind=t.CodeActionKind.QuickFix)] if bare else []


def _cite(asked: DocumentRequest, span: Span, option: SupportOption) -> t.CodeAction:
    """The action that cites an authority; its edit is made now only where the client cannot ask for it."""
    data = {
        "uri": asked.document.uri,
        "version": asked.document.version,
        "start": span.start,
        "end": span.end,
        "authority": option.hit.authority.id,
        "passage": option.hit.passage.id,
    }
    action = t.CodeAction(_title(asked.snapshot, option), kind=t.CodeActionKind.QuickFix, data=data)
    resolved = asked.ls.find_capability("text_document.code_action.resolve_support.properties")
    if "edit" not in (resolved or ()):
        action.edit = _edit(asked, data)
    return action


def _edit(asked: DocumentRequest, data: dict[str, Any]) -> t.WorkspaceEdit | None:
    """The edit that cites an authority, with a passage's place as pinpoint; None if either is gone."""
    from lexls.features.citing import find_edits
    from lexls.text.spans import Span

    if data["version"] != asked.document.version:
        return None  # the spans are those of another text
    span = Span(int(data["start"]), int(data["end"]))
    library = asked.snapshot.library
    authority = library.catalogue.get(int(data["authority"]))
    if authority is None:
        return None
    records = library.contents.passage_records([int(data["passage"])])
    return asked.edit(find_edits(asked.snapshot, span, authority, records[0] if records else None))


def _title(snapshot: Snapshot, option: SupportOption) -> str:
    from lexls.features.cited_for import count_in_words
    from lexls.grounding.place_words import join_citation

    authority = option.hit.authority
    name = join_citation(authority.name, authority.citation, authority.jurisdiction)
    place = f" {option.place}" if option.place else ""
    quote = option.quote
    if len(quote) > LONGEST_QUOTE:
        quote = quote[:LONGEST_QUOTE].rsplit(" ", 1)[0] + " …"
    same = option.cited_for
    notes = [f"⚠ {option.warning}"] if option.warning else []
    if same is not None:
        notes.append(count_in_words(snapshot.library, same, briefly=True))
    note = f" ({'; '.join(notes)})" if notes else ""
    return f"Cite {name}{place}{note}: “{quote}”"


def _asks_for(kind: str, wanted: Sequence[str]) -> bool:
    """Whether an editor that wants these kinds wants ``kind``: itself, or what it is a kind of."""
    return any(each in ("", kind) or kind.startswith(each + ".") for each in wanted)


FIX_ALL = "source.fixAll.lexls"


def offer_fixes(asked: DocumentRequest, span: Span, reported: Sequence[t.Diagnostic]) -> list[t.CodeAction]:
    """A quick fix for each answer to each finding that touches ``span`` (of the document's source).

    ``reported`` are the diagnostics that the editor shows there: a fix names the one it mends.
    """
    return [
        t.CodeAction(
            fix.title,
            kind=t.CodeActionKind.QuickFix,
            diagnostics=[each for each in reported if _is(each, finding)] or None,
            is_preferred=True if fix.preferred else None,
            edit=asked.edit(fix.edits),
        )
        for finding in asked.session.checker.find(asked.snapshot, asked.document, asked.token)
        if finding.span.start <= span.end and finding.span.end >= span.start
        for fix in finding.fixes
    ]


def offer_fix_all(asked: DocumentRequest) -> list[t.CodeAction]:
    """One action that makes every change which is the only answer to its problem; none if there is none."""
    edits: list[Edit] = []
    for finding in asked.session.checker.find(asked.snapshot, asked.document, asked.token):
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


def _is(shown: t.Diagnostic, finding: Finding) -> bool:
    return shown.source == "lexls" and shown.code == finding.code and shown.message == finding.message


EXPLAIN = "explain.lexls"
"""A kind of its own: editors list kinds that they do not know under "more actions" (VS Code) or among all
others; those of "source" they would leave out of the menu at the cursor."""
DRAFT = "refactor.rewrite.lexls"
EXPLAIN_CITATION = "Explain this citation"
EXPLAIN_SUPPORT = "Explain how {authority} supports the sentence"
DRAFT_SENTENCE = "Draft a supported sentence"
CONTRARY = "Contrary authority"
FEWEST_WORDS = 4
"""A sentence with fewer words beside its citations says nothing that could be borne out or denied."""
EXPLAINED = 3
"""Of so many authorities that were found it is offered to explain how they support the sentence."""


def offer_explaining(snapshot: Snapshot, uri: str, range_: t.Range, span: Span) -> list[t.CodeAction]:
    """What can be explained at ``span``: the citation there, and what stands against its sentence."""
    from lexls.features.propositions import find_citation_near
    from lexls.features.resolve import find_authority, resolve

    actions = []
    citation = find_citation_near(snapshot.draft, span.start)
    if citation is not None:
        cited = find_authority(snapshot.library, resolve(snapshot.library, snapshot.draft, citation))
        if cited is not None:
            actions.append(_action(EXPLAIN_CITATION, EXPLAIN, "lexls.explain", uri, range_))
    if _states(snapshot, span):
        actions.append(_action(CONTRARY, EXPLAIN, "lexls.contrary", uri, range_))
    return actions


def offer_reasons(uri: str, range_: t.Range, options: Sequence[SupportOption]) -> list[t.CodeAction]:
    """The offers to explain how the best of the authorities found support the sentence."""
    from lexls.grounding.place_words import cite_authority

    return [
        _action(
            EXPLAIN_SUPPORT.format(authority=cite_authority(option.hit.authority)),
            EXPLAIN,
            "lexls.explain",
            uri,
            range_,
            authority=option.hit.authority.id,
        )
        for option in options[:EXPLAINED]
    ]


def _states(snapshot: Snapshot, span: Span, *, uncited: bool = False) -> bool:
    """Whether a sentence there says something; with ``uncited`` only one that cites nothing."""
    from lexls.features.propositions import find_proposition, write_bare

    target = find_proposition(snapshot.draft, span)
    if target is None or (uncited and snapshot.draft.citations_in(target)):
        return False
    return len(write_bare(snapshot.draft, target).split()) >= FEWEST_WORDS


def _action(title: str, kind: str, command: str, uri: str, range_: t.Range, **more: Any) -> t.CodeAction:
    # Whoever runs it from a menu has nothing to show an answer with but what the server asks for.
    shown = {} if command == "lexls.draft" else {"show": True}
    argument = {"uri": uri, "range": range_, **shown, **more}
    return t.CodeAction(
        title, kind=kind, command=t.Command(title=title, command=command, arguments=[argument])
    )
