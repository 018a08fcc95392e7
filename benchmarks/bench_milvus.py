"""A library that a Milvus server ranks, beside the same library in memory: answers, latency, memory, disk.

    python benchmarks/bench_milvus.py --index us.sqlite3 [--url https://…] [--token-env NAME] [--write]

Puts the index on a server (milvus-lite's own, in a folder that is thrown away, unless one is named; the path
of a ".db" is opened by milvus-lite, whose versions before 3 have Milvus' own engine), asks it and memory
the same questions, and says where the first ten differ (equal scores aside). Each reader is a process of its
own. The index is copied, so that nothing stays beside it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench_scale import QUESTIONS, memory, questions, spread
from measuring import descendants, load, machine, table, write_results

from lexls.index.config import MilvusAddress
from lexls.index.milvus import LOCAL, remove_collections

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "index"))
FIRST = 10
TIMED = 20
"""So many of the questions are timed: milvus-lite goes through its lists in Python."""
PATIENCE_SECONDS = 900.0


def measure_mirror(index: Path, url: str, token_env: str) -> dict[str, Any]:
    """Put an index on a server."""
    from lexls.index.beside import find_beside
    from lexls.index.mirror import Mirror

    started, cpu = time.perf_counter(), time.process_time()
    with contextlib.closing(Mirror(index, MilvusAddress(url, token_env))) as mirror:
        mirror.catch_up()
    seconds, used = time.perf_counter() - started, time.process_time() - cpu
    started = time.perf_counter()
    with contextlib.closing(Mirror(index, MilvusAddress(url, token_env))) as mirror:
        mirror.catch_up()
        news, engine = time.perf_counter() - started, _children_memory()
    return {
        "mirror_s": round(seconds, 1),
        "mirror_cpu_s": round(used, 1),
        "nothing_new_ms": round(1000 * news),
        "engine_mb": engine,
        "beside_mb": find_beside(index, "-mirror").stat().st_size // 10**6,
        "peak_mb": memory("VmHWM"),
    }


def measure_reader(index: Path, url: str, token_env: str, count: int) -> dict[str, Any]:
    """Ask a library, in memory if there is no server."""
    from lexls.index import milvus
    from lexls.index.embedding import open_embedder
    from lexls.index.library import Library
    from lexls.retrieval.model import Filters
    from lexls.retrieval.search import Searcher
    from lexls.text.cancel import CancelToken

    milvus.SECONDS = PATIENCE_SECONDS
    asked = questions(QUESTIONS, index, count)
    started = time.perf_counter()
    library = Library(index, MilvusAddress(url, token_env) if url else None)
    loaded, pss = time.perf_counter() - started, memory("Pss")
    embedder = open_embedder()
    vectors = {query: embedder.encode([query])[0] for query in asked}
    searcher = Searcher(library, lambda: embedder)
    terms = {query: searcher.query(query).terms for query in asked}
    started = time.perf_counter()
    # milvus-lite inverts what came only when it is first asked.
    for find in (library.lexical, library.lexical_documents):
        find(terms[asked[0]], FIRST)
    library.nearest(vectors[asked[0]], FIRST)
    ready = time.perf_counter() - started
    first = {
        "passages": [library.lexical(terms[q], FIRST) for q in asked],
        "documents": [library.lexical_documents(terms[q], FIRST, k1=2.0, b=0.9) for q in asked],
        "vectors": [library.nearest(vectors[q], FIRST) for q in asked],
    }
    hits = [searcher.search(q, FIRST, Filters(), CancelToken()) for q in asked]
    stages: dict[str, Callable[[str], object]] = {
        "findSupport": lambda q: searcher.search(q, 8, Filters(), CancelToken()),
        "BM25 over passages, 10": lambda q: library.lexical(terms[q], 10),
        "BM25 over passages, 500": lambda q: library.lexical(terms[q], 500),
        "BM25 over documents, 1,000": lambda q: library.lexical_documents(terms[q], 1000, k1=2.0, b=0.9),
        "nearest vectors, 500": lambda q: library.nearest(vectors[q], 500),
    }
    return {
        "load_s": round(loaded, 1),
        "ready_s": round(ready, 1),
        "loaded_mb": pss,
        "counts": library.status.counts(),
        "stages": {name: spread(run, asked[:TIMED]) for name, run in stages.items()},
        "memory_mb": memory("Pss"),
        "engine_mb": _children_memory(),
        "first": {
            name: [(ids.tolist(), scores.tolist()) for ids, scores in found] for name, found in first.items()
        }
        | {"findSupport": [([h.authority.id for h in each], [h.score for h in each]) for each in hits]},
    }


def count_equal(ours: list[Any], theirs: list[Any]) -> int:
    """In how many answers the same stand in the same places, equal scores aside."""
    return sum(
        all(
            # Of what has the last one's score others may be left out.
            a == b
            or sum(abs(other - score) <= 1e-6 * abs(score) for other in (*second[1], second[1][-1])) > 1
            for a, b, score in zip(first[0], second[0], second[1], strict=True)
        )
        if len(first[0]) == len(second[0])
        else False
        for first, second in zip(ours, theirs, strict=True)
    )


def _children_memory() -> int:
    """Megabytes at most of the processes that this one started: milvus-lite's where it opened a path."""
    found = 0
    for process in descendants(os.getpid())[1:]:
        with contextlib.suppress(OSError, StopIteration):
            if b"milvus" in Path(f"/proc/{process}/cmdline").read_bytes():
                found += _peak(Path(f"/proc/{process}"))
    return found


