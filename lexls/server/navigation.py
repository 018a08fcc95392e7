"""textDocument/definition, references and documentLink."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t

from lexls.server.server import LexlsServer, path_of, uri_of

if TYPE_CHECKING:
    from lexls.features.snapshot import Draft, Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.server.session import Session
    from lexls.text.cancel import CancelToken

DRAFT_SUFFIXES = frozenset({".md", ".markdown", ".tex", ".typ", ".txt"})
MOST_DRAFTS = 500
"""How many drafts of the workspace are read for references beside the open ones."""
LARGEST_DRAFT = 4 * 2**20


def register(server: LexlsServer) -> None:
    """Offer definitions, references and document links."""

    @server.feature(t.TEXT_DOCUMENT_DEFINITION)
    async def definition(
        ls: LexlsServer, params: t.DefinitionParams
    ) -> list[t.LocationLink] | list[t.Location] | None:
        encoding = ls.encoding
        links = _supports_links(ls)

        def work(
            snapshot: Snapshot, document: OpenDocument, token: CancelToken
        ) -> list[t.LocationLink] | list[t.Location]:
            from lexls.features.definition import definition
            from lexls.server.convert import to_location, to_offset, to_range

            offset = to_offset(document.lines, params.position, encoding)
            found = definition(snapshot, offset, token)
            places = [(each, to_location(each.location, encoding)) for each in found]
            if not links:
                return [place for _, place in places]
            return [
                t.LocationLink(
                    target_uri=place.uri,
                    target_range=place.range,
                    target_selection_range=place.range,
                    origin_selection_range=to_range(document.lines, each.origin, encoding),
                )
                for each, place in places
            ]

        return await ls.answer(params.text_document.uri, work, None)

    @server.feature(t.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: LexlsServer, params: t.ReferenceParams) -> list[t.Location] | None:
        encoding = ls.encoding
        uri = params.text_document.uri
        session = ls.session_of(uri)
        opened = [d for d in ls.documents if d.uri != uri and ls.session_of(d.uri) is session]
        folders = [path_of(folder.uri) for folder in ls.workspace.folders.values()] or [session.root]

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> list[t.Location]:
            from lexls.features.references import references
            from lexls.server.convert import to_location, to_offset, to_range
            from lexls.text.lines import LineIndex

            others = [session.draft(each, str(path_of(each.uri))) for each in opened]
            known = {uri, *(each.uri for each in opened)}
            others += _closed_drafts(session, folders, known, token)
            offset = to_offset(document.lines, params.position, encoding)
            found = references(snapshot, offset, others, token)
            sources = {draft.uri: draft.source for draft in others} | {uri: document.source}
            lines = {each.uri: LineIndex(sources[each.uri]) for each in found.drafts}
            locations = [
                t.Location(each.uri, to_range(lines[each.uri], each.span, encoding)) for each in found.drafts
            ]
            locations += [to_location(each.location, encoding) for each in found.authorities]
            if params.context.include_declaration and found.declaration is not None:
                locations.insert(0, to_location(found.declaration, encoding))
            return locations

        return await ls.answer(uri, work, None)

    @server.feature(t.TEXT_DOCUMENT_DOCUMENT_LINK, t.DocumentLinkOptions(resolve_provider=True))
    async def links(ls: LexlsServer, params: t.DocumentLinkParams) -> list[t.DocumentLink] | None:
        encoding = ls.encoding
        uri = params.text_document.uri
        document = ls.client_capabilities.text_document
        support = document.document_link if document else None
        tooltips = bool(support and support.tooltip_support)

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> list[t.DocumentLink]:
            from lexls.features.links import links
            from lexls.server.convert import to_range

            return [
                t.DocumentLink(
                    to_range(document.lines, link.span, encoding),
                    tooltip=link.tooltip if tooltips else None,
                    data={
                        "uri": uri,
                        "start": link.span.start,
                        "end": link.span.end,
                        "authority": link.authority,
                        "tooltip": link.tooltip,
                    },
                )
                for link in links(snapshot, token)
            ]

        return await ls.answer(uri, work, None)

    @server.feature(t.DOCUMENT_LINK_RESOLVE)
    async def resolve_link(ls: LexlsServer, params: t.DocumentLink) -> t.DocumentLink:
        data = params.data
        if not isinstance(data, dict):
            return params

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> str | None:
            from lexls.features.links import Link, target
            from lexls.server.hover import address
            from lexls.text.spans import Span

            span = Span(int(data["start"]), int(data["end"]))
            place = target(snapshot, Link(span, int(data["authority"]), str(data["tooltip"])))
            return None if place is None else address(place)

        params.target = await ls.answer(str(data["uri"]), work, None)
        return params


def _supports_links(ls: LexlsServer) -> bool:
    document = ls.client_capabilities.text_document
    return bool(document and document.definition and document.definition.link_support)


def _closed_drafts(session: Session, folders: list[Path], known: set[str], token: CancelToken) -> list[Draft]:
    """The drafts in the workspace that are not open, hidden folders and the library left out."""
    drafts: list[Draft] = []
    pending = list(folders)
    while pending and len(drafts) < MOST_DRAFTS:
        token.raise_if_cancelled()
        folder = pending.pop()
        try:
            entries = sorted(folder.iterdir())
        except OSError:
            continue
        for path in entries:
            if path.name.startswith((".", "node_modules")) or session.is_authority(path):
                continue
            if path.is_dir() and not path.is_symlink():
                pending.append(path)
            elif path.suffix.lower() in DRAFT_SUFFIXES and uri_of(path) not in known:
                source = _source(path)
                if source is not None:
                    drafts.append(session.read_other(uri_of(path), source, str(path)))
    return drafts[:MOST_DRAFTS]


def _source(path: Path) -> str | None:
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_DRAFT:
            return None
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
