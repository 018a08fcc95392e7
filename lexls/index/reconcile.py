"""Compare the files in the watched folders with the index.

Files that no reader supports are reported or ignored, depending on their suffix.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from lexls.library.catalogue_names import is_catalogue
from lexls.library.readers import SUFFIXES
from lexls.text.paths import read_globs
from lexls.text.phrases import load_words


@dataclass(frozen=True, slots=True, order=True)
class FileKey:
    """A file's identity in the index: its library folder (absolute), and its path in that folder with forward
    slashes.
    """

    library: str
    relative: str

    @property
    def path(self) -> Path:
        """The absolute path."""
        return Path(self.library, self.relative)


@dataclass(frozen=True, slots=True)
class FileState:
    """A file's state in the file system; ``size`` in bytes, ``mtime_ns`` in nanoseconds."""

    key: FileKey
    size: int
    mtime_ns: int

    @property
    def path(self) -> Path:
        """The absolute path."""
        return self.key.path


_BROKEN, _LOOP, _OTHER = "broken symbolic link", "symbolic link loop", "not a regular file"
_NO_TEXT = "its path is not UTF-8; rename it"
OF_PATHS = frozenset({_BROKEN, _LOOP, _OTHER, _NO_TEXT})
"""Problems that mean that there is no readable file at a path. All other problems may be temporary."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes to make to the index: files to read, and keys of files that are gone."""

    read: tuple[FileState, ...]
    gone: tuple[FileKey, ...]


@dataclass(frozen=True, slots=True)
class FolderScan:
    """The contents of the folders: readable files that may be indexed, and paths that cannot even be
    examined.

    ``missing`` are library folders that are absent now, such as an unmounted drive. ``links`` are symbolic
    links to folders that were followed and must be watched separately. ``unread`` are files that no reader
    supports.
    """

    files: Mapping[FileKey, FileState]
    problems: Mapping[FileKey, str]
    missing: frozenset[str] = frozenset()
    links: tuple[str, ...] = ()
    unread: frozenset[FileKey] = frozenset()


