"""``lexls serve``: the language server."""

from __future__ import annotations

import argparse

from lexls.cli.failure import CommandFailed


def run(options: argparse.Namespace) -> int:
    """Serve one client until it says goodbye."""
    from lexls.server.main import serve

    try:
        return serve(tcp=options.tcp)
    except OSError as error:
        if options.tcp is None:
            raise
        host, port = options.tcp
        raise CommandFailed(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
