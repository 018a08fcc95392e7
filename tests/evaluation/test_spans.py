from __future__ import annotations

import pytest

from lexls.evaluation.measures import measure_spans
from lexls.text.spans import Span

TEXT = "0123456789 abcdefghij KLMNOPQRST"
FILE, OTHER = 1, 2


def test_a_passage_that_holds_a_span_whole_is_a_hit() -> None:
    figures = measure_spans([(OTHER, 0, 10), (FILE, 0, 10)], FILE, [Span(2, 5)], TEXT)
    assert figures["mrr"] == 1 / 2
    assert figures["hit@1"] == 0.0
    assert figures["hit@5"] == 1.0
    assert figures["recall@10"] == 1.0
    assert figures["fully_covered"] == 1.0
    assert figures["char_precision@10"] == pytest.approx(3 / 20)


def test_a_span_in_two_passages_is_covered_but_not_a_hit() -> None:
    figures = measure_spans([(FILE, 0, 10), (FILE, 11, 21)], FILE, [Span(8, 13)], TEXT)
    assert figures["mrr"] == 0.0
    assert figures["hit@5"] == 0.0
    assert figures["recall@10"] == 0.0
    assert figures["fully_covered"] == 1.0
    assert figures["char_recall@10"] == 1.0


def test_a_part_is_covered_partly() -> None:
    figures = measure_spans([(FILE, 0, 10)], FILE, [Span(8, 14), Span(22, 24)], TEXT)
    assert figures["fully_covered"] == 0.0
    assert figures["partly_covered"] == 1.0
    assert figures["char_recall@10"] == pytest.approx(2 / 7)


def test_one_of_two_spans_is_half_the_recall() -> None:
    figures = measure_spans([(FILE, 0, 10)], FILE, [Span(0, 4), Span(22, 24)], TEXT)
    assert figures["recall@10"] == 1 / 2
    assert figures["hit@1"] == 1.0


def test_the_same_place_in_another_document_counts_nothing() -> None:
    figures = measure_spans([(OTHER, 0, 32)], FILE, [Span(0, 4)], TEXT)
    assert figures["partly_covered"] == figures["hit@5"] == figures["char_precision@10"] == 0.0


def test_nothing_found_is_nothing() -> None:
    assert set(measure_spans([], FILE, [Span(0, 4)], TEXT).values()) == {0.0}


def test_only_ten_passages_count() -> None:
    found = [(OTHER, 0, 10)] * 10 + [(FILE, 0, 10)]
    figures = measure_spans(found, FILE, [Span(0, 4)], TEXT)
    assert figures["recall@10"] == figures["fully_covered"] == 0.0


def test_the_share_of_passages_of_other_documents_is_told_for_each_depth() -> None:
    figures = measure_spans([(FILE, 0, 10), (OTHER, 0, 10), (OTHER, 11, 21)], FILE, [Span(0, 4)], TEXT)
    assert figures["wrong_document@1"] == 0.0
    assert figures["wrong_document@10"] == figures["wrong_document@64"] == pytest.approx(2 / 3)


def test_the_deep_figures_look_at_64_passages() -> None:
    found = [(OTHER, 0, 10)] * 63 + [(FILE, 0, 10), (FILE, 11, 21)]
    figures = measure_spans(found, FILE, [Span(0, 5), Span(11, 16)], TEXT)
    assert figures["char_recall@10"] == 0.0
    assert figures["char_recall@64"] == 1 / 2
    assert figures["char_precision@64"] == pytest.approx(5 / 640)


def test_overlap_is_the_largest_part_of_a_span_in_one_passage() -> None:
    figures = measure_spans([(FILE, 0, 3), (FILE, 2, 10)], FILE, [Span(0, 8)], TEXT)
    assert figures["overlap"] == 6 / 8
    assert figures["fully_covered"] == 1.0


def test_precision_counts_passages_that_touch_a_span() -> None:
    figures = measure_spans([(FILE, 0, 10), (FILE, 11, 21), (OTHER, 0, 10)], FILE, [Span(8, 9)], TEXT)
    assert figures["precision@10"] == pytest.approx(1 / 3)


def test_overlapping_passages_count_their_characters_once() -> None:
    figures = measure_spans([(FILE, 0, 10), (FILE, 5, 10)], FILE, [Span(0, 5)], TEXT)
    assert figures["char_precision@10"] == 1 / 2
    assert figures["char_precision@64"] == 1 / 2
