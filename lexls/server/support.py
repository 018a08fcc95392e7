"""Finding support, for code actions and for the command: one search, two ways to show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.server import LexlsServer

if TYPE_CHECKING:
    from lexls.features.find_support import SupportOption
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.text.lines import Encoding
    from lexls.text.spans import Span


def citing_edit(
    ls: LexlsServer,
    snapshot: Snapshot,
    document: OpenDocument,
    span: Span,
    authority: int,
    passage: int,
) -> t.WorkspaceEdit | None:
    """The edit that cites an authority, with a passage's place as pinpoint; None if either is gone."""
    from lexls.features.find_support import edit_for
    from lexls.server.convert import to_range

    known = snapshot.library.authority(authority)
    if known is None:
        return None
    records = snapshot.library.passage_records([passage])
    changes = [
        t.TextEdit(to_range(document.lines, edit.span, ls.encoding), edit.text)
        for edit in edit_for(snapshot, span, known, records[0] if records else None)
    ]
    workspace = ls.client_capabilities.workspace
    if workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes:
        # With the version, so that no editor applies it to a text that has moved on.
        identifier = t.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        return t.WorkspaceEdit(document_changes=[t.TextDocumentEdit(identifier, [*changes])])
    return t.WorkspaceEdit(changes={document.uri: changes})


def as_hit(
    ls: LexlsServer,
    snapshot: Snapshot,
    document: OpenDocument,
    span: Span,
    option: SupportOption,
    encoding: Encoding,
) -> dict[str, Any]:
    """One answer of the command ``lexls.findSupport``."""
    from lexls.server.convert import to_location

    authority, passage = option.hit.authority, option.hit.passage
    place = snapshot.library.locate(
        authority.id, passage.start + option.sentence.start, passage.start + option.sentence.end
    )
    return {
        "rank": option.hit.rank,
        "authority": authority.id,
        "title": authority.title,
        "citation": authority.citation,
        "court": authority.court,
        "date": authority.date,
        "kind": authority.kind,
        "paragraph": passage.paragraph,
        "page": passage.page,
        "place": option.place,
        "role": option.role,
        "warning": option.warning,
        "path": authority.relative,
        "score": option.hit.score,
        "quote": option.quote,
        "text": passage.text,
        "citedFor": _cited_for(snapshot, option, encoding),
        "edit": citing_edit(ls, snapshot, document, span, authority.id, passage.id),
        "target": to_location(place, encoding) if place is not None else None,
    }


def _cited_for(snapshot: Snapshot, option: SupportOption, encoding: Encoding) -> dict[str, Any] | None:
    """In how many documents the authority was cited for the same, and where in the best of them."""
    from lexls.features.cited_for import counted
    from lexls.server.convert import to_location

    found = option.cited_for
    if found is None:
        return None
    library = snapshot.library
    named = []
    for each in found.precedents[: snapshot.settings.precedents_count]:
        citing = library.authority(each.citing)
        place = library.locate(each.citing, each.start, each.end)
        if citing is not None:
            named.append(
                {
                    "title": citing.title,
                    "proposition": each.proposition,
                    "target": to_location(place, encoding) if place is not None else None,
                }
            )
    return {"count": found.count, "label": counted(library, found), "precedents": named}
