"""``lexls forget``: remove all that lexls keeps of a folder, here and on the user's Milvus server; the folder
itself is not touched."""

from __future__ import annotations

import argparse
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lexls.cli.context import find_cache_folder, load_settings
from lexls.cli.output import FINDINGS, FINE, CommandFailed, emit
from lexls.settings.load import WORKSPACE_FILE, load

_CACHES = ("answers", "cases", "embedders", "tuning")
"""What lies in the cache folder and comes from libraries."""


def run_forget(options: argparse.Namespace) -> int:
    """Remove and list all that is kept of a folder; 1 if something may be left on a server."""
    from lexls.index.config import find_default_path, find_milvus
    from lexls.index.milvus import remove_collections

    folder = Path(os.path.abspath(options.folder.expanduser()))
    named = [options.index, *_list_named(folder)]
    paths = _forget(folder, [path for path in named if path is not None])
    # Of an index that was deleted by hand, collections may still be there.
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
    """The indexes that the settings name which hold for a folder, and those of workspaces in it."""
    yield load_settings(folder if folder.is_dir() else None).index_path
    for place, _, files in os.walk(folder):
        if WORKSPACE_FILE in files:
            yield load(Path(place))[0].index_path


def _forget(folder: Path, named: Sequence[Path]) -> list[Path]:
    from lexls.index.lock import IndexBusy, is_indexer_running
    from lexls.index.traces import find_indexes, remove_index

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
    """The threads of the workspaces in a folder, and those of others that quote anything of it."""
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
    """Pages of answers and what else can be made again: they do not tell of which library they are."""
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
