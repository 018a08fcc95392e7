"""Keep the paths of a client on another machine apart from those of this one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexls.server.convert import to_path, to_uri

_TEXT = "text"
"""The field of a draft's words, which may look like an address."""
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
"""What changes files of this machine, or what others work with."""


@dataclass(frozen=True, slots=True)
class ClientPaths:
    """A client's files are taken to lie below ``folder``, where there are none, so that no path that means
    something there means something here; but for those in the ``shared`` folders, which both machines have
    at the same path."""

    folder: Path
    shared: tuple[Path, ...] = ()

    @property
    def readable(self) -> tuple[Path, ...]:
        """The folders of this machine in which a draft may name files."""
        return (self.folder, *self.shared)

    def take(self, value: Any, key: str = "") -> Any:
        """Return what the client sent, any JSON below the field ``key``, with its addresses moved."""
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
        """A message to the client, as JSON, with its addresses moved back."""
        base = to_uri(self.folder)
        return body.replace(f"{base}//", "file://").replace(f"{base}/", "file:///")

    def _move(self, uri: str) -> str:
        if uri[:5].lower() != "file:" or _is_below(uri, self.shared):
            return uri
        path = uri[5:]
        if path.startswith("///") or not path.startswith("//"):  # else it names a host
            path = "/" + path.lstrip("/")
        moved = to_uri(self.folder) + path
        return moved if _is_below(moved, (self.folder,)) else to_uri(self.folder / "untitled")


def _is_below(uri: str, folders: Sequence[Path]) -> bool:
    """Return whether what is opened by an address lies below a folder; what no client writes, such as
    "..", or a tab between its dots, which is not read, does not."""
    try:
        path = to_path(uri)
    except ValueError:  # a host that is none
        return False
    return ".." not in re.split(r"[/\\]", str(path)) and any(path.is_relative_to(each) for each in folders)
