"""Search in large libraries: latency, memory and index size, beside what one would otherwise use.

    python benchmarks/bench_scale.py --from us.sqlite3 --from in.sqlite3 --folder FOLDER --write

The libraries are recombined from the small indexes named (see ``large_library``; without one, words are drawn
by Zipf's law), kept in FOLDER and used again. Queries are the sentences of a benchmark file, or of the made
library. Each measurement is a process of its own, one after the other.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from measuring import Spread, load, percentile, table, write_results

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE.parent.parent / "shared" / "benchmarks" / "support_us.dev.jsonl"
RESULTS = 8
DEPTH = 100
ROUNDS = 2
"""Every query is asked so often; the first round, in which caches are cold, is reported by itself."""


def memory(kind: str) -> int:
    """Megabytes of this process: "Pss" now, or "VmHWM", the most it ever had; 0 where there is no /proc."""
    file = "/proc/self/smaps_rollup" if kind == "Pss" else "/proc/self/status"
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith(f"{kind}:"))


def questions(path: Path, index: Path, count: int) -> list[str]:
    """Sentences to search for: of a benchmark file, else the beginnings of passages of the library."""
    if path.exists():
        lines = path.read_text(encoding="utf-8").splitlines()
        found = [str(json.loads(line)["text"]) for line in lines]
        return found[:: max(1, len(found) // count)][:count]
    from lexls.index.library import Library

    library = Library(index)
    _, passages, _ = library.status.counts()
    records = library.contents.passage_records(range(1, passages, max(1, passages // count)))
    library.close()
    return [record.text[:200] for record in records][:count]


def spread(run: Callable[[str], object], queries: Sequence[str]) -> dict[str, Any]:
    """Milliseconds of each query; the processor time of this thread beside it, since cores may be shared."""
    rounds = []
    for _ in range(ROUNDS):
        elapsed, used = [], []
        for query in queries:
            started, cpu = time.perf_counter(), time.process_time()
            run(query)
            elapsed.append((time.perf_counter() - started) * 1000)
            used.append((time.process_time() - cpu) * 1000)
        rounds.append((elapsed, used))
    return {
        **Spread.of(rounds[-1][0]).data(),
        "first_p95": round(percentile(rounds[0][0], 0.95), 1),
        "cpu_p50": round(percentile(rounds[-1][1], 0.5), 1),
        "cpu_p95": round(percentile(rounds[-1][1], 0.95), 1),
    }


# -- what is measured, each in a process of its own ---------------------------------------------------------


def measure_lexls(index: Path, queries: Sequence[str]) -> dict[str, Any]:
    from lexls.index.embedding import open_embedder
    from lexls.index.library import Library
    from lexls.retrieval.model import Filters
    from lexls.retrieval.ranking import Ranking
    from lexls.retrieval.search import Searcher
    from lexls.text.cancel import CancelToken

    started, cpu = time.perf_counter(), time.process_time()
    library = Library(index)
    answer: dict[str, Any] = {
        "load_s": round(time.perf_counter() - started, 1),
        "load_cpu_s": round(time.process_time() - cpu, 1),
        "load_peak_mb": memory("VmHWM"),
        "loaded_mb": memory("Pss"),
        "counts": library.status.counts(),
        "disk_mb": index.stat().st_size // 10**6,
    }
    embedder = open_embedder()
    vectors = {query: embedder.encode([query])[0] for query in queries}
    plain = Ranking().without("rerank")
    searchers = {
        "findSupport": Searcher(library, lambda: embedder),
        "findSupport without reranking": Searcher(library, lambda: embedder, plain),
    }
    one = searchers["findSupport"]
    terms = {query: one.query(query).terms for query in queries}
    best = {query: library.lexical(terms[query], 200)[0].tolist() for query in queries}
    stages: dict[str, Callable[[str], object]] = {
        name: lambda q, s=searcher: s.search(q, RESULTS, Filters(), CancelToken())  # type: ignore[misc]
        for name, searcher in searchers.items()
    }
    stages |= {
        "BM25 over passages, 500": lambda q: library.lexical(terms[q], 500),
        "BM25 over documents, 1,000": lambda q: library.lexical_documents(terms[q], 1000, k1=2.0, b=0.9),
        "nearest vectors, 500": lambda q: library.nearest(vectors[q], 500),
        "vector of the query": lambda q: embedder.encode([q]),
        "cited in 200 passages": lambda q: library.graph.find_cited_in(best[q]),
        "text of 8 passages": lambda q: library.contents.passage_records(best[q][:8]),
    }
    answer["stages"] = {name: spread(run, queries) for name, run in stages.items()}
    answer["recall"] = recall(library, index, list(vectors.values()))
    answer["memory_mb"] = memory("Pss")
    return answer


def recall(library: Any, index: Path, vectors: Sequence[Any]) -> float:
    """The part of the ten nearest passages, by all vectors in full, that are the first ten of ``nearest``."""
    import numpy as np

    from lexls.index.connection import has_vector_extension, load_vector_extension, open_reader
    from lexls.index.vectors import VectorStore

    connection = open_reader(index)
    load_vector_extension(connection)
    queries = np.array(vectors)
    best: list[list[tuple[float, int]]] = [[] for _ in vectors]
    for ids, matrix in VectorStore(connection, has_vector_extension(connection)).parts():
        similarity = matrix @ queries.T
        for number, row in enumerate(similarity.T):
            first = np.argsort(-row)[:10]
            found = zip(row[first].tolist(), ids[first].tolist(), strict=True)
            best[number] = sorted([*best[number], *found], reverse=True)[:10]
    connection.close()
    hits = [
        len({passage for _, passage in exact} & set(library.nearest(vector, 500)[0][:10].tolist()))
        for exact, vector in zip(best, vectors, strict=True)
    ]
    return sum(hits) / (10 * len(hits))


def _corpus(index: Path) -> tuple[Any, Any]:
    """The postings of the made library as (term, passage, frequency) by passage, and its terms."""
    import numpy as np

    from lexls.index.arrays import read_postings
    from lexls.index.connection import open_reader, select

    connection = open_reader(index)
    terms = dict(select(connection, "SELECT id, term FROM terms"))
    passages = [
        np.repeat(document.terms[start:end], document.frequencies[start:end])
        for document in read_postings(connection, "postings")
        for start, end in zip(document.offsets[:-1].tolist(), document.offsets[1:].tolist(), strict=True)
    ]
    connection.close()
    return passages, terms


def measure_rank_bm25(index: Path, queries: Sequence[str]) -> dict[str, Any]:
    import numpy as np
    from rank_bm25 import BM25Okapi

    from lexls.index.tokens import Tokenizer

    passages, terms = _corpus(index)
    started = time.perf_counter()
    bm25 = BM25Okapi([[terms[number] for number in passage.tolist()] for passage in passages])
    built = time.perf_counter() - started
    tokenizer = Tokenizer()

    def run(query: str) -> None:
        scores = bm25.get_scores(list(dict.fromkeys(tokenizer.tokenize(query))))
        np.argsort(-scores)[:DEPTH]

    return {"build_s": round(built, 1), "query": spread(run, queries[:10]), "memory_mb": memory("Pss")}


def measure_brute_force(index: Path, queries: Sequence[str]) -> dict[str, Any]:
    import numpy as np

    from lexls.index.connection import has_vector_extension, load_vector_extension, open_reader
    from lexls.index.embedding import open_embedder
    from lexls.index.vectors import VectorStore

    connection = open_reader(index)
    load_vector_extension(connection)
    started = time.perf_counter()
    parts = VectorStore(connection, has_vector_extension(connection)).parts()
    matrix = np.concatenate([each for _, each in parts])
    loaded = time.perf_counter() - started
    embedder = open_embedder()
    vectors = {query: embedder.encode([query])[0] for query in queries}

    def run(query: str) -> None:
        similarity = matrix @ vectors[query]
        np.argpartition(-similarity, DEPTH)[:DEPTH]

    return {"build_s": round(loaded, 1), "query": spread(run, queries), "memory_mb": memory("Pss")}


def measure_fts5(index: Path, queries: Sequence[str]) -> dict[str, Any]:
    import apsw

    from lexls.index.connection import open_reader, select
    from lexls.index.tokens import Tokenizer

    file = index.with_name(index.name + "-fts5")
    file.unlink(missing_ok=True)
    connection = apsw.Connection(str(file))
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("CREATE VIRTUAL TABLE p USING fts5(text, content='', tokenize='porter unicode61')")
    reader = open_reader(index)
    started = time.perf_counter()
    with connection:
        connection.executemany(
            "INSERT INTO p (rowid, text) VALUES (?, ?)",
            select(
                reader,
                """SELECT p.id, substr(t.text, p."start" + 1, p."end" - p."start")
                   FROM passages AS p JOIN texts AS t USING (document) ORDER BY p.id""",
            ),
        )
    built = time.perf_counter() - started
    tokenizer = Tokenizer()

    def run(query: str) -> None:
        words = dict.fromkeys(word for word in tokenizer.tokenize(query) if word.isalnum())
        expression = " OR ".join(f'"{word}"' for word in words)
        list(connection.execute("SELECT rowid FROM p(?) ORDER BY bm25(p) LIMIT ?", (expression, DEPTH)))

    answer = {
        "build_s": round(built, 1),
        "query": spread(run, queries[:20]),
        "memory_mb": memory("Pss"),
        "disk_mb": file.stat().st_size // 10**6,
    }
    connection.close()
    file.unlink()
    return answer


def measure_bm25s(index: Path, queries: Sequence[str]) -> dict[str, Any]:
    import bm25s
    from bm25s.tokenization import Tokenized

    from lexls.index.tokens import Tokenizer

    passages, terms = _corpus(index)
    started = time.perf_counter()
    numbers = {term: number - 1 for number, term in terms.items()}  # it wants them from 0
    retriever = bm25s.BM25(method="robertson", k1=1.5, b=0.75)
    corpus = Tokenized(ids=[(passage - 1).tolist() for passage in passages], vocab=numbers)
    del passages
    retriever.index(corpus, show_progress=False)
    del corpus
    built = time.perf_counter() - started
    tokenizer = Tokenizer()

    def run(query: str) -> None:
        words = [word for word in dict.fromkeys(tokenizer.tokenize(query)) if word in numbers]
        retriever.retrieve([words], k=DEPTH, show_progress=False)

    return {"build_s": round(built, 1), "query": spread(run, queries), "memory_mb": memory("Pss")}


MEASURES: dict[str, Callable[[Path, Sequence[str]], dict[str, Any]]] = {
    "lexls": measure_lexls,
    "brute force": measure_brute_force,
    "fts5": measure_fts5,
    "bm25s": measure_bm25s,
    "rank_bm25": measure_rank_bm25,
}
LARGEST = {"rank_bm25": 200_000}
"""So many passages at most: rank_bm25 keeps a dictionary for each, 15 GB or so for a million."""
NAMES = {
    "brute force": "NumPy, all vectors in float32, exact",
    "fts5": "SQLite FTS5 (porter)",
    "bm25s": "bm25s",
    "rank_bm25": "rank_bm25",
}


# -- the whole ----------------------------------------------------------------------------------------------


def apart(name: str, index: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """One measurement in a process of its own; what went wrong where it fails."""
    command = [sys.executable, __file__, "--measure", name, "--index", str(index)]
    command += ["--queries", str(arguments.queries), "--questions", str(arguments.questions)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, timeout=arguments.timeout
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"not done after {arguments.timeout} s"}
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1]}
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


LEXLS_BM25 = "BM25 over passages, 500"
"""The stage beside which other software is measured."""
STAGE_KEYS = ("p50", "p95", "first_p95", "cpu_p50", "cpu_p95")


def report(
    found: dict[int, dict[str, dict[str, Any]]], command: str, loads: tuple[float, float]
) -> list[str]:
    """The parts of the results page."""
    about, rows = [], dict[str, list[list[object]]]()
    for size, measured in found.items():
        lexls = measured.get("lexls", {})
        if "stages" in lexls:
            documents, passages, vectors = lexls["counts"]
            about.append(
                f"{size:,}: {documents:,} documents, {passages:,} passages, {vectors:,} with a vector. "
                f"Index file: {lexls['disk_mb']:,} MB. Loaded in {lexls['load_s']} s ({lexls['load_cpu_s']} "
                f"s of processor time). Memory (PSS): {lexls['loaded_mb']:,} MB loaded, "
                f"{lexls['load_peak_mb']:,} MB at most meanwhile, {lexls['memory_mb']:,} MB after all "
                f"searches, embedder included. Of the ten nearest passages {lexls['recall']:.1%} are among "
                "the first ten found.\n"
            )
            for name, each in lexls["stages"].items():
                whole = (lexls["load_s"], lexls["loaded_mb"]) if name == LEXLS_BM25 else ("", "")
                rows.setdefault(name, []).append([*(each[key] for key in STAGE_KEYS), *whole])
        for key, name in NAMES.items():
            each = measured.get(key, {})
            if "query" in each:
                query = {"first_p95": "", **each["query"]}
                cells = [*(query[key] for key in STAGE_KEYS), each["build_s"], each["memory_mb"]]
                rows.setdefault(name, []).append(cells)
            elif "failed" in each:
                rows.setdefault(name, []).append([each["failed"], *["–"] * 6])
    head = ["p50", "p95", "first p95", "CPU p50", "CPU p95", "built or loaded, s", "memory, MB"]
    joined = (
        [name, *("; ".join(str(cell) for cell in cells if cell != "") for cells in zip(*each, strict=True))]
        for name, each in rows.items()
    )
    sizes = "; ".join(f"{size:,}" for size in found)
    return [
        f"    {command}\n",
        "Search in libraries recombined from the sentences of real ones (`benchmarks/large_library.py`); "
        "they have no precedents. Milliseconds; each query is asked twice: p50 and p95 are of the second "
        f"round, *first* is the p95 of the first. Load average before and after: {loads[0]:.1f} and "
        f"{loads[1]:.1f}.\n",
        *about,
        table([f"{sizes} passages", *head], joined),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Search in large libraries")
    parser.add_argument("--from", dest="sources", type=Path, action="append", default=[], metavar="INDEX")
    parser.add_argument("--folder", type=Path, help="where the made indexes are kept")
    parser.add_argument("--sizes", type=int, nargs="+", default=[50_000, 1_000_000], metavar="PASSAGES")
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--only", nargs="+", choices=[*MEASURES], default=[*MEASURES])
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one measurement")
    parser.add_argument("--write", action="store_true", help="write its section of RESULTS.md")
    parser.add_argument("--measure", choices=[*MEASURES], help=argparse.SUPPRESS)
    parser.add_argument("--index", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        queries = questions(arguments.questions, arguments.index, arguments.queries)
        print(json.dumps(MEASURES[arguments.measure](arguments.index, queries)))
        return 0
    if arguments.folder is None:
        parser.error("--folder is needed")
    before = load()
    found: dict[int, dict[str, dict[str, Any]]] = {}
    for size in arguments.sizes:
        index = arguments.folder / f"large-{size}.sqlite3"
        if not index.exists():
            from large_library import make, originals

            from lexls.index.embedding import open_embedder

            make(index, originals(arguments.sources), size, open_embedder().name)
        for name in arguments.only:
            measured = found.setdefault(size, {})
            if size > LARGEST.get(name, size):
                measured[name] = {"failed": "not run: its memory"}
            else:
                measured[name] = apart(name, index, arguments)
            print(size, name, json.dumps(found[size][name]), flush=True)
    if arguments.write:
        sources = " ".join(f"--from {path.name}" for path in arguments.sources)
        command = f"python benchmarks/bench_scale.py {sources} --folder FOLDER --write"
        write_results("Scale", report(found, command, (before, load())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
