"""Fetch one large file, resuming after interruptions. The file gets its name only after its checksum has been
verified.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from lexls.models.web_address import HttpFailed

if TYPE_CHECKING:
    from lexls.models.http import Opened

SPARE_BYTES = 100_000_000
"""Bytes that must remain free on the disk after the download."""
PAUSES = (1.0, 5.0, 15.0)
"""Seconds to wait before each further attempt after a broken connection."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)")
_BLOCK = 1 << 20

Compared = Literal["known", "given", "server", ""]
"""The source of a checksum: "known" (the list of known models), "given" (by the user), "server", or "" for
none.
"""
Progress = Callable[[str, int, int], None]
"""Callback with the activity ("fetch", "check" or "copy"), the bytes done and the total (0: unknown)."""


class FetchFailed(Exception):
    """Raised if a file was not fetched; the message gives the user the reason and the remedy."""


@dataclass(frozen=True, slots=True)
class Announced:
    """A server's information about a file: ``bytes`` is its size (0 if unknown), ``sha256`` its digest and
    ``etag`` its version ("" if unknown).
    """

    bytes: int = 0
    sha256: str = ""
    etag: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A completely fetched file. ``compared`` is the source of the checksum it was compared with."""

    path: Path
    bytes: int
    sha256: str
    compared: Compared


def ask_announced(url: str) -> Announced:
    """Return the server's information about a file before it is fetched.

    For a large file, the Hugging Face hub answers with a redirect whose headers ``X-Linked-ETag`` and
    ``X-Linked-Size`` are the file's SHA-256 and size; that redirect is not followed. Raises ``FetchFailed``.
    """
    from lexls.models.http import get

    def is_linked(headers: Mapping[str, str]) -> bool:
        return "x-linked-etag" in headers

    try:
        with get(url, {}, head=True, stop=is_linked) as opened:
            seen = opened.headers
            linked = seen.get("x-linked-etag", "").strip('"').lower()
            size = seen.get("x-linked-size") or (
                seen.get("content-length", "") if opened.status == 200 else ""
            )
            return Announced(
                _number(size),
                linked if _DIGEST.fullmatch(linked) else "",
                seen.get("x-linked-etag") or seen.get("etag", ""),
            )
    except HttpFailed as error:
        if error.status in (405, 501):  # a server that does not answer HEAD requests
            return Announced()
        raise _failed(error) from None


def fetch(
    url: str,
    target: Path,
    sha256: str,
    compared: Compared,
    progress: Progress,
    check: Callable[[Path], object],
    *,
    unverified: bool = False,
    pauses: Sequence[float] = PAUSES,
) -> Fetched:
    """Fetch ``url`` to the file ``target``, whose folder must exist. If another process is fetching the same
    file, wait for it.

    ``sha256`` is the required digest, from the source ``compared``; if it is "", the server's digest is used.
    If the server announces none, the file is fetched only if ``unverified``. ``check`` examines the complete
    file before it gets its name, and raises an error to reject it. After a broken connection, the download is
    resumed after each of ``pauses`` (seconds). An incomplete file is kept as ``target`` with the suffix
    ``.part``; a file with the wrong checksum is deleted. Raises ``FetchFailed``, and whatever ``check``
    raises.
    """
    from filelock import FileLock

    try:
        with FileLock(target.with_name(target.name + ".lock")):
            return _Fetch(url, target, progress).run(sha256, compared, check, unverified, pauses)
    except HttpFailed as error:
        raise _failed(error) from None
    except OSError as error:
        raise FetchFailed(f"{target}: cannot be written: {error.strerror or error}") from None


class _Fetch:
    def __init__(self, url: str, target: Path, progress: Progress) -> None:
        self._url = url
        self._target = target
        self._part = target.with_name(target.name + ".part")
        self._note = target.with_name(target.name + ".part.json")
        self._progress = progress

    def run(
        self,
        sha256: str,
        compared: Compared,
        check: Callable[[Path], object],
        unverified: bool,
        pauses: Sequence[float],
    ) -> Fetched:
        told = ask_announced(self._url)
        if sha256 and told.sha256 and told.sha256 != sha256:
            raise FetchFailed(
                f"{self._url}: the server has another file now (it announces the SHA-256 {told.sha256}, not "
                f"{sha256}); --sha256 takes the one you name"
            )
        if not sha256:
            sha256, compared = told.sha256, "server" if told.sha256 else ""
        if not sha256 and not unverified:
            raise FetchFailed(
                f"{self._url}: the server announces no SHA-256 to compare the file with; give --sha256, or "
                "take it as it comes with --unverified"
            )
        if self._target.exists():  # by another process, while this one waited
            digest = compute_digest(self._target, self._progress)
            if sha256 and digest != sha256:
                raise FetchFailed(f"{self._target}: there is another file of this name")
            return Fetched(self._target, self._target.stat().st_size, digest, compared)
        self._all(told, pauses)
        digest = compute_digest(self._part, self._progress)
        if sha256 and digest != sha256:
            self._discard()
            raise FetchFailed(
                f"{self._url}: what came has the SHA-256 {digest}, not {sha256}; it was removed"
            )
        try:
            check(self._part)
        except Exception:
            self._discard()
            raise
        size = self._part.stat().st_size
        os.replace(self._part, self._target)
        self._note.unlink(missing_ok=True)
        return Fetched(self._target, size, digest, compared)

    def _all(self, told: Announced, pauses: Sequence[float]) -> None:
        """Fetch until the file is complete."""
        for pause in (*pauses, None):
            try:
                self._some(told)
                return
            except HttpFailed as error:
                if pause is None or error.kind not in ("broken", "time", "unreachable", "refused"):
                    raise
                time.sleep(pause)

    def _some(self, told: Announced) -> None:
        """Fetch as much of the file as one connection delivers, starting after the part already on
        the disk.
        """
        from lexls.models.http import get

        version = self._version_begun(told)
        have = self._part.stat().st_size if self._part.exists() else 0
        if told.bytes and have == told.bytes:
            return
        _check_space(self._part.parent, told.bytes - have)
        headers = {"Range": f"bytes={have}-"} if have else {}
        if have and version and not told.sha256:
            # With a digest, the complete file is verified at the end, and mirrors may use different tags.
            headers["If-Range"] = version
        with get(self._url, headers) as opened:
            if opened.status == 416 or (opened.status == 206 and not _continues(opened, have, told.bytes)):
                self._discard()
                raise HttpFailed("broken", f"{self._url}: the file has changed; it is fetched from its start")
            if opened.status == 200:
                have = 0
            etag = opened.headers.get("etag", "")
            note = self._described(told) | {"etag": etag if not etag.startswith("W/") else ""}
            self._note.write_text(json.dumps(note), "utf-8")
            whole = told.bytes or (have + _number(opened.headers.get("content-length", "")))
            if not told.bytes and whole:
                _check_space(self._part.parent, whole - have)
            with self._open(have) as file:
                self._take(opened.pieces(), file, have, whole)

    def _take(self, pieces: Iterator[bytes], file: BinaryIO, have: int, whole: int) -> None:
        self._progress("fetch", have, whole)
        for piece in pieces:
            if not have and piece[:4] != b"GGUF"[: len(piece)]:
                self._discard()
                raise FetchFailed(f"{self._url}: what comes is no model file (GGUF), but something else")
            have += len(piece)
            if whole and have > whole:
                self._discard()
                raise FetchFailed(f"{self._url}: the server sends more than the {whole} bytes it announced")
            if not whole and shutil.disk_usage(self._part.parent).free < SPARE_BYTES + len(piece):
                self._discard()
                raise FetchFailed(
                    f"{self._url}: the server does not say how long the file is, and the disk is full "
                    f"after {_gigabytes(have)}"
                )
            file.write(piece)
            self._progress("fetch", have, whole)
        file.flush()
        os.fsync(file.fileno())
        if have < whole:
            raise HttpFailed("broken", f"{self._url}: the connection ended after {have} of {whole} bytes")

    def _open(self, have: int) -> BinaryIO:
        flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if have else os.O_TRUNC) | getattr(os, "O_BINARY", 0)
        return os.fdopen(os.open(self._part, flags, 0o600), "ab" if have else "wb")

    def _version_begun(self, told: Announced) -> str:
        """Return the version of the incomplete file on the disk ("": unknown). Delete the file if it is part
        of another version.
        """
        try:
            found = json.loads(self._note.read_text("utf-8"))
            version = str(found.pop("etag"))
        except (OSError, ValueError, TypeError, AttributeError, KeyError):
            found, version = None, ""
        # Without any version, the rest of the file might come from another version.
        if found != self._described(told) or not (told.sha256 or told.etag or version):
            self._discard()
            return ""
        return version

    def _described(self, told: Announced) -> dict[str, Any]:
        """Return a description that identifies the file. It is stored with the incomplete file, so that parts
        of different files are never joined.
        """
        return {"url": self._url, **{f"announced_{name}": value for name, value in asdict(told).items()}}

    def _discard(self) -> None:
        for path in (self._part, self._note):
            with contextlib.suppress(FileNotFoundError):
                path.unlink()


def read_blocks(path: Path, doing: str, progress: Progress) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks, calling ``progress`` after each block has been used. Raises
    ``OSError``.
    """
    size, done = path.stat().st_size, 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block
            done += len(block)
            progress(doing, done, size)


def compute_digest(path: Path, progress: Progress) -> str:
    """Return the SHA-256 of a file in hexadecimal. Raises ``OSError``."""
    digest = hashlib.sha256()
    for block in read_blocks(path, "check", progress):
        digest.update(block)
    return digest.hexdigest()


def _continues(opened: Opened, have: int, whole: int) -> bool:
    """Return whether the response begins where the incomplete file ends, and the complete file has the
    announced size.
    """
    match = _RANGE.fullmatch(opened.headers.get("content-range", ""))
    if match is None or int(match[1]) != have:
        return False
    return not whole or match[3] == "*" or int(match[3]) == whole


def _check_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if needed + SPARE_BYTES > free:
        raise FetchFailed(
            f"{folder}: {_gigabytes(needed)} are still to come, and {_gigabytes(free)} are free on this disk"
        )


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB"


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def _failed(error: HttpFailed) -> FetchFailed:
    hint = {
        401: "; the model is there only for those who accept its licence on its page and log in: fetch the "
        "file with a browser and add it as a file",
        404: "; there is no such file",
        429: "; it is asked too often, try again later",
    }.get(error.status if error.status != 403 else 401, "")
    return FetchFailed(error.reason + hint)
