"""``lexls eval --embedders``: embedding models side by side on one benchmark."""

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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexls.cli.context import Workspace, cache_folder, filters, open_index, searcher, workspace
from lexls.cli.measured_runs import TableRow, keep, table_lines
from lexls.cli.output import FINE, USAGE, CommandFailed, emit, note, read_tables, show_progress

if TYPE_CHECKING:
    from lexls.evaluation.asking import Benchmark
    from lexls.evaluation.runs import Run
    from lexls.index.embedding import Embedder
    from lexls.index.library import Library


def hub_name(name: str) -> str:
    """The full name of a model that people know by a short one; any other name as it is."""
    folded = {short.casefold(): full for short, full in read_tables("tables.toml")["hub_names"].items()}
    return str(folded.get(name.casefold(), name))


TIMED_PASSAGES = 64
"""From so many passages, drawn by lot, it is told how many a model embeds a second."""
TIMED_QUESTIONS = 20
WORDS = "words alone"
_LONG_NAME = 80


@dataclass(frozen=True, slots=True)
class _Row:
    """A model's runs: with its vectors alone (None of sentences, where nothing ranks so) and with all
    stages; or why there are none."""

    model: str
    name: str
    reason: str = ""
    dimension: int = 0
    passages_a_second: float = 0.0
    query_ms: float = 0.0
    alone: Run | None = None
    together: Run | None = None


def compare_models(options: argparse.Namespace, benchmark: Benchmark) -> int:
    """Make each model's index in the cache folder (or find it there), ask the benchmark, print a table."""

    if options.lexical:
        raise CommandFailed("eval: --lexical leaves nothing to compare of --embedders", USAGE)
    place = workspace(options)
    with contextlib.ExitStack() as stack:
        words, _ = open_index(place, lexical_only=True)
        stack.callback(words.close)
        documents = words.status.counts()[0]
        folder = cache_folder() / "embedders" / _digest(sorted(str(each.resolve()) for each in place.folders))
        sampled = options.sample is not None and options.sample < documents and benchmark.kind != "terms"
        if sampled:
            folder, folders = _sample(options, benchmark, place, words)
            place = replace(place, folders=folders, index=folder / "words.sqlite3")
            words, _ = open_index(place, lexical_only=True)
            stack.callback(words.close)
        rows = [_Row(WORDS, "", together=_ask(options, benchmark, words, place, lexical=True))]
        for model in dict.fromkeys(options.embedders):
            rows.append(_row(options, benchmark, place, words, folder, model, hub_name(model)))
        report = {
            "benchmark": benchmark.path.name,
            "queries": len(benchmark.questions),
            "documents": words.status.counts()[0],
            "sampled": sampled,
            "embedders": [_told(row) for row in rows],
        }
    runs = (
        (name, run)
        for row in rows
        for name, run in ((f"{row.model} alone", row.alone), (row.model, row.together))
    )
    keep(options, [(name, run) for name, run in runs if run is not None])
    emit(options, report, _lines(report, rows))
    return FINE


def _sample(
    options: argparse.Namespace, benchmark: Benchmark, place: Workspace, words: Library
) -> tuple[Path, tuple[Path, ...]]:
    """A folder in the cache for indexes of a sample, and the library folders with copies of its files."""
    from lexls.evaluation.asking import fingerprint
    from lexls.evaluation.sampling import sample_documents
    from lexls.text.cancel import CancelToken

    sample = sample_documents(benchmark, searcher(words, place, lexical=True), options.sample, CancelToken())
    others = len(sample.documents) - sample.relevant - sample.mistaken
    documents = words.status.counts()[0]
    note(
        f"{len(sample.documents)} of {documents} documents are embedded: {sample.relevant} that are "
        f"asked for, {sample.mistaken} that words mistake for them, {others} drawn by lot; among fewer "
        "documents figures are higher than in the whole library"
    )
    folder = cache_folder() / "embedders" / _digest([fingerprint(words), *map(str, sorted(sample.documents))])
    copies = folder / "library"
    if not copies.is_dir():
        beside = folder / "library.new"
        shutil.rmtree(beside, ignore_errors=True)
        for document in sample.documents:
            authority = words.catalogue.get(document)
            if authority is not None:
                # Two library folders may hold files of the same name: each gets a folder of its own.
                copy = beside / _digest([str(authority.library)]) / authority.relative
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(authority.path, copy)
        beside.rename(copies)
    return folder, tuple(sorted(copies.iterdir()))


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _row(
    options: argparse.Namespace,
    benchmark: Benchmark,
    place: Workspace,
    words: Library,
    folder: Path,
    model: str,
    name: str,
) -> _Row:
    from lexls.index.embedding import open_embedder
    from lexls.models.messages import ModelUnavailable

    try:
        embedder = open_embedder(name)
        try:
            speed = _passages_a_second(embedder, words)
            query_ms = _query_ms(embedder, benchmark)
            dimension = embedder.dimension
        finally:
            getattr(embedder, "close", lambda: None)()
    except ModelUnavailable as error:
        return _Row(model, name, reason=str(error))
    place = replace(place, settings=replace(place.settings, embeddings_model=name))
    row = _Row(model, name, dimension=dimension, passages_a_second=speed, query_ms=query_ms)
    if benchmark.kind == "terms":
        return replace(row, together=_ask(options, benchmark, words, place))
    library, reason = _embedded(place, words, folder, name)
    try:
        if reason:
            return _Row(model, name, reason=reason)
        alone = _ask(options, benchmark, library, place, only="vectors")
        return replace(row, alone=alone, together=_ask(options, benchmark, library, place))
    finally:
        library.close()


