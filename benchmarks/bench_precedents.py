"""What precedents find, cost and hold: ``bench_precedents.py INDEX SUPPORT.jsonl``.

INDEX is the index of a library with vectors (``lexls index LIBRARY --index INDEX``), SUPPORT.jsonl holds
citing sentences: lines with text, citing (the citing file) and gold (the files cited). The citing document
neither speaks nor answers. Printed are recall@10, recall@100 and MRR of the authorities as precedents alone
rank them, for each mode, and milliseconds of matching one sentence without its embedding.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from lexls.citations.grammar import Grammar
from lexls.index.embedding import open_embedder
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.precedents import CaseWeights, MatchedPrecedents, PrecedentMatch, rank_authorities
from lexls.retrieval.query import Query, build_query
from lexls.text.cancel import CancelToken

Asked = tuple[Query, np.ndarray, frozenset[int], set[int]]
"""A query, its vector, the documents that speak and answer, and the authorities that were cited."""


def asked(library: Library, path: Path) -> list[Asked]:
    """The benchmark's questions."""
    grammar, tokenizer = Grammar.load(), Tokenizer()
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    queries = [build_query(row["text"], tokenizer, grammar.find(row["text"])) for row in rows]
    vectors = open_embedder().encode([query.text for query in queries])
    ids = {authority.relative: authority.id for authority in library.catalogue.all()}
    everyone = frozenset(ids.values())
    return [
        (query, vector, everyone - {ids[row["citing"]]}, {ids[name] for name in row["gold"]})
        for row, query, vector in zip(rows, queries, vectors, strict=True)
    ]


def matched(library: Library, each: Asked, options: CaseWeights, *, vectors: bool) -> list[PrecedentMatch]:
    """The 200 best precedents for one question."""
    query, vector, others, _ = each
    token = CancelToken()
    matched = MatchedPrecedents(library, query.terms, vector if vectors else None, others, token)
    return matched.rank(200, options, others, token)


def best_match(matches: Sequence[PrecedentMatch]) -> list[int]:
    """The authorities by their best match alone."""
    return list(dict.fromkeys(match.authority for match in matches))


def by_rank(matches: Sequence[PrecedentMatch]) -> list[int]:
    """The authorities as lexls ranks them."""
    return [authority for authority, _ in rank_authorities(matches)]


def report(
    name: str,
    library: Library,
    questions: Sequence[Asked],
    options: CaseWeights,
    rank: Callable[[Sequence[PrecedentMatch]], list[int]],
    *,
    vectors: bool = True,
) -> None:
    """Print one row."""
    ranks, times = [], []
    for each in questions:
        start = time.perf_counter()
        found = rank(matched(library, each, options, vectors=vectors))
        times.append(time.perf_counter() - start)
        ranks.append(next((place for place, one in enumerate(found, 1) if one in each[3]), 0))
    count = len(ranks)
    print(
        f"| {name} | {sum(0 < rank <= 10 for rank in ranks) / count:.3f} "
        f"| {sum(0 < rank <= 100 for rank in ranks) / count:.3f} "
        f"| {sum(1 / rank for rank in ranks if rank) / count:.3f} "
        f"| {1000 * statistics.median(times):.1f} | {1000 * sorted(times)[int(0.95 * count)]:.1f} |",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("support", type=Path)
    options = parser.parse_args()
    library = Library(options.index)
    start = time.perf_counter()
    citing, _ = library.precedents.find_citing([each.id for each in library.catalogue.all()])
    count = len(set(citing.tolist()))
    print(
        f"{count} precedents cite an authority of the library (ready in {time.perf_counter() - start:.2f} s)"
    )
    questions = asked(library, options.support)
    report("(warming)", library, questions[:20], CaseWeights(), by_rank)
    print("| ranking | recall@10 | recall@100 | MRR | ms | ms (95th) |\n|---|---|---|---|---|---|")
    report("words alone", library, questions, CaseWeights(), by_rank, vectors=False)
    report("hybrid, as ranked", library, questions, CaseWeights(), by_rank)
    report("hybrid, best match", library, questions, CaseWeights(), best_match)
    report("question only", library, questions, CaseWeights("question"), best_match)
    report("support only", library, questions, CaseWeights("support"), best_match)
    report("entities only", library, questions, CaseWeights("entities"), best_match)
    library.close()


if __name__ == "__main__":
    main()
