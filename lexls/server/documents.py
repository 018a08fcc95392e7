"""Keep open documents in sync with the editor, change by change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lsprotocol import types as t

from lexls.text.lines import Encoding, LineIndex


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """An open document at one version."""

    uri: str
    language: str
    version: int
    source: str
    lines: LineIndex


class OpenDocuments:
    """All open documents by URI. Use it on the event loop's thread only."""

    def __init__(self) -> None:
        self._documents: dict[str, OpenDocument] = {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(list(self._documents.values()))

    def get(self, uri: str) -> OpenDocument | None:
        """Return an open document, or None if it is not open."""
        return self._documents.get(uri)

    def open(self, item: t.TextDocumentItem) -> OpenDocument:
        """Add a document that the editor opened."""
        document = OpenDocument(item.uri, item.language_id, item.version, item.text, LineIndex(item.text))
        self._documents[item.uri] = document
        return document

    def change(
        self,
        identifier: t.VersionedTextDocumentIdentifier,
        changes: Sequence[t.TextDocumentContentChangeEvent],
        encoding: Encoding,
    ) -> OpenDocument | None:
        """Apply the editor's changes in order and return the new version; None if the document is not
        open.
        """
        document = self._documents.get(identifier.uri)
        if document is None:
            return None
        source, lines = document.source, document.lines
        for change in changes:
            if isinstance(change, t.TextDocumentContentChangeWholeDocument):
                source, lines = change.text, LineIndex(change.text)
            else:
                first, last = change.range.start, change.range.end
                start = lines.offset(first.line, first.character, encoding)
                end = lines.offset(last.line, last.character, encoding)
                lines = lines.edit(start, max(start, end), change.text)
                source = lines.text
        changed = OpenDocument(document.uri, document.language, identifier.version, source, lines)
        self._documents[identifier.uri] = changed
        return changed

    def close(self, uri: str) -> None:
        """Remove a document that the editor closed."""
        self._documents.pop(uri, None)
