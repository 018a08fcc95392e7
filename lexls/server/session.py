"""What one folder of the workspace works with: settings, grammar, library."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.server.documents import OpenDocument
from lexls.server.explainer import Explainer
from lexls.settings.declaration import Settings
from lexls.settings.load import Problem, load, workspace_settings_file

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar
    from lexls.features.checks.memory import Memory
    from lexls.features.checks.problem import Finding
    from lexls.features.snapshot import Draft, DraftParser, Snapshot
    from lexls.models.cross_encoder import CrossEncoderClient
    from lexls.server.library_service import LibraryService
    from lexls.text.cancel import CancelToken


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FileStamp:
    """A settings file at one moment; a change of either number means: load it again."""

    path: Path
    mtime_ns: int
    size: int


def _new_memory() -> Memory:
    from lexls.features.checks.memory import Memory

    return Memory()


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found in a document's text in a state: the library's generation, whether that is complete, the
    document's bibliography."""

    source: str
    state: tuple[int, bool, object]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Remembered:
    """What the checks of one document remember; for one thread at a time."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    memory: Memory = field(default_factory=_new_memory)


class Session:
    """The settings of one root folder, and what is made from them.

    ``settings_changed`` and ``service`` are for the event loop; ``snapshot`` for worker threads.
    """

    def __init__(self, root: Path, editor: Mapping[str, Any]) -> None:
        self.root = root
        self.settings: Settings
        self.problems: list[Problem]
        self.settings, self.problems = load(root, editor)
        self._leave_out_unusable_forms()
        self._stamps = _stamps(self.settings.files)
        self.explainer = Explainer(self.settings)
        self.service: LibraryService | None = None
        self._lock = threading.Lock()
        self._grammar: Grammar | None = None
        self._parser: DraftParser | None = None
        self._last: Snapshot | None = None
        self._drafts: dict[str, tuple[int, Draft]] = {}
        self._found: dict[str, _Found] = {}
        self._memories: dict[str, _Remembered] = {}

    def _leave_out_unusable_forms(self) -> None:
        """One wrong citation form of the user's must not cost all the others."""
        if not self.settings.citations_forms:
            return
        from lexls.citations.registry import sound_tables

        sound, faults = sound_tables(self.settings.citations_forms)
        if faults:
            self.settings = replace(self.settings, citations_forms=sound)
            self.problems.extend(Problem("citations.forms", "", fault) for fault in faults)

    def settings_changed(self) -> bool:
        """Whether a settings file changed, came or went since they were loaded."""
        current = workspace_settings_file(self.root)
        if current is not None and current not in self.settings.files:
            return True
        return _stamps(self.settings.files) != self._stamps

    def is_authority(self, path: Path) -> bool:
        """Whether a file lies in the library."""
        return any(path.is_relative_to(folder) for folder in self.settings.library_folders)

    def draft(self, document: OpenDocument, path: str) -> Draft:
        """The document as a draft; one version is read once."""
        from lexls.text.markup import markup_of

        with self._lock:
            kept = self._drafts.get(document.uri)
            parser = self._parser_locked()
            same = kept is not None and kept[0] == document.version and kept[1].source is document.source
            if kept is not None and same and parser.is_current(kept[1]):
                return kept[1]
            draft: Draft = parser.parse(document.uri, document.source, markup_of(document.language, path))
            self._drafts[document.uri] = (document.version, draft)
            return draft

    def forget(self, uri: str) -> None:
        """Drop what is kept of a document that was closed."""
        with self._lock:
            self._drafts.pop(uri, None)
            self._found.pop(uri, None)
            self._memories.pop(uri, None)

    def findings(self, snapshot: Snapshot, document: OpenDocument, token: CancelToken) -> tuple[Finding, ...]:
        """Everything there is to report about the document; found once while it and the library stay."""
        from lexls.features.checks.engine import check

        library = snapshot.library
        state = (library.generation, library.complete, snapshot.draft.bibliography)
        with self._lock:
            kept = self._found.get(document.uri)
            remembered = self._memories.setdefault(document.uri, _Remembered())
        if kept is not None and kept.source is document.source and kept.state == state:
            return kept.findings
        with remembered.lock:
            token.raise_if_cancelled()
            findings = tuple(check(snapshot, token, remembered.memory))
        with self._lock:
            self._found[document.uri] = _Found(document.source, state, findings)
        return findings

    def snapshot(self, document: OpenDocument, path: str) -> Snapshot | None:
        """The document with the library as it stands now; None while there is no library to ask."""
        return self._snapshot_of(self.draft(document, path))

    def empty_snapshot(self) -> Snapshot | None:
        """The library with an empty draft, for questions that no document asks."""
        return self._snapshot_of(self.read_other("", "", ""))

    def warm(self) -> None:
        """Make what the first request after a change of the library would wait for."""
        snapshot = self.empty_snapshot()
        if snapshot is not None:
            snapshot.names.of(snapshot.library)

    def follow_cases(self, token: CancelToken) -> None:
        """Read the user's case bases and past drafts where they changed. May take long: not for requests.

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

    def _snapshot_of(self, draft: Draft) -> Snapshot | None:
        from lexls.features.search_ranking import cue_of, past_cases_of, ranking_of
        from lexls.features.snapshot import Snapshot
        from lexls.index.tokens import Tokenizer
        from lexls.retrieval.search import Searcher

        service = self.service
        library = service.library if service is not None else None
        if service is None or library is None:
            return None
        with self._lock:
            last = self._last
            if last is None or last.library is not library:
                tokenizer, grammar = Tokenizer(), self._grammar_locked()
                searcher = Searcher(
                    library,
                    lambda: service.embedder,
                    ranking_of(self.settings),
                    grammar=grammar,
                    tokenizer=tokenizer,
                    cue=cue_of(self.settings),
                    past=past_cases_of(self.settings, library, grammar, tokenizer),
                    cross_encoder=self._cross_encoder_when_ready(service),
                )
                last = Snapshot(draft, library, searcher, self.settings, tokenizer=tokenizer)
            # What snapshots keep ready stays from one to the next.
            self._last = replace(last, draft=draft, settings=self.settings)
            return self._last

    def _cross_encoder_when_ready(self, service: LibraryService) -> Callable[[], CrossEncoderClient | None]:
        """Gives the user's cross-encoder once it is loaded; until then nobody waits for it."""
        from lexls.models.cross_encoder import CrossEncoderClient

        if not self.settings.rerank_model:
            return lambda: None
        client = CrossEncoderClient(self.settings.rerank_model, service.models)

        def when_ready() -> CrossEncoderClient | None:
            if client.ready:
                return client
            client.prepare()
            return None

        return when_ready

    def read_other(self, uri: str, source: str, path: str) -> Draft:
        """Another draft of the workspace that is not open, for finding references in it."""
        from lexls.text.markup import markup_of

        with self._lock:
            draft: Draft = self._parser_locked().parse(uri, source, markup_of("", path))
            return draft

    def _parser_locked(self) -> DraftParser:
        if self._parser is None:
            from lexls.features.snapshot import DraftParser

            self._parser = DraftParser(self._grammar_locked(), self.settings.jurisdiction, self._places)
        return self._parser

    def _places(self) -> tuple[str, ...]:
        """The jurisdictions of the library's authorities, the most frequent first."""
        library = self.service.library if self.service is not None else None
        return tuple(library.jurisdictions()) if library is not None else ()

    def _grammar_locked(self) -> Grammar:
        if self._grammar is None:
            from lexls.citations.grammar import Grammar

            self._grammar = Grammar.load(self.settings.citations_forms)
        return self._grammar


def _stamps(files: tuple[Path, ...]) -> tuple[FileStamp, ...]:
    stamps = []
    for path in files:
        try:
            info = path.stat()
            stamps.append(FileStamp(path, info.st_mtime_ns, info.st_size))
        except OSError:
            stamps.append(FileStamp(path, 0, -1))
    return tuple(stamps)
