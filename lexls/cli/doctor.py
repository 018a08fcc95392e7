"""``lexls doctor``: what lexls works with, and what is wrong with it. Changes nothing."""

from __future__ import annotations

import argparse
import importlib.util
import platform
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from lexls import __version__
from lexls.cli.context import Workspace, workspace
from lexls.cli.drafts import load_grammar
from lexls.cli.failure import FINDINGS, FINE, CommandFailed
from lexls.cli.generator_state import generator_state
from lexls.cli.output import emit
from lexls.settings.load import user_settings_file, workspace_settings_file

_PACKAGES = (
    "pygls",
    "lsprotocol",
    "onnxruntime",
    "tokenizers",
    "numpy",
    "watchdog",
    "pypdfium2",
    "lxml",
    "httpx",
)
_EXTRAS: Mapping[str, str] = {
    "llama": "llama_cpp",
    "models": "sentence_transformers",
    "ocr": "pytesseract",
    "eval": "optuna",
}


def run(options: argparse.Namespace) -> int:
    """Look at everything; 1 if something needs the user's attention."""
    place = workspace(options, folders=options.folders, quiet=True)
    report = examine(place)
    emit(options, report, _lines(report))
    return FINDINGS if report["problems"] else FINE


def examine(place: Workspace) -> dict[str, Any]:
    """Everything ``lexls doctor --json`` prints."""
    problems: list[str] = []
    report = {
        "lexls": __version__,
        "python": {
            "version": platform.python_version(),
            "executable": sys.executable,
            "platform": platform.platform(),
        },
        "packages": {name: _version(name) for name in _PACKAGES},
        "extras": {name: importlib.util.find_spec(module) is not None for name, module in _EXTRAS.items()},
        "sqlite": _sqlite(),
        "settings": _settings(place, problems),
        "model": _model(place, problems),
        "reranker": _reranker(place, problems),
        "generator": generator_state(place.settings, problems),
        "library": _library(place, problems),
        "problems": problems,
    }
    problems += [f"not installed: {name}" for name in _PACKAGES if report["packages"][name] is None]  # type: ignore[index]
    return report


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _sqlite() -> dict[str, Any]:
    from lexls.index.diagnosis import components

    found = components()
    return {"version": found.sqlite, "apsw": found.apsw, "sqlite_vec": found.sqlite_vec or None}


def _settings(place: Workspace, problems: list[str]) -> dict[str, Any]:
    problems += [str(problem) for problem in place.problems]
    try:
        load_grammar(place.settings)
    except CommandFailed as error:
        problems.append(str(error))
    user = user_settings_file()
    own = workspace_settings_file(place.settings.root) if place.settings.root else None
    return {
        "user_file": str(user),
        "user_file_exists": user.is_file(),
        "workspace_file": str(own) if own else None,
        "jurisdiction": place.settings.jurisdiction or None,
        "problems": [
            {"source": each.source, "key": each.key, "reason": each.reason} for each in place.problems
        ],
    }


def _model(place: Workspace, problems: list[str]) -> dict[str, Any]:
    from lexls.index.embedding import EmbedderUnavailable, open_embedder

    name = place.settings.embeddings_model
    if not name:
        return {"name": None, "ready": False, "reason": "embeddings.model is empty: words alone"}
    try:
        embedder = open_embedder(name)
    except EmbedderUnavailable as error:
        problems.append(str(error))
        return {"name": name, "ready": False, "reason": str(error)}
    return {"name": embedder.name, "ready": True, "reason": None}


def _reranker(place: Workspace, problems: list[str]) -> dict[str, Any]:
    from lexls.models.cross_encoder import CrossEncoderClient
    from lexls.models.unavailable import ModelUnavailable

    name = place.settings.rerank_model
    if not name:
        return {"name": None, "ready": False, "kind": None, "reason": "rerank.model is empty: none"}
    client = CrossEncoderClient(name)
    try:
        client.load()
    except ModelUnavailable as error:
        problems.append(error.reason)
        return {"name": name, "ready": False, "kind": None, "reason": error.reason}
    finally:
        client.close()
    return {"name": name, "ready": True, "kind": client.kind, "reason": None}


