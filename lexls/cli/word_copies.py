"""Write copies of Word documents beside them; the documents themselves are never written to."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from lexls.assessing.check import Finding
from lexls.cli.output import USAGE, CommandFailed
from lexls.export.word_copy import UnwritableCopy, WordCopy
from lexls.export.word_edits import Author
from lexls.export.word_review import review
from lexls.library.document import UnreadableFile
from lexls.library.readers.opening import read_bytes
from lexls.reading.draft_files import is_word
from lexls.reading.snapshot import Snapshot


def check_copy(path: Path, copy: Path) -> None:
    """Raises ``CommandFailed`` where ``copy`` cannot be a new copy of the Word document ``path``."""
    if not is_word(path):
        raise CommandFailed(f"{path}: not a Word document (.docx), so there is no copy of it to write", USAGE)
    if os.path.realpath(path) == os.path.realpath(copy):
        raise CommandFailed(f"{copy} is the draft itself; name another file for the copy", USAGE)
    if copy.exists():
        raise CommandFailed(f"{copy} is there already; it was left as it is", USAGE)


def open_copy(path: Path, snapshot: Snapshot, when: datetime | None = None) -> WordCopy:
    """A copy in the making of the document that the snapshot's draft was read from, dated ``when`` (now)."""
    author = Author("lexls", (when or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ"))
    try:
        copy = WordCopy(read_bytes(path, snapshot.settings.index_max_file_megabytes * 2**20), author)
    except UnreadableFile as error:
        raise CommandFailed(f"{path}: {error}") from error
    if copy.extract.text != snapshot.draft.source:
        raise CommandFailed(f"{path} has changed meanwhile; no copy was written")
    return copy


def save_copy(path: Path, copy: WordCopy, out: Path) -> str:
    """Write a copy of ``path``, whole or not at all; what was put into it, in words."""
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
    """Write a copy of the Word document ``path`` with what was found in it; what was put in, in words."""
    copy = open_copy(path, snapshot)
    review(copy, snapshot, findings)
    return save_copy(path, copy, out)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
