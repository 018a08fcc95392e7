r"""Read a draft that is one of several files ("\input", "#include", "include::") together with the others.

An *ibid.* at the beginning of a chapter refers to the last citation of the previous chapter. The other files
are read as they were last saved. If a file cannot be read, or is included in the middle of a sentence,
references after it remain unresolved. So do references at the top of a draft that several files include.
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
"""Maximum number of other files that are read with a draft."""
_MOST_LOOKED_IN = 100
"""Maximum number of files in a folder that is searched for a file that includes the draft."""
_DEEPEST = 4
"""Maximum number of levels of inclusion above a draft."""
_TOP = 4_000
"""Code points at the top of a draft that are searched for the name of its main file."""
_UNREAD = DraftBlock(f"{INSERTED}\n\n", f"{INSERTED}\n\n", Span(0, 0), None, (), None, ())
"""Placeholder block for files before a draft that are not read."""
_KEPT = 512
_KEPT_FOLDERS = 16


@dataclass(frozen=True, slots=True, eq=False)
class WorkFile:
    """Another file of a work, as last saved. The object stays the same as long as the file does not change.
    ``inserts`` maps names without folder, with and without suffix, to the paths that the file seems to
    include.
    """

    path: Path
    stamp: tuple[int, int] | None
    source: str
    inserts: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Work:
    """The files that are printed together with a draft. Two works are equal if all their files except the
    draft are the same.

    ``blocks`` are the blocks of all files in printed order, and ``own`` the indices of the draft's own
    blocks. If ``opens_unread`` is true, the first block is a placeholder for files that are not read.
    ``counted`` is the offset in the draft up to which its footnotes have the same numbers as if it were
    printed alone; 0 if other notes are printed before it.
    """

    files: tuple[WorkFile, ...]
    counted: int
    opens_unread: bool
    blocks: tuple[DraftBlock, ...] = field(compare=False, repr=False)
    own: tuple[int, ...] = field(compare=False, repr=False)

    def place_footnotes(
        self, notes: Sequence[Note], starts: Sequence[int], format: Format
    ) -> tuple[Mapping[str, Span], Mapping[str, int]]:
        """Return two mappings from the names of all footnotes: to the spans of their text, and to the offsets
        of their marks. The second one has only the footnotes whose text is written elsewhere. ``notes``
        are the draft's footnotes, and ``starts`` the offsets of its blocks. Only the draft's footnotes
        before its first inclusion of another file are named by their number, so that a short form can
        refer to them.
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
    """Finds the works to which drafts belong; their files are cached until they change. Thread-safe. If
    ``within`` is given, only files in these folders are read.
    """

    def __init__(self, within: Sequence[Path] | None = None) -> None:
        self._within = within
        self._files = Memory[tuple[Path, Format], WorkFile](_KEPT)
        self._folders = Memory[tuple[Path, Format, tuple[int, int]], Sequence[Path]](_KEPT_FOLDERS)
        self._blocks = Memory[tuple[WorkFile, bool], tuple[DraftBlock, ...]](2 * _MOST_FILES)

    def find_main(self, uri: str, source: str, format: Format) -> tuple[WorkFile | None, bool]:
        """Return the main file of the work to which a draft belongs (None if there is none), and whether more
        than one file includes the draft, or a file that includes it.
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
        """Return a draft's blocks among the blocks of the other files; None if there are no other files. If
        ``several`` is true, the files that include ``main`` (without a main file, the draft) are not read.
        The main file is not read either unless it includes the draft exactly once. ``keys`` is as in
        `cut_blocks`.
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
        """Return the printed order of a draft and the files around it. The arguments are those of
        `arrange`.
        """
        folder = (main.path if main is not None else path).parent
        printed = _PrintedOrder(self, path, tuple(blocks), format, keys, folder, [_UNREAD] * several)
        printed.read(main)
        return printed

    def find_inserted(self, name: str, folders: Sequence[Path], format: Format) -> WorkFile | None:
        """Return the file with a name as written in an inclusion, searched for in the given folders; None if
        there is none.
        """
        if not name or "\0" in name:
            return None
        for folder in folders:
            for path in list_paths(folder / name, format):
                if (found := self._file(path, format)) is not None:
                    return found
        return None

    def cut(self, file: WorkFile, format: Format, keys: bool) -> tuple[DraftBlock, ...]:
        """Return the blocks of a file, from a cache if possible."""

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
        """Return the files in a file's folder, or in the folder above, that seem to include that file."""
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
    """The blocks of a work's files in printed order, collected in one pass."""

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
        """Add the blocks of a file, or of the draft itself (None), and of the files that it includes."""
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
        """Map the offsets at which a block includes files to these files. Empty if one of them is included
        between words of a sentence, is included already, or cannot be read, or if there are too many
        files.
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
    """Return whether a draft begins with a heading at which the footnote numbers start again."""
    first = next((each.source.lstrip() for each in blocks if len(each.words)), "")
    return format.count_anew is not None and format.count_anew.match(first) is not None


def _read_names(source: str, format: Format) -> Mapping[str, Sequence[str]]:
    """Return the names of files that a source seems to include, even in comments, by their names without
    folder, with and without suffix.
    """
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
    """Return the paths that a file name may mean: with the format's suffix, then as written. A path that has
    one of the format's suffixes is returned alone.
    """
    path = Path(os.path.normpath(path))
    if path.suffix in format.suffixes or not path.name:
        return (path,)
    return path.with_name(path.name + format.suffixes[0]), path
