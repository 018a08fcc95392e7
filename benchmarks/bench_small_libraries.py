"""What citations should count in the learned order of a library as small as one brief needs.

    python benchmarks/bench_small_libraries.py us.sqlite3 ../shared/benchmarks/support_us.dev.jsonl

Each question is asked of the documents most like the one that it is taken from, of half as many by lot, and
of what is cited there, by words alone. Prints the mean reciprocal rank and recall@10 with what is learned of
citations at several weights, and the 95% interval of the difference.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from answered_sentences import Answer, compute_interval, read_benchmark_lines

from lexls.citations.grammar import Grammar
from lexls.evaluation.model_trial import CitingQuestion
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.query import build_query
from lexls.retrieval.ranking import Ranking
from lexls.retrieval.reranking.candidates import Asked
from lexls.retrieval.reranking.features import compute_features
from lexls.retrieval.reranking.reranker import DEPTH, load_learnt, take_candidates
from lexls.retrieval.stages import VOUCHING_FROM, Scope, run_stages
from lexls.text.cancel import CancelToken

ALIKE, BY_LOT = 100, 50
TELLING = 60
"""So many of a document's terms say what it is about."""
CITATIONS = ("cited_", "precedent_", "citers", "related_", "first_", "relevance", "uncited", "court_citers")
"""How the names of features begin that come from who cites whom."""
WEIGHTS = (1.0, 0.75, 0.5, 0.25, 0.0)


def choose(
    library: Library, tokenizer: Tokenizer, citing: int, group: Sequence[CitingQuestion]
) -> frozenset[int]:
    """The library of a brief like the document ``citing``."""
    counts = Counter(tokenizer.tokenize(library.contents.text(citing)))
    rarity = np.abs(library.rarity(list(counts)))
    worth = dict(zip(counts, rarity * np.log1p(list(counts.values())), strict=True))
    terms = sorted(worth, key=lambda term: -worth[term])[:TELLING]
    ids, _ = library.lexical_documents(terms, ALIKE + 1, None, CancelToken())
    alike = [document for document in ids.tolist() if document != citing][:ALIKE]
    others = sorted({each.id for each in library.catalogue.all()} - {citing, *alike})
    lot = random.Random(citing).sample(others, BY_LOT)
    return frozenset((*alike, *lot, *(document for each in group for document in each.cites)))


def answers(
    library: Library, questions: Sequence[CitingQuestion]
) -> Iterator[tuple[Answer, tuple[str, ...]]]:
    """Each question with its candidates, and the names of their features."""
    tokenizer, grammar, ranking, token = Tokenizer(), Grammar.load(()), Ranking(), CancelToken()
    groups: defaultdict[int, list[CitingQuestion]] = defaultdict(list)
    for question in questions:
        groups[question.citing].append(question)
    for citing, group in groups.items():
        chosen = choose(library, tokenizer, citing, group)
        vouching = min(1.0, float(np.sum(library.passage_counts(tuple(chosen)))) / VOUCHING_FROM)
        for question in group:
            query = build_query(question.text, tokenizer, grammar.find(question.text))
            found = run_stages(library, query, None, ranking, Scope(chosen, chosen), token)
            stages = replace(found, vouching=vouching)
            first = stages.fuse(ranking)[:DEPTH]
            sequence = tuple(tokenizer.tokenize(query.text))
            asked = Asked(query.text, query.terms, sequence, None, chosen, tokenizer.tokenize)
            candidates = take_candidates(first, stages.find_best_passages(ranking))
            columns = compute_features(library, asked, stages, candidates, token)
            rows = np.stack(list(columns.values()), axis=1).astype(np.float32)
            yield Answer(question, True, False, candidates.documents, rows), tuple(columns)


def main() -> None:
    """Print a line for each weight of what is learned of citations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("index", type=Path)
    parser.add_argument("benchmark", type=Path)
    options = parser.parse_args()
    library, model = Library(options.index), load_learnt().by_words
    cites = np.array([name.startswith(CITATIONS) for name in model.names])
    measured: defaultdict[float, list[np.ndarray]] = defaultdict(list)
    citing: list[int] = []
    for answer, names in answers(library, list(read_benchmark_lines(options.benchmark, library))):
        rows = answer.rows[:, [names.index(name) for name in model.names]]
        parts = (rows - model.means) / model.scales * model.weights
        citing.append(answer.question.citing)
        for weight in WEIGHTS:
            scores = parts[:, ~cites].sum(axis=1) + weight * parts[:, cites].sum(axis=1)
            measured[weight].append(answer.measure(scores))
    whole = np.stack(measured[1.0])
    for weight, found in measured.items():
        means, gains = np.stack(found).mean(axis=0), np.stack(found) - whole
        told = f"MRR {means[0]:.3f} {compute_interval(citing, gains[:, 0])}, recall@10 {means[3]:.3f}"
        print(f"citations at {weight}: {told} {compute_interval(citing, gains[:, 3])}")


if __name__ == "__main__":
    main()