class Watched:
    """The library folders and the exclusion patterns.

    ``excluded`` are patterns as in a ``.gitignore``, relative to the library folder (``drafts/``, ``*.tmp``,
    ``**/old/**``), or absolute paths of files and folders. Also skipped are hidden files and folders, word
    processors' lock files ("~$…"), and the folders that browsers save with the parts of a page
    ("Carrow_files").
    """

    def __init__(self, folders: Iterable[Path], excluded: Iterable[str] = ()) -> None:
        self.folders = tuple(sorted({folder.expanduser().resolve() for folder in folders}))
        patterns = [os.path.expanduser(pattern) for pattern in excluded]
        self._paths = tuple(str(Path(p).resolve()) for p in patterns if os.path.isabs(p))
        self._patterns = read_globs(pattern for pattern in patterns if not os.path.isabs(pattern))

    def key_of(self, path: str) -> FileKey | None:
        """Return the key of an absolute path if it is in a library folder, is not excluded and has a known
        format; None otherwise.
        """
        if os.path.splitext(path)[1].lower() not in SUFFIXES and not is_catalogue(path):
            return None
        return self._below(path)

    def unread_key(self, path: str) -> FileKey | None:
        """Return the key of an absolute path if it is a file in the library that no reader supports; None
        otherwise.
        """
        if find_suffix(path) in SUFFIXES or not is_worth_telling(path) or not os.path.isfile(path):
            return None
        return self._below(path)

    def folder_key(self, path: str) -> FileKey | None:
        """Return the key of a folder (absolute path); None if it is outside the library or excluded. The key
        of a library folder itself has the path "".
        """
        if any(path == str(folder) for folder in self.folders):
            return FileKey(path, "")
        return self._below(path)

    def holds(self, path: str) -> bool:
        """Return whether a folder (absolute path) is in the library and not excluded."""
        return self.folder_key(path) is not None

    def _below(self, path: str) -> FileKey | None:
        # A folder inside another watched folder belongs to the inner one.
        for folder in reversed(self.folders):
            base = str(folder).rstrip(os.sep) + os.sep
            if path.startswith(base):
                relative = path[len(base) :].replace(os.sep, "/")
                return None if self._left_out(path, relative) else FileKey(str(folder), _printable(relative))
        return None

    def _left_out(self, path: str, relative: str) -> bool:
        parts = relative.split("/")
        if any(part.startswith((".", "~$")) for part in parts):
            return True
        if _PARTS in relative and _is_part_of_page(path, parts):
            return True
        if any(path == p or path.startswith(p + os.sep) for p in self._paths):
            return True
        return self._patterns.match_file(relative)

    def scan(self) -> FolderScan:
        """Walk all folders. Symbolic links are followed once; loops are reported, not entered."""
        found = {folder: find_identity(folder) for folder in map(str, self.folders)}
        missing = frozenset(folder for folder, identity in found.items() if identity is None)
        scan = self._walk([(folder, frozenset({found_as})) for folder, found_as in found.items() if found_as])
        # A folder may have disappeared during the walk.
        return replace(scan, missing=missing | self.list_missing())

    def list_missing(self) -> frozenset[str]:
        """Return the library folders that cannot be listed: moved, ejected, or on an unreachable share."""
        return frozenset(folder for folder in map(str, self.folders) if find_identity(folder) is None)

    def scan_under(self, path: str) -> FolderScan:
        """Walk one folder (absolute path) in a library folder."""
        chain = {_identity(os.stat(p)) for p in (path, *map(str, Path(path).parents)) if os.path.exists(p)}
        scan = self._walk([(path, frozenset(chain))])
        return replace(scan, links=(path, *scan.links)) if os.path.islink(path) else scan

    def state(self, path: str) -> FileState | str | None:
        """Return the state of the file at an absolute path, or the reason why it cannot be read. Return None
        for a folder, a missing file, or a file that is not to be indexed.
        """
        key = self.key_of(path)
        if key is None:
            return None
        try:
            info = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return _BROKEN if os.path.islink(path) else None
        except OSError as error:
            return _reason(error)
        if not stat.S_ISREG(info.st_mode):
            return None if stat.S_ISDIR(info.st_mode) else _OTHER
        if _printable(path) != path:
            return _NO_TEXT
        return FileState(key, info.st_size, info.st_mtime_ns)

    def _walk(self, pending: list[tuple[str, frozenset[tuple[int, int]]]]) -> FolderScan:
        """Scan the ``pending`` folders, each given with the identities of the folders above it."""
        files: dict[FileKey, FileState] = {}
        problems: dict[FileKey, str] = {}
        links: list[str] = []
        unread: set[FileKey] = set()
        while pending:
            current, above = pending.pop()
            for entry in self._entries(current, problems):
                if not _is_folder(entry):
                    self._look_at(entry, files, problems, unread)
                    continue
                key = self._below(entry.path)
                if key is None or any(entry.path == str(other) for other in self.folders):
                    continue
                try:
                    identity = _identity(entry.stat())
                except FileNotFoundError:  # it was just deleted
                    continue
                except OSError as error:
                    problems[key] = _reason(error)
                    continue
                if identity in above:
                    problems[key] = _LOOP
                    continue
                if entry.is_symlink():
                    links.append(entry.path)
                pending.append((entry.path, above | {identity}))
        return FolderScan(files, problems, links=tuple(links), unread=frozenset(unread))

    def _look_at(
        self,
        entry: os.DirEntry[str],
        files: dict[FileKey, FileState],
        problems: dict[FileKey, str],
        unread: set[FileKey],
    ) -> None:
        state = self.state(entry.path)
        if isinstance(state, FileState):
            files.setdefault(state.key, state)
        elif isinstance(state, str):
            if key := self.key_of(entry.path):
                problems[key] = state
        elif entry.is_symlink() and (key := self._below(entry.path)) is not None:
            # A broken link is reported whatever its suffix: it may have been meant as a folder.
            try:
                os.stat(entry.path)
            except FileNotFoundError:
                problems[key] = _BROKEN
            except OSError as error:
                problems[key] = _reason(error)
        elif key := self.unread_key(entry.path):
            unread.add(key)

    def _entries(self, folder: str, problems: dict[FileKey, str]) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            key = self._below(folder)
            if key is not None and not isinstance(error, FileNotFoundError):
                problems[key] = _reason(error)
            return []


