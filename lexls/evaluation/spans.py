"""Measures of passages against the spans that hold an answer."""

from __future__ import annotations

from collections.abc import Sequence

from lexls.text.spans import Span

PassageFound = tuple[int, int, int]
"""A document and ``[start, end)`` of its text."""


def span_figures(
    found: Sequence[PassageFound], file: int, spans: Sequence[Span], text: str
) -> dict[str, float]:
    """How well passages, best first, hold the ``spans`` of document ``file`` whose text is ``text``.

    What is covered is counted in visible characters, since passages leave out the white space between them.
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
    passages = [(document, Span(start, end)) for document, start, end in found[:10]]
    wanted = visible(spans, text)
    covered = wanted & visible([span for document, span in passages if document == file], text)
    # Passages of other documents count by their length: their text is not asked for.
    shown = len(visible([span for document, span in passages if document == file], text))
    shown += sum(len(span) for document, span in passages if document != file)
    return {
        "mrr": 1 / first if first else 0.0,
        "hit@1": float(any(held[:1])),
        "hit@5": float(any(held[:5])),
        "recall@10": len(set().union(*held[:10])) / len(spans),
        "fully_covered": float(wanted <= covered),
        "partly_covered": float(bool(covered)),
        "char_recall@10": len(covered) / len(wanted) if wanted else 1.0,
        "char_precision@10": len(covered) / shown if shown else 0.0,
    }


def visible(spans: Sequence[Span], text: str) -> set[int]:
    """The offsets of the characters of ``text`` in any of ``spans`` that are not white space."""
    return {
        offset
        for span in spans
        for offset in range(span.start, span.end)
        if not text[offset : offset + 1].isspace()
    }
