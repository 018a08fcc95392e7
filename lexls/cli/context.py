"""Open the settings and the library that a command works with."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from lexls.cli.output import USAGE, CommandFailed, show_progress
from lexls.settings.declaration import Settings
from lexls.settings.load import SettingsProblem, find_workspace_settings, load
from lexls.text.terminal import note

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar
    from lexls.index.case_catalogue import CaseCatalogue
    from lexls.index.config import IndexerConfig
    from lexls.index.embedding import Embedder
    from lexls.index.library import Library
    from lexls.index.records import IndexProgress
    from lexls.index.session import IndexReport
    from lexls.reading.snapshot import CaseRecord
    from lexls.retrieval.model import Filters
    from lexls.retrieval.refinements import TrustedCrossEncoder
    from lexls.retrieval.search import Searcher

    OnProgress = Callable[[IndexProgress], None]
T = TypeVar("T")

RENEWED = "the index was damaged and has been made anew from the files of the library"

FEW_PASSAGES = 600
"""Maximum number of passages that are embedded before a search is answered; this takes about half a
minute.
"""


@dataclass(frozen=True, slots=True)
class Workspace:
    """The settings that apply to a command, their problems, and the library's folders and index."""

    settings: Settings
    problems: tuple[SettingsProblem, ...]
    folders: tuple[Path, ...]
    index: Path | None


def find_workspace(
    options: argparse.Namespace,
    start: Path | None = None,
    folders: Sequence[Path] = (),
    *,
    quiet: bool = False,
) -> Workspace:
    """Return the settings that apply to ``start`` (a draft), with the library named on the command line.

    ``lexls.toml`` is looked for from the draft upwards, then from the first library folder, then from the
    current folder; the first one found applies. Problems are reported on standard error unless ``quiet``.
    Raises ``CommandFailed`` if a folder on the command line does not exist or is not a folder.
    """
    given = _folders([*folders, *options.library])
    candidates = [place for place in (start, *given[:1], Path.cwd()) if place is not None]
    chosen = next((place for place in candidates if find_workspace_settings(place)), start or Path.cwd())
    settings, problems = load(chosen)
    if options.jurisdiction is not None:
        settings = replace(settings, jurisdiction=options.jurisdiction)
    if not quiet:
        for problem in problems:
            note(f"warning: {problem}")
    return Workspace(settings, tuple(problems), given or settings.library_folders, options.index)


def load_settings(start: Path | None = None) -> Settings:
    """Return the settings that apply to ``start`` or the current folder. Problems are reported on standard
    error.
    """
    settings, problems = load(start or Path.cwd())
    for problem in problems:
        note(f"warning: {problem}")
    return settings


def _folders(given: Iterable[Path]) -> tuple[Path, ...]:
    """Return folders given on the command line as absolute paths, without duplicates."""
    found: dict[Path, None] = {}
    for name in given:
        folder = Path(os.path.abspath(name.expanduser()))
        if not folder.exists():
            raise CommandFailed(f"{name}: there is no such folder", USAGE)
        if not folder.is_dir():
            raise CommandFailed(f"{name}: is not a folder", USAGE)
        found[folder] = None
    return tuple(found)


def open_index(place: Workspace, *, lexical_only: bool = False) -> tuple[Library, IndexReport]:
    """Update the index of the workspace's library, as ``update_index`` does, and open it. Return the library
    and the report.

    If the index is read-only, it is opened without an update, and the user is informed.
    """
    from lexls.index.config import find_milvus, make_indexer_config
    from lexls.index.library import Library
    from lexls.index.session import report_as_it_is
    from lexls.index.soundness import is_read_only

    try:
        report, index = update_index(place, lexical_only=lexical_only)
    except CommandFailed as error:
        config = make_indexer_config(place.folders, place.settings, place.index) if place.folders else None
        if config is None or not config.index.exists() or not is_read_only(error.__cause__, config.index):
            raise
        note(f"{config.index}: may not be written; it is read as it is")
        return Library(config.index, config.milvus), report_as_it_is(config)
    return Library(index, find_milvus(place.settings)), report


