"""Keep the settings, grammar, library and check results of one workspace folder.

Open documents are checked on worker threads; results are cached until something changes.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.server.client_paths import ClientPaths
from lexls.server.convert import to_path
from lexls.server.documents import OpenDocument
from lexls.server.explainer import Explainer
from lexls.settings.declaration import Settings
from lexls.settings.load import SettingsProblem, find_user_settings, find_workspace_settings, load
from lexls.text.memory import Memory
from lexls.text.paths import stamp_file

if TYPE_CHECKING:
    from lexls.assessing.rules.engine import CheckedDraft, FoundBefore
    from lexls.citations.grammar import Grammar
    from lexls.index.case_catalogue import CaseCatalogue, CatalogueFile
    from lexls.index.config import IndexerConfig
    from lexls.index.library import Library
    from lexls.reading.draft_source import DraftSource
    from lexls.reading.snapshot import Draft, DraftParser, Snapshot
    from lexls.retrieval.refinements import OpenCrossEncoder
    from lexls.server.documents import OpenDocument
    from lexls.server.library_service import LibraryService
    from lexls.text.cancel import CancelToken


log = logging.getLogger(__name__)


class Session:
    """The settings of one root folder, and the objects built from them.

    Use ``settings_changed`` and ``service`` on the event loop, ``snapshot`` on worker threads.
    """

    def __init__(self, root: Path, editor: Mapping[str, Any], client: ClientPaths | None = None) -> None:
        self.root = root
        self.settings: Settings
        self.problems: list[SettingsProblem]
        # Stamped before they are read, so that changes made meanwhile cause a reload.
        before = _stamp(_find_files(root))
        self.settings, self.problems = _load_usable(root, editor, remote=client is not None)
        self.indexed_by = self.settings if client is None else _load_usable(root)[0]
        """The settings used for indexing, which a client on another machine cannot change."""
        self._client = client
        self._loaded = self._seen = {**_stamp(self.settings.files), **before}
        self.explainer = Explainer(self.settings)
        self.checker = Checker()
        self.service: LibraryService | None = None
        self.record: LibraryService | None = None
        self._lock = threading.Lock()
        self._grammar: Grammar | None = None
        self._parser: DraftParser | None = None
        self._parser_of_closed: DraftParser | None = None
        self._last: Snapshot | None = None
        self._catalogue: CatalogueFile | None = None

    def find_configs(self, index: Path | None = None) -> tuple[IndexerConfig | None, IndexerConfig | None]:
        """Return the indexer configurations of the library and of the record, with None in place of one that
        is not indexed. ``index`` is the library's index file (None: as set in the settings).
        """
        if not self.settings.library_folders:
            return None, None
        from lexls.index.config import make_indexer_config, make_record_config

        library = make_indexer_config(self.settings.library_folders, self.indexed_by, index)
        return library, make_record_config(self.indexed_by)

    def settings_changed(self) -> bool:
        """Return whether a settings file was changed, added or deleted since the settings were loaded.

        A change counts once two calls have seen it: many editors empty a file before they write it.
        """
        now = _stamp({*self.settings.files, *_find_files(self.root)})
        seen, self._seen = self._seen, now
        return now == seen != self._loaded

    def is_authority(self, path: Path) -> bool:
        """Return whether a file is in the library or the record, and so not a draft."""
        folders = (*self.settings.library_folders, *self.settings.record_folders)
        return any(path.is_relative_to(folder) for folder in folders)

    def draft(self, document: OpenDocument) -> Draft:
        """Return a document parsed as a draft. Each version is parsed only once."""
        return self.read_other(document.uri, document.source, document.language)

    def snapshot(self, document: OpenDocument) -> Snapshot | None:
        """Return a snapshot of the document and the library's current state, or None if no library is
        open.
        """
        return self.snapshot_of(self.draft(document))

    def empty_snapshot(self) -> Snapshot | None:
        """Return a snapshot of the library with an empty draft, for questions that do not concern a
        document.
        """
        return self.snapshot_of(self.read_other("", ""))

    def read_cited_first(self, document: OpenDocument) -> None:
        """While the library is being read for the first time, have the authorities cited in the document read
        first.
        """
        if self.service is None or self.service.complete or self.is_authority(to_path(document.uri)):
            return
        self.read_first(self.draft(document))

    def read_first(self, draft: Draft) -> None:
        """Have the authorities cited in a draft read before the rest of the library."""
        if self.service is not None and not self.service.complete:
            full = (each for each in draft.citations if each.form == "full")
            self.service.read_first(f"{each.name} {each.key}" for each in full)

    def warm(self) -> None:
        """Prepare the data that the first request after a library change would otherwise wait for."""
        snapshot = self.empty_snapshot()
        if snapshot is not None:
            snapshot.names.of(snapshot.library)
            if self.settings.precedents_enabled:
                snapshot.library.precedents.prepare()

    def follow_cases(self, token: CancelToken) -> None:
        """Read the user's case bases and past drafts if they have changed. This may take long, so do not call
        it from requests.

        Raises ``Cancelled``.
        """
        if not (self.settings.precedents_case_bases or self.settings.precedents_drafts):
            return
        snapshot = self.empty_snapshot()
        if snapshot is None or snapshot.searcher.past is None or self.service is None:
            return
        past = snapshot.searcher.past
        before = past.problems
        past.refresh(self.service.embedder, token)
        for problem in past.problems:
            if problem not in before:
                log.warning("%s", problem)

    def snapshot_of(self, draft: Draft) -> Snapshot | None:
        """Return a snapshot of a draft and the library's current state, or None if no library is open."""
        from lexls.features.build import build_searcher
        from lexls.index.tokens import Tokenizer
        from lexls.reading.snapshot import CaseRecord, Snapshot

        service = self.service
        library = service.library if service is not None else None
        if service is None or library is None:
            return None
        with self._lock:
            last = self._last
            if last is None or last.library is not library:
                tokenizer, grammar = Tokenizer(), self._grammar_locked()
                searcher = build_searcher(
                    self.settings,
                    library,
                    grammar,
                    tokenizer,
                    lambda: service.embedder,
                    self._cross_encoder_when_ready(service, library),
                )
                last = Snapshot(draft, library, searcher, self.settings, tokenizer=tokenizer)
            papers = self.record.library if self.record is not None else None
            record = last.record
            if (record.library if record is not None else None) is not papers:
                record = CaseRecord(papers) if papers is not None else None
            # Cached data is passed on from one snapshot to the next.
            self._last = replace(
                last,
                draft=draft,
                settings=self.settings,
                record=record,
                cases=self._find_catalogue(),
                parser=self._parser,
            )
            return self._last

    def _find_catalogue(self) -> CaseCatalogue | None:
        """Return the user's current catalogue of cases. If it cannot be used, the reason is logged once."""
        from lexls.index.case_catalogue import CatalogueFile, find_catalogue_path

        if self._catalogue is None:
            self._catalogue = CatalogueFile(find_catalogue_path(self.settings.library_catalogue))
        before = self._catalogue.problem
        found = self._catalogue.current()
        if self._catalogue.problem not in ("", before):
            log.warning("without the catalogue: %s", self._catalogue.problem)
        return found

    def _cross_encoder_when_ready(self, service: LibraryService, library: Library) -> OpenCrossEncoder:
        """Return a function that returns the cross-encoder, or None if it is not loaded yet or was not
        measured to help on this library.
        """
        from lexls.models.encoder_clients import CrossEncoderClient
        from lexls.retrieval.refinements import TrustedCrossEncoder
        from lexls.retrieval.reranking.kept_with_library import find_measured

        name = self.settings.rerank_model
        if not name:
            return lambda: None
        client = CrossEncoderClient(name, service.models)
        if find_measured(library.path, name) is None:
            log.warning("without the reranker: `lexls models try` has not measured it on this library")

        def open_if_ready() -> TrustedCrossEncoder | None:
            # Checked at each search: the model may be measured while the server runs.
            measured = find_measured(library.path, name)
            if measured is None or not measured.weight:
                return None
            if client.ready:
                return TrustedCrossEncoder(client, measured.weight)
            client.prepare()
            return None

        return open_if_ready

    def read_other(self, uri: str, source: str, language: str = "") -> Draft:
        """Parse a draft that need not be open. Without a ``language``, the suffix determines the format."""
        from lexls.text.formats import format_of

        return self._open_parser().parse(uri, source, format_of(language, str(to_path(uri))))

    def read_closed(self, uri: str, source: str) -> Draft:
        """Parse a draft that is not open, with a separate parser, so that cached results of open drafts are
        kept.
        """
        from lexls.text.formats import format_of

        with self._lock:
            if self._parser_of_closed is None:
                self._parser_of_closed = self._make_parser_locked()
        return self._parser_of_closed.parse(uri, source, format_of("", str(to_path(uri))))

    def read_source(self, path: Path) -> DraftSource:
        """Read the draft in a text file or a Word document without parsing it. Raises ``UnreadableFile``."""
        from lexls.reading.draft_files import read_draft_source

        return read_draft_source(path, self.settings.index_max_file_megabytes * 2**20)

    def parse_source(self, source: DraftSource, end: int | None = None) -> Draft:
        """Parse a draft, or its part before the code point ``end``."""
        return source.parse(self._open_parser(), end)

    def read_brief(self, path: Path) -> tuple[Draft, tuple[int, ...]]:
        """Return the brief in a file of any format that the library reads, and the start offsets of its pages
        (empty if it has none). Raises ``UnreadableFile``.
        """
        from lexls.reading.draft_files import read_brief_file

        return read_brief_file(path, self._open_parser(), self.settings.index_max_file_megabytes * 2**20)

    def _open_parser(self) -> DraftParser:
        with self._lock:
            if self._parser is None:
                self._parser = self._make_parser_locked()
            return self._parser

    def _make_parser_locked(self) -> DraftParser:
        from lexls.reading.snapshot import DraftParser

        named_in = self._client.readable if self._client is not None else None
        return DraftParser(self._grammar_locked(), self.settings.jurisdiction, self._places, named_in)

    def _places(self) -> tuple[str, ...]:
        """Return the jurisdictions of the library's authorities, the most frequent first."""
        library = self.service.library if self.service is not None else None
        return tuple(library.catalogue.jurisdictions()) if library is not None else ()

    def _grammar_locked(self) -> Grammar:
        if self._grammar is None:
            from lexls.citations.grammar import Grammar

            self._grammar = Grammar.load(self.settings.citations_forms)
        return self._grammar


