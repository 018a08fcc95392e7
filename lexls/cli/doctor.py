"""``lexls doctor``: check the installation, the settings and the library, and report problems. Nothing is
changed, except with ``--verify``.
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from lexls import __version__
from lexls.cli.context import Workspace, find_workspace, load_grammar, run_with_index
from lexls.cli.models import describe_servers
from lexls.cli.output import FINDINGS, FINE, CommandFailed, emit, read_tables
from lexls.library.document import NO_AUTHORITY
from lexls.library.readers import SUFFIXES
from lexls.models.local_servers import LocalServer, find_local_servers
from lexls.settings.declaration import Settings
from lexls.settings.load import find_user_settings, find_workspace_settings

_INSTALLED = read_tables("tables.toml")["installed"]


def run_doctor(options: argparse.Namespace) -> int:
    """Check everything and report it; return 1 if something needs the user's attention."""
    place = find_workspace(options, folders=options.folders, quiet=True)
    servers = find_local_servers()
    verified = verify_index(place) if options.verify else None
    report = examine(place, servers) | {"verified": verified}
    report["problems"] += _list_differences(verified)
    uses_one = place.settings.explain_generator == "openai"
    emit(options, report, _lines(report, () if uses_one else servers))
    return FINDINGS if report["problems"] else FINE


def examine(place: Workspace, servers: Sequence[LocalServer]) -> dict[str, Any]:
    """Return everything that ``lexls doctor --json`` prints. ``servers`` are the model servers running on
    this machine.
    """
    problems: list[str] = []
    packages = {name: _version(name) for name in _INSTALLED["packages"]}
    extras: dict[str, list[str]] = _INSTALLED["extras"]
    report = {
        "lexls": __version__,
        "python": {
            "version": platform.python_version(),
            "executable": sys.executable,
            "platform": platform.platform(),
        },
        "packages": packages,
        "extras": {
            name: any(importlib.util.find_spec(module) is not None for module in modules)
            for name, modules in extras.items()
        },
        "sqlite": _sqlite(),
        "settings": _settings(place, problems),
        "model": _model(place, problems),
        "reranker": _reranker(place, problems),
        "order": _order(place, problems),
        "generator": examine_generator(place.settings, problems),
        "servers": [asdict(each) for each in servers],
        "library": _library(place, problems),
        "collections": _collections(place, problems),
        "problems": problems,
    }
    problems += [f"not installed: {name}" for name, found in packages.items() if found is None]
    return report


def verify_index(place: Workspace) -> dict[str, Any]:
    """Compare the index with one rebuilt from the same folders, repair it, and return the differences.

    Raises ``CommandFailed`` if there is no library or its index cannot be written.
    """
    from lexls.index.verify import verify

    result = run_with_index(place, verify)
    return {
        "documents": result.documents,
        "differences": [{"path": each.path or None, "reason": each.reason} for each in result.differences],
        "mended": not result.left,
    }


def _list_differences(verified: dict[str, Any] | None) -> Iterator[str]:
    for each in verified["differences"] if verified else ():
        yield f"{each['path']}: {each['reason']}" if each["path"] else each["reason"]
    if verified and verified["differences"]:
        yield (
            "what differed was read again, and nothing differs now"
            if verified["mended"]
            else "what differed was read again, but still differs: please report this"
        )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _sqlite() -> dict[str, Any]:
    from lexls.index.soundness import find_components

    found = find_components()
    return {"version": found.sqlite, "apsw": found.apsw, "sqlite_vec": found.sqlite_vec or None}


