"""``lexls eval --embedders``: compare embedding models on one benchmark."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import random
import re
import shutil
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lexls.cli.context import (
    Workspace,
    find_cache_folder,
    find_workspace,
    make_searcher,
    open_index,
    read_filters,
)
from lexls.cli.measured_runs import TableRow, ask_benchmark, keep, write_table
from lexls.cli.output import FINE, USAGE, CommandFailed, emit, read_tables
from lexls.evaluation.asking import Benchmark, identify_index
from lexls.evaluation.plots import choose_measures
from lexls.evaluation.runs import Run
from lexls.evaluation.sampling import draw_documents
from lexls.evaluation.statistics import summarize_run
from lexls.index.config import find_chosen_prompts
from lexls.index.connection import copy_index
from lexls.index.embedding import Embedder, open_embedder
from lexls.index.library import Library
from lexls.models.messages import ModelUnavailable
from lexls.text.cancel import CancelToken
from lexls.text.terminal import note


def find_hub_name(name: str) -> str:
    """Return the full name of a model commonly known by a short name; other names are returned unchanged."""
    folded = {short.casefold(): full for short, full in read_tables("tables.toml")["hub_names"].items()}
    return str(folded.get(name.casefold(), name))


TIMED_PASSAGES = 64
"""Number of randomly drawn passages used to measure how many a model embeds per second."""
TIMED_QUESTIONS = 20
WORDS = "words alone"
_LONG_NAME = 80


_Row = tuple[dict[str, Any], dict[str, "Run"]]
"""A model's figures, and its runs by name. The run "alone" uses only vectors; it is missing for a benchmark
of sentences, which are not ranked by vectors. The run "all" uses all stages.
"""


def compare_models(options: argparse.Namespace, benchmark: Benchmark) -> int:
    """Create or reuse each model's index in the cache folder, run the benchmark, and print a table."""

    if options.lexical:
        raise CommandFailed("eval: --lexical leaves nothing to compare of --embedders", USAGE)
    place = find_workspace(options)
    with contextlib.ExitStack() as stack:
        words, _ = open_index(place, lexical_only=True)
        stack.callback(words.close)
        documents = words.status.counts()[0]
        folder = (
            find_cache_folder() / "embedders" / _digest(sorted(str(each.resolve()) for each in place.folders))
        )
        sampled = options.sample is not None and options.sample < documents and benchmark.kind != "terms"
        if sampled:
            folder, folders = _sample(options, benchmark, place, words)
            place = replace(place, folders=folders, index=folder / "words.sqlite3")
            words, _ = open_index(place, lexical_only=True)
            stack.callback(words.close)
        rows = [_tell({"model": WORDS}, {"all": _ask(options, benchmark, words, place, lexical=True)})]
        for model in dict.fromkeys(options.embedders):
            rows.append(_measure(options, benchmark, place, words, folder, model))
        report = {
            "benchmark": benchmark.path.name,
            "queries": len(benchmark.questions),
            "documents": words.status.counts()[0],
            "sampled": sampled,
            "embedders": [told for told, _ in rows],
        }
    names = {"alone": " alone", "all": ""}
    keep(options, [(told["model"] + names[how], run) for told, runs in rows for how, run in runs.items()])
    emit(options, report, _lines(report))
    return FINE


def _sample(
    options: argparse.Namespace, benchmark: Benchmark, place: Workspace, words: Library
) -> tuple[Path, tuple[Path, ...]]:
    """Return a cache folder for the indexes of a sample of documents, and library folders with copies of the
    sampled files.
    """
    search = make_searcher(words, place, lexical=True)
    sample = draw_documents(benchmark, search, options.sample, CancelToken())
    others = len(sample.documents) - sample.relevant - sample.mistaken
    documents = words.status.counts()[0]
    note(
        f"{len(sample.documents)} of {documents} documents are embedded: {sample.relevant} that are "
        f"asked for, {sample.mistaken} that words mistake for them, {others} drawn by lot; among fewer "
        "documents figures are higher than in the whole library"
    )
    folder = (
        find_cache_folder()
        / "embedders"
        / _digest([identify_index(words), *map(str, sorted(sample.documents))])
    )
    copies = folder / "library"
    if not copies.is_dir():
        beside = folder / "library.new"
        shutil.rmtree(beside, ignore_errors=True)
        for document in sample.documents:
            authority = words.catalogue.get(document)
            if authority is not None:  # a file with several documents is copied as a whole
                # Two library folders may have files of the same name, so each gets a folder of its own.
                copy = beside / _digest([str(authority.library)]) / authority.relative
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(authority.path, copy)
        beside.rename(copies)
    return folder, tuple(sorted(copies.iterdir()))


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _measure(
    options: argparse.Namespace,
    benchmark: Benchmark,
    place: Workspace,
    words: Library,
    folder: Path,
    model: str,
) -> _Row:
    name = find_hub_name(model)
    told: dict[str, Any] = {"model": model, "name": name}
    try:
        embedder = open_embedder(name, chosen=find_chosen_prompts(place.settings))
        try:
            speed = round(_passages_a_second(embedder, words), 1)
            query_ms = round(_query_ms(embedder, benchmark), 1)
            about = {"dimension": embedder.dimension, "passages_a_second": speed, "query_ms": query_ms}
        finally:
            getattr(embedder, "close", lambda: None)()
    except ModelUnavailable as error:
        return told | {"unavailable": str(error)}, {}
    place = replace(place, settings=replace(place.settings, embeddings_model=name))
    if benchmark.kind == "terms":
        return _tell(told | about, {"all": _ask(options, benchmark, words, place)})
    library, reason = _embedded(place, words, folder, name)
    try:
        if reason:
            return told | {"unavailable": reason}, {}
        alone = _ask(options, benchmark, library, place, only="vectors")
        return _tell(told | about, {"alone": alone, "all": _ask(options, benchmark, library, place)})
    finally:
        library.close()


