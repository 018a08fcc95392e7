"""Write two kinds of fixes to files: which findings to ignore, and which case a library file contains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.convert import to_path, to_uri
from lexls.server.protocol import read_document, refuse_argument
from lexls.server.server import DocumentRequest, LexlsServer
from lexls.settings.load import WORKSPACE_FILE, find_workspace_settings
from lexls.settings.values import IgnoredFindings, add_table, find_ignoring_fault

if TYPE_CHECKING:
    from lexls.assessing.check import Finding
    from lexls.index.records import Authority
    from lexls.reading.edit import Fix


HERE = "Ignore here"
"""Title of the action that ignores one finding. If several findings touch the cursor, the code is added to
the title.
"""


def register(server: LexlsServer) -> None:
    """Register the command that ignores findings in the workspace's settings file, and the command that
    records which case a library file contains.
    """

    @server.command("lexls.ignore")
    async def ignore(ls: LexlsServer, argument: Any = None) -> dict[str, Any]:
        uri, _ = read_document(argument)
        names = ("check", "authority", "words", "reason")
        table = {name: argument[name] for name in names if argument.get(name)}
        if fault := find_ignoring_fault(table):
            raise refuse_argument(fault)
        root = ls.session_of(uri).root
        path, done = await ls.run_behind(lambda: _add(root, IgnoredFindings(**table)))
        if done:
            ls.show(t.MessageType.Info, f"ignored from now on; {path.name} says so")
        else:
            ls.show(t.MessageType.Warning, f"{path} could not be added to; see check.ignore in the manual")
        return {"file": str(path), "ignored": done}

    @server.command("lexls.describeFile")
    async def describe_file(ls: LexlsServer, argument: Any = None) -> dict[str, Any]:
        if not isinstance(argument, dict) or not isinstance(argument.get("file"), str):
            raise refuse_argument('the argument must be {"file": …}')
        citations = [str(each) for each in argument.get("citations") or ()]
        path = to_path(argument["file"])
        libraries = (service.library for service in ls.services)
        held = (library.catalogue.find_path(path) for library in libraries if library is not None)
        authority = next(filter(None, held), None)
        if authority is None:
            raise refuse_argument('"file" must be one of the library')
        written = await ls.run_behind(lambda: _describe(authority, citations))
        if written is None:
            ls.show(t.MessageType.Warning, f"nothing could be written beside {authority.relative}")
        elif citations:
            ls.show(
                t.MessageType.Info, f"{written.name} says now that {authority.relative} is {citations[0]}"
            )
        return {"file": to_uri(written) if written is not None else None}


def _add(root: Path, ignored: IgnoredFindings) -> tuple[Path, bool]:
    """Add an entry to the workspace's settings file. Return the file's path and whether the entry was added.
    Runs on a worker thread.
    """
    from lexls.settings.edit import change_file

    path = find_workspace_settings(root) or root / WORKSPACE_FILE
    try:
        path.touch()  # a new file is readable by everyone who shares the folder
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
    """Return actions that ignore findings, for the first of the ``findings`` with each code. With ``here``,
    one action ignores only that finding. Otherwise, one action ignores its code for the same authority,
    and one in the whole workspace. ``reported`` are the diagnostics that the editor shows.
    """
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
    """Return the action that ignores one finding with a comment. In a format without comments, the action
    adds the finding's words to the workspace's settings file.
    """
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


_WRITES_OF_ITSELF = (".md", ".markdown", ".txt", ".text")
"""Suffixes of file formats that can have front matter."""


def offer_describing(asked: DocumentRequest, fix: Fix) -> t.Command | None:
    """Return the command that writes into a library file which case it contains, as ``fix`` proposes. Returns
    None if the fix proposes something else.
    """
    number, citations = fix.describes or (0, ())
    authority = asked.snapshot.library.catalogue.get(number)
    if authority is None:
        return None
    argument = {"file": to_uri(authority.path), "citations": list(citations)}
    return t.Command(title=fix.title, command="lexls.describeFile", arguments=[argument])


def _describe(authority: Authority, citations: Sequence[str]) -> Path | None:
    """Write the citations of a case into its file, or else into the metadata table in its folder.

    Without citations, write lexls's guess of the title and empty fields for unknown facts, for the user to
    complete. The user must also check the guess, since facts in a file are treated as certain.

    Returns the file written, or None if nothing could be written without loss. Runs on a worker thread.
    """
    from lexls.index.unclear import is_guessed, list_missing
    from lexls.library.catalogue_names import find_table
    from lexls.library.written_facts import add_front_matter, add_row
    from lexls.text.lexicon import BETWEEN_PARTIES

    lacking: dict[str, str] = {}
    if not citations:
        named = BETWEEN_PARTIES.search(authority.title)
        guessed = {"title": authority.title if named else ""} if is_guessed(authority, "title") else {}
        lacking = guessed | {each: "" for each in ("court", "date") if each in list_missing(authority)}
    known = list(dict.fromkeys([*authority.citations, *citations]))
    own = {"citation": known[0] if known else "", **({"parallel_citations": known[1:]} if known[1:] else {})}
    if authority.path.suffix.lower() in _WRITES_OF_ITSELF and _change(
        authority.path, lambda text: add_front_matter(text, {**lacking, **own})
    ):
        return authority.path
    table = find_table(authority.path.parent)
    said = {**lacking, "citation": list(citations)}
    return table if _change(table, lambda text: add_row(text, authority.path.name, said)) else None


def _change(path: Path, change: Callable[[str], str | None]) -> bool:
    """Apply ``change`` to a text file, keeping its encoding. Return whether the file now has the new
    content.
    """
    from lexls.library.document import UnreadableFile
    from lexls.library.readers import find_format
    from lexls.library.readers.decoding import decode
    from lexls.library.written_facts import change_bytes
    from lexls.settings.edit import replace_file

    try:
        data = path.read_bytes() if path.exists() else b""
        text = decode(data)
        if data and find_format(path, data) not in ("text", "markdown", "table"):
            return False
        changed = change(text)
        written = change_bytes(data, text, changed) if changed is not None else None
        if written is None:
            return False
        if written != data:
            replace_file(path, written)
    except (OSError, UnreadableFile):
        return False
    return True
