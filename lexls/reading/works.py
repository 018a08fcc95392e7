r"""Read a draft that is one of several files ("\input", "#include", "include::") together with the others.

An *ibid.* that opens a chapter refers to the last citation of the previous chapter. The other files are read
as last saved. If one cannot be read, or is included within a sentence, references after it are left
unresolved. So are references at the top of a draft that several files include.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from lexls.library.document import UnreadableFile
from lexls.library.readers.decoding import decode
from lexls.library.readers.opening import read_bytes
from lexls.reading.draft_block import DraftBlock, Note, cut_blocks, list_starts, number_footnotes
from lexls.text.blanking import INSERTED
from lexls.text.format import Format
from lexls.text.memory import Memory
from lexls.text.paths import find_file, is_within, stamp_file
from lexls.text.spans import Span

MAX_BYTES = 2 * 2**20
"""Maximum size of a file that is read with a draft, in bytes: about 300,000 words."""
_MOST_FILES = 64
"""Maximum number of other files read with a draft."""
_MOST_LOOKED_IN = 100
"""Maximum number of files in a folder for them to be searched for one that includes the draft."""
_DEEPEST = 4
"""Maximum depth of nested inclusion above a draft."""
_TOP = 4_000
"""Code points at the top of a draft that are searched for its main file."""
_UNREAD = DraftBlock(f"{INSERTED}\n\n", f"{INSERTED}\n\n", Span(0, 0), None, (), None, ())
"""Placeholder for files before a draft that are not read."""
_KEPT = 512
_KEPT_FOLDERS = 16


@dataclass(frozen=True, slots=True, eq=False)
class WorkFile:
    """Another file of a work as last saved; the same object as long as it does not change. ``inserts`` maps
    names without folder and suffix to the names of the files that it seems to include.
    """

    path: Path
    stamp: tuple[int, int] | None
    source: str
    inserts: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Work:
    """The files with which a draft is printed. Two are equal if all files but the draft are the same.

    ``blocks`` are those of all files in printed order, ``own`` the indices of the draft's own. If
    ``opens_unread``, the first block is a placeholder for unread files. ``counted`` is the offset in the
    draft before which its footnotes have the same numbers as when it is printed alone; 0 if other notes are
    printed before it.
    """

    files: tuple[WorkFile, ...]
    counted: int
    opens_unread: bool
    blocks: tuple[DraftBlock, ...] = field(compare=False, repr=False)
    own: tuple[int, ...] = field(compare=False, repr=False)

    def place_footnotes(
        self, notes: Sequence[Note], starts: Sequence[int], format: Format
    ) -> tuple[Mapping[str, Span], Mapping[str, int]]:
        """Map the numbers of all footnotes to their text, and of those with text elsewhere to their marks.
        ``notes`` are the draft's, whose blocks begin at ``starts``. Only these have numbers to which a
        short form can refer, and only up to where the draft includes another file.
        """
        begins = list_starts(self.blocks)
        numbers: dict[int, int] = {}
        for note in notes:
            block = bisect_right(starts, note.content.start) - 1
            if note.mark < self.counted:
                numbers[begins[self.own[block]] + note.content.start - starts[block]] = note.number
        placed = number_footnotes("".join(block.source for block in self.blocks), format, self.blocks, begins)
        names = {note: str(numbers.get(note.content.start, f"·{note.number}")) for note in placed}
        words = {name: note.content for note, name in names.items()}
        return words, {name: note.mark for note, name in names.items() if note.label}


class Works:
    """The works to which drafts belong; their files are cached until they change. Thread-safe. If ``within``
    is given, only files in these folders are read.
    """

    def __init__(self, within: Sequence[Path] | None = None) -> None:
        self._within = within
        self._files = Memory[tuple[Path, Format], WorkFile](_KEPT)
        self._folders = Memory[tuple[Path, Format, tuple[int, int]], Sequence[Path]](_KEPT_FOLDERS)
        self._blocks = Memory[tuple[WorkFile, bool], tuple[DraftBlock, ...]](2 * _MOST_FILES)

    def find_main(self, uri: str, source: str, format: Format) -> tuple[WorkFile | None, bool]:
        """Return the main file of the work that includes a draft (None if there is none), and whether several
        files include it or the draft.
        """
        path = find_file(uri) if format.inclusion is not None else None
        if path is None:
            return None, False
        declared = format.main_file.search(source, 0, _TOP) if format.main_file is not None else None
        if declared is not None:
            main = Path(os.path.normpath(path.parent / declared["name"].strip()))
            return (self._file(main, format) if main != path else None), False
        found = None
        below = {path}
        while len(below) <= _DEEPEST and (above := self._find_above(path, format, below)):
            if len(above) > 1:
                return found, True
            found, path = above[0], above[0].path
            below.add(path)
        return found, False

    def arrange(
        self,
        uri: str,
        blocks: Sequence[DraftBlock],
        format: Format,
        main: WorkFile | None,
        *,
        several: bool,
        keys: bool,
    ) -> Work | None:
        """Arrange the blocks of a draft among those of the other files; None if there are none. If
        ``several`` files include the ``main`` one, or else the draft, they are not read. The main file is
        also not read unless it includes the draft exactly once. ``keys`` is as for `cut_blocks`.
        """
        path = find_file(uri) if format.inclusion is not None else None
        if path is None:
            return None
        if main is None and not several and not any(INSERTED in each.masked for each in blocks):
            return None
        printed = self._print(path, blocks, format, keys, main, several)
        if printed.own_read != 1:
            # An inclusion only in a comment does not count.
            several = printed.own_read > 1 or any(INSERTED in each.masked for each in printed.blocks)
            main = None
            printed = self._print(path, blocks, format, keys, main, several)
        is_alone = main is None and not several
        if is_alone and not printed.files:
            return None
        counted = 0
        if is_alone or _counts_anew(blocks, format):
            masked = "".join(block.masked for block in blocks)
            counted = (masked + INSERTED).index(INSERTED)
        files = tuple(printed.files.values())
        return Work(files, counted, several, tuple(printed.blocks), tuple(printed.own))

    def _print(
        self,
        path: Path,
        blocks: Sequence[DraftBlock],
        format: Format,
        keys: bool,
        main: WorkFile | None,
        several: bool,
    ) -> _PrintedOrder:
        """Return the printed order of a draft and the files around it; see `arrange`."""
        folder = (main.path if main is not None else path).parent
        printed = _PrintedOrder(self, path, tuple(blocks), format, keys, folder, [_UNREAD] * several)
        printed.read(main)
        return printed

    def find_inserted(self, name: str, folders: Sequence[Path], format: Format) -> WorkFile | None:
        """Return the file with a name as written, searched for in folders; None if there is none."""
        if not name or "\0" in name:
            return None
        for folder in folders:
            for path in list_paths(folder / name, format):
                if (found := self._file(path, format)) is not None:
                    return found
        return None

    def cut(self, file: WorkFile, format: Format, keys: bool) -> tuple[DraftBlock, ...]:
        """Return the blocks of a file; cached."""

        def make() -> tuple[DraftBlock, ...]:
            return tuple(cut_blocks(file.source, format.mask(file.source), format, keys=keys))

        return self._blocks.recall((file, keys), make)

    def _file(self, path: Path, format: Format) -> WorkFile | None:
        stamp = stamp_file(path)
        if stamp is None or stamp[1] > MAX_BYTES:
            return None
        known = self._files.get((path, format))
        if known is not None and known.stamp == stamp:
            return known
        if self._within is not None and not is_within(path, self._within):
            return None
        try:
            source = decode(read_bytes(path, MAX_BYTES))
        except UnreadableFile:
            return None
        return self._files.keep((path, format), WorkFile(path, stamp, source, _read_names(source, format)))

    def _find_above(self, path: Path, format: Format, below: set[Path]) -> Sequence[WorkFile]:
        """Return the files in a file's folder, or in the folder above, that seem to include it."""
        found: list[WorkFile] = []
        for folder in (path.parent, path.parent.parent):
            for candidate in self._list_files(folder, format):
                file = self._file(candidate, format) if candidate not in below else None
                if file is None or not (named := file.inserts.get(path.stem)):
                    continue
                places = (place / each for each in named for place in (folder, path.parent))
                if any(path in list_paths(each, format) for each in places):
                    found.append(file)
        return found

    def _list_files(self, folder: Path, format: Format) -> Sequence[Path]:
        """Return the files of a format in a folder, sorted by name; [] if there are too many."""
        stamp = stamp_file(folder)
        if stamp is None:
            return ()
        return self._folders.recall((folder, format, stamp), lambda: _list_files(folder, format))


