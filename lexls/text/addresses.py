"""Find the file of an address (``file://…``), and whose machine it names."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

_DRIVE = re.compile(r"/(?P<letter>[A-Za-z]):")
_HOST = re.compile(r"//(?P<host>[^/]+)(?=/)")
"""The host in a path with two slashes, as some clients write it ("file:////server/share/a.md")."""


def find_file(uri: str) -> Path | None:
    """Return the path of a file's address; None for other addresses, and for files of another machine.

    Only Windows has paths to those; elsewhere "//server/share" is the folder "/server/share" of this one.
    """
    host, path = _split(uri)
    if not path.startswith("/"):
        return None
    if host:
        return Path(f"//{host}{path}") if os.name == "nt" else None
    drive = _DRIVE.match(path) if os.name == "nt" else None
    return Path(path if drive is None else f"{drive['letter'].lower()}{path[2:]}")


def find_host(uri: str) -> str:
    """Return the machine whose files this system has no path to, "" for every other address."""
    return _split(uri)[0] if os.name != "nt" else ""


def find_nowhere(uri: str) -> Path | None:
    """Return a path with the names of an address of another machine, at which no file can be."""
    host, path = _split(uri)
    names = (each for each in PurePosixPath(path.lstrip("/")).parts if each != "..")
    return Path(os.devnull, host, *names) if host else None


def _split(uri: str) -> tuple[str, str]:
    """Return the host ("" for this machine) and the path of a file's address, both empty for others."""
    try:
        parts = urlsplit(uri)
    except ValueError:  # a host that is none
        return "", ""
    if parts.scheme != "file":
        return "", ""
    host, path = parts.netloc, unquote(parts.path)
    if host.lower() in ("", "localhost"):
        named = _HOST.match(path)
        host, path = (named["host"], path[named.end() :]) if named is not None else ("", path)
    return host, path
