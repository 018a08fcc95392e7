"""Measure rankings with trec_eval (``ir-measures``), and compare passages with the spans that answer a
question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lexls.evaluation import TABLES
from lexls.evaluation.runs import Figures
from lexls.text.spans import Span

DOCUMENT_MEASURES: Mapping[str, str] = TABLES["documents"]
"""The measures of a ranking of documents; each of our names is mapped to the name in ir-measures."""
F1_DEPTHS = (1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Values of k for F1@k: 1 and the prime numbers up to 37, as in the evaluation of CBR-RAG (2024)."""
CASE_MEASURES: Mapping[str, str] = {
    "map": "AP",
    "mrr": "RR",
    **{f"p@{k}": f"P@{k}" for k in F1_DEPTHS},
    **{f"recall@{k}": f"R@{k}" for k in F1_DEPTHS},
}
"""The measures from which F1@k is computed."""
TERM_MEASURES: Mapping[str, str] = {"ndcg@10": "nDCG@10", "ndcg@100": "nDCG@100"}


def measure_rankings(
    judged: Sequence[Mapping[str, int]],
    ranked: Sequence[Sequence[str]],
    measures: Mapping[str, str] = DOCUMENT_MEASURES,
) -> list[Figures]:
    """Return the measures of each question's ranking.

    ``judged`` has the grade of every judged item for each question (0: not relevant), including items that no
    search can find. ``ranked`` has the items found, best first and without duplicates. All measures are 0 for
    a question with no results or no relevant item.
    """
    import ir_measures

    parsed = {ir_measures.parse_measure(theirs): ours for ours, theirs in measures.items()}
    figures: list[dict[str, float]] = [dict.fromkeys(measures, 0.0) for _ in judged]
    # Questions are identified by number, since a benchmark may use an id twice.
    qrels = {str(number): dict(grades) for number, grades in enumerate(judged) if grades}
    # trec_eval orders by score, then by name; using ranks as scores avoids ties.
    run = {
        str(number): {item: float(-rank) for rank, item in enumerate(items)}
        for number, items in enumerate(ranked)
        if items
    }
    if qrels and run:
        for metric in ir_measures.pytrec_eval.evaluator(list(parsed), qrels).iter_calc(run):
            figures[int(metric.query_id)][parsed[metric.measure]] = float(metric.value)
    return list(figures)


def measure_f1(judged: Sequence[Mapping[str, int]], ranked: Sequence[Sequence[str]]) -> list[Figures]:
    """Return ``f1@k`` at ``F1_DEPTHS``, ``map`` and ``mrr`` for each question. F1@k is the harmonic mean of
    precision and recall of the first k items; 0 if both are 0. Arguments and errors are as in
    ``measure_rankings``.
    """
    found = []
    for each in measure_rankings(judged, ranked, CASE_MEASURES):
        figures = {name: each[name] for name in ("map", "mrr")}
        for k in F1_DEPTHS:
            both = each[f"p@{k}"] + each[f"recall@{k}"]
            figures[f"f1@{k}"] = 2 * each[f"p@{k}"] * each[f"recall@{k}"] / both if both else 0.0
        found.append(figures)
    return list(found)


PassageFound = tuple[int, int, int]
"""A document id, and the start and end (exclusive) of a passage in its text."""

SHALLOW = 10
"""Number of passages that a person is expected to read."""
DEEP = 64
"""Number of passages for a system that can read all of them."""
HITS = (1, 3, 5)


def measure_spans(
    found: Sequence[PassageFound], file: int, spans: Sequence[Span], text: str
) -> dict[str, float]:
    """Measure how well passages, best first, contain the ``spans`` of the document ``file``, whose text is
    ``text``.

    A passage contains a span only if it contains all of it. Coverage is counted in visible characters, since
    passages omit the white space between them; several passages together may cover a span.

    ``mrr``: the reciprocal rank of the first passage that contains a span. ``hit@k``: whether one of the
    first k contains one. ``recall@10``: the share of the spans contained in one of the first 10.
    ``precision@10``: the share of the first 10 that overlap a span. ``fully_covered`` and ``partly_covered``:
    whether the first 10 cover all of the spans, or any part of them. ``overlap``: the mean, over the spans,
    of the largest part of a span in one passage of the first 10. ``char_recall@k``: the share of the spans'
    characters covered by the first k. ``char_precision@k``: the share of the characters of the first k, each
    counted once, that belong to the spans. ``wrong_document@k``: the share of the first k passages that are
    from another document (document-level retrieval mismatch); 0 if nothing was found.
    """
    held = [
        {
            number
            for number, span in enumerate(spans)
            if document == file and start <= span.start and span.end <= end
        }
        for document, start, end in found
    ]
    first = next((rank for rank, numbers in enumerate(held, 1) if numbers), None)
    passages = [(document, Span(start, end)) for document, start, end in found]
    shallow = passages[:SHALLOW]
    own = [span for document, span in shallow if document == file]
    wanted = _visible(spans, text)
    covered = len(wanted & _visible(own, text))
    figures = {"mrr": 1 / first if first else 0.0}
    figures |= {f"hit@{k}": float(any(held[:k])) for k in HITS}
    figures |= {
        "recall@10": len(set().union(*held[:SHALLOW])) / len(spans),
        "precision@10": sum(any(p.overlaps(span) for span in spans) for p in own) / max(len(shallow), 1),
        "fully_covered": float(covered == len(wanted)),
        "partly_covered": float(covered > 0),
        "overlap": sum(_largest_part(span, own) for span in spans) / len(spans),
    }
    for k in (SHALLOW, DEEP):
        recall, precision = _characters(passages[:k], file, wanted, text)
        figures |= {f"char_recall@{k}": recall, f"char_precision@{k}": precision}
    for k in (1, SHALLOW, DEEP):
        others = [document != file for document, _ in passages[:k]]
        figures[f"wrong_document@{k}"] = sum(others) / len(others) if others else 0.0
    return figures


def _visible(spans: Iterable[Span], text: str) -> set[int]:
    """Return the offsets of the characters in these ranges of ``text`` that are not white space."""
    return {
        at for span in spans for at in range(span.start, min(span.end, len(text))) if not text[at].isspace()
    }


def _largest_part(span: Span, passages: Iterable[Span]) -> float:
    shared = (min(span.end, each.end) - max(span.start, each.start) for each in passages)
    return max(0.0, max(shared, default=0) / max(len(span), 1))


def _characters(
    passages: Sequence[tuple[int, Span]], file: int, wanted: set[int], text: str
) -> tuple[float, float]:
    """Return recall and precision in visible characters. A passage of another document counts with its full
    length.
    """
    own = _visible((span for document, span in passages if document == file), text)
    shown = len(own) + sum(len(span) for document, span in passages if document != file)
    covered = len(wanted & own)
    return (covered / len(wanted) if wanted else 1.0), (covered / shown if shown else 0.0)
