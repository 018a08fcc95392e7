"""``lexls index`` and ``lexls forget``: create or update a library's index, and delete all data stored about
a library.

Data is also deleted from the user's Milvus server. The library folder itself is not changed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

from lexls.cli.context import find_cache_folder, find_workspace, load_settings, run_with_index, update_index
from lexls.cli.output import FINDINGS, FINE, CommandFailed, emit
from lexls.index.config import IndexerConfig
from lexls.index.process import EXIT_BUSY, start_indexer
from lexls.index.session import IndexReport
from lexls.index.soundness import describe_exit
from lexls.index.unread import describe_kinds
from lexls.settings.load import WORKSPACE_FILE, load

_CACHES = ("answers", "cases", "embedders", "tuning")
"""Subfolders of the cache folder with data from libraries."""


def run_forget(options: argparse.Namespace) -> int:
    """Delete all data stored about a folder, and list what was deleted. Return 1 if anything may remain on a
    server.
    """
    from lexls.index.config import find_default_path, find_milvus
    from lexls.index.milvus import remove_collections

    folder = Path(os.path.abspath(options.folder.expanduser()))
    named = [options.index, *_list_named(folder)]
    paths = _forget(folder, [path for path in named if path is not None])
    # Collections may remain of an index that was deleted by hand.
    of = {*paths, *(find_default_path([each]) for each in (folder, folder.resolve()))}
    if options.index is not None and not options.index.exists():
        of.add(options.index.absolute())
    gone, left = remove_collections(of, find_milvus(load_settings(None)))
    removed = [str(path) for path in paths]
    collections = [{"url": each.url, "names": each.collections} for each in gone]
    remaining = [{"url": each.url, "names": each.collections, "reason": reason} for each, reason in left]
    report = {"folder": str(folder), "removed": removed, "collections": collections, "left": remaining}
    emit(options, report, _lines(folder, removed, collections, remaining))
    return FINDINGS if left else FINE


def _list_named(folder: Path) -> Iterator[Path | None]:
    """Yield the index path from the settings that apply to a folder, and from those of each workspace below
    it.
    """
    yield load_settings(folder if folder.is_dir() else None).index_path
    for place, _, files in os.walk(folder):
        if WORKSPACE_FILE in files:
            yield load(Path(place))[0].index_path


def _forget(folder: Path, named: Sequence[Path]) -> list[Path]:
    from lexls.index.beside import IndexBusy, is_indexer_running
    from lexls.index.session import find_indexes, remove_index

    names = {folder, folder.resolve()}
    removed: list[Path] = []
    try:
        indexes = sorted({index for each in names for index in find_indexes(each, named)})
        if any(map(is_indexer_running, indexes)):
            raise IndexBusy
        for index in indexes:
            removed += remove_index(index)
        for path in {*_list_answers_and_caches(), *(path for each in names for path in _list_threads(each))}:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            removed.append(path)
    except IndexBusy:
        reason = f"an editor or a command works with {folder}: close it first"
        raise CommandFailed(reason) from None
    except OSError as error:
        raise CommandFailed(f"{error.filename}: {error.strerror}") from error
    return sorted(removed)


def _list_threads(folder: Path) -> Iterator[Path]:
    """Yield the stored threads of workspaces in a folder, and other stored threads that quote files in it."""
    from lexls.grounding.threads import find_threads_folder, list_threads_folders

    own = set(list_threads_folders(folder))
    yield from own
    written = json.dumps(f"{folder}{os.sep}", ensure_ascii=False)[1:-1]
    escaped = json.dumps(f"{folder}{os.sep}")[1:-1]
    for path in find_threads_folder(folder).parent.glob("*/*"):
        if path.is_file() and path.parent not in own:
            text = path.read_text(encoding="utf-8", errors="replace")
            if written in text or escaped in text:
                yield path


def _list_answers_and_caches() -> Iterator[Path]:
    """Yield answer pages and other caches that can be recreated. They do not record their library, so they
    are deleted whichever folder is forgotten.
    """
    cache = find_cache_folder()
    yield from (cache / name for name in _CACHES if (cache / name).is_dir())


def _lines(
    folder: Path,
    removed: Sequence[str],
    collections: Sequence[Mapping[str, Any]],
    left: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    yield f"Forgot {folder}; removed:" if removed or collections else f"Nothing was kept of {folder}."
    yield from (f"  {path}" for path in removed)
    yield from (f"  {name} on {each['url']}" for each in collections for name in each["names"])
    for each in left:
        yield f"May still be on {each['url']} ({each['reason']}):"
        yield from (f"  {name}" for name in each["names"])
    if left:
        yield "Remove these there, or forget the folder again when index.url names that server."


BUSY_SECONDS = 5.0
"""Seconds between attempts to become the indexer of a library that already has one."""


def run_index(options: argparse.Namespace) -> int:
    """Update the index, and report the changes and the files that failed. With ``--follow``, keep the index
    up to date until interrupted.
    """
    place = find_workspace(options, folders=options.folders)
    # A name that exists is a path from here; any other is a pattern for paths in the library folders.
    excluded = [os.path.abspath(name) if os.path.exists(name) else name for name in options.exclude]
    if options.follow:
        return run_with_index(place, lambda config, _: follow(config), excluded)
    report, _ = update_index(place, lexical_only=options.lexical, excluded=excluded)
    counted = ("documents", "passages", "added", "changed", "removed")
    data = {name: getattr(report, name) for name in counted} | {
        "failed": [{"path": str(each.path), "reason": each.reason} for each in report.failed],
        "unread": [asdict(kind) for kind in report.unread],
        "seconds": round(report.seconds, 3),
    }
    emit(options, data, _index_lines(report, lexical=options.lexical))
    return FINE


def follow(config: IndexerConfig) -> NoReturn:
    """Run the indexer that an editor's server would start. If another one is running, wait until it ends.
    Never returns; ends only with an exception.

    Raises ``CommandFailed`` if the indexer ends by itself.
    """
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(FINE))
    while True:
        indexer = start_indexer(config)
        assert indexer.stdin is not None
        try:
            code = indexer.wait()
        finally:
            with contextlib.suppress(OSError):
                indexer.stdin.close()  # this ends the indexer
            indexer.wait()
        if code != EXIT_BUSY:
            raise CommandFailed(describe_exit(code, config.index) or f"the indexer ended with status {code}")
        time.sleep(BUSY_SECONDS)


def _index_lines(report: IndexReport, *, lexical: bool) -> Iterator[str]:
    yield (
        f"{report.documents} documents, {report.passages} passages in {report.seconds:.1f} s "
        f"({report.added} added, {report.changed} changed, {report.removed} removed)"
    )
    if report.no_vectors and not lexical:
        yield f"No vectors: {report.no_vectors}"
    if report.failed:
        yield f"{len(report.failed)} could not be read:"
        for each in report.failed:
            yield f"  {each.path}: {each.reason}"
    if report.unread:
        kinds = describe_kinds(report.unread)
        yield f"Not read, as lexls has no reader for them or they hold no authority: {kinds}"
        for kind in report.unread:
            yield from (f"  {path}" for path in kind.paths)
