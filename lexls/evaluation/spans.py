"""Measures of passages against the spans that hold an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lexls.text.spans import Span

PassageFound = tuple[int, int, int]
"""A document and ``[start, end)`` of its text."""

SHALLOW = 10
"""So many passages a person looks at,"""
DEEP = 64
"""and so many a system that reads them all."""
HITS = (1, 3, 5)


def span_figures(
    found: Sequence[PassageFound], file: int, spans: Sequence[Span], text: str
) -> dict[str, float]:
    """How well passages, best first, hold the ``spans`` of document ``file`` whose text is ``text``.

    A span is *held* by a passage in which it lies whole. What is covered is counted in visible characters,
    since passages leave out the white space between them; several passages may cover a span together.

    ``mrr``: one over the rank of the first passage that holds a span. ``hit@k``: whether one of the first k
    does. ``recall@10``: the share of the spans that the first 10 hold. ``precision@10``: the share of the
    first 10 that touch a span. ``fully_covered`` and ``partly_covered``: whether the first 10 cover all of
    the spans, or any of them. ``overlap``: the mean over the spans of the largest part of each that lies in
    one passage of the first 10. ``char_recall@k`` and ``char_precision@k``: the share of the spans'
    characters that the first k cover, and of the characters of these passages, each counted once, that
    belong to the spans. ``wrong_document@k``: the share of the first k passages that are of another
    document (document-level retrieval mismatch); 0 where nothing was found.
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
    wanted = _merged(spans)
    length = _visible(wanted, text)
    covered = _visible(_shared(wanted, _merged(own)), text)
    figures = {"mrr": 1 / first if first else 0.0}
    figures |= {f"hit@{k}": float(any(held[:k])) for k in HITS}
    figures |= {
        "recall@10": len(set().union(*held[:SHALLOW])) / len(spans),
        "precision@10": sum(any(p.overlaps(span) for span in spans) for p in own) / max(len(shallow), 1),
        "fully_covered": float(covered == length),
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


def _merged(spans: Iterable[Span]) -> list[Span]:
    """The ranges that ``spans`` cover, each place once, in order."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _shared(ones: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """What two lists of merged ranges have in common."""
    return [
        Span(max(one.start, other.start), min(one.end, other.end))
        for one in ones
        for other in others
        if one.overlaps(other)
    ]


def _visible(spans: Iterable[Span], text: str) -> int:
    """How many characters of ``text`` in these ranges are not white space."""
    return sum(len(word) for span in spans for word in span.of(text).split())


def _largest_part(span: Span, passages: Iterable[Span]) -> float:
    shared = (min(span.end, each.end) - max(span.start, each.start) for each in passages)
    return max(0.0, max(shared, default=0) / max(len(span), 1))


def _characters(
    passages: Sequence[tuple[int, Span]], file: int, wanted: Sequence[Span], text: str
) -> tuple[float, float]:
    """Recall and precision in characters.

    Passages of other documents count by their length, since their text is not asked for.
    """
    own = _merged(span for document, span in passages if document == file)
    shown = _visible(own, text) + sum(len(span) for document, span in passages if document != file)
    length, covered = _visible(wanted, text), _visible(_shared(wanted, own), text)
    return (covered / length if length else 1.0), (covered / shown if shown else 0.0)