def _settings(place: Workspace, problems: list[str]) -> dict[str, Any]:
    problems += [str(problem) for problem in place.problems]
    try:
        load_grammar(place.settings)
    except CommandFailed as error:
        problems.append(str(error))
    user = find_user_settings()
    own = find_workspace_settings(place.settings.root) if place.settings.root else None
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
    from lexls.index.config import find_chosen_prompts
    from lexls.index.embedding import open_embedder
    from lexls.models.messages import ModelUnavailable

    name = place.settings.embeddings_model
    if not name:
        return {"name": None, "ready": False, "reason": "embeddings.model is empty: words alone"}
    try:
        embedder = open_embedder(name, chosen=find_chosen_prompts(place.settings))
    except ModelUnavailable as error:
        problems.append(str(error))
        return {"name": name, "ready": False, "reason": str(error)}
    return {"name": embedder.name, "ready": True, "reason": None}


def _reranker(place: Workspace, problems: list[str]) -> dict[str, Any]:
    from lexls.models.encoder_clients import CrossEncoderClient
    from lexls.models.messages import ModelUnavailable

    name = place.settings.rerank_model
    if not name:
        reason = "rerank.model is empty: none"
        return {"name": None, "ready": False, "kind": None, "weight": None, "reason": reason}
    client = CrossEncoderClient(name)
    try:
        client.load()
    except ModelUnavailable as error:
        problems.append(str(error))
        return {"name": name, "ready": False, "kind": None, "weight": None, "reason": str(error)}
    finally:
        client.close()
    weight = _find_weight(place, name)
    return {"name": name, "ready": True, "kind": client.kind, "weight": weight, "reason": None}


def _find_weight(place: Workspace, model: str) -> float | None:
    """Return the measured weight of a cross-encoder on the library, or None if it has not been measured."""
    from lexls.retrieval.reranking.kept_with_library import find_measured

    index = _find_index(place)
    measured = find_measured(index, model) if index is not None else None
    return None if measured is None else measured.weight


def _order(place: Workspace, problems: list[str]) -> str | None:
    """Return a description of the data from which this library's ranking was learnt. Returns None if the
    library uses lexls's default ranking.
    """
    from lexls.retrieval.reranking.kept_with_library import OrderUnusable, read_order

    index = _find_index(place)
    try:
        learnt = read_order(index) if index is not None else None
    except OrderUnusable as error:
        problems.append(str(error))
        return None
    return None if learnt is None else learnt.recipe


def _find_index(place: Workspace) -> Path | None:
    from lexls.index.config import make_indexer_config

    return make_indexer_config(place.folders, place.settings, place.index).index if place.folders else None


def _library(place: Workspace, problems: list[str]) -> dict[str, Any]:
    from lexls.index.beside import find_beside
    from lexls.index.config import is_beside_newer, make_indexer_config
    from lexls.index.connection import SCHEMA_VERSION

    missing = [folder for folder in place.folders if not folder.is_dir()]
    named = {problem.key for problem in place.problems}
    if missing and "library.folders" not in named:
        problems += [f"{folder}: there is no such folder" for folder in missing]
    report: dict[str, Any] = {"folders": [str(folder) for folder in place.folders], "index": None}
    report |= {"exists": False, "megabytes": 0.0, "schema": 0, "current_schema": SCHEMA_VERSION}
    report |= dict.fromkeys(("documents", "passages", "vectors"), 0)
    report |= {
        "indexer_running": False,
        "progress": None,
        "failed": [],
        "unread": [],
        "warnings": [],
        "unclear": [],
    }
    if not place.folders:
        problems.append("no library: name its folders in lexls.toml (library.folders), or give --library")
        return report
    index = make_indexer_config(place.folders, place.settings, place.index).index
    report["index"] = str(index)
    if not index.is_file():
        problems.append(f"{index}: not made yet; run `lexls index`")
        return report
    report["exists"] = True
    files = [index, find_beside(index, "-wal"), find_beside(index, "-shm")]
    report["megabytes"] = round(sum(path.stat().st_size for path in files if path.is_file()) / 1e6, 1)
    _read_index(index, report, problems)
    problems += [f"{each['path']}: {each['reason']}" for each in report["failed"]]
    if is_beside_newer(index):
        problems.append(f"{index}: kept beside the index that a newer lexls has made; update this one")
    return report


