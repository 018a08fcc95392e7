"""Open the libraries and records that a command's drafts are checked against, each only once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from lexls.cli.context import Workspace, make_searcher, open_catalogue, open_for_search, open_record
from lexls.index.case_catalogue import CaseCatalogue
from lexls.index.library import Library
from lexls.reading.draft import Draft
from lexls.reading.snapshot import CaseRecord, Snapshot
from lexls.settings.declaration import Settings
from lexls.text.terminal import note


@dataclass(slots=True)
class Libraries:
    """The libraries, records and catalogues opened by a command. The drafts of one workspace share its
    library and record, which are updated when they are opened.
    """

    _opened: list[tuple[Workspace, Library]] = field(default_factory=list)
    _records: dict[tuple[Path, ...], CaseRecord | None] = field(default_factory=dict)
    _catalogues: dict[Path | None, CaseCatalogue | None] = field(default_factory=dict)

    def snapshot(self, place: Workspace, draft: Draft, settings: Settings | None = None) -> Snapshot:
        """Return a snapshot of a draft and its workspace's library, for keyword search only. If ``settings``
        are given, they replace the workspace's.

        Raises ``CommandFailed`` if an index cannot be opened.
        """
        library, record = self._library(place), self._record(place)
        searcher = make_searcher(library, place, lexical=True)
        cases = self._catalogue(place.settings)
        return Snapshot(draft, library, searcher, settings or place.settings, record=record, cases=cases)

    def close(self) -> None:
        """Close all libraries, records and catalogues."""
        for _, library in self._opened:
            library.close()
        for record in filter(None, self._records.values()):
            record.library.close()
        for catalogue in filter(None, self._catalogues.values()):
            catalogue.close()

    def _catalogue(self, settings: Settings) -> CaseCatalogue | None:
        if settings.library_catalogue not in self._catalogues:
            self._catalogues[settings.library_catalogue] = open_catalogue(settings)
        return self._catalogues[settings.library_catalogue]

    def _library(self, place: Workspace) -> Library:
        library = next((library for known, library in self._opened if known == place), None)
        if library is None:
            for problem in place.problems:
                note(f"warning: {problem}")
            library = open_for_search(place, lexical=True)
            self._opened.append((place, library))
        return library

    def _record(self, place: Workspace) -> CaseRecord | None:
        folders = place.settings.record_folders
        if folders not in self._records:
            self._records[folders] = open_record(place.settings)
        return self._records[folders]
