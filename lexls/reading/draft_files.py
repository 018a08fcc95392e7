"""Read drafts from files: text in the format that the suffix shows, and Word documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from lexls.library.document import UnreadableFile
from lexls.library.readers import LAID_OUT_SUFFIXES, read
from lexls.library.readers.decoding import decode
from lexls.library.readers.opening import read_bytes
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.reading.draft_source import DraftSource
from lexls.text.formats import DRAFT_SUFFIXES, PLAIN, format_of

SUFFIXES = DRAFT_SUFFIXES | {".docx"}
"""The suffixes of draft files."""


COPIES = "lexls-review"
"""Name of the folder of the copies that ``lexls watch`` writes, which are not drafts."""
_PACKAGES = "node_modules"


def walk_drafts(
    folder: Path, is_shut: Callable[[Path], bool], most_folders: int | None = None
) -> Iterator[Path]:
    """Yield the drafts in a folder and the folders below it, in order.

    Hidden files and folders, folders of Node packages, Word's temporary files for open documents, and paths
    for which ``is_shut`` returns true are skipped. At most ``most_folders`` folders are searched.
    """
    for count, (name, folders, files) in enumerate(os.walk(folder)):
        if count == most_folders:
            return
        here = Path(name)
        folders[:] = sorted(
            each
            for each in folders
            if not each.startswith(".") and each not in (COPIES, _PACKAGES) and not is_shut(here / each)
        )
        for each in sorted(files):
            path = here / each
            if path.suffix.lower() in SUFFIXES and not each.startswith((".", "~$")) and not is_shut(path):
                yield path


def is_word(path: Path) -> bool:
    """Return whether a file is a Word document. Positions in Word documents are given by paragraph, not by
    line.
    """
    return path.suffix.lower() == ".docx"


def read_brief_file(path: Path, parser: DraftParser, max_bytes: int) -> tuple[Draft, tuple[int, ...]]:
    """Read a draft, or a brief in any supported format. Return it with the offsets of its pages, empty if it
    has no pages. In formats with a page layout, offsets refer to the extracted text. Raises
    ``UnreadableFile``.
    """
    if is_word(path) or path.suffix.lower() not in LAID_OUT_SUFFIXES:
        return read_draft_file(path, parser, max_bytes), ()
    found = read(path, parser.grammar, max_bytes)
    return parser.parse(path.absolute().as_uri(), found.text, PLAIN), found.page_starts


def read_draft_file(path: Path, parser: DraftParser, max_bytes: int) -> Draft:
    """Read the draft in a file of at most ``max_bytes``. Its offsets refer to the decoded text, or, for a
    Word document, to the extracted text. Raises ``UnreadableFile``.
    """
    return read_draft_source(path, max_bytes).parse(parser)


def read_draft_source(path: Path, max_bytes: int) -> DraftSource:
    """Read a draft's file like `read_draft_file`, but do not parse it. Raises ``UnreadableFile``."""
    uri, data = path.absolute().as_uri(), read_bytes(path, max_bytes)
    if not is_word(path):
        return DraftSource(uri, decode(data), format_of("", path.name))
    from lexls.library.readers.docx import extract

    found = extract(data)
    if not found.pieces:
        raise UnreadableFile("no text in it")
    return DraftSource(uri, found.text, PLAIN, found)
