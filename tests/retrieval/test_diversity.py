from __future__ import annotations

import numpy as np

from lexls.retrieval.refinements import diversify

EAST = np.array([1.0, 0.0], dtype=np.float32)
NORTH = np.array([0.0, 1.0], dtype=np.float32)
ITEMS = [("first", 1.0, EAST), ("its copy", 0.95, EAST), ("another", 0.8, NORTH), ("unread", 0.5, None)]


def order(strength: float, depth: int = 10) -> list[str]:
    found = diversify(ITEMS, lambda item: item[1], lambda item: item[2], strength, depth)
    return [name for name, _, _ in found]


def test_a_copy_of_a_hit_makes_way_for_one_that_says_something_else() -> None:
    assert order(0.5) == ["first", "another", "unread", "its copy"]
    assert order(0.3) == ["first", "another", "its copy", "unread"]


def test_without_strength_the_order_stays() -> None:
    assert order(0.0) == ["first", "its copy", "another", "unread"]


def test_what_is_below_the_depth_stays_behind() -> None:
    assert order(0.5, depth=2) == ["first", "its copy", "another", "unread"]
    assert diversify([], lambda item: 0.0, lambda item: None, 0.5, 5) == []
