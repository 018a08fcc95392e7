"""Answer with the report on a draft as a page (lexls.report)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.server.answering import WorkProgress
from lexls.server.convert import to_address, to_path
from lexls.server.protocol import RequestRefused, refuse_argument
from lexls.server.server import LexlsServer
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.export.page_parts import Address, Signature
    from lexls.export.report import PinpointText
    from lexls.export.review import Tell
    from lexls.index.library import Library
    from lexls.index.records import Authority
    from lexls.reading.draft_places import Places
    from lexls.reading.snapshot import Draft, Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.server.session import Session


def register(server: LexlsServer) -> None:
    """Offer the command."""

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

        # Each sentence is searched for, and every citation compared with what it is cited for.
        try:
            return await ls.run_long(work)
        finally:
            progress.end()


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
    from lexls.reading.draft_places import name_places, tell_places

    _, made = examine(snapshot, token, support=True)
    briefs = [replace(snapshot, draft=each) for _, each, _ in opposing]
    made = replace(made, review=review_brief(snapshot, briefs, token, tell))
    path = to_path(document.uri)
    names = tuple(NamedDraft(each.name, name_places(places)) for each, _, places in opposing)
    draft = PageDraft(path.name, name_places(tell_places(snapshot.draft, path)), made, names)
    page = (
        write_page([draft], [], Path(folder), signed)
        if isinstance(folder, str)
        else write_draft(draft, _find_address(snapshot.library), signed)
    )
    return {"page": page}


def _find_address(library: Library) -> Address:
    """How an editor finds authorities: by the addresses that it opens."""

    def address(authority: Authority, place: PinpointText | None) -> str:
        start, end = (place.start, place.end) if place is not None else (0, 0)
        return to_address(library.locate(authority.id, start, end))

    return address


def _read_brief(session: Session, path: Path) -> tuple[Draft, Places]:
    from lexls.library.document import UnreadableFile
    from lexls.reading.draft_places import tell_places

    try:
        draft, pages = session.read_brief(path)
    except UnreadableFile as error:
        raise RequestRefused(f"{path.name}: {error}") from error
    return draft, tell_places(draft, path, pages)


def _read_addresses(given: Any) -> list[str]:
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise refuse_argument('"against" must be a list of addresses')
    return given


def _read_signatures(given: Any) -> Mapping[str, Signature]:
    from lexls.export.page_parts import Signature

    try:
        return {
            str(name): Signature(str(each["initials"]), str(each["day"]))
            for name, each in (given or {}).items()
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise refuse_argument('"signed" must have "initials" and "day" for each name') from error
