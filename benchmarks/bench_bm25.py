"""IncrementalBM25 against rank_bm25 on synthetic passages with a Zipf vocabulary.

    python benchmarks/bench_bm25.py --passages 100000 > bm25.json

Prints JSON; a Markdown row goes to the standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from rank_bm25 import BM25Okapi

from lexls.index.bm25 import IncrementalBM25
from lexls.index.postings import DocumentPostings

VOCABULARY = 200_000
PASSAGES_A_DOCUMENT = 100


def array_bytes(value: object, seen: set[int]) -> int:
    """The memory, in bytes, of the arrays that an object holds; each once."""
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return value.nbytes
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    slots = (getattr(value, name, None) for name in getattr(type(value), "__slots__", ()))
    return sum(array_bytes(each, seen) for each in (*held, *slots, *getattr(value, "__dict__", {}).values()))


def passages(count: int, length: int, seed: int) -> list[np.ndarray]:
    """Term numbers of each passage, drawn by Zipf's law (exponent 1) with lengths around ``length``."""
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, VOCABULARY + 1)
    cumulative = np.cumsum(weights / weights.sum())
    lengths = random.integers(length // 2, length * 3 // 2, count)
    terms = np.searchsorted(cumulative, random.random(int(lengths.sum()))).astype(np.int32)
    return np.split(np.minimum(terms, VOCABULARY - 1), np.cumsum(lengths)[:-1])


def document(number: int, texts: list[np.ndarray]) -> DocumentPostings:
    counted = [np.unique(text, return_counts=True) for text in texts]
    return DocumentPostings(
        number,
        np.arange(number * PASSAGES_A_DOCUMENT, number * PASSAGES_A_DOCUMENT + len(texts)),
        np.cumsum([0] + [len(terms) for terms, _ in counted]),
        np.concatenate([terms for terms, _ in counted]).astype(np.int32),
        np.concatenate([counts for _, counts in counted]).astype(np.uint16),
    )


def milliseconds(run: Callable[[], object], times: int) -> list[float]:
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        run()
        spent.append((time.perf_counter() - started) * 1000)
    return spent


def main() -> int:
    parser = argparse.ArgumentParser(description="IncrementalBM25 against rank_bm25")
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--length", type=int, default=120, help="terms of a passage")
    parser.add_argument("--query-terms", type=int, default=60)
    parser.add_argument("--without-rank-bm25", action="store_true", help="leave the comparison out")
    options = parser.parse_args()
    texts = passages(options.passages, options.length, seed=1)
    documents = [
        document(number, texts[start : start + PASSAGES_A_DOCUMENT])
        for number, start in enumerate(range(0, len(texts), PASSAGES_A_DOCUMENT))
    ]
    terms = {str(number): number for number in range(VOCABULARY)}
    started = time.perf_counter()
    index = IncrementalBM25(terms=terms)
    index.add_documents(documents)
    build_seconds = time.perf_counter() - started
    # A query like a passage: the distinct terms of texts drawn by the same law.
    drawn = np.concatenate(passages(20, options.length, seed=2))
    queries = []
    for start in range(10):
        distinct = list(dict.fromkeys(drawn[start * 150 :].tolist()))[: options.query_terms]
        queries.append([str(term) for term in distinct])
    index.top(index.numbers(queries[0]), 10)
    query_ms = [
        ms for query in queries for ms in milliseconds(lambda q=query: index.top(index.numbers(q), 10), 5)
    ]
    extra = document(len(documents), passages(PASSAGES_A_DOCUMENT, options.length, seed=3))
    add_ms, first_query_ms, remove_ms = [], [], []
    for _ in range(9):
        add_ms += milliseconds(lambda: index.add_document(extra), 1)
        first_query_ms += milliseconds(lambda: index.top(index.numbers(queries[0]), 10), 1)
        remove_ms += milliseconds(lambda: index.remove_document(extra.document), 1)
        index.top(index.numbers(queries[0]), 10)
    remove_old_ms = milliseconds(lambda: index.remove_document(documents[len(documents) // 2].document), 1)
    index.add_document(documents[len(documents) // 2])
    compact_ms = milliseconds(index.compact, 1)
    result: dict[str, object] = {
        "machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores",
        "passages": options.passages,
        "postings": sum(len(each.terms) for each in documents),
        "query_terms": options.query_terms,
        "build_seconds": round(build_seconds, 3),
        "query_ms_p50": round(statistics.median(query_ms), 2),
        "query_ms_p95": round(sorted(query_ms)[int(len(query_ms) * 0.95)], 2),
        "documents_query_ms_p50": round(
            statistics.median(milliseconds(lambda: index.top_documents(index.numbers(queries[0]), 10), 5)), 2
        ),
        "add_ms_p50": round(statistics.median(add_ms), 2),
        "query_after_change_ms_p50": round(statistics.median(first_query_ms), 2),
        "remove_ms_p50": round(statistics.median(remove_ms), 2),
        "remove_from_the_large_segment_ms": round(remove_old_ms[0], 2),
        "compact_ms": round(compact_ms[0], 1),
        "megabytes": round(array_bytes(index, set()) / 1e6, 1),
    }
    if not options.without_rank_bm25:
        index = IncrementalBM25(terms=terms)
        index.add_documents(documents)
        theirs = BM25Okapi([[str(term) for term in text.tolist()] for text in texts])
        compared = queries[:3]
        their_ms = []
        differences = []
        for query in compared:
            started = time.perf_counter()
            expected = theirs.get_scores(query)
            their_ms.append((time.perf_counter() - started) * 1000)
            scores = index.get_scores(query)
            differences.append(float(np.max(np.abs(scores - expected) / np.maximum(np.abs(expected), 1e-9))))
        result["rank_bm25_query_ms_p50"] = round(statistics.median(their_ms), 1)
        result["times_faster"] = round(statistics.median(their_ms) / statistics.median(query_ms), 1)
        result["largest_relative_difference"] = max(differences)
    print(json.dumps(result, indent=2))
    cells = [str(result.get(key, "")) for key in ROW]
    print(f"| {' | '.join(ROW)} |\n|{' --- |' * len(ROW)}\n| {' | '.join(cells)} |", file=sys.stderr)
    return 0


ROW = (
    "passages",
    "postings",
    "query_ms_p50",
    "rank_bm25_query_ms_p50",
    "times_faster",
    "largest_relative_difference",
    "add_ms_p50",
    "remove_from_the_large_segment_ms",
    "build_seconds",
    "megabytes",
)


if __name__ == "__main__":
    sys.exit(main())