def _embedded(place: Workspace, words: Library, folder: Path, name: str) -> tuple[Library, str]:
    """Open the index in ``folder`` with this model's vectors. A new index is copied from the words-only
    index, so that no file is read again. Also return the reason why vectors are missing, or "".
    """
    safe = re.sub(r"[^A-Za-z0-9.-]+", "-", name)
    if len(safe) > _LONG_NAME:  # a model in a folder has its path as its name
        safe = f"{safe[-_LONG_NAME:]}-{_digest([name])}"
    index = folder / f"{safe}.sqlite3"
    if not index.exists():
        copy_index(words.path, index)
    library, report = open_index(replace(place, index=index))
    _, passages, vectors = library.status.counts()
    if vectors < passages:
        return library, report.no_vectors or f"{passages - vectors} of {passages} passages got no vector"
    return library, ""


def _ask(
    options: argparse.Namespace,
    benchmark: Benchmark,
    library: Library,
    place: Workspace,
    *,
    lexical: bool = False,
    only: str = "",
) -> Run:
    search = make_searcher(library, place, lexical=lexical)
    if only:
        search.ranking = search.ranking.only(only)
    what = WORDS if lexical else place.settings.embeddings_model
    return ask_benchmark(options, benchmark, search, read_filters(options, place), what)


def _passages_a_second(embedder: Embedder, library: Library) -> float:
    texts: list[str] = []
    documents = sorted(each.id for each in library.catalogue.all())
    random.Random(0).shuffle(documents)
    for document in documents:
        texts += [record.text for record in library.contents.passages(document)]
        if len(texts) >= TIMED_PASSAGES:
            break
    texts = texts[:TIMED_PASSAGES]
    prompt = embedder.prompts.passage
    embedder.encode(texts[:1], prompt)
    start = time.perf_counter()
    embedder.encode(texts, prompt)
    return len(texts) / (time.perf_counter() - start)


def _query_ms(embedder: Embedder, benchmark: Benchmark) -> float:
    times = []
    for question in benchmark.questions[:TIMED_QUESTIONS]:
        text = getattr(question, "text", "") or getattr(question, "term", "")
        start = time.perf_counter()
        embedder.encode([text], embedder.prompts.question)
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def _tell(told: dict[str, Any], runs: dict[str, Run]) -> _Row:
    shown = ("figures", "intervals", "latency_ms")
    reports = {how: summarize_run(run) for how, run in runs.items()}
    return told | {how: {name: each[name] for name in shown} for how, each in reports.items()}, runs


def _lines(report: dict[str, Any]) -> Iterator[str]:
    part = "a sample of " if report["sampled"] else ""
    yield f"{report['benchmark']}: {report['queries']} queries, {part}{report['documents']} documents"
    lines = []
    measures: list[str] = []
    for told in report["embedders"]:
        about = {}
        if "dimension" in told:
            about["dimension"] = str(told["dimension"])
            about["passages/s"], about["query ms"] = str(told["passages_a_second"]), str(told["query_ms"])
        for how, title in (("alone", f"{told['model']}, vectors alone"), ("all", told["model"])):
            if how in told:
                measures = choose_measures(told[how]["figures"])
                p95 = {"p95 ms": f"{told[how]['latency_ms']['p95']:.1f}"}
                lines.append(TableRow(title, {**told[how]["figures"], **about, **p95}))
    yield from write_table(lines, [*measures, "dimension", "passages/s", "query ms", "p95 ms"])
    for told in report["embedders"]:
        if "unavailable" in told:
            yield f"{told['model']}: {told['unavailable']}"
