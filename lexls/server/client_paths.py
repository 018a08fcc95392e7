"""Separate the paths on a client's machine from the paths on this machine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexls.server.convert import to_path, to_uri

_TEXT = "text"
"""Field with a draft's text, which is never treated as an address."""
REFUSED_COMMANDS = frozenset(
    {
        "lexls.addFolders",
        "lexls.describeFile",
        "lexls.ignore",
        "lexls.pauseIndexing",
        "lexls.resumeIndexing",
        "lexls.reindex",
    }
)
"""Commands refused to clients on other machines: they change files on this machine or affect other users."""


@dataclass(frozen=True, slots=True)
class ClientPaths:
    """Maps the paths of a client on another machine to paths below ``folder``, where no files exist, so that
    no client path refers to a file here. Paths in the ``shared`` folders, which are the same on both
    machines, are left unchanged.
    """

    folder: Path
    shared: tuple[Path, ...] = ()

    @property
    def readable(self) -> tuple[Path, ...]:
        """The local folders that file names in a draft may refer to: the client's own folder, in which no
        files exist, and the shared ones.
        """
        return (self.folder, *self.shared)

    def take(self, value: Any, key: str = "") -> Any:
        """Return any JSON ``value`` sent by the client with its file addresses mapped to this machine.
        ``key`` is the name of its field.
        """
        if isinstance(value, str):
            return value if key == _TEXT else self._move(value)
        if isinstance(value, list):
            return [self.take(each, key) for each in value]
        if isinstance(value, dict):
            return {
                self._move(name): None if name == "rootPath" else self.take(each, name)
                for name, each in value.items()
            }
        return value

    def give(self, body: str) -> str:
        """Return a JSON message for the client, with addresses in the client's folder mapped back to the
        client's own paths.
        """
        base = to_uri(self.folder)
        return body.replace(f"{base}//", "file://").replace(f"{base}/", "file:///")

    def _move(self, uri: str) -> str:
        if uri[:5].lower() != "file:" or _is_below(uri, self.shared):
            return uri
        path = uri[5:]
        if path.startswith("///") or not path.startswith("//"):  # otherwise it names a host
            path = "/" + path.lstrip("/")
        moved = to_uri(self.folder) + path
        return moved if _is_below(moved, (self.folder,)) else to_uri(self.folder / "untitled")


def _is_below(uri: str, folders: Sequence[Path]) -> bool:
    """Return whether an address refers to a path in one of the folders. Always false for paths with "..",
    which no client sends.
    """
    try:
        path = to_path(uri)
    except ValueError:  # not a valid host
        return False
    return ".." not in re.split(r"[/\\]", str(path)) and any(path.is_relative_to(each) for each in folders)