def _load_usable(
    root: Path, editor: Mapping[str, Any] | None = None, *, remote: bool = False
) -> tuple[Settings, list[SettingsProblem]]:
    """Load the settings, as in `load`, and drop invalid citation forms, which are reported as problems."""
    settings, problems = load(root, editor, remote=remote)
    if not settings.citations_forms:
        return settings, problems
    from lexls.citations.registry import check_tables

    sound, faults = check_tables(settings.citations_forms)
    if faults:
        settings = replace(settings, citations_forms=sound)
        problems = [*problems, *(SettingsProblem("citations.forms", "", fault) for fault in faults)]
    return settings, problems


def _find_files(root: Path) -> list[Path]:
    """Return the path of the user's settings file, even if it does not exist, and that of the workspace's
    file if it exists.
    """
    return [find_user_settings(), *filter(None, [find_workspace_settings(root)])]


def _stamp(files: Iterable[Path]) -> dict[Path, tuple[int, int] | None]:
    """Return the stamps of settings files. If a stamp changes, the settings have to be reloaded."""
    return {path: stamp_file(path) for path in files}


KEPT_DOCUMENTS = 64
LOOK_SECONDS = 0.05
"""Seconds between checks for cancellation while waiting for another thread's check."""


def _start() -> FoundBefore:
    from lexls.assessing.rules.engine import FoundBefore

    return FoundBefore()


