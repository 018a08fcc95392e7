"""Keep the paths of a client on another machine apart from those of this one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lexls.server.convert import to_uri

_TEXT = "text"
"""The field of a draft's words, which may look like an address."""
REFUSED_COMMANDS = frozenset(
    {"lexls.addFolders", "lexls.ignore", "lexls.pauseIndexing", "lexls.resumeIndexing", "lexls.reindex"}
)
"""What changes files of this machine, or what others work with."""


@dataclass(frozen=True, slots=True)
class ClientPaths:
    """A client's files are taken to lie below ``folder``, where there are none, so that no path that means
    something there means something here; but for those in the ``shared`` folders, which both machines have
    at the same path.
    """

    folder: Path
    shared: tuple[Path, ...] = ()

    @property
    def readable(self) -> tuple[Path, ...]:
        """The folders of this machine in which a draft may name files."""
        return (self.folder, *self.shared)

    def take(self, value: Any, key: str = "") -> Any:
        """What the client sent, any JSON below the field ``key``, with its addresses moved."""
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
        if uri[:5].lower() != "file:":
            return uri
        path = uri[5:]
        if path.startswith("///") or not path.startswith("//"):  # else it names a host
            path = "/" + path.lstrip("/")
        plain = unquote(path)
        if ".." in re.split(r"[/\\]", plain):  # as no client writes it, and it would lead out
            path = "/untitled"
        elif any(Path(plain).is_relative_to(each) for each in self.shared):
            return uri
        return to_uri(self.folder) + path
