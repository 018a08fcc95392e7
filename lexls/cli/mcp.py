"""``lexls mcp``: answer language models that write drafts, over the Model Context Protocol."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

from lexls.cli.output import USAGE, CommandFailed


def run_mcp(options: argparse.Namespace) -> int:
    """Serve one client. Raises ``CommandFailed`` if the extra "mcp" is not installed or a folder does not
    exist.
    """
    if importlib.util.find_spec("mcp") is None:
        raise CommandFailed("this needs mcp; run `pip install 'lexls[mcp]'`")
    for folder in (options.workspace, *options.library):
        if not folder.expanduser().is_dir():
            raise CommandFailed(f"{folder}: there is no such folder", USAGE)
    from lexls.agents.desk import Desk
    from lexls.agents.main import serve

    editor: dict[str, Any] = {}
    if options.library:
        editor["library.folders"] = [os.path.abspath(each.expanduser()) for each in options.library]
    if options.jurisdiction is not None:
        editor["jurisdiction"] = options.jurisdiction
    index: Path | None = options.index.absolute() if options.index is not None else None
    code = serve(Desk(options.workspace.expanduser(), editor, index))
    # Exit at once: Python would wait for threads whose results are no longer needed.
    sys.stderr.flush()
    os._exit(code)
