"""Measure sqlite-vec's own KNN beside the search of vectors in memory: time, recall, memory.

    python benchmarks/bench_vectors.py --vectors 10000 100000

Vectors have 384 components and lie in clusters, as embeddings do; questions lie near some of them.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from measuring import Spread, as_row, table
from numpy.typing import NDArray

from lexls.index.connection import load_vector_extension, migrate, open_writer
from lexls.index.matrix import VectorMatrix
from lexls.index.vectors import VectorStore

DIMENSION = 384
QUESTIONS = 50
K = 50
PART = 10_000


def draw(count: int, seed: int) -> NDArray[np.float32]:
    """Vectors of unit length around a few hundred centres."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(0).standard_normal((300, DIMENSION)).astype(np.float32)
    rows = centres[rng.integers(0, len(centres), count)]
    rows = rows + rng.standard_normal((count, DIMENSION), dtype=np.float32)
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def measure(way: str, count: int) -> None:
    """Search in one way in this process, and print its row of the table."""
    questions = draw(QUESTIONS, 2)
    vectors = draw(count, 1)
    wanted = [set(np.argpartition(-(vectors @ each), K)[:K].tolist()) for each in questions]
    with tempfile.TemporaryDirectory() as folder:
        connection = open_writer(Path(folder) / "vectors.sqlite3")
        migrate(connection)
        store = VectorStore(connection, load_vector_extension(connection))
        with connection:
            store.create(DIMENSION)
        for first in range(0, count, PART):
            with connection:
                store.add(range(first, min(first + PART, count)), vectors[first : first + PART])
        del vectors
        before = _resident()
        if way == "vec0":

            def search(question: NDArray[np.float32]) -> set[int]:
                rows = connection.execute(
                    "SELECT rowid FROM vec_passages WHERE embedding MATCH ? AND k = ?",
                    (question.tobytes(), K),
                )
                return {int(row[0]) for row in rows}
        else:
            matrix = VectorMatrix(DIMENSION)
            matrix.reserve(count)
            for ids, part in store.parts():
                matrix.put(ids, np.ones(len(ids), np.int64), part)

            def search(question: NDArray[np.float32]) -> set[int]:
                return set(matrix.nearest(question, K)[0].tolist())

        spent, recall = [], 0.0
        for question, expected in zip(questions, wanted, strict=True):
            started = time.perf_counter()
            found = search(question)
            spent.append((time.perf_counter() - started) * 1000)
            recall += len(found & expected) / K / len(questions)
        row = [f"{count:,}", way, *as_row(Spread.of(spent).data(2)), f"{recall:.3f}"]
        print("|".join([*row, f"{(_resident() - before) / 2**20:.0f} MB"]))
        connection.close()


def _resident() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--vectors", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--way", choices=["vec0", "NumPy"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.way:
        measure(options.way, options.vectors[0])
        return 0
    rows = []
    for count in options.vectors:
        for way in ("vec0", "NumPy"):
            command = [sys.executable, __file__, "--way", way, "--vectors", str(count)]
            run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            rows.append(run.stdout.strip().split("|"))
    print(table(["vectors", "way", "p50 ms", "p95 ms", "max ms", f"recall@{K}", "memory"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