def _read_index(index: Path, report: dict[str, Any], problems: list[str]) -> None:
    """Add the figures from the index to the report. If the index cannot be read, add the reason to
    ``problems``.
    """
    from lexls.index.beside import is_indexer_running
    from lexls.index.soundness import describe_failure
    from lexls.index.status import IndexStatus

    try:
        with closing(IndexStatus(index)) as status:
            report["schema"] = status.schema()
            report |= zip(("documents", "passages", "vectors"), status.counts(), strict=True)
            report["indexer_running"] = is_indexer_running(index)
            progress = status.progress()
            report["progress"] = {"phase": progress.phase, "done": progress.done, "total": progress.total}
            files = {"failed": status.failed(), "warnings": status.warnings(), "unclear": status.unclear()}
            for key, found in files.items():
                report[key] = [{"path": str(each.path), "reason": each.reason} for each in found]
            problems += [
                f"{folder}: cannot be looked at, or is empty where it was not; what it held is kept"
                for folder in status.missing()
                if folder.is_dir()
            ]
            report["unread"] = [asdict(kind) for kind in status.unread()]
    except Exception as error:
        reason = describe_failure(error, index)
        if not reason:
            raise
        problems.append(reason)


def _collections(place: Workspace, problems: list[str]) -> list[dict[str, Any]]:
    """Return the collections of the user's indexes on Milvus servers. A collection that is no longer used is
    also reported in ``problems``.
    """
    from lexls.index.config import find_milvus
    from lexls.index.milvus import list_places

    milvus = find_milvus(place.settings)
    found = list_places()
    for each in found:
        if each.index is None:
            reason = "their index is forgotten"
        elif not each.index.exists():
            reason = f"there is no {each.index} any more"
        elif milvus is None or milvus.url != each.url:
            reason = "index.url does not name it now"
        else:
            continue
        problems.append(f"{', '.join(each.collections)} may still be on {each.url}: {reason}")
    return [
        {"url": each.url, "names": each.collections, "index": str(each.index) if each.index else None}
        for each in found
    ]


def _lines(report: dict[str, Any], offered: Sequence[LocalServer]) -> Iterator[str]:
    yield from _describe_installation(report)
    yield from _describe_models(report)
    yield from describe_servers(offered)
    yield from _describe_library(report)
    yield ""
    yield "Needs attention:" if report["problems"] else "Everything is as it should be."
    for problem in report["problems"]:
        yield f"  - {problem}"


def _describe_installation(report: dict[str, Any]) -> Iterator[str]:
    python, sqlite, settings = report["python"], report["sqlite"], report["settings"]
    extras = ", ".join(name for name, present in report["extras"].items() if present) or "none"
    yield f"lexls       {report['lexls']}"
    yield f"Python      {python['version']} ({python['executable']}) on {python['platform']}"
    found = sqlite["sqlite_vec"]
    vec = f"sqlite-vec {found}" if found else "no sqlite-vec: vectors as plain blobs"
    yield f"SQLite      {sqlite['version']} through apsw {sqlite['apsw']}, {vec}"
    yield "Packages    " + ", ".join(f"{name} {found or '-'}" for name, found in report["packages"].items())
    yield f"Extras      {extras}"
    yield f"Settings    {settings['user_file']}" + ("" if settings["user_file_exists"] else " (none)")
    yield f"            {settings['workspace_file'] or 'no lexls.toml'}"


def _describe_models(report: dict[str, Any]) -> Iterator[str]:
    model, reranker, generator = report["model"], report["reranker"], report["generator"]
    yield f"Model       {model['name'] or 'none'}: {'ready' if model['ready'] else model['reason']}"
    if reranker["name"]:
        worth = {None: "`lexls models try` has not measured it on this library", 0.0: "it does not help here"}
        use = worth.get(reranker["weight"], f"counts {reranker['weight']} on this library")
        state = f"ready ({reranker['kind']}); {use}" if reranker["ready"] else reranker["reason"]
        yield f"Reranker    {reranker['name']}: {state}"
    if report["order"]:
        yield f"Order       learnt from {report['order']}"
    about = ", run by ".join(filter(None, (generator["model"], generator["runtime"])))
    whose = f" ({about})" if about else ""
    where = f" at {generator['address']}" if generator["address"] else ""
    yield f"Explains    {generator['kind']}{whose}{where}: {generator['reason'] or 'ready'}"


