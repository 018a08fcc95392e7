"""Answer with the report on a draft as a page (lexls.report)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.server.convert import to_address, to_path
from lexls.server.protocol import refuse_argument
from lexls.server.server import LexlsServer
from lexls.text.cancel import CancelToken
from lexls.text.lines import LineIndex

if TYPE_CHECKING:
    from lexls.features.report import PinpointText
    from lexls.features.report_page import Address, Signature
    from lexls.features.snapshot import Snapshot
    from lexls.index.library import Library
    from lexls.index.records import Authority
    from lexls.server.documents import OpenDocument


def register(server: LexlsServer) -> None:
    """Offer the command."""

    @server.command("lexls.report")
    async def report(ls: LexlsServer, argument: Any = None) -> dict[str, str] | None:
        uri = argument.get("uri") if isinstance(argument, dict) else None
        if not isinstance(uri, str):
            raise refuse_argument('the argument must be {"uri": …}')
        signed, folder = _read_signatures(argument.get("signed")), argument.get("folder")
        document, session = ls.documents.get(uri), ls.session_of(uri)

        def work(token: CancelToken) -> dict[str, str] | None:
            snapshot = ls.wait_for_snapshot(session, document, token)
            if snapshot is None or document is None:
                return None
            return _write(snapshot, document, signed, folder, token)

        # Whether authorities bear out what they are cited for takes a while to tell.
        return await ls.run_long(work)


def _write(
    snapshot: Snapshot,
    document: OpenDocument,
    signed: Mapping[str, Signature],
    folder: str | None,
    token: CancelToken,
) -> dict[str, str]:
    from lexls.features.checks.engine import FoundBefore, check_all, check_late
    from lexls.features.report import make_report
    from lexls.features.report_page import PageDraft, write_draft, write_page

    late = FoundBefore()
    check_late(snapshot, token, late)
    findings, ignored = check_all(snapshot, token, late=late)
    made = make_report(snapshot, findings, token, support=True, ignored=ignored)
    lines = LineIndex(document.source)
    path = to_path(document.uri)
    draft = PageDraft(path.name, lambda span: f"line {lines.position(span.start)[0] + 1}", made)
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


def _read_signatures(given: Any) -> Mapping[str, Signature]:
    from lexls.features.report_page import Signature

    try:
        return {
            str(name): Signature(str(each["initials"]), str(each["day"]))
            for name, each in (given or {}).items()
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise refuse_argument('"signed" must have "initials" and "day" for each name') from error