@dataclass(slots=True)
class _PrintedOrder:
    """One pass over the files of a work, in printed order."""

    works: Works
    draft: Path
    draft_blocks: tuple[DraftBlock, ...]
    format: Format
    keys: bool
    folder: Path
    blocks: list[DraftBlock]
    files: dict[Path, WorkFile] = field(default_factory=dict)
    own: list[int] = field(default_factory=list)
    own_read: int = 0

    def read(self, file: WorkFile | None) -> None:
        """Read a file, or the draft itself (None)."""
        if file is None or file.path == self.draft:
            self.own_read += 1
            if self.own_read == 1:
                for block in self.draft_blocks:
                    self._read_block(block, self.draft, own=True)
            return
        self.files[file.path] = file
        blocks = self.works.cut(file, self.format, self.keys)
        if not file.inserts:
            self.blocks.extend(blocks)
            return
        for block in blocks:
            self._read_block(block, file.path, own=False)

    def _read_block(self, block: DraftBlock, path: Path, *, own: bool) -> None:
        inserted = self._find_files(block, path) if INSERTED in block.masked else {}
        for at, file in inserted.items():
            if at < block.words.start:
                self.read(file)
        if own:
            self.own.append(len(self.blocks))
        if inserted:
            block = replace(block, masked=block.masked.replace(INSERTED, " "))
        self.blocks.append(block)
        for at, file in inserted.items():
            if at >= block.words.start:
                self.read(file)

    def _find_files(self, block: DraftBlock, path: Path) -> dict[int, WorkFile]:
        """Map the offsets in a block at which it includes files to these files. Empty if one of them is
        included among the words or cannot be read.
        """
        found: dict[int, WorkFile] = {}
        for at in (at for at, sign in enumerate(block.masked) if sign == INSERTED):
            within = block.words.start < at < block.words.end
            file = self._find_file(block.source, at, path) if not within else None
            if file is None or file.path in self.files or file in found.values():
                return {}
            if len(self.files) + len(found) >= _MOST_FILES:
                return {}
            found[at] = file
        return found

    def _find_file(self, source: str, at: int, path: Path) -> WorkFile | None:
        match = self.format.inclusion.match(source, at) if self.format.inclusion is not None else None
        if match is None:
            return None
        # LaTeX resolves paths from the main file's folder; other formats from the including file's.
        folders = (self.folder, path.parent) if self.format.main_file is not None else (path.parent,)
        inner = match["folder"] or ""
        return self.works.find_inserted(
            match["name"].strip(), [each / inner for each in folders], self.format
        )