def _peak(process: Path) -> int:
    lines = (process / "status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))


def run_apart(*arguments: str) -> dict[str, Any]:
    """What a measurement in a process of its own found."""
    done = subprocess.run(
        [sys.executable, __file__, *arguments], stdout=subprocess.PIPE, check=True, cwd=HERE.parent
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _server_memory(folder: Path) -> int:
    """Megabytes of the process that serves from ``folder``, 0 if none does here."""
    for each in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, StopIteration):
            if str(folder).encode() in (each / "cmdline").read_bytes() and int(each.name) != os.getpid():
                return _peak(each)
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--url", default="")
    parser.add_argument("--token-env", default="")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--part", choices=["mirror", "reader"])
    given = parser.parse_args()
    if given.part == "mirror":
        print(json.dumps(measure_mirror(given.index, given.url, given.token_env)))
        return
    if given.part == "reader":
        print(json.dumps(measure_reader(given.index, given.url, given.token_env, given.count)))
        return
    busy = load()
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        index = folder / "index.sqlite3"
        shutil.copy(given.index, index)
        url, server = given.url, folder / "server"
        if not url:
            from milvus_server import serve_milvus

            server.mkdir()
            url = stack.enter_context(serve_milvus(server)).url
        how = ["--index", str(index), "--count", str(given.count), "--token-env", given.token_env]
        made = run_apart(*how, "--url", url, "--part", "mirror")
        ours = run_apart(*how, "--url", url, "--part", "reader")
        theirs = run_apart(*how, "--part", "reader")
        made["server_mb"] = max(_server_memory(server), made["engine_mb"], ours["engine_mb"])
        opened = [Path(url)] if url.endswith(LOCAL) else server.rglob("*")
        made["server_disk_mb"] = sum(f.stat().st_size for f in opened if f.is_file()) // 10**6
        made["index_mb"] = index.stat().st_size // 10**6
        remove_collections({index}, MilvusAddress(url, given.token_env))
    firsts = [(n, count_equal(ours["first"][n], theirs["first"][n])) for n in ours["first"]]
    documents, passages, vectors = theirs["counts"]
    where = "" if given.url else "milvus-lite as a server on this machine. "
    lines = [
        f"{where}{documents:,} documents, {passages:,} passages, {vectors:,} with a vector. "
        f"Put there in {made['mirror_s']} s ({made['mirror_cpu_s']} s of the mirror's processor time, "
        f"{made['peak_mb']} MB at most); looking for news where there is none: {made['nothing_new_ms']} ms. "
        f"On disk: index {made['index_mb']} MB, the mirror's counts {made['beside_mb']} MB, the server "
        f"{made['server_disk_mb']} MB; the server's memory {made['server_mb']} MB at most. "
        f"Load when it began: {busy:.1f}.\n",
        f"First ten equal on {given.count} questions, equal scores aside: "
        + ", ".join(f"{name} {equal}" for name, equal in firsts)
        + ".\n",
        "Opened in, first searches after, memory opened, after all: "
        + "; ".join(
            f"{name} {each['load_s']} s, {each['ready_s']} s, {each['loaded_mb']} MB, {each['memory_mb']} MB"
            for name, each in (("memory", theirs), ("Milvus", ours))
        )
        + ".\n",
        table(
            ["ms", "memory p50", "memory p95", "Milvus p50", "Milvus p95", "of that CPU here, p50"],
            [
                [
                    s,
                    theirs["stages"][s]["p50"],
                    theirs["stages"][s]["p95"],
                    found["p50"],
                    found["p95"],
                    found["cpu_p50"],
                ]
                for s, found in ours["stages"].items()
            ],
        ),
    ]
    print("\n".join([machine() + "\n", *lines]))
    if given.write:
        address = f" --url {given.url}" if given.url else ""
        command = f"    python benchmarks/bench_milvus.py --index {given.index.name}{address}\n"
        write_results(f"Milvus: {passages:,} passages", [command, *lines])


if __name__ == "__main__":
    main()
