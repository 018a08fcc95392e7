"""workspace/executeCommand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcInvalidParams

from lexls.server.server import LexlsServer
from lexls.server.status import describe

if TYPE_CHECKING:
    from lexls.features.snapshot import Snapshot
    from lexls.server.documents import OpenDocument
    from lexls.text.cancel import CancelToken


def register(server: LexlsServer) -> None:
    """Offer the commands that ``lexls.settings.commands`` declares as the server's."""

    @server.command("lexls.findSupport")
    async def find_support(ls: LexlsServer, argument: Any = None) -> list[dict[str, Any]] | None:
        uri, range_ = place_of(argument)
        encoding = ls.encoding

        def work(snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> list[dict[str, Any]]:
            from lexls.features.find_support import support
            from lexls.server.convert import to_span
            from lexls.server.support import as_hit

            span = to_span(document.lines, range_, encoding)
            found = support(snapshot, span, snapshot.settings.support_max_results, token)
            return [as_hit(ls, snapshot, document, span, option, encoding) for option in found]

        return await ls.answer(uri, work, None)

    @server.command("lexls.reindex")
    async def reindex(ls: LexlsServer) -> None:
        services = {id(s.service): s.service for s in ls.sessions if s.service is not None}
        for service in services.values():
            await ls.run_behind(service.reindex)

    @server.command("lexls.status")
    async def status(ls: LexlsServer) -> dict[str, Any]:
        return await ls.run_behind(lambda: describe(ls))


def place_of(argument: Any) -> tuple[str, t.Range]:
    """The document and the range of a command's argument; a position counts as an empty range."""
    try:
        uri = str(argument["uri"])
        if "range" in argument:
            first, last = argument["range"]["start"], argument["range"]["end"]
        else:
            first = last = argument["position"]
        start, end = (t.Position(int(p["line"]), int(p["character"])) for p in (first, last))
    except (TypeError, KeyError, ValueError) as error:
        reason = 'the argument must be {"uri": …, "range": …} or {"uri": …, "position": …}'
        raise wrong(reason) from error
    return uri, t.Range(start, end)


def wrong(message: str) -> JsonRpcInvalidParams:
    """The error for an argument that makes no sense; ``message`` says what it must be."""
    error: JsonRpcInvalidParams = JsonRpcInvalidParams.of(ValueError(message))
    return error