def update_index(
    place: Workspace, *, lexical_only: bool = False, excluded: Iterable[str] = ()
) -> tuple[IndexReport, Path]:
    """Update the index of the workspace's library. Return a report and the path of the index.

    Raises ``CommandFailed`` if there is no library or its index cannot be created.
    """
    from lexls.index.session import bring_up_to_date

    def work(config: IndexerConfig, on_progress: OnProgress) -> tuple[IndexReport, Path]:
        return bring_up_to_date(config, on_progress, lexical_only=lexical_only), config.index

    return run_with_index(place, work, excluded)


def run_with_index(
    place: Workspace, work: Callable[[IndexerConfig, OnProgress], T], excluded: Iterable[str] = ()
) -> T:
    """Run ``work`` with the configuration of the library's index, show its progress, and return its result.

    Raises ``CommandFailed`` if there is no library or its index cannot be created.
    """
    from lexls.index.config import make_indexer_config

    if not place.folders:
        raise CommandFailed(
            "no library: give one with --library FOLDER, or name it in lexls.toml (library.folders)", USAGE
        )
    return _run_with(make_indexer_config(place.folders, place.settings, place.index, excluded), work)


def _run_with(config: IndexerConfig, work: Callable[[IndexerConfig, OnProgress], T]) -> T:
    from lexls.citations.form import FormError
    from lexls.index.soundness import describe_failure
    from lexls.index.status import IndexStatus

    began = time.time_ns()
    try:
        with show_progress() as show:
            result = work(config, lambda each: _show(each, show))
        with closing(IndexStatus(config.index)) as status:
            if status.renewed() > began:
                note(RENEWED)
        return result
    except FormError as error:
        raise CommandFailed(str(error)) from error
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise CommandFailed(f"the index cannot be written: {error.strerror or error}{where}") from error
    except Exception as error:
        reason = describe_failure(error, config.index)
        if not reason:
            raise
        raise CommandFailed(reason) from error


def _show(progress: IndexProgress, show: Callable[..., None]) -> None:
    units = {"reading": "files", "citations": "files", "ocr": "pages", "embedding": "passages"}
    if progress.total and progress.phase in units:
        show(progress.done, progress.total, progress.phase, units[progress.phase])


def open_for_search(place: Workspace, *, lexical: bool = False) -> Library:
    """Open the workspace's library with its text up to date. Missing vectors are added if there are few.

    If many vectors are missing, searches use only the existing ones, and the user is informed.
    """
    library, report = open_index(place, lexical_only=True)
    if lexical or not place.settings.embeddings_model:
        return library
    _, passages, vectors = library.status.counts()
    missing = passages - vectors
    if 0 < missing <= FEW_PASSAGES:
        library.close()
        library, report = open_index(place)
        _, passages, vectors = library.status.counts()
        missing = passages - vectors
    if missing and report.no_vectors:
        note(f"searching by words alone: {report.no_vectors}")
    elif missing:
        note(f"{missing} of {passages} passages have no vectors yet; `lexls index` makes them")
    return library


def open_catalogue(settings: Settings) -> CaseCatalogue | None:
    """Return the user's catalogue of cases, opened, or None if there is none. If it cannot be used, print a
    warning and return None.
    """
    from lexls.index.case_catalogue import CaseCatalogue, CatalogueUnusable, find_catalogue_path

    path = find_catalogue_path(settings.library_catalogue)
    try:
        return CaseCatalogue(path) if path.exists() else None
    except CatalogueUnusable as error:
        note(f"warning: {error}")
        return None


def open_record(settings: Settings) -> CaseRecord | None:
    """Return the record, opened with its index up to date, or None if the settings name no folder for it.

    Raises ``CommandFailed`` if its index cannot be created.
    """
    from lexls.index.config import make_record_config
    from lexls.index.library import Library
    from lexls.index.session import bring_up_to_date
    from lexls.reading.snapshot import CaseRecord

    config = make_record_config(settings)
    if config is None:
        return None

    def work(config: IndexerConfig, on_progress: OnProgress) -> CaseRecord:
        bring_up_to_date(config, on_progress, lexical_only=True)
        return CaseRecord(Library(config.index))

    return _run_with(config, work)


def load_grammar(settings: Settings) -> Grammar:
    """Load the citation forms, including those from the settings. Raises ``CommandFailed`` if one is
    invalid.
    """
    from lexls.citations.form import FormError
    from lexls.citations.grammar import Grammar

    try:
        return Grammar.load(settings.citations_forms)
    except FormError as error:
        raise CommandFailed(str(error)) from error