def compare(scan: FolderScan, known: Mapping[FileKey, tuple[int, int]]) -> Changes:
    """Return what differs from ``known`` (size and mtime by key, including failed files).

    Documents in a missing folder, or below a folder that cannot be listed, are kept, so that the index is not
    lost when a drive is not mounted.
    """
    read = tuple(
        state for key, state in sorted(scan.files.items()) if known.get(key) != (state.size, state.mtime_ns)
    )
    gone = tuple(
        key
        for key in sorted(known)
        if key not in scan.files and key.library not in scan.missing and not _is_hidden(key, scan.problems)
    )
    return Changes(read, gone)


def _is_hidden(key: FileKey, problems: Container[FileKey]) -> bool:
    """Return whether a file's existence is unknown because there is a problem with it or a folder
    above it.
    """
    parts = key.relative.split("/")
    above = ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    return any(FileKey(key.library, each) in problems for each in above)


_PARTS = "_files/"
_PAGES = (".html", ".htm", ".xhtml")


def _is_part_of_page(path: str, parts: list[str]) -> bool:
    """Return whether a path is in the folder of page parts that a browser saved next to a page."""
    base = path[: len(path) - len("/".join(parts))]
    for depth, part in enumerate(parts[:-1], start=1):
        if part.endswith("_files"):
            page = base + "/".join(parts[:depth]).removesuffix("_files")
            if any(os.path.exists(page + suffix) for suffix in _PAGES):
                return True
    return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _printable(path: str) -> str:
    r"""Return a path as text: bytes that are not UTF-8 (surrogates in ``path``) are written like ``\xff``.

    SQLite, JSON and URIs cannot represent the original path. The result must not be used to open a file.
    """
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def is_gone(path: Path) -> bool:
    """Return whether a path certainly does not exist, even as a broken link."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def find_identity(folder: str) -> tuple[int, int] | None:
    """Return the device and inode of a folder, None if it cannot be listed."""
    try:
        with os.scandir(folder):
            return _identity(os.stat(folder))
    except OSError:
        return None


def _identity(info: os.stat_result) -> tuple[int, int]:
    return info.st_dev, info.st_ino


def _reason(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return _LOOP
    if error.errno in (errno.EACCES, errno.EPERM):
        return "permission denied"
    return (error.strerror or str(error)).lower()


def hash_file(path: Path) -> bytes:
    """Return the SHA-256 of a file's bytes. Raises ``OSError``."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()


_WORDS = load_words(__package__, "kinds.toml")
_HELPERS = _WORDS["helpers"]
_HELPER_NAMES = frozenset(name.casefold() for name in _WORDS["helper_names"])
COUNTED = _WORDS["counted"]
"""Suffixes of common file types that are seldom authorities, such as pictures, archives and sound. Such files
are only counted.
"""


def is_worth_telling(path: str) -> bool:
    """Return whether the user should know that a file is not read; false for settings and leftovers of
    drafts.
    """
    suffix = find_suffix(path)
    return suffix not in _HELPERS and os.path.basename(path).casefold() not in _HELPER_NAMES


def find_suffix(path: str) -> str:
    """Return the suffix of a path in lower case, "" if it has none."""
    return os.path.splitext(path)[1].lower()
