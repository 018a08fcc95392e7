"""Quick fixes: code actions that mend what diagnostics report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.features.checks.problem import Edit, Finding
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.server.session import Session
    from lexls.text.cancel import CancelToken
    from lexls.text.spans import Span

FIX_ALL = "source.fixAll.lexls"


def fixes(
    ls: LexlsServer,
    session: Session,
    snapshot: Snapshot,
    document: OpenDocument,
    span: Span,
    reported: Sequence[t.Diagnostic],
    token: CancelToken,
) -> list[t.CodeAction]:
    """A quick fix for each answer to each finding that touches ``span`` (of the document's source).

    ``reported`` are the diagnostics that the editor shows there: a fix names the one it mends.
    """
    actions = []
    for finding in session.findings(snapshot, document, token):
        if finding.span.start > span.end or finding.span.end < span.start:
            continue
        shown = [each for each in reported if _is(each, finding)]
        for fix in finding.fixes:
            actions.append(
                t.CodeAction(
                    fix.title,
                    kind=t.CodeActionKind.QuickFix,
                    diagnostics=shown or None,
                    is_preferred=True if fix.preferred else None,
                    edit=workspace_edit(ls, document, fix.edits),
                )
            )
    return actions


def fix_all(
    ls: LexlsServer, session: Session, snapshot: Snapshot, document: OpenDocument, token: CancelToken
) -> t.CodeAction | None:
    """One action that makes every change which is the only answer to its problem; None if there is none."""
    edits: list[Edit] = []
    for finding in session.findings(snapshot, document, token):
        preferred = [fix for fix in finding.fixes if fix.preferred]
        # Two changes at one place would undo each other: the later waits for the next time.
        if len(preferred) == 1 and not any(
            edit.span.touches(other.span.start) or other.span.touches(edit.span.start)
            for edit in preferred[0].edits
            for other in edits
        ):
            edits.extend(preferred[0].edits)
    if not edits:
        return None
    return t.CodeAction(
        "Mend everything that has one answer",
        kind=FIX_ALL,
        edit=workspace_edit(ls, document, edits),
    )


def workspace_edit(ls: LexlsServer, document: OpenDocument, edits: Sequence[Edit]) -> t.WorkspaceEdit:
    """Edits of one document as the protocol has them, with its version where the client knows versions."""
    from lexls.server.convert import to_range

    changes = [t.TextEdit(to_range(document.lines, edit.span, ls.encoding), edit.text) for edit in edits]
    workspace = ls.client_capabilities.workspace
    if workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes:
        # With the version, so that no editor applies it to a text that has moved on.
        identifier = t.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        return t.WorkspaceEdit(document_changes=[t.TextDocumentEdit(identifier, [*changes])])
    return t.WorkspaceEdit(changes={document.uri: changes})


def _is(shown: t.Diagnostic, finding: Finding) -> bool:
    return shown.source == "lexls" and shown.code == finding.code and shown.message == finding.message