def _describe_library(report: dict[str, Any]) -> Iterator[str]:
    library = report["library"]
    yield "Library     " + ("\n            ".join(library["folders"]) or "none")
    if library["exists"]:
        running = "running" if library["indexer_running"] else "not running"
        yield f"Index       {library['index']} ({library['megabytes']} MB, schema {library['schema']})"
        yield (
            f"            {library['documents']} documents, {library['passages']} passages, "
            f"{library['vectors']} with vectors; the indexer is {running}"
        )
        missing = library["vectors"] < library["passages"] and not library["indexer_running"]
        if report["model"]["ready"] and missing:
            yield "            `lexls index` makes the vectors that are missing"
    if verified := report["verified"]:
        wrong = len(verified["differences"])
        told = f"{wrong:,} differences" if wrong > 1 else "one difference" if wrong else "nothing differs"
        yield f"Verified    {verified['documents']:,} documents against their files: {told}"
    for kind in library["unread"]:
        named = f": {', '.join(kind['paths'])}" if kind["paths"] else ""
        more = ", …" if 0 < len(kind["paths"]) < kind["count"] else ""
        because = f" ({NO_AUTHORITY})" if kind["suffix"] in SUFFIXES else ""
        yield f"Not read    {kind['count']:,} {kind['suffix'] or 'without a suffix'}{because}{named}{more}"
    for each in library["warnings"]:
        yield f"Note        {each['path']}: {each['reason']}"
    for each in library["unclear"]:
        yield f"Unclear     {each['path']}: {each['reason']}"


def examine_generator(settings: Settings, problems: list[str]) -> dict[str, Any]:
    """Describe the text generator without loading it or connecting to it. Faults are added to
    ``problems``.
    """
    kind = settings.explain_generator
    state: dict[str, Any] = {"kind": kind, "model": None, "runtime": None, "address": None}
    state |= {"ready": True, "reason": None}
    if kind == "llama":
        state["runtime"] = _runtime()
        state["model"] = settings.llama_model or None
        state["reason"] = _llama(settings)
    elif kind in ("openai", "anthropic"):
        _remote(settings, kind, state)
    if state["reason"] is not None:
        state["ready"] = False
        problems.append(state["reason"])
    return state


def _runtime() -> str | None:
    from lexls.models.llama_runtime import PACKAGES, find_runtime

    name = PACKAGES.get(find_runtime())
    return f"{name} {_version(name) or ''}".strip() if name else None


def _llama(settings: Settings) -> str | None:
    from lexls.models.gguf_files import ModelNotFound, resolve_model
    from lexls.models.gguf_header import UnreadableModel, read_gguf_header
    from lexls.models.llama_runtime import find_runtime

    if not find_runtime():
        return "explain.generator is llama, but no llama.cpp is installed: pip install 'lexls[llama]'"
    try:
        read_gguf_header(resolve_model(settings.llama_model))
    except (ModelNotFound, UnreadableModel) as error:
        return str(error)
    return None


def _remote(settings: Settings, kind: str, state: dict[str, Any]) -> None:
    from lexls.features.build import choose_generator
    from lexls.grounding.answer import GenerationFailed
    from lexls.grounding.generators.remote import find_endpoint

    choice = choose_generator(settings, kind)
    state["model"] = choice.model or None
    try:
        asked = find_endpoint(kind, choice)
        state["address"] = asked.address.origin
        asked.key()
    except GenerationFailed as error:
        state["reason"] = str(error)
