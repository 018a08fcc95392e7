"""Write copies of Word documents; the documents themselves are never changed.

``lexls watch`` writes a review copy of each Word document in a folder, and writes it again whenever the
document is saved.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import check
from lexls.cli.context import find_workspace
from lexls.cli.drafts import find_drafts, read_draft
from lexls.cli.libraries import Libraries
from lexls.cli.output import USAGE, CommandFailed
from lexls.export.word_copy import UnwritableCopy, WordCopy
from lexls.export.word_edits import Author
from lexls.export.word_review import review
from lexls.index.watch import Watcher
from lexls.library.document import UnreadableFile
from lexls.library.readers.opening import read_bytes
from lexls.reading.draft_files import COPIES, is_word
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.terminal import note


def check_copy(path: Path, copy: Path) -> None:
    """Raise ``CommandFailed`` if ``path`` is not a Word document, or if ``copy`` is that document or already
    exists.
    """
    if not is_word(path):
        raise CommandFailed(f"{path}: not a Word document (.docx), so there is no copy of it to write", USAGE)
    if os.path.realpath(path) == os.path.realpath(copy):
        raise CommandFailed(f"{copy} is the draft itself; name another file for the copy", USAGE)
    if copy.exists():
        raise CommandFailed(f"{copy} is there already; it was left as it is", USAGE)


def open_copy(path: Path, snapshot: Snapshot, when: datetime | None = None) -> WordCopy:
    """Open a new copy of the document from which the snapshot's draft was read. Comments and changes are
    dated ``when`` (default: now). Raises ``CommandFailed`` if the document cannot be read or has changed
    since.
    """
    author = Author("lexls", (when or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ"))
    try:
        copy = WordCopy(read_bytes(path, snapshot.settings.index_max_file_megabytes * 2**20), author)
    except UnreadableFile as error:
        raise CommandFailed(f"{path}: {error}") from error
    if copy.extract.text != snapshot.draft.source:
        raise CommandFailed(f"{path} has changed meanwhile; no copy was written")
    return copy


def save_copy(path: Path, copy: WordCopy, out: Path) -> str:
    """Write a copy of ``path`` in one step, so that no partial file is left. Return a description of the
    added comments and changes.
    """
    try:
        data = copy.written
        handle, name = tempfile.mkstemp(dir=out.parent, prefix=".lexls-", suffix=".docx")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(name, path.stat().st_mode & 0o666)
            os.replace(name, out)
        except BaseException:
            os.unlink(name)
            raise
    except (UnreadableFile, UnwritableCopy) as error:
        raise CommandFailed(f"{path}: {error}") from error
    except OSError as error:
        raise CommandFailed(f"{out}: {error.strerror or error}") from error
    kept = f", {_count(copy.kept, 'former comment')} kept" if copy.kept else ""
    return f"{out}: {_count(copy.comments, 'comment')} and {_count(copy.changes, 'tracked change')}{kept}"


def write_review(path: Path, out: Path, snapshot: Snapshot, findings: Sequence[Finding]) -> str:
    """Write a copy of the Word document ``path`` with its findings added. Return a description of the
    additions.
    """
    copy = open_copy(path, snapshot)
    review(copy, snapshot, findings)
    return save_copy(path, copy, out)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def run_watch(options: argparse.Namespace) -> int:
    """Write the review copies until the user stops the command. A copy is written again whenever its document
    is saved.
    """
    if not options.folder.is_dir():
        raise CommandFailed(f"{options.folder}: not a folder", USAGE)
    copies = ReviewCopies(options)
    with hear_saves(options.folder) as saved:
        copies.renew()
        note(f"{options.folder}: waiting for saves (Ctrl+C ends it)")
        while True:
            with suppress(Empty):  # on some systems, a wait without a timeout cannot be interrupted
                copies.renew(saved.get(timeout=1))


@contextmanager
def hear_saves(folder: Path) -> Iterator[SimpleQueue[frozenset[str]]]:
    """Provide a queue of the paths below a folder that have changed. Each item is the set of paths in one
    burst of changes.
    """
    saved: SimpleQueue[frozenset[str]] = SimpleQueue()
    watcher = Watcher([folder.absolute()], saved.put)
    if watcher.start():
        watcher.stop()
        raise CommandFailed(f"{folder}: cannot be watched")
    try:
        yield saved
    finally:
        watcher.stop()


@dataclass(slots=True)
class ReviewCopies:
    """Review copies of a folder's Word documents. They are in its subfolder ``lexls-review``, at the
    documents' relative paths.

    A copy that the user has edited is kept next to the new one ("brief (kept 1).docx").
    """

    options: argparse.Namespace
    _written: dict[Path, os.stat_result] = field(default_factory=dict)
    _read: dict[Path, int] = field(default_factory=dict)

    def renew(self, changed: Iterable[str] | None = None) -> None:
        """Write the copies of documents that were saved since the last call. If ``changed`` is given, only
        these paths count. Failures are reported.
        """
        folder: Path = self.options.folder
        libraries = find_workspace(self.options, folder, quiet=True).folders
        below = {os.path.abspath(each) for each in changed} if changed is not None else None
        try:
            drafts = [
                each for each in find_drafts([folder], libraries, self.options.exclude) if is_word(each)
            ]
        except CommandFailed:
            return  # there are no drafts yet
        with closing(Libraries()) as opened:
            for path in drafts:
                if below is not None and not below & {os.path.abspath(each) for each in (path, path.parent)}:
                    continue
                try:
                    saved = path.stat().st_mtime_ns
                    if self._read.get(path) != saved:
                        self._read[path] = saved
                        self._write(path, folder / COPIES / path.relative_to(folder), saved, opened)
                except OSError:
                    continue  # the file is being replaced, which is reported as another change
                except CommandFailed as error:
                    note(str(error))

    def _write(self, path: Path, out: Path, saved: int, opened: Libraries) -> None:
        place = find_workspace(self.options, path, quiet=True)
        snapshot = opened.snapshot(place, read_draft(path, place.settings))
        copy = open_copy(path, snapshot, datetime.fromtimestamp(saved / 1e9, UTC))
        review(copy, snapshot, check(snapshot, CancelToken()))
        out.parent.mkdir(parents=True, exist_ok=True)
        self._keep(out, copy.written)
        note(save_copy(path, copy, out))
        self._written[out] = out.stat()

    def _keep(self, out: Path, new: bytes) -> None:
        """Keep an existing file at ``out`` by renaming it, unless it is the copy written earlier or has the
        new content.
        """
        if not out.exists():
            return
        known, there = self._written.get(out), out.stat()
        if known is not None and (known.st_mtime_ns, known.st_size) == (there.st_mtime_ns, there.st_size):
            return
        if out.read_bytes() == new:
            return
        numbers = (out.with_name(f"{out.stem} (kept {n}){out.suffix}") for n in range(1, 1000))
        os.replace(out, next(each for each in numbers if not each.exists()))
