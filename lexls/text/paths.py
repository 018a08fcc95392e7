"""Find the file of a URI (``file://…``), and match paths against patterns as in a ``.gitignore``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from pathspec import PathSpec


_DRIVE = re.compile(r"/(?P<letter>[A-Za-z]):")
_HOST = re.compile(r"//(?P<host>[^/]+)(?=/)")
"""Pattern of the host in a path that begins with two slashes. Some clients write it so
("file:////server/share/a.md").
"""


def find_file(uri: str) -> Path | None:
    """Return the path of a file URI, or None for other URIs and for files on another machine.

    Only Windows has paths to other machines; elsewhere "//server/share" is the local folder "/server/share".
    """
    host, path = _split(uri)
    if not path.startswith("/"):
        return None
    if host:
        return Path(f"//{host}{path}") if os.name == "nt" else None
    drive = _DRIVE.match(path) if os.name == "nt" else None
    return Path(path if drive is None else f"{drive['letter'].lower()}{path[2:]}")


def find_host(uri: str) -> str:
    """Return the machine in a file URI if it is another machine and this system has no paths to other
    machines. Otherwise return "".
    """
    return _split(uri)[0] if os.name != "nt" else ""


def find_nowhere(uri: str) -> Path | None:
    """Return a path at which no file can exist, made of the names in the URI of another machine's file.
    Return None for any other URI.
    """
    host, path = _split(uri)
    names = (each for each in PurePosixPath(path.lstrip("/")).parts if each != "..")
    return Path(os.devnull, host, *names) if host else None


def _split(uri: str) -> tuple[str, str]:
    """Return the host ("" for this machine) and the path of a file URI, both empty for other URIs."""
    try:
        parts = urlsplit(uri)
    except ValueError:  # an invalid host
        return "", ""
    if parts.scheme != "file":
        return "", ""
    host, path = parts.netloc, unquote(parts.path)
    if host.lower() in ("", "localhost"):
        named = _HOST.match(path)
        host, path = (named["host"], path[named.end() :]) if named is not None else ("", path)
    return host, path


def is_within(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a file is in one of the folders, following links."""
    try:
        found = path.resolve()
    except (OSError, RuntimeError):
        return False
    return any(found.is_relative_to(each.resolve()) for each in folders)


def stamp_file(path: Path) -> tuple[int, int] | None:
    """Return a file's modification time (nanoseconds) and size (bytes), or None if the file cannot be
    found.
    """
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


# In pathspec's regular expressions: a star, inner folders ("/**/"), and the text between two of them.
_STAR, _FOLDERS = r"\[\^/\]\*", r"\(\?:/\.\+\)\?/"
_STARS = re.compile(f"(?:{_STAR}){{2,}}")
_PIECE = re.compile(rf"{_STAR}((?:\\.|\[\^/\](?!\*)|(?!{_STAR})[^/(\\])+)(?={_STAR})")
_PART = re.compile(rf"{_FOLDERS}((?:\\.|(?!{_FOLDERS})[^\\])+?)(?={_FOLDERS})")


def read_globs(patterns: Iterable[str]) -> PathSpec[Any]:
    """Return a matcher for relative paths with "/", equivalent to a ``.gitignore`` of these lines.

    The first match of the text after a star is as good as any later one, so the patterns never backtrack.
    Twenty stars therefore cost as much as one.
    """
    from pathspec import PathSpec
    from pathspec.pattern import RegexPattern

    found = PathSpec.from_lines("gitignore", patterns).patterns
    return PathSpec(
        RegexPattern(re.compile(_make_linear(each.regex.pattern)), each.include)
        for each in found
        if each.regex is not None
    )


def _make_linear(pattern: str) -> str:
    pattern = _STARS.sub("[^/]*", pattern)
    pattern = _PIECE.sub(r"(?>[^/]*?\1)", pattern)
    return _PART.sub(r"(?>(?:/.+?)?/\1(?=/))", pattern)
