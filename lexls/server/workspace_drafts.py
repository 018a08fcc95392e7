"""Find and read the drafts of the workspace that are not open."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.server.convert import to_uri
from lexls.text.cancel import CancelToken

if TYPE_CHECKING:
    from lexls.server.session import Session


MOST_DRAFTS = 500
"""Maximum number of closed drafts that are read in each workspace folder."""
MOST_FOLDERS = 5_000
"""Maximum number of folders searched for drafts in each workspace folder."""
LARGEST_DRAFT = 4 * 2**20
"""Maximum size in bytes of a draft that is read."""


def list_closed(
    session: Session, folders: Sequence[Path], opened: Collection[str], token: CancelToken
) -> Iterator[Path]:
    """Yield the text drafts in ``folders`` and their subfolders that are not ``opened`` (URIs). Raises
    ``Cancelled``.
    """
    from lexls.reading.draft_files import is_word, walk_drafts

    for folder in folders:
        for path in walk_drafts(folder, session.is_authority, MOST_FOLDERS):
            token.raise_if_cancelled()
            if not is_word(path) and to_uri(path) not in opened:
                yield path


def read_closed(path: Path) -> str | None:
    """Return the text of a draft, or None if it is too large or cannot be read."""
    from lexls.library.document import UnreadableFile
    from lexls.library.readers.decoding import decode
    from lexls.library.readers.opening import read_bytes

    try:
        return decode(read_bytes(path, LARGEST_DRAFT))
    except UnreadableFile:
        return None