def _embedded(place: Workspace, words: Library, folder: Path, name: str) -> tuple[Library, str]:
    """The index in ``folder`` with this model's vectors, copied from that of the words so that no file is
    read again; and why vectors are missing, "" if none is."""
    from lexls.index.connection import copy_index

    safe = re.sub(r"[^A-Za-z0-9.-]+", "-", name)
    if len(safe) > _LONG_NAME:  # a model in a folder is called by its path
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
    from lexls.evaluation.asking import SHOWN, evaluate
    from lexls.text.cancel import CancelToken

    search = searcher(library, place, lexical=lexical)
    if only:
        search.ranking = search.ranking.only(only)
    with show_progress(WORDS if lexical else place.settings.embeddings_model) as on_question:
        return evaluate(
            benchmark,
            library,
            search,
            CancelToken(),
            corpus=options.corpus,
            filters=filters(options, place),
            shown=options.k or SHOWN,
            on_question=on_question,
        )


def _passages_a_second(embedder: Embedder, library: Library) -> float:
    texts: list[str] = []
    documents = sorted(each.id for each in library.catalogue.all())
    random.Random(0).shuffle(documents)
    for document in documents:
        texts += [record.text for record in library.contents.passages(document)]
        if len(texts) >= TIMED_PASSAGES:
            break
    texts = texts[:TIMED_PASSAGES]
    embedder.encode(texts[:1])
    start = time.perf_counter()
    embedder.encode(texts)
    return len(texts) / (time.perf_counter() - start)


def _query_ms(embedder: Embedder, benchmark: Benchmark) -> float:
    times = []
    for question in benchmark.questions[:TIMED_QUESTIONS]:
        text = getattr(question, "text", "") or getattr(question, "term", "")
        start = time.perf_counter()
        embedder.encode([text])
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def _told(row: _Row) -> dict[str, Any]:
    from lexls.evaluation.statistics import report

    if row.reason:
        return {"model": row.model, "name": row.name, "unavailable": row.reason}
    told: dict[str, Any] = {"model": row.model}
    if row.name:
        told |= {
            "name": row.name,
            "dimension": row.dimension,
            "passages_a_second": round(row.passages_a_second, 1),
            "query_ms": round(row.query_ms, 1),
        }
    for how, run in (("alone", row.alone), ("all", row.together)):
        if run is not None:
            found = report(run)
            told[how] = {name: found[name] for name in ("figures", "intervals", "latency_ms")}
    return told


def _lines(report: dict[str, Any], rows: Sequence[_Row]) -> Iterator[str]:
    from lexls.evaluation.plots import main_measures

    part = "a sample of " if report["sampled"] else ""
    yield f"{report['benchmark']}: {report['queries']} queries, {part}{report['documents']} documents"
    lines = []
    measures: list[str] = []
    for row, told in zip(rows, report["embedders"], strict=True):
        speed, query_ms = f"{row.passages_a_second:.1f}", f"{row.query_ms:.1f}"
        about = (
            {"dimension": str(row.dimension), "passages/s": speed, "query ms": query_ms} if row.name else {}
        )
        for how, title in (("alone", f"{row.model}, vectors alone"), ("all", row.model)):
            if how in told:
                measures = main_measures(told[how]["figures"])
                p95 = {"p95 ms": f"{told[how]['latency_ms']['p95']:.1f}"}
                lines.append(TableRow(title, {**told[how]["figures"], **about, **p95}))
    yield from table_lines(lines, [*measures, "dimension", "passages/s", "query ms", "p95 ms"])
    for row in rows:
        if row.reason:
            yield f"{row.model}: {row.reason}"
