"""List the contents of a library folder, and the values by which authorities can be filtered (court, kind,
year).
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lexls.citations.courts import abbreviate_court
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.unclear import ask_which
from lexls.index.unread import describe_reason


@dataclass(frozen=True, slots=True)
class FolderContents:
    """The direct contents of a library folder, each in alphabetical order.

    ``authorities`` are listed with notes on their files: what is odd about the file, and which case it is.
    ``folders`` are subfolders and files with several documents, each with its number of authorities and of
    unread files. ``unread`` are files not read, or not completely, with the reason.
    """

    folders: tuple[tuple[Path, int, int], ...]
    authorities: tuple[tuple[Authority, tuple[str, ...]], ...]
    unread: tuple[tuple[Path, str], ...]


def list_folder(library: Library, folder: Path) -> FolderContents:
    """Return the direct contents of ``folder`` (absolute); of files of an unsupported type, only the first
    few.
    """
    folders: Counter[Path] = Counter()
    not_read: Counter[Path] = Counter()
    authorities: list[Authority] = []
    unread: list[tuple[Path, str]] = []
    base = os.path.join(folder, "")

    def find_folder(path: Path) -> Path | None:
        """Return the direct subfolder that contains a path, the path itself if it is in the folder,
        or None.
        """
        name, _, _ = str(path).removeprefix(base).partition(os.sep)
        return folder / name if str(path).startswith(base) else None

    for authority in library.catalogue.all():
        place = find_folder(authority.own_path)
        if place == authority.own_path:
            authorities.append(authority)
        elif place is not None:
            folders[place] += 1
    for path, reason in _list_unread(library):
        place = find_folder(path)
        if place == path:
            unread.append((path, reason))
        elif place is not None:
            not_read[place] += 1
    notes: defaultdict[Path, list[str]] = defaultdict(list)
    for each in library.status.warnings():
        notes[each.path].append(each.reason)
    for authority in authorities:
        notes[authority.path] += filter(None, [ask_which(authority)])
    return FolderContents(
        tuple((each, folders[each], not_read[each]) for each in sorted({*folders, *not_read})),
        tuple(
            (each, tuple(notes[each.path]))
            for each in sorted(authorities, key=lambda each: each.name.casefold())
        ),
        tuple(sorted(unread)),
    )


def count_unread(library: Library, folder: Path) -> int:
    """Return the number of files below ``folder`` (absolute) that are not read, or not completely."""
    return sum(path.is_relative_to(folder) for path, _ in _list_unread(library))


def _list_unread(library: Library) -> list[tuple[Path, str]]:
    failed = [(each.path, each.reason) for each in library.status.failed()]
    kinds = library.status.unread()
    return failed + [(Path(path), describe_reason(kind.suffix)) for kind in kinds for path in kind.paths]


@dataclass(frozen=True, slots=True)
class Facet:
    """A value that ``count`` authorities have. ``label`` is its display name and ``typed`` the text to type
    for it: for a court, its abbreviation in citations if known ("9th Cir.").
    """

    value: str
    label: str
    typed: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """The values of the authorities in a library, most frequent first, and their range of years.

    ``first`` and ``last`` are None if no date is known.
    """

    courts: tuple[Facet, ...]
    kinds: tuple[Facet, ...]
    jurisdictions: tuple[Facet, ...]
    first: int | None
    last: int | None


def list_facets(library: Library) -> Facets:
    """Return the values by which the library's authorities can be filtered."""
    known = library.catalogue.all()
    short: dict[str, str] = {}
    for each in known:
        if each.court and not short.get(each.court):
            short[each.court] = abbreviate_court(each.jurisdiction, each.citation, each.court, each.date)
    years = [each.year for each in known if each.year is not None]
    return Facets(
        tuple(
            Facet(court, court, short.get(court) or court, count)
            for court, count in _count(each.court for each in known)
        ),
        tuple(Facet(kind, kind, kind, count) for kind, count in _count(each.kind for each in known)),
        tuple(
            Facet(code, find_jurisdiction(code).title or code, code, count)
            for code, count in _count(each.jurisdiction for each in known)
        ),
        min(years, default=None),
        max(years, default=None),
    )


def _count(values: Iterable[str]) -> list[tuple[str, int]]:
    return Counter(each for each in values if each).most_common()