def make_searcher(
    library: Library,
    place: Workspace,
    *,
    lexical: bool = False,
    embedder: Embedder | None = None,
) -> Searcher:
    """Return a searcher for the library that uses ``embedder`` or, by default, the embedder from the
    settings, opened at the first search.

    With ``lexical``, no embedder is used.
    """
    from lexls.features.build import build_searcher
    from lexls.index.tokens import Tokenizer

    # Opened at the first search and cached, since opening takes longer than a search.
    opened = cache(lambda: None if lexical else embedder or open_embedder_if_ready(place.settings))
    found = build_searcher(
        place.settings,
        library,
        load_grammar(place.settings),
        Tokenizer(),
        opened,
        cache(lambda: _open_cross_encoder(place.settings.rerank_model, library)),
    )
    if found.past is not None:
        found.past.refresh(opened())
        for problem in found.past.problems:
            note(f"warning: {problem}")
    return found


def _open_cross_encoder(name: str, library: Library) -> TrustedCrossEncoder | None:
    """Load the user's cross-encoder. Return None if there is none, or if it does not help on this library. If
    it has not been measured or cannot be loaded, print a note and return None.
    """
    if not name:
        return None
    from lexls.models.encoder_clients import CrossEncoderClient
    from lexls.models.messages import ModelUnavailable
    from lexls.retrieval.refinements import TrustedCrossEncoder
    from lexls.retrieval.reranking.kept_with_library import find_measured

    measured = find_measured(library.path, name)
    if measured is None:
        note(f"without the reranker: what it is worth here is not measured yet (`lexls models try {name}`)")
    if measured is None or not measured.weight:
        return None
    client = CrossEncoderClient(name)
    try:
        client.load()
    except ModelUnavailable as error:
        note(f"without the reranker: {error}")
        return None
    return TrustedCrossEncoder(client, measured.weight)


def open_embedder_if_ready(settings: Settings) -> Embedder | None:
    """Return the embedder from the settings, opened, or None if there is none or its model is not
    available.
    """
    from lexls.index.config import find_chosen_prompts
    from lexls.index.embedding import open_embedder
    from lexls.models.messages import ModelUnavailable

    if not settings.embeddings_model:
        return None
    try:
        return open_embedder(settings.embeddings_model, chosen=find_chosen_prompts(settings))
    except ModelUnavailable:
        return None


def read_filters(
    options: argparse.Namespace,
    place: Workspace,
    *,
    kinds: Iterable[str] = (),
    roles: Iterable[str] = (),
    leave_out: Iterable[Path] = (),
) -> Filters:
    """Return the filters given on the command line. ``kinds`` and ``roles`` are the defaults without
    ``--kind`` and ``--role``. ``leave_out`` are further paths to exclude.
    """
    from lexls.retrieval.model import Filters

    return Filters(
        kinds=frozenset(options.kind or kinds),
        courts=tuple(options.court),
        date_from=options.date_from or "",
        date_to=options.date_to or "",
        excluded=tuple(each for path in leave_out for each in _spellings(path))
        + list_excluded(options, place),
        roles=frozenset(options.role or roles),
    )


def list_excluded(options: argparse.Namespace, place: Workspace) -> tuple[Path, ...]:
    """Return the paths excluded by ``--exclude``. Raises ``CommandFailed`` if a path does not exist."""
    found: list[Path] = []
    for name in options.exclude:
        path = Path(name).expanduser()
        candidates = [path, *(folder / path for folder in place.folders)]
        present = [candidate for candidate in candidates if candidate.exists()]
        if not present:
            raise CommandFailed(f"--exclude {name}: there is no such file or folder", USAGE)
        found += [each for candidate in present for each in _spellings(candidate)]
    return tuple(found)


def _spellings(path: Path) -> set[Path]:
    """Return the absolute paths under which the index may list a file or folder.

    The index resolves links in the paths of library folders, but not in paths below these folders.
    """
    absolute = Path(os.path.abspath(path))
    return {absolute, absolute.resolve(), absolute.parent.resolve() / absolute.name}


def find_cache_folder() -> Path:
    """Return lexls's cache folder for this user. Its contents can be recreated."""
    from platformdirs import user_cache_path

    return user_cache_path("lexls", appauthor=False)
