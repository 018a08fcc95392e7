"""Have findings ignored: by a comment where they stand, or by the workspace's file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.protocol import read_document, refuse_argument
from lexls.server.server import DocumentRequest, LexlsServer
from lexls.settings.ignored import IgnoredFindings, add_table, find_fault
from lexls.settings.load import WORKSPACE_FILE, find_workspace_settings

if TYPE_CHECKING:
    from lexls.assessing.check import Finding

HERE = "Ignore here"
"""Said of one finding; where several touch the cursor, with the code of each."""


def register(server: LexlsServer) -> None:
    """Offer the command that adds to the workspace's file what is to be ignored."""

    @server.command("lexls.ignore")
    async def ignore(ls: LexlsServer, argument: Any = None) -> dict[str, Any]:
        uri, _ = read_document(argument)
        names = ("check", "authority", "words", "reason")
        table = {name: argument[name] for name in names if argument.get(name)}
        if fault := find_fault(table):
            raise refuse_argument(fault)
        root = ls.session_of(uri).root
        path, done = await ls.run_behind(lambda: _add(root, IgnoredFindings(**table)))
        if done:
            ls.show(t.MessageType.Info, f"ignored from now on; {path.name} says so")
        else:
            ls.show(t.MessageType.Warning, f"{path} could not be added to; see check.ignore in the manual")
        return {"file": str(path), "ignored": done}


def _add(root: Path, ignored: IgnoredFindings) -> tuple[Path, bool]:
    """The workspace's file, and whether it has findings ignored now. Runs on a worker thread."""
    from lexls.settings.edit import change_file

    path = find_workspace_settings(root) or root / WORKSPACE_FILE
    try:
        path.touch()  # a new one is for everybody who shares the folder
        return path, change_file(path, lambda text: add_table(text, ignored))
    except (OSError, ValueError):
        return path, False


def offer_ignoring(
    asked: DocumentRequest,
    findings: Sequence[Finding],
    *,
    reported: Sequence[t.Diagnostic] = (),
    here: bool = False,
) -> list[t.CodeAction]:
    """The actions that have ``findings`` ignored, each code once: ``here`` where they stand; else on their
    authority, and everywhere. ``reported`` are the diagnostics that the editor shows."""
    actions = []
    codes = list(dict.fromkeys(each.code for each in findings))
    for code in codes:
        finding = next(each for each in findings if each.code == code)
        if here:
            title = HERE if len(codes) == 1 else f"{HERE}: {code}"
            action = _ignore_here(asked, finding, title)
            action.diagnostics = [each for each in reported if each.code == code] or None
            actions.append(action)
        else:
            actions += _ignore_more(asked, finding)
    return actions


def _ignore_here(asked: DocumentRequest, finding: Finding, title: str) -> t.CodeAction:
    """By a comment; in a format without comments by the workspace's file, which has the words."""
    from lexls.assessing.ignoring import ignore_here
    from lexls.wording.markdown import fold

    kind = t.CodeActionKind.QuickFix
    found = ignore_here(asked.snapshot, finding)
    if found is None:
        words = fold(finding.span.of(asked.snapshot.draft.masked))
        return _command(asked, title, check=finding.code, words=words)
    edit, at = found
    typed = asked.snippet_edit(edit, f"{edit.text[:at]}: ${{1:reason}}{edit.text[at:]}")
    return t.CodeAction(title, kind=kind, edit=typed or asked.edit([edit]))


def _ignore_more(asked: DocumentRequest, finding: Finding) -> list[t.CodeAction]:
    from lexls.assessing.ignoring import name_authority

    authority = name_authority(asked.snapshot, finding)
    actions = []
    if authority:
        title = f"Ignore “{finding.code}” for {authority}"
        actions.append(_command(asked, title, check=finding.code, authority=authority))
    return [*actions, _command(asked, f"Ignore “{finding.code}” in this workspace", check=finding.code)]


def _command(asked: DocumentRequest, title: str, **table: str) -> t.CodeAction:
    argument = {"uri": asked.document.uri, **table}
    command = t.Command(title=title, command="lexls.ignore", arguments=[argument])
    return t.CodeAction(title, kind=t.CodeActionKind.QuickFix, command=command)
