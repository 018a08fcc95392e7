"""Quality and speed of the fp32 and the int8 graph of all-MiniLM-L6-v2 on law.

Quality: sentences that cite an authority (``support_us``) are looked for among the passages of a fixed
sample of opinions, by cosine alone, best passage a document, the citing document left out. The sample holds
every gold document of the queries and is filled with others in the order of a hash of their names. Passages
are cut naively at 1,100 characters, about what the model reads.

    python benchmarks/bench_embedding.py --shared ../shared --queries 120 --documents 300 > embedding.json
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import sys
import time
from pathlib import Path

import numpy as np

from lexls.index.embedding import MINILM, open_embedder

CHARACTERS = 1_100


def sample(shared: Path, queries: int, documents: int) -> tuple[list[dict[str, object]], dict[str, str]]:
    """The first ``queries`` lines by a hash of their ids, and the sampled opinions by file name."""
    lines = (shared / "benchmarks" / "support_us.dev.jsonl").read_text("utf-8").splitlines()
    asked = sorted((json.loads(line) for line in lines), key=lambda line: _digest(str(line["id"])))[:queries]
    folder = shared / "data" / "us-cases"
    names = {name for line in asked for name in line["gold"] if (folder / name).is_file()}
    for path in sorted(folder.glob("*.md"), key=lambda path: _digest(path.name)):
        if len(names) >= documents:
            break
        names.add(path.name)
    return asked, {name: (folder / name).read_text("utf-8") for name in sorted(names)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def measure(
    name: str, cache: Path | None, asked: list[dict[str, object]], texts: list[str], owners: list[str]
) -> dict[str, object]:
    started = time.perf_counter()
    embedder = open_embedder(name, cache)
    opened = time.perf_counter() - started
    wall, cpu = time.perf_counter(), time.process_time()
    vectors = embedder.encode(texts)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    query_ms = []
    rows = []
    for line in asked:
        started = time.perf_counter()
        rows.append(embedder.encode([str(line["text"])])[0])
        query_ms.append((time.perf_counter() - started) * 1000)
    similarity = np.asarray(rows) @ vectors.T
    hits = {1: 0, 5: 0, 10: 0}
    reciprocal = 0.0
    tops = []
    for line, row in zip(asked, similarity, strict=True):
        ranking: list[str] = []
        for index in np.argsort(-row, kind="stable"):
            if owners[index] != line["citing"] and owners[index] not in ranking:
                ranking.append(owners[index])
                if len(ranking) == 100:
                    break
        gold = line["gold"]
        rank = next((i for i, owner in enumerate(ranking, 1) if owner in gold), 0)
        reciprocal += 1 / rank if rank else 0.0
        for cutoff in hits:
            hits[cutoff] += bool(rank and rank <= cutoff)
        tops.append(ranking[:10])
    return {
        "model": embedder.name,
        "open_seconds": round(opened, 3),
        "passages_per_second": round(len(texts) / wall, 1),
        "cpu_ms_per_passage": round(cpu / len(texts) * 1000, 1),
        "query_ms_p50": round(float(np.median(query_ms)), 2),
        **{f"recall@{cutoff}": round(count / len(asked), 4) for cutoff, count in hits.items()},
        "mrr": round(reciprocal / len(asked), 4),
        "tops": tops,
        "vectors": vectors,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=120)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--cache", type=Path, help="folder of built models (default: the user's cache)")
    options = parser.parse_args()
    asked, opinions = sample(options.shared, options.queries, options.documents)
    owners, texts = [], []
    for name, text in opinions.items():
        for start in range(0, len(text), CHARACTERS):
            owners.append(name)
            texts.append(text[start : start + CHARACTERS])
    results = []
    for precision in ("int8", "fp32"):
        print(f"{precision}: {len(texts)} passages", file=sys.stderr, flush=True)
        results.append(measure(f"{MINILM}:{precision}", options.cache, asked, texts, owners))
    vectors = [result.pop("vectors") for result in results]
    tops = [result.pop("tops") for result in results]
    cosines = np.sum(vectors[0] * vectors[1], axis=1)
    agreement = float(np.mean([len(set(a) & set(b)) / 10 for a, b in zip(*tops, strict=True)]))
    print(
        json.dumps(
            {
                "machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores",
                "queries": len(asked),
                "documents": len(opinions),
                "passages": len(texts),
                "models": results,
                "cosine_int8_fp32": {"mean": float(cosines.mean()), "least": float(cosines.min())},
                "top10_agreement": round(agreement, 4),
            },
            indent=2,
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
