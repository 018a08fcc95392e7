"""Run ``lexls serve``: the server on standard input and output, or on a TCP port."""

from __future__ import annotations

import logging
import sys

from lsprotocol import types as t

from lexls.server import (
    asking,
    authorities,
    checking,
    choosing,
    citation_styles,
    code_action,
    commands,
    completion,
    evidence,
    explaining,
    graph,
    hover,
    ignoring,
    inlays,
    inline_completion,
    lifecycle,
    navigation,
    reporting,
    semantic_tokens,
    structure,
)
from lexls.server.protocol import Protocol
from lexls.server.server import SWITCH_SECONDS, LexlsServer, Sweeper


def make_server() -> LexlsServer:
    """A server with every feature registered, not yet connected."""
    server = LexlsServer()

    @server.feature(t.INITIALIZE)
    def initialize(ls: LexlsServer, params: t.InitializeParams) -> None:
        ls.initialization_options = params.initialization_options
        semantic_tokens.choose_legend(ls)
        checking.choose_kind(ls)

    for module in (
        lifecycle,
        hover,
        completion,
        code_action,
        navigation,
        structure,
        inlays,
        semantic_tokens,
        commands,
        authorities,
        graph,
        explaining,
        asking,
        citation_styles,
        evidence,
        choosing,
        inline_completion,
        ignoring,
        reporting,
    ):
        module.register(server)
    return server


def serve(tcp: tuple[str, int] | None = None) -> int:
    """Serve one client until it is gone; the exit status: 0 if it shut the server down, else 1.

    Raises ``OSError`` if the port cannot be had.
    """
    # pygls logs whole messages, and with errors their parameters: text that is privileged.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="lexls: %(levelname)s: %(message)s")
    sys.setswitchinterval(SWITCH_SECONDS)
    Sweeper.begin()
    server = make_server()
    if tcp is None:
        server.start_io()
    else:
        server.start_tcp(*tcp)
    protocol = server.protocol
    return 0 if isinstance(protocol, Protocol) and protocol.was_shut_down else 1
