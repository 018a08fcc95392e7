"""Update references to files when the editor renames them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.convert import to_path, to_range, to_uri
from lexls.server.documents import OpenDocument
from lexls.server.server import LexlsServer
from lexls.server.workspace_drafts import MOST_DRAFTS, list_closed, read_closed
from lexls.text.cancel import CancelToken
from lexls.text.lines import LineIndex
from lexls.text.paths import find_file

if TYPE_CHECKING:
    from lexls.reading.edit import Edit
    from lexls.server.session import Session


def register(server: LexlsServer) -> None:
    """Register the handler that offers edits to drafts and metadata tables before files are renamed.

    The library and the record need not be notified: the indexer watches the disk.
    """
    anything = t.FileOperationFilter(t.FileOperationPattern("**/*"), scheme="file")

    @server.feature(t.WORKSPACE_WILL_RENAME_FILES, t.FileOperationRegistrationOptions([anything]))
    async def will_rename(ls: LexlsServer, params: t.RenameFilesParams) -> t.WorkspaceEdit | None:
        found = [(find_file(each.old_uri), find_file(each.new_uri)) for each in params.files]
        renamed = [(old, new) for old, new in found if old is not None and new is not None]
        opened = {each.uri: each for each in ls.documents}
        folders = [(folder, ls.session_of(to_uri(folder))) for folder in ls.folders]
        searched = _Searched(opened, folders, ls.sessions)
        changed = await ls.run(lambda token: list(searched.find(renamed, token)))
        return _to_workspace_edit(ls, changed, opened) if changed else None


class _Searched:
    """Files that may refer to renamed files: open drafts, the workspace's other drafts, and metadata
    tables.
    """

    def __init__(
        self,
        opened: dict[str, OpenDocument],
        folders: Sequence[tuple[Path, Session]],
        sessions: Sequence[Session],
    ) -> None:
        self._opened = opened
        self._folders = folders
        self._sessions = sessions

    def find(
        self, renamed: Sequence[tuple[Path, Path]], token: CancelToken
    ) -> Iterator[tuple[str, LineIndex, list[Edit]]]:
        """Yield each file that has to change: its URI, its text by lines, and the edits. Raises
        ``Cancelled``.
        """
        from lexls.features.renamed_files import RenamedFiles, find_edits, find_edits_of_tables
        from lexls.text.formats import format_of

        files = RenamedFiles(renamed)
        for uri, language in self._list(token):
            token.raise_if_cancelled()
            lines = self._read(uri)
            if lines is not None:
                path = to_path(uri)
                if edits := find_edits(lines.text, path, format_of(language, str(path)), files):
                    yield uri, lines, edits
        folders = [
            folder
            for session in self._sessions
            for folder in (*session.settings.library_folders, *session.settings.record_folders)
        ]
        for table, rows in find_edits_of_tables(folders, files):
            lines = self._read(to_uri(table))
            if lines is not None and (edits := rows.find(lines.text)):
                yield to_uri(table), lines, edits

    def _list(self, token: CancelToken) -> Iterator[tuple[str, str]]:
        """Yield the URI of each draft with its language in the editor ("" for a draft that is not open)."""
        for uri, document in self._opened.items():
            if find_file(uri) is not None and not self._is_authority(to_path(uri)):
                yield uri, document.language
        for folder, session in self._folders:
            for path in islice(list_closed(session, [folder], self._opened, token), MOST_DRAFTS):
                yield to_uri(path), ""

    def _is_authority(self, path: Path) -> bool:
        return any(session.is_authority(path) for session in self._sessions)

    def _read(self, uri: str) -> LineIndex | None:
        if uri in self._opened:
            return self._opened[uri].lines
        text = read_closed(to_path(uri))
        return LineIndex(text) if text is not None else None


def _to_workspace_edit(
    ls: LexlsServer,
    changed: Sequence[tuple[str, LineIndex, list[Edit]]],
    opened: dict[str, OpenDocument],
) -> t.WorkspaceEdit:
    changes = {
        uri: [t.TextEdit(to_range(lines, edit.span, ls.encoding), edit.text) for edit in edits]
        for uri, lines, edits in changed
    }
    if not ls.find_capability("workspace.workspace_edit.document_changes"):
        return t.WorkspaceEdit(changes=changes)
    versions = {uri: document.version for uri, document in opened.items()}
    return t.WorkspaceEdit(
        document_changes=[
            t.TextDocumentEdit(t.OptionalVersionedTextDocumentIdentifier(uri, versions.get(uri)), [*edits])
            for uri, edits in changes.items()
        ]
    )
