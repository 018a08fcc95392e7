"""Return a draft's report as a page (``lexls.report``), its verification log, and its cited authorities."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.server.answering import WorkProgress
from lexls.server.convert import to_address, to_path
from lexls.server.protocol import RequestRefused, read_document, refuse_argument
from lexls.server.server import DocumentRequest, LexlsServer
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.export.cited_authorities import CitedEntry, CitedPlace
    from lexls.export.page_parts import Address
    from lexls.export.report import PinpointText
    from lexls.export.review import Tell
    from lexls.export.ticks import Signature
    from lexls.index.library import Library
    from lexls.index.records import Authority
    from lexls.reading.draft_places import Places
    from lexls.reading.snapshot import Draft, Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.server.session import Session


TRIES = 3
"""Maximum number of times that a draft is checked for its log, in case the library changes meanwhile."""


def register(server: LexlsServer) -> None:
    """Register the commands for the report, the verification log and the cited authorities."""

    @server.command("lexls.report")
    async def report(ls: LexlsServer, argument: Any = None) -> dict[str, str] | None:
        uri = argument.get("uri") if isinstance(argument, dict) else None
        if not isinstance(uri, str):
            raise refuse_argument('the argument must be {"uri": …}')
        signed, folder = _read_signatures(argument.get("signed")), argument.get("folder")
        against = [to_path(each) for each in _read_addresses(argument.get("against"))]
        document, session = ls.documents.get(uri), ls.session_of(uri)
        loop, progress = asyncio.get_running_loop(), WorkProgress(ls, "Reviewing the brief")

        def tell(what: str, done: int, total: int) -> None:
            share = f" ({done} of {total})" if total else ""
            loop.call_soon_threadsafe(progress.report, f"{what[:1].upper()}{what[1:]}{share}")

        def work(token: CancelToken) -> dict[str, str] | None:
            snapshot = ls.wait_for_snapshot(session, document, token)
            if snapshot is None or document is None:
                return None
            opposing = [(each, *_read_brief(session, each)) for each in against]
            return _write(snapshot, document, opposing, signed, folder, token, tell)

        # Every sentence is searched for, and every citation is compared with its proposition.
        try:
            return await ls.run_long(work)
        finally:
            progress.end()

    @server.command("lexls.filingLog")
    async def filing_log(ls: LexlsServer, argument: Any = None) -> dict[str, str] | None:
        uri, _ = read_document(argument)
        signed = _read_signatures(argument.get("signed"))
        folder, format = argument.get("folder"), argument.get("format")
        if not isinstance(folder, str) or format not in ("json", "pdf"):
            raise refuse_argument('the argument must have "folder", and "json" or "pdf" as "format"')
        document, session = ls.documents.get(uri), ls.session_of(uri)

        def work(token: CancelToken) -> dict[str, str] | None:
            snapshot = ls.wait_for_snapshot(session, document, token)
            if snapshot is None or document is None:
                return None
            written = _write_log(snapshot, to_path(document.uri), signed, Path(folder), format, token)
            return {"content": b64encode(written).decode("ascii")}

        return await ls.run_long(work)

    @server.command("lexls.authorities")
    async def authorities(ls: LexlsServer, argument: Any = None) -> list[dict[str, Any]] | None:
        uri, _ = read_document(argument)
        if ls.session_of(uri).is_authority(to_path(uri)):
            return None  # the user cannot correct a judgment's own citations

        def work(asked: DocumentRequest) -> list[dict[str, Any]]:
            from lexls.export.cited_authorities import list_cited

            findings = asked.session.checker.find(asked.snapshot, asked.document, asked.token).findings
            return [_entry(asked, each) for each in list_cited(asked.snapshot, findings, asked.token)]

        return await ls.answer(uri, work, None, uri)


def _write(
    snapshot: Snapshot,
    document: OpenDocument,
    opposing: Sequence[tuple[Path, Draft, Places]],
    signed: Mapping[str, Signature],
    folder: str | None,
    token: CancelToken,
    tell: Tell,
) -> dict[str, str]:
    from lexls.export.page_parts import NamedDraft, PageDraft
    from lexls.export.report import examine
    from lexls.export.report_page import write_draft, write_page
    from lexls.export.review import review_brief
    from lexls.reading.draft_places import describe_places, name_places

    _, made = examine(snapshot, token, support=True)
    briefs = [replace(snapshot, draft=each) for _, each, _ in opposing]
    made = replace(made, review=review_brief(snapshot, briefs, token, tell))
    path = to_path(document.uri)
    names = tuple(NamedDraft(each.name, name_places(places)) for each, _, places in opposing)
    draft = PageDraft(path.name, name_places(describe_places(snapshot.draft, path)), made, names)
    page = (
        write_page([draft], [], Path(folder), signed)
        if isinstance(folder, str)
        else write_draft(draft, _find_address(snapshot.library), signed)
    )
    return {"page": page}


def _write_log(
    snapshot: Snapshot,
    path: Path,
    signed: Mapping[str, Signature],
    folder: Path,
    format: str,
    token: CancelToken,
) -> bytes:
    from lexls.export.log.file import LibraryChanged, UnusableLog, write_log
    from lexls.export.log.making import find_state, make_log
    from lexls.export.log.pdf import FAMILIES, write_pdf
    from lexls.export.report import examine
    from lexls.export.report_data import ReportedDraft
    from lexls.export.system_fonts import find_font
    from lexls.reading.draft_places import describe_places

    for tries_left in reversed(range(TRIES)):
        state = find_state(snapshot)
        _, made = examine(snapshot, token, support=True)
        reported = ReportedDraft(path, describe_places(snapshot.draft, path), made)
        try:
            log = make_log(reported, snapshot, signed, folder, state)
            break
        except UnusableLog as error:
            if not (isinstance(error, LibraryChanged) and tries_left):
                raise RequestRefused(f"{path.name}: {error}") from error
    return write_pdf(log, find_font(FAMILIES)) if format == "pdf" else write_log(log)


def _find_address(library: Library) -> Address:
    """Return a function that returns the link address of a pinpoint's text, or of the authority's beginning
    without one.
    """

    def address(authority: Authority, place: PinpointText | None) -> str:
        start, end = (place.start, place.end) if place is not None else (0, 0)
        return to_address(library.locate(authority.id, start, end))

    return address


def _read_brief(session: Session, path: Path) -> tuple[Draft, Places]:
    from lexls.library.document import UnreadableFile
    from lexls.reading.draft_places import describe_places

    try:
        draft, pages = session.read_brief(path)
    except UnreadableFile as error:
        raise RequestRefused(f"{path.name}: {error}") from error
    return draft, describe_places(draft, path, pages)


def _read_addresses(given: Any) -> list[str]:
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise refuse_argument('"against" must be a list of addresses')
    return given


def _read_signatures(given: Any) -> Mapping[str, Signature]:
    from lexls.export.ticks import Signature

    try:
        return {
            str(name): Signature(str(each["initials"]), str(each["day"]))
            for name, each in (given or {}).items()
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise refuse_argument('"signed" must have "initials" and "day" for each name') from error


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