def _counts_anew(blocks: Sequence[DraftBlock], format: Format) -> bool:
    """Return whether a draft opens with a heading after which footnote numbers restart."""
    first = next((each.source.lstrip() for each in blocks if len(each.words)), "")
    return format.count_anew is not None and format.count_anew.match(first) is not None


def _read_names(source: str, format: Format) -> Mapping[str, Sequence[str]]:
    """Return the names of files that a source seems to include, even in comments, by their stems."""
    names: dict[str, list[str]] = {}
    for match in format.inclusion.finditer(source) if format.inclusion is not None else ():
        if "\0" not in match.group():
            name = match["name"].strip()
            for stem in {PurePath(name).stem, PurePath(name).name}:
                names.setdefault(stem, []).append(os.path.join(match["folder"] or "", name))
    return names


def _list_files(folder: Path, format: Format) -> Sequence[Path]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(each.name for each in entries if each.name.lower().endswith(format.suffixes))
    except OSError:
        return []
    return [folder / name for name in names] if len(names) <= _MOST_LOOKED_IN else []


def list_paths(path: Path, format: Format) -> tuple[Path, ...]:
    """The files that a name without or with its suffix can mean."""
    path = Path(os.path.normpath(path))
    if path.suffix in format.suffixes or not path.name:
        return (path,)
    return path.with_name(path.name + format.suffixes[0]), path
