"""Show an answer while it grows: in the client's own view, or in a file that the editor opens."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as t

from lexls.server.convert import uri_of
from lexls.server.server import LexlsServer
from lexls.text.formats.markdown import as_markdown

ANSWER_NOTIFICATION = "lexls/answer"
BETWEEN_SECONDS = 0.1
"""Between two notifications of one answer."""
KEPT_FILES = 50
"""Pages of answers that stay; older ones are removed when a new one is begun."""
_DRAFT = ".answer-"
_WRITING_SECONDS = 600
"""A file that is still being written after so long never will be."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is shown of an answer: Markdown without its title, whether it is all, and whether nothing is said
    in answer."""

    title: str
    markdown: str
    complete: bool
    abstained: bool


def place_for(ls: LexlsServer, id: str, uri: str) -> NotifiedPage | WrittenPage:
    """Where this client shows an answer about the document ``uri`` ("" if about none); ``id`` names it."""
    return NotifiedPage(ls, id, uri) if shows_answers(ls) else WrittenPage(ls)


def shows_answers(ls: LexlsServer) -> bool:
    """Whether the client said that it shows answers itself."""
    return _field(_field(ls.client_capabilities.experimental, "lexls"), "answers") is True


def _field(data: Any, name: str) -> Any:
    return data.get(name) if isinstance(data, Mapping) else getattr(data, name, None)


class NotifiedPage:
    """Tells the client of an answer, at most ten times a second, and always of its end."""

    def __init__(self, ls: LexlsServer, id: str, uri: str) -> None:
        self._ls = ls
        self._id = id
        self._uri = uri
        self._told_at = 0.0
        self._later: asyncio.TimerHandle | None = None

    def show(self, page: Page) -> None:
        """Tell now, or when the last time is long enough ago."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        wait = self._told_at + BETWEEN_SECONDS - time.monotonic()
        if page.complete or wait <= 0:
            self._tell(page)
        else:
            self._later = asyncio.get_running_loop().call_later(wait, self._tell, page)

    def _tell(self, page: Page) -> None:
        self._told_at = time.monotonic()
        self._ls.protocol.notify(ANSWER_NOTIFICATION, {"id": self._id, "uri": self._uri, **asdict(page)})


class WrittenPage:
    """Writes an answer into a file of the user's own cache, replaced as it grows, and has it opened once."""

    def __init__(self, ls: LexlsServer) -> None:
        self._ls = ls
        self._path: Path | None = None
        self._latest: Page | None = None
        self._writing: asyncio.Task[Any] | None = None

    def show(self, page: Page) -> None:
        """Have the file written; what comes while it is being written waits, and only the last of it."""
        self._latest = page
        if self._writing is None or self._writing.done():
            self._writing = self._ls.spawn(self._write())

    async def _write(self) -> None:
        while self._latest is not None:
            page, self._latest = self._latest, None
            first = self._path is None
            try:
                path = self._path = await self._ls.run_behind(partial(_written, page, self._path))
            except OSError as error:
                reason = f"the answer cannot be written to a file: {error.strerror or error}"
                self._ls.show(t.MessageType.Warning, reason)
                return
            if first:
                self._ls.spawn(self._open(path))

    async def _open(self, path: Path) -> None:
        window = self._ls.client_capabilities.window
        if window and window.show_document and window.show_document.support:
            params = t.ShowDocumentParams(uri_of(path), external=False, take_focus=True)
            with contextlib.suppress(Exception):  # a client that refuses is told the path instead
                if (await self._ls.window_show_document_async(params)).success:
                    return
        self._ls.show(t.MessageType.Info, f"the answer is in {path}")


def _written(page: Page, path: Path | None) -> Path:
    """Write a page into ``path``, or a new file; nobody but the user can read it, and nobody half of it."""
    if path is None:
        folder = answers_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _remove_old(folder)
        path = folder / f"answer-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}.md"
    descriptor, draft = tempfile.mkstemp(prefix=_DRAFT, dir=path.parent)  # 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as stream:
            stream.write(f"# {as_markdown(page.title)}\n\n{page.markdown}\n")
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    return path


def answers_folder() -> Path:
    """Where pages of answers are written: below the user's cache folder."""
    from platformdirs import user_cache_path

    return user_cache_path("lexls", appauthor=False) / "answers"


def _remove_old(folder: Path) -> None:
    """Pages but the newest, and what a server that was killed while it wrote has left."""
    old = sorted(folder.glob("answer-*.md"))[: -KEPT_FILES + 1]
    for each in [*old, *folder.glob(f"{_DRAFT}*")]:
        with contextlib.suppress(OSError):  # another program has it open, or was faster
            if each.suffix or each.stat().st_mtime < time.time() - _WRITING_SECONDS:
                each.unlink()