def _library(place: Workspace, problems: list[str]) -> dict[str, Any]:
    from lexls.index.config import indexer_config
    from lexls.index.diagnosis import CURRENT_SCHEMA, failure_in_words
    from lexls.index.lock import is_indexer_running
    from lexls.index.status import IndexStatus

    missing = [folder for folder in place.folders if not folder.is_dir()]
    named = {problem.key for problem in place.problems}
    if missing and "library.folders" not in named:
        problems += [f"{folder}: there is no such folder" for folder in missing]
    report: dict[str, Any] = {
        "folders": [str(folder) for folder in place.folders],
        "index": None,
        "exists": False,
        "megabytes": 0.0,
        "schema": 0,
        "current_schema": CURRENT_SCHEMA,
        "documents": 0,
        "passages": 0,
        "vectors": 0,
        "indexer_running": False,
        "progress": None,
        "failed": [],
        "warnings": [],
    }
    if not place.folders:
        problems.append("no library: name its folders in lexls.toml (library.folders), or give --library")
        return report
    index = indexer_config(place.folders, place.settings, place.index).index
    report["index"] = str(index)
    if not index.is_file():
        problems.append(f"{index}: not made yet; run `lexls index`")
        return report
    report["exists"] = True
    report["megabytes"] = round(_megabytes(index), 1)
    status = IndexStatus(index)
    try:
        report["schema"] = status.schema()
        documents, passages, vectors = status.counts()
        report |= {"documents": documents, "passages": passages, "vectors": vectors}
        report["indexer_running"] = is_indexer_running(index)
        progress = status.progress()
        report["progress"] = {"phase": progress.phase, "done": progress.done, "total": progress.total}
        report["failed"] = [{"path": str(each.path), "reason": each.reason} for each in status.failed()]
        report["warnings"] = [{"path": str(each.path), "reason": each.reason} for each in status.warnings()]
    except Exception as error:
        reason = failure_in_words(error, index)
        if not reason:
            raise
        problems.append(reason)
    finally:
        status.close()
    problems += [f"{each['path']}: {each['reason']}" for each in report["failed"]]
    if report["schema"] > CURRENT_SCHEMA:
        problems.append(f"{index}: made by a newer lexls; install that one, or delete the file")
    return report


def _megabytes(index: Path) -> float:
    files = [index, index.with_name(index.name + "-wal"), index.with_name(index.name + "-shm")]
    return sum(path.stat().st_size for path in files if path.is_file()) / 1e6


def _lines(report: dict[str, Any]) -> Iterator[str]:
    python, sqlite, settings = report["python"], report["sqlite"], report["settings"]
    library, model = report["library"], report["model"]
    extras = ", ".join(name for name, present in report["extras"].items() if present) or "none"
    yield f"lexls       {report['lexls']}"
    yield f"Python      {python['version']} ({python['executable']}) on {python['platform']}"
    vec = (
        f"sqlite-vec {sqlite['sqlite_vec']}"
        if sqlite["sqlite_vec"]
        else "no sqlite-vec: vectors as plain blobs"
    )
    yield f"SQLite      {sqlite['version']} through apsw {sqlite['apsw']}, {vec}"
    yield "Packages    " + ", ".join(f"{name} {found or '-'}" for name, found in report["packages"].items())
    yield f"Extras      {extras}"
    yield f"Settings    {settings['user_file']}" + ("" if settings["user_file_exists"] else " (none)")
    yield f"            {settings['workspace_file'] or 'no lexls.toml'}"
    yield f"Model       {model['name'] or 'none'}: {'ready' if model['ready'] else model['reason']}"
    reranker = report["reranker"]
    if reranker["name"]:
        state = f"ready ({reranker['kind']})" if reranker["ready"] else reranker["reason"]
        yield f"Reranker    {reranker['name']}: {state}"
    generator = report["generator"]
    whose = f" ({generator['model']})" if generator["model"] else ""
    where = f" at {generator['address']}" if generator["address"] else ""
    yield f"Explains    {generator['kind']}{whose}{where}: {generator['reason'] or 'ready'}"
    yield "Library     " + ("\n            ".join(library["folders"]) or "none")
    if library["exists"]:
        running = "running" if library["indexer_running"] else "not running"
        yield f"Index       {library['index']} ({library['megabytes']} MB, schema {library['schema']})"
        yield (
            f"            {library['documents']} documents, {library['passages']} passages, "
            f"{library['vectors']} with vectors; the indexer is {running}"
        )
        if model["ready"] and library["vectors"] < library["passages"] and not library["indexer_running"]:
            yield "            `lexls index` makes the vectors that are missing"
    for each in library["warnings"]:
        yield f"Note        {each['path']}: {each['reason']}"
    if report["problems"]:
        yield ""
        yield "Needs attention:"
        for problem in report["problems"]:
            yield f"  - {problem}"
    else:
        yield ""
        yield "Everything is as it should be."
