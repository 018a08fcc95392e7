"""Run ``lexls serve``: the server on standard input and output."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from lsprotocol import types as t

from lexls.server import checking, lifecycle, semantic_tokens
from lexls.server.client_paths import ClientPaths
from lexls.server.protocol import Protocol
from lexls.server.server import SWITCH_SECONDS, LexlsServer
from lexls.server.sweeper import Sweeper

_FEATURES = """
    lifecycle hover completion code_action navigation structure inlays semantic_tokens commands authorities
    graph explaining asking citation_styles evidence choosing inline_completion ignoring describing reporting
"""
"""The modules that register what the server answers."""


def make_server(client: ClientPaths | None = None) -> LexlsServer:
    """A server with every feature registered, not yet connected."""
    server = LexlsServer(client)

    @server.feature(t.INITIALIZE)
    def initialize(ls: LexlsServer, params: t.InitializeParams) -> None:
        ls.initialization_options = params.initialization_options
        if client is None and params.process_id is not None:
            ls.spawn(lifecycle.end_with_editor(ls, params.process_id))
        semantic_tokens.choose_legend(ls)
        checking.choose_kind(ls)

    for name in _FEATURES.split():
        import_module(f"lexls.server.{name}").register(server)
    return server


def find_client(name: str, shared: Sequence[Path]) -> ClientPaths:
    """The paths of a client on another machine, whose folder becomes the current one; a ``lexls.toml`` in it
    or above holds for the client."""
    from platformdirs import user_data_path

    folder = user_data_path("lexls", appauthor=False).absolute() / "clients" / name
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    paths = ClientPaths(folder.resolve(), tuple(Path(os.path.abspath(each)) for each in shared))
    os.chdir(folder)
    return paths


def serve(client: ClientPaths | None = None) -> int:
    """Serve one client until it is gone; the exit status: 0 if it shut the server down, else 1.

    ``client`` has the paths of one on another machine.
    """
    # pygls logs whole messages, and with errors their parameters: text that is privileged.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="lexls: %(levelname)s: %(message)s")
    sys.setswitchinterval(SWITCH_SECONDS)
    Sweeper.begin()
    server = make_server(client)
    server.start_io()
    protocol = server.protocol
    return 0 if isinstance(protocol, Protocol) and protocol.was_shut_down else 1
