"""Measures of ranked lists, by trec_eval's own code (``ir-measures`` over ``pytrec_eval``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from lexls.evaluation.answers import Figures

DOCUMENT_MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "map": "AP",
        "mrr": "RR",
        "ndcg@10": "nDCG@10",
        "bpref": "Bpref",
        "p@5": "P@5",
        "p@10": "P@10",
        "recall@1": "R@1",
        "recall@5": "R@5",
        "recall@10": "R@10",
        "recall@20": "R@20",
        "recall@100": "R@100",
        "hit@1": "Success@1",
        "hit@3": "Success@3",
        "hit@5": "Success@5",
        "hit@10": "Success@10",
    }
)
"""What is measured of a ranking of documents: our name → that of ir-measures."""
F1_DEPTHS = (1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""The k of F1@k: 1 and the primes up to 37, as case-based retrieval is measured in CBR-RAG (2024)."""
CASE_MEASURES: Mapping[str, str] = MappingProxyType(
    {"map": "AP", "mrr": "RR"}
    | {f"p@{k}": f"P@{k}" for k in F1_DEPTHS}
    | {f"recall@{k}": f"R@{k}" for k in F1_DEPTHS}
)
"""What F1@k is made of."""
TERM_MEASURES: Mapping[str, str] = MappingProxyType({"ndcg@10": "nDCG@10", "ndcg@100": "nDCG@100"})


def measure_rankings(
    judged: Sequence[Mapping[str, int]],
    ranked: Sequence[Sequence[str]],
    measures: Mapping[str, str] = DOCUMENT_MEASURES,
) -> list[Figures]:
    """The measures of each question's ranking.

    ``judged`` has for each question the grade of every judged item (0: not relevant), also of items that no
    search could find; ``ranked`` the items found, best first, each once. A question without an answer, or
    without a relevant item, has 0 throughout.
    """
    import ir_measures

    parsed = {ir_measures.parse_measure(theirs): ours for ours, theirs in measures.items()}
    figures: list[dict[str, float]] = [dict.fromkeys(measures, 0.0) for _ in judged]
    # Numbers name the questions: a benchmark may use an id twice.
    qrels = {str(number): dict(grades) for number, grades in enumerate(judged) if grades}
    # trec_eval orders by score and equal scores by name; ranks leave it nothing to decide.
    run = {
        str(number): {item: float(-rank) for rank, item in enumerate(items)}
        for number, items in enumerate(ranked)
        if items
    }
    if qrels and run:
        for metric in ir_measures.pytrec_eval.evaluator(list(parsed), qrels).iter_calc(run):
            figures[int(metric.query_id)][parsed[metric.measure]] = float(metric.value)
    return list(figures)


def f1_figures(judged: Sequence[Mapping[str, int]], ranked: Sequence[Sequence[str]]) -> list[Figures]:
    """For each question ``f1@k``, the harmonic mean of precision and recall of the first k (0 where both
    are), at ``F1_DEPTHS``, with ``map`` and ``mrr``. Arguments and errors as of ``measure_rankings``."""
    found = []
    for each in measure_rankings(judged, ranked, CASE_MEASURES):
        figures = {name: each[name] for name in ("map", "mrr")}
        for k in F1_DEPTHS:
            both = each[f"p@{k}"] + each[f"recall@{k}"]
            figures[f"f1@{k}"] = 2 * each[f"p@{k}"] * each[f"recall@{k}"] / both if both else 0.0
        found.append(figures)
    return list(found)