@dataclass(slots=True)
class _Checked:
    """The findings in a document's text.

    ``state`` has the generations of the library and the record, whether these are complete, the document's
    bibliography, and the other files of the same work. ``result`` is None before the first check. ``before``
    has findings that the next check can reuse; only one thread may use it at a time. ``late`` has the
    findings of the slow checks.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    before: FoundBefore = field(default_factory=_start)
    late: FoundBefore = field(default_factory=_start)
    source: str | None = None
    state: object = None
    result: CheckedDraft | None = None


@contextmanager
def _held(lock: threading.Lock, token: CancelToken) -> Iterator[None]:
    """Acquire a lock for the duration of the context. Raises ``Cancelled``, also while waiting."""
    while not lock.acquire(timeout=LOOK_SECONDS):
        token.raise_if_cancelled()
    try:
        yield
    finally:
        lock.release()


class Checker:
    """Checks the documents of one session. Results are cached until the document or a library changes."""

    def __init__(self) -> None:
        self._checked = Memory[str, _Checked](KEPT_DOCUMENTS)

    def find(self, snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> CheckedDraft:
        """Check the document and return its findings and verdict counts. Raises ``Cancelled``."""
        from lexls.assessing.rules.engine import check_all, list_libraries

        states = tuple((each.generation, each.complete) for each in list_libraries(snapshot))
        state = (states, snapshot.draft.bibliography, snapshot.draft.work)
        checked = self._checked.recall(document.uri, _Checked)
        with _held(checked.lock, token):
            result = checked.result
            if result is None or checked.source is not document.source or checked.state != state:
                token.raise_if_cancelled()
                result = check_all(snapshot, token, checked.before, checked.late)
                checked.result, checked.source, checked.state = result, document.source, state
            return result

    def find_late(self, snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> bool:
        """Run the slow checks. Return whether ``find`` will now report more findings. Raises
        ``Cancelled``.
        """
        from lexls.assessing.rules.engine import check_late

        checked = self._checked.recall(document.uri, _Checked)
        more = check_late(snapshot, token, checked.late)
        if more:
            with checked.lock:
                checked.source = None
        return more

    def forget(self, uri: str) -> None:
        """Drop the cached results of a closed document."""
        self._checked.forget([uri])
