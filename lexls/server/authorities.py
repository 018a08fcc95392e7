"""List the authorities that a draft cites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexls.server.convert import to_path
from lexls.server.protocol import read_document
from lexls.server.server import DocumentRequest, LexlsServer

if TYPE_CHECKING:
    from lexls.export.cited_authorities import CitedEntry, CitedPlace


def register(server: LexlsServer) -> None:
    """Offer the command by which a client lists authorities and their verdicts."""

    @server.command("lexls.authorities")
    async def authorities(ls: LexlsServer, argument: Any = None) -> list[dict[str, Any]] | None:
        uri, _ = read_document(argument)
        if ls.session_of(uri).is_authority(to_path(uri)):
            return None  # what a judgment cites is not the user's to mend

        def work(asked: DocumentRequest) -> list[dict[str, Any]]:
            from lexls.export.cited_authorities import list_cited

            findings = asked.session.checker.find(asked.snapshot, asked.document, asked.token).findings
            return [_entry(asked, each) for each in list_cited(asked.snapshot, findings, asked.token)]

        return await ls.answer(uri, work, None, uri)


def _entry(asked: DocumentRequest, entry: CitedEntry) -> dict[str, Any]:
    authority = entry.authority
    library = asked.snapshot.library
    return {
        "id": entry.key,
        "authority": authority.id if authority is not None else None,
        "title": entry.title,
        "cited": entry.cited,
        "kind": entry.kind,
        "verdict": entry.verdict,
        "state": entry.state,
        "warning": entry.warning,
        "target": asked.location(library.locate(authority.id, 0, 0)) if authority is not None else None,
        "places": [_place(asked, entry, each) for each in entry.places],
    }


def _place(asked: DocumentRequest, entry: CitedEntry, place: CitedPlace) -> dict[str, Any]:
    target = None
    if entry.authority is not None and place.passage is not None:
        found = asked.snapshot.library.locate(entry.authority.id, place.passage.start, place.passage.end)
        target = asked.location(found)
    return {
        "range": asked.range(place.span),
        "text": place.text,
        "verdict": place.verdict,
        "state": place.state,
        "reason": place.reason,
        "remarks": list(place.remarks),
        "target": target,
    }
